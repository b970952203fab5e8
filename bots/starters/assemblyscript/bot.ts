// NAME: a bot for Aurum in AssemblyScript. It looks one trick ahead and steers to its bid; it beats `greedy`.
//
// Build:  npx --yes --package assemblyscript asc FILE --outFile NAME.wasm --runtime stub --use abort= -O3
// The block's layout and the host interface: docs/WASM.md

// @ts-ignore: decorators of AssemblyScript
@external("aurum", "log") declare function log(text: usize, length: u32): void; // for you to read on the bot's page
// @ts-ignore
@external("aurum", "chance") declare function chance(): u64; // the same numbers each time a match is played again

const GOLD: i32 = 50, KEEP: i32 = 59, STOP: i32 = 59, BID_OF: i32 = 60, SWAP: i32 = 64;
const POINTS: StaticArray<f64> = [0, 1, 1, 1, 2, 2, 2, 3, 3]; // what a gold card is worth
const BID_WORTH: f64 = 2.5;
const SIZE: u32 = 65536;
const BUFFER: usize = memory.data(65536, 8);

// The block's fields that this bot reads, at their offsets.
// @ts-ignore
@inline function legal(): u64 { return load<u64>(BUFFER, 32); }
// @ts-ignore
@inline function hand(): u64 { return load<u64>(BUFFER, 40); }
// @ts-ignore
@inline function supply(): u64 { return load<u64>(BUFFER, 56); }
// @ts-ignore
@inline function bidOf(seat: i32): i32 { return load<i8>(BUFFER + seat, 144); }
// @ts-ignore
@inline function sizeOf(seat: i32): i32 { return load<u8>(BUFFER + seat, 156); }
// @ts-ignore
@inline function tricksOf(seat: i32): i32 { return load<u8>(BUFFER + seat, 160); }
// @ts-ignore
@inline function players(): i32 { return load<u8>(BUFFER, 176); }
// @ts-ignore
@inline function sides(): i32 { return load<u8>(BUFFER, 177); }
// @ts-ignore
@inline function seat(): i32 { return load<u8>(BUFFER, 178); }
// @ts-ignore
@inline function phase(): i32 { return load<u8>(BUFFER, 179); }
// @ts-ignore
@inline function trickNumber(): i32 { return load<u8>(BUFFER, 184); }
// @ts-ignore
@inline function trickLength(): i32 { return load<u8>(BUFFER, 185); }
// @ts-ignore
@inline function highRank(): i32 { return load<u8>(BUFFER, 186); }
// @ts-ignore
@inline function highSeat(): i32 { return load<i8>(BUFFER, 187); }
// @ts-ignore
@inline function lowRank(): i32 { return load<u8>(BUFFER, 188); }
// @ts-ignore
@inline function counter(): i32 { return load<u16>(BUFFER, 196); }

function has(set: u64, bit: i32): bool { return (set >> bit & 1) == 1; }
function rankOf(card: i32): i32 { return card >= GOLD ? card - GOLD : card % 10 + 1; }
function distance(a: f64, b: f64): f64 { return a > b ? a - b : b - a; }

// How likely a metal of this rank is not beaten by so many others.
function holds(rank: i32, others: i32): f64 {
  let likely: f64 = 1.0;
  for (let i = 0; i < others; i++) likely *= <f64>rank / (players() == 4 ? 10.0 : 9.0);
  return likely;
}

function share(): f64 { return players() == 4 ? 0.8 : 1.0; }

// The tricks that the side may still win.
function expectedTricks(): f64 {
  let tricks: f64 = 0.0;
  for (let card = 0; card < GOLD; card++) if (has(hand(), card)) tricks += holds(rankOf(card), players() - 1);
  return players() == 4 ? tricks * share() + 0.25 * <f64>sizeOf((seat() + 2) % 4) : tricks;
}

