// A finished match step by step on the table: links, keys, a play button; the address always names the step.
import { drawFelt } from "./table_draw.js";
import { drawMoving } from "./table_moves.js";

const STEP_MS = 1100;
const NORMAL = 800;
const AHEAD = 3;
const root = document.querySelector(".table-screen");
const part = (id) => document.getElementById(id);
const felt = part("felt");
const button = part("run");
const pace = part("pace");
const fetched = new Map();
let replay = JSON.parse(part("table-state").textContent);
let wanted = location.search;
let shownTrick = null;
let timer = null;

function fetchStep(search) {
  if (!fetched.has(search)) {
    const answer = fetch(root.dataset.step + search, { headers: { Accept: "application/json" } }).then((response) => {
      if (!response.ok) throw new Error(response.statusText);
      return response.json();
    });
    answer.catch(() => fetched.delete(search));
    fetched.set(search, answer);
  }
  return fetched.get(search);
}

async function prefetch(step, left = AHEAD) {
  if (step.next && left > 0) await prefetch(await fetchStep(step.next), left - 1);
}

function describe() {
  const { seats, bottom, nuggets, happening } = replay;
  const acting = happening.kind === "deal" || happening.kind === "end" ? [] : [happening.seat];
  return { seats, isPast: true, seat: null, bottom, nuggets, awaited: acting, choosable: new Set(), chosen: null, why: {}, order: "suit" };
}

function drawOptions(select, groups) {
  const make = ({ name, address, is_current: isCurrent }) => new Option(name, address, isCurrent, isCurrent);
  const lists = groups.map(({ name, jumps }) => {
    if (!name) return jumps.map(make);
    const group = document.createElement("optgroup");
    group.label = name;
    group.append(...jumps.map(make));
    return [group];
  });
  select.replaceChildren(...lists.flat());
}

function drawControls() {
  for (const link of root.querySelectorAll("[data-go]")) {
    const address = replay[link.dataset.go];
    for (const [name, value] of [["href", address], ["role", !address && "link"], ["aria-disabled", !address && "true"]]) {
      if (value) link.setAttribute(name, value);
      else link.removeAttribute(name);
    }
    link.tabIndex = 0;
  }
  drawOptions(part("jump"), replay.rounds);
  drawOptions(part("eyes"), [{ name: "", jumps: replay.views }]);
}

function draw() {
  const { round, trick } = replay.happening;
  const cleared = shownTrick;
  shownTrick = trick ?? (round.tricks.at(-1)?.plays.length ? round.tricks.at(-1) : null);
  const isSame = cleared && shownTrick && cleared.leader === shownTrick.leader && cleared.plays[0] === shownTrick.plays[0];
  drawMoving(felt, () => drawFelt(felt, describe(), round, shownTrick), { trick: isSame ? null : cleared });
  part("said").textContent = replay.sentence;
  part("place").textContent = replay.place;
  document.dispatchEvent(new CustomEvent("replay-step", { detail: wanted }));
  drawControls();
}

async function show(search) {
  wanted = search;
  let next;
  try {
    next = await fetchStep(search);
  } catch {
    location.search = search;
    return;
  }
  if (wanted !== search) return;
  replay = next;
  draw();
  root.querySelector(".table-note")?.remove();
  history.replaceState(null, "", search);
  if (timer && !replay.next) pause();
  prefetch(replay).catch(() => {});
}

function drawButton() {
  const name = timer ? "pause" : "play";
  button.setAttribute("aria-label", button.dataset[name]);
  const use = button.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${name}`));
}

function pause() {
  clearTimeout(timer);
  timer = null;
  drawButton();
}

// The next step is asked for when this one lies there: a slow answer lengthens the pause, and nothing is skipped.
function run() {
  const step = async () => {
    await show(replay.next || replay.first);
    if (timer) timer = setTimeout(step, (STEP_MS * Math.max(Number(pace.value), 100)) / NORMAL);
  };
  timer = setTimeout(step, 0);
  drawButton();
}

function go(search) {
  if (timer) pause();
  if (search) show(search);
}

const toggle = () => (timer ? pause() : run());

function findTarget(key) {
  const name = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" }[key];
  return name ? replay[name] : /^[1-9]$/.test(key) ? replay.rounds[Number(key) - 1]?.jumps[0].address : undefined;
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, summary, .table-scroll")) return;
  if (event.key === " ") {
    if (event.target.closest("button, a")) return;
    toggle();
  } else {
    const target = findTarget(event.key);
    if (target === undefined) return;
    go(target);
  }
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

pace.value = localStorage.getItem("play-pace") ?? "800";
pace.addEventListener("change", () => localStorage.setItem("play-pace", pace.value));
for (const select of [part("jump"), part("eyes")]) select.addEventListener("change", () => go(select.value));
button.addEventListener("click", toggle);
draw();

// Nothing is fetched ahead before somebody reaches for the replay: the first load stays light.
for (const sign of ["pointerover", "focusin"]) root.addEventListener(sign, () => prefetch(replay).catch(() => {}), { once: true });
