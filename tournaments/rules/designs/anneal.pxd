cimport cython

cdef long MODULUS, MULTIPLIER, FAR

cdef class Annealing:
    cdef public int[:] place, group, orbit, costs, count
    cdef public long size, entrants, seated, orbits, cap, cost
    cdef public long long state

    @cython.locals(spot=long, change=long, other=long)
    cpdef long tally_earlier(self, long here)
    @cython.locals(spot=long, change=long, other=long, first=long)
    cpdef long tally(self, long here, long sign)
    @cython.locals(o=long, before=long, after=long, row=long, change=long)
    cpdef long count_pair(self, long here, long other, long sign)
    @cython.locals(change=long, held=int)
    cpdef long swap(self, long i, long j)
    @cython.locals(a=long, b=long)
    cpdef bint can_swap(self, long i, long j)
    cpdef long long draw_number(self)
    @cython.locals(step=long, i=long, j=long, k=long, change=long, best_cost=long, total=long, stride=long,
                   temperature=double, accept="double[:]", best="int[:]")
    cpdef long run(self, long steps)
