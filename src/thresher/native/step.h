/* A step for Python: converts its arguments, releases the GIL, and calls plain C.
 *
 * A new step is one STEP in page.c, learned.c, selected.c or writers.c in this folder, and its name in
 * the list of module.c. It calls plain C in the subfolders. */

#ifndef THRESHER_STEP_H
#define THRESHER_STEP_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stddef.h>
#include <stdint.h>

/* Return value of a step for arrays whose sizes do not match: Python gets a ValueError. */
#define UNFIT INT64_MIN

/* An argument: an array, which is any object with a buffer, such as numpy arrays and bytes, or an
 * integer. */
typedef struct {
    void *data; /* contiguous and aligned */
    size_t n;   /* items */
    Py_ssize_t number;
    Py_buffer view;
} Argument;

/* Call a step with its arguments, and return its result to Python. There is one kind per argument: it
 * is the bytes of an array's item as a digit (1, 2, 4, 8), or a letter for an array that is written
 * to: b, h, i, q for 1, 2, 4, 8 bytes; n is an integer. A tuple stands for its items. */
PyObject *run_step(PyObject *const *args, Py_ssize_t n_arg, const char *kinds,
                   int64_t (*step)(const Argument *of));

/* The head of a step, whose body follows: it receives `of`, its arguments, of these kinds, checks
 * their sizes, and returns a number, REFUSED or UNFIT. It must not use Python, which runs
 * concurrently. */
#define STEP(name, kinds)                                                              \
    static int64_t step_##name(const Argument *of);                                    \
    PyObject *py_##name(PyObject *module, PyObject *const *args, Py_ssize_t n_arg)     \
    {                                                                                  \
        (void)module;                                                                  \
        return run_step(args, n_arg, kinds, step_##name);                              \
    }                                                                                  \
    static int64_t step_##name(const Argument *of)

#endif
