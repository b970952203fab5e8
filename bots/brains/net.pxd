# C types for net.py; it decides nothing.
cimport cython

cdef int ONE, WEIGHT


@cython.final
cdef class Net:
    cdef short[::1] rows, bias, second, last, base, sums, hidden
    cdef int[::1] second_bias, last_bias
    cdef readonly int[::1] out
    cdef readonly int width, depth, outputs

    @cython.locals(place=int)
    cdef void begin(self, int *active, int count) noexcept
    @cython.locals(unit=int, place=int, total=int)
    cdef int answer(self, int *active, int start, int count) noexcept


@cython.locals(unit=cython.Py_ssize_t)
cdef void copy_row(short[::1] sums, short[::1] row, Py_ssize_t count) noexcept
@cython.locals(unit=cython.Py_ssize_t)
cdef void add_row(short[::1] sums, short[::1] rows, Py_ssize_t start, Py_ssize_t count) noexcept
@cython.locals(unit=cython.Py_ssize_t, top=short, value=short)
cdef void clip_row(short[::1] sums, Py_ssize_t count) noexcept
@cython.locals(unit=cython.Py_ssize_t, total=int)
cdef int multiply(short[::1] inputs, short[::1] weights, Py_ssize_t start, Py_ssize_t count) noexcept
