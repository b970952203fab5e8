# C types for stakes.py; it decides nothing.
cimport cython
from bots.brains.tally cimport rise
from games.rules.round cimport Round
from games.rules.scoring cimport side_bid, side_total

cdef int MARGIN_CAP
cdef double MARGIN_WORTH


cdef class Stakes:
    cdef readonly object ruleset
    cdef readonly list outcomes
    cdef readonly dict chances
    cdef readonly int sides
    cdef readonly bint is_cumulative, is_last
    cdef readonly double spread
    cdef readonly int before[4]
    cdef readonly double worth[4]

    @cython.locals(totals=int[4], best=int, leaders=int, side=int, other=int, ahead=int)
    cpdef int measure(self, Round round_) except -1
    cdef double lead_worth(self, int ahead)
    @cython.locals(key=int, is_tied=bint, side=int, found=tuple)
    cdef int count_nugget(self, Round round_, int leaders) except -1
    cpdef tuple win_chances(self, Round round_)
