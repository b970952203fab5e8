// The line to the server: asks for the table, sends decisions, follows the stream; a decision made while there is no
// connection is kept and sent by itself once it is back. The server counts, so that nothing is ever done twice.
const POLL_MS = 15000;
const BUSY_POLL_MS = 700;
const AFTERWARDS_MS = 600000; // Who asks to play again is heard for so long.

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export function openLink({ root, table, isOver, settled, receive, refuse, onSending, onLost, onNote }) {
  const key = `kept-${table().match}`;
  let isSending = false;
  let isLost = false;

  function lose(isNow) {
    if (isLost === isNow) return;
    isLost = isNow;
    onLost(isNow);
  }

  const readKept = () => JSON.parse(sessionStorage.getItem(key) ?? "null");

  async function refresh() {
    await settled();
    try {
      const answer = await fetch(`${root.dataset.stateUrl}?since=${table().counter}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(answer.statusText);
      lose(false);
      await receive(await answer.json());
      await sendKept();
    } catch {
      lose(true);
    }
  }

  async function sendKept() {
    const kept = readKept();
    if (!kept || isSending) return;
    sessionStorage.removeItem(key);
    if (kept.fields.counter === table().counter) await send(kept.url, kept.fields);
  }

  async function send(url, fields) {
    if (isSending) return;
    isSending = true;
    onSending();
    const body = { counter: table().counter, ...fields };
    let next = null;
    try {
      const answer = await fetch(url, { method: "POST", body: new URLSearchParams(body), headers: { "X-CSRFToken": root.dataset.token, Accept: "application/json" } });
      const said = await answer.json();
      if (answer.ok) next = said;
      else refuse(said.message);
    } catch {
      if (body.action) sessionStorage.setItem(key, JSON.stringify({ url, fields: body }));
      lose(true);
    }
    isSending = false;
    await (next ? receive(next) : refresh());
  }

  function forget() {
    sessionStorage.removeItem(key);
  }

  function follow() {
    const source = new EventSource(root.dataset.liveUrl);
    source.onmessage = (event) => {
      const note = JSON.parse(event.data);
      onNote(note);
      const isNews = note.version === undefined ? note.talk === undefined && note.again === undefined : note.version > table().counter;
      // Whoever asks to take something back leaves the counter as it is, and takes it back by letting it fall.
      if (isNews || note.back !== undefined || table().state !== "waiting") refresh();
    };
    source.onerror = () => navigator.onLine || lose(true);
    source.onopen = () => isLost && refresh();
    const watch = setInterval(() => {
      if (!isOver()) return;
      clearInterval(watch);
      setTimeout(() => source.close(), AFTERWARDS_MS);
    }, POLL_MS);
  }

  async function keepUp() {
    while (!isOver()) {
      if (table().state === "open") await send(root.dataset.sitUrl, {});
      const isBusy = ["ready", "playing"].includes(table().state) || isLost;
      await wait(isBusy ? BUSY_POLL_MS : POLL_MS);
      if (table().state !== "open") await refresh();
    }
  }

  addEventListener("online", refresh);
  addEventListener("offline", () => lose(true));
  return {
    send,
    forget,
    start() {
      follow();
      keepUp();
      if (readKept()) refresh();
    },
    isSending: () => isSending,
    isLost: () => isLost,
    kept: () => readKept()?.fields.action ?? null,
  };
}
