// Mixes seeds from their parts and deals from them again, so that anybody can check it in the browser; the same as
// games/rules/mixing.py and deal.py, and written down for everybody in docs/RULES.md.
const suits = ["B", "C", "P", "S", "Z"];
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

export async function commitment(seedHex) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", unhex(seedHex))));
}

async function sign(keyHex, text) {
  const key = await crypto.subtle.importKey("raw", unhex(keyHex), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
}

// contributions: pairs of number and text, in any order; beacon: a round as records give it, or null.
export async function mixSeed(secretHex, contributions, beacon) {
  const sorted = [...contributions].sort(([one], [other]) => one - other);
  const lines = ["aurum/mix/v1", ...sorted.map(([number, given]) => `${number} ${given}`)];
  if (beacon) lines.push(`beacon ${beacon.chain} ${beacon.round} ${beacon.randomness}`);
  return hex(await sign(secretHex, lines.join("\n")));
}

export async function deriveSeed(seedHex, label) {
  return hex(await sign(seedHex, `aurum/seed/v1|${label}`));
}

// What the agent at a seat draws its own luck from: a number of 64 bits, as text because it is too large for a Number.
export async function deriveBotChance(seedHex, match, seat) {
  return BigInt(`0x${(await deriveSeed(seedHex, `agent ${match} ${seat}`)).slice(0, 16)}`).toString();
}

async function keyedBytes(seedHex, label) {
  let block = 0;
  let bytes = [];
  return async () => {
    if (bytes.length === 0) bytes = Array.from(await sign(seedHex, `aurum/deal/v1|${label}|${block++}`));
    return bytes.shift();
  };
}

async function drawBelow(nextByte, bound) {
  let byte;
  do byte = await nextByte(); while (byte >= 256 - (256 % bound));
  return byte % bound;
}

async function shuffle(nextByte, items) {
  for (let top = items.length - 1; top > 0; top--) {
    const other = await drawBelow(nextByte, top + 1);
    [items[top], items[other]] = [items[other], items[top]];
  }
  return items;
}

function deck(players) {
  const ranks = players === 4 ? 10 : 9;
  return suits.flatMap((suit, order) =>
    players === 3 && suit === "C" ? [] : Array.from({ length: ranks }, (_, index) => order * 10 + index));
}

const names = (cards) => cards.sort((one, other) => one - other).map((card) => suits[Math.floor(card / 10)] + (card % 10 + 1));

export async function dealRound(seedHex, players, roundNumber) {
  const cards = await shuffle(await keyedBytes(seedHex, `round ${roundNumber}`), deck(players));
  const hands = Array.from({ length: players }, (_, seat) => names(cards.slice(seat * 12, seat * 12 + 12)));
  return { hands, set_aside: names(cards.slice(players * 12)) };
}

export async function drawFirstSeat(seedHex, players) {
  return drawBelow(await keyedBytes(seedHex, "first"), players);
}

// Who takes which seat at a table that the site put together: seats by rising rating, from the table's secret.
export async function drawSeats(secretHex, players) {
  return shuffle(await keyedBytes(secretHex, "seats"), Array.from({ length: players }, (_, seat) => seat));
}

// An entrant's lot in a tournament, a number of 52 bits: the highest comes first.
export async function drawLot(seedHex, purpose, entrant) {
  const text = new TextEncoder().encode(`\n${purpose}\n${entrant}`);
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...unhex(seedHex), ...text]));
  return Number(BigInt(`0x${hex(new Uint8Array(digest).slice(0, 8))}`) >> 12n);
}

export async function orderByLots(seedHex, purpose, entrants) {
  const lots = await Promise.all(entrants.map(async (entrant) => [await drawLot(seedHex, purpose, entrant), entrant]));
  return lots.sort(([one], [other]) => other - one).map(([, entrant]) => entrant);
}

export async function drawLots(seedHex, sides) {
  return shuffle(await keyedBytes(seedHex, "lots"), [...sides].sort((one, other) => one - other));
}
