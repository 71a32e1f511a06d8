/* The functions of the extension; generated from steps.txt by `python -m thresher.native.generate`. */

#include "generated.h"
#include "glue.h"

static PyObject *py_measure_utf8(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct measure_utf8_arguments of;
    Py_buffer views[1];
    Call call = {.module = module, .views = views};
    size_t n_item[1];
    if (!are_arguments(n_arg, 1)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.utf8, &n_item[0]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n))) {
        return reject_sizes(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_measure_utf8(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_canonicalise(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct canonicalise_arguments of;
    Py_buffer views[4];
    Call call = {.module = module, .views = views};
    size_t n_item[1];
    if (!are_arguments(n_arg, 4)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.source, &n_item[0])
          && read_int(args[1], &of.n_room)
          && read_int(args[2], &of.n_element)
          && read_int(args[3], &of.asks))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && is_size(of.n_element)
          && bind_size(n_item[0], 1, 0, &of.n))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)(1)}, 1, 0, (void **)&of.count)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.canonical)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_element), (Py_ssize_t)(4)}, 2, 0, (void **)&of.tags))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_canonicalise(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_count_rows_at_most(PyObject *module, PyObject *const *args,
                                      Py_ssize_t n_arg)
{
    struct count_rows_at_most_arguments of;
    Py_buffer views[1];
    Call call = {.module = module, .views = views};
    size_t n_item[1];
    if (!are_arguments(n_arg, 1)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n))) {
        return reject_sizes(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_count_rows_at_most(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_scan_rows(PyObject *module, PyObject *const *args,
                             Py_ssize_t n_arg)
{
    struct scan_rows_arguments of;
    Py_buffer views[8];
    Call call = {.module = module, .views = views};
    size_t n_item[6];
    if (!are_arguments(n_arg, 7)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_U64, 0, (const void **)&of.words, &n_item[1])
          && open_array(&call, args[2], ITEM_I16, 0, (const void **)&of.code_at, &n_item[2])
          && open_array(&call, args[3], ITEM_BOOL, 0, (const void **)&of.is_void, &n_item[3])
          && open_array(&call, args[4], ITEM_BOOL, 0, (const void **)&of.eats_newline, &n_item[4])
          && open_array(&call, args[5], ITEM_U64, 0, (const void **)&of.hash, &n_item[5])
          && read_int(args[6], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && n_item[5] == 2
          && bind_size(n_item[0], 1, 0, &of.n)
          && bind_size(n_item[1], 2, 0, &of.n_code)
          && n_item[3] == (size_t)of.n_code
          && n_item[4] == (size_t)of.n_code
          && bind_size(n_item[2], 1, 0, &of.n_place))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I16, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.tag)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(7), (Py_ssize_t)((size_t)of.n_room)}, 2, 1, (void **)&of.columns))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_scan_rows(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_count_attributes_at_most(PyObject *module, PyObject *const *args,
                                            Py_ssize_t n_arg)
{
    struct count_attributes_at_most_arguments of;
    Py_buffer views[1];
    Call call = {.module = module, .views = views};
    size_t n_item[1];
    if (!are_arguments(n_arg, 1)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n))) {
        return reject_sizes(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_count_attributes_at_most(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_find_attributes(PyObject *module, PyObject *const *args,
                                   Py_ssize_t n_arg)
{
    struct find_attributes_arguments of;
    Py_buffer views[6];
    Call call = {.module = module, .views = views};
    size_t n_item[5];
    if (!are_arguments(n_arg, 6)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.start, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.stop, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.name_bytes, &n_item[4])
          && read_int(args[5], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && bind_size(n_item[0], 1, 0, &of.n)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row
          && bind_size(n_item[4], 1, 0, &of.n_code))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(4), (Py_ssize_t)((size_t)of.n_room)}, 2, 1, (void **)&of.found))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_attributes(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_pack_words(PyObject *module, PyObject *const *args,
                              Py_ssize_t n_arg)
{
    struct pack_words_arguments of;
    Py_buffer views[5];
    Call call = {.module = module, .views = views};
    size_t n_item[3];
    if (!are_arguments(n_arg, 3)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.start, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.stop, &n_item[2]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.low)
          && make_result(&call, ITEM_U64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.high))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_pack_words(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_find_named(PyObject *module, PyObject *const *args,
                              Py_ssize_t n_arg)
{
    struct find_named_arguments of;
    Py_buffer views[7];
    Call call = {.module = module, .views = views};
    size_t n_item[5];
    if (!are_arguments(n_arg, 5)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.name_start, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.start, &n_item[2])
          && open_array(&call, args[3], ITEM_U8, 0, (const void **)&of.names, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.name_stop, &n_item[4]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n
          && bind_size(n_item[3], 1, 0, &of.n_name_byte)
          && bind_size(n_item[4], 1, 0, &of.n_name))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n, 1), (void **)&of.which)
          && make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 1, (void **)&of.found)
          && make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_name)}, 1, 0, (void **)&of.n_each))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_named(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_find_parts(PyObject *module, PyObject *const *args,
                              Py_ssize_t n_arg)
{
    struct find_parts_arguments of;
    Py_buffer views[6];
    Call call = {.module = module, .views = views};
    size_t n_item[5];
    if (!are_arguments(n_arg, 5)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.start, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.stop, &n_item[2])
          && open_array(&call, args[3], ITEM_U8, 0, (const void **)&of.parts, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.part_stop, &n_item[4]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n
          && bind_size(n_item[3], 1, 0, &of.n_part_byte)
          && bind_size(n_item[4], 1, 0, &of.n_part))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.found))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_parts(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_number_spans(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct number_spans_arguments of;
    Py_buffer views[5];
    Call call = {.module = module, .views = views};
    size_t n_item[3];
    if (!are_arguments(n_arg, 4)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.start, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.stop, &n_item[2])
          && read_int(args[3], &of.n_place))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_place)
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n)) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_place, 4), (void **)&of.table)
          && make_scratch(&call, multiply((size_t)of.n, 8), (void **)&of.hashes)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.number)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 1, (void **)&of.first))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_number_spans(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_measure_texts(PyObject *module, PyObject *const *args,
                                 Py_ssize_t n_arg)
{
    struct measure_texts_arguments of;
    Py_buffer views[4];
    Call call = {.module = module, .views = views};
    size_t n_item[4];
    if (!are_arguments(n_arg, 5)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.start, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.stop, &n_item[3])
          && read_int(args[4], &of.text))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row)) {
        return reject_sizes(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_measure_texts(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_read_texts(PyObject *module, PyObject *const *args,
                              Py_ssize_t n_arg)
{
    struct read_texts_arguments of;
    Py_buffer views[7];
    Call call = {.module = module, .views = views};
    size_t n_item[5];
    if (!are_arguments(n_arg, 7)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.start, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.stop, &n_item[3])
          && read_int(args[4], &of.text)
          && open_array(&call, args[5], ITEM_U16, 0, (const void **)&of.code_of, &n_item[4])
          && read_int(args[6], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && n_item[4] == 65537
          && bind_size(n_item[0], 1, 0, &of.n)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.joined)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(3), (Py_ssize_t)((size_t)of.n_row + 1)}, 2, 0, (void **)&of.counts))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_read_texts(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_classify(PyObject *module, PyObject *const *args,
                            Py_ssize_t n_arg)
{
    struct classify_arguments of;
    Py_buffer views[3];
    Call call = {.module = module, .views = views};
    size_t n_item[2];
    if (!are_arguments(n_arg, 3)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.utf8, &n_item[0])
          && open_array(&call, args[1], ITEM_U16, 0, (const void **)&of.code_of, &n_item[1])
          && read_int(args[2], &of.n_char))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_char)
          && n_item[1] == 65537
          && bind_size(n_item[0], 1, 0, &of.n))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U16, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_char)}, 1, 0, (void **)&of.codes))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_classify(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_count_words(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct count_words_arguments of;
    Py_buffer views[4];
    Call call = {.module = module, .views = views};
    size_t n_item[2];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U16, 0, (const void **)&of.codes, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.offsets, &n_item[1]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && bind_size(n_item[1], 1, 0, &of.n_offset))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_offset)}, 1, 0, (void **)&of.words)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_offset)}, 1, 0, (void **)&of.chars))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_count_words(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_find_tagged(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct find_tagged_arguments of;
    Py_buffer views[3];
    Call call = {.module = module, .views = views};
    size_t n_item[2];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_I16, 0, (const void **)&of.tag, &n_item[0])
          && open_array(&call, args[1], ITEM_BOOL, 0, (const void **)&of.flags, &n_item[1]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && bind_size(n_item[1], 1, 0, &of.n_code))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 1, (void **)&of.found))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_tagged(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_flag_within(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct flag_within_arguments of;
    Py_buffer views[3];
    Call call = {.module = module, .views = views};
    size_t n_item[2];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_BOOL, 0, (const void **)&of.rows, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.end, &n_item[1]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && n_item[1] == (size_t)of.n)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_BOOL, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.inside))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_flag_within(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_flag_below(PyObject *module, PyObject *const *args,
                              Py_ssize_t n_arg)
{
    struct flag_below_arguments of;
    Py_buffer views[3];
    Call call = {.module = module, .views = views};
    size_t n_item[2];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_BOOL, 0, (const void **)&of.rows, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.end, &n_item[1]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && n_item[1] == (size_t)of.n)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_BOOL, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.inside))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_flag_below(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_find_nearest(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct find_nearest_arguments of;
    Py_buffer views[3];
    Call call = {.module = module, .views = views};
    size_t n_item[2];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_BOOL, 0, (const void **)&of.rows, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.parent, &n_item[1]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && n_item[1] == (size_t)of.n)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.nearest))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_nearest(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_locate_ends(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct locate_ends_arguments of;
    Py_buffer views[10];
    Call call = {.module = module, .views = views};
    size_t n_item[9];
    if (!are_arguments(n_arg, 12)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.utf8, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.parent, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.end, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.open_start, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.close_start, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.places, &n_item[6])
          && open_array(&call, args[7], ITEM_I32, 0, (const void **)&of.rows, &n_item[7])
          && open_array(&call, args[8], ITEM_I32, 0, (const void **)&of.last, &n_item[8])
          && read_int(args[9], &of.text)
          && read_int(args[10], &of.n_own)
          && read_int(args[11], &of.n_chunk))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_chunk)
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n
          && n_item[3] == (size_t)of.n
          && n_item[4] == (size_t)of.n
          && n_item[5] == (size_t)of.n
          && bind_size(n_item[6], 4, 0, &of.n_element)
          && bind_size(n_item[7], 1, 0, &of.n_found)
          && n_item[8] == (size_t)of.n_found)) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply(multiply((size_t)of.n, 4), 4), (void **)&of.spans)
          && make_scratch(&call, multiply((size_t)of.n_chunk, 4), (void **)&of.before)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(2), (Py_ssize_t)((size_t)of.n_found)}, 2, 0, (void **)&of.ends))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_locate_ends(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_flag_hidden(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct flag_hidden_arguments of;
    Py_buffer views[6];
    Call call = {.module = module, .views = views};
    size_t n_item[5];
    if (!are_arguments(n_arg, 6)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.row, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.name_start, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.start, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.stop, &n_item[4])
          && read_int(args[5], &of.n_row))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_row)
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n
          && n_item[3] == (size_t)of.n
          && n_item[4] == (size_t)of.n)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_row)}, 1, 0, (void **)&of.flags))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_flag_hidden(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_find_telling_rules(PyObject *module, PyObject *const *args,
                                      Py_ssize_t n_arg)
{
    struct find_telling_rules_arguments of;
    Py_buffer views[4];
    Call call = {.module = module, .views = views};
    size_t n_item[1];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.css, &n_item[0])
          && read_int(args[1], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && bind_size(n_item[0], 1, 0, &of.n))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_room, 1), (void **)&of.narrow)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.start)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.stop)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.tells))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_telling_rules(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_inherit_flags(PyObject *module, PyObject *const *args,
                                 Py_ssize_t n_arg)
{
    struct inherit_flags_arguments of;
    Py_buffer views[4];
    Call call = {.module = module, .views = views};
    size_t n_item[3];
    if (!are_arguments(n_arg, 3)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.own, &n_item[0])
          && open_array(&call, args[1], ITEM_U8, 0, (const void **)&of.inside, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.parent, &n_item[2]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && n_item[1] == (size_t)of.n
          && n_item[2] == (size_t)of.n)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.flags))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_inherit_flags(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_read_leaves(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct read_leaves_arguments of;
    Py_buffer views[16];
    Call call = {.module = module, .views = views};
    size_t n_item[10];
    if (!are_arguments(n_arg, 12)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.parent, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.end, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.open_start, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.words, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.chars, &n_item[6])
          && open_array(&call, args[7], ITEM_BOOL, 0, (const void **)&of.concealed, &n_item[7])
          && open_array(&call, args[8], ITEM_U8, 0, (const void **)&of.kinds, &n_item[8])
          && open_array(&call, args[9], ITEM_BOOL, 0, (const void **)&of.closing, &n_item[9])
          && read_int(args[10], &of.link)
          && read_int(args[11], &of.math))) {
        return abandon(&call);
    }
    if (!(n_item[9] == 256
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n
          && n_item[3] == (size_t)of.n
          && n_item[4] == (size_t)of.n
          && n_item[5] == (size_t)of.n + 1
          && n_item[6] == (size_t)of.n + 1
          && n_item[7] == (size_t)of.n
          && bind_size(n_item[8], 1, 0, &of.n_code))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n, 4), (void **)&of.nearest)
          && make_scratch(&call, multiply((size_t)of.n, 1), (void **)&of.leafless)
          && make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)(2)}, 1, 0, (void **)&of.sizes)
          && make_result(&call, ITEM_BOOL, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.in_link)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(3), (Py_ssize_t)((size_t)of.n + 1)}, 2, 0, (void **)&of.offsets)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(6), (Py_ssize_t)((size_t)of.n)}, 2, 0, (void **)&of.leaves)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(3), (Py_ssize_t)((size_t)of.n + 1)}, 2, 0, (void **)&of.blocks)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n + 1)}, 1, 0, (void **)&of.marks))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_read_leaves(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_group_leaves(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct group_leaves_arguments of;
    Py_buffer views[3];
    Call call = {.module = module, .views = views};
    size_t n_item[1];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.marks, &n_item[0])
          && read_int(args[1], &of.edges))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 1, &of.n))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n + 1)}, 1, 0, (void **)&of.start)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.of_leaf))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_group_leaves(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 2);
}

