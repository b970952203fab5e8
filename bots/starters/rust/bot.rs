// NAME: a bot for Aurum in Rust. It looks one trick ahead and steers to its bid; it beats `greedy`. Make it better.
//
// Build:  rustup target add wasm32-unknown-unknown                               (once; Debian: libstd-rust-dev-wasm32)
//         rustc --edition 2021 --target wasm32-unknown-unknown --crate-type cdylib -O -C strip=symbols -o NAME.wasm FILE
// The block's layout and the host interface: docs/WASM.md

#[allow(dead_code)]
mod aurum {
    #[link(wasm_import_module = "aurum")]
    extern "C" {
        pub fn log(text: *const u8, length: u32); // for you to read on the bot's page
        pub fn chance() -> u64; // the same numbers each time a match is played again
    }
}

const GOLD: usize = 50;
const KEEP: usize = 59;
const STOP: usize = 59;
const BID_OF: usize = 60;
const SWAP: usize = 64;
const POINTS: [f64; 9] = [0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0]; // what a gold card is worth
const BID_WORTH: f64 = 2.5;

#[allow(dead_code)]
#[repr(C)]
struct View {
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
    gold: [u64; 4],
    known: [u64; 4],
    bids: [i8; 4],
    first_bids: [i8; 4],
    trick: [i8; 4],
    sizes: [u8; 4],
    tricks_won: [u8; 4],
    nuggets: [u8; 4],
    totals: [u16; 4],
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
}

fn has(set: u64, bit: usize) -> bool {
    set >> bit & 1 == 1
}

fn rank_of(card: usize) -> usize {
    if card >= GOLD { card - GOLD } else { card % 10 + 1 }
}

fn distance(a: f64, b: f64) -> f64 {
    if a > b { a - b } else { b - a }
}

struct Bot<'a> {
    v: &'a View,
    expected: f64,
    won: f64,
}

impl View {
    fn own_seats(&self) -> impl Iterator<Item = usize> {
        ((self.seat % self.sides) as usize..self.players as usize).step_by(self.sides as usize)
    }

    // How likely a metal of this rank is not beaten by so many others.
    fn holds(&self, rank: usize, others: usize) -> f64 {
        let top = if self.players == 4 { 10.0 } else { 9.0 };
        (0..others).fold(1.0, |chance, _| chance * (rank as f64 / top))
    }

    fn share(&self) -> f64 {
        if self.players == 4 { 0.8 } else { 1.0 }
    }

    // The tricks that the side may still win.
    fn expected_tricks(&self) -> f64 {
        let others = self.players as usize - 1;
        let cards = (0..GOLD).filter(|&card| has(self.hand, card));
        let tricks = cards.fold(0.0, |tricks, card| tricks + self.holds(rank_of(card), others));
        if self.players != 4 {
            return tricks;
        }
        tricks * self.share() + 0.25 * self.sizes[(self.seat as usize + 2) % 4] as f64
    }

    // The higher bid of the side's seats but this one.
    fn side_bid(&self, except: Option<usize>) -> usize {
        let others = self.own_seats().filter(|&seat| Some(seat) != except && self.bids[seat] >= 0);
        others.map(|seat| rank_of(self.bids[seat] as usize)).max().unwrap_or(0)
    }
}

impl Bot<'_> {
    fn choose_bid(&self) -> usize {
        let gap = |card: usize| distance(rank_of(card) as f64, self.expected - 1.0);
        let cards = (0..GOLD).filter(|&card| has(self.v.legal, card));
        cards.reduce(|best, card| if gap(card) < gap(best) { card } else { best }).unwrap()
    }

    fn choose_change(&self) -> usize {
        let v = self.v;
        if v.trick_number < 6 {
            return KEEP;
        }
        let goal = self.won + self.expected;
        let gold = (0..9).find(|&gold| has(v.legal, GOLD + gold)).unwrap();
        let mut best = KEEP;
        let mut least = distance(v.side_bid(None) as f64, goal) - 0.5 - POINTS[gold];
        for bid_of in (0..v.players as usize).filter(|&seat| has(v.legal, BID_OF + seat)) {
            let other = v.side_bid(Some(bid_of));
            for card in (0..GOLD).filter(|&card| has(v.legal, card)) {
                let gap = distance(rank_of(card).max(other) as f64, goal);
                if gap < least {
                    least = gap;
                    best = SWAP + (gold * 4 + bid_of) * 50 + card;
                }
            }
        }
        best
    }

    // What playing this card is worth: gold won or spent, and how near the bid comes.
    fn value_of(&self, card: usize, foes: usize) -> f64 {
        let v = self.v;
        let rank = rank_of(card);
        let leads = v.trick_length == 0;
        let is_ours = !leads && v.high_seat as u8 % v.sides == v.seat % v.sides;
        let beats = leads || (if card >= GOLD { card } else { rank }) >= v.high_rank as usize;
        let (mut value, mut left) = (0.0, self.expected);
        let mut win;
        if card >= GOLD {
            win = if foes > 0 { 0.9 } else { 1.0 };
            value -= POINTS[rank];
        } else {
            win = v.holds(rank, foes);
            if rank <= 8 && has(v.supply, GOLD + rank) && (leads || rank <= v.low_rank as usize) {
                let after = v.players - 1 - v.trick_length;
                value += (0..after).fold(POINTS[rank], |low, _| low * (1.0 - (rank - 1) as f64 / 10.0));
            }
            left -= v.holds(rank, v.players as usize - 1) * v.share();
        }
        if !beats {
            win = if is_ours { v.holds((v.high_rank as usize).min(10), foes) } else { 0.0 };
        }
        let bid = v.side_bid(None) as f64;
        let (more, same) = (distance(bid, self.won + 1.0 + left), distance(bid, self.won + left));
        value - BID_WORTH * (win * more + (1.0 - win) * same)
    }

    fn choose_play(&self) -> usize {
        let v = self.v;
        let after = 1..v.players - v.trick_length;
        let foes = after.filter(|i| (v.seat + i) % v.sides != v.seat % v.sides).count();
        let (mut best, mut most) = (STOP, -1e9);
        for card in (0..STOP).filter(|&card| has(v.legal, card)) {
            let value = self.value_of(card, foes);
            if value > most {
                most = value;
                best = card;
            }
        }
        let stopped = -BID_WORTH * distance(v.side_bid(None) as f64, self.won);
        if has(v.legal, STOP) && stopped >= most { STOP } else { best }
    }
}

#[repr(C, align(8))]
struct Buffer([u8; 65536]);
static mut BUFFER: Buffer = Buffer([0; 65536]);

/// Where the league may put a block of so many bytes.
#[no_mangle]
pub extern "C" fn aurum_buffer(size: u32) -> *mut u8 {
    if size <= 65536 { unsafe { core::ptr::addr_of_mut!(BUFFER) as *mut u8 } } else { core::ptr::null_mut() }
}

/// The number of the action that this seat takes; a block is in the buffer.
#[no_mangle]
pub extern "C" fn aurum_decide(_length: u32) -> i32 {
    let v = unsafe { &*(core::ptr::addr_of!(BUFFER) as *const View) };
    let won = v.own_seats().map(|seat| v.tricks_won[seat] as f64).sum();
    let bot = Bot { v, expected: v.expected_tricks(), won };
    if v.counter == 0 {
        let text = "a new match\n";
        unsafe { aurum::log(text.as_ptr(), text.len() as u32) };
    }
    (match v.phase {
        0 => bot.choose_bid(),
        1 => bot.choose_change(),
        _ => bot.choose_play(),
    }) as i32
}
