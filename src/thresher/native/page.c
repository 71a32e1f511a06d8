/* Python steps for pages. They return a count, or REFUSED. */

#include "core.h"
#include "html/canonicalise.h"
#include "step.h"

/* Whether offsets into n bytes fit into int32. */
static int is_addressable(size_t n)
{
    return n <= (size_t)INT32_MAX - 64;
}

/* bytes. */
STEP(measure_utf8, "1")
{
    return measure_utf8(of[0].data, of[0].n);
}

/* source; canonical[n_room]; whether it asks about what is closed as in XML. */
STEP(canonicalise, "1bn")
{
    return canonicalise(of[0].data, of[0].n, of[1].data, of[1].n, of[2].number != 0);
}

/* buffer. */
STEP(count_rows_at_most, "1")
{
    return (int64_t)count_rows_at_most(of[0].data, of[0].n);
}

/* buffer; words, code_at, is_void, eats_newline, hash of names; tag[n], seven columns[7, n]. */
STEP(scan_rows, "182118hi")
{
    const size_t n_code = of[3].n, n_room = of[6].n;
    if (!is_addressable(of[0].n) || of[1].n != 2 * n_code || of[2].n == 0
        || of[2].n > UINT32_MAX || n_code < 2 || of[4].n != n_code || of[5].n != 2
        || n_room > INT32_MAX || of[7].n / 7 != n_room || of[7].n % 7 != 0) {
        return UNFIT;
    }
    const uint64_t *hash = of[5].data;
    const Names names = {of[1].data, of[2].data, of[3].data, of[4].data, n_code,
                         of[2].n,    hash[0],    hash[1],    1};
    int32_t *ints = of[7].data;
    const Columns columns = {of[6].data,         ints,              ints + n_room,
                             ints + 2 * n_room,  ints + 3 * n_room, ints + 4 * n_room,
                             ints + 5 * n_room,  ints + 6 * n_room, n_room};
    return scan_rows(of[0].data, of[0].n, &names, &columns);
}

/* buffer. */
STEP(count_attributes_at_most, "1")
{
    return (int64_t)count_attributes_at_most(of[0].data, of[0].n);
}

/* buffer; tag, start, stop of rows; bytes of known names; found[4, n_room]. */
STEP(find_attributes, "12444i")
{
    const size_t n_row = of[1].n;
    if (!is_addressable(of[0].n) || n_row > INT32_MAX || of[2].n != n_row || of[3].n != n_row
        || of[5].n % 4 != 0) {
        return UNFIT;
    }
    return find_attributes(of[0].data, of[0].n, n_row, of[1].data, of[2].data, of[3].data,
                           of[4].data, of[4].n, of[5].data, of[5].n / 4);
}

/* buffer; start, stop of names; low[n], high[n]. */
STEP(pack_words, "144qq")
{
    const size_t n_name = of[1].n;
    if (!is_addressable(of[0].n) || of[2].n != n_name || of[3].n != n_name || of[4].n != n_name) {
        return UNFIT;
    }
    return pack_words(of[0].data, of[0].n, n_name, of[1].data, of[2].data, of[3].data, of[4].data);
}

/* buffer; start of name, start of value of attributes; the wanted name; places[n]. */
STEP(find_named, "1441q")
{
    const size_t n = of[1].n;
    if (!is_addressable(of[0].n) || of[2].n != n || of[4].n != n) {
        return UNFIT;
    }
    return find_named(of[0].data, of[0].n, n, of[1].data, of[2].data, of[3].data, of[3].n,
                      of[4].data);
}

static TextRows text_rows_of(const Argument *of)
{
    return (TextRows){
        .buffer = of[0].data, .tag = of[1].data, .start = of[2].data, .stop = of[3].data,
        .n_byte = of[0].n, .n_row = of[1].n, .text = (int16_t)of[4].number,
    };
}

static int are_text_rows(const Argument *of)
{
    return is_addressable(of[0].n) && of[2].n == of[1].n && of[3].n == of[1].n;
}

/* buffer; tag, start, stop of rows; the code of texts. */
STEP(measure_texts, "1244n")
{
    const TextRows rows = text_rows_of(of);
    return are_text_rows(of) ? measure_texts(&rows) : UNFIT;
}

/* buffer; tag, start, stop of rows; the code of texts; codes of characters; joined[n_room],
 * counts[3, n_row + 1]. */
STEP(read_texts, "1244n" "2" "bi")
{
    const size_t n_room = of[6].n, n_sum = of[1].n + 1;
    if (!are_text_rows(of) || !is_addressable(n_room) || of[5].n != 0x10000 + 1
        || of[7].n != 3 * n_sum) {
        return UNFIT;
    }
    const TextRows rows = text_rows_of(of);
    int32_t *counts = of[7].data;
    const ReadTexts out = {of[6].data, counts, counts + n_sum, counts + 2 * n_sum, n_room};
    return read_texts(&rows, of[5].data, &out);
}

/* UTF-8; codes of characters; codes[n_char]. */
STEP(classify, "12h")
{
    if (of[1].n != 0x10000 + 1) {
        return UNFIT;
    }
    return classify(of[0].data, of[0].n, of[1].data, of[2].data, of[2].n);
}

/* codes; offsets[n]; words[n], chars[n]. */
STEP(count_words, "24ii")
{
    if (!is_addressable(of[0].n) || of[2].n != of[1].n || of[3].n != of[1].n) {
        return UNFIT;
    }
    return count_words(of[0].data, of[0].n, of[1].n, of[1].data, of[2].data, of[3].data);
}

/* Whether flags, numbers and what is filled have one item a row. */
static int are_of_rows(const Argument *of)
{
    return of[0].n <= INT32_MAX && of[1].n == of[0].n && of[2].n == of[0].n;
}

