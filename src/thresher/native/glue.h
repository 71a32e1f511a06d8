/* What the generated functions of the extension have in common: arrays opened, sizes compared, memory
 * allocated, and results returned. */

#ifndef THRESHER_GLUE_H
#define THRESHER_GLUE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stddef.h>
#include <stdint.h>

enum { MAX_RESULTS = 10, MAX_SCRATCH = 4, NO_NUMBER = -1 };

/* Types of array items; the arrays of a signature are accepted without regard to signs. */
typedef enum {
    ITEM_BOOL, ITEM_U8, ITEM_I8, ITEM_U16, ITEM_I16, ITEM_U32, ITEM_I32, ITEM_U64, ITEM_I64,
    ITEM_F32, ITEM_F64, N_ITEM_TYPE
} ItemType;

/* What the module object keeps: functions of numpy, the name `dtype`, and numpy's types of items and of
 * arrays. */
typedef struct {
    PyObject *empty, *contiguous, *dtype, *types[N_ITEM_TYPE], *array_type;
    int knows_layout; /* whether arrays are laid out as arrays.c has it */
} State;

extern PyMethodDef STEPS[]; /* generated.c */

/* module.c: the state, for which the first call imports numpy; NULL, with an exception, if it cannot. */
const State *state_of(PyObject *module);

/* A call: what is open or allocated, in order to be released. */
typedef struct {
    PyObject *module;
    Py_buffer *views;
    PyObject *results[MAX_RESULTS];
    size_t n_kept[MAX_RESULTS]; /* the last dimension of results that are cut, else 0 */
    uint8_t n_dim[MAX_RESULTS];
    void *scratch[MAX_SCRATCH];
    size_t n_view, n_result, n_scratch;
    int is_refused; /* the input cannot be handled */
    PyObject *check;       /* the function that looks at the clock, borrowed */
    PyThreadState *thread; /* while Python runs concurrently */
    int is_stopped;        /* the function raised */
} Call;

/* The functions return 0 on failure, with an exception set or call->is_refused. */
int are_arguments(Py_ssize_t n_arg, Py_ssize_t n_expected);

/* arrays.c */
int open_array(Call *call, PyObject *object, ItemType type, int is_written, const void **data,
               size_t *n_item);
/* Whether an array of two dimensions, new and of this type, is laid out as expected. */
int knows_layout(const State *state, PyObject *array, ItemType type);

/* glue.c */
int read_int(PyObject *object, int64_t *number);
int read_float(PyObject *object, double *number);
/* Let a step call a function that looks at the clock: `look_at_clock` of its Clock. */
int read_clock(Call *call, PyObject *check);
int look_at_clock(void *call);
int make_scratch(Call *call, size_t n_byte, void **data);
int make_result(Call *call, ItemType type, const Py_ssize_t *shape, size_t n_dim, int is_cut,
                void **data);

/* Whether a number can be a size; sizes are limited so that offsets fit into int32. */
int is_size(int64_t number);
/* Determine a size from the items of an array [by, size + plus]. */
int bind_size(size_t n_item, size_t by, size_t plus, size_t *size);
/* Return a product, SIZE_MAX if it overflows. */
size_t multiply(size_t one, size_t other);

/* Release everything; return NULL, or None if the input is refused. */
PyObject *abandon(Call *call);
PyObject *reject_sizes(Call *call);
/* Return the results to Python, with the number at a place among them; None if it is REFUSED. */
PyObject *finish(Call *call, int64_t number, int place);

#endif
