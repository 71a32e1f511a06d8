/* Leaves, the gaps between them, and their blocks: thresher.page.leaves and thresher.page.blocks. */

#include "../core.h"

/* Inputs for finding leaves: columns and views of a page, [n] or [n + 1]. */
typedef struct {
    const int16_t *tag;
    const int32_t *end, *open_start;
    const uint8_t *leafless, *concealed;
    const int32_t *leaf_offset, *characters;
    size_t n;
} Rows;

/* Flags of a tag code for finding leaves; thresher.page.leaves packs these. */
enum { REPLACED = 1, ATOMIC = 2, UNRENDERED = 4, BLOCK = 8, BREAK = 16, PLAIN = 32 };

/* Marks of the gap before a leaf; thresher.page.leaves.GapMark. */
enum { EDGE = 1, BROKEN = 2, WHITE = 4, OPENED = 8, CLOSED = 16 };

static int64_t find_leaves(const int16_t *tag, const int32_t *end, const int32_t *characters, size_t n,
                    const uint8_t *kind_of, size_t n_code, const uint8_t *concealed,
                    uint8_t *leafless, int32_t *leaf_offset, int32_t *leaves)
{
    int64_t until = 0;
    int32_t n_leaf = 0;
    for (size_t i = 0; i < n; i++) {
        if (tag[i] < 0 || (size_t)tag[i] >= n_code) {
            return REFUSED;
        }
        uint8_t kind = kind_of[tag[i]];
        leafless[i] = (uint8_t)((int64_t)i < until) | (uint8_t)((kind & UNRENDERED) != 0)
                      | (uint8_t)(concealed[i] != 0);
        if ((kind & (ATOMIC | UNRENDERED)) && end[i] > until) {
            until = end[i];
        }
        leaf_offset[i] = n_leaf;
        if (!leafless[i] && (characters[i + 1] > characters[i] || (kind & REPLACED))) {
            leaves[n_leaf++] = (int32_t)i;
        }
    }
    leaf_offset[n] = n_leaf;
    return n_leaf;
}

static int measure_leaves(const Rows *rows, const int32_t *words, const uint8_t *in_link, int32_t math,
                   const int32_t *leaves, size_t n_leaf, const Measures *out)
{
    for (size_t leaf = 0; leaf < n_leaf; leaf++) {
        const int32_t row = leaves[leaf];
        if (row < 0 || (size_t)row >= rows->n) {
            return REFUSED;
        }
        /* A formula counts as a whole. */
        const int32_t stop = rows->tag[row] == math ? rows->end[row] : row + 1;
        if (stop <= row || (size_t)stop > rows->n) {
            return REFUSED;
        }
        const uint32_t n_word = (uint32_t)words[stop] - (uint32_t)words[row];
        out->stop[leaf] = stop;
        out->words[leaf] = (int32_t)n_word;
        out->chars[leaf] =
            (int32_t)((uint32_t)rows->characters[stop] - (uint32_t)rows->characters[row]);
        out->link_words[leaf] = in_link[row] ? (int32_t)n_word : 0;
    }
    return 0;
}

/* Whether a text is of soft hyphens, and of spaces and joiners without a width. */
static int has_no_width(const uint8_t *text, const uint8_t *end)
{
    const uint8_t *at = text;
    while (at < end && *at != '<') {
        if (end - at >= 2 && at[0] == 0xC2 && at[1] == 0xAD) {
            at += 2;
        } else if (end - at >= 3
                   && ((at[0] == 0xE2 && at[1] == 0x80 && at[2] >= 0x8B && at[2] <= 0x8D)
                       || (at[0] == 0xE2 && at[1] == 0x81 && at[2] == 0xA0)
                       || (at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF))) {
            at += 3;
        } else {
            return 0;
        }
    }
    return at > text;
}

