// Draws a table from the state that the server tells, for whoever plays, watches or looks back. What stays keeps its
// element: only what changed is touched. `seat` is one's own, null for a watcher, and `bottom` is the nearest one.
const root = document.querySelector(".table-screen");
export const words = JSON.parse(document.getElementById("table-words").textContent);
const AT = { 3: ["bottom", "left", "right"], 4: ["bottom", "left", "top", "right"] };
const SVG = "http://www.w3.org/2000/svg";
const MOST_PIPS = 13;

export const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
export const cardName = (code) => `${words.metals[code[0]]} ${code.slice(1)}`;
export const rankOf = (code) => Number(code.slice(1));
export const goldPoints = (rank) => (rank < 1 ? 0 : rank < 4 ? 1 : rank < 7 ? 2 : 3);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAll(element, attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value === true ? "" : value)) element.setAttribute(name, value === true ? "" : value);
  }
}

const setText = (element, text) => element.textContent === text || (element.textContent = text);

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

export const drawNuggets = (count) => Array.from({ length: count ?? 0 }, () => symbol(`${root.dataset.icons}#nugget`, "nugget"));

function badge(kind, text) {
  const icon = { person: "player", bot: "bot", house: "house" }[kind];
  return make("span", { class: `badge badge-${kind}` }, icon ? symbol(`${root.dataset.icons}#${icon}`, "icon") : "", make("span", {}, text));
}

export const placeOf = (shown, seat) => {
  const count = shown.seats.length;
  return AT[count][(seat - (shown.bottom ?? shown.seat) + count) % count];
};

export const nameOf = (shown, seat) => (seat === shown.seat ? words.you : shown.seats[seat].player);

export function sideBid(shown, round, seat) {
  const { side } = shown.seats[seat];
  const bids = round.bids.filter((bid, other) => bid && shown.seats[other].side === side).map(rankOf);
  return bids.length ? Math.max(...bids) : null;
}

export const sideTricks = (shown, round, seat) =>
  round.tricks_won.reduce((sum, won, other) => (shown.seats[other].side === shown.seats[seat].side ? sum + won : sum), 0);

export const nameSide = (shown, side) =>
  shown.seats.map((who, seat) => (who.side === side ? nameOf(shown, seat) : "")).filter(Boolean).join(" & ");

// The children of a list by key: those that stay are kept, in their element and their place.
function keep(list, items, create, update = () => {}) {
  const old = new Map([...list.children].map((child) => [child.dataset.key, child]));
  let place = null;
  for (const item of items) {
    const child = old.get(item.key) ?? create(item);
    child.dataset.key = item.key;
    old.delete(item.key);
    update(child, item);
    const next = place ? place.nextElementSibling : list.firstElementChild;
    if (next !== child) list.insertBefore(child, next);
    place = child;
  }
  for (const gone of old.values()) gone.remove();
}

// Equal coins lie on one another, so that all the gold of the game fits in one row.
function countCoins(codes) {
  const counts = new Map();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => ({ key: code, code, count }));
}

function drawGold(list, codes, shown, isOwn) {
  const create = ({ code }) => {
    const coin = drawCoin(rankOf(code), isOwn ? "" : cardName(code));
    coin.dataset.flip = `coin ${list.dataset.of} ${code}`;
    return make("li", {}, isOwn ? make("button", { type: "button", class: "coin-button", "data-card": code }, coin) : coin, make("span", { class: "times" }));
  };
  keep(list, countCoins(codes), create, (item, { code, count }) => {
    setText(item.querySelector(".times"), count > 1 ? `×${count}` : "");
    if (isOwn) updateCard(item.querySelector("button"), code, shown);
  });
}

// While something is shown that happened nobody chooses: cards keep their look, and are not styled anew.
function updateCard(button, code, shown) {
  if (!shown.choosable) {
    if (!button.hasAttribute("aria-label")) setAll(button, { "aria-label": cardName(code) });
    return;
  }
  const canChoose = shown.choosable.has(code);
  const why = canChoose ? null : shown.why[code];
  const isAhead = shown.chosen === code;
  const label = isAhead && shown.isAhead ? `${cardName(code)}. ${words.ahead}` : cardName(code);
  setAll(button, {
    "aria-label": why ? `${cardName(code)}. ${why}` : label,
    "aria-disabled": canChoose ? null : "true",
    "aria-pressed": isAhead ? "true" : null,
    "data-ahead": isAhead && shown.isAhead ? "true" : null,
    draggable: canChoose ? "true" : null,
    title: why ?? null,
  });
}

