// A person at a table: shows what happens at a pace one can follow, sends decisions, and comes back after any break.
import { ask, chooseSwap, confirmAction, showLastTrick } from "./play_dialogs.js";
import { cardName, drawFelt, drawMeeting, drawSheet, make, nameOf, say, words } from "./play_draw.js";
import { watchHold } from "./play_hold.js";
import { watchKeys } from "./play_keys.js";

const root = document.getElementById("play");
const part = (id) => document.getElementById(id);
const POLL_MS = 15000;
const BUSY_POLL_MS = 700;
const isTouch = matchMedia("(pointer: coarse)");
// What the server tells (games/pages/played_table.schema.json), as this page draws it.
function read(played) {
  const { table } = played;
  const said = (happening, order) => ({
    said: played.said[order],
    seen: happening.round,
    last_trick: happening.trick,
    ends_round: happening.result !== null,
  });
  return {
    ...table,
    ...(table.view ?? {}),
    ...played,
    seats: table.seats.map((seat) => ({ ...seat, name: seat.player })),
    happenings: table.happenings.map(said),
    rounds: table.view?.history.map((done, order) => ({
      ...done,
      decision: played.rounds[order].decision,
      scores: done.scores.map((score, side) => ({ ...score, how: played.rounds[order].how[side] })),
      last_trick: done.tricks.at(-1) ?? null,
    })),
  };
}

let state = read(JSON.parse(part("table-state").textContent));
let shownTrick = null;
let shownRound = null;
let pending = Promise.resolve();
let isSending = false;
let chosen = null;
let clockOffset = 0;

const readSetting = (name, otherwise) => localStorage.getItem(`play-${name}`) ?? otherwise;
const isOver = () => ["finished", "void", "quarantined"].includes(state.state);
const isMyTurn = () => state.awaited.includes(state.seat) && Boolean(state.round);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The trick that lies on the table, or the last one while the next has no card.
const lastPlayed = (round) => round?.tricks.filter((trick) => trick.plays.length).at(-1) ?? null;
const lastComplete = () =>
  state.round?.tricks.filter((trick) => trick.winner !== null).at(-1) ?? state.rounds?.at(-1)?.last_trick ?? null;

// Drawing anew takes the focus away: it goes back to the card, or to the one now in its place.
function keepFocus(draw) {
  const code = document.activeElement?.dataset?.card;
  const list = code?.startsWith("G") ? ".gold-row [data-card]" : ".hand [data-card]";
  const cards = () => [...part("felt").querySelectorAll(list)];
  const order = code ? cards().indexOf(document.activeElement) : -1;
  draw();
  if (order < 0) return;
  const again = cards().find((card) => card.dataset.card === code) ?? cards()[Math.min(order, cards().length - 1)];
  (again ?? part("felt").querySelector("[data-card]"))?.focus({ preventScroll: true });
}

