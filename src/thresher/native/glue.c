#include "glue.h"

#include <stdlib.h>

#include "core.h"
#include "step.h"

int are_arguments(Py_ssize_t n_arg, Py_ssize_t n_expected)
{
    if (n_arg != n_expected) {
        PyErr_Format(PyExc_TypeError, "%zd arguments instead of %zd", n_arg, n_expected);
    }
    return n_arg == n_expected;
}

int read_int(PyObject *object, int64_t *number)
{
    *number = PyNumber_AsSsize_t(object, PyExc_OverflowError);
    return *number != -1 || !PyErr_Occurred();
}

int read_float(PyObject *object, double *number)
{
    *number = PyFloat_AsDouble(object);
    return *number != -1 || !PyErr_Occurred();
}

int read_clock(Call *call, PyObject *check)
{
    if (!PyCallable_Check(check)) {
        PyErr_SetString(PyExc_TypeError, "the clock is not a function");
        return 0;
    }
    call->check = check;
    return 1;
}

int look_at_clock(void *caller)
{
    Call *call = caller;
    if (!call->is_stopped) {
        PyEval_RestoreThread(call->thread);
        PyObject *returned = PyObject_CallNoArgs(call->check);
        call->is_stopped = !returned;
        Py_XDECREF(returned);
        call->thread = PyEval_SaveThread();
    }
    return call->is_stopped;
}

int make_scratch(Call *call, size_t n_byte, void **data)
{
    *data = n_byte > PTRDIFF_MAX ? NULL : malloc(n_byte ? n_byte : 1);
    if (!*data) {
        PyErr_NoMemory();
        return 0;
    }
    call->scratch[call->n_scratch++] = *data;
    return 1;
}

static PyObject *make_shape(const Py_ssize_t *shape, size_t n_dim)
{
    if (n_dim == 1) {
        return PyLong_FromSsize_t(shape[0]);
    }
    PyObject *tuple = PyTuple_New((Py_ssize_t)n_dim);
    for (size_t at = 0; tuple && at < n_dim; at++) {
        PyObject *size = PyLong_FromSsize_t(shape[at]);
        if (!size || PyTuple_SetItem(tuple, (Py_ssize_t)at, size) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

int make_result(Call *call, ItemType type, const Py_ssize_t *shape, size_t n_dim, int is_cut,
                void **data)
{
    const State *state = state_of(call->module);
    PyObject *size = state ? make_shape(shape, n_dim) : NULL;
    PyObject *array = size ? PyObject_CallFunctionObjArgs(state->empty, size, state->types[type],
                                                          NULL)
                           : NULL;
    Py_XDECREF(size);
    if (!array) {
        return 0;
    }
    call->results[call->n_result] = array;
    call->n_dim[call->n_result] = (uint8_t)n_dim;
    call->n_kept[call->n_result++] = is_cut ? (size_t)shape[n_dim - 1] + 1 : 0;
    const void *begin;
    size_t n_item;
    if (!open_array(call, array, type, 1, &begin, &n_item)) {
        return 0;
    }
    *data = (void *)begin;
    return 1;
}

int is_size(int64_t number)
{
    return number >= 0 && number <= INT32_MAX - 64;
}

size_t multiply(size_t one, size_t other)
{
    return other && one > SIZE_MAX / other ? SIZE_MAX : one * other;
}

int bind_size(size_t n_item, size_t by, size_t plus, size_t *size)
{
    if (by == 0 || n_item % by || n_item / by < plus) {
        return 0;
    }
    *size = n_item / by - plus;
    return is_size((int64_t)*size);
}

static void release(Call *call)
{
    while (call->n_view > 0) {
        PyBuffer_Release(&call->views[--call->n_view]);
    }
    while (call->n_scratch > 0) {
        free(call->scratch[--call->n_scratch]);
    }
}

PyObject *abandon(Call *call)
{
    release(call);
    while (call->n_result > 0) {
        Py_DECREF(call->results[--call->n_result]);
    }
    return call->is_refused ? Py_NewRef(Py_None) : NULL;
}

PyObject *reject_sizes(Call *call)
{
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
    return abandon(call);
}

/* Cut the last dimension of an array; steals it. */
static PyObject *cut(PyObject *array, size_t n_dim, int64_t number)
{
    PyObject *stop = PyLong_FromLongLong(number);
    PyObject *slice = stop ? PySlice_New(NULL, stop, NULL) : NULL;
    PyObject *key = slice && n_dim > 1 ? PyTuple_Pack(2, Py_Ellipsis, slice) : Py_XNewRef(slice);
    PyObject *part = key ? PyObject_GetItem(array, key) : NULL;
    Py_XDECREF(stop);
    Py_XDECREF(slice);
    Py_XDECREF(key);
    Py_DECREF(array);
    return part;
}

PyObject *finish(Call *call, int64_t number, int place)
{
    if (call->is_stopped) {
        return abandon(call);
    }
    if (number == UNFIT) {
        return reject_sizes(call);
    }
    if (number == REFUSED || (number < 0 && place == NO_NUMBER)) {
        call->is_refused = 1;
        return abandon(call);
    }
    release(call);
    for (size_t at = 0; at < call->n_result; at++) {
        const int64_t n_kept = number < 0 ? 0 : number;
        if (call->n_kept[at] && (size_t)n_kept + 1 < call->n_kept[at]) {
            call->results[at] = cut(call->results[at], call->n_dim[at], n_kept);
        }
        if (!call->results[at]) {
            for (size_t other = 0; other < call->n_result; other++) {
                Py_XDECREF(call->results[other]);
            }
            return NULL;
        }
    }
    if (place == NO_NUMBER && call->n_result == 1) {
        return call->results[0];
    }
    PyObject *returned = PyLong_FromLongLong(number);
    if (call->n_result == 0) {
        return returned;
    }
    const Py_ssize_t n_all = (Py_ssize_t)call->n_result + (place != NO_NUMBER);
    PyObject *all = returned ? PyTuple_New(n_all) : NULL;
    size_t next = 0;
    for (Py_ssize_t at = 0; at < n_all; at++) {
        PyObject *item = at == place ? Py_XNewRef(returned) : call->results[next++];
        if (all) {
            PyTuple_SetItem(all, at, item); /* steals it, and cannot fail on a new tuple */
        } else {
            Py_XDECREF(item);
        }
    }
    Py_XDECREF(returned);
    return all;
}
