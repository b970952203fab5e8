// A person at a table: shows what happens at a pace one can follow, sends decisions, and comes back after any break.
import { ask, chooseSwap, confirmAction, showLastTrick } from "./play_dialogs.js";
import { cardName, drawFelt, drawMeeting, drawSheet, make, nameOf, say, words } from "./play_draw.js";
import { showMatchEnd, showRoundEnd } from "./play_end.js";
import { watchHold } from "./play_hold.js";
import { watchKeys } from "./play_keys.js";
import { dealHand, drawMoving, finishMoves } from "./play_moves.js";
import { readSettings } from "./play_settings.js";
import { playSound } from "./play_sound.js";

const root = document.getElementById("play");
const part = (id) => document.getElementById(id);
const felt = part("felt");
const POLL_MS = 15000;
const BUSY_POLL_MS = 700;
const MOST_SHOWN = 8;
const TRICK_PAUSE = 1.1; // of a card's pause: a decided trick lies still a little longer
const isTouch = matchMedia("(pointer: coarse)");
const title = document.title;
const icon = document.querySelector('link[rel="icon"]');
const plainIcon = icon.href;
let played = JSON.parse(part("table-state").textContent);
let shownTrick = null;
let shownRound = null;
let pending = Promise.resolve();
let isSending = false;
let isShowing = false;
let chosen = null;
let ahead = null;
let wasMine = false;
let clockOffset = 0;
let sheetRounds = 0;
let hurry = () => {};
let hurried = new Promise((resolve) => (hurry = resolve));

const table = () => played.table;
const round = () => table().view?.round ?? null;
const isOver = () => ["finished", "void", "quarantined"].includes(table().state);
const isMyTurn = () => table().awaited.includes(played.seat) && Boolean(round());
const isReady = () => isMyTurn() && !isSending && !isShowing;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const settings = readSettings(() => draw());
const pause = () => (document.hidden ? 0 : Number(part("pace").value));

const write = (id, text) => part(id).textContent === text || (part(id).textContent = text);

function hurryUp() {
  hurry();
  hurried = new Promise((resolve) => (hurry = resolve));
  finishMoves(felt);
}

const lastComplete = () =>
  round()?.tricks.filter((trick) => trick.winner !== null).at(-1) ?? table().view?.history.at(-1)?.tricks.filter((trick) => trick.plays.length).at(-1) ?? null;

// The cards one may touch now: those that can be played, and ahead of one's turn those that may be soon.
function listChoosable() {
  const around = round();
  if (!around || isOver() || isShowing) return [];
  if (isMyTurn() && around.phase !== "change") return isSending ? [] : played.options.cards;
  const hasBid = around.bids[played.seat] !== null || around.hand_sizes[played.seat] < 12;
  return around.phase === "bid" && hasBid ? [] : around.hand;
}

function describe(extra = {}) {
  const { view, ...facts } = table();
  return {
    ...facts,
    ...(view ?? {}),
    ...played,
    ruleset: facts.ruleset,
    places: facts.places,
    round: view?.round ?? null,
    awaited: isOver() ? [] : facts.awaited,
    choosable: new Set(listChoosable()),
    chosen: ahead ?? chosen,
    isAhead: Boolean(ahead),
    order: settings.order,
    ...extra,
  };
}

