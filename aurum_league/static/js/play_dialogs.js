// Questions at the table: costly choices are confirmed, a bid change is put together, the last trick is shown again.
import { cardName, drawCard, drawCoin, drawPlays, goldPoints, make, nameOf, rankOf, say, sideBid, sideTricks } from "./table_draw.js";

// Their styles come with them, so that the first cards come sooner; without them the questions are plain.
await new Promise((resolve) => {
  const { questions } = document.querySelector(".table-screen").dataset;
  document.head.append(make("link", { rel: "stylesheet", href: questions }));
  Object.assign(document.head.lastElementChild, { onload: resolve, onerror: resolve });
});

function open(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

export function ask(title, text) {
  const dialog = document.getElementById("ask");
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("p").textContent = text;
  return open(dialog);
}

const pointsText = (code) => say("points", { count: goldPoints(rankOf(code)) });

// Whether the person means it; what costs nothing is not asked.
export async function confirmAction(action, state) {
  if (action === "stop") {
    const { round, seat } = state;
    return ask(say("stop"), say("stop_cost", { tricks: sideTricks(state, round, seat), bid: sideBid(state, round, seat) }));
  }
  const code = action.split(" ")[1] ?? "";
  if (!action.startsWith("play G")) return true;
  return ask(say("spend_gold", { card: cardName(code) }), say("spend_gold_cost", { points: pointsText(code) }));
}

function radio(part, value, isFirst, label, picture) {
  const input = make("input", { type: "radio", name: `swap-${part}`, value, checked: isFirst });
  return make("label", { class: `swap-choice is-${part}` }, input, picture, make("span", { class: part === "card" ? "visually-hidden" : null }, label));
}

function bidAfter(state, chosen) {
  const bids = [...state.round.bids];
  bids[Number(chosen.bid)] = chosen.card;
  return sideBid(state, { ...state.round, bids }, state.seat);
}

// The action of a bid change, or null where the person thinks better of it.
export async function chooseSwap(state) {
  const dialog = document.getElementById("swap");
  const { options, round, seat } = state;
  const part = (name) => dialog.querySelector(`[data-part="${name}"]`);
  const labelBid = (owner) =>
    owner === seat
      ? say("swap_own", { card: cardName(round.bids[owner]) })
      : say("swap_partner", { name: nameOf(state, owner), card: cardName(round.bids[owner]) });
  part("gold").replaceChildren(...options.swap_gold.map((code, i) => radio("gold", code, i === 0, cardName(code), drawCoin(rankOf(code)))));
  part("bid").replaceChildren(...options.swap_bids.map((owner, i) => radio("bid", owner, i === 0, labelBid(owner), "")));
  part("card").replaceChildren(...options.swap_cards.map((code, i) => radio("card", code, i === 0, cardName(code), drawCard(code, ""))));
  const read = () => Object.fromEntries(["gold", "bid", "card"].map((name) => [name, dialog.querySelector(`[name="swap-${name}"]:checked`).value]));
  const showEffect = () => {
    const chosen = read();
    part("effect").textContent = say("swap_effect", {
      gold: cardName(chosen.gold),
      points: pointsText(chosen.gold),
      card: cardName(chosen.card),
      old: cardName(round.bids[Number(chosen.bid)]),
      bid: bidAfter(state, chosen),
      before: sideBid(state, round, seat),
      tricks: sideTricks(state, round, seat),
    });
  };
  dialog.onchange = showEffect;
  showEffect();
  if (!(await open(dialog))) return null;
  const { gold, bid, card } = read();
  return `swap ${gold} ${bid} ${card}`;
}

export function showLastTrick(state, trick) {
  const dialog = document.getElementById("look");
  const list = drawPlays(state, trick, dialog.querySelector("ol"));
  for (const [order, item] of [...list.children].entries()) {
    const name = nameOf(state, (trick.leader + order) % state.seats.length);
    if (!item.querySelector("small")) item.prepend(make("small", { "aria-hidden": "true" }, name));
  }
  return open(dialog);
}
