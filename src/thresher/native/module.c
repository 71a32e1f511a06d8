/* The module `thresher.native._compiled`: the table of its functions. */

#include "learned.h"
#include "page.h"

#define FUNCTION(name) {#name, (PyCFunction)(void (*)(void))py_##name, METH_FASTCALL, NULL}

static PyMethodDef FUNCTIONS[] = {
    FUNCTION(add_up_names),
    FUNCTION(add_up_summaries),
    FUNCTION(average_blocks),
    FUNCTION(code_blocks),
    FUNCTION(count_attributes_at_most),
    FUNCTION(count_rows_at_most),
    FUNCTION(count_words),
    FUNCTION(find_attributes),
    FUNCTION(find_leaves),
    FUNCTION(find_nearest),
    FUNCTION(find_words),
    FUNCTION(flag_below),
    FUNCTION(flag_within),
    FUNCTION(group_leaves),
    FUNCTION(has_way),
    FUNCTION(index_hashes),
    FUNCTION(inherit_flags),
    FUNCTION(join_text),
    FUNCTION(mark_gaps),
    FUNCTION(measure_blocks),
    FUNCTION(number_hashes),
    FUNCTION(pack_words),
    FUNCTION(read_edges),
    FUNCTION(read_names),
    FUNCTION(read_words),
    FUNCTION(relate_blocks),
    FUNCTION(scan_rows),
    FUNCTION(sum_flagged),
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot SLOTS[] = {{0, NULL}};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "thresher.native._compiled", NULL, 0, FUNCTIONS, SLOTS, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__compiled(void)
{
    return PyModuleDef_Init(&MODULE);
}
