// A person at a table: shows what happens at a pace one can follow, sends decisions, and comes back after any break.
import { keepHints } from "./play_hint.js";
import { watchHold } from "./play_hold.js";
import { watchKeys } from "./play_keys.js";
import { openLink } from "./play_link.js";
import { playSound, readSettings } from "./play_settings.js";
import { canTakeBidBack, findOnlyCard, hasDecided, isAskedBack, isAwaited, isOver, listChoosable, sayTurn } from "./play_turn.js";
import { showClocks } from "./table_clock.js";
import { cardName, drawFelt, drawMeeting, drawSheet, make, say, words } from "./table_draw.js";
import { drawMoving, finishMoves, settle } from "./table_moves.js";

// Not before a round has ended: the first cards come sooner without it.
const loadEnd = () => import("./play_end.js");
const loadQuestions = () => import("./play_dialogs.js");

const root = document.querySelector(".table-screen");
const part = (id) => document.getElementById(id);
const felt = part("felt");
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
const isReady = () => isAwaited(played) && !link.isSending() && !isShowing;
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

const choosable = () => (isShowing ? [] : listChoosable(played, link.isSending()));

function describe(extra = {}) {
  const { view, ...facts } = table();
  return {
    ...facts,
    ...(view ?? {}),
    ...played,
    ruleset: facts.ruleset,
    places: facts.places,
    round: view?.round ?? null,
    awaited: isOver(played) ? [] : facts.awaited,
    choosable: new Set(choosable()),
    chosen: ahead ?? chosen,
    isAhead: Boolean(ahead),
    order: settings.order,
    ...extra,
  };
}

function sayNow() {
  if (link.isLost()) return link.kept() ? say("kept", { action: sayAction(link.kept()) }) : words.lost;
  return ahead ? say("decided_ahead", { card: cardName(ahead) }) : sayTurn(played, describe());
}

const sayAction = (action) => (/^(bid|play) /.test(action) ? cardName(action.split(" ")[1]) : action === "keep" ? words.keep : words.swap);

