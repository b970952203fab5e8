# C types for planes.py; it holds no rule.
cimport cython
from games.rules.round cimport Round

cdef int BID, CHANGE, PLAY, NUGGETS_BYTE, OUT_WORD, PLAYED_BY, ROUNDS, SPENT, WHOSE, TOTALS_WORD
cdef int KNOWN, BIDS, PLAYED, TRICK, GOLDS, SUPPLY, OUT, SIZES, TRICKS, STATE, MATCH, TOTALS
cdef unsigned long long ONE, NOT_ZERO_GOLD, OUT_AT_THREE


@cython.locals(players=int, is_secret=bint, sizes=cython.ulonglong, tricks=cython.ulonglong, other=int, place=int, bid=int, step=int,
               sides=int, side=int, matched=cython.ulonglong, totals=cython.ulonglong, nuggets=int)
cpdef void write_planes(Round round_, int seat, unsigned long long rules, unsigned long long[::1] words, Py_ssize_t word,
                       signed char[::1] bytes_, Py_ssize_t byte, unsigned long long[::1] planes, Py_ssize_t start) noexcept nogil
cdef int find_place(int seat, int viewer, int players) noexcept nogil
@cython.locals(players=int, turn=int, step=int, number=int, bits=cython.ulonglong)
cdef unsigned long long state_bits(Round round_, int seat, int spent, int whose) noexcept nogil
