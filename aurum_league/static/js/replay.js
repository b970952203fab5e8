// Steps through a replay without loading the page anew: links, keys and a play button; the address always names the step.
const STEP_MS = 1100;
const AHEAD = 3;
const stage = document.getElementById("replay-stage");
const status = document.getElementById("replay-status");
const player = document.querySelector(".replay-player");
const button = player.querySelector("button");
const fetched = new Map();
let wanted = location.search;
let timer = null;

function fetchStep(search) {
  if (!fetched.has(search)) {
    const answer = fetch(stage.dataset.step + search).then((response) => {
      if (!response.ok) throw new Error(response.statusText);
      return response.text();
    });
    answer.catch(() => fetched.delete(search));
    fetched.set(search, answer);
  }
  return fetched.get(search);
}

const links = () => [...stage.querySelectorAll(".replay-bar a")];
const searchOf = (link) => link?.getAttribute("href");

// Where the focus goes once the links are new: to the link of the same name.
function findKey(link) {
  if (!stage.contains(link)) return null;
  const label = link.getAttribute("aria-label");
  return label ? `a[aria-label="${CSS.escape(label)}"]` : `a[href="${CSS.escape(link.getAttribute("href") ?? "")}"]`;
}

function keepCurrentInSight() {
  for (const link of stage.querySelectorAll(".replay-jumps [aria-current]")) {
    const row = link.parentElement;
    row.scrollLeft = link.offsetLeft - row.offsetLeft - row.clientWidth / 2;
  }
}

async function prefetch(html, left = AHEAD) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const next = page.querySelectorAll(".replay-bar a")[2]?.getAttribute("href");
  if (next && left > 0) await prefetch(await fetchStep(next), left - 1);
}

async function show(search, isNewPlace = true) {
  wanted = search;
  let html;
  try {
    html = await fetchStep(search);
  } catch {
    location.search = search;
    return;
  }
  if (wanted !== search) return;
  const focused = findKey(document.activeElement);
  stage.innerHTML = html;
  if (focused) stage.querySelector(focused)?.focus({ preventScroll: true });
  keepCurrentInSight();
  status.textContent = stage.querySelector(".replay-said").textContent;
  if (isNewPlace) history.replaceState(null, "", search);
  if (timer && !searchOf(links()[2])) pause();
  prefetch(html).catch(() => {});
}

function pause() {
  clearInterval(timer);
  timer = null;
  draw();
}

function draw() {
  const name = timer ? "pause" : "play";
  button.querySelector("span").textContent = button.dataset[name];
  const use = button.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${name}`));
}

function play() {
  const [first, , next] = links().map(searchOf);
  show(next ?? first);
  timer = setInterval(() => {
    const after = searchOf(links()[2]);
    if (after) show(after);
  }, STEP_MS);
  draw();
}

const toggle = () => (timer ? pause() : play());
const go = (link) => {
  if (timer) pause();
  const search = searchOf(link);
  if (search) show(search);
};

function targetOf(key) {
  const bar = { Home: 0, ArrowLeft: 1, ArrowRight: 2, End: 3 }[key];
  return bar === undefined ? stage.querySelector(`[data-round="${CSS.escape(key)}"]`) : links()[bar];
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, summary, .table-scroll")) return;
  if (event.key === " ") {
    if (event.target.closest("button, a")) return;
    toggle();
  } else {
    const target = targetOf(event.key);
    if (!target) return;
    go(target);
  }
  event.preventDefault();
});

stage.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link);
});

button.addEventListener("click", toggle);
player.hidden = false;
keepCurrentInSight();

// Nothing is fetched ahead before somebody reaches for the replay: the first load stays light.
for (const sign of ["pointerover", "focusin"]) {
  stage.addEventListener(sign, () => prefetch(stage.innerHTML).catch(() => {}), { once: true });
}
