# C types for tally.py; it decides nothing.
cimport cython
from games.rules.round cimport Round
from games.rules.scoring cimport bid_points

cdef int GOLD_POINTS
cdef unsigned long long ONE, SUIT_ONES, DECK_OF_THREE, DECK_OF_FOUR, PAIRS, QUADS, NIBBLES, BYTES, ALL_BITS
cdef double GOLD_WORTH, SPREAD, SPREAD_PER_TRICK


cpdef int count_cards(unsigned long long mask) noexcept
cpdef double part_of(int count, int total) noexcept
cpdef unsigned long long cards_below(int rank) noexcept
cpdef double gold_value(int rank) noexcept
cpdef double rise(double x) noexcept


cdef class Tally:
    cdef readonly double strength[11]
    cdef readonly int bids[4]
    cdef readonly int needs[4]
    cdef readonly unsigned long long unseen
    cdef readonly int sides, side, bid, won
    cdef readonly double left, own, rest

    @cython.locals(players=int, hand=cython.ulonglong, unseen=cython.ulonglong, same=cython.ulonglong, held=int, shortest=int,
                   other=int, side=int, bid=int, rank=int, total=int, below=int, equal=int, share=double, strength=double, others=double)
    cpdef void look(self, Round round_, int seat, unsigned long long gone) noexcept
    cpdef double expect(self, double own, double left) noexcept
    @cython.locals(need=int, spread=double, missing=double, beyond=double, exact=double)
    cpdef double prospect(self, int bid, int won, double more, double left) noexcept
