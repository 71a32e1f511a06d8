/* Python steps for features and the learned network. */

#include "features/features.h"
#include "network/network.h"
#include "step.h"

static Weights weights_of(const Argument *of)
{
    return (Weights){of[0].data, of[1].data, of[2].data, of[3].data, of[1].n, of[2].n, of[3].n};
}

/* counts, first, last, of words, word_sum. */
static Characters characters_of(const Argument *of, size_t n_block, int64_t n_title)
{
    int32_t *of_words = of[3].data;
    return (Characters){
        .counts = of[0].data, .first = of[1].data, .last = of[2].data, .n_word = of_words,
        .in_title = of_words + n_block, .in_h1 = of_words + 2 * n_block, .word_sum = of[4].data,
        .n_title = n_title,
    };
}

/* embedding[v, n_code]; numbers, start of tokens; row, end, name of entries; leaf[n],
 * container[3, n]; scratch of_name, path[2, n_room], sums[n_room, n_code];
 * out[n, net, 4, n_code / net]; n_code, net. */
STEP(add_up_names, "184444" "44" "iii" "h" "nn")
{
    const size_t n_block = of[6].n, n_entry = of[3].n, n_name = of[2].n, n_room = of[9].n / 2;
    const size_t width = (size_t)of[12].number, n_net = (size_t)of[13].number;
    if (of[12].number < 1 || of[13].number < 1 || width > MAX_INPUTS || width % n_net
        || of[0].n % width || of[4].n != n_entry || of[5].n != n_entry
        || of[7].n / N_CONTAINER != n_block || of[7].n % N_CONTAINER || of[8].n < n_name * width
        || of[10].n < n_room * width || of[11].n != n_block * (N_CONTAINER + 1) * width) {
        return UNFIT;
    }
    const NameTokens names = {of[0].data, of[1].data, of[2].data,      of[3].data, of[4].data,
                              of[5].data, of[0].n / width, of[1].n, n_name,     n_entry};
    int32_t *path_row = of[9].data;
    Path path = {path_row, path_row + n_room, of[10].data, n_room};
    return add_up_names(&names, width, n_net, of[6].data, of[7].data, n_block, of[8].data, &path,
                        of[11].data);
}

/* dims, pairs, fours, real of the weights; values[f, n]; names[n, m, 4, d]; types[t]; code[n, m, h],
 * summary[n, m, c]; start, stop, hide. */
STEP(code_blocks, "4214" "422" "bb" "nnn")
{
    const int32_t *dims = of[0].data;
    const Py_ssize_t start = of[9].number, stop = of[10].number, hide = of[11].number;
    if (of[0].n != 8 || dims[0] < 1 || dims[1] < 1 || dims[2] < 1 || dims[3] < 1 || dims[4] < 1
        || dims[5] < 1) {
        return UNFIT;
    }
    const size_t n_block = of[4].n / (size_t)dims[0], n_net = (size_t)dims[2];
    if (of[4].n != n_block * (size_t)dims[0] || of[6].n != (size_t)dims[1]
        || of[5].n != n_block * (N_CONTAINER + 1) * n_net * (size_t)dims[5]
        || of[7].n != n_block * n_net * (size_t)dims[3]
        || of[8].n != n_block * n_net * (size_t)dims[4] || start < 0 || stop < 0) {
        return UNFIT;
    }
    const Weights weights = weights_of(of);
    return code_blocks(&weights, of[4].data, of[5].data, of[6].data, n_block, (size_t)start,
                       (size_t)stop, hide, of[7].data, of[8].data);
}

/* summary[n, m, c]; words[n]; sums[n + 1, m, c], page[m, 2, c]; m. */
STEP(add_up_summaries, "18ibn")
{
    const Py_ssize_t n_net = of[4].number;
    const size_t n_block = of[1].n, width = of[3].n / 2;
    if (n_net < 1 || of[3].n % (2 * (size_t)n_net) || of[0].n != n_block * width
        || of[2].n != (n_block + 1) * width) {
        return UNFIT;
    }
    return add_up_summaries(of[0].data, of[1].data, n_block, (size_t)n_net, width / (size_t)n_net,
                            of[2].data, of[3].data);
}

/* dims, pairs, fours, real of the weights; words[n]; first, stop[3, n]; summary, sums, page;
 * code[n, m, h], next[n, m, c], votes[m, n], totals[m, h]; turn, start, stop. */
