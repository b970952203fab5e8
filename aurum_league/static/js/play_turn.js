// What is asked of whoever sits here: which cards may be touched, the sentence under the table, what decides itself.
import { nameOf, say, words } from "./table_draw.js";

const roundOf = ({ table }) => table.view?.round ?? null;

export const isOver = ({ table }) => ["finished", "void", "quarantined"].includes(table.state);
export const isAwaited = (played) => played.table.awaited.includes(played.seat) && Boolean(roundOf(played));

// The cards one may touch now: those that can be played, and ahead of one's turn those that may be soon.
export function listChoosable(played, isBusy) {
  const round = roundOf(played);
  if (!round || isOver(played)) return [];
  if (isAwaited(played) && round.phase !== "change") return isBusy ? [] : played.options.cards;
  const hasBid = round.bids[played.seat] !== null || round.hand_sizes[played.seat] < 12;
  return round.phase === "bid" && hasBid ? [] : round.hand;
}

// A bid that nobody has learnt anything by: face down, while others have yet to lay theirs.
export function canTakeBidBack(played) {
  const round = roundOf(played);
  const isSecret = played.table.seats.length === 3 && round?.phase === "bid";
  return Boolean(isSecret && played.table.state === "waiting" && !isAwaited(played) && round.hand_sizes[played.seat] < 12);
}

// One's last decision of the round, kept bids aside; what three people have turned over together stays.
export function hasDecided({ seat, table }) {
  const round = table.view?.round;
  if (!round || table.state !== "waiting") return false;
  const count = table.seats.length;
  const isOwn = (trick) => trick.bid_changes.some((change) => change.seat === seat) || trick.plays.some((_, order) => (trick.leader + order) % count === seat);
  return round.tricks.some(isOwn) || (count === 4 && round.bids[seat] !== null);
}

// Somebody else asks to take a decision back, and one has not answered yet.
export const isAskedBack = ({ seat, table }) => Boolean(table.asks_back) && !table.asks_back.agreed.includes(seat);

function sayAskedBack({ seat, table }, shown) {
  const { seat: asker, agreed } = table.asks_back;
  if (asker !== seat) return say("asks_back", { name: nameOf(shown, asker) });
  const others = table.seats.filter((who, other) => who.kind === "person" && !who.has_forfeited && !agreed.includes(other));
  return say("asked_back", { names: others.map((who) => who.player).join(", ") });
}

function sayMeeting(table, shown) {
  const away = table.seats.map((who, seat) => (who.is_here ? "" : nameOf(shown, seat))).filter(Boolean);
  const until = new Date(table.closes_at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  return `${say("meeting", { names: away.join(", ") })} ${say("meet_until", { time: until })}`;
}

export function sayTurn(played, shown) {
  const { table } = played;
  const round = roundOf(played);
  if (table.state === "void") return words.withdrawn;
  if (table.state === "quarantined") return words.troubled;
  if (isOver(played)) return "";
  if (table.state === "held") return words.held;
  if (table.state === "open") return sayMeeting(table, shown);
  if (!round) return words.dealing;
  if (table.asks_back && (isAskedBack(played) || table.asks_back.seat === played.seat)) return sayAskedBack(played, shown);
  if (!isAwaited(played)) {
    const others = table.awaited.length ? table.awaited : [round.turn ?? played.seat];
    return say("thinking", { names: others.map((seat) => nameOf(shown, seat)).join(", ") });
  }
  if (round.phase === "bid") return words.your_bid;
  if (round.phase === "change") return words.your_change;
  if (played.options.can_stop) return words.your_stop;
  return round.trick.length ? words.your_play : words.your_lead;
}

// The only card that may be played, where one lets it play itself; gold is never spent unasked.
export function findOnlyCard(played) {
  const { cards, can_stop: canStop } = played.options;
  return roundOf(played)?.phase === "play" && cards.length === 1 && !canStop && !cards[0].startsWith("G") ? cards[0] : null;
}
