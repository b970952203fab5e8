// Deals a finished match again in the browser and compares it with what was published.
const panel = document.getElementById("fairness-check");
const button = panel.querySelector("[data-check-now]");
const verdict = panel.querySelector(".verdict");

function showResults(checks) {
  for (const { code, holds, about } of checks.filter((check) => "holds" in check)) {
    const mark = panel.querySelector(`[data-check="${code === "round" ? `round-${about}` : code}"] span`);
    if (!mark) continue;
    mark.parentElement.hidden = false;
    mark.className = `badge badge-${holds ? "success" : "error"}`;
    mark.textContent = holds ? panel.dataset.passed : panel.dataset.failed;
  }
  const isFair = checks.every(({ holds }) => holds !== false);
  verdict.dataset.fair = isFair;
  verdict.textContent = isFair ? panel.dataset.fair : panel.dataset.unfair;
}

async function check() {
  button.disabled = true;
  try {
    const [{ checkRecord }, { findKept }] = await Promise.all([import("./fairness_checks.js"), import("./chance.js")]);
    const answer = await fetch(panel.dataset.record);
    if (!answer.ok) throw new Error(answer.statusText);
    const record = await answer.json();
    showResults(await checkRecord(record, panel.dataset.commitment, findKept(record.parts?.commitment)));
  } catch {
    verdict.textContent = panel.dataset.broken;
  }
  button.disabled = false;
}

button.hidden = false;
button.addEventListener("click", () => {
  if (globalThis.crypto?.subtle) check();
  else verdict.textContent = panel.dataset.impossible;
});