STEP(relate_blocks, "4214" "8" "44" "141" "bbiq" "nnn")
{
    const int32_t *dims = of[0].data;
    const Py_ssize_t turn = of[14].number, start = of[15].number, stop = of[16].number;
    if (of[0].n != 8 || dims[2] < 1 || dims[3] < 1 || dims[4] < 1) {
        return UNFIT;
    }
    const size_t n_block = of[4].n, n_net = (size_t)dims[2], width = n_net * (size_t)dims[4];
    if (of[5].n / N_CONTAINER != n_block || of[5].n % N_CONTAINER || of[6].n != of[5].n
        || of[7].n != n_block * width || of[8].n != (n_block + 1) * width || of[9].n != 2 * width
        || of[10].n != n_block * n_net * (size_t)dims[3] || of[11].n != n_block * width
        || of[12].n != n_block * n_net || of[13].n != n_net * (size_t)dims[3] || turn < 0
        || start < 0 || stop < 0) {
        return UNFIT;
    }
    const Weights weights = weights_of(of);
    const Around around = {of[4].data, of[5].data, of[6].data, of[7].data, of[8].data, of[9].data};
    return relate_blocks(&weights, &around, n_block, (size_t)turn, (size_t)start, (size_t)stop,
                         of[10].data, of[11].data, of[12].data, of[13].data);
}

/* level: 1 if this machine supports the SIMD level, else 0. */
STEP(has_way, "n")
{
    return choose_simd_level((int32_t)of[0].number) != NULL;
}

/* buffer; tag, end of rows, block_offset; row, start, stop, low, high of attributes; wanted[n, 2],
 * salts[n]; tag_tokens; the code of texts; hashes, start, first_of, salt_of[n_room], table;
 * entries[3, n_entry], signature[n_row], sizes[3]. */
STEP(read_tokens, "1244" "44488" "888" "n" "qiiqi" "iqq")
{
    const size_t n_row = of[1].n, n_attribute = of[4].n, n_room = of[13].n, n_entry = of[18].n / 3;
    if (of[2].n != n_row || of[3].n != n_row + 1 || of[5].n != n_attribute || of[6].n != n_attribute
        || of[7].n != n_attribute || of[8].n != n_attribute || of[9].n != 2 * of[10].n
        || of[14].n != n_room || of[15].n != n_room || of[16].n != n_room || of[19].n != n_row
        || of[20].n != 3 || n_room > INT32_MAX || n_attribute > INT32_MAX || n_row > INT32_MAX) {
        return UNFIT;
    }
    const NamedRows rows = {
        .buffer = of[0].data, .n_byte = of[0].n, .tag = of[1].data, .end = of[2].data,
        .block_offset = of[3].data, .n_row = n_row, .row = of[4].data, .start = of[5].data,
        .stop = of[6].data, .low = of[7].data, .high = of[8].data, .n_attribute = n_attribute,
        .wanted = of[9].data, .salts = of[10].data, .n_wanted = of[10].n,
        .tag_tokens = of[11].data, .n_code = of[11].n, .text = (int16_t)of[12].number,
    };
    int32_t *entries = of[18].data;
    const TokenRoom room = {
        .hashes = of[13].data, .start = of[14].data, .first_of = of[15].data,
        .salt_of = of[16].data, .n_room = n_room, .table = of[17].data, .n_place = of[17].n,
        .row = entries, .end = entries + n_entry, .name = entries + 2 * n_entry,
        .n_entry = n_entry, .signature = of[19].data,
    };
    return read_tokens(&rows, &room, of[20].data);
}

/* symbols; start, stop, hashes of runs. */
STEP(hash_runs, "188q")
{
    if (of[2].n != of[1].n || of[3].n != of[1].n) {
        return UNFIT;
    }
    return hash_runs(of[0].data, of[0].n, of[1].data, of[2].data, of[1].n, of[3].data);
}

/* known; table. */
STEP(index_hashes, "8i")
{
    return index_hashes(of[0].data, of[0].n, of[1].data, of[1].n);
}

/* known, table; hashes; numbers[n_hash]. */
STEP(number_hashes, "848q")
{
    if (of[3].n != of[2].n) {
        return UNFIT;
    }
    return number_hashes(of[0].data, of[0].n, of[1].data, of[1].n, of[2].data, of[2].n, of[3].data);
}

/* values[f, n_block]; words[n_block]; words of a block besides[1]; weight[n_block]; means[2, f]. */
STEP(average_blocks, "488qq")
{
    const size_t n_block = of[1].n, n_feature = of[4].n / 2;
    if (of[2].n != 1 || of[3].n != n_block || of[4].n % 2 || n_block == 0 || of[0].n % n_block
        || of[0].n / n_block != n_feature) {
        return UNFIT;
    }
    const double *unworded = of[2].data;
    double *means = of[4].data;
    average_blocks(of[0].data, n_feature, of[1].data, *unworded, n_block, of[3].data, means,
                   means + n_feature);
    return 0;
}

/* codes; tag, end of rows, text_offset; leaves; start of blocks; codes of title and h1; scratch hashes,
 * marks[n_place]; counts[n_block, 11], first, last[n_block], of words[3, n_block], word_sum. Returns
 * how many distinct words the title has. */