static PyObject *py_find_marked_links(PyObject *module, PyObject *const *args,
                                     Py_ssize_t n_arg)
{
    struct find_marked_links_arguments of;
    Py_buffer views[8];
    Call call = {.module = module, .views = views};
    size_t n_item[7];
    if (!are_arguments(n_arg, 8)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.end, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.start, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.stop, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.leaf_offset, &n_item[5])
          && open_array(&call, args[6], ITEM_BOOL, 0, (const void **)&of.keep, &n_item[6])
          && read_int(args[7], &of.link))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n
          && n_item[3] == (size_t)of.n
          && n_item[4] == (size_t)of.n
          && n_item[5] == (size_t)of.n + 1
          && bind_size(n_item[6], 1, 0, &of.n_leaf))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 1, (void **)&of.found))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_marked_links(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_find_heading_links(PyObject *module, PyObject *const *args,
                                      Py_ssize_t n_arg)
{
    struct find_heading_links_arguments of;
    Py_buffer views[7];
    Call call = {.module = module, .views = views};
    size_t n_item[6];
    if (!are_arguments(n_arg, 8)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_I16, 0, (const void **)&of.tag, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.parent, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.end, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.leaf_offset, &n_item[3])
          && open_array(&call, args[4], ITEM_BOOL, 0, (const void **)&of.headings, &n_item[4])
          && open_array(&call, args[5], ITEM_BOOL, 0, (const void **)&of.keep, &n_item[5])
          && read_int(args[6], &of.link)
          && read_int(args[7], &of.levels_up))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && n_item[1] == (size_t)of.n
          && n_item[2] == (size_t)of.n
          && n_item[3] == (size_t)of.n + 1
          && bind_size(n_item[4], 1, 0, &of.n_code)
          && bind_size(n_item[5], 1, 0, &of.n_leaf))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 1, (void **)&of.found))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_heading_links(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_find_removed_links(PyObject *module, PyObject *const *args,
                                      Py_ssize_t n_arg)
{
    struct find_removed_links_arguments of;
    Py_buffer views[15];
    Call call = {.module = module, .views = views};
    size_t n_item[10];
    if (!are_arguments(n_arg, 12)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.end, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.leaf_offset, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.leaves, &n_item[4])
          && open_array(&call, args[5], ITEM_BOOL, 0, (const void **)&of.keep, &n_item[5])
          && open_array(&call, args[6], ITEM_BOOL, 0, (const void **)&of.shows_text, &n_item[6])
          && open_array(&call, args[7], ITEM_I32, 0, (const void **)&of.href_row, &n_item[7])
          && open_array(&call, args[8], ITEM_I32, 0, (const void **)&of.start, &n_item[8])
          && open_array(&call, args[9], ITEM_I32, 0, (const void **)&of.stop, &n_item[9])
          && read_int(args[10], &of.link)
          && read_int(args[11], &of.longest))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n
          && n_item[3] == (size_t)of.n + 1
          && bind_size(n_item[4], 1, 0, &of.n_leaf)
          && n_item[5] == (size_t)of.n_leaf
          && bind_size(n_item[6], 1, 0, &of.n_code)
          && bind_size(n_item[7], 1, 0, &of.n_href)
          && n_item[8] == (size_t)of.n_href
          && n_item[9] == (size_t)of.n_href)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_href)}, 1, 1, (void **)&of.first)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_href)}, 1, 1, (void **)&of.last)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_href)}, 1, 1, (void **)&of.address_start)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_href)}, 1, 1, (void **)&of.address_stop)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_href)}, 1, 1, (void **)&of.kind))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_removed_links(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_read_characters(PyObject *module, PyObject *const *args,
                                   Py_ssize_t n_arg)
{
    struct read_characters_arguments of;
    Py_buffer views[11];
    Call call = {.module = module, .views = views};
    size_t n_item[6];
    if (!are_arguments(n_arg, 9)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U16, 0, (const void **)&of.codes, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.end, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.text_offset, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.leaves, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.block_start, &n_item[5])
          && read_int(args[6], &of.title)
          && read_int(args[7], &of.h1)
          && read_int(args[8], &of.n_place))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_place)
          && bind_size(n_item[0], 1, 0, &of.n_char)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row + 1
          && bind_size(n_item[4], 1, 0, &of.n_leaf)
          && bind_size(n_item[5], 1, 1, &of.n_block))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_place, 8), (void **)&of.hashes)
          && make_scratch(&call, multiply((size_t)of.n_place, 1), (void **)&of.marks)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_block), (Py_ssize_t)(11)}, 2, 0, (void **)&of.counts)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_block)}, 1, 0, (void **)&of.first)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_block)}, 1, 0, (void **)&of.last)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(3), (Py_ssize_t)((size_t)of.n_block)}, 2, 0, (void **)&of.words)
          && make_result(&call, ITEM_U64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_block)}, 1, 0, (void **)&of.word_sum))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_read_characters(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_read_words(PyObject *module, PyObject *const *args,
                              Py_ssize_t n_arg)
{
    struct read_words_arguments of;
    Py_buffer views[6];
    Call call = {.module = module, .views = views};
    size_t n_item[5];
    if (!are_arguments(n_arg, 5)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U16, 0, (const void **)&of.codes, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.end, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.text_offset, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.leaves, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.block_start, &n_item[4]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_char)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row + 1
          && bind_size(n_item[3], 1, 0, &of.n_leaf)
          && bind_size(n_item[4], 1, 1, &of.n_block))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U16, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_block), (Py_ssize_t)(16)}, 2, 0, (void **)&of.numbers))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_read_words(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_read_tokens(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct read_tokens_arguments of;
    Py_buffer views[17];
    Call call = {.module = module, .views = views};
    size_t n_item[12];
    if (!are_arguments(n_arg, 16)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.end, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.block_offset, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.row, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.start, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.stop, &n_item[6])
          && open_array(&call, args[7], ITEM_U64, 0, (const void **)&of.low, &n_item[7])
          && open_array(&call, args[8], ITEM_U64, 0, (const void **)&of.high, &n_item[8])
          && open_array(&call, args[9], ITEM_U64, 0, (const void **)&of.wanted, &n_item[9])
          && open_array(&call, args[10], ITEM_U64, 0, (const void **)&of.salts, &n_item[10])
          && open_array(&call, args[11], ITEM_U64, 0, (const void **)&of.tag_tokens, &n_item[11])
          && read_int(args[12], &of.text)
          && read_int(args[13], &of.n_room)
          && read_int(args[14], &of.n_place)
          && read_int(args[15], &of.n_entry))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && is_size(of.n_place)
          && is_size(of.n_entry)
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row + 1
          && bind_size(n_item[4], 1, 0, &of.n_attribute)
          && n_item[5] == (size_t)of.n_attribute
          && n_item[6] == (size_t)of.n_attribute
          && n_item[7] == (size_t)of.n_attribute
          && n_item[8] == (size_t)of.n_attribute
          && bind_size(n_item[9], 2, 0, &of.n_wanted)
          && n_item[10] == (size_t)of.n_wanted
          && bind_size(n_item[11], 1, 0, &of.n_code))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_room, 4), (void **)&of.first_of)
          && make_scratch(&call, multiply((size_t)of.n_room, 8), (void **)&of.salt_of)
          && make_scratch(&call, multiply((size_t)of.n_place, 4), (void **)&of.table)
          && make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)(3)}, 1, 0, (void **)&of.sizes)
          && make_result(&call, ITEM_U64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 0, (void **)&of.hashes)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 0, (void **)&of.name_start)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(3), (Py_ssize_t)((size_t)of.n_entry)}, 2, 0, (void **)&of.entries)
          && make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_row)}, 1, 0, (void **)&of.signature))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_read_tokens(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_hash_runs(PyObject *module, PyObject *const *args,
                             Py_ssize_t n_arg)
{
    struct hash_runs_arguments of;
    Py_buffer views[4];
    Call call = {.module = module, .views = views};
    size_t n_item[3];
    if (!are_arguments(n_arg, 3)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.symbols, &n_item[0])
          && open_array(&call, args[1], ITEM_I64, 0, (const void **)&of.start, &n_item[1])
          && open_array(&call, args[2], ITEM_I64, 0, (const void **)&of.stop, &n_item[2]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_symbol)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.hashes))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_hash_runs(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_measure_blocks(PyObject *module, PyObject *const *args,
                                  Py_ssize_t n_arg)
{
    struct measure_blocks_arguments of;
    Py_buffer views[38];
    Call call = {.module = module, .views = views};
    size_t n_item[30];
    if (!are_arguments(n_arg, 42)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_I16, 0, (const void **)&of.tag, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.parent, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.end, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.depth, &n_item[3])
          && open_array(&call, args[4], ITEM_U8, 0, (const void **)&of.hidden, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.leaf_offset, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.leaves, &n_item[6])
          && open_array(&call, args[7], ITEM_I32, 0, (const void **)&of.of_leaf, &n_item[7])
          && open_array(&call, args[8], ITEM_I32, 0, (const void **)&of.leaf_words, &n_item[8])
          && open_array(&call, args[9], ITEM_I32, 0, (const void **)&of.leaf_link_words, &n_item[9])
          && open_array(&call, args[10], ITEM_I32, 0, (const void **)&of.leaf_chars, &n_item[10])
          && open_array(&call, args[11], ITEM_I32, 0, (const void **)&of.block_start, &n_item[11])
          && open_array(&call, args[12], ITEM_I32, 0, (const void **)&of.block_row, &n_item[12])
          && open_array(&call, args[13], ITEM_I32, 0, (const void **)&of.kinds, &n_item[13])
          && open_array(&call, args[14], ITEM_U8, 0, (const void **)&of.first, &n_item[14])
          && open_array(&call, args[15], ITEM_U8, 0, (const void **)&of.last, &n_item[15])
          && open_array(&call, args[16], ITEM_I32, 0, (const void **)&of.words_of, &n_item[16])
          && open_array(&call, args[17], ITEM_U64, 0, (const void **)&of.word_sum, &n_item[17])
          && read_int(args[18], &of.n_title)
          && open_array(&call, args[19], ITEM_I64, 0, (const void **)&of.signature, &n_item[18])
          && open_array(&call, args[20], ITEM_I32, 0, (const void **)&of.flags, &n_item[19])
          && open_array(&call, args[21], ITEM_I32, 0, (const void **)&of.around, &n_item[20])
          && open_array(&call, args[22], ITEM_I32, 0, (const void **)&of.elements, &n_item[21])
          && open_array(&call, args[23], ITEM_I32, 0, (const void **)&of.formulas, &n_item[22])
          && open_array(&call, args[24], ITEM_I32, 0, (const void **)&of.logs, &n_item[23])
          && open_array(&call, args[25], ITEM_I32, 0, (const void **)&of.shares, &n_item[24])
          && open_array(&call, args[26], ITEM_I32, 0, (const void **)&of.plain, &n_item[25])
          && open_array(&call, args[27], ITEM_U8, 0, (const void **)&of.edges, &n_item[26])
          && read_int(args[28], &of.hidden_flags)
          && read_int(args[29], &of.h1_code)
          && read_int(args[30], &of.n_around)
          && open_array(&call, args[31], ITEM_F32, 0, (const void **)&of.mean, &n_item[27])
          && open_array(&call, args[32], ITEM_F32, 0, (const void **)&of.deviation, &n_item[28])
          && open_array(&call, args[33], ITEM_F32, 0, (const void **)&of.saturation, &n_item[29])
          && read_float(args[34], &of.clip)
          && read_float(args[35], &of.steps)
          && read_float(args[36], &of.unworded)
          && read_int(args[37], &of.n_feature)
          && read_int(args[38], &of.n_value)
          && read_int(args[39], &of.n_input)
          && read_int(args[40], &of.n_scratch)
          && read_clock(&call, args[41]))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_feature)
          && is_size(of.n_value)
          && is_size(of.n_input)
          && is_size(of.n_scratch)
          && n_item[26] == 6
          && bind_size(n_item[0], 1, 0, &of.n_row)
          && n_item[1] == (size_t)of.n_row
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row
          && n_item[4] == (size_t)of.n_row
          && n_item[5] == (size_t)of.n_row + 1
          && n_item[18] == (size_t)of.n_row
          && bind_size(n_item[6], 1, 0, &of.n_leaf)
          && n_item[7] == (size_t)of.n_leaf
          && n_item[8] == (size_t)of.n_leaf
          && n_item[9] == (size_t)of.n_leaf
          && n_item[10] == (size_t)of.n_leaf
          && bind_size(n_item[11], 1, 1, &of.n_block)
          && n_item[12] == (size_t)of.n_block
          && n_item[13] == multiply((size_t)of.n_block, 11)
          && n_item[14] == (size_t)of.n_block
          && n_item[15] == (size_t)of.n_block
          && n_item[16] == multiply(3, (size_t)of.n_block)
          && n_item[17] == (size_t)of.n_block
          && bind_size(n_item[19], 1, 0, &of.n_code)
          && n_item[20] == multiply(2, (size_t)of.n_code)
          && bind_size(n_item[21], 1, 0, &of.n_element)
          && bind_size(n_item[22], 1, 0, &of.n_formula)
          && bind_size(n_item[23], 1, 0, &of.n_log)
          && bind_size(n_item[24], 1, 0, &of.n_share)
          && bind_size(n_item[25], 1, 0, &of.n_plain)
          && bind_size(n_item[27], 1, 0, &of.n_mean)
          && n_item[28] == (size_t)of.n_mean
          && n_item[29] == (size_t)of.n_mean)) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_scratch, 8), (void **)&of.space)
          && make_scratch(&call, multiply(multiply(26, (size_t)of.n_block + 1), 4), (void **)&of.sums)
          && make_scratch(&call, multiply(multiply(16, (size_t)of.n_block), 4), (void **)&of.columns)
          && make_scratch(&call, multiply((size_t)of.n_block, 8), (void **)&of.weight)
          && make_result(&call, ITEM_F32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_value), (Py_ssize_t)((size_t)of.n_block)}, 2, 0, (void **)&of.features)
          && make_result(&call, ITEM_I16, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_input), (Py_ssize_t)((size_t)of.n_block)}, 2, 0, (void **)&of.inputs)
          && make_result(&call, ITEM_F64, (const Py_ssize_t[]){(Py_ssize_t)(2), (Py_ssize_t)((size_t)of.n_feature)}, 2, 0, (void **)&of.means)
          && make_result(&call, ITEM_F32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_block)}, 1, 0, (void **)&of.link_density)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(4), (Py_ssize_t)(5), (Py_ssize_t)((size_t)of.n_block)}, 3, 0, (void **)&of.chain)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_block)}, 1, 0, (void **)&of.n_above)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)(2), (Py_ssize_t)((size_t)of.n_row)}, 2, 0, (void **)&of.row_blocks)
          && make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_block)}, 1, 0, (void **)&of.words))) {
        return abandon(&call);
    }
    int64_t number;
    of.clock = &(Clock){look_at_clock, &call, ITEMS_BETWEEN};
    call.thread = PyEval_SaveThread();
    number = step_measure_blocks(&of);
    PyEval_RestoreThread(call.thread);
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_index_hashes(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct index_hashes_arguments of;
    Py_buffer views[2];
    Call call = {.module = module, .views = views};
    size_t n_item[1];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U64, 0, (const void **)&of.known, &n_item[0])
          && read_int(args[1], &of.n_place))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_place)
          && bind_size(n_item[0], 1, 0, &of.n_known))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_place)}, 1, 0, (void **)&of.table))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_index_hashes(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_number_hashes(PyObject *module, PyObject *const *args,
                                 Py_ssize_t n_arg)
{
    struct number_hashes_arguments of;
    Py_buffer views[4];
    Call call = {.module = module, .views = views};
    size_t n_item[3];
    if (!are_arguments(n_arg, 3)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U64, 0, (const void **)&of.known, &n_item[0])
          && open_array(&call, args[1], ITEM_I32, 0, (const void **)&of.table, &n_item[1])
          && open_array(&call, args[2], ITEM_U64, 0, (const void **)&of.hashes, &n_item[2]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_known)
          && bind_size(n_item[1], 1, 0, &of.n_place)
          && bind_size(n_item[2], 1, 0, &of.n))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.numbers))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_number_hashes(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_score_types(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct score_types_arguments of;
    Py_buffer views[8];
    Call call = {.module = module, .views = views};
    size_t n_item[7];
    if (!are_arguments(n_arg, 8)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_F32, 0, (const void **)&of.mean, &n_item[0])
          && open_array(&call, args[1], ITEM_F32, 0, (const void **)&of.deviation, &n_item[1])
          && open_array(&call, args[2], ITEM_F32, 0, (const void **)&of.feature_weights, &n_item[2])
          && open_array(&call, args[3], ITEM_F32, 0, (const void **)&of.token_weights, &n_item[3])
          && open_array(&call, args[4], ITEM_F32, 0, (const void **)&of.bias, &n_item[4])
          && read_float(args[5], &of.clip)
          && open_array(&call, args[6], ITEM_F64, 0, (const void **)&of.means, &n_item[5])
          && open_array(&call, args[7], ITEM_I64, 0, (const void **)&of.tokens, &n_item[6]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_mean)
          && n_item[1] == (size_t)of.n_mean
          && n_item[5] == (size_t)of.n_mean
          && bind_size(n_item[2], (size_t)of.n_mean, 0, &of.n_type)
          && n_item[4] == (size_t)of.n_type
          && bind_size(n_item[3], (size_t)of.n_type, 0, &of.n_number)
          && bind_size(n_item[6], 1, 0, &of.n_token))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_number, 1), (void **)&of.seen)
          && make_result(&call, ITEM_F64, (const Py_ssize_t[]){(Py_ssize_t)(2), (Py_ssize_t)((size_t)of.n_type)}, 2, 0, (void **)&of.scores))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_score_types(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_add_up_names(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct add_up_names_arguments of;
    Py_buffer views[11];
    Call call = {.module = module, .views = views};
    size_t n_item[10];
    if (!are_arguments(n_arg, 15)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_I8, 0, (const void **)&of.embedding, &n_item[0])
          && open_array(&call, args[1], ITEM_I64, 0, (const void **)&of.numbers, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.start, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.row, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.end, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.name, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.leaf, &n_item[6])
          && open_array(&call, args[7], ITEM_I32, 0, (const void **)&of.container, &n_item[7])
          && open_array(&call, args[8], ITEM_I8, 0, (const void **)&of.word_embedding, &n_item[8])
          && open_array(&call, args[9], ITEM_U16, 0, (const void **)&of.first_words, &n_item[9])
          && read_int(args[10], &of.width)
          && read_int(args[11], &of.word_width)
          && read_int(args[12], &of.n_net)
          && read_int(args[13], &of.n_part)
          && read_int(args[14], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.width)
          && is_size(of.n_net)
          && is_size(of.n_part)
          && is_size(of.n_room)
          && bind_size(n_item[0], (size_t)of.width, 0, &of.n_known)
          && bind_size(n_item[1], 1, 0, &of.n_token)
          && bind_size(n_item[2], 1, 0, &of.n_name)
          && bind_size(n_item[3], 1, 0, &of.n_entry)
          && n_item[4] == (size_t)of.n_entry
          && n_item[5] == (size_t)of.n_entry
          && bind_size(n_item[6], 1, 0, &of.n)
          && n_item[7] == multiply(3, (size_t)of.n)
          && bind_size(n_item[8], 1, 0, &of.n_vector)
          && bind_size(n_item[9], 1, 0, &of.n_first))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply(multiply((size_t)of.n_name, (size_t)of.width), 4), (void **)&of.of_name)
          && make_scratch(&call, multiply(multiply(2, (size_t)of.n_room), 4), (void **)&of.path)
          && make_scratch(&call, multiply(multiply((size_t)of.n_room, (size_t)of.width), 4), (void **)&of.sums)
          && make_result(&call, ITEM_I16, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n), (Py_ssize_t)((size_t)of.n_net), (Py_ssize_t)((size_t)of.n_part)}, 3, 0, (void **)&of.names))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_add_up_names(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_code_blocks(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct code_blocks_arguments of;
    Py_buffer views[9];
    Call call = {.module = module, .views = views};
    size_t n_item[9];
    if (!are_arguments(n_arg, 12)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_I32, 0, (const void **)&of.dims, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.pairs, &n_item[1])
          && open_array(&call, args[2], ITEM_I8, 0, (const void **)&of.fours, &n_item[2])
          && open_array(&call, args[3], ITEM_F32, 0, (const void **)&of.real, &n_item[3])
          && open_array(&call, args[4], ITEM_I16, 0, (const void **)&of.inputs, &n_item[4])
          && open_array(&call, args[5], ITEM_I16, 0, (const void **)&of.names, &n_item[5])
          && open_array(&call, args[6], ITEM_I16, 0, (const void **)&of.types, &n_item[6])
          && open_array(&call, args[7], ITEM_U8, 1, (const void **)&of.code, &n_item[7])
          && open_array(&call, args[8], ITEM_U8, 1, (const void **)&of.summary, &n_item[8])
          && read_int(args[9], &of.start)
          && read_int(args[10], &of.stop)
          && read_int(args[11], &of.hide))) {
        return abandon(&call);
    }
    if (!(n_item[0] == 9
          && bind_size(n_item[1], 1, 0, &of.n_pair)
          && bind_size(n_item[2], 1, 0, &of.n_four)
          && bind_size(n_item[3], 1, 0, &of.n_real)
          && bind_size(n_item[4], 1, 0, &of.n_input)
          && bind_size(n_item[5], 1, 0, &of.n_name)
          && bind_size(n_item[6], 1, 0, &of.n_type)
          && bind_size(n_item[7], 1, 0, &of.n_code)
          && bind_size(n_item[8], 1, 0, &of.n_summary))) {
        return reject_sizes(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_code_blocks(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_add_up_summaries(PyObject *module, PyObject *const *args,
                                    Py_ssize_t n_arg)
{
    struct add_up_summaries_arguments of;
    Py_buffer views[4];
    Call call = {.module = module, .views = views};
    size_t n_item[2];
    if (!are_arguments(n_arg, 3)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.summary, &n_item[0])
          && open_array(&call, args[1], ITEM_I64, 0, (const void **)&of.words, &n_item[1])
          && read_int(args[2], &of.n_net))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_net)
          && bind_size(n_item[1], 1, 0, &of.n)
          && bind_size(n_item[0], multiply((size_t)of.n, (size_t)of.n_net), 0, &of.width))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n + 1), (Py_ssize_t)((size_t)of.n_net), (Py_ssize_t)((size_t)of.width)}, 3, 0, (void **)&of.sums)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_net), (Py_ssize_t)(2), (Py_ssize_t)((size_t)of.width)}, 3, 0, (void **)&of.page))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_add_up_summaries(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_relate_blocks(PyObject *module, PyObject *const *args,
                                 Py_ssize_t n_arg)
{
    struct relate_blocks_arguments of;
    Py_buffer views[12];
    Call call = {.module = module, .views = views};
    size_t n_item[12];
    if (!are_arguments(n_arg, 15)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_I32, 0, (const void **)&of.dims, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.pairs, &n_item[1])
          && open_array(&call, args[2], ITEM_I8, 0, (const void **)&of.fours, &n_item[2])
          && open_array(&call, args[3], ITEM_F32, 0, (const void **)&of.real, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.first, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.stop_of, &n_item[5])
          && open_array(&call, args[6], ITEM_U8, 0, (const void **)&of.summary, &n_item[6])
          && open_array(&call, args[7], ITEM_I32, 0, (const void **)&of.sums, &n_item[7])
          && open_array(&call, args[8], ITEM_U8, 0, (const void **)&of.page, &n_item[8])
          && open_array(&call, args[9], ITEM_U8, 1, (const void **)&of.code, &n_item[9])
          && open_array(&call, args[10], ITEM_U8, 1, (const void **)&of.following, &n_item[10])
          && open_array(&call, args[11], ITEM_I32, 1, (const void **)&of.votes, &n_item[11])
          && read_int(args[12], &of.turn)
          && read_int(args[13], &of.start)
          && read_int(args[14], &of.stop))) {
        return abandon(&call);
    }
    if (!(n_item[0] == 9
          && bind_size(n_item[1], 1, 0, &of.n_pair)
          && bind_size(n_item[2], 1, 0, &of.n_four)
          && bind_size(n_item[3], 1, 0, &of.n_real)
          && bind_size(n_item[4], 3, 0, &of.n)
          && n_item[5] == multiply(3, (size_t)of.n)
          && bind_size(n_item[6], 1, 0, &of.n_summary)
          && n_item[10] == (size_t)of.n_summary
          && bind_size(n_item[7], 1, 0, &of.n_sum)
          && bind_size(n_item[8], 1, 0, &of.n_page)
          && bind_size(n_item[9], 1, 0, &of.n_code)
          && bind_size(n_item[11], 1, 0, &of.n_vote))) {
        return reject_sizes(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_relate_blocks(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_describe_context(PyObject *module, PyObject *const *args,
                                    Py_ssize_t n_arg)
{
    struct describe_context_arguments of;
    Py_buffer views[9];
    Call call = {.module = module, .views = views};
    size_t n_item[8];
    if (!are_arguments(n_arg, 10)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_F64, 0, (const void **)&of.log_odds, &n_item[0])
          && open_array(&call, args[1], ITEM_F32, 0, (const void **)&of.roles, &n_item[1])
          && open_array(&call, args[2], ITEM_I64, 0, (const void **)&of.words, &n_item[2])
          && open_array(&call, args[3], ITEM_F64, 0, (const void **)&of.link_words, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.first, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.stop, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.patterns, &n_item[6])
          && open_array(&call, args[7], ITEM_F64, 0, (const void **)&of.types, &n_item[7])
          && read_int(args[8], &of.scope)
          && read_clock(&call, args[9]))) {
        return abandon(&call);
    }
    if (!(n_item[7] == 7
          && bind_size(n_item[0], 1, 0, &of.n)
          && n_item[1] == multiply((size_t)of.n, 13)
          && n_item[2] == (size_t)of.n
          && n_item[3] == (size_t)of.n
          && n_item[6] == multiply(2, (size_t)of.n)
          && bind_size(n_item[4], (size_t)of.n, 0, &of.n_level)
          && n_item[5] == multiply((size_t)of.n_level, (size_t)of.n))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply(multiply(multiply(5, 2), (size_t)of.n + 1), 8), (void **)&of.sums)
          && make_result(&call, ITEM_F64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n), (Py_ssize_t)(88)}, 2, 0, (void **)&of.inputs))) {
        return abandon(&call);
    }
    int64_t number;
    of.clock = &(Clock){look_at_clock, &call, ITEMS_BETWEEN};
    call.thread = PyEval_SaveThread();
    number = step_describe_context(&of);
    PyEval_RestoreThread(call.thread);
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_weigh_blocks(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct weigh_blocks_arguments of;
    Py_buffer views[7];
    Call call = {.module = module, .views = views};
    size_t n_item[6];
    if (!are_arguments(n_arg, 6)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_F64, 0, (const void **)&of.mean, &n_item[0])
          && open_array(&call, args[1], ITEM_F64, 0, (const void **)&of.deviation, &n_item[1])
          && open_array(&call, args[2], ITEM_F64, 0, (const void **)&of.first, &n_item[2])
          && open_array(&call, args[3], ITEM_F64, 0, (const void **)&of.second, &n_item[3])
          && open_array(&call, args[4], ITEM_F64, 0, (const void **)&of.output, &n_item[4])
          && open_array(&call, args[5], ITEM_F64, 0, (const void **)&of.inputs, &n_item[5]))) {
        return abandon(&call);
    }
    if (!(n_item[0] == 88
          && n_item[1] == 88
          && bind_size(n_item[2], 89, 0, &of.n_first)
          && bind_size(n_item[3], (size_t)of.n_first + 1, 0, &of.n_second)
          && n_item[4] == multiply((size_t)of.n_second + 1, 1)
          && bind_size(n_item[5], 88, 0, &of.n))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_F64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 0, (void **)&of.kept))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_weigh_blocks(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_group_kept(PyObject *module, PyObject *const *args,
                              Py_ssize_t n_arg)
{
    struct group_kept_arguments of;
    Py_buffer views[19];
    Call call = {.module = module, .views = views};
    size_t n_item[11];
    if (!are_arguments(n_arg, 12)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.parent, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.end, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.open_start, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.leaf_offset, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.leaves, &n_item[6])
          && open_array(&call, args[7], ITEM_I32, 0, (const void **)&of.of_leaf, &n_item[7])
          && open_array(&call, args[8], ITEM_BOOL, 0, (const void **)&of.keep, &n_item[8])
          && open_array(&call, args[9], ITEM_U8, 0, (const void **)&of.gaps_before, &n_item[9])
          && open_array(&call, args[10], ITEM_BOOL, 0, (const void **)&of.closing, &n_item[10])
          && read_int(args[11], &of.n_code))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_code)
          && n_item[10] == 256
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row
          && n_item[4] == (size_t)of.n_row
          && n_item[5] == (size_t)of.n_row + 1
          && bind_size(n_item[6], 1, 0, &of.n_leaf)
          && n_item[7] == (size_t)of.n_leaf
          && n_item[8] == (size_t)of.n_leaf
          && n_item[9] == (size_t)of.n_leaf)) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_leaf)}, 1, 1, (void **)&of.kept)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_leaf + 1)}, 1, 0, (void **)&of.start)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_leaf)}, 1, 1, (void **)&of.run_of)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_leaf)}, 1, 0, (void **)&of.first_row)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_leaf)}, 1, 0, (void **)&of.last_row)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_leaf)}, 1, 1, (void **)&of.gaps)
          && make_result(&call, ITEM_BOOL, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_row)}, 1, 0, (void **)&of.holds)
          && make_result(&call, ITEM_BOOL, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_code)}, 1, 0, (void **)&of.tags))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_group_kept(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_lay_out_rows(PyObject *module, PyObject *const *args,
                                Py_ssize_t n_arg)
{
    struct lay_out_rows_arguments of;
    Py_buffer views[19];
    Call call = {.module = module, .views = views};
    size_t n_item[15];
    if (!are_arguments(n_arg, 15)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.parent, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.end, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.open_start, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.leaf_offset, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.leaves, &n_item[6])
          && open_array(&call, args[7], ITEM_I32, 0, (const void **)&of.of_leaf, &n_item[7])
          && open_array(&call, args[8], ITEM_I32, 0, (const void **)&of.kind_of, &n_item[8])
          && open_array(&call, args[9], ITEM_I16, 0, (const void **)&of.written_as, &n_item[9])
          && open_array(&call, args[10], ITEM_BOOL, 0, (const void **)&of.holds, &n_item[10])
          && open_array(&call, args[11], ITEM_BOOL, 0, (const void **)&of.preformatted, &n_item[11])
          && open_array(&call, args[12], ITEM_BOOL, 0, (const void **)&of.in_data, &n_item[12])
          && open_array(&call, args[13], ITEM_I32, 0, (const void **)&of.block_row, &n_item[13])
          && open_array(&call, args[14], ITEM_I32, 0, (const void **)&of.first_leaf, &n_item[14]))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row
          && n_item[4] == (size_t)of.n_row
          && n_item[5] == (size_t)of.n_row + 1
          && n_item[9] == (size_t)of.n_row
          && n_item[10] == (size_t)of.n_row
          && n_item[11] == (size_t)of.n_row
          && n_item[12] == (size_t)of.n_row
          && bind_size(n_item[6], 1, 0, &of.n_leaf)
          && n_item[7] == (size_t)of.n_leaf
          && bind_size(n_item[8], 1, 0, &of.n_code)
          && bind_size(n_item[13], 1, 0, &of.n_block)
          && bind_size(n_item[14], 1, 0, &of.n_run))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_row + 1, 4), (void **)&of.nearest)
          && make_scratch(&call, multiply((size_t)of.n_row + 1, 4), (void **)&of.count)
          && make_result(&call, ITEM_BOOL, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_row)}, 1, 0, (void **)&of.structure)
          && make_result(&call, ITEM_BOOL, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_row)}, 1, 0, (void **)&of.crossing)
          && make_result(&call, ITEM_BOOL, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_run)}, 1, 0, (void **)&of.bare)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_run)}, 1, 0, (void **)&of.container))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_lay_out_rows(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_find_plain_pieces(PyObject *module, PyObject *const *args,
                                     Py_ssize_t n_arg)
{
    struct find_plain_pieces_arguments of;
    Py_buffer views[29];
    Call call = {.module = module, .views = views};
    size_t n_item[24];
    if (!are_arguments(n_arg, 27)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.parent, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.end, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.depth, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.open_start, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.open_stop, &n_item[6])
          && open_array(&call, args[7], ITEM_I32, 0, (const void **)&of.close_start, &n_item[7])
          && open_array(&call, args[8], ITEM_I32, 0, (const void **)&of.close_stop, &n_item[8])
          && open_array(&call, args[9], ITEM_I32, 0, (const void **)&of.leaf_offset, &n_item[9])
          && open_array(&call, args[10], ITEM_I32, 0, (const void **)&of.kind_of, &n_item[10])
          && open_array(&call, args[11], ITEM_I16, 0, (const void **)&of.written_as, &n_item[11])
          && open_array(&call, args[12], ITEM_BOOL, 0, (const void **)&of.holds, &n_item[12])
          && open_array(&call, args[13], ITEM_BOOL, 0, (const void **)&of.structure, &n_item[13])
          && open_array(&call, args[14], ITEM_BOOL, 0, (const void **)&of.crossing, &n_item[14])
          && open_array(&call, args[15], ITEM_BOOL, 0, (const void **)&of.preformatted, &n_item[15])
          && open_array(&call, args[16], ITEM_U8, 0, (const void **)&of.row_flags, &n_item[16])
          && open_array(&call, args[17], ITEM_I32, 0, (const void **)&of.rows, &n_item[17])
          && open_array(&call, args[18], ITEM_I32, 0, (const void **)&of.run_of, &n_item[18])
          && open_array(&call, args[19], ITEM_U8, 0, (const void **)&of.gaps, &n_item[19])
          && open_array(&call, args[20], ITEM_I32, 0, (const void **)&of.container, &n_item[20])
          && open_array(&call, args[21], ITEM_I32, 0, (const void **)&of.first_row, &n_item[21])
          && open_array(&call, args[22], ITEM_I32, 0, (const void **)&of.last_row, &n_item[22])
          && open_array(&call, args[23], ITEM_BOOL, 0, (const void **)&of.bare, &n_item[23])
          && read_int(args[24], &of.has_links)
          && read_int(args[25], &of.long_tag)
          && read_int(args[26], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row
          && n_item[4] == (size_t)of.n_row
          && n_item[5] == (size_t)of.n_row
          && n_item[6] == (size_t)of.n_row
          && n_item[7] == (size_t)of.n_row
          && n_item[8] == (size_t)of.n_row
          && n_item[9] == (size_t)of.n_row + 1
          && n_item[11] == (size_t)of.n_row
          && n_item[12] == (size_t)of.n_row
          && n_item[13] == (size_t)of.n_row
          && n_item[14] == (size_t)of.n_row
          && n_item[15] == (size_t)of.n_row
          && n_item[16] == (size_t)of.n_row
          && bind_size(n_item[10], 1, 0, &of.n_code)
          && bind_size(n_item[17], 1, 0, &of.n_kept)
          && n_item[18] == (size_t)of.n_kept
          && n_item[19] == (size_t)of.n_kept
          && bind_size(n_item[20], 1, 0, &of.n_run)
          && n_item[21] == (size_t)of.n_run
          && n_item[22] == (size_t)of.n_run
          && n_item[23] == (size_t)of.n_run)) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_row, 4), (void **)&of.outermost)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_run)}, 1, 0, (void **)&of.opens)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_run)}, 1, 0, (void **)&of.closes)
          && make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.key)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.start)
          && make_result(&call, ITEM_I32, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.stop))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_find_plain_pieces(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_join_pieces(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct join_pieces_arguments of;
    Py_buffer views[7];
    Call call = {.module = module, .views = views};
    size_t n_item[6];
    if (!are_arguments(n_arg, 7)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I64, 0, (const void **)&of.order, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.start, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.stop, &n_item[3])
          && open_array(&call, args[4], ITEM_U8, 0, (const void **)&of.literals, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.offset, &n_item[5])
          && read_int(args[6], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n)
          && n_item[2] == (size_t)of.n
          && n_item[3] == (size_t)of.n
          && bind_size(n_item[4], 1, 0, &of.n_literal_byte)
          && bind_size(n_item[5], 1, 1, &of.n_literal))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 0, (void **)&of.joined))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_join_pieces(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, 0);
}

