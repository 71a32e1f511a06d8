/* The learned network for Python; what `module.c` is for the other steps. */

#include "learned.h"

#include "features.h"
#include "network.h"

typedef PyObject *const *Args;

/* Read whole numbers behind the arrays; 0, or -1 with an exception and the arrays closed. */
static int read_numbers(Arrays *arrays, Args args, Py_ssize_t n_arg, int n_number,
                        Py_ssize_t *numbers)
{
    if (n_arg != arrays->n_open + n_number) {
        unfit(arrays);
        return -1;
    }
    for (int at = 0; at < n_number; at++) {
        numbers[at] = PyLong_AsSsize_t(args[arrays->n_open + at]);
        if (numbers[at] == -1 && PyErr_Occurred()) {
            close_arrays(arrays);
            return -1;
        }
    }
    return 0;
}

static Weights weights_of(const Array *of)
{
    return (Weights){of[0].data, of[1].data, of[2].data, of[1].n, of[2].n};
}

/* embedding[v, n_code]; numbers, start of tokens; row, end, name of entries; leaf[n],
 * container[3, n]; scratch of_name, sums, above; out[n, 4, n_code]; n_code. */
PyObject *py_add_up_names(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    Py_ssize_t n_code;
    if (open_arrays(&arrays, args, n_arg, "188448" "44" "iiqi") < 0
        || read_numbers(&arrays, args, n_arg, 1, &n_code) < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const size_t n_block = of[6].n, n_entry = of[3].n, n_name = of[2].n, width = (size_t)n_code;
    if (n_code < 1 || width > MAX_INPUTS || of[0].n % width || of[4].n != n_entry
        || of[5].n != n_entry || of[7].n / N_CONTAINER != n_block || of[7].n % N_CONTAINER
        || of[8].n < n_name * width || of[9].n < (n_entry + 1) * width || of[10].n < n_entry + 1
        || of[11].n != n_block * (N_CONTAINER + 1) * width) {
        return unfit(&arrays);
    }
    const NameTokens names = {of[0].data, of[1].data, of[2].data,      of[3].data, of[4].data,
                              of[5].data, of[0].n / width, of[1].n, n_name,     n_entry};
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = add_up_names(&names, width, of[6].data, of[7].data, n_block, of[8].data, of[9].data,
                        of[10].data, of[11].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* dims, whole, real of the weights; values[f, n]; names[n, 4, m * d]; types[t]; code[n, m, h],
 * summary[n, m, c]; start, stop, hide. */
PyObject *py_code_blocks(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    Py_ssize_t numbers[3];
    if (open_arrays(&arrays, args, n_arg, "424442hh") < 0
        || read_numbers(&arrays, args, n_arg, 3, numbers) < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const int32_t *dims = of[0].data;
    if (of[0].n != 8 || dims[0] < 1 || dims[1] < 1 || dims[2] < 1 || dims[3] < 1 || dims[4] < 1
        || dims[5] < 1) {
        return unfit(&arrays);
    }
    const size_t n_block = of[3].n / (size_t)dims[0], n_net = (size_t)dims[2];
    if (of[3].n != n_block * (size_t)dims[0] || of[5].n != (size_t)dims[1]
        || of[4].n != n_block * (N_CONTAINER + 1) * n_net * (size_t)dims[5]
        || of[6].n != n_block * n_net * (size_t)dims[3]
        || of[7].n != n_block * n_net * (size_t)dims[4] || numbers[0] < 0 || numbers[1] < 0) {
        return unfit(&arrays);
    }
    const Weights weights = weights_of(of);
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = code_blocks(&weights, of[3].data, of[4].data, of[5].data, n_block, (size_t)numbers[0],
                       (size_t)numbers[1], numbers[2], of[6].data, of[7].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* summary[n, m, c]; words[n]; sums[n + 1, m, c], page[m, 2, c]. */
PyObject *py_add_up_summaries(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    Py_ssize_t n_net;
    if (open_arrays(&arrays, args, n_arg, "28ih") < 0
        || read_numbers(&arrays, args, n_arg, 1, &n_net) < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const size_t n_block = of[1].n, width = of[3].n / 2;
    if (n_net < 1 || of[3].n % (2 * (size_t)n_net) || of[0].n != n_block * width
        || of[2].n != (n_block + 1) * width) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = add_up_summaries(of[0].data, of[1].data, n_block, (size_t)n_net, width / (size_t)n_net,
                            of[2].data, of[3].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* dims, whole, real of the weights; words[n]; first, stop[3, n]; summary, sums, page; code[n, m, h],
 * next[n, m, c], votes[m, n], totals[m, h]; turn, start, stop. */
PyObject *py_relate_blocks(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    Py_ssize_t numbers[3];
    if (open_arrays(&arrays, args, n_arg, "424" "8" "44" "242" "hhiq") < 0
        || read_numbers(&arrays, args, n_arg, 3, numbers) < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const int32_t *dims = of[0].data;
    if (of[0].n != 8 || dims[2] < 1 || dims[3] < 1 || dims[4] < 1) {
        return unfit(&arrays);
    }
    const size_t n_block = of[3].n, n_net = (size_t)dims[2], width = n_net * (size_t)dims[4];
    if (of[4].n / N_CONTAINER != n_block || of[4].n % N_CONTAINER || of[5].n != of[4].n
        || of[6].n != n_block * width || of[7].n != (n_block + 1) * width || of[8].n != 2 * width
        || of[9].n != n_block * n_net * (size_t)dims[3] || of[10].n != n_block * width
        || of[11].n != n_block * n_net || of[12].n != n_net * (size_t)dims[3] || numbers[0] < 0
        || numbers[1] < 0 || numbers[2] < 0) {
        return unfit(&arrays);
    }
    const Weights weights = weights_of(of);
    const Around around = {of[3].data, of[4].data, of[5].data, of[6].data, of[7].data, of[8].data};
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = relate_blocks(&weights, &around, n_block, (size_t)numbers[0], (size_t)numbers[1],
                         (size_t)numbers[2], of[9].data, of[10].data, of[11].data, of[12].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* way: whether this machine has it. */
PyObject *py_has_way(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays none = {.n_open = 0};
    Py_ssize_t way;
    if (read_numbers(&none, args, n_arg, 1, &way) < 0) {
        return NULL;
    }
    return PyBool_FromLong(choose_way((int32_t)way) != NULL);
}

/* buffer; start, stop, salt of values; numbers[65536]; scratch table; first_of, name[n], hashes,
 * token_start[n + 1]. */
PyObject *py_read_names(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "14488" "i" "qqqq") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const size_t n_entry = of[1].n;
    if (of[2].n != n_entry || of[3].n != n_entry || of[4].n != 65536 || n_entry > INT32_MAX
        || of[6].n != n_entry || of[7].n != n_entry || of[9].n != n_entry + 1) {
        return unfit(&arrays);
    }
    int64_t n_name;
    Py_BEGIN_ALLOW_THREADS
    n_name = read_names(of[0].data, of[0].n, of[1].data, of[2].data, of[3].data, n_entry,
                        of[4].data, of[5].data, of[5].n, of[6].data, of[7].data, of[8].data,
                        of[8].n, of[9].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLongLong(n_name);
}

/* known; table. */
PyObject *py_index_hashes(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "8i") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const int done = index_hashes(of[0].data, of[0].n, of[1].data, of[1].n);
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* known, table; hashes; numbers[n_hash]. */
PyObject *py_number_hashes(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "848q") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    if (of[3].n != of[2].n) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = number_hashes(of[0].data, of[0].n, of[1].data, of[1].n, of[2].data, of[2].n, of[3].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* values[f, n_block]; weight[n_block]; sums[2, f]. */
PyObject *py_average_blocks(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "48q") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const size_t n_block = of[1].n, n_feature = of[2].n / 2;
    if (of[2].n % 2 || n_block == 0 || of[0].n % n_block || of[0].n / n_block != n_feature) {
        return unfit(&arrays);
    }
    double *sums = of[2].data;
    Py_BEGIN_ALLOW_THREADS
    average_blocks(of[0].data, n_feature, of[1].data, n_block, sums, sums + n_feature);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(0);
}

/* codes; start, block of texts; counts[n_block + 1, 11], word_start, word_block, word_hash. */
PyObject *py_read_words(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "244qiiq") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const size_t n_room = of[4].n;
    if (of[0].n > INT32_MAX || of[2].n != of[1].n || of[3].n < 11 || of[3].n % 11
        || of[5].n != n_room || of[6].n != n_room) {
        return unfit(&arrays);
    }
    int64_t n_word;
    Py_BEGIN_ALLOW_THREADS
    n_word = read_words(of[0].data, of[0].n, of[1].data, of[2].data, of[1].n, of[3].n / 11 - 1,
                        of[3].data, of[4].data, of[5].data, of[6].data, n_room);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLongLong(n_word);
}

/* codes; start, stop of blocks; first, last[n_block]. */
PyObject *py_read_edges(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    Arrays arrays;
    if (open_arrays(&arrays, args, n_arg, "244bb") < 0) {
        return NULL;
    }
    Array *of = arrays.of;
    const size_t n_block = of[1].n;
    if (of[2].n != n_block || of[3].n != n_block || of[4].n != n_block) {
        return unfit(&arrays);
    }
    int done;
    Py_BEGIN_ALLOW_THREADS
    done = read_edges(of[0].data, of[0].n, of[1].data, of[2].data, n_block, of[3].data, of[4].data);
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    return PyLong_FromLong(done);
}

/* tag, parent, end, depth, hidden of rows; offsets of text and leaves; row, block, words, link words,
 * characters of leaves; start, row of blocks; kinds of characters, first, last; hash, start, block of
 * words; signature of rows; then, to be filled, ladder[21, n_block], rows[2, n_row], counts
 * [N_COUNT, 2 n_block + 1], out[n_feature, n_block], scratch; then a tuple, the recipe: flags, around,
 * elements, formulas, rows of logarithms, of shares, of values, edges, (flags of hidden, h1). */
PyObject *py_measure_blocks(PyObject *module, Args args, Py_ssize_t n_arg)
{
    (void)module;
    enum { N_ARRAY = 26, N_PART = 9 };
    PyObject *parts[N_PART];
    if (n_arg != N_ARRAY + 1 || !PyTuple_Check(args[N_ARRAY])
        || PyTuple_Size(args[N_ARRAY]) != N_PART) {
        PyErr_SetString(PyExc_TypeError, "arguments are missing");
        return NULL;
    }
    for (Py_ssize_t part = 0; part < N_PART; part++) {
        parts[part] = PyTuple_GetItem(args[N_ARRAY], part);
    }
    Arrays arrays, told;
    if (open_arrays(&told, parts, N_PART, "444444414") < 0) {
        return NULL;
    }
    if (open_arrays(&arrays, args, n_arg, "24441" "44" "44444" "44" "811" "844" "8" "iiii" "q") < 0) {
        close_arrays(&told);
        return NULL;
    }
    Array *of = arrays.of, *part = told.of;
    const size_t n_row = of[0].n, n_leaf = of[7].n, n_block = of[13].n, n_word = of[17].n;
    const size_t n_code = part[0].n;
    size_t n_feature = part[4].n + part[5].n + part[6].n;
    int fits = n_row && n_leaf && n_block && n_row < INT32_MAX && of[5].n == n_row + 1
               && of[6].n == n_row + 1 && of[12].n == n_block + 1 && of[14].n == n_block * 11
               && of[15].n == n_block && of[16].n == n_block && of[18].n == n_word
               && of[19].n == n_word && of[20].n == n_row && of[21].n == (4 * N_LEVEL + 1) * n_block
               && of[22].n == 2 * n_row && of[23].n == N_COUNT * (2 * n_block + 1)
               && of[24].n == n_feature * n_block && n_code && part[1].n == 2 * n_code
               && part[7].n == 6 && part[8].n == 3;
    for (int each = 1; each < 5; each++) {
        fits &= of[each].n == n_row;
    }
    for (int each = 8; each < 12; each++) {
        fits &= of[each].n == n_leaf;
    }
    if (!fits) {
        close_arrays(&told);
        return unfit(&arrays);
    }
    const int32_t *numbers = part[8].data;
    int32_t *at = of[21].data, *counts = of[23].data;
    const Blocks page = {
        .tag = of[0].data, .parent = of[1].data, .end = of[2].data, .depth = of[3].data,
        .hidden = of[4].data, .text_offset = of[5].data, .leaf_offset = of[6].data,
        .leaves = of[7].data, .of_leaf = of[8].data, .leaf_words = of[9].data,
        .leaf_link_words = of[10].data, .leaf_chars = of[11].data, .block_start = of[12].data,
        .block_row = of[13].data, .n_row = n_row, .n_leaf = n_leaf, .n_block = n_block,
    };
    const Ladder ladder = {
        at, at + N_LEVEL * n_block, at + 2 * N_LEVEL * n_block, at + 3 * N_LEVEL * n_block,
        at + 4 * N_LEVEL * n_block, of[22].data, (int32_t *)of[22].data + n_row,
    };
    const Words words = {of[15].data, of[16].data, of[17].data, of[18].data, of[19].data,
                         of[20].data, n_word};
    const Recipe recipe = {
        .flags = part[0].data, .around = part[1].data, .elements = part[2].data,
        .formulas = part[3].data, .rows = {part[4].data, part[5].data, part[6].data},
        .n_row_of = {part[4].n, part[5].n, part[6].n}, .edges = part[7].data, .n_code = n_code,
        .n_around = (size_t)numbers[2], .n_element = part[2].n, .n_formula = part[3].n,
        .n_feature = n_feature, .hidden_flags = numbers[0], .h1 = numbers[1],
    };
    Scratch scratch = {of[25].data, of[25].n};
    int done = REFUSED;
    Py_BEGIN_ALLOW_THREADS
    if (numbers[2] >= 0 && are_blocks(&page) && climb(&page, &ladder, &scratch) == 0
        && count_blocks(&page, &ladder, recipe.flags, n_code, of[14].data, counts,
                        counts + N_COUNT * n_block, &scratch) == 0) {
        done = measure_blocks(&page, &ladder, counts, counts + N_COUNT * n_block, &words, &recipe,
                              of[24].data, &scratch);
    }
    Py_END_ALLOW_THREADS
    close_arrays(&arrays);
    close_arrays(&told);
    return PyLong_FromLong(done);
}
