/* The functions of page.c, for the table of the module. */

#ifndef THRESHER_PAGE_H
#define THRESHER_PAGE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *py_count_attributes_at_most(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_count_rows_at_most(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_count_words(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_find_attributes(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_find_leaves(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_find_nearest(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_find_words(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_flag_below(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_flag_within(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_group_leaves(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_inherit_flags(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_join_text(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_mark_gaps(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_pack_words(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_scan_rows(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
PyObject *py_sum_flagged(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);

#endif