function prompt() {
  const { state } = table();
  if (state === "void") return words.withdrawn;
  if (state === "quarantined") return words.troubled;
  if (isOver()) return "";
  if (state === "held") return words.held;
  if (state === "open") {
    const away = table().seats.map((who, seat) => (who.is_here ? "" : nameOf(describe(), seat))).filter(Boolean);
    const until = new Date(table().closes_at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    return `${say("meeting", { names: away.join(", ") })} ${say("meet_until", { time: until })}`;
  }
  if (!round()) return words.dealing;
  if (!isMyTurn()) {
    const others = table().awaited.length ? table().awaited : [round().turn ?? played.seat];
    return say("thinking", { names: others.map((seat) => nameOf(describe(), seat)).join(", ") });
  }
  const { phase, trick } = round();
  if (phase === "bid") return words.your_bid;
  if (phase === "change") return words.your_change;
  if (played.options.can_stop) return words.your_stop;
  return trick.length ? words.your_play : words.your_lead;
}

function drawBar() {
  const { options } = played;
  const can = isReady();
  write("prompt", ahead ? say("decided_ahead", { card: cardName(ahead) }) : prompt());
  part("keep").hidden = !(can && options.can_keep);
  part("keep-on-label").hidden = !(can && options.can_keep) && !part("keep-on").checked;
  part("change").hidden = !(can && options.swap_gold.length);
  part("stop").hidden = !(can && options.can_stop);
  part("back").hidden = !ahead;
  const isChosen = can && chosen && options.cards.includes(chosen);
  part("chosen").hidden = !isChosen;
  if (isChosen) write("chosen", say(round().phase === "bid" ? "bid_card" : "play_card", { card: cardName(chosen) }));
  part("last").hidden = !lastComplete();
  part("resign").hidden = isOver() || table().state === "open" || table().seats[played.seat].has_forfeited;
  part("bar").classList.toggle("is-mine", can);
  root.dataset.counter = table().counter;
  root.dataset.turn = can ? round().phase : "";
  write("place", round() ? say("round", { number: round().number }) : "");
  callTurn(can && !willDecideItself());
}

// One's turn is seen in the tab and heard, once.
function callTurn(isMine) {
  document.title = isMine ? `● ${words.your_turn} · ${title}` : title;
  icon.href = isMine ? root.dataset.turnIcon : plainIcon;
  if (isMine && !wasMine) playSound("turn");
  wasMine = isMine;
}

function draw() {
  if (isShowing) return;
  const hadFocus = part("bar").contains(document.activeElement);
  const around = round() ?? shownRound;
  const cleared = shownTrick;
  shownRound = around;
  shownTrick = round()?.trick.length ? round().tricks.at(-1) : round() ? null : lastComplete();
  if (around) keepFocus(() => drawMoving(felt, () => drawFelt(felt, describe(), around, shownTrick), cleared));
  if (table().state === "open") drawMeeting(felt, describe());
  if (table().view && sheetRounds !== table().view.history.length) {
    drawSheet(part("sheet-panel").querySelector("table"), describe());
    sheetRounds = table().view.history.length;
  }
  drawBar();
  if (hadFocus && part("bar").querySelector(":focus") === null) focusTurn();
  showHint();
  if (table().state === "finished") showMatchEnd(describe(), played.places);
}

// A card that is gone takes the focus with it: it goes to the one now in its place.
function keepFocus(drawAll) {
  const code = document.activeElement?.dataset?.card;
  const list = code?.startsWith("G") ? ".gold-row [data-card]" : ".hand [data-card]";
  const cards = () => [...felt.querySelectorAll(list)];
  const order = code ? cards().indexOf(document.activeElement) : -1;
  drawAll();
  if (order < 0 || document.activeElement?.dataset?.card) return;
  (cards()[Math.min(order, cards().length - 1)] ?? felt.querySelector("[data-card]"))?.focus({ preventScroll: true });
}

// Where a keyboard goes on: the buttons of the turn, or the first card that may be played.
function focusTurn() {
  const button = [...part("choices").querySelectorAll("button")].find((choice) => !choice.hidden);
  (button ?? felt.querySelector("[data-card]:not([aria-disabled])") ?? felt.querySelector("[data-card]"))?.focus({ preventScroll: true });
}

function tell(sentence) {
  part("said").textContent = sentence;
  part("news").prepend(make("li", {}, sentence));
}

function showHint() {
  const seen = new Set(JSON.parse(sessionStorage.getItem(`hints-${table().match}`) ?? "[]"));
  const hint = isMyTurn() || isOver() ? played.hints.find(({ code }) => !seen.has(code)) : null;
  part("hint").hidden = !hint;
  if (!hint) return;
  part("hint").dataset.code = hint.code;
  part("hint").querySelector("p").textContent = hint.text;
}

part("hint").querySelector("button").addEventListener("click", () => {
  const key = `hints-${table().match}`;
  const seen = JSON.parse(sessionStorage.getItem(key) ?? "[]");
  sessionStorage.setItem(key, JSON.stringify([...seen, part("hint").dataset.code]));
  showHint();
  focusTurn();
});

async function showHappening(happening, sentence) {
  const shown = describe({ nuggets: shownNuggets, awaited: [], choosable: new Set(), chosen: ahead, why: {} });
  const trick = happening.trick ?? (happening.round.trick.length ? happening.round.tricks.at(-1) : null);
  const cleared = shownTrick;
  shownTrick = trick;
  shownRound = happening.round;
  if (pause()) keepFocus(() => drawMoving(felt, () => drawFelt(felt, shown, happening.round, trick), cleared));
  tell(sentence);
  if (pause()) playSound(happening.trick?.gold != null ? "coin" : "card");
  await Promise.race([wait(happening.trick ? pause() * TRICK_PAUSE : pause()), hurried]);
  if (!happening.result || !pause()) return;
  const words_ = { ...played.rounds[happening.round.number - 1], end: sentence };
  await showRoundEnd(shown, happening, words_, pause() / 800);
  shownTrick = null;
}

let shownNuggets = table().view?.nuggets ?? null;

// What happened is shown one after the other; the newest state is drawn at the end.
async function show(next) {
  const before = played;
  const isOld = next.table.counter < before.table.counter && !["finished", "void"].includes(next.table.state);
  if (isOld) return;
  clockOffset = Date.parse(next.now) - Date.now();
  const isNews = next.table.counter > before.table.counter || next.table.state !== before.table.state;
  const news = isNews ? next.table.happenings.map((happening, order) => [happening, next.said[order]]) : [];
  played = next;
  if (next.table.counter !== before.table.counter) chosen = null;
  if (next.table.view?.round?.number !== before.table.view?.round?.number) ahead = null;
  shownNuggets ??= next.table.view?.nuggets ?? null;
  const late = Math.max(0, news.length - MOST_SHOWN);
  isShowing = news.length > 0;
  if (isShowing) drawBar();
  for (const [, sentence] of news.slice(0, late)) tell(sentence);
  for (const [happening, sentence] of news.slice(late)) await showHappening(happening, sentence);
  isShowing = false;
  shownNuggets = next.table.view?.nuggets ?? shownNuggets;
  const isDealt = round()?.phase === "bid" && round().number !== before.table.view?.round?.number;
  draw();
  if (isDealt) dealHand(felt);
  decideAhead();
}

const whenReleased = watchHold(felt);
const receive = (next) => (pending = pending.then(whenReleased).then(() => show(next)).catch((error) => console.error(error)));

async function refresh() {
  await pending;
  try {
    const answer = await fetch(`${root.dataset.stateUrl}?since=${table().counter}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.statusText);
    root.classList.remove("is-lost");
    await receive(await answer.json());
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
    const body = new URLSearchParams({ counter: table().counter, ...fields });
    const answer = await fetch(url, { method: "POST", body, headers: { "X-CSRFToken": root.dataset.token, Accept: "application/json" } });
    const said = await answer.json();
    if (answer.ok) next = said;
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
  const { counter } = table();
  if (!(await confirmAction(action, describe())) || counter !== table().counter) return;
  await send(root.dataset.decideUrl, { action });
}

const onlyCard = () =>
  part("only-card").checked && round()?.phase === "play" && played.options.cards.length === 1 && !played.options.can_stop && !played.options.cards[0].startsWith("G")
    ? played.options.cards[0]
    : null;
const willDecideItself = () => Boolean(ahead) || (round()?.phase === "change" && part("keep-on").checked) || onlyCard() !== null;

// What was decided ahead of one's turn is done as soon as the turn comes, or given back where it is no longer possible.
function decideAhead() {
  if (!isReady()) return;
  const { phase } = round();
  if (phase === "change" && (ahead || part("keep-on").checked)) {
    decide("keep");
    return;
  }
  const card = ahead ?? onlyCard();
  if (!card || phase === "change") return;
  ahead = null;
  if (played.options.cards.includes(card)) decide(`${phase} ${card}`);
  else {
    refuse(say("ahead_gone", { card: cardName(card) }));
    draw();
  }
}

function pickCard(code, isSure) {
  if (!code) return;
  const isLegal = isMyTurn() && played.options.cards.includes(code);
  if (!isLegal && !listChoosable().includes(code)) {
    if (played.why[code]) refuse(played.why[code]);
    return;
  }
  part("refused").hidden = true;
  if (isLegal) {
    if (!isSure && isTouch.matches && chosen !== code && !code.startsWith("G")) {
      chosen = code;
      draw();
    } else decide(`${round().phase === "bid" ? "bid" : "play"} ${code}`);
    return;
  }
  ahead = ahead === code ? null : code;
  draw();
  decideAhead();
}

function takeBack() {
  ahead = null;
  draw();
}

async function changeBid() {
  const action = await chooseSwap(describe());
  if (action) await send(root.dataset.decideUrl, { action });
}

const lookAtLast = () => lastComplete() && showLastTrick(describe(), lastComplete());

felt.addEventListener("click", (event) => {
  if (isShowing) hurryUp();
  const card = event.target.closest("[data-card]");
  if (card) pickCard(card.dataset.card, event.detail === 0);
});
felt.addEventListener("dragstart", (event) => {
  const card = event.target.closest?.("[data-card]");
  if (card) event.dataTransfer.setData("text/plain", card.dataset.card);
});
felt.addEventListener("dragover", (event) => {
  if (event.target.closest(".trick, .seat[data-at='bottom']")) event.preventDefault();
});
felt.addEventListener("drop", (event) => {
  event.preventDefault();
  pickCard(event.dataTransfer.getData("text/plain"), true);
});
part("chosen").addEventListener("click", () => pickCard(chosen, true));
part("keep").addEventListener("click", () => decide("keep"));
part("keep-on").addEventListener("change", () => {
  drawBar();
  decideAhead();
});
part("back").addEventListener("click", takeBack);
part("stop").addEventListener("click", () => decide("stop"));
part("change").addEventListener("click", changeBid);
part("last").addEventListener("click", lookAtLast);
part("resign").addEventListener("click", async () => {
  if (await ask(say("resign"), say("resign_cost"))) await send(root.dataset.resignUrl, {});
});

function showClock() {
  const { deadline, awaited } = table();
  for (const line of root.querySelectorAll("[data-clock]")) {
    const isRunning = deadline && awaited.includes(Number(line.dataset.clock));
    const seconds = isRunning ? Math.max(0, Math.round((Date.parse(deadline) - Date.now() - clockOffset) / 1000)) : 0;
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    line.textContent = isRunning ? say("time_left", { time: parts.map((number) => String(number).padStart(2, "0")).join(":") }) : "";
    line.closest(".seat")?.classList.toggle("is-short", Boolean(isRunning) && seconds < 60);
  }
}

function follow() {
  const source = new EventSource(root.dataset.liveUrl);
  source.onmessage = (event) => {
    const { version } = JSON.parse(event.data);
    if (version === undefined || version > table().counter || table().state !== "waiting") refresh();
  };
  source.onerror = () => root.classList.add("is-lost");
  source.onopen = () => root.classList.remove("is-lost");
  setInterval(() => {
    if (isOver()) source.close();
  }, POLL_MS);
}

async function keepUp() {
  while (!isOver()) {
    if (table().state === "open") await send(root.dataset.sitUrl, {});
    const isBusy = ["ready", "playing"].includes(table().state) || root.classList.contains("is-lost");
    await wait(isBusy ? BUSY_POLL_MS : POLL_MS);
    if (table().state !== "open") await refresh();
  }
}

watchKeys({ felt, keep: part("keep"), change: part("change"), stop: part("stop"), lookAtLast, takeBack });
clockOffset = Date.parse(played.now) - Date.now();
draw();
if (!isOver()) {
  follow();
  keepUp();
  setInterval(showClock, 1000);
}
