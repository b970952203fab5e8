# C types for learnt.py; it decides nothing.
cimport cython
from bots.brains.features cimport Features
from bots.brains.net cimport Net
from games.rules.round cimport Round

cdef int CHANGE, GOLD, KEEP, BID_OF, SWAP
cdef unsigned long long ONE


@cython.final
cdef class LearntPolicy:
    cdef readonly Net net
    cdef readonly Features features
    cdef readonly int[::1] actions, values
    cdef readonly int count

    @cython.locals(legal=cython.ulonglong, action=int, best=int, place=int, value=int)
    cpdef int rate(self, Round round_, int seat, unsigned long long gone) noexcept
    @cython.locals(gold=int, hand=cython.ulonglong, bid_of=int, now=int, partner=int, card=int, rank=int)
    cdef void list_changes(self, Round round_, int seat) noexcept
    cpdef int choose(self, Round round_, int seat, unsigned long long gone) noexcept
