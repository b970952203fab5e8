// The table by keyboard alone: arrows walk through the cards, a letter presses what it names.
const isTyping = (target) => target.closest("input, textarea, select, dialog, .table-scroll");

function walk(felt, step) {
  const cards = [...felt.querySelectorAll(".hand [data-card], .gold-row [data-card]")];
  if (!cards.length) return;
  const here = cards.indexOf(document.activeElement);
  const next = here < 0 ? (step > 0 ? 0 : cards.length - 1) : (here + step + cards.length) % cards.length;
  cards[next].focus();
}

function press(button) {
  if (button && !button.hidden) button.click();
}

export function watchKeys({ felt, keep, change, stop, lookAtLast, takeBack, askBack, askHint }) {
  const actions = {
    ArrowLeft: () => walk(felt, -1),
    ArrowRight: () => walk(felt, 1),
    g: () => felt.querySelector(".coin-button")?.focus(),
    k: () => press(keep),
    c: () => press(change),
    e: () => press(stop),
    l: lookAtLast,
    h: askHint,
    u: askBack,
    Escape: takeBack,
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    act();
  });
}
