# C types for round.py; it holds no rule.
cimport cython

cdef int BID, CHANGE, PLAY, OVER, NO_LEAD, NO_PLAY, DECLINED_GOLD, GOLD, KEEP, STOP, BID_OF, SWAP, HAND_SIZE
cdef unsigned long long ONE, TEN_BITS, GOLD_MASK, KEEP_BIT, SUPPLY


@cython.final
cdef class Round:
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
    @cython.locals(other=Round)
    cpdef Round copy(self)
    @cython.locals(seat=int)
    cpdef void copy_from(self, Round other) noexcept
    @cython.locals(code=int, card=int, bid_of=int, gold=int, wanted=cython.ulonglong)
    cpdef bint allows(self, int action) noexcept
    @cython.locals(phase=int)
    cpdef int apply(self, int action) except -1
    cpdef int lay_bid(self, int seat, int card) except -1
    cdef void lay(self, int seat, int card) noexcept
    cdef void open_trick(self, int leader) noexcept
    @cython.locals(players=int, asked=int, seat=int, golds=cython.ulonglong, owners=cython.ulonglong)
    cdef void seek_change(self) noexcept
    cdef int change(self, int action) except -1
    @cython.locals(card=int, bid_of=int, gold=int, seat=int, old=int)
    cdef void swap(self, int code) noexcept
    @cython.locals(seat=int, length=int, bit=cython.ulonglong, strength=int)
    cdef void play(self, int action) noexcept
    @cython.locals(golds=cython.ulonglong, metals=cython.ulonglong)
    cdef void seek_play(self, int seat) noexcept
    @cython.locals(low=int, place=int)
    cdef void close_trick(self) noexcept
    cdef void end(self, int reason, int seat) noexcept


cdef unsigned long long take_gold(unsigned long long collection, int rank) noexcept
@cython.locals(bit=cython.ulonglong)
cdef unsigned long long add_gold(unsigned long long collection, int rank) noexcept
