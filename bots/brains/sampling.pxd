# C types for sampling.py; it decides nothing.
cimport cython
from bots.brains.tally cimport count_cards
from games.rules.playout cimport Chance
from games.rules.view cimport View

cdef int BID
cdef unsigned long long ONE


cdef class HandSampler:
    cdef readonly View view
    cdef readonly int players, seat, count
    cdef readonly unsigned long long fixed[4]
    cdef readonly int wanted[4]
    cdef readonly int cards[50]

    @cython.locals(hands=list, place=int, seat=int, mask=cython.ulonglong, other=int, card=int, _=int)
    cpdef list deal(self, Chance chance)
    @cython.locals(seat=int)
    cpdef int reveal(self, list hands) except -1
