# C types for search.py; it decides nothing.
cimport cython
from bots.brains.counting cimport choose_action
from bots.brains.sampling cimport HandSampler
from bots.brains.stakes cimport Stakes
from bots.brains.tally cimport Tally
from games.rules.playout cimport Chance
from games.rules.round cimport Round
from games.rules.view cimport View

cdef int BID, CHANGE, OVER, NONE, ROOT, MAX_DEPTH
cdef unsigned long long ONE
cdef double EXPLORATION, TRUST
cdef double[::1] ROOTS, BREADTHS


cdef class Tree:
    cdef readonly View view
    cdef readonly int seat, players, sides, count, playouts
    cdef public int favourite
    cdef readonly list alive
    cdef public double exploration, trust
    cdef readonly unsigned long long gone
    cdef readonly Chance chance
    cdef readonly Tally tally
    cdef readonly HandSampler sampler
    cdef readonly Stakes stakes
    cdef int[::1] action, child, sibling, visits, chances, path, movers
    cdef double[::1] value
    cdef readonly int secret_bids[4]

    @cython.locals(node=int)
    cdef int add_child(self, int parent, int action)
    @cython.locals(_phase=int, _world=int, phases=int, node=int, hands=list)
    cpdef int grow(self) except -1
    @cython.locals(seat=int)
    cdef int guess_bids(self, Round round_) except -1
    cdef int choose_bid(self, Round round_, int seat) except -1
    @cython.locals(depth=int, place=int, is_inside=bint)
    cdef int play_once(self, Round round_, int node) except -1
    cdef int finish(self, Round round_) except -1
    @cython.locals(mean=double)
    cpdef double rank(self, int node)
    @cython.locals(seat=int)
    cdef int apply_root(self, Round round_, int action) except -1
    @cython.locals(untried=cython.ulonglong, best=int, best_score=double, node=int, score=double, action=int)
    cdef int select(self, int parent, Round round_)
    @cython.locals(node=int)
    cpdef int best_action(self)
    @cython.locals(node=int, visits=int)
    cpdef list opinions(self)
