/* A step for Python: its arguments opened, the interpreter let go of, plain C called.
 *
 * A new step is one STEP, in page.c, learned.c, selected.c or writers.c, beside this, and its name in
 * the list of module.c. What it calls is plain C, in the folders. */

#ifndef THRESHER_STEP_H
#define THRESHER_STEP_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stddef.h>
#include <stdint.h>

/* What a step returns for arrays that do not fit together: Python gets a ValueError. */
#define UNFIT INT64_MIN

/* An argument: an array, which is any object with a buffer, numpy's arrays and bytes alike, or a
 * whole number. */
typedef struct {
    void *data; /* contiguous and aligned */
    size_t n;   /* items */
    Py_ssize_t number;
    Py_buffer view;
} Argument;

/* Call a step with its arguments, and give Python what it returns. There are as many as kinds. A kind
 * is the bytes of an array's item as a digit (1, 2, 4, 8), or a letter for an array that is written
 * to: b, h, i, q for 1, 2, 4, 8 bytes; n is a whole number. A tuple stands for its items. */
PyObject *run_step(PyObject *const *args, Py_ssize_t n_arg, const char *kinds,
                   int64_t (*step)(const Argument *of));

/* The head of a step, whose body follows: it is given `of`, its arguments, of these kinds, looks at
 * their sizes, and returns a number, REFUSED or UNFIT. It knows nothing of Python, which goes on
 * beside it. */
#define STEP(name, kinds)                                                              \
    static int64_t step_##name(const Argument *of);                                    \
    PyObject *py_##name(PyObject *module, PyObject *const *args, Py_ssize_t n_arg)     \
    {                                                                                  \
        (void)module;                                                                  \
        return run_step(args, n_arg, kinds, step_##name);                              \
    }                                                                                  \
    static int64_t step_##name(const Argument *of)

#endif
