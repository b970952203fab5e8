// A screen that nobody touches: asks for itself again every ten seconds, scrolls to and fro, counts down to what is next.
const REFRESH_MS = 10_000;
const PIXELS = 1;
const REST_MS = 4000;
const board = document.querySelector("[data-board]");
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;

async function refresh() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-board]");
    if (fresh && fresh.innerHTML !== board.innerHTML) board.replaceChildren(...fresh.childNodes);
  } catch {
    // The network is away: what stands here is as good as there is.
  }
}

function countDown() {
  for (const time of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.round((new Date(time.dataset.until) - Date.now()) / 1000));
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    if (left < 86_400) time.textContent = parts.map((part) => String(part).padStart(2, "0")).join(":");
  }
}

let direction = 1;
let rests = Date.now() + REST_MS;
function scroll() {
  const root = document.documentElement;
  const room = root.scrollHeight - innerHeight;
  if (room > 0 && Date.now() > rests) {
    scrollBy(0, direction * PIXELS);
    if ((direction > 0 && root.scrollTop >= room - 1) || (direction < 0 && root.scrollTop <= 0)) {
      direction = -direction;
      rests = Date.now() + REST_MS;
    }
  }
  requestAnimationFrame(scroll);
}

setInterval(refresh, REFRESH_MS);
setInterval(countDown, 1000);
countDown();
if (!isStill && document.body.classList.contains("projector")) requestAnimationFrame(scroll);