function drawBar() {
  const { options } = played;
  const can = isReady();
  write("prompt", sayNow());
  part("keep").hidden = !(can && options.can_keep);
  part("keep-on-label").hidden = !(can && options.can_keep) && !part("keep-on").checked;
  part("change").hidden = !(can && options.swap_gold.length);
  part("stop").hidden = !(can && options.can_stop);
  const isAsking = table().asks_back?.seat === played.seat;
  part("back").hidden = !ahead && !link.kept() && !canTakeBidBack(played) && !isAsking;
  for (const id of ["allow-back", "refuse-back"]) part(id).hidden = isShowing || !isAskedBack(played);
  if (part("ask-back")) part("ask-back").hidden = Boolean(table().asks_back) || !hasDecided(played);
  const isChosen = can && chosen && options.cards.includes(chosen);
  part("chosen").hidden = !isChosen;
  if (isChosen) write("chosen", say(round().phase === "bid" ? "bid_card" : "play_card", { card: cardName(chosen) }));
  part("last").hidden = !lastComplete();
  part("resign").hidden = isOver(played) || table().state === "open" || table().seats[played.seat].has_forfeited;
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

function draw({ isDeal = false } = {}) {
  if (isShowing) return;
  const hadFocus = part("bar").contains(document.activeElement);
  const around = round() ?? shownRound;
  const cleared = shownTrick;
  shownRound = around;
  shownTrick = round()?.trick.length ? round().tricks.at(-1) : round() ? null : lastComplete();
  if (around) keepFocus(() => drawMoving(felt, () => drawFelt(felt, describe(), around, shownTrick), { trick: cleared, isDeal }));
  if (table().state === "open") drawMeeting(felt, describe());
  if (table().view && sheetRounds !== table().view.history.length) {
    drawSheet(part("sheet-panel").querySelector("table"), describe());
    sheetRounds = table().view.history.length;
  }
  drawBar();
  if (hadFocus && part("bar").querySelector(":focus") === null) focusTurn();
  hints.show();
  if (table().state === "finished") loadEnd().then((end) => end.showMatchEnd(describe(), played.places));
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

async function showHappening(happening, sentence) {
  const shown = describe({ nuggets: shownNuggets, awaited: [], choosable: null });
  const trick = happening.trick ?? (happening.round.trick.length ? happening.round.tricks.at(-1) : null);
  const cleared = shownTrick;
  shownTrick = trick;
  shownRound = happening.round;
  if (pause()) keepFocus(() => drawMoving(felt, () => drawFelt(felt, shown, happening.round, trick), { trick: cleared }));
  tell(sentence);
  if (pause()) playSound(happening.trick?.gold != null ? "coin" : "card");
  await Promise.race([wait(happening.trick ? pause() * TRICK_PAUSE : pause()), hurried]);
  if (!happening.result || !pause()) return;
  const words_ = { ...played.rounds[happening.round.number - 1], end: sentence };
  await (await loadEnd()).showRoundEnd(shown, happening, words_, pause() / 800);
  shownTrick = null;
}

let shownNuggets = table().view?.nuggets ?? null;

// What happened is shown one after the other; the newest state is drawn at the end.
async function show(next) {
  const before = played;
  const isBack = next.table.taken_back > before.table.taken_back;
  const isOld = next.table.taken_back < before.table.taken_back || (next.table.counter < before.table.counter && !isBack);
  if (isOld && !["finished", "void"].includes(next.table.state)) return;
  clockOffset = Date.parse(next.now) - Date.now();
  const isNews = !isBack && (next.table.counter > before.table.counter || next.table.state !== before.table.state);
  const news = isNews ? next.table.happenings.map((happening, order) => [happening, next.said[order]]) : [];
  played = next;
  if (next.table.counter !== before.table.counter) chosen = null;
  if (isBack) {
    ahead = null;
    tell(words.taken_back);
  }
  if (next.table.view?.round?.number !== before.table.view?.round?.number) ahead = null;
  shownNuggets ??= next.table.view?.nuggets ?? null;
  const late = Math.max(0, news.length - MOST_SHOWN);
  isShowing = news.length > 0;
  if (isShowing) {
    drawBar();
    await settle();
  }
  for (const [, sentence] of news.slice(0, late)) tell(sentence);
  for (const [happening, sentence] of news.slice(late)) await showHappening(happening, sentence);
  isShowing = false;
  shownNuggets = next.table.view?.nuggets ?? shownNuggets;
  draw({ isDeal: round()?.phase === "bid" && round().number !== before.table.view?.round?.number });
  decideAhead();
}

const whenReleased = watchHold(felt);
const receive = (next) => (pending = pending.then(whenReleased).then(() => show(next)).catch((error) => console.error(error)));

let company = null;
const link = openLink({
  root,
  table,
  isOver: () => isOver(played),
  settled: () => pending,
  receive,
  refuse,
  onSending() {
    part("refused").hidden = true;
    drawBar();
  },
  onLost(isLost) {
    root.classList.toggle("is-lost", isLost);
    drawBar();
  },
  onNote(note) {
    company?.hear(note);
    if (note.again && isOver(played)) loadEnd().then((end) => end.showAfter(0));
  },
});

function refuse(sentence) {
  part("refused").textContent = sentence;
  part("refused").hidden = false;
}

async function decide(action) {
  if (link.isSending() || !isAwaited(played)) return;
  const { counter } = table();
  const { confirmAction } = await loadQuestions();
  if (!(await confirmAction(action, describe())) || counter !== table().counter) return;
  await link.send(root.dataset.decideUrl, { action });
}

const onlyCard = () => (part("only-card").checked ? findOnlyCard(played) : null);
// A change that could gain nothing now is no question, unless one wants to be asked before every trick.
const keepsBids = () => part("keep-on").checked || (!played.options.could_gain && !part("ask-always").checked);
const willDecideItself = () => Boolean(ahead) || (round()?.phase === "change" && keepsBids()) || onlyCard() !== null;

// What was decided ahead of one's turn is done as soon as the turn comes, or given back where it is no longer possible.
function decideAhead() {
  if (!isReady()) return;
  const { phase } = round();
  if (phase === "change" && (ahead || keepsBids())) {
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
  const isLegal = isAwaited(played) && played.options.cards.includes(code);
  if (!isLegal && !choosable().includes(code)) {
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

// What was decided ahead or waits for the connection is forgotten; a bid that lies face down comes back to the hand.
function takeBack() {
  const wasAhead = ahead !== null || link.kept() !== null;
  ahead = null;
  link.forget();
  if (wasAhead) draw();
  else if (table().asks_back?.seat === played.seat) sendBack("refuse");
  else if (canTakeBidBack(played)) sendBack("bid");
}

const sendBack = (deed) => link.send(root.dataset.backUrl, { do: deed });
const askBack = () => part("ask-back")?.hidden === false && sendBack("ask");

async function changeBid() {
  const action = await (await loadQuestions()).chooseSwap(describe());
  if (action) await link.send(root.dataset.decideUrl, { action });
}

const listGuided = () => (isAwaited(played) || isOver(played) ? played.hints : []);
const hints = keepHints({ root, table, listGuided, isReady, focusTurn, refuse });
const lookAtLast = async () => lastComplete() && (await loadQuestions()).showLastTrick(describe(), lastComplete());

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
part("ask-back")?.addEventListener("click", askBack);
part("allow-back").addEventListener("click", () => sendBack("allow"));
part("refuse-back").addEventListener("click", () => sendBack("refuse"));
part("stop").addEventListener("click", () => decide("stop"));
part("change").addEventListener("click", changeBid);
part("last").addEventListener("click", lookAtLast);
part("resign").addEventListener("click", async () => {
  const { ask } = await loadQuestions();
  if (await ask(say("resign"), say("resign_cost"))) await link.send(root.dataset.resignUrl, {});
});

watchKeys({ felt, keep: part("keep"), change: part("change"), stop: part("stop"), lookAtLast, takeBack, askBack, askHint: hints.ask });
clockOffset = Date.parse(played.now) - Date.now();
draw();
// After the cards are there; without it the table plays on.
const keepCompany = () => import("./play_company.js").then((their) => (company = their.keepCompany({ shown: () => describe(), tell, refuse })), () => {});
setTimeout(keepCompany, 1000);
if (!isOver(played)) {
  const tick = () => showClocks(root, table(), clockOffset);
  link.start();
  tick();
  setInterval(tick, 1000);
}
