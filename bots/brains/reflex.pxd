# C types for reflex.py; it decides nothing.
cimport cython
from games.rules.match cimport Match
from games.rules.playout cimport Chance
from games.rules.round cimport Round

cdef int BID, CHANGE, KEEP, STOP, GOLD, RANKS, SWAP, BID_OF, STRONG_RANK
cdef unsigned long long ONE, METALS, GOLD_MASK, OWNERS, ALL_BITS, STEP, FIRST, SECOND

cdef unsigned long long mix(unsigned long long value) noexcept
@cython.locals(place=int)
cdef int place_of(unsigned long long mask, int number) noexcept
@cython.locals(count=int)
cdef int count_bits(unsigned long long mask) noexcept
cdef int rank_of(int card) noexcept
@cython.locals(chance=Chance, legal=cython.ulonglong, golds=int, owners=int, cards=int, number=int, gold=int, owner=int)
cdef int choose_random(Round round_, unsigned long long seed, int log_end, int seat) except -1
cdef int choose_greedy(Round round_, int sides, int seat) except -1
@cython.locals(expected=int, left=cython.ulonglong, best=int, best_off=int, card=int, off=int)
cdef int choose_bid(Round round_, int seat) except -1
@cython.locals(bid=int, won=int, other=int, rank=int, wants=bint, least=int, highest=int, least_winning=int,
               highest_losing=int, left=cython.ulonglong, card=int, key=int)
cdef int choose_play(Round round_, int sides, int seat) except -1
@cython.locals(sides=int, players=int, mixed=list, round_=Round, seat=int, action=int, is_secret=bint, log_end=int)
cpdef int play_on(Match match, list kinds, list seeds) except -1