static PyObject *py_tidy_markup(PyObject *module, PyObject *const *args,
                               Py_ssize_t n_arg)
{
    struct tidy_markup_arguments of;
    Py_buffer views[5];
    Call call = {.module = module, .views = views};
    size_t n_item[4];
    if (!are_arguments(n_arg, 5)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.markup, &n_item[0])
          && open_array(&call, args[1], ITEM_U64, 0, (const void **)&of.tags, &n_item[1])
          && open_array(&call, args[2], ITEM_U32, 0, (const void **)&of.allowed, &n_item[2])
          && open_array(&call, args[3], ITEM_U64, 0, (const void **)&of.attributes, &n_item[3])
          && read_int(args[4], &of.ids))) {
        return abandon(&call);
    }
    if (!(bind_size(n_item[0], 1, 0, &of.n)
          && bind_size(n_item[1], 2, 0, &of.n_tag)
          && n_item[2] == (size_t)of.n_tag
          && bind_size(n_item[3], 2, 0, &of.n_attribute))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n)}, 1, 1, (void **)&of.tidied))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_tidy_markup(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_survey_markup(PyObject *module, PyObject *const *args,
                                 Py_ssize_t n_arg)
{
    struct survey_markup_arguments of;
    Py_buffer views[2];
    Call call = {.module = module, .views = views};
    size_t n_item[1];
    if (!are_arguments(n_arg, 2)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.markup, &n_item[0])
          && read_int(args[1], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && bind_size(n_item[0], 1, 0, &of.n))) {
        return reject_sizes(&call);
    }
    if (!(make_result(&call, ITEM_I64, (const Py_ssize_t[]){(Py_ssize_t)(3), (Py_ssize_t)((size_t)of.n_room)}, 2, 1, (void **)&of.places))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_survey_markup(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_write_markdown(PyObject *module, PyObject *const *args,
                                  Py_ssize_t n_arg)
{
    struct write_markdown_arguments of;
    Py_buffer views[8];
    Call call = {.module = module, .views = views};
    size_t n_item[7];
    if (!are_arguments(n_arg, 10)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.markup, &n_item[0])
          && open_array(&call, args[1], ITEM_U8, 0, (const void **)&of.urls, &n_item[1])
          && open_array(&call, args[2], ITEM_I64, 0, (const void **)&of.url_stop, &n_item[2])
          && open_array(&call, args[3], ITEM_I64, 0, (const void **)&of.given, &n_item[3])
          && open_array(&call, args[4], ITEM_U8, 0, (const void **)&of.given_texts, &n_item[4])
          && open_array(&call, args[5], ITEM_I64, 0, (const void **)&of.text_stop, &n_item[5])
          && open_array(&call, args[6], ITEM_U16, 0, (const void **)&of.codes, &n_item[6])
          && read_int(args[7], &of.n_event)
          && read_int(args[8], &of.n_token)
          && read_int(args[9], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_event)
          && is_size(of.n_token)
          && is_size(of.n_room)
          && n_item[6] == 65537
          && bind_size(n_item[0], 1, 0, &of.n)
          && bind_size(n_item[1], 1, 0, &of.n_url_byte)
          && bind_size(n_item[2], 1, 0, &of.n_url)
          && bind_size(n_item[3], 3, 0, &of.n_given)
          && n_item[5] == (size_t)of.n_given
          && bind_size(n_item[4], 1, 0, &of.n_text_byte))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply(multiply((size_t)of.n_event, 4), 4), (void **)&of.events)
          && make_scratch(&call, multiply(multiply((size_t)of.n_token, 5), 4), (void **)&of.tokens)
          && make_scratch(&call, multiply(multiply(2, (size_t)of.n_event), 1), (void **)&of.flags)
          && make_scratch(&call, multiply(multiply(5, (size_t)of.n_room), 1), (void **)&of.texts)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.markdown))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_write_markdown(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

static PyObject *py_write_block_list(PyObject *module, PyObject *const *args,
                                    Py_ssize_t n_arg)
{
    struct write_block_list_arguments of;
    Py_buffer views[21];
    Call call = {.module = module, .views = views};
    size_t n_item[20];
    if (!are_arguments(n_arg, 25)) {
        return NULL;
    }
    if (!(open_array(&call, args[0], ITEM_U8, 0, (const void **)&of.buffer, &n_item[0])
          && open_array(&call, args[1], ITEM_I16, 0, (const void **)&of.tag, &n_item[1])
          && open_array(&call, args[2], ITEM_I32, 0, (const void **)&of.parent, &n_item[2])
          && open_array(&call, args[3], ITEM_I32, 0, (const void **)&of.depth, &n_item[3])
          && open_array(&call, args[4], ITEM_I32, 0, (const void **)&of.open_start, &n_item[4])
          && open_array(&call, args[5], ITEM_I32, 0, (const void **)&of.open_stop, &n_item[5])
          && open_array(&call, args[6], ITEM_I32, 0, (const void **)&of.nth_of_type, &n_item[6])
          && open_array(&call, args[7], ITEM_U8, 0, (const void **)&of.names, &n_item[7])
          && open_array(&call, args[8], ITEM_I32, 0, (const void **)&of.name_offset, &n_item[8])
          && open_array(&call, args[9], ITEM_U8, 0, (const void **)&of.text, &n_item[9])
          && open_array(&call, args[10], ITEM_I32, 0, (const void **)&of.text_offset, &n_item[10])
          && open_array(&call, args[11], ITEM_I32, 0, (const void **)&of.leaves, &n_item[11])
          && open_array(&call, args[12], ITEM_I32, 0, (const void **)&of.leaf_stop, &n_item[12])
          && open_array(&call, args[13], ITEM_U8, 0, (const void **)&of.gaps, &n_item[13])
          && open_array(&call, args[14], ITEM_I32, 0, (const void **)&of.block_start, &n_item[14])
          && open_array(&call, args[15], ITEM_I32, 0, (const void **)&of.block_row, &n_item[15])
          && open_array(&call, args[16], ITEM_I32, 0, (const void **)&of.source, &n_item[16])
          && open_array(&call, args[17], ITEM_I32, 0, (const void **)&of.facts, &n_item[17])
          && open_array(&call, args[18], ITEM_U8, 0, (const void **)&of.literals, &n_item[18])
          && open_array(&call, args[19], ITEM_I32, 0, (const void **)&of.literal_offset, &n_item[19])
          && read_int(args[20], &of.other)
          && read_int(args[21], &of.text_tag)
          && read_int(args[22], &of.n_own_row)
          && read_int(args[23], &of.max_depth)
          && read_int(args[24], &of.n_room))) {
        return abandon(&call);
    }
    if (!(is_size(of.n_room)
          && bind_size(n_item[0], 1, 0, &of.n_byte)
          && bind_size(n_item[1], 1, 0, &of.n_row)
          && n_item[2] == (size_t)of.n_row
          && n_item[3] == (size_t)of.n_row
          && n_item[4] == (size_t)of.n_row
          && n_item[5] == (size_t)of.n_row
          && n_item[6] == (size_t)of.n_row
          && n_item[10] == (size_t)of.n_row + 1
          && bind_size(n_item[7], 1, 0, &of.n_name_byte)
          && bind_size(n_item[8], 1, 1, &of.n_code)
          && bind_size(n_item[9], 1, 0, &of.n_text_byte)
          && bind_size(n_item[11], 1, 0, &of.n_leaf)
          && n_item[12] == (size_t)of.n_leaf
          && n_item[13] == (size_t)of.n_leaf
          && bind_size(n_item[14], 1, 1, &of.n_block)
          && n_item[15] == (size_t)of.n_block
          && n_item[16] == multiply(2, (size_t)of.n_block)
          && bind_size(n_item[17], (size_t)of.n_block, 0, &of.n_fact)
          && bind_size(n_item[18], 1, 0, &of.n_literal_byte)
          && bind_size(n_item[19], 1, 1, &of.n_literal))) {
        return reject_sizes(&call);
    }
    if (!(make_scratch(&call, multiply((size_t)of.n_row, 4), (void **)&of.nth_child)
          && make_scratch(&call, multiply((size_t)of.n_row + 1, 4), (void **)&of.n_child)
          && make_result(&call, ITEM_U8, (const Py_ssize_t[]){(Py_ssize_t)((size_t)of.n_room)}, 1, 1, (void **)&of.written))) {
        return abandon(&call);
    }
    int64_t number;
    Py_BEGIN_ALLOW_THREADS
    number = step_write_block_list(&of);
    Py_END_ALLOW_THREADS
    return finish(&call, number, NO_NUMBER);
}

PyMethodDef STEPS[] = {
    {"measure_utf8", (PyCFunction)(void (*)(void))py_measure_utf8, METH_FASTCALL, NULL},
    {"canonicalise", (PyCFunction)(void (*)(void))py_canonicalise, METH_FASTCALL, NULL},
    {"count_rows_at_most", (PyCFunction)(void (*)(void))py_count_rows_at_most, METH_FASTCALL, NULL},
    {"scan_rows", (PyCFunction)(void (*)(void))py_scan_rows, METH_FASTCALL, NULL},
    {"count_attributes_at_most", (PyCFunction)(void (*)(void))py_count_attributes_at_most, METH_FASTCALL, NULL},
    {"find_attributes", (PyCFunction)(void (*)(void))py_find_attributes, METH_FASTCALL, NULL},
    {"pack_words", (PyCFunction)(void (*)(void))py_pack_words, METH_FASTCALL, NULL},
    {"find_named", (PyCFunction)(void (*)(void))py_find_named, METH_FASTCALL, NULL},
    {"find_parts", (PyCFunction)(void (*)(void))py_find_parts, METH_FASTCALL, NULL},
    {"number_spans", (PyCFunction)(void (*)(void))py_number_spans, METH_FASTCALL, NULL},
    {"measure_texts", (PyCFunction)(void (*)(void))py_measure_texts, METH_FASTCALL, NULL},
    {"read_texts", (PyCFunction)(void (*)(void))py_read_texts, METH_FASTCALL, NULL},
    {"classify", (PyCFunction)(void (*)(void))py_classify, METH_FASTCALL, NULL},
    {"count_words", (PyCFunction)(void (*)(void))py_count_words, METH_FASTCALL, NULL},
    {"find_tagged", (PyCFunction)(void (*)(void))py_find_tagged, METH_FASTCALL, NULL},
    {"flag_within", (PyCFunction)(void (*)(void))py_flag_within, METH_FASTCALL, NULL},
    {"flag_below", (PyCFunction)(void (*)(void))py_flag_below, METH_FASTCALL, NULL},
    {"find_nearest", (PyCFunction)(void (*)(void))py_find_nearest, METH_FASTCALL, NULL},
    {"locate_ends", (PyCFunction)(void (*)(void))py_locate_ends, METH_FASTCALL, NULL},
    {"flag_hidden", (PyCFunction)(void (*)(void))py_flag_hidden, METH_FASTCALL, NULL},
    {"find_telling_rules", (PyCFunction)(void (*)(void))py_find_telling_rules, METH_FASTCALL, NULL},
    {"inherit_flags", (PyCFunction)(void (*)(void))py_inherit_flags, METH_FASTCALL, NULL},
    {"read_leaves", (PyCFunction)(void (*)(void))py_read_leaves, METH_FASTCALL, NULL},
    {"group_leaves", (PyCFunction)(void (*)(void))py_group_leaves, METH_FASTCALL, NULL},
    {"find_marked_links", (PyCFunction)(void (*)(void))py_find_marked_links, METH_FASTCALL, NULL},
    {"find_heading_links", (PyCFunction)(void (*)(void))py_find_heading_links, METH_FASTCALL, NULL},
    {"find_removed_links", (PyCFunction)(void (*)(void))py_find_removed_links, METH_FASTCALL, NULL},
    {"read_characters", (PyCFunction)(void (*)(void))py_read_characters, METH_FASTCALL, NULL},
    {"read_words", (PyCFunction)(void (*)(void))py_read_words, METH_FASTCALL, NULL},
    {"read_tokens", (PyCFunction)(void (*)(void))py_read_tokens, METH_FASTCALL, NULL},
    {"hash_runs", (PyCFunction)(void (*)(void))py_hash_runs, METH_FASTCALL, NULL},
    {"measure_blocks", (PyCFunction)(void (*)(void))py_measure_blocks, METH_FASTCALL, NULL},
    {"index_hashes", (PyCFunction)(void (*)(void))py_index_hashes, METH_FASTCALL, NULL},
    {"number_hashes", (PyCFunction)(void (*)(void))py_number_hashes, METH_FASTCALL, NULL},
    {"score_types", (PyCFunction)(void (*)(void))py_score_types, METH_FASTCALL, NULL},
    {"add_up_names", (PyCFunction)(void (*)(void))py_add_up_names, METH_FASTCALL, NULL},
    {"code_blocks", (PyCFunction)(void (*)(void))py_code_blocks, METH_FASTCALL, NULL},
    {"add_up_summaries", (PyCFunction)(void (*)(void))py_add_up_summaries, METH_FASTCALL, NULL},
    {"relate_blocks", (PyCFunction)(void (*)(void))py_relate_blocks, METH_FASTCALL, NULL},
    {"describe_context", (PyCFunction)(void (*)(void))py_describe_context, METH_FASTCALL, NULL},
    {"weigh_blocks", (PyCFunction)(void (*)(void))py_weigh_blocks, METH_FASTCALL, NULL},
    {"group_kept", (PyCFunction)(void (*)(void))py_group_kept, METH_FASTCALL, NULL},
    {"lay_out_rows", (PyCFunction)(void (*)(void))py_lay_out_rows, METH_FASTCALL, NULL},
    {"find_plain_pieces", (PyCFunction)(void (*)(void))py_find_plain_pieces, METH_FASTCALL, NULL},
    {"join_pieces", (PyCFunction)(void (*)(void))py_join_pieces, METH_FASTCALL, NULL},
    {"tidy_markup", (PyCFunction)(void (*)(void))py_tidy_markup, METH_FASTCALL, NULL},
    {"survey_markup", (PyCFunction)(void (*)(void))py_survey_markup, METH_FASTCALL, NULL},
    {"write_markdown", (PyCFunction)(void (*)(void))py_write_markdown, METH_FASTCALL, NULL},
    {"write_block_list", (PyCFunction)(void (*)(void))py_write_block_list, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
