// NAME: a bot for Aurum in C++. It looks one trick ahead and steers to its bid; it beats `greedy`. Make it better.
//
// Build:  python -m ziglang c++ -target wasm32-freestanding -std=c++20 -O2 -nostdlib -fno-exceptions -fno-rtti
//             -Wl,--no-entry -o NAME.wasm FILE                                          (one line; or clang++ --target=wasm32)
// The block's layout and the host interface: docs/WASM.md

#include <stdint.h>

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))
#define IMPORT(name) extern "C" __attribute__((import_module("aurum"), import_name(#name)))

IMPORT(log) void aurum_log(const char *text, uint32_t length);  // for you to read on the bot's page
IMPORT(chance) uint64_t aurum_chance();                         // the same numbers each time a match is played again

constexpr int GOLD = 50, KEEP = 59, STOP = 59, BID_OF = 60, SWAP = 64;
constexpr double POINTS[] = {0, 1, 1, 1, 2, 2, 2, 3, 3};  // what a gold card is worth
constexpr double BID_WORTH = 2.5;

constexpr int rank_of(int card) { return card >= GOLD ? card - GOLD : card % 10 + 1; }
constexpr bool has(uint64_t set, int bit) { return set >> bit & 1; }
constexpr double distance(double a, double b) { return a > b ? a - b : b - a; }

struct View {
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
};
static_assert(sizeof(View) == 200);

class Bot {
  public:
    explicit Bot(const View &view) : v(view), expected(expected_tricks()) {
        for (int seat = v.seat % v.sides; seat < v.players; seat += v.sides) won += v.tricks_won[seat];
    }

    int choose() const {
        if (v.phase == 0) return choose_bid();
        return v.phase == 1 ? choose_change() : choose_play();
    }

  private:
    const View &v;
    double expected;
    int won = 0;

    // How likely a metal of this rank is not beaten by so many others.
    double holds(int rank, int others) const {
        double chance = 1.0;
        for (int i = 0; i < others; i++) chance *= rank / (v.players == 4 ? 10.0 : 9.0);
        return chance;
    }

    double share() const { return v.players == 4 ? 0.8 : 1.0; }

    // The tricks that the side may still win.
    double expected_tricks() const {
        double tricks = 0.0;
        for (int card = 0; card < GOLD; card++)
            if (has(v.hand, card)) tricks += holds(rank_of(card), v.players - 1);
        return v.players == 4 ? tricks * share() + 0.25 * v.sizes[(v.seat + 2) % 4] : tricks;
    }

    // The higher bid of the side's seats but this one; -1 leaves none out.
    int side_bid(int except = -1) const {
        int bid = 0;
        for (int seat = v.seat % v.sides; seat < v.players; seat += v.sides)
            if (seat != except && v.bids[seat] >= 0 && rank_of(v.bids[seat]) > bid) bid = rank_of(v.bids[seat]);
        return bid;
    }

    int choose_bid() const {
        int best = -1;
        for (int card = 0; card < GOLD; card++)
            if (has(v.legal, card) &&
                (best < 0 || distance(rank_of(card), expected - 1.0) < distance(rank_of(best), expected - 1.0)))
                best = card;
        return best;
    }

    int choose_change() const {
        if (v.trick_number < 6) return KEEP;
        int gold = 0, best = KEEP;
        while (!has(v.legal, GOLD + gold)) gold++;
        double least = distance(side_bid(), won + expected) - 0.5 - POINTS[gold];
        for (int bid_of = 0; bid_of < v.players; bid_of++) {
            if (!has(v.legal, BID_OF + bid_of)) continue;
            const int other = side_bid(bid_of);
            for (int card = 0; card < GOLD; card++) {
                if (!has(v.legal, card)) continue;
                const int bid = rank_of(card) > other ? rank_of(card) : other;
                const double gap = distance(bid, won + expected);
                if (gap < least) least = gap, best = SWAP + (gold * 4 + bid_of) * 50 + card;
            }
        }
        return best;
    }

    // What playing this card is worth: gold won or spent, and how near the bid comes.
    double value_of(int card, int foes) const {
        const int rank = rank_of(card), after = v.players - 1 - v.trick_length;
        const bool is_ours = v.trick_length > 0 && v.high_seat % v.sides == v.seat % v.sides;
        const bool beats = v.trick_length == 0 || (card >= GOLD ? card : rank) >= v.high_rank;
        double value = 0.0, win, left = expected;
        if (card >= GOLD) {
            win = foes ? 0.9 : 1.0;
            value -= POINTS[rank];
        } else {
            win = holds(rank, foes);
            if (rank <= 8 && has(v.supply, GOLD + rank) && (v.trick_length == 0 || rank <= v.low_rank)) {
                double low = POINTS[rank];
                for (int i = 0; i < after; i++) low *= 1.0 - (rank - 1) / 10.0;
                value += low;
            }
            left -= holds(rank, v.players - 1) * share();
        }
        if (!beats) win = is_ours ? holds(v.high_rank < 10 ? v.high_rank : 10, foes) : 0.0;
        const double bid = side_bid();
        return value - BID_WORTH * (win * distance(bid, won + 1 + left) + (1.0 - win) * distance(bid, won + left));
    }

    int choose_play() const {
        int best = STOP, foes = 0;
        double most = -1e9;
        for (int i = 1; i < v.players - v.trick_length; i++) foes += (v.seat + i) % v.sides != v.seat % v.sides;
        for (int card = 0; card < STOP; card++) {
            if (!has(v.legal, card)) continue;
            const double value = value_of(card, foes);
            if (value > most) most = value, best = card;
        }
        if (has(v.legal, STOP) && -BID_WORTH * distance(side_bid(), won) >= most) return STOP;
        return best;
    }
};

static union { View view; uint8_t bytes[65536]; } buffer;

// Where the league may put a block of so many bytes.
EXPORT(aurum_buffer) uint8_t *aurum_buffer(uint32_t size) { return size <= sizeof buffer ? buffer.bytes : nullptr; }

// The number of the action that this seat takes; a block is in the buffer.
EXPORT(aurum_decide) int32_t aurum_decide(uint32_t) {
    if (buffer.view.counter == 0) aurum_log("a new match\n", 12);
    return Bot(buffer.view).choose();
}