/* flags, end; inside[n]. */
STEP(flag_within, "14b")
{
    return are_of_rows(of) ? flag_within(of[0].data, of[1].data, of[0].n, 1, of[2].data) : UNFIT;
}

/* flags, end; inside[n]. */
STEP(flag_below, "14b")
{
    return are_of_rows(of) ? flag_within(of[0].data, of[1].data, of[0].n, 0, of[2].data) : UNFIT;
}

/* flags, parent; nearest[n]. */
STEP(find_nearest, "14i")
{
    return are_of_rows(of) ? find_nearest(of[0].data, of[1].data, of[0].n, of[2].data) : UNFIT;
}

/* buffer; tag, end, start, stop of rows; leaf_offset[n + 1]; keep[n_leaf]; found[n]; code of links. */
STEP(find_marked_links, "1244441in")
{
    const size_t n = of[1].n;
    if (!is_addressable(of[0].n) || n > INT32_MAX || of[2].n != n || of[3].n != n
        || of[4].n != n || of[5].n != n + 1 || of[7].n != n) {
        return UNFIT;
    }
    const Links links = {of[1].data, of[2].data, of[3].data, of[4].data, of[5].data,
                         of[8].number, n};
    return find_marked_links(of[0].data, of[0].n, &links, of[6].data, of[6].n, of[7].data);
}

/* tag, parent, end of rows; leaf_offset[n + 1]; headings[n_code]; keep[n_leaf]; found[n]; code of links;
 * levels. */
STEP(find_heading_links, "244411inn")
{
    const size_t n = of[0].n;
    if (n > INT32_MAX || of[1].n != n || of[2].n != n || of[3].n != n + 1 || of[6].n != n) {
        return UNFIT;
    }
    const Links links = {of[0].data, of[2].data, NULL, NULL, of[3].data, of[7].number, n};
    return find_heading_links(&links, of[1].data, of[4].data, of[4].n, of[5].data, of[5].n,
                              of[8].number, of[6].data);
}

/* flags, offsets[n + 1]; sums[n + 1]. */
STEP(sum_flagged, "14i")
{
    if (of[1].n != of[0].n + 1 || of[2].n != of[1].n) {
        return UNFIT;
    }
    return sum_flagged(of[0].data, of[1].data, of[0].n, of[2].data);
}

/* buffer; row, start of name, start, stop of value of attributes; flags[n_row]. */
STEP(flag_hidden, "14444b")
{
    const size_t n = of[1].n;
    if (!is_addressable(of[0].n) || of[2].n != n || of[3].n != n || of[4].n != n) {
        return UNFIT;
    }
    return flag_hidden(of[0].data, of[0].n, of[1].data, of[2].data, of[3].data, of[4].data, n,
                       of[5].n, of[5].data);
}

/* own flags, flags of what is inside, parent; flags[n]. */
STEP(inherit_flags, "114b")
{
    if (of[1].n != of[0].n || of[2].n != of[0].n || of[3].n != of[0].n) {
        return UNFIT;
    }
    return inherit_flags(of[0].data, of[1].data, of[2].data, of[0].n, of[3].data);
}

/* buffer; tag, parent, end, open_start of rows; words, characters before each row[n + 1]; kind of
 * each code, closing[256]; flags[2, n], offsets[3, n + 1], leaves[6, n], blocks[3, n + 1],
 * marks[n + 1], nearest[n], sizes[2]; the codes of links and formulas. */
STEP(read_leaves, "12444" "4411" "biiibiq" "nn")
{
    const size_t n = of[1].n, n_sum = n + 1;
    if (!is_addressable(of[0].n) || n >= INT32_MAX || of[2].n != n || of[3].n != n || of[4].n != n
        || of[5].n != n_sum || of[6].n != n_sum || of[8].n != 256 || of[9].n != 2 * n
        || of[10].n != 3 * n_sum || of[11].n != 6 * n || of[12].n != 3 * n_sum || of[13].n != n_sum
        || of[14].n != n || of[15].n != 2) {
        return UNFIT;
    }
    uint8_t *flags = of[9].data;
    int32_t *offsets = of[10].data, *leaves = of[11].data, *blocks = of[12].data;
    const LeafRows rows = {
        .tag = of[1].data, .parent = of[2].data, .end = of[3].data, .open_start = of[4].data,
        .words = of[5].data, .chars = of[6].data, .kind_of = of[7].data, .closing = of[8].data,
        .n = n, .n_code = of[7].n, .link = (int32_t)of[16].number, .math = (int32_t)of[17].number,
    };
    const ReadLeaves out = {
        .in_link = flags, .leafless = flags + n, .link_words_before = offsets,
        .leaves_before = offsets + n_sum, .blocks_before = offsets + 2 * n_sum, .leaves = leaves,
        .of_leaf = leaves + n,
        .measures = {leaves + 2 * n, leaves + 3 * n, leaves + 4 * n, leaves + 5 * n},
        .block_start = blocks, .block_leaf = blocks + n_sum, .block_row = blocks + 2 * n_sum,
        .marks = of[13].data, .nearest = of[14].data,
    };
    return read_leaves(of[0].data, of[0].n, &rows, &out, of[15].data);
}

/* marks[n + 1]; start[n + 1], of_leaf[n]; which marks end a group. */
STEP(group_leaves, "1iin")
{
    const size_t n = of[2].n;
    if (n > INT32_MAX || of[0].n != n + 1 || of[1].n != n + 1) {
        return UNFIT;
    }
    return group_leaves(of[0].data, n, (uint8_t)(of[3].number & 0xFF), of[1].data, of[2].data);
}
