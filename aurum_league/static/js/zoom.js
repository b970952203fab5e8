// Pictures with data-zoom="….json" are drawn again by uPlot when somebody asks, so that one can zoom into them:
// drag over a part or press the buttons; a double click shows the whole. Without this script the picture stays as it is.
const { library, sheet } = document.currentScript.dataset;
const HEIGHT = 300;
const STEP = 0.6;
const WHOLE_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));
let loading = null;

function loadLibrary() {
  loading ??= new Promise((resolve, reject) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: sheet });
    const script = Object.assign(document.createElement("script"), { src: library, onload: resolve, onerror: reject });
    document.head.append(style, script);
  });
  return loading;
}

function colourOf(value) {
  const probe = document.createElement("span");
  probe.style.color = value;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function chartOptions(width, labels, margin) {
  const [ink, line] = ["var(--ink-soft)", "var(--line)"].map(colourOf);
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: ink, width: 1 } };
  const bound = { stroke: colourOf("var(--line-strong)"), width: 1, points: { show: false } };
  return {
    width,
    height: HEIGHT,
    scales: { x: { time: false }, y: { range: (chart, low, high) => uPlot.rangeNum(low, high, margin, true) } },
    axes: [{ ...axis, incrs: WHOLE_STEPS }, axis],
    series: [
      { label: labels[0] },
      { label: labels[2], ...bound },
      { label: labels[3], ...bound },
      { label: labels[1], auto: false, stroke: colourOf("var(--link)"), width: 2, points: { show: false } },
    ],
    bands: [{ series: [2, 1], fill: colourOf("color-mix(in srgb, var(--gold) 22%, transparent)") }],
  };
}

function zoomTo(chart, where) {
  const xs = chart.data[0];
  const [first, last] = [xs[0], xs.at(-1)];
  const { min, max } = chart.scales.x;
  const middle = (min + max) / 2;
  const half = (max - min) / 2;
  const spans = {
    in: [middle - half * STEP, middle + half * STEP],
    out: [middle - half / STEP, middle + half / STEP],
    back: [min - half, max - half],
    on: [min + half, max + half],
    all: [first, last],
  };
  let [low, high] = spans[where];
  const width = Math.min(high - low, last - first);
  low = Math.min(Math.max(low, first), last - width);
  chart.setScale("x", { min: low, max: low + width });
}

async function openZoom(figure) {
  const place = figure.querySelector(".picture-scroll");
  const { zoom, x, line, low, high, labels, margin } = figure.dataset;
  const [answer] = await Promise.all([fetch(zoom), loadLibrary()]);
  if (!answer.ok) throw new Error(`no rows: ${answer.status}`);
  const rows = await answer.json();
  const data = [x, low, high, line].map((column) => rows.map((row) => row[column]));
  const options = chartOptions(place.clientWidth, labels.split("|"), Number(margin));
  place.replaceChildren();
  const chart = new uPlot(options, data, place);
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place);
  for (const button of figure.querySelectorAll("[data-zoom-to]")) {
    button.addEventListener("click", () => zoomTo(chart, button.dataset.zoomTo));
  }
  figure.querySelector("[data-zoom-open]").hidden = true;
  figure.querySelector("[data-zoom-tools]").hidden = false;
}

for (const figure of document.querySelectorAll("[data-zoom]")) {
  const button = figure.querySelector("[data-zoom-open]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await openZoom(figure).catch(() => (button.disabled = false));
  });
}

// A picture that is wider than its place: larger, smaller, or all of it at once.
for (const tools of document.querySelectorAll("[data-magnify]")) {
  const picture = tools.previousElementSibling.querySelector("svg");
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    const by = event.target.closest("[data-by]")?.dataset.by;
    if (by === undefined) return;
    const whole = picture.parentElement.clientWidth;
    const width = by === "0" ? whole : picture.getBoundingClientRect().width * Number(by);
    picture.style.minWidth = "0";
    picture.style.width = `${Math.min(Math.max(width, whole / 2), 4000)}px`;
  });
}
