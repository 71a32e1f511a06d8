/* Arrays that are given to steps: their memory, their number of items, and their types. */

#include "glue.h"

static const uint8_t ITEM_BYTES[N_ITEM_TYPE] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

/* How an array of numpy begins, as its stable ABI has it (PyArrayObject_fields of ndarraytypes.h).
 * Reading it takes a fraction of the time that the buffer protocol does. */
typedef struct {
    PyObject_HEAD
    char *data;
    int n_dim;
    Py_ssize_t *shape, *strides;
    PyObject *base, *descr;
    int flags;
} Array;
enum { C_CONTIGUOUS = 0x1, ALIGNED = 0x100, WRITEABLE = 0x400 };

int knows_layout(const State *state, PyObject *array, ItemType type)
{
    Py_buffer view;
    if (PyObject_GetBuffer(array, &view, PyBUF_STRIDED) < 0) {
        PyErr_Clear();
        return 0;
    }
    const Array *one = (const Array *)array;
    const int all = C_CONTIGUOUS | ALIGNED | WRITEABLE;
    const int same = one->data == view.buf && one->n_dim == view.ndim && one->n_dim == 2
                     && one->shape[0] == view.shape[0] && one->shape[1] == view.shape[1]
                     && one->strides[0] == view.strides[0] && one->descr == state->types[type]
                     && (one->flags & all) == all;
    PyBuffer_Release(&view);
    return same;
}

/* The type of the same size and other sign. */
static ItemType other_sign(ItemType type)
{
    return type >= ITEM_F32 ? type : type % 2 ? type + 1 : type - 1;
}

static int has_one_of(PyObject *descr, const State *state, ItemType type)
{
    if (ITEM_BYTES[type] == 1) {
        return descr == state->types[ITEM_BOOL] || descr == state->types[ITEM_U8]
               || descr == state->types[ITEM_I8];
    }
    return descr == state->types[type] || descr == state->types[other_sign(type)];
}

/* Compare types of more than one byte. The format of the buffer would tell too, but numpy composes it
 * anew for each. */
static int has_type(PyObject *array, const State *state, ItemType type)
{
    PyObject *given = PyObject_GetAttr(array, state->dtype);
    if (!given) {
        PyErr_Clear();
        return 0;
    }
    PyObject *one = state->types[type], *other = state->types[other_sign(type)];
    int same = given == one || given == other;
    if (!same) { /* equal types may be different objects */
        same = PyObject_RichCompareBool(given, one, Py_EQ) == 1
               || (!PyErr_Occurred() && PyObject_RichCompareBool(given, other, Py_EQ) == 1);
        PyErr_Clear();
    }
    Py_DECREF(given);
    return same;
}

static int is_of_type(PyObject *array, const State *state, const Py_buffer *view, ItemType type)
{
    if (view->itemsize != ITEM_BYTES[type]) {
        return 0;
    }
    return view->itemsize == 1
           || ((uintptr_t)view->buf % ITEM_BYTES[type] == 0 && has_type(array, state, type));
}

/* Get the buffer of an array, or of a contiguous copy. */
static int get_buffer(Call *call, PyObject *object, int is_written, Py_buffer *view)
{
    /* Both mean contiguous. */
    if (PyObject_GetBuffer(object, view, is_written ? PyBUF_WRITABLE : PyBUF_SIMPLE) == 0) {
        return 1;
    }
    if (is_written
        || !(PyErr_ExceptionMatches(PyExc_ValueError)
             || PyErr_ExceptionMatches(PyExc_BufferError))) {
        return 0;
    }
    PyErr_Clear();
    const State *state = state_of(call->module);
    PyObject *copy = PyObject_CallFunctionObjArgs(state->contiguous, object, NULL);
    if (!copy) {
        return 0;
    }
    const int done = PyObject_GetBuffer(copy, view, PyBUF_SIMPLE);
    Py_DECREF(copy); /* the view keeps it */
    return done == 0;
}

/* Read an ordinary array, contiguous and of the very type, without a view: the caller of the step keeps
 * it while the step runs. Returns 0, without an exception, for any other. */
static int read_array(PyObject *object, const State *state, ItemType type, int is_written,
                      const void **data, size_t *n_item)
{
    if ((PyObject *)Py_TYPE(object) != state->array_type) {
        return 0;
    }
    const Array *array = (const Array *)object;
    const int needed = C_CONTIGUOUS | ALIGNED | (is_written ? WRITEABLE : 0);
    if ((array->flags & needed) != needed || !has_one_of(array->descr, state, type)) {
        return 0;
    }
    size_t product = 1;
    for (int at = 0; at < array->n_dim; at++) {
        product *= (size_t)array->shape[at];
    }
    *data = array->data;
    *n_item = product;
    return 1;
}

int open_array(Call *call, PyObject *object, ItemType type, int is_written, const void **data,
               size_t *n_item)
{
    const State *state = state_of(call->module);
    if (!state) {
        return 0;
    }
    if (state->knows_layout && read_array(object, state, type, is_written, data, n_item)) {
        return 1;
    }
    Py_buffer *view = &call->views[call->n_view];
    if (!get_buffer(call, object, is_written, view)) {
        return 0;
    }
    call->n_view++;
    *data = view->buf;
    *n_item = (size_t)(view->len / ITEM_BYTES[type]);
    call->is_refused = !is_of_type(object, state, view, type);
    return !call->is_refused;
}