STEP(read_characters, "2244" "44" "nn" "qb" "ibbiq")
{
    const size_t n_row = of[1].n, n_block = of[5].n - 1;
    if (!n_row || !of[5].n || of[0].n > INT32_MAX || n_row > INT32_MAX || of[2].n != n_row
        || of[3].n != n_row + 1 || of[9].n != of[8].n || of[10].n != n_block * N_KIND
        || of[11].n != n_block || of[12].n != n_block || of[13].n != 3 * n_block
        || of[14].n != n_block) {
        return UNFIT;
    }
    const Texts texts = {
        .codes = of[0].data, .tag = of[1].data, .end = of[2].data, .text_offset = of[3].data,
        .leaves = of[4].data, .block_start = of[5].data, .n_char = of[0].n, .n_row = n_row,
        .n_leaf = of[4].n, .n_block = n_block, .title = (int16_t)of[6].number,
        .h1 = (int16_t)of[7].number,
    };
    TitleWords titles = {.hashes = of[8].data, .marks = of[9].data, .n_place = of[8].n};
    const Characters characters = characters_of(of + 10, n_block, 0);
    return read_characters(&texts, &titles, &characters);
}

/* tag, parent, end, depth, hidden of rows; leaf_offset; row, block, words, link words,
 * characters of leaves; start, row of blocks; counts, first, last, of words, word_sum, title's words
 * of characters; signature of rows; then, to be filled, chain[21, n_block], rows[2, n_row], counts
 * [N_COUNT, n_block + 1], words[n_block], out[n_feature, n_block], scratch; then the recipe: flags,
 * around, elements, formulas, rows of logarithms, of shares, of values, edges, (flags of hidden, h1). */
STEP(measure_blocks, "24441" "4" "44444" "44" "41148n" "8" "iiiqi" "q" "444444414")
{
    const Argument *part = of + 26;
    const size_t n_row = of[0].n, n_leaf = of[6].n, n_block = of[12].n, n_code = part[0].n;
    const size_t n_feature = part[4].n + part[5].n + part[6].n;
    int fits = n_row && n_leaf && n_block && n_row < INT32_MAX && of[5].n == n_row + 1
               && of[11].n == n_block + 1 && of[13].n == n_block * N_KIND
               && of[14].n == n_block && of[15].n == n_block && of[16].n == 3 * n_block
               && of[17].n == n_block && of[19].n == n_row
               && of[20].n == (4 * N_LEVEL + 1) * n_block && of[21].n == 2 * n_row
               && of[22].n == N_COUNT * (n_block + 1) && of[23].n == n_block
               && of[24].n == n_feature * n_block && n_code && part[1].n == 2 * n_code
               && part[7].n == 6 && part[8].n == 3;
    for (int each = 1; each < 5; each++) {
        fits &= of[each].n == n_row;
    }
    for (int each = 7; each < 11; each++) {
        fits &= of[each].n == n_leaf;
    }
    if (!fits) {
        return UNFIT;
    }
    const int32_t *numbers = part[8].data;
    int32_t *at = of[20].data, *sums = of[22].data;
    const Blocks page = {
        .tag = of[0].data, .parent = of[1].data, .end = of[2].data, .depth = of[3].data,
        .hidden = of[4].data, .leaf_offset = of[5].data,
        .leaves = of[6].data, .of_leaf = of[7].data, .leaf_words = of[8].data,
        .leaf_link_words = of[9].data, .leaf_chars = of[10].data, .block_start = of[11].data,
        .block_row = of[12].data, .n_row = n_row, .n_leaf = n_leaf, .n_block = n_block,
    };
    const ContainerChain chain = {
        at, at + N_LEVEL * n_block, at + 2 * N_LEVEL * n_block, at + 3 * N_LEVEL * n_block,
        at + 4 * N_LEVEL * n_block, of[21].data, (int32_t *)of[21].data + n_row,
    };
    const Characters characters = characters_of(of + 13, n_block, of[18].number);
    const Recipe recipe = {
        .flags = part[0].data, .around = part[1].data, .elements = part[2].data,
        .formulas = part[3].data, .rows = {part[4].data, part[5].data, part[6].data},
        .n_row_of = {part[4].n, part[5].n, part[6].n}, .edges = part[7].data, .n_code = n_code,
        .n_around = (size_t)numbers[2], .n_element = part[2].n, .n_formula = part[3].n,
        .n_feature = n_feature, .hidden_flags = numbers[0], .h1 = numbers[1],
    };
    const Scratch scratch = {of[25].data, of[25].n};
    if (numbers[2] < 0 || !are_blocks(&page) || find_containers(&page, &chain, scratch) != 0
        || count_blocks(&page, &chain, recipe.flags, n_code, characters.counts, sums, of[23].data,
                        scratch) != 0) {
        return REFUSED;
    }
    return measure_blocks(&page, &chain, sums, &characters, of[19].data, &recipe, of[24].data,
                          scratch);
}
