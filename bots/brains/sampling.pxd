# C types for sampling.py; it decides nothing.
cimport cython
from bots.brains.tally cimport count_cards
from games.rules.playout cimport Chance
from games.rules.view cimport View

cdef int BID
cdef unsigned long long ONE
cdef double FINE


cdef class HandSampler:
    cdef readonly View view
    cdef readonly int players, seat, count
    cdef readonly unsigned long long fixed[4]
    cdef readonly int wanted[4]
    cdef readonly int cards[50]
    cdef double weights[200]
    cdef int others[3]
    cdef int rows, span
    cdef readonly bint is_weighed
    cdef double[::1] ways

    @cython.locals(hands=list, place=int, seat=int, mask=cython.ulonglong, other=int, card=int, _=int)
    cpdef list deal(self, Chance chance)
    @cython.locals(place=int, seat=int, one=int, two=int, three=int, after=int, left=int, first=int, second=int, third=int, total=double)
    cdef int prepare(self) except -1
    @cython.locals(hands=list, seat=int, one=int, two=int, three=int, first=int, second=int, third=int, place=int, now=int, after=int, drawn=double, mask=cython.ulonglong)
    cdef list deal_weighed(self, Chance chance)
    @cython.locals(seat=int)
    cpdef int reveal(self, list hands) except -1
