# C types for position.py; it holds no rule.
cimport cython

cdef int BID, GOLD, HAND_SIZE
cdef unsigned long long ONE, SUPPLY


cdef class Position:
    cdef readonly int players, first, phase, bids_laid, leader, turn, asked, trick_number, trick_length
    cdef readonly int closed, low_rank, low_seat, high_rank, high_seat, last_winner, last_gold_to, last_gold, end_reason, end_seat
    cdef readonly unsigned long long supply, played, legal, blocked
    cdef readonly unsigned long long hands[4]
    cdef readonly unsigned long long golds[4]
    cdef readonly unsigned long long known[4]
    cdef readonly int sizes[4]
    cdef readonly int bids[4]
    cdef readonly int tricks[4]
    cdef readonly int trick[4]

    @cython.locals(seat=int)
    cpdef int start(self, hands, int first, bint zero_gold) except -1
    @cython.locals(seat=int)
    cdef void begin(self, int first, bint zero_gold) noexcept nogil
    @cython.locals(other=Position)
    cpdef Position copy(self)
