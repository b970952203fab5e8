// The end of a round as a moment: who made the bid, points counted up, who gets the nugget and why; and the match's end.
import { cardName, drawCoin, drawNuggets, goldPoints, make, nameSide, rankOf, say, words } from "./table_draw.js";
import { playSound } from "./play_settings.js";
import { canMove, rectOf, sendGhost, settle } from "./table_moves.js";
import "./chance.js";

const part = (id) => document.getElementById(id);
const STEP_MS = 140;
const STAY_SECONDS = 12;
const NUGGET_MS = 520;

function drawLine(shown, done, round, side) {
  const score = done.scores[side];
  const gold = round.gold.flatMap((codes, seat) => (shown.seats[seat].side === side ? codes : [])).sort((one, other) => rankOf(one) - rankOf(other));
  const coins = gold.map((code) => make("li", { class: "counted" }, drawCoin(rankOf(code), `${cardName(code)}: ${goldPoints(rankOf(code))}`)));
  const hasMade = score.tricks >= score.bid;
  return make(
    "li",
    { class: `end-side${done.winners.includes(side) ? " has-nugget" : ""}` },
    make("strong", { class: "end-name" }, nameSide(shown, side)),
    make("span", { class: `counted end-bid ${hasMade ? "is-made" : "is-missed"}` }, say(score.tricks === score.bid ? "made_exactly" : hasMade ? "made_over" : "missed", score)),
    make("ul", { class: "gold-row", role: "list", "aria-label": words.gold }, ...coins),
    make("span", { class: "counted end-sum" }, `${score.bid_points} + ${score.gold_points} = `, make("strong", {}, String(score.total))),
    done.winners.includes(side) ? make("span", { class: "counted end-nugget" }, ...drawNuggets(1), words.nugget) : null,
  );
}

function countUp(list, speed) {
  if (!speed || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [order, item] of [...list.querySelectorAll(".counted")].entries()) {
    item.animate([{ opacity: 0, transform: "translateY(.5rem)" }, { opacity: 1, transform: "none" }], { duration: 160, delay: order * STEP_MS * speed, fill: "backwards" });
  }
}

// A nugget goes from where it was counted to those who won the round.
function sendNugget(nugget, from, winners) {
  if (!canMove() || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const { seat } of winners) {
    const place = document.querySelector(`#felt .seat[data-seat="${seat}"]`);
    if (place) sendGhost(part("felt"), nugget, from, rectOf(place), NUGGET_MS, 1);
  }
}

// Resolves when the person goes on, or after a time that is seen running out.
export function showRoundEnd(shown, happening, explained, speed) {
  const panel = part("round-end");
  const done = happening.result;
  part("round-end-title").textContent = say("nugget_to", { number: happening.round.number, names: done.winners.map((side) => nameSide(shown, side)).join(", ") });
  const edition = done.decided_by === "points" ? "" : ` (${document.querySelector(".table-screen").dataset.edition})`;
  part("round-end-why").textContent = `${explained.end} ${explained.decision}${edition}`;
  const lines = done.scores.map((_, side) => drawLine(shown, done, happening.round, side));
  part("round-end-sides").replaceChildren(...lines);
  panel.hidden = false;
  countUp(panel, speed);
  playSound("nugget");
  part("go-on").focus({ preventScroll: true });
  return new Promise((resolve) => {
    const left = part("round-end-left");
    left.value = left.max = STAY_SECONDS;
    const timer = setInterval(() => (left.value -= 1) || goOn(), 1000);
    // Closing, flying and what comes next are tasks of their own, not a long one.
    const goOn = () => {
      clearInterval(timer);
      part("go-on").onclick = null;
      setTimeout(close);
    };
    const close = async () => {
      const nugget = panel.querySelector(".end-nugget .nugget");
      const from = nugget && rectOf(nugget);
      panel.hidden = true;
      await settle();
      if (nugget) sendNugget(nugget, from, shown.seats.filter(({ side }) => done.winners.includes(side)));
      await settle();
      resolve();
    };
    part("go-on").onclick = goOn;
  });
}

// The end of the match: places with nuggets and points, and what parted equals.
export function showMatchEnd(shown, places) {
  if (!part("over").hidden) return;
  const isShared = shown.places.filter((place) => place === 1).length > 1;
  const hasForfeited = shown.forfeits.includes(shown.seat);
  const own = hasForfeited ? shown.places.length : shown.places[shown.seats[shown.seat].side];
  part("over-title").textContent = own === 1 ? (isShared ? words.shared : words.won) : say("ended", { place: own });
  const rows = places.map(({ side, place, nuggets, points, why }) =>
    make(
      "li",
      { value: place, class: shown.seats[shown.seat].side === side ? "is-own" : null },
      make("strong", {}, nameSide(shown, side), why ? make("small", { class: "soft" }, ` ${why}`) : ""),
      make("span", { class: "nuggets", "aria-hidden": "true" }, ...drawNuggets(nuggets)),
      make("span", { class: "end-points" }, nuggets === null ? "" : say("end_points", { nuggets, points })),
    ),
  );
  part("places").replaceChildren(...rows);
  part("over").hidden = false;
  part("over").focus();
  showAfter();
}

const AGAIN_MS = 3000;

// The others who would play again: they wait, and the cards are dealt once all have asked.
function showWhoAsks(names) {
  part("over-again").hidden = !names.length;
  if (names.length) part("over-again").textContent = say("asks_again", { names: names.join(", ") });
}

// Rating, the costliest moments and what comes next; the moments come when a worker has judged them.
export async function showAfter(tries = 40) {
  const answer = await fetch(document.querySelector(".table-screen").dataset.afterUrl).catch(() => null);
  if (!answer?.ok) return;
  const { rating, moments, is_judged: isJudged, next, again } = await answer.json();
  showWhoAsks(again);
  part("over-rating").hidden = !rating;
  if (rating) part("over-rating").textContent = say("rating", rating);
  part("over-next").hidden = !next;
  if (next) part("over-next").replaceChildren(make("a", { class: "button", href: next.url }, next.closes_at ? say("next_by", { name: next.name, time: next.closes_at }) : say("next", next)));
  const box = part("moments");
  box.hidden = moments === null;
  if (moments === null) return;
  box.querySelector("[role=status]").textContent = isJudged ? (moments.length ? "" : words.no_moments) : words.judging;
  box.querySelector("ol").replaceChildren(...moments.map((moment) => make("li", {}, make("a", { href: moment.url }, say(moment.trick ? "moment" : "moment_bid", moment)))));
  if (!isJudged && tries > 0) setTimeout(() => showAfter(tries - 1), AGAIN_MS);
}
