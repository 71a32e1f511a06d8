/* Arrays in and out of Python: any object with a buffer, numpy's arrays and bytes alike. */

#ifndef THRESHER_ARRAYS_H
#define THRESHER_ARRAYS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stddef.h>

enum { MAX_ARRAYS = 32 };

typedef struct {
    Py_buffer view;
    void *data;
    size_t n; /* items */
} Array;

typedef struct {
    Array of[MAX_ARRAYS];
    int n_open;
} Arrays;

/* Open the first strlen(kinds) arguments. A kind is the bytes of an item as a digit (1, 2, 4, 8), or
 * a letter for an array that is written to: b, h, i, q for 1, 2, 4, 8 bytes. Returns 0, or -1 with
 * an exception and nothing open. Every array is contiguous and aligned. */
int open_arrays(Arrays *arrays, PyObject *const *args, Py_ssize_t n_arg, const char *kinds);

void close_arrays(Arrays *arrays);

/* Say that arrays do not fit together: an exception, the arrays closed, NULL. */
PyObject *unfit(Arrays *arrays);

#endif
