# C types for view.py; it holds no rule.
cimport cython
from games.rules.match cimport Match
from games.rules.round cimport Round

cdef int BID, NOBODY
cdef unsigned long long ONE


@cython.final
cdef class View:
    cdef readonly object ruleset, result
    cdef public object clocks
    cdef readonly list rounds, log, trick_ends
    cdef readonly int round_count, log_start, log_end
    cdef readonly int seat, players, first, phase, leader, turn, trick_number, trick_length
    cdef readonly int low_rank, low_seat, high_rank, high_seat, asked
    cdef readonly unsigned long long supply, played, blocked, set_aside, hand, legal
    cdef readonly unsigned long long golds[4]
    cdef readonly unsigned long long known[4]
    cdef readonly int sizes[4]
    cdef readonly int bids[4]
    cdef readonly int tricks[4]
    cdef readonly int trick[4]

    @cython.locals(round_=Round, is_secret=bint, other=int)
    cdef int cut(self, Match match, int seat) except -1
    @cython.locals(round_=Round, seat=int)
    cpdef Round imagine(self, list hands)


cpdef View view(Match match, int seat)
