// The fairness page: computes everything again from a match, a tournament, or what was pasted.
import { findKept } from "./chance.js";
import { checkAll, readItems } from "./fairness_checks.js";

const form = document.getElementById("check-form");
const list = form.querySelector("[data-results]");
const verdict = form.querySelector(".verdict");
const words = Object.fromEntries(Array.from(form.querySelectorAll("[data-word]"), (one) => [one.dataset.word, one.textContent]));

async function fetchItem(asked) {
  const isMatch = /^[0-9]+$/.test(asked);
  const address = (isMatch ? form.dataset.record : form.dataset.chance).replace(isMatch ? "1729" : "slug", asked);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(words.not_found);
  return answer.json();
}

function show(checks) {
  list.replaceChildren(...checks.map(({ code, holds, about }) => {
    const line = document.createElement("li");
    line.append(about === undefined ? words[code] : words[code].replace("*", about), " ");
    if (holds !== undefined) {
      const mark = document.createElement("span");
      mark.className = `badge badge-${holds ? "success" : "error"}`;
      mark.textContent = holds ? words.passed : words.failed;
      line.append(mark);
    }
    return line;
  }));
  const counted = checks.filter(({ holds }) => holds !== undefined);
  const isFair = counted.length > 0 && counted.every(({ holds }) => holds);
  verdict.dataset.fair = isFair;
  verdict.textContent = counted.length ? (isFair ? words.fair : words.unfair) : words.nothing;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = form.elements.asked.value.trim();
  try {
    if (!globalThis.crypto?.subtle) throw new Error(words.impossible);
    const pasted = form.elements.pasted.value.trim() ? readItems(form.elements.pasted.value) : [];
    const items = asked ? [...pasted, await fetchItem(asked)] : pasted;
    show(await checkAll(items, findKept));
  } catch (error) {
    list.replaceChildren();
    delete verdict.dataset.fair;
    verdict.textContent = error instanceof SyntaxError || error instanceof TypeError ? words.unreadable : error.message;
  }
});
form.hidden = false;
