# C types for reckoning.py; it holds no rule.
cimport cython

@cython.locals(key=int)
cpdef int round_key(int total, bint is_exact, int best_gold, bint compares_gold) noexcept nogil
cpdef int place_key(bint is_cumulative, int nuggets, int last_bid, int total, int exact) noexcept nogil
cpdef bint is_decided(bint is_cumulative, bint ends_at_two, int played, int most, int holders) noexcept nogil
