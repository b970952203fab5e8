# C types for playout.py; it holds no rule.
cimport cython
from games.rules.round cimport Round

cdef int CHANGE, OVER, GOLD, KEEP, BID_OF, SWAP
cdef unsigned long long ONE, ALL_BITS, METALS, GOLD_MASK, PAIRS, QUADS, BYTES, EACH_BYTE, HIGH_BITS
cdef unsigned char PLACE_IN_BYTE[2048]


@cython.final
cdef class Chance:
    cdef unsigned long long state
    @cython.locals(state=cython.ulonglong)
    cpdef int below(self, int bound) noexcept nogil
    @cython.locals(sums=cython.ulonglong, skip=cython.ulonglong, byte=int)
    cpdef int pick(self, unsigned long long mask) noexcept nogil


@cython.locals(gold=int, bid_of=int)
cpdef int random_action(Round round_, Chance chance) noexcept
@cython.locals(decisions=int)
cpdef int play_out(Round round_, Chance chance) except -1
@cython.locals(chance=Chance, order=int[50], hands=list, count=int, decisions=cython.longlong, checksum=cython.ulonglong,
               number=int, top=int, other=int, seat=int, mask=cython.ulonglong, place=int, round_=Round)
cpdef tuple random_rounds(int players, int rounds, unsigned long long seed)
