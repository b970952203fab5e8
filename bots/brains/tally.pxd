# C types for tally.py; it decides nothing.
cimport cython
from games.rules.round cimport Round
from games.rules.scoring cimport bid_points, side_bid, side_tricks

cdef int GOLD_POINTS
cdef unsigned long long ONE, SUIT_ONES, DECK_OF_THREE, DECK_OF_FOUR, PAIRS, QUADS, NIBBLES, BYTES, ALL_BITS
cdef double GOLD_WORTH, SPREAD, SPREAD_PER_TRICK


cpdef int count_cards(unsigned long long mask)
cpdef double part_of(int count, int total)
cpdef unsigned long long cards_below(int rank)
cpdef double gold_value(int rank)
cpdef double rise(double x)


cdef class Tally:
    cdef readonly double strength[11]
    cdef readonly unsigned long long unseen
    cdef readonly int sides, side, bid, won
    cdef readonly double left, own, rest

    @cython.locals(players=int, hand=cython.ulonglong, unseen=cython.ulonglong, same=cython.ulonglong, held=int, shortest=int,
                   other=int, rank=int, total=int, share=double, others=double)
    cpdef void look(self, Round round_, int seat, unsigned long long gone)
    cpdef double expect(self, double own, double left)
    @cython.locals(need=int, spread=double, missing=double, beyond=double, exact=double)
    cpdef double prospect(self, int bid, int won, double more, double left)
