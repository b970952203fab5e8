# C types for round.py; it holds no rule.
cimport cython
from games.rules.position cimport Position

cdef int BID, CHANGE, PLAY, OVER, NO_LEAD, NO_PLAY, DECLINED_GOLD, GOLD, KEEP, STOP, BID_OF, SWAP
cdef unsigned long long ONE, TEN_BITS, GOLD_MASK, KEEP_BIT
cdef unsigned long long SUIT_BITS[50]
cdef unsigned long long CHANGE_BITS[20]


@cython.final
cdef class Round(Position):
    @cython.locals(code=int, card=int, bid_of=int, gold=int, wanted=cython.ulonglong)
    cpdef bint allows(self, int action) noexcept nogil
    @cython.locals(phase=int)
    cpdef int apply(self, int action) except -1
    cpdef int lay_bid(self, int seat, int card) except -1
    cdef void lay(self, int seat, int card) noexcept nogil
    cdef void open_trick(self, int leader) noexcept nogil
    @cython.locals(players=int, seat=int)
    cdef void seek_change(self, int asked) noexcept nogil
    cdef int swap(self, int action) except -1
    @cython.locals(card=int, bid_of=int, gold=int, seat=int, old=int)
    cdef void exchange(self, int code) noexcept nogil
    @cython.locals(seat=int, length=int, bit=cython.ulonglong, strength=int, hand=cython.ulonglong, metals=cython.ulonglong)
    cdef void play(self, int action) noexcept nogil
    @cython.locals(low=int, place=int)
    cdef void close_trick(self) noexcept nogil
    cdef void end(self, int reason, int seat) noexcept nogil


cdef unsigned long long take_gold(unsigned long long collection, int rank) noexcept nogil
@cython.locals(bit=cython.ulonglong)
cdef unsigned long long add_gold(unsigned long long collection, int rank) noexcept nogil
