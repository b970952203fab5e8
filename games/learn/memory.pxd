# C types for memory.py; it holds no rule.
cimport cython
from games.rules.round cimport Round

cdef int HANDS, GOLDS, KNOWN, SUPPLY, PLAYED, BLOCKED, LEGAL, SIZES, BIDS, TRICKS, TRICK, PHASE, TURN, LEADER, ASKED, NUMBER, LENGTH, LOW_RANK, LOW_SEAT, HIGH_RANK, HIGH_SEAT, FIRST, LAID, CLOSED

@cython.locals(seat=int)
cpdef void load_round(Round round_, unsigned long long[::1] words, Py_ssize_t word, signed char[::1] bytes_, Py_ssize_t byte) noexcept nogil
@cython.locals(seat=int)
cpdef void store_round(Round round_, unsigned long long[::1] words, Py_ssize_t word, signed char[::1] bytes_, Py_ssize_t byte) noexcept nogil
