// NAME: a bot for Aurum in C. It looks one trick ahead and steers to its bid; it beats `greedy`. Make it better.
//
// Build:  python -m ziglang cc -target wasm32-freestanding -O2 -nostdlib -Wl,--no-entry -o NAME.wasm FILE
//    or:  clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry -o NAME.wasm FILE
// The block's layout and the host interface: docs/WASM.md

#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define IMPORT(name) __attribute__((import_module("aurum"), import_name(#name)))

IMPORT(log) void aurum_log(const char *text, uint32_t length);  // for you to read on the bot's page
IMPORT(chance) uint64_t aurum_chance(void);                     // the same numbers each time a match is played again

typedef struct {
    uint16_t version, fixed_size;
    uint32_t length;
    uint64_t chance, fuel, bank;
    uint64_t legal, hand, set_aside, supply, played, blocked;  // sets of cards: bit 7 is B8, bit 50 is G0
    uint64_t gold[4], known[4];
    int8_t bids[4], first_bids[4], trick[4];
    uint8_t sizes[4], tricks_won[4], nuggets[4];
    uint16_t totals[4];
    uint8_t players, sides, seat, phase, round, first_seat, leader;
    int8_t turn;
    uint8_t trick_number, trick_length, high_rank;
    int8_t high_seat;
    uint8_t low_rank;
    int8_t low_seat;
    uint8_t supply_zeros, edition, zero_gold, scoring, decider, finished_rounds;
    uint16_t counter, log_count;
} View;

enum { BID, CHANGE, PLAY };
enum { GOLD = 50, KEEP = 59, STOP = 59, BID_OF = 60, SWAP = 64 };

static const double POINTS[] = {0, 1, 1, 1, 2, 2, 2, 3, 3};  // what a gold card is worth
static const double BID_WORTH = 2.5;
static union { View view; uint8_t bytes[65536]; } buffer;

static int rank_of(int card) { return card >= GOLD ? card - GOLD : card % 10 + 1; }
static int has(uint64_t set, int bit) { return set >> bit & 1; }
static double distance(double a, double b) { return a > b ? a - b : b - a; }

// How likely a metal of this rank is not beaten by so many others.
static double holds(const View *v, int rank, int others) {
    double chance = 1.0;
    for (int i = 0; i < others; i++) chance *= rank / (v->players == 4 ? 10.0 : 9.0);
    return chance;
}

static double share(const View *v) { return v->players == 4 ? 0.8 : 1.0; }

// The tricks that the side may still win.
static double expected_tricks(const View *v) {
    double tricks = 0.0;
    for (int card = 0; card < GOLD; card++)
        if (has(v->hand, card)) tricks += holds(v, rank_of(card), v->players - 1);
    return v->players == 4 ? tricks * share(v) + 0.25 * v->sizes[(v->seat + 2) % 4] : tricks;
}

// The higher bid of the side's seats but this one; -1 leaves none out.
static int side_bid(const View *v, int except) {
    int bid = 0;
    for (int seat = v->seat % v->sides; seat < v->players; seat += v->sides)
        if (seat != except && v->bids[seat] >= 0 && rank_of(v->bids[seat]) > bid) bid = rank_of(v->bids[seat]);
    return bid;
}

static int choose_bid(const View *v, double expected) {
    int best = -1;
    for (int card = 0; card < GOLD; card++)
        if (has(v->legal, card) &&
            (best < 0 || distance(rank_of(card), expected - 1.0) < distance(rank_of(best), expected - 1.0)))
            best = card;
    return best;
}

static int choose_change(const View *v, double expected, int won) {
    if (v->trick_number < 6) return KEEP;
    int gold = 0, best = KEEP;
    while (!has(v->legal, GOLD + gold)) gold++;
    double least = distance(side_bid(v, -1), won + expected) - 0.5 - POINTS[gold];
    for (int bid_of = 0; bid_of < v->players; bid_of++) {
        if (!has(v->legal, BID_OF + bid_of)) continue;
        int other = side_bid(v, bid_of);
        for (int card = 0; card < GOLD; card++) {
            if (!has(v->legal, card)) continue;
            int bid = rank_of(card) > other ? rank_of(card) : other;
            double gap = distance(bid, won + expected);
            if (gap < least) least = gap, best = SWAP + (gold * 4 + bid_of) * 50 + card;
        }
    }
    return best;
}

// What playing this card is worth: gold won or spent, and how near the bid comes.
static double value_of(const View *v, int card, double expected, int won, int foes) {
    int rank = rank_of(card), after = v->players - 1 - v->trick_length;
    int is_ours = v->trick_length > 0 && v->high_seat % v->sides == v->seat % v->sides;
    int beats = v->trick_length == 0 || (card >= GOLD ? card : rank) >= v->high_rank;
    double value = 0.0, win;
    if (card >= GOLD) {
        win = foes ? 0.9 : 1.0;
        value -= POINTS[rank];
    } else {
        win = holds(v, rank, foes);
        if (rank <= 8 && has(v->supply, GOLD + rank) && (v->trick_length == 0 || rank <= v->low_rank)) {
            double low = POINTS[rank];
            for (int i = 0; i < after; i++) low *= 1.0 - (rank - 1) / 10.0;
            value += low;
        }
        expected -= holds(v, rank, v->players - 1) * share(v);
    }
    if (!beats) win = is_ours ? holds(v, v->high_rank < 10 ? v->high_rank : 10, foes) : 0.0;
    double bid = side_bid(v, -1);
    return value - BID_WORTH * (win * distance(bid, won + 1 + expected) + (1.0 - win) * distance(bid, won + expected));
}

static int choose_play(const View *v, double expected, int won) {
    int best = STOP, foes = 0;
    double most = -1e9;
    for (int i = 1; i < v->players - v->trick_length; i++) foes += (v->seat + i) % v->sides != v->seat % v->sides;
    for (int card = 0; card < STOP; card++) {
        if (!has(v->legal, card)) continue;
        double value = value_of(v, card, expected, won, foes);
        if (value > most) most = value, best = card;
    }
    if (has(v->legal, STOP) && -BID_WORTH * distance(side_bid(v, -1), won) >= most) return STOP;
    return best;
}

// Where the league may put a block of so many bytes.
EXPORT(aurum_buffer) uint8_t *aurum_buffer(uint32_t size) { return size <= sizeof buffer ? buffer.bytes : 0; }

// The number of the action that this seat takes; a block is in the buffer.
EXPORT(aurum_decide) int32_t aurum_decide(uint32_t length) {
    const View *v = &buffer.view;
    double expected = expected_tricks(v);
    int won = 0;
    for (int seat = v->seat % v->sides; seat < v->players; seat += v->sides) won += v->tricks_won[seat];
    if (v->counter == 0) aurum_log("a new match\n", 12);
    if (v->phase == BID) return choose_bid(v, expected);
    if (v->phase == CHANGE) return choose_change(v, expected, won);
    return choose_play(v, expected, won);
}
