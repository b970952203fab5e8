# C types for features.py; it decides nothing.
cimport cython
from bots.brains.counting cimport choose_action
from bots.brains.tally cimport Tally, cards_below, count_cards
from games.rules.round cimport Round
from games.rules.scoring cimport side_bid, side_gold_points, side_tricks

cdef int BID, CHANGE, GOLD, KEEP, STOP, SWAP
cdef unsigned long long ONE, SUIT_BITS, SUIT_ONES
cdef int PHASE, TRICK_NUMBER, TRICK_LENGTH, LEADER, BLOCKED, HIGH, HIGH_SEAT, LOW, LOW_SEAT, LOW_GOLD, SUPPLY, SEATS
cdef int BID_RANK, TRICKS, SIZE, GOLDS, A_SEAT, SIDES, NEED, GOLD_POINTS, A_SIDE, CONTEXT
cdef int HAND, HAND_RANKS, UNSEEN, UNSEEN_RANKS, KNOWN, EXPECTED, BEYOND, LAYS, PLAYS, SPENDS, KEEPS, STOPS, PARTNERS
cdef int NEW_RANK, OLD_RANK, NEW_NEED, NEW_BEYOND, LEADS_NOW, LOW_NOW, WOULD_TAKE, BEATEN_BY, BELOW_IT, FAVOURITE
cdef int HANDS, HANDS_RANKS, HISTORY
cdef int FEW[51]


@cython.final
cdef class Features:
    cdef readonly int active[400]
    cdef readonly int place[5]
    cdef readonly int context[96]
    cdef readonly int context_counts[4]
    cdef readonly int count, own_count, favourite
    cdef readonly Tally tally

    @cython.locals(place=int)
    cpdef int set_context(self, int side, list told) except -1
    cdef void add(self, int feature) noexcept
    @cython.locals(place=int)
    cpdef int write(self, short[::1] told) except -1
    @cython.locals(keys=int[5], suit=int, held=int, place=int, other=int)
    cdef void order_suits(self, unsigned long long hand) noexcept
    @cython.locals(card=int)
    cdef void add_cards(self, int start, unsigned long long cards) noexcept
    @cython.locals(rank=int, number=int)
    cdef void add_ranks(self, int start, unsigned long long cards) noexcept
    @cython.locals(rank=int)
    cdef void add_golds(self, int start, unsigned long long golds) noexcept
    @cython.locals(players=int, suit=int, high=int, step=int)
    cdef void add_table(self, Round round_, int seat) noexcept
    @cython.locals(bid=int, tricks=int, size=int)
    cdef void add_seat(self, Round round_, int start, int other) noexcept
    @cython.locals(sides=int, step=int, side=int, start=int, need=int, points=int, place=int)
    cdef void add_sides(self, Round round_, int seat) noexcept
    @cython.locals(hand=cython.ulonglong, step=int, known=cython.ulonglong, rank=int, more=double, need=int)
    cpdef void look(self, Round round_, int seat, unsigned long long gone) noexcept
    @cython.locals(step=int)
    cpdef int recall(self, Round round_, int seat, list played) except -1
    @cython.locals(rank=int)
    cpdef void add_action(self, Round round_, int seat, int action) noexcept
    @cython.locals(left=double, need=int)
    cdef void add_bid(self, int bid, double given, double spent) noexcept
    @cython.locals(card=int, bid_of=int, rank=int, old=int, bid=int, partner=int)
    cdef void add_swap(self, Round round_, int seat, int code) noexcept
    @cython.locals(after=int, free=cython.ulonglong, given=double, rank=int, is_high=bint, is_low=bint, left=double, need=int)
    cdef void add_play(self, Round round_, int action) noexcept
    @cython.locals(seat=int, step=int, hand=cython.ulonglong)
    cpdef void survey(self, Round round_) noexcept


cdef int need_step(int need) noexcept
@cython.locals(step=int)
cdef int half_step(double value, int zero, int last) noexcept
