#include "step.h"

#include <string.h>

enum { MAX_ARGUMENTS = 40 };

static const char WRITABLE[] = "bhiq";

static int open_array(Argument *argument, PyObject *object, char kind)
{
    const char *writable = strchr(WRITABLE, kind);
    const Py_ssize_t item_bytes = writable ? (Py_ssize_t)1 << (writable - WRITABLE) : kind - '0';
    Py_buffer *view = &argument->view;
    if (PyObject_GetBuffer(object, view, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) < 0) {
        return -1;
    }
    if (view->itemsize != item_bytes || (uintptr_t)view->buf % (uintptr_t)item_bytes != 0) {
        PyBuffer_Release(view);
        PyErr_Format(PyExc_ValueError, "an array must have aligned items of %zd bytes", item_bytes);
        return -1;
    }
    argument->data = view->buf;
    argument->n = (size_t)(view->len / item_bytes);
    return 0;
}

static int read_number(Argument *argument, PyObject *object)
{
    argument->view.obj = NULL; /* nothing to release */
    argument->number = PyNumber_AsSsize_t(object, PyExc_OverflowError);
    return argument->number == -1 && PyErr_Occurred() ? -1 : 0;
}

static void close_arguments(Argument *of, size_t n)
{
    while (n > 0) {
        PyBuffer_Release(&of[--n].view);
    }
}

/* Returns 0, or -1 with an exception and nothing open. */
static int open_arguments(Argument *of, PyObject *const *args, const char *kinds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const int done = kinds[i] == 'n' ? read_number(&of[i], args[i])
                                         : open_array(&of[i], args[i], kinds[i]);
        if (done < 0) {
            close_arguments(of, i);
            return -1;
        }
    }
    return 0;
}

/* Flatten tuples into arguments; returns their number, SIZE_MAX if it exceeds n. */
static size_t spread_tuples(PyObject *const *args, Py_ssize_t n_arg, PyObject **spread, size_t n)
{
    size_t n_spread = 0;
    for (Py_ssize_t i = 0; i < n_arg; i++) {
        const int is_tuple = PyTuple_Check(args[i]);
        const Py_ssize_t n_item = is_tuple ? PyTuple_Size(args[i]) : 1;
        for (Py_ssize_t item = 0; item < n_item; item++) {
            if (n_spread == n) {
                return SIZE_MAX;
            }
            spread[n_spread++] = is_tuple ? PyTuple_GetItem(args[i], item) : args[i];
        }
    }
    return n_spread;
}

PyObject *run_step(PyObject *const *args, Py_ssize_t n_arg, const char *kinds,
                   int64_t (*step)(const Argument *of))
{
    Argument of[MAX_ARGUMENTS];
    PyObject *spread[MAX_ARGUMENTS];
    const size_t n = strlen(kinds);
    if (n > MAX_ARGUMENTS || spread_tuples(args, n_arg, spread, n) != n) {
        PyErr_SetString(PyExc_TypeError, "arguments are missing, or too many");
        return NULL;
    }
    if (open_arguments(of, spread, kinds, n) < 0) {
        return NULL;
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step(of);
    Py_END_ALLOW_THREADS
    close_arguments(of, n);
    if (number == UNFIT) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
        return NULL;
    }
    return PyLong_FromLongLong(number);
}
