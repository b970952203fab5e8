# C types for belief.py; it decides nothing.
cimport cython
from bots.brains.features cimport Features
from bots.brains.net cimport Net
from bots.brains.sampling cimport HandSampler
from games.rules.view cimport View

cdef int BID, SUITS, CARDS, STEPS, MOST_STEPS, UNIT
cdef double[::1] WEIGHTS


cdef class Belief:
    cdef readonly Net net
    cdef readonly Features features

    @cython.locals(others=int, place=int, card=int, told=int, step=int, value=int)
    cdef int answer(self, HandSampler sampler, int players, int seat) except -1
