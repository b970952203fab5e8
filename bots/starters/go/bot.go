// NAME: a bot for Aurum in Go. It looks one trick ahead and steers to its bid; it beats `greedy`. Make it better.
//
// Build:  tinygo build -target wasm-unknown -o NAME.wasm FILE       (TinyGo: what Go itself builds wants WASI, which is not here)
// The block's layout and the host interface: docs/WASM.md
package main

import "unsafe"

//go:wasmimport aurum log
func aurumLog(text unsafe.Pointer, length uint32) // for you to read on the bot's page

//go:wasmimport aurum chance
func aurumChance() uint64 // the same numbers each time a match is played again

const (
	gold     = 50
	keep     = 59
	stop     = 59
	bidOf    = 60
	swap     = 64
	bidWorth = 2.5
)

var points = [9]float64{0, 1, 1, 1, 2, 2, 2, 3, 3} // what a gold card is worth

type view struct {
	version, fixedSize                                uint16
	length                                            uint32
	chance, fuel, bank                                uint64
	legal, hand, setAside, supply, played, blocked    uint64 // sets of cards: bit 7 is B8, bit 50 is G0
	gold, known                                       [4]uint64
	bids, firstBids, trick                            [4]int8
	sizes, tricksWon, nuggets                         [4]uint8
	totals                                            [4]uint16
	players, sides, seat, phase, round, first, leader uint8
	turn                                              int8
	trickNumber, trickLength, highRank                uint8
	highSeat                                          int8
	lowRank                                           uint8
	lowSeat                                           int8
	supplyZeros, edition, zeroGold, scoring, decider  uint8
	finishedRounds                                    uint8
	counter, logCount                                 uint16
}

var buffer [8192]uint64
var v = (*view)(unsafe.Pointer(&buffer))

func has(set uint64, bit int) bool { return set>>uint(bit)&1 == 1 }

func rankOf(card int) int {
	if card >= gold {
		return card - gold
	}
	return card%10 + 1
}

func distance(a, b float64) float64 {
	if a > b {
		return a - b
	}
	return b - a
}

// How likely a metal of this rank is not beaten by so many others.
func holds(rank, others int) float64 {
	top, likely := 9.0, 1.0
	if v.players == 4 {
		top = 10.0
	}
	for i := 0; i < others; i++ {
		likely *= float64(rank) / top
	}
	return likely
}

func share() float64 {
	if v.players == 4 {
		return 0.8
	}
	return 1.0
}

// The tricks that the side may still win.
func expectedTricks() float64 {
	tricks := 0.0
	for card := 0; card < gold; card++ {
		if has(v.hand, card) {
			tricks += holds(rankOf(card), int(v.players)-1)
		}
	}
	if v.players != 4 {
		return tricks
	}
	return float64(tricks*share()) + float64(0.25*float64(v.sizes[(v.seat+2)%4]))
}

// The higher bid of the side's seats but this one; -1 leaves none out.
func sideBid(except int) int {
	bid := 0
	for seat := int(v.seat % v.sides); seat < int(v.players); seat += int(v.sides) {
		if seat != except && v.bids[seat] >= 0 {
			bid = max(bid, rankOf(int(v.bids[seat])))
		}
	}
	return bid
}

func chooseBid(expected float64) int {
	best := -1
	gap := func(card int) float64 { return distance(float64(rankOf(card)), expected-1.0) }
	for card := 0; card < gold; card++ {
		if has(v.legal, card) && (best < 0 || gap(card) < gap(best)) {
			best = card
		}
	}
	return best
}

func chooseChange(expected, won float64) int {
	if v.trickNumber < 6 {
		return keep
	}
	spent, best := 0, keep
	for !has(v.legal, gold+spent) {
		spent++
	}
	least := distance(float64(sideBid(-1)), won+expected) - 0.5 - points[spent]
	for owner := 0; owner < int(v.players); owner++ {
		if !has(v.legal, bidOf+owner) {
			continue
		}
		other := sideBid(owner)
		for card := 0; card < gold; card++ {
			if !has(v.legal, card) {
				continue
			}
			if gap := distance(float64(max(rankOf(card), other)), won+expected); gap < least {
				least, best = gap, swap+(spent*4+owner)*50+card
			}
		}
	}
	return best
}

// What playing this card is worth: gold won or spent, and how near the bid comes.
func valueOf(card int, expected, won float64, foes int) float64 {
	rank, after, leads := rankOf(card), int(v.players-1-v.trickLength), v.trickLength == 0
	strength := rank
	if card >= gold {
		strength = card
	}
	value, win := 0.0, 1.0
	if card >= gold {
		if foes > 0 {
			win = 0.9
		}
		value -= points[rank]
	} else {
		win = holds(rank, foes)
		if rank <= 8 && has(v.supply, gold+rank) && (leads || rank <= int(v.lowRank)) {
			low := points[rank]
			for i := 0; i < after; i++ {
				low *= 1.0 - float64(rank-1)/10.0
			}
			value += low
		}
		expected -= float64(holds(rank, int(v.players)-1) * share())
	}
	if !leads && strength < int(v.highRank) {
		win = 0.0
		if uint8(v.highSeat)%v.sides == v.seat%v.sides {
			win = holds(min(int(v.highRank), 10), foes)
		}
	}
	bid := float64(sideBid(-1))
	more, same := distance(bid, won+1+expected), distance(bid, won+expected)
	return value - float64(bidWorth*(float64(win*more)+float64((1.0-win)*same)))
}

func choosePlay(expected, won float64) int {
	best, foes, most := stop, 0, -1e9
	for i := uint8(1); i < v.players-v.trickLength; i++ {
		if (v.seat+i)%v.sides != v.seat%v.sides {
			foes++
		}
	}
	for card := 0; card < stop; card++ {
		if !has(v.legal, card) {
			continue
		}
		if value := valueOf(card, expected, won, foes); value > most {
			most, best = value, card
		}
	}
	if has(v.legal, stop) && -bidWorth*distance(float64(sideBid(-1)), won) >= most {
		return stop
	}
	return best
}

// Where the league may put a block of so many bytes.
//
//go:wasmexport aurum_buffer
func aurumBuffer(size uint32) unsafe.Pointer {
	if size > uint32(unsafe.Sizeof(buffer)) {
		return nil
	}
	return unsafe.Pointer(&buffer)
}

// The number of the action that this seat takes; a block is in the buffer.
//
//go:wasmexport aurum_decide
func aurumDecide(length uint32) int32 {
	expected, won := expectedTricks(), 0.0
	for seat := int(v.seat % v.sides); seat < int(v.players); seat += int(v.sides) {
		won += float64(v.tricksWon[seat])
	}
	if v.counter == 0 {
		text := []byte("a new match\n")
		aurumLog(unsafe.Pointer(&text[0]), uint32(len(text)))
	}
	switch v.phase {
	case 0:
		return int32(chooseBid(expected))
	case 1:
		return int32(chooseChange(expected, won))
	}
	return int32(choosePlay(expected, won))
}

func main() {}
