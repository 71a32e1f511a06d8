/* The module `thresher.native._compiled`. */

#include "glue.h"

static const char *const TYPE_NAMES[N_ITEM_TYPE] = {
    "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32",
    "float64",
};

/* Threads that load at once put the same objects in. */
static int put(PyObject **slot, PyObject *object)
{
    PyObject *before = *slot;
    *slot = object;
    Py_XDECREF(before);
    return object != NULL;
}

static int load_numpy(State *state)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    int done = numpy && put(&state->empty, PyObject_GetAttrString(numpy, "empty"))
               && put(&state->contiguous, PyObject_GetAttrString(numpy, "ascontiguousarray"))
               && put(&state->dtype, PyUnicode_InternFromString("dtype"));
    for (int type = 0; done && type < N_ITEM_TYPE; type++) {
        done = put(&state->types[type], PyObject_CallMethod(numpy, "dtype", "s", TYPE_NAMES[type]));
    }
    Py_XDECREF(numpy);
    PyObject *array = done ? PyObject_CallFunction(state->empty, "((ii)O)", 2, 3,
                                                   state->types[ITEM_I32])
                           : NULL;
    if (!array) {
        return 0;
    }
    state->knows_layout = knows_layout(state, array, ITEM_I32);
    put(&state->array_type, Py_NewRef((PyObject *)Py_TYPE(array)));
    Py_DECREF(array);
    return 1;
}

const State *state_of(PyObject *module)
{
    State *state = PyModule_GetState(module);
    return state->array_type || load_numpy(state) ? state : NULL;
}

static int visit_state(PyObject *module, visitproc visit, void *arg)
{
    const State *state = PyModule_GetState(module);
    Py_VISIT(state->empty);
    Py_VISIT(state->contiguous);
    Py_VISIT(state->dtype);
    Py_VISIT(state->array_type);
    for (int type = 0; type < N_ITEM_TYPE; type++) {
        Py_VISIT(state->types[type]);
    }
    return 0;
}

static int clear_state(PyObject *module)
{
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->empty);
    Py_CLEAR(state->contiguous);
    Py_CLEAR(state->dtype);
    Py_CLEAR(state->array_type);
    for (int type = 0; type < N_ITEM_TYPE; type++) {
        Py_CLEAR(state->types[type]);
    }
    return 0;
}

static void free_state(void *module)
{
    clear_state(module);
}

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "thresher.native._compiled", NULL, sizeof(State), STEPS, NULL,
    visit_state, clear_state, free_state,
};

PyMODINIT_FUNC PyInit__compiled(void)
{
    return PyModuleDef_Init(&MODULE);
}
