# C types for match.py; it holds no rule.
cimport cython
from games.rules.round cimport Round

cdef int BID, OVER


@cython.final
cdef class Match:
    cdef readonly object ruleset, seed, deals, dealt, result
    cdef readonly int players, first_seat, round_start
    cdef readonly list log, trick_ends, rounds
    cdef readonly Round round

    cpdef open_round(self)
    cpdef tuple awaiting(self)
    cpdef int apply(self, seat, action) except -1
    @cython.locals(round_=Round)
    cdef int act(self, int seat, int action) except -1
    @cython.locals(round_=Round)
    cpdef close_round(self)
