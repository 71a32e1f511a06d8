/* The steps of a page for Python: each function opens its arrays, looks at their sizes, lets go of the
 * interpreter, and calls plain C. Functions return what was counted, or -1 (REFUSED). */

#include "page.h"

#include "arrays.h"
#include "core.h"

typedef PyObject *const *Args;

/* Whether offsets into n bytes fit into int32. */
static int is_addressable(size_t n)
{
    return n <= (size_t)INT32_MAX - 64;
}

PyObject *py_count_rows_at_most(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "1") < 0) {
        return NULL;
    }
    size_t count;
    Py_BEGIN_ALLOW_THREADS
    count = count_rows_at_most(arrays.of[0].data, arrays.of[0].n);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromSize_t(count);
}

/* buffer; words, code_at, is_void, eats_newline, hash of names; tag[n], seven columns[7, n]. */
PyObject *py_scan_rows(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "182118hi") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    size_t n_code = of[3].n, n_room = of[6].n;
    if (!is_addressable(of[0].n) || of[1].n != 2 * n_code || of[2].n == 0
        || of[2].n > UINT32_MAX || n_code < 2 || of[4].n != n_code || of[5].n != 2
        || n_room > INT32_MAX || of[7].n / 7 != n_room || of[7].n % 7 != 0) {
        return unfit(&arrays);
    }
    const uint64_t *hash = of[5].data;
    Names names = {of[1].data, of[2].data, of[3].data, of[4].data, n_code,
                   of[2].n,    hash[0],    hash[1],    1};
    int32_t *ints = of[7].data;
    Columns columns = {of[6].data,         ints,              ints + n_room,
                       ints + 2 * n_room,  ints + 3 * n_room, ints + 4 * n_room,
                       ints + 5 * n_room,  ints + 6 * n_room, n_room};
    int64_t n_row;
    Py_BEGIN_ALLOW_THREADS
    n_row = scan_rows(of[0].data, of[0].n, &names, &columns);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLongLong(n_row);
}

PyObject *py_count_attributes_at_most(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "1") < 0) {
        return NULL;
    }
    size_t count;
    Py_BEGIN_ALLOW_THREADS
    count = count_attributes_at_most(arrays.of[0].data, arrays.of[0].n);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromSize_t(count);
}

/* buffer; tag, start, stop of rows; bytes of known names; found[4, n_room]. */
PyObject *py_find_attributes(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "12444i") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    size_t n_row = of[1].n;
    if (!is_addressable(of[0].n) || n_row > INT32_MAX || of[2].n != n_row || of[3].n != n_row
        || of[5].n % 4 != 0) {
        return unfit(&arrays);
    }
    int64_t count;
    Py_BEGIN_ALLOW_THREADS
    count = find_attributes(of[0].data, of[0].n, n_row, of[1].data, of[2].data, of[3].data,
                            of[4].data, of[4].n, of[5].data, of[5].n / 4);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLongLong(count);
}

