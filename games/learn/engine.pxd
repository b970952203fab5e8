# C types for engine.py; it holds no rule.
cimport cython
from games.learn.memory cimport load_round, store_round
from games.learn.planes cimport write_planes
from games.rules.playout cimport Chance
from games.rules.scoring cimport is_decided, place_key, round_key
from games.rules.round cimport Round
from games.rules.scoring cimport bid_points, is_decided, place_key, round_key, side_best_gold, side_bid, side_gold_points, side_tricks

cdef int BYTES, CHANCE, EXACT, FIRST_SEAT, LAST_BID, NUGGETS, OUT, PLANNED, PLAYED_BY, ROUNDS, SPENT, TOTALS, WHOSE, WORDS
cdef int BID, CHANGE, OVER, PLAY, GOLD, KEEP, BID_OF, GOLDEN_ROUNDS, PLANES
cdef unsigned long long ONE, METALS, GOLD_MASK, KEEP_BIT, OWN_OR_PARTNER
cdef unsigned long long SPREAD[256]


@cython.final
cdef class Arrays:
    cdef readonly bint is_spread
    cdef unsigned long long[::1] words, legal, masks, planes, bits
    cdef signed char[::1] bytes_, actions, seats, ended
    cdef float[::1] rewards, points


@cython.final
cdef class Engine:
    cdef readonly int players, sides, count
    cdef readonly bint zero_gold, is_cumulative, ends_at_two, compares_gold, is_golden
    cdef readonly unsigned long long rules
    cdef readonly Round round_
    cdef readonly Chance chance
    cdef readonly int deck[50]
    cdef readonly int order[50]
    cdef readonly int keys[4]
    cdef readonly int scores[4]

    @cython.locals(table=cython.Py_ssize_t)
    cpdef int open(self, Arrays arrays, Py_ssize_t first, Py_ssize_t last) except -1
    @cython.locals(table=cython.Py_ssize_t)
    cpdef int step(self, Arrays arrays, Py_ssize_t first, Py_ssize_t last) except -1
    @cython.locals(table=cython.Py_ssize_t, action=int)
    cpdef Py_ssize_t find_illegal(self, Arrays arrays, Py_ssize_t first, Py_ssize_t last) except -2
    @cython.locals(table=cython.Py_ssize_t, legal=cython.ulonglong)
    cpdef int draw(self, Arrays arrays, Py_ssize_t first, Py_ssize_t last) except -1
    @cython.locals(word=cython.Py_ssize_t, byte=cython.Py_ssize_t, side=int)
    cdef void open_match(self, Arrays arrays, Py_ssize_t table) noexcept nogil
    @cython.locals(word=cython.Py_ssize_t, byte=cython.Py_ssize_t, place=int, other=int, card=int, seat=int, first=int, hand=cython.ulonglong)
    cdef void deal(self, Arrays arrays, Py_ssize_t table) noexcept nogil
    @cython.locals(place=int, mask=cython.ulonglong)
    cdef unsigned long long gather(self, int first, int last) noexcept nogil
    @cython.locals(word=cython.Py_ssize_t, byte=cython.Py_ssize_t, action=int, seat=int, side=int)
    cdef void act(self, Arrays arrays, Py_ssize_t table) noexcept nogil
    @cython.locals(whose=int, bid_of=int)
    cdef bint change(self, Arrays arrays, Py_ssize_t byte, int action) noexcept nogil
    @cython.locals(word=cython.Py_ssize_t, byte=cython.Py_ssize_t, sides=int, best=int, side=int, bid=int, tricks=int, total=int,
                   gold=int, seat=int)
    cdef void close_round(self, Arrays arrays, Py_ssize_t table) noexcept nogil
    @cython.locals(byte=cython.Py_ssize_t, most=int, holders=int, side=int, nuggets=int, rounds=int, tied=int, seat=int, share=int)
    cdef bint is_over(self, Arrays arrays, Py_ssize_t table) noexcept nogil
    @cython.locals(word=cython.Py_ssize_t, byte=cython.Py_ssize_t, best=int, side=int, tied=int)
    cdef int rank(self, Arrays arrays, Py_ssize_t table) noexcept nogil
    @cython.locals(skip=int, side=int)
    cdef void draw_lot(self, int tied) noexcept nogil
    @cython.locals(byte=cython.Py_ssize_t, legal=cython.ulonglong, part=int)
    cdef void show(self, Arrays arrays, Py_ssize_t table) noexcept nogil
    @cython.locals(plane=int, word=cython.ulonglong, part=int)
    cdef void spread(self, Arrays arrays, Py_ssize_t table) noexcept nogil
    cpdef int observe(self, Arrays arrays, Py_ssize_t table, int seat) except -1
