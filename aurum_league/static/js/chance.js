// What this browser adds to chance: 32 random bytes with every form that opens a table, takes a seat or enters a tournament.
// It remembers them beside the commitment it was shown, so that it can look later whether they were used.
const KEPT = "aurum-contributions";
const MOST_KEPT = 50;

function readKept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? [];
  } catch {
    return [];
  }
}

function keep(commitment, contribution) {
  const others = readKept().filter(([known]) => known !== commitment);
  try {
    localStorage.setItem(KEPT, JSON.stringify([[commitment, contribution], ...others].slice(0, MOST_KEPT)));
  } catch {
    // A browser that keeps nothing plays all the same; it only cannot look afterwards.
  }
}

export const findKept = (commitment) => readKept().find(([known]) => known === commitment)?.[1];

export function drawContribution() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("submit", ({ target }) => {
  const field = target.querySelector('input[name="contribution"]');
  if (!field || field.value) return;
  field.value = drawContribution();
  keep(field.dataset.commitment, field.value);
});

// A page that comes back from the browser's memory has a ticket that is used.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && document.querySelector('input[name="ticket"]')) location.reload();
});
