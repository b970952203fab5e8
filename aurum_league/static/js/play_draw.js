// Draws a table from the state that the server tells; the class names are those of the replay and of the rules.
const root = document.getElementById("play");
export const words = JSON.parse(document.getElementById("table-words").textContent);
const AT = { 3: ["bottom", "left", "right"], 4: ["bottom", "left", "top", "right"] };
const SVG = "http://www.w3.org/2000/svg";

export const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
export const cardName = (code) => `${words.metals[code[0]]} ${code.slice(1)}`;
export const rankOf = (code) => Number(code.slice(1));
export const goldPoints = (rank) => (rank < 1 ? 0 : rank < 4 ? 1 : rank < 7 ? 2 : 3);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function symbol(name, classes, label) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("class", classes);
  if (label) {
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", label);
  } else picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", name);
  picture.append(use);
  return picture;
}

export const drawCard = (code, label = cardName(code), size = "medium") =>
  symbol(`${root.dataset.sprite}#card-${code}`, `card card-${size}${code === "slot" ? " card-slot" : ""}`, label);
export const drawCoin = (rank, label) => symbol(`${root.dataset.sprite}#coin-${rank}`, "coin", label);

function badge(kind, text) {
  const icon = { person: "player", bot: "bot", house: "house" }[kind];
  return make("span", { class: `badge badge-${kind}` }, icon ? symbol(`${root.dataset.icons}#${icon}`, "icon") : "", text);
}

export const placeOf = (state, seat) => {
  const count = state.seats.length;
  return AT[count][(seat - state.seat + count) % count];
};

export const nameOf = (state, seat) => (seat === state.seat ? words.you : state.seats[seat].name);

export function sideBid(state, round, seat) {
  const { side } = state.seats[seat];
  const bids = round.bids.filter((bid, other) => bid && state.seats[other].side === side).map(rankOf);
  return bids.length ? Math.max(...bids) : null;
}

export const sideTricks = (state, round, seat) =>
  round.tricks_won.reduce((sum, won, other) => (state.seats[other].side === state.seats[seat].side ? sum + won : sum), 0);

function drawBid(round, seat) {
  const bid = round.bids[seat];
  if (bid) return drawCard(bid, say("bid", { card: cardName(bid) }), "small");
  const isLaid = round.phase === "bid" && round.hand_sizes[seat] < 12;
  return isLaid ? drawCard("back", words.face_down, "small") : drawCard("slot", words.no_bid, "small");
}

function drawGold(state, round, seat, options) {
  const label = say("gold_of", { name: nameOf(state, seat) });
  const coins = round.gold[seat].map((code) => {
    const coin = drawCoin(rankOf(code), options ? "" : cardName(code));
    return make("li", {}, options ? cardButton(code, coin, state) : coin);
  });
  return make("ul", { class: "gold-row", role: "list", "aria-label": label }, ...coins);
}

function cardButton(code, picture, state) {
  const isLegal = state.isReady && state.options.cards.includes(code);
  const why = isLegal ? null : state.why?.[code];
  return make(
    "button",
    {
      type: "button",
      class: picture.classList.contains("coin") ? "coin-button" : "card-button",
      "data-card": code,
      "aria-label": why ? `${cardName(code)}. ${why}` : cardName(code),
      "aria-disabled": isLegal ? null : "true",
      draggable: isLegal ? "true" : null,
      title: why ?? null,
    },
    picture,
  );
}

function drawSeat(state, round, seat) {
  const who = state.seats[seat];
  const isAwaited = state.awaited.includes(seat);
  const isPartner = seat !== state.seat && who.side === state.seats[state.seat].side;
  const extra = [];
  if (isPartner) extra.push(badge("info", words.partner));
  if (who.has_forfeited) extra.push(badge("error", words.forfeited));
  if (isAwaited) extra.push(badge("warning", words.to_act));
  const tally = `${sideTricks(state, round, seat)} / ${sideBid(state, round, seat) ?? "?"}`;
  const counts = say("cards_nuggets", { cards: round.hand_sizes[seat], nuggets: state.nuggets[who.side] });
  const shownName = seat === state.seat ? `${who.name} (${words.you})` : who.name;
  return make(
    "div",
    { class: `seat${isAwaited ? " is-awaited" : ""}`, role: "group", "data-at": placeOf(state, seat), "data-seat": seat, "aria-label": shownName },
    make("h3", {}, shownName),
    make("div", { class: "row" }, badge(who.kind, words.kinds[who.kind]), ...extra),
    make("div", { class: "seat-bid" }, drawBid(round, seat), make("div", {}, make("strong", {}, tally), make("small", {}, words.tricks_bid))),
    drawGold(state, round, seat, seat === state.seat),
    make("small", { class: "soft" }, counts),
    make("small", { class: "seat-clock", "data-clock": seat }),
  );
}