function drawBid(place, round, seat) {
  const code = round.bids[seat] ?? (round.phase === "bid" && round.hand_sizes[seat] < 12 ? "back" : "slot");
  keep(place, [{ key: code, code }], () => {
    const label = code === "slot" ? words.no_bid : code === "back" ? words.face_down : say("bid", { card: cardName(code) });
    const card = drawCard(code, label, "small");
    card.dataset.flip = code.length > 3 ? `bid ${seat}` : `card ${code}`;
    return card;
  });
}

function drawPips(list, won, bid) {
  const count = Math.min(Math.max(won, bid ?? 0), MOST_PIPS);
  const items = Array.from({ length: count }, (_, order) => ({ key: String(order), order }));
  keep(list, items, () => make("i", {}), (pip, { order }) => setAll(pip, { class: order >= won ? "" : bid !== null && order >= bid ? "is-over" : "is-won" }));
}

function makeSeat(shown, seat) {
  const who = shown.seats[seat];
  const isPartner = shown.seat !== null && seat !== shown.seat && who.side === shown.seats[shown.seat].side;
  const name = seat === shown.seat ? `${who.player} (${words.you})` : who.player;
  return make(
    "div",
    { class: "seat", role: "group", "data-at": placeOf(shown, seat), "data-seat": seat, "aria-label": name },
    make("h3", {}, make("span", { class: "clock-ring", "aria-hidden": "true" }), make("span", { class: "seat-name" }, name)),
    make("div", { class: "row seat-badges" }, badge(who.kind, words.kinds[who.kind]), isPartner ? badge("info", words.partner) : null, make("span", { class: "seat-state" })),
    make("div", { class: "seat-bid" }, make("span", { class: "bid-card" }), make("span", { class: "tally" }, make("strong", {}), make("span", { class: "pips", "aria-hidden": "true" }))),
    make("ul", { class: "gold-row", role: "list", "data-of": seat, "aria-label": say("gold_of", { name: nameOf(shown, seat) }) }),
    make("span", { class: "nuggets", role: "img" }),
    make("small", { class: "seat-cards" }),
    make("small", { class: "seat-clock", "data-clock": seat }),
    make("ul", { class: "seat-hand", role: "list", "aria-label": say("hand_of", { name: nameOf(shown, seat) }), hidden: true }),
  );
}

function updateSeat(place, shown, round, seat) {
  const who = shown.seats[seat];
  const isAwaited = shown.awaited.includes(seat);
  const won = sideTricks(shown, round, seat);
  const bid = sideBid(shown, round, seat);
  const nuggets = shown.nuggets[who.side];
  place.classList.toggle("is-awaited", isAwaited);
  place.classList.toggle("is-first", round.first_seat === seat);
  setText(place.querySelector(".seat-state"), who.has_forfeited ? words.forfeited : isAwaited && !shown.isPast ? words.to_act : "");
  drawBid(place.querySelector(".bid-card"), round, seat);
  setText(place.querySelector("strong"), `${won} / ${bid ?? "?"}`);
  drawPips(place.querySelector(".pips"), won, bid);
  drawGold(place.querySelector(".gold-row"), round.gold[seat], shown, seat === shown.seat);
  const pile = place.querySelector(".nuggets");
  if (pile.childElementCount !== nuggets) pile.replaceChildren(...drawNuggets(nuggets));
  setAll(place.querySelector(".nuggets"), { "aria-label": say("nuggets", { count: nuggets }) });
  setText(place.querySelector(".seat-cards"), say("cards", { count: round.hand_sizes[seat] }));
  drawOpenHand(place.querySelector(".seat-hand"), seat === (shown.bottom ?? shown.seat) ? null : round.hands[seat]);
}

// A hand of somebody else that is seen: in a replay, or of whoever ended a round.
function drawOpenHand(list, codes) {
  setAll(list, { hidden: !codes?.length });
  keep(list, sortHand(codes ?? [], "suit").map((code) => ({ key: code, code })), ({ code }) => {
    const card = drawCard(code, cardName(code), "small");
    card.dataset.flip = `card ${code}`;
    return make("li", {}, card);
  });
}

