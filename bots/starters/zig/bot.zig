// NAME: a bot for Aurum in Zig. It looks one trick ahead and steers to its bid; it beats `greedy`. Make it better.
//
// Build:  python -m ziglang build-exe FILE -target wasm32-freestanding -O ReleaseSmall -fno-entry -rdynamic -femit-bin=NAME.wasm
// The block's layout and the host interface: docs/WASM.md

extern "aurum" fn log(text: [*]const u8, length: u32) void; // for you to read on the bot's page
extern "aurum" fn chance() u64; // the same numbers each time a match is played again

const gold_card: u6 = 50;
const keep: i32 = 59;
const stop: u6 = 59;
const bid_of_bit: u6 = 60;
const swap: i32 = 64;
const points = [_]f64{ 0, 1, 1, 1, 2, 2, 2, 3, 3 }; // what a gold card is worth
const bid_worth: f64 = 2.5;

const View = extern struct {
    version: u16,
    fixed_size: u16,
    length: u32,
    chance: u64,
    fuel: u64,
    bank: u64,
    legal: u64, // sets of cards: bit 7 is B8, bit 50 is G0
    hand: u64,
    set_aside: u64,
    supply: u64,
    played: u64,
    blocked: u64,
    gold: [4]u64,
    known: [4]u64,
    bids: [4]i8,
    first_bids: [4]i8,
    trick: [4]i8,
    sizes: [4]u8,
    tricks_won: [4]u8,
    nuggets: [4]u8,
    totals: [4]u16,
    players: u8,
    sides: u8,
    seat: u8,
    phase: u8,
    round: u8,
    first_seat: u8,
    leader: u8,
    turn: i8,
    trick_number: u8,
    trick_length: u8,
    high_rank: u8,
    high_seat: i8,
    low_rank: u8,
    low_seat: i8,
    supply_zeros: u8,
    edition: u8,
    zero_gold: u8,
    scoring: u8,
    decider: u8,
    finished_rounds: u8,
    counter: u16,
    log_count: u16,
};

var buffer: [65536]u8 align(8) = undefined;

fn has(set: u64, bit: u6) bool {
    return set >> bit & 1 == 1;
}

fn rankOf(card: i32) i32 {
    return if (card >= gold_card) card - gold_card else @rem(card, 10) + 1;
}

fn distance(a: f64, b: f64) f64 {
    return if (a > b) a - b else b - a;
}

fn real(number: i32) f64 {
    return @floatFromInt(number);
}

// How likely a metal of this rank is not beaten by so many others.
fn holds(v: *const View, rank: i32, others: i32) f64 {
    var likely: f64 = 1.0;
    var i: i32 = 0;
    while (i < others) : (i += 1) likely *= real(rank) / @as(f64, if (v.players == 4) 10.0 else 9.0);
    return likely;
}

fn share(v: *const View) f64 {
    return if (v.players == 4) 0.8 else 1.0;
}

// The tricks that the side may still win.
fn expectedTricks(v: *const View) f64 {
    var tricks: f64 = 0.0;
    var card: u6 = 0;
    while (card < gold_card) : (card += 1) {
        if (has(v.hand, card)) tricks += holds(v, rankOf(card), v.players - 1);
    }
    return if (v.players == 4) tricks * share(v) + 0.25 * real(v.sizes[(v.seat + 2) % 4]) else tricks;
}

// The higher bid of the side's seats but this one; 9 leaves none out.
fn sideBid(v: *const View, except: usize) i32 {
    var bid: i32 = 0;
    var seat: usize = v.seat % v.sides;
    while (seat < v.players) : (seat += v.sides) {
        if (seat != except and v.bids[seat] >= 0) bid = @max(bid, rankOf(v.bids[seat]));
    }
    return bid;
}

fn chooseBid(v: *const View, expected: f64) i32 {
    var best: i32 = -1;
    var card: u6 = 0;
    while (card < gold_card) : (card += 1) {
        if (!has(v.legal, card)) continue;
        if (best < 0 or distance(real(rankOf(card)), expected - 1.0) < distance(real(rankOf(best)), expected - 1.0))
            best = card;
    }
    return best;
}