static int mark_gaps(const uint8_t *buffer, size_t n_byte, const Rows *rows, const uint8_t *kind_of,
              size_t n_code, const uint8_t *closing, const int32_t *leaves, size_t n_leaf,
              uint8_t *marks)
{
    int64_t last_break = -1;
    for (size_t gap = 0; gap <= n_leaf; gap++) {
        marks[gap] = 0;
    }
    for (size_t i = 0; i < rows->n; i++) {
        int32_t code = rows->tag[i], end = rows->end[i];
        if (code < 0 || (size_t)code >= n_code || end < 0 || (size_t)end > rows->n) {
            return REFUSED;
        }
        int32_t before = rows->leaf_offset[i], behind = rows->leaf_offset[end];
        if (before < 0 || (size_t)before > n_leaf || behind < 0 || (size_t)behind > n_leaf) {
            return REFUSED;
        }
        uint8_t kind = kind_of[code];
        if (rows->concealed[i]) {
            continue;
        }
        if (code == 0) {
            const int32_t start = rows->open_start[i];
            if (start < 0 || (size_t)start > n_byte) {
                return REFUSED;
            }
            if (rows->characters[i + 1] == rows->characters[i]
                && !has_no_width(buffer + start, buffer + n_byte)) {
                marks[before] |= WHITE;
            }
        } else if (kind & BREAK) {
            /* Two in a row end a block. */
            marks[before] |= before == last_break ? BROKEN | EDGE : BROKEN;
            last_break = before;
        } else if (rows->leafless[i] || (kind & PLAIN)) {
            continue;
        } else if (kind & BLOCK) {
            marks[before] |= EDGE;
            marks[behind] |= EDGE;
        } else {
            marks[behind] |= CLOSED;
            if ((size_t)before < n_leaf) {
                int32_t leaf = leaves[before];
                if (leaf < 0 || (size_t)leaf >= rows->n || rows->open_start[leaf] < 0
                    || (size_t)rows->open_start[leaf] >= n_byte) {
                    return REFUSED;
                }
                if (!closing[buffer[rows->open_start[leaf]]]) {
                    marks[before] |= OPENED;
                }
            }
        }
    }
    return 0;
}

int64_t group_leaves(const uint8_t *marks, size_t n_leaf, uint8_t edges, int32_t *start,
                     int32_t *of_leaf)
{
    int32_t n_group = 0;
    for (size_t leaf = 0; leaf < n_leaf; leaf++) {
        if (leaf == 0 || (marks[leaf] & edges)) {
            start[n_group++] = (int32_t)leaf;
        }
        of_leaf[leaf] = n_group - 1;
    }
    start[n_group] = (int32_t)n_leaf;
    return n_group;
}

/* Flag rows in links, and count the leaves before each row; returns the number of leaves. */
static int64_t look_at_rows(const LeafRows *rows, const ReadLeaves *out)
{
    for (size_t i = 0; i < rows->n; i++) {
        out->in_link[i] = rows->tag[i] == rows->link;
    }
    flag_within(out->in_link, rows->end, rows->n, 1, out->in_link);
    sum_flagged(out->in_link, rows->words, rows->n, out->link_words_before);
    return find_leaves(rows->tag, rows->end, rows->chars, rows->n, rows->kind_of, rows->n_code,
                       rows->concealed, out->leafless, out->leaves_before, out->leaves);
}

/* The first leaf of each block, and its nearest block-level ancestor. */
static int place_blocks(const LeafRows *rows, size_t n_block, const ReadLeaves *out)
{
    for (size_t i = 0; i < rows->n; i++) {
        const int32_t leaf = out->leaves_before[i], parent = rows->parent[i];
        if (parent >= (int64_t)i) {
            return REFUSED;
        }
        out->blocks_before[i] = leaf ? out->of_leaf[leaf - 1] + 1 : 0;
        out->nearest[i] = rows->kind_of[rows->tag[i]] & BLOCK ? (int32_t)i
                          : parent < 0                        ? -1
                                                              : out->nearest[parent];
    }
    out->blocks_before[rows->n] = (int32_t)n_block;
    for (size_t block = 0; block < n_block; block++) {
        out->block_leaf[block] = out->leaves[out->block_start[block]];
        out->block_row[block] = out->nearest[out->block_leaf[block]];
    }
    return 0;
}

int read_leaves(const uint8_t *buffer, size_t n_byte, const LeafRows *given, const ReadLeaves *out,
                int64_t *sizes)
{
    const int64_t n_leaf = look_at_rows(given, out);
    if (n_leaf < 0) {
        return REFUSED;
    }
    const Rows rows = {given->tag, given->end, given->open_start, out->leafless,
                       given->concealed,
                       out->leaves_before, given->chars, given->n};
    const size_t n = (size_t)n_leaf;
    if (mark_gaps(buffer, n_byte, &rows, given->kind_of, given->n_code, given->closing, out->leaves,
                  n, out->marks) < 0
        || measure_leaves(&rows, given->words, out->in_link, given->math, out->leaves, n,
                          &out->measures) < 0) {
        return REFUSED;
    }
    const int64_t n_block = group_leaves(out->marks, n, EDGE, out->block_start, out->of_leaf);
    sizes[0] = n_leaf;
    sizes[1] = n_block;
    return place_blocks(given, (size_t)n_block, out);
}
