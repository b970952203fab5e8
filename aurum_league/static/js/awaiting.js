// How many tables wait for whoever reads this: looked at again when the page is, when something live comes in, and
// now and then. A file of its own, since strangers and tables have no such mark.
const badge = document.querySelector("[data-awaiting]");

async function countAwaiting() {
  if (document.hidden) return;
  try {
    const { count } = await (await fetch(badge.dataset.awaiting)).json();
    badge.hidden = !count;
    badge.querySelector("span").textContent = count;
    badge.setAttribute("aria-label", `${badge.dataset.label}: ${count}`);
  } catch {
    // Without a connection the last count stays.
  }
}

document.addEventListener("visibilitychange", countAwaiting);
document.addEventListener("live", countAwaiting);
setInterval(countAwaiting, 60_000);
