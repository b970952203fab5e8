// Deals a finished match again in the browser and compares it with what was published.
const panel = document.getElementById("fairness-check");
const button = panel.querySelector("[data-check-now]");
const verdict = panel.querySelector(".verdict");

async function runChecks(record) {
  const { commitment, dealRound, drawFirstSeat } = await import("./deal.js");
  const { players } = record.ruleset;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const results = {
    commitment: (await commitment(record.seed)) === panel.dataset.commitment,
    first: (await drawFirstSeat(record.seed, players)) === record.rounds[0].first_seat,
  };
  for (const [index, round] of record.rounds.entries()) {
    const dealt = await dealRound(record.seed, players, index + 1);
    results[`round-${index + 1}`] = same(dealt.hands, round.hands) && same(dealt.set_aside, round.set_aside);
  }
  return results;
}

function showResults(results) {
  for (const [name, holds] of Object.entries(results)) {
    const mark = panel.querySelector(`[data-check="${name}"] span`);
    mark.className = `badge badge-${holds ? "success" : "error"}`;
    mark.textContent = holds ? panel.dataset.passed : panel.dataset.failed;
  }
  const isFair = Object.values(results).every(Boolean);
  verdict.dataset.fair = isFair;
  verdict.textContent = isFair ? panel.dataset.fair : panel.dataset.unfair;
}

async function check() {
  button.disabled = true;
  try {
    const answer = await fetch(panel.dataset.record);
    if (!answer.ok) throw new Error(answer.statusText);
    showResults(await runChecks(await answer.json()));
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
