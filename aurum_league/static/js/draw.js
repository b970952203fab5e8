// The draw at a glance: two names of one matchday change places by drag, by two taps, or by Enter on each; what it comes
// to is asked of the desk while one drags or moves on.
const board = document.getElementById("board");
const told = document.getElementById("swap");
const nobody = told.innerHTML;
let chosen = null;
let asked = "";

const seatOf = (target) => target.closest?.("[data-entrant]");
const dayOf = (seat) => seat.closest("[data-day]")?.dataset.day;
const canSwap = (seat) => seat && chosen && seat !== chosen && dayOf(seat) === dayOf(chosen);

function mark(seat, name, value) {
  for (const one of board.querySelectorAll(`.${name}`)) one.classList.remove(name);
  seat?.classList.toggle(name, value);
}

function choose(seat) {
  chosen?.setAttribute("aria-pressed", "false");
  chosen = seat;
  asked = "";
  chosen?.setAttribute("aria-pressed", "true");
  mark(null, "is-target", false);
  board.classList.toggle("is-choosing", Boolean(chosen));
  for (const day of board.querySelectorAll("[data-day]")) day.classList.toggle("is-other", Boolean(chosen) && !day.contains(chosen));
  if (!chosen) told.innerHTML = nobody;
}

async function ask(seat) {
  if (!canSwap(seat)) return false;
  const address = `${board.dataset.swaps}${dayOf(seat)}/swap/?first=${chosen.dataset.entrant}&second=${seat.dataset.entrant}`;
  if (asked === address) return true;
  asked = address;
  mark(seat, "is-target", true);
  const answer = await fetch(address);
  if (asked !== address) return false; // Moved on meanwhile.
  if (answer.ok) told.innerHTML = await answer.text();
  return answer.ok;
}

board.addEventListener("click", async (event) => {
  const seat = seatOf(event.target);
  if (!seat) return;
  if (seat === chosen) choose(null);
  else if (!canSwap(seat)) choose(seat);
  else if (await ask(seat)) {
    const button = told.querySelector("form button");
    button?.focus();
    told.scrollIntoView({ block: "nearest" });
  }
});
board.addEventListener("mouseover", (event) => ask(seatOf(event.target)));
board.addEventListener("focusin", (event) => ask(seatOf(event.target)));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && chosen) {
    const seat = chosen;
    choose(null);
    seat.focus();
  }
});

board.addEventListener("dragstart", (event) => {
  const seat = seatOf(event.target);
  if (!seat) return;
  choose(seat);
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", seat.textContent);
});
board.addEventListener("dragover", (event) => {
  const seat = seatOf(event.target);
  if (!canSwap(seat)) return;
  event.preventDefault();
  ask(seat);
});
board.addEventListener("drop", async (event) => {
  const seat = seatOf(event.target);
  if (!canSwap(seat)) return;
  event.preventDefault();
  // What refuses a swap has no form: it stays to be read.
  if (await ask(seat)) told.querySelector("form")?.requestSubmit();
});
