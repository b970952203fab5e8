// Hints: those of the guided match, each once when it first matters, and the champion's when one asks for it.
const part = (id) => document.getElementById(id);

export function keepHints({ root, table, listGuided, isReady, focusTurn, refuse }) {
  const box = part("hint");
  const button = part("ask-hint");
  const key = `hints-${table().match}`;
  const readSeen = () => JSON.parse(sessionStorage.getItem(key) ?? "[]");
  let champions = null;

  function write(code, text) {
    box.dataset.code = code;
    box.querySelector("p").textContent = text;
    box.hidden = false;
  }

  // The champion's hint stands until the table moves on; a guided one until it was read.
  function show() {
    if (button) button.hidden = !isReady();
    if (champions && champions.counter === table().counter) return write("", champions.sentence);
    champions = null;
    const seen = new Set(readSeen());
    const guided = listGuided().find(({ code }) => !seen.has(code));
    if (guided) write(guided.code, guided.text);
    else box.hidden = true;
  }

  box.querySelector("button").addEventListener("click", () => {
    if (box.dataset.code) sessionStorage.setItem(key, JSON.stringify([...readSeen(), box.dataset.code]));
    champions = null;
    show();
    focusTurn();
  });

  async function ask() {
    const { counter } = table();
    const headers = { "X-CSRFToken": root.dataset.token, Accept: "application/json" };
    const answer = await fetch(root.dataset.hintUrl, { method: "POST", headers }).catch(() => null);
    if (!answer) return;
    const told = await answer.json();
    if (!answer.ok) return refuse(told.message);
    champions = { counter, sentence: told.sentence };
    show();
  }

  button?.addEventListener("click", ask);
  return { show, ask: () => button && !button.hidden && ask() };
}