// The higher bid of the side's seats but this one; -1 leaves none out.
function sideBid(except: i32 = -1): i32 {
  let bid = 0;
  for (let s = seat() % sides(); s < players(); s += sides())
    if (s != except && bidOf(s) >= 0) bid = max(bid, rankOf(bidOf(s)));
  return bid;
}

function chooseBid(expected: f64): i32 {
  let best = -1;
  for (let card = 0; card < GOLD; card++)
    if (has(legal(), card) &&
        (best < 0 || distance(<f64>rankOf(card), expected - 1.0) < distance(<f64>rankOf(best), expected - 1.0)))
      best = card;
  return best;
}

function chooseChange(expected: f64, won: f64): i32 {
  if (trickNumber() < 6) return KEEP;
  let gold = 0, best = KEEP;
  while (!has(legal(), GOLD + gold)) gold++;
  let least = distance(<f64>sideBid(), won + expected) - 0.5 - POINTS[gold];
  for (let owner = 0; owner < players(); owner++) {
    if (!has(legal(), BID_OF + owner)) continue;
    const other = sideBid(owner);
    for (let card = 0; card < GOLD; card++) {
      if (!has(legal(), card)) continue;
      const gap = distance(<f64>max(rankOf(card), other), won + expected);
      if (gap < least) {
        least = gap;
        best = SWAP + (gold * 4 + owner) * 50 + card;
      }
    }
  }
  return best;
}

// What playing this card is worth: gold won or spent, and how near the bid comes.
function valueOf(card: i32, expected: f64, won: f64, foes: i32): f64 {
  const rank = rankOf(card), after = players() - 1 - trickLength();
  const isOurs = trickLength() > 0 && highSeat() % sides() == seat() % sides();
  const beats = trickLength() == 0 || (card >= GOLD ? card : rank) >= highRank();
  let value: f64 = 0.0, win: f64;
  if (card >= GOLD) {
    win = foes > 0 ? 0.9 : 1.0;
    value -= POINTS[rank];
  } else {
    win = holds(rank, foes);
    if (rank <= 8 && has(supply(), GOLD + rank) && (trickLength() == 0 || rank <= lowRank())) {
      let low = POINTS[rank];
      for (let i = 0; i < after; i++) low *= 1.0 - <f64>(rank - 1) / 10.0;
      value += low;
    }
    expected -= holds(rank, players() - 1) * share();
  }
  if (!beats) win = isOurs ? holds(min(highRank(), 10), foes) : 0.0;
  const bid = <f64>sideBid();
  return value - BID_WORTH * (win * distance(bid, won + 1 + expected) + (1.0 - win) * distance(bid, won + expected));
}

function choosePlay(expected: f64, won: f64): i32 {
  let best = STOP, foes = 0, most: f64 = -1e9;
  for (let i = 1; i < players() - trickLength(); i++) foes += i32((seat() + i) % sides() != seat() % sides());
  for (let card = 0; card < STOP; card++) {
    if (!has(legal(), card)) continue;
    const value = valueOf(card, expected, won, foes);
    if (value > most) {
      most = value;
      best = card;
    }
  }
  if (has(legal(), STOP) && -BID_WORTH * distance(<f64>sideBid(), won) >= most) return STOP;
  return best;
}

// Where the league may put a block of so many bytes.
export function aurum_buffer(size: u32): usize { return size <= SIZE ? BUFFER : 0; }

// The number of the action that this seat takes; a block is in the buffer.
export function aurum_decide(length: u32): i32 {
  const expected = expectedTricks();
  let won: i32 = 0;
  for (let s = seat() % sides(); s < players(); s += sides()) won += tricksOf(s);
  if (counter() == 0) {
    const text = memory.data<u8>([97, 32, 110, 101, 119, 32, 109, 97, 116, 99, 104, 10]); // "a new match\n"
    log(text, 12);
  }
  if (phase() == 0) return chooseBid(expected);
  if (phase() == 1) return chooseChange(expected, <f64>won);
  return choosePlay(expected, <f64>won);
}
