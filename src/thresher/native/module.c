/* The module `thresher.native._compiled`. */

#include "glue.h"

static const char *const TYPE_NAMES[N_ITEM_TYPE] = {
    "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32",
    "float64",
};

static int load_numpy(PyObject *module)
{
    State *state = PyModule_GetState(module);
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy) {
        return -1;
    }
    state->empty = PyObject_GetAttrString(numpy, "empty");
    state->contiguous = PyObject_GetAttrString(numpy, "ascontiguousarray");
    state->dtype = PyUnicode_InternFromString("dtype");
    int done = state->empty && state->contiguous && state->dtype;
    for (int type = 0; done && type < N_ITEM_TYPE; type++) {
        state->types[type] = PyObject_CallMethod(numpy, "dtype", "s", TYPE_NAMES[type]);
        done = state->types[type] != NULL;
    }
    Py_DECREF(numpy);
    PyObject *array = done ? PyObject_CallFunction(state->empty, "((ii)O)", 2, 3,
                                                   state->types[ITEM_I32])
                           : NULL;
    if (!array) {
        return -1;
    }
    state->array_type = (PyTypeObject *)Py_NewRef((PyObject *)Py_TYPE(array));
    state->knows_layout = knows_layout(state, array, ITEM_I32);
    Py_DECREF(array);
    return 0;
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

static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, (void *)load_numpy}, {0, NULL}};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "thresher.native._compiled", NULL, sizeof(State), STEPS, SLOTS,
    visit_state, clear_state, free_state,
};

PyMODINIT_FUNC PyInit__compiled(void)
{
    return PyModuleDef_Init(&MODULE);
}
