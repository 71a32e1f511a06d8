#include "arrays.h"

#include <stdint.h>
#include <string.h>

static const char WRITABLE[] = "bhiq";

static Py_ssize_t item_bytes_of(char kind)
{
    const char *writable = strchr(WRITABLE, kind);
    return writable ? (Py_ssize_t)1 << (writable - WRITABLE) : kind - '0';
}

static int open_array(Array *array, PyObject *object, char kind)
{
    int flags = strchr(WRITABLE, kind) ? PyBUF_WRITABLE : PyBUF_SIMPLE;
    if (PyObject_GetBuffer(object, &array->view, flags) < 0) {
        return -1;
    }
    Py_ssize_t item_bytes = item_bytes_of(kind);
    if (array->view.itemsize != item_bytes
        || (uintptr_t)array->view.buf % (uintptr_t)item_bytes != 0) {
        PyBuffer_Release(&array->view);
        PyErr_Format(PyExc_ValueError, "an array must have aligned items of %zd bytes", item_bytes);
        return -1;
    }
    array->data = array->view.buf;
    array->n = (size_t)(array->view.len / item_bytes);
    return 0;
}

int open_arrays(Arrays *arrays, PyObject *const *args, Py_ssize_t n_arg, const char *kinds)
{
    size_t n_kind = strlen(kinds);
    arrays->n_open = 0;
    if (n_kind > MAX_ARRAYS || n_arg < 0 || (size_t)n_arg < n_kind) {
        PyErr_SetString(PyExc_TypeError, "arguments are missing");
        return -1;
    }
    for (size_t i = 0; i < n_kind; i++) {
        if (open_array(&arrays->of[i], args[i], kinds[i]) < 0) {
            close_arrays(arrays);
            return -1;
        }
        arrays->n_open++;
    }
    return 0;
}

void close_arrays(Arrays *arrays)
{
    while (arrays->n_open > 0) {
        PyBuffer_Release(&arrays->of[--arrays->n_open].view);
    }
}

PyObject *unfit(Arrays *arrays)
{
    close_arrays(arrays);
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
    return NULL;
}
