/* Functions of the module that run the learned network. */

#ifndef THRESHER_LEARNED_H
#define THRESHER_LEARNED_H

#include "arrays.h"

PyObject *py_add_up_names(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_add_up_summaries(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_average_blocks(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_code_blocks(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_has_way(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_relate_blocks(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_index_hashes(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_number_hashes(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_measure_blocks(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_read_edges(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_read_names(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_read_words(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);

#endif