fn chooseChange(v: *const View, expected: f64, won: f64) i32 {
    if (v.trick_number < 6) return keep;
    var gold: u6 = 0;
    while (!has(v.legal, gold_card + gold)) gold += 1;
    var best = keep;
    var least = distance(real(sideBid(v, 9)), won + expected) - 0.5 - points[gold];
    var bid_of: u6 = 0;
    while (bid_of < v.players) : (bid_of += 1) {
        // Bit 63 is the last one, which a counter of six bits may reach but not pass.
        if (v.legal >> bid_of_bit >> bid_of & 1 == 0) continue;
        const other = sideBid(v, bid_of);
        var card: u6 = 0;
        while (card < gold_card) : (card += 1) {
            if (!has(v.legal, card)) continue;
            const gap = distance(real(@max(rankOf(card), other)), won + expected);
            if (gap < least) {
                least = gap;
                best = swap + (@as(i32, gold) * 4 + bid_of) * 50 + card;
            }
        }
    }
    return best;
}

// What playing this card is worth: gold won or spent, and how near the bid comes.
fn valueOf(v: *const View, card: u6, expected: f64, won: f64, foes: i32) f64 {
    const rank = rankOf(card);
    const after = v.players - 1 - v.trick_length;
    const is_ours = v.trick_length > 0 and @as(u8, @intCast(v.high_seat)) % v.sides == v.seat % v.sides;
    const beats = v.trick_length == 0 or (if (card >= gold_card) @as(i32, card) else rank) >= v.high_rank;
    var value: f64 = 0.0;
    var win: f64 = undefined;
    var left = expected;
    if (card >= gold_card) {
        win = if (foes > 0) 0.9 else 1.0;
        value -= points[@intCast(rank)];
    } else {
        win = holds(v, rank, foes);
        const in_supply = rank <= 8 and has(v.supply, @intCast(gold_card + rank));
        if (in_supply and (v.trick_length == 0 or rank <= v.low_rank)) {
            var low = points[@intCast(rank)];
            var i: u8 = 0;
            while (i < after) : (i += 1) low *= 1.0 - real(rank - 1) / 10.0;
            value += low;
        }
        left -= holds(v, rank, v.players - 1) * share(v);
    }
    if (!beats) win = if (is_ours) holds(v, @min(v.high_rank, 10), foes) else 0.0;
    const bid = real(sideBid(v, 9));
    return value - bid_worth * (win * distance(bid, won + 1 + left) + (1.0 - win) * distance(bid, won + left));
}

fn choosePlay(v: *const View, expected: f64, won: f64) i32 {
    var best: i32 = stop;
    var most: f64 = -1e9;
    var foes: i32 = 0;
    var i: u8 = 1;
    while (i < v.players - v.trick_length) : (i += 1) {
        if ((v.seat + i) % v.sides != v.seat % v.sides) foes += 1;
    }
    var card: u6 = 0;
    while (card < stop) : (card += 1) {
        if (!has(v.legal, card)) continue;
        const value = valueOf(v, card, expected, won, foes);
        if (value > most) {
            most = value;
            best = card;
        }
    }
    if (has(v.legal, stop) and -bid_worth * distance(real(sideBid(v, 9)), won) >= most) return stop;
    return best;
}

// Where the league may put a block of so many bytes.
export fn aurum_buffer(size: u32) ?[*]u8 {
    return if (size <= buffer.len) &buffer else null;
}

// The number of the action that this seat takes; a block is in the buffer.
export fn aurum_decide(_: u32) i32 {
    const v: *const View = @ptrCast(&buffer);
    const expected = expectedTricks(v);
    var tricks: i32 = 0;
    var seat: usize = v.seat % v.sides;
    while (seat < v.players) : (seat += v.sides) tricks += v.tricks_won[seat];
    if (v.counter == 0) log("a new match\n", 12);
    return switch (v.phase) {
        0 => chooseBid(v, expected),
        1 => chooseChange(v, expected, real(tricks)),
        else => choosePlay(v, expected, real(tricks)),
    };
}
