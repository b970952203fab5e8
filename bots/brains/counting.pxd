# C types for counting.py; it decides nothing.
cimport cython
from bots.brains.tally cimport Tally, cards_below, count_cards, gold_value, part_of
from games.rules.round cimport Round
from games.rules.scoring cimport bid_points, side_total

cdef int BID, CHANGE, GOLD, KEEP, STOP, BID_OF, SWAP, FIRST_CHANGE
cdef unsigned long long ONE, SUIT_BITS, GOLD_MASK
cdef double CHANGE_MARGIN, CHANGE_PATIENCE, STOP_WORTH


cpdef int choose_action(Tally tally, Round round_, int seat, unsigned long long gone) noexcept
@cython.locals(hand=cython.ulonglong, left=double, best=int, best_value=double, card=int, rank=int, bid=int, own=double, value=double)
cpdef int choose_bid(Tally tally, Round round_, int seat) noexcept
@cython.locals(hand=cython.ulonglong, left=double, best=int, best_value=double, card=int, rank=int, bid=int, own=double, value=double,
               gold=int, cost=double, bid_of=int, old=int, partner=int)
cpdef int choose_change(Tally tally, Round round_, int seat) noexcept
@cython.locals(best=int, best_value=double, action=int, value=double)
cpdef int choose_play(Tally tally, Round round_) noexcept
@cython.locals(own=int, best=int, side=int, total=int, points=int)
cdef double stop_value(Tally tally, Round round_) noexcept
@cython.locals(own=double, value=double, left=double, win=double, more=double)
cdef double play_value(Tally tally, Round round_, int action) noexcept
cdef double low_gain(Round round_, int rank) noexcept
@cython.locals(rank=int, free=cython.ulonglong, total=int, share=double, chance=double, _=int)
cdef double low_chance(Tally tally, Round round_, int card) noexcept
@cython.locals(free=cython.ulonglong, strength=int, ours=bint, higher=double, total=int, holds=double, rescue=double, place=int,
               other=int, side=int, beats=double)
cdef double win_chance(Tally tally, Round round_, int action) noexcept
@cython.locals(metal=double, trump=double)
cdef double beat_chance(bint wants, unsigned long long golds, int strength, double higher) noexcept