/* buffer; start, stop of names; low[n], high[n]. */
PyObject *py_pack_words(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "144qq") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    size_t n_name = of[1].n;
    if (!is_addressable(of[0].n) || of[2].n != n_name || of[3].n != n_name || of[4].n != n_name) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = pack_words(of[0].data, of[0].n, n_name, of[1].data, of[2].data, of[3].data, of[4].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* low, high words of names; the wanted two; places[n_name]. */
PyObject *py_find_words(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "888q") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    size_t n_name = of[0].n;
    if (of[1].n != n_name || of[2].n != 2 || of[3].n != n_name) {
        return unfit(&arrays);
    }
    size_t n_found;
    Py_BEGIN_ALLOW_THREADS
    n_found = find_words(of[0].data, of[1].data, n_name, of[2].data, of[3].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromSize_t(n_found);
}

/* buffer; start, stop of texts; joined[n_byte], offsets[n_text + 1]. */
PyObject *py_join_text(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "144bi") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    size_t n_text = of[1].n;
    if (!is_addressable(of[0].n) || !is_addressable(of[3].n) || of[2].n != n_text
        || of[4].n != n_text + 1) {
        return unfit(&arrays);
    }
    int64_t size;
    Py_BEGIN_ALLOW_THREADS
    size = join_text(of[0].data, of[0].n, n_text, of[1].data, of[2].data, of[3].data, of[3].n,
                     of[4].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLongLong(size);
}

/* codes; offsets[n]; words[n], chars[n]. */
PyObject *py_count_words(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "24ii") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    if (!is_addressable(of[0].n) || of[2].n != of[1].n || of[3].n != of[1].n) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = count_words(of[0].data, of[0].n, of[1].n, of[1].data, of[2].data, of[3].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

static PyObject *flag(Args args, Py_ssize_t n_arg, int itself)
{
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "14b") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    if (of[0].n > INT32_MAX || of[1].n != of[0].n || of[2].n != of[0].n) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = flag_within(of[0].data, of[1].data, of[0].n, itself, of[2].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* flags, end; inside[n]. */
PyObject *py_flag_within(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    return flag(args, n_arg, 1);
}

PyObject *py_flag_below(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    return flag(args, n_arg, 0);
}

/* flags, parent; nearest[n]. */
PyObject *py_find_nearest(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "14i") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    if (of[0].n > INT32_MAX || of[1].n != of[0].n || of[2].n != of[0].n) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = find_nearest(of[0].data, of[1].data, of[0].n, of[2].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* flags, offsets[n + 1]; sums[n + 1]. */
PyObject *py_sum_flagged(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "14i") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    if (of[1].n != of[0].n + 1 || of[2].n != of[1].n) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = sum_flagged(of[0].data, of[1].data, of[0].n, of[2].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* own flags, flags of what is inside, parent; flags[n]. */
PyObject *py_inherit_flags(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "114b") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    if (of[1].n != of[0].n || of[2].n != of[0].n || of[3].n != of[0].n) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = inherit_flags(of[0].data, of[1].data, of[2].data, of[0].n, of[3].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* tag, end, characters before each row[n + 1]; kind of each code; leafless[n], leaf_offset[n + 1],
 * leaves[n]. */
PyObject *py_find_leaves(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "2441bii") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    size_t n = of[0].n;
    if (n > INT32_MAX || of[1].n != n || of[2].n != n + 1 || of[4].n != n || of[5].n != n + 1
        || of[6].n != n) {
        return unfit(&arrays);
    }
    int64_t count;
    Py_BEGIN_ALLOW_THREADS
    count = find_leaves(of[0].data, of[1].data, of[2].data, n, of[3].data, of[3].n, of[4].data,
                        of[5].data, of[6].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLongLong(count);
}

/* buffer; tag, end, open_start, leafless[n], leaf_offset, characters[n + 1]; kind of each code,
 * closing[256]; leaves; marks[n_leaf + 1]. */
PyObject *py_mark_gaps(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "1244144114b") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    size_t n = of[1].n, n_leaf = of[9].n;
    if (of[2].n != n || of[3].n != n || of[4].n != n || of[5].n != n + 1 || of[6].n != n + 1
        || of[8].n != 256 || of[10].n != n_leaf + 1) {
        return unfit(&arrays);
    }
    const Rows rows = {of[1].data, of[2].data, of[3].data, of[4].data, of[5].data, of[6].data, n};
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = mark_gaps(of[0].data, of[0].n, &rows, of[7].data, of[7].n, of[8].data, of[9].data,
                     n_leaf, of[10].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* marks[n + 1]; start[n + 1], of_leaf[n]; which marks end a group. */
PyObject *py_group_leaves(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "1ii") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    size_t n = of[2].n;
    if (n > INT32_MAX || of[0].n != n + 1 || of[1].n != n + 1 || n_arg != 4) {
        return unfit(&arrays);
    }
    long edges = PyLong_AsLong(args[3]);
    if (edges == -1 && PyErr_Occurred()) {
        close_arrays(&arrays);
        return NULL;
    }
    int64_t count;
    Py_BEGIN_ALLOW_THREADS
    count = group_leaves(of[0].data, n, (uint8_t)(edges & 0xFF), of[1].data, of[2].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLongLong(count);
}
