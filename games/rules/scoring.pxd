# C types for scoring.py; it holds no rule.
cimport cython
from games.rules.round cimport Round

cdef int GOLD, GOLD_POINTS

@cython.locals(best=int, seat=int, rank=int)
cpdef int side_bid(Round round_, int sides, int side) noexcept nogil
@cython.locals(total=int, seat=int)
cpdef int side_tricks(Round round_, int sides, int side) noexcept nogil
@cython.locals(total=int, seat=int, rank=int, golds=cython.ulonglong)
cpdef int side_gold_points(Round round_, int sides, int side) noexcept nogil
@cython.locals(best=int, seat=int, rank=int)
cpdef int side_best_gold(Round round_, int sides, int side) noexcept nogil
cpdef int bid_points(int bid, int tricks) noexcept nogil
@cython.locals(points=int)
cpdef int side_total(Round round_, int sides, int side) noexcept nogil
@cython.locals(key=int)
cpdef int round_key(int total, bint is_exact, int best_gold, bint compares_gold) noexcept nogil
cpdef int place_key(bint is_cumulative, int nuggets, int last_bid, int total, int exact) noexcept nogil
cpdef bint is_decided(bint is_cumulative, bint ends_at_two, int played, int most, int holders) noexcept nogil