// The cards of a trick, each where it was played from.
export function drawPlays(shown, trick, list) {
  const count = shown.seats.length;
  const plays = (trick?.plays ?? []).map((code, order) => ({ key: code, code, seat: (trick.leader + order) % count }));
  const create = ({ code, seat }) => {
    const card = drawCard(code, `${nameOf(shown, seat)}: ${cardName(code)}`);
    card.dataset.flip = `card ${code}`;
    card.dataset.from = seat;
    return make("li", { class: "play", "data-at": placeOf(shown, seat) }, card);
  };
  keep(list, plays, create, (item, { seat }) => {
    const mark = trick.winner === seat ? words.wins : trick.winner !== null && trick.gold_to === seat ? words.lowest : "";
    item.classList.toggle("is-winner", trick.winner === seat);
    if ((item.querySelector(".badge")?.textContent ?? "") === mark) return;
    item.querySelector(".badge")?.remove();
    if (mark) item.append(badge(trick.winner === seat ? "success" : "warning", mark));
  });
  return list;
}

function drawSupply(felt, round) {
  drawGold(felt.querySelector(".supply .gold-row"), round.supply, null, false);
  const aside = felt.querySelector(".set-aside");
  aside.hidden = !round.set_aside.length;
  keep(aside, round.set_aside.map((code) => ({ key: code, code })), ({ code }) => drawCard(code, `${words.set_aside}: ${cardName(code)}`, "small"));
}

const SUITS = "BCPSZ";
const BY = {
  suit: (one, other) => SUITS.indexOf(one[0]) - SUITS.indexOf(other[0]) || rankOf(one) - rankOf(other),
  rank: (one, other) => rankOf(one) - rankOf(other) || SUITS.indexOf(one[0]) - SUITS.indexOf(other[0]),
};

const sortHand = (codes, order) => [...codes].sort(BY[order] ?? BY.suit);

function drawHand(list, shown, round) {
  const isOwn = shown.seat !== null;
  const codes = sortHand(isOwn ? round.hand : (round.hands[shown.bottom] ?? []), shown.order);
  const create = ({ code }) => {
    const card = drawCard(code, isOwn ? "" : cardName(code));
    card.dataset.flip = `card ${code}`;
    return make("li", {}, isOwn ? make("button", { type: "button", class: "card-button", "data-card": code }, card) : card);
  };
  keep(list, codes.map((code) => ({ key: code, code })), create, (item, { code }) => isOwn && updateCard(item.querySelector("button"), code, shown));
  list.dataset.cards = codes.length;
  for (const [order, item] of [...list.children].entries()) item.style.setProperty("--turn", order - (codes.length - 1) / 2);
}

export function drawFelt(felt, shown, round, trick) {
  felt.dataset.phase = round.phase;
  for (const seat of shown.seats.keys()) {
    let place = felt.querySelector(`.seat[data-seat="${seat}"]:not(.is-meeting)`);
    if (!place) {
      felt.querySelector(`.seat[data-seat="${seat}"]`)?.remove();
      place = makeSeat(shown, seat);
      felt.querySelector("#felt-title").after(place);
    } else setAll(place, { "data-at": placeOf(shown, seat) });
    updateSeat(place, shown, round, seat);
  }
  drawPlays(shown, trick, felt.querySelector(".trick"));
  drawSupply(felt, round);
  drawHand(felt.querySelector(".hand"), shown, round);
}

// Before the deal: who is at the table, and who is not.
export function drawMeeting(felt, shown) {
  for (const old of felt.querySelectorAll(".seat")) old.remove();
  for (const [seat, who] of shown.seats.entries()) {
    const here = who.is_here ? badge("success", words.is_here) : badge("warning", words.is_away);
    const name = seat === shown.seat ? `${who.player} (${words.you})` : who.player;
    const row = make("div", { class: "row seat-badges" }, badge(who.kind, words.kinds[who.kind]), here);
    felt.querySelector("#felt-title").after(make("div", { class: "seat is-meeting", role: "group", "data-at": placeOf(shown, seat), "data-seat": seat, "aria-label": name }, make("h3", {}, make("span", {}, name)), row));
  }
}

export function drawSheet(table, shown) {
  const bodies = shown.history.map((done, index) =>
    make(
      "tbody",
      {},
      make("tr", {}, make("th", { scope: "rowgroup", colspan: 7 }, `${say("round", { number: index + 1 })} `, make("small", { class: "soft" }, shown.rounds[index].decision))),
      ...done.scores.map((score, side) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, nameSide(shown, side)),
          ...[score.bid, score.tricks, score.bid_points, score.gold_points, score.total].map((value, column) =>
            make("td", { class: "number", title: column === 2 ? shown.rounds[index].how[side] : null }, String(value)),
          ),
          make("td", {}, done.winners.includes(side) ? badge("success", words.nugget) : ""),
        ),
      ),
    ),
  );
  for (const old of [...table.tBodies]) old.remove();
  table.append(...bodies);
}
