# C types for champion.py; it decides nothing.
cimport cython
from bots.brains.features cimport Features
from bots.brains.learnt cimport LearntPolicy
from bots.brains.net cimport Net
from bots.brains.search cimport Tree
from games.rules.round cimport Round

cdef int OVER


cdef class ForesightTree(Tree):
    cdef public Net net
    cdef public LearntPolicy policy
    cdef readonly Features features
    cdef readonly double unit

    cdef int choose_bid(self, Round round_, int seat) except -1
    cdef int finish(self, Round round_) except -1
    @cython.locals(step=int)
    cdef void foretell(self, Round round_) noexcept
