/* The module `thresher.native._compiled` with its list of steps. */

#include "step.h"

#define STEPS(EACH) \
    EACH(add_up_names) \
    EACH(add_up_summaries) \
    EACH(average_blocks) \
    EACH(canonicalise) \
    EACH(choose_blocks) \
    EACH(classify) \
    EACH(code_blocks) \
    EACH(count_attributes_at_most) \
    EACH(count_rows_at_most) \
    EACH(count_words) \
    EACH(find_attributes) \
    EACH(find_candidates) \
    EACH(find_gaps) \
    EACH(find_heading_links) \
    EACH(find_marked_links) \
    EACH(find_named) \
    EACH(find_nearest) \
    EACH(find_wholes) \
    EACH(flag_below) \
    EACH(flag_hidden) \
    EACH(flag_within) \
    EACH(group_kept) \
    EACH(group_leaves) \
    EACH(has_way) \
    EACH(hash_runs) \
    EACH(index_hashes) \
    EACH(inherit_flags) \
    EACH(join_pieces) \
    EACH(lay_out_rows) \
    EACH(measure_blocks) \
    EACH(measure_texts) \
    EACH(measure_utf8) \
    EACH(number_hashes) \
    EACH(pack_words) \
    EACH(put_plain) \
    EACH(read_characters) \
    EACH(read_leaves) \
    EACH(read_texts) \
    EACH(read_tokens) \
    EACH(relate_blocks) \
    EACH(scan_rows) \
    EACH(score_types) \
    EACH(sum_flagged) \
    EACH(tidy_markup) \
    EACH(weigh_candidates)

#define DECLARE(name) \
    PyObject *py_##name(PyObject *module, PyObject *const *args, Py_ssize_t n_arg);
#define METHOD(name) {#name, (PyCFunction)(void (*)(void))py_##name, METH_FASTCALL, NULL},

STEPS(DECLARE)

static PyMethodDef METHODS[] = {STEPS(METHOD){NULL, NULL, 0, NULL}};

static PyModuleDef_Slot SLOTS[] = {{0, NULL}};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "thresher.native._compiled", NULL, 0, METHODS, SLOTS, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__compiled(void)
{
    return PyModuleDef_Init(&MODULE);
}
