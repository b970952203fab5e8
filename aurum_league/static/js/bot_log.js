// The log of a bot follows the replay: the decisions of the step on the table are marked and scrolled to.
const rows = [...document.querySelectorAll("[data-at]")];
const LONGEST = 160;
const note = document.createElement("p");
note.className = "bot-said";
document.getElementById("said").after(note);

// What the decision was, its time or fuel and the beginning of what was said, on the table itself.
const tell = (row) => [...row.cells].slice(1).map((cell) => cell.textContent.trim()).filter(Boolean).join(" · ").slice(0, LONGEST);

function mark(search) {
  const asked = new URLSearchParams(search);
  const trick = Number(asked.get("trick") ?? 0);
  const at = [asked.get("round") ?? 1, trick, asked.get("step") ?? Math.min(trick, 1)].join("-");
  const scrolled = new Set();
  note.textContent = rows.filter((row) => row.dataset.at === at).map(tell).join(" | ");
  for (const row of rows) {
    if (row.dataset.at !== at) {
      row.removeAttribute("aria-current");
      continue;
    }
    row.setAttribute("aria-current", "step");
    const box = row.closest(".table-scroll");
    if (scrolled.has(box)) continue;
    scrolled.add(box);
    box.scrollTop = row.offsetTop - box.clientHeight / 3;
  }
}

document.addEventListener("replay-step", (event) => mark(event.detail));
mark(location.search);