function prompt() {
  if (state.state === "void") return words.withdrawn;
  if (state.state === "quarantined") return words.troubled;
  if (isOver()) return "";
  if (state.state === "held") return words.held;
  if (state.state === "open") {
    const away = state.seats.map((who, seat) => (who.is_here ? "" : nameOf(state, seat))).filter(Boolean);
    const until = new Date(state.closes_at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    return `${say("meeting", { names: away.join(", ") })} ${say("meet_until", { time: until })}`;
  }
  if (!state.round) return words.dealing;
  if (!isMyTurn()) {
    const others = state.awaited.length ? state.awaited : [state.round.turn ?? state.seat];
    return say("thinking", { names: others.map((seat) => nameOf(state, seat)).join(", ") });
  }
  const { phase, trick } = state.round;
  if (phase === "bid") return words.your_bid;
  if (phase === "change") return words.your_change;
  if (state.options.can_stop) return words.your_stop;
  return trick.length ? words.your_play : words.your_lead;
}

function drawBar() {
  const isReady = isMyTurn() && !isSending;
  part("prompt").textContent = prompt();
  part("keep").hidden = !(isReady && state.options.can_keep);
  part("change").hidden = !(isReady && state.options.swap_gold.length);
  part("stop").hidden = !(isReady && state.options.can_stop);
  const isChosen = isReady && chosen && state.options.cards.includes(chosen);
  part("chosen").hidden = !isChosen;
  if (isChosen) part("chosen").textContent = say(state.round.phase === "bid" ? "bid_card" : "play_card", { card: cardName(chosen) });
  part("last").hidden = !lastComplete();
  part("resign").hidden = isOver() || state.state === "open" || state.seats[state.seat].has_forfeited;
  part("bar").classList.toggle("is-mine", isReady);
  part("bar").hidden = state.state === "finished";
  root.dataset.counter = state.counter;
  root.dataset.turn = isReady ? state.round.phase : "";
}

function draw() {
  const hadFocus = part("bar").contains(document.activeElement);
  shownRound = state.round ?? shownRound;
  shownTrick = state.round ? (lastPlayed(state.round) ?? (state.round.phase === "bid" ? null : shownTrick)) : lastComplete();
  if (shownRound) {
    const isReady = isMyTurn() && !isSending;
    keepFocus(() => drawFelt(part("felt"), { ...state, isReady, awaited: isOver() ? [] : state.awaited }, shownRound, shownTrick));
    for (const card of part("felt").querySelectorAll("[data-card]")) {
      if (card.dataset.card === chosen) card.setAttribute("aria-pressed", "true");
    }
  }
  if (state.state === "open") drawMeeting(part("felt"), state);
  if (state.rounds) drawSheet(part("sheet-panel").querySelector("table"), state);
  drawBar();
  if (hadFocus && part("bar").querySelector(":focus") === null) focusTurn();
  showHint();
  if (state.state === "finished") drawEnd();
}

// Where a keyboard goes on: the buttons of the turn, or the first card that may be played.
function focusTurn() {
  const button = [...part("choices").children].find((choice) => !choice.hidden);
  (button ?? part("felt").querySelector("[data-card]:not([aria-disabled])") ?? part("felt").querySelector("[data-card]"))?.focus({ preventScroll: true });
}

function drawEnd() {
  if (!part("over").hidden) return;
  const own = state.places[state.seats[state.seat].side];
  const isShared = state.places.filter((place) => place === 1).length > 1;
  const hasForfeited = state.forfeits.includes(state.seat);
  part("over-title").textContent = own === 1 && !hasForfeited ? (isShared ? words.shared : words.won) : say("ended", { place: own });
  const rows = state.places.map((place, side) => [place, state.seats.map((who, seat) => (who.side === side ? nameOf(state, seat) : "")).filter(Boolean).join(" & ")]);
  rows.sort((one, other) => one[0] - other[0]);
  part("places").replaceChildren(...rows.map(([place, name]) => make("li", { value: place }, name)));
  part("over").hidden = false;
  part("sheet-panel").open = true;
  part("over").focus();
}

function tell(sentence) {
  part("said").textContent = sentence;
  part("news").prepend(make("li", {}, sentence));
}

function showHint() {
  const seen = new Set(JSON.parse(sessionStorage.getItem(`hints-${state.match}`) ?? "[]"));
  const hint = isMyTurn() || isOver() ? state.hints?.find(({ code }) => !seen.has(code)) : null;
  part("hint").hidden = !hint;
  if (!hint) return;
  part("hint").dataset.code = hint.code;
  part("hint").querySelector("p").textContent = hint.text;
}

part("hint").querySelector("button").addEventListener("click", () => {
  const key = `hints-${state.match}`;
  const seen = JSON.parse(sessionStorage.getItem(key) ?? "[]");
  sessionStorage.setItem(key, JSON.stringify([...seen, part("hint").dataset.code]));
  showHint();
  focusTurn();
});

// What happened is shown one after the other; the newest state is drawn at the end.
async function show(next) {
  if (next.counter < state.counter && !["finished", "void"].includes(next.state)) return;
  clockOffset = Date.parse(next.now) - Date.now();
  const news = next.counter > state.counter || next.state !== state.state ? next.happenings : [];
  const previous = state;
  state = next;
  const shown = { ...previous, ...next, nuggets: previous.nuggets ?? next.nuggets, awaited: [], options: { cards: [] }, why: {}, isReady: false };
  for (const happening of news) {
    const round = happening.seen;
    const trick = happening.last_trick ?? happening.seen.tricks?.at(-1) ?? null;
    const pause = document.hidden ? 0 : Number(part("pace").value);
    if (round && pause) keepFocus(() => drawFelt(part("felt"), shown, round, trick));
    tell(happening.said);
    shownRound = happening.seen;
    if (pause) await wait(happening.ends_round ? pause * 2.5 : pause);
  }
  if (next.counter !== previous.counter) chosen = null;
  draw();
}

const whenReleased = watchHold(part("felt"));
const receive = (next) => (pending = pending.then(whenReleased).then(() => show(next)).catch((error) => console.error(error)));

async function refresh() {
  await pending;
  try {
    const answer = await fetch(`${root.dataset.stateUrl}?since=${state.counter}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.statusText);
    root.classList.remove("is-lost");
    await receive(read(await answer.json()));
  } catch {
    root.classList.add("is-lost");
    part("prompt").textContent = words.lost;
  }
}

async function send(url, fields) {
  if (isSending) return;
  isSending = true;
  part("refused").hidden = true;
  drawBar();
  let next = null;
  try {
    const body = new URLSearchParams({ counter: state.counter, ...fields });
    const answer = await fetch(url, { method: "POST", body, headers: { "X-CSRFToken": root.dataset.token, Accept: "application/json" } });
    const said = await answer.json();
    if (answer.ok) next = read(said);
    else refuse(said.message);
  } catch {
    refuse(words.failed);
  }
  isSending = false;
  await (next ? receive(next) : refresh());
}

function refuse(sentence) {
  part("refused").textContent = sentence;
  part("refused").hidden = false;
}

async function decide(action) {
  if (isSending || !isMyTurn()) return;
  const { counter } = state;
  if (!(await confirmAction(action, state)) || counter !== state.counter) return;
  await send(root.dataset.decideUrl, { action });
}

function pickCard(code, isSure) {
  if (!isMyTurn() || !state.options.cards.includes(code)) {
    if (state.why?.[code]) refuse(state.why[code]);
    return;
  }
  part("refused").hidden = true;
  if (!isSure && isTouch.matches && chosen !== code && !code.startsWith("G")) {
    chosen = code;
    draw();
    return;
  }
  decide(`${state.round.phase === "bid" ? "bid" : "play"} ${code}`);
}

async function changeBid() {
  const action = await chooseSwap(state);
  if (action) await send(root.dataset.decideUrl, { action });
}

const lookAtLast = () => lastComplete() && showLastTrick(state, lastComplete());

part("felt").addEventListener("click", (event) => {
  const card = event.target.closest("[data-card]");
  if (card) pickCard(card.dataset.card, event.detail === 0);
});
part("felt").addEventListener("dragstart", (event) => {
  const card = event.target.closest?.("[data-card]");
  if (card) event.dataTransfer.setData("text/plain", card.dataset.card);
});
part("felt").addEventListener("dragover", (event) => {
  if (event.target.closest(".trick, .seat[data-at='bottom']")) event.preventDefault();
});
part("felt").addEventListener("drop", (event) => {
  event.preventDefault();
  pickCard(event.dataTransfer.getData("text/plain"), true);
});
part("chosen").addEventListener("click", () => pickCard(chosen, true));
part("keep").addEventListener("click", () => decide("keep"));
part("stop").addEventListener("click", () => decide("stop"));
part("change").addEventListener("click", changeBid);
part("last").addEventListener("click", lookAtLast);
part("resign").addEventListener("click", async () => {
  if (await ask(say("resign"), say("resign_cost"))) await send(root.dataset.resignUrl, {});
});

part("pace").value = readSetting("pace", "800");
part("motion").checked = readSetting("motion", "on") === "on";
const applyMotion = () => root.classList.toggle("is-still", !part("motion").checked);
part("pace").addEventListener("change", () => localStorage.setItem("play-pace", part("pace").value));
part("motion").addEventListener("change", () => {
  localStorage.setItem("play-motion", part("motion").checked ? "on" : "off");
  applyMotion();
});
applyMotion();

function showClock() {
  for (const line of root.querySelectorAll("[data-clock]")) {
    const isRunning = state.deadline && state.awaited.includes(Number(line.dataset.clock));
    const seconds = isRunning ? Math.max(0, Math.round((Date.parse(state.deadline) - Date.now() - clockOffset) / 1000)) : 0;
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    line.textContent = isRunning ? say("time_left", { time: parts.map((number) => String(number).padStart(2, "0")).join(":") }) : "";
  }
}

function follow() {
  const source = new EventSource(root.dataset.liveUrl);
  source.onmessage = (event) => {
    const { version } = JSON.parse(event.data);
    if (version === undefined || version > state.counter || state.state !== "waiting") refresh();
  };
  source.onerror = () => root.classList.add("is-lost");
  source.onopen = () => root.classList.remove("is-lost");
  setInterval(() => {
    if (isOver()) source.close();
  }, POLL_MS);
}

async function keepUp() {
  while (!isOver()) {
    if (state.state === "open") await send(root.dataset.sitUrl, {});
    const isBusy = ["ready", "playing"].includes(state.state) || root.classList.contains("is-lost");
    await wait(isBusy ? BUSY_POLL_MS : POLL_MS);
    if (state.state !== "open") await refresh();
  }
}

watchKeys({ felt: part("felt"), keep: part("keep"), change: part("change"), stop: part("stop"), lookAtLast });
clockOffset = Date.parse(state.now) - Date.now();
draw();
if (!isOver()) {
  follow();
  keepUp();
  setInterval(showClock, 1000);
}