export function drawPlays(state, trick, list) {
  const count = state.seats.length;
  const items = trick.plays.map((code, order) => {
    const seat = (trick.leader + order) % count;
    const isWinner = trick.winner === seat;
    const mark = isWinner ? badge("success", words.wins) : trick.gold_to === seat ? badge("warning", words.lowest) : null;
    const label = `${nameOf(state, seat)}: ${cardName(code)}`;
    return make("li", { class: `play${isWinner ? " is-winner" : ""}`, "data-at": placeOf(state, seat) }, drawCard(code, label), mark);
  });
  list.replaceChildren(...items);
  return list;
}

const drawTrick = (state, trick) =>
  drawPlays(state, trick ?? { plays: [], leader: 0 }, make("ol", { class: "trick", "aria-label": words.trick }));

function drawSupply(round) {
  const counts = new Map();
  for (const code of round.supply) counts.set(code, (counts.get(code) ?? 0) + 1);
  const coins = [...counts].map(([code, count]) =>
    make("li", {}, drawCoin(rankOf(code), cardName(code)), count > 1 ? make("span", {}, `×${count}`) : null),
  );
  const supply = make("div", { class: "supply" }, make("h3", {}, words.supply));
  supply.append(make("ul", { class: "gold-row", role: "list", "aria-label": words.supply }, ...coins));
  if (round.set_aside.length) {
    supply.append(make("h3", {}, words.set_aside), make("div", { class: "row" }, ...round.set_aside.map((code) => drawCard(code, cardName(code), "small"))));
  }
  return supply;
}

function drawHand(state, round) {
  const cards = round.hand.map((code) => make("li", {}, cardButton(code, drawCard(code, ""), state)));
  return make("ul", { class: "hand", role: "list", "aria-label": words.hand }, ...cards);
}

export function drawFelt(felt, state, round, trick) {
  const seats = state.seats.map((_, seat) => drawSeat(state, round, seat));
  felt.replaceChildren(...seats, drawTrick(state, trick), drawSupply(round), drawHand(state, round));
}

// Before the deal: who is at the table, and who is not.
export function drawMeeting(felt, state) {
  const seats = state.seats.map((who, seat) => {
    const here = who.is_here ? badge("success", words.is_here) : badge("warning", words.is_away);
    const name = seat === state.seat ? `${who.name} (${words.you})` : who.name;
    const row = make("div", { class: "row" }, badge(who.kind, words.kinds[who.kind]), here);
    return make("div", { class: "seat", role: "group", "data-at": placeOf(state, seat), "aria-label": name }, make("h3", {}, name), row);
  });
  felt.replaceChildren(...seats);
}

export function drawSheet(table, state) {
  const names = [0, 1, 2].slice(0, state.nuggets.length).map((side) =>
    state.seats.map((who, seat) => (who.side === side ? nameOf(state, seat) : "")).filter(Boolean).join(" & "),
  );
  const bodies = state.rounds.map((round, index) =>
    make(
      "tbody",
      {},
      make("tr", {}, make("th", { scope: "rowgroup", colspan: 7 }, `${say("round", { number: index + 1 })} `, make("small", { class: "soft" }, round.decision))),
      ...round.scores.map((score, side) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, names[side]),
          ...[score.bid, score.tricks, score.bid_points, score.gold_points, score.total].map((value, column) =>
            make("td", { class: "number", title: column === 2 ? score.how : null }, String(value)),
          ),
          make("td", {}, round.winners.includes(side) ? badge("success", words.nugget) : ""),
        ),
      ),
    ),
  );
  for (const old of table.tBodies.length ? [...table.tBodies] : []) old.remove();
  table.append(...bodies);
}
