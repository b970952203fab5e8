// A running match as everybody sees it: what happens is shown one after the other, at a pace one can follow.
import { keepCompany } from "./play_company.js";
import { showClocks } from "./table_clock.js";
import { drawFelt } from "./table_draw.js";
import { drawMoving } from "./table_moves.js";

const POLL_MS = 15000;
const STEP_MS = 800;
const MOST_SHOWN = 8;
const root = document.querySelector(".table-screen");
const part = (id) => document.getElementById(id);
const felt = part("felt");
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let watched = JSON.parse(part("table-state").textContent);
let shownTrick = null;
let pending = Promise.resolve();

const isRunning = ({ table }) => ["playing", "waiting", "ready", "held"].includes(table.state);

function describe(awaited) {
  const { seats, view } = watched.table;
  return { seats, seat: null, bottom: 0, nuggets: view.nuggets, awaited, choosable: new Set(), chosen: null, why: {}, order: "suit" };
}

function draw(round, trick, awaited) {
  const cleared = shownTrick;
  shownTrick = trick;
  drawMoving(felt, () => drawFelt(felt, describe(awaited), round, trick), { trick: cleared });
}

async function show(next) {
  const isBack = next.table.taken_back > watched.table.taken_back;
  if (next.table.counter < watched.table.counter && !isBack) return;
  if (!isRunning(next) || !next.table.view) return location.reload();
  const news = !isBack && next.table.counter > watched.table.counter ? next.table.happenings.map((happening, order) => [happening, next.said[order]]) : [];
  watched = next;
  for (const [happening, sentence] of news.slice(-MOST_SHOWN)) {
    const { round, trick } = happening;
    part("said").textContent = sentence;
    if (document.hidden) continue;
    draw(round, trick ?? (round.trick.length ? round.tricks.at(-1) : null), []);
    await wait(STEP_MS);
  }
  drawNow();
}

function drawNow() {
  const { view, awaited } = watched.table;
  if (view?.round) draw(view.round, view.round.trick.length ? view.round.tricks.at(-1) : null, awaited);
}

async function refresh() {
  try {
    const answer = await fetch(`${root.dataset.stateUrl}?since=${watched.table.counter}`);
    if (!answer.ok) return;
    const next = await answer.json();
    pending = pending.then(() => show(next));
  } catch {
    // The stream tells again, and so does the next look.
  }
}

drawNow();
const company = keepCompany({ shown: () => describe([]), tell: (sentence) => (part("said").textContent = sentence), refuse() {} });
const source = new EventSource(root.dataset.liveUrl);
source.onmessage = (event) => {
  const { version, talk } = JSON.parse(event.data);
  company.hear({ talk });
  if (version === undefined ? talk === undefined : version !== watched.table.counter) refresh();
};
setInterval(refresh, POLL_MS);
const offset = Date.parse(watched.now) - Date.now();
const tick = () => showClocks(root, watched.table, offset);
tick();
setInterval(tick, 1000);
