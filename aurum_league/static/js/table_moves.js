// Movement: measured before and after a drawing, and only the difference is animated, by transform and opacity alone.
const NORMAL = 800; // the pace at which the durations below hold
const MS = { card: 200, coin: 380, collect: 320, turn: 260, fade: 80 };
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

const speed = () => Number(document.getElementById("pace")?.value ?? NORMAL) / NORMAL;
export const canMove = () => speed() > 0 && !document.hidden;

export const rectOf = (element) => element.getBoundingClientRect();

function measure(felt) {
  const places = new Map();
  for (const element of felt.querySelectorAll("[data-flip]")) places.set(element.dataset.flip, rectOf(element));
  return places;
}

function slide(element, from, to, duration) {
  if (isCalm.matches) return element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MS.fade });
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  const scale = from.width / to.width || 1;
  if (Math.abs(x) < 1 && Math.abs(y) < 1 && Math.abs(scale - 1) < 0.02) return null;
  const start = `translate(${x}px, ${y}px) scale(${scale})`;
  return element.animate([{ transform: start }, { transform: "none" }], { duration: duration * speed(), easing: "cubic-bezier(.2,.7,.3,1)" });
}

// A bid that lay face down is turned over, where it lies.
function turnOver(element) {
  const [from, to, duration] = isCalm.matches ? [{ opacity: 0 }, { opacity: 1 }, MS.fade] : [{ transform: "rotateY(90deg)" }, { transform: "none" }, MS.turn * speed()];
  element.animate([from, to], { duration });
}

// Where something comes from that had no place of its own before.
function findOrigin(felt, element, before) {
  const [kind, owner, code] = element.dataset.flip.split(" ");
  const seat = element.dataset.from ?? element.closest("[data-seat]")?.dataset.seat;
  if (kind === "coin") {
    if (owner !== "supply") return before.get(`coin supply ${code}`) ?? null;
    // Gold that was spent goes home: from whose it was, or from the trick.
    const spent = [...before.keys()].find((key) => key.startsWith("coin ") && key.endsWith(` ${code}`) && !felt.querySelector(`[data-flip="${key}"]`));
    return before.get(spent) ?? before.get(`card ${code}`) ?? null;
  }
  if (kind === "bid") return rectOf(element.closest(".seat").querySelector("h3"));
  if (element.closest(".hand")) return null;
  const place = seat === undefined ? null : felt.querySelector(`.seat[data-seat="${seat}"]`);
  return place ? before.get(`bid ${seat}`) ?? rectOf(place.querySelector(".bid-card")) : null;
}

// A picture of something goes from one place to another, fades, and is gone.
export function sendGhost(felt, element, from, to, duration, scale, home = rectOf(felt)) {
  const ghost = element.cloneNode(true);
  ghost.removeAttribute("data-flip");
  ghost.setAttribute("aria-hidden", "true");
  ghost.classList.add("ghost");
  Object.assign(ghost.style, { left: `${from.left - home.left}px`, top: `${from.top - home.top}px`, width: `${from.width}px` });
  felt.append(ghost);
  const move = `translate(${to.left + to.width / 2 - from.left - from.width / 2}px, ${to.top + to.height / 2 - from.top - from.height / 2}px) scale(${scale})`;
  const going = ghost.animate([{ transform: "none", opacity: 1 }, { transform: move, opacity: 0.2 }], { duration: duration * speed(), easing: "ease-in" });
  going.onfinish = going.oncancel = () => ghost.remove();
}

// Where the cards of a trick that is over go: to whoever won it.
function findCollector(felt, trick) {
  const winner = isCalm.matches ? null : felt.querySelector(`.seat[data-seat="${trick?.winner}"]`);
  return winner && rectOf(winner.querySelector(".tally") ?? winner);
}

// Draw, and let what changed its place go there; `trick` is the one that is cleared away by this drawing, if any.
// A hand that is dealt comes from the middle, wherever its cards lay in the round before.
export function drawMoving(felt, draw, { trick = null, isDeal = false } = {}) {
  if (!canMove()) {
    draw();
    return;
  }
  const before = measure(felt);
  const lying = (trick?.winner ?? null) === null ? [] : [...felt.querySelectorAll(".trick .card")].map((card) => [card, rectOf(card)]);
  draw();
  // Laid out with the next frame, before it is painted: what is drawn and where it went are two tasks, not a long one.
  // All is measured before anything moves, so that it is laid out once.
  requestAnimationFrame(() => {
    const gone = lying.filter(([card]) => !card.isConnected);
    const [home, collector] = [rectOf(felt), gone.length ? findCollector(felt, trick) : null];
    const moves = findMoves(felt, before, isDeal ? "[data-flip]:not(.hand *)" : "[data-flip]");
    const deal = isDeal && !isCalm.matches ? [rectOf(felt.querySelector(".trick")), findCards(felt)] : null;
    startMoves(moves, before);
    if (deal) dealHand(...deal);
    if (collector) for (const [card, from] of gone) sendGhost(felt, card, from, collector, MS.collect, 0.3, home);
  });
}

function findMoves(felt, before, moving) {
  const after = [...felt.querySelectorAll(moving)].map((element) => [element, rectOf(element)]);
  return after.map(([element, to]) => [element, before.get(element.dataset.flip) ?? (before.size ? findOrigin(felt, element, before) : null), to]);
}

function startMoves(moves, before) {
  for (const [element, from, to] of moves) {
    if (!from || !to.width) continue;
    const seat = element.closest(".bid-card") && element.closest("[data-seat]").dataset.seat;
    if (seat && !before.has(element.dataset.flip) && before.has(`bid ${seat}`)) turnOver(element);
    else slide(element, from, to, element.dataset.flip.startsWith("coin") ? MS.coin : MS.card);
  }
}

// What was changed has been laid out and painted: whoever measures now finds it done.
export const settle = () => (document.hidden ? Promise.resolve() : new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

const findCards = (felt) => [...felt.querySelectorAll(".hand .card")].map((card) => [card, rectOf(card)]);

// The cards of a hand come one after the other from the middle.
function dealHand(from, cards) {
  for (const [order, [card, to]] of cards.entries()) {
    const start = `translate(${from.left + from.width / 2 - to.left - to.width / 2}px, ${from.top + from.height / 2 - to.top - to.height / 2}px)`;
    const options = { duration: 180 * speed(), delay: order * 35 * speed(), fill: "backwards", easing: "ease-out" };
    card.animate([{ transform: start, opacity: 0 }, { transform: "none", opacity: 1 }], options);
  }
}

export const finishMoves = (felt) => {
  for (const animation of felt.getAnimations({ subtree: true })) if (!(animation instanceof CSSTransition)) animation.finish();
};
