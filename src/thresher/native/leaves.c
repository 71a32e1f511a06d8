/* Leaves, and what lies between them: thresher.page and thresher.blocks. */

#include "core.h"

/* What an element is to leaves, by the code of its tag; thresher.page packs these. */
enum { REPLACED = 1, ATOMIC = 2, UNRENDERED = 4, BLOCK = 8, BREAK = 16, PLAIN = 32 };

/* What lies before a leaf; thresher.blocks reads these. */
enum { EDGE = 1, BROKEN = 2, WHITE = 4, OPENED = 8, CLOSED = 16 };

int64_t find_leaves(const int16_t *tag, const int32_t *end, const int32_t *characters, size_t n,
                    const uint8_t *kind_of, size_t n_code, uint8_t *leafless,
                    int32_t *leaf_offset, int32_t *leaves)
{
    int64_t until = 0;
    int32_t n_leaf = 0;
    for (size_t i = 0; i < n; i++) {
        if (tag[i] < 0 || (size_t)tag[i] >= n_code) {
            return REFUSED;
        }
        uint8_t kind = kind_of[tag[i]];
        leafless[i] = (uint8_t)((int64_t)i < until) | (uint8_t)((kind & UNRENDERED) != 0);
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

int measure_leaves(const Rows *rows, const int32_t *words, const uint8_t *in_link, int32_t math,
                   const int32_t *leaves, size_t n_leaf, const Measures *out)
{
    for (size_t leaf = 0; leaf < n_leaf; leaf++) {
        const int32_t row = leaves[leaf];
        if (row < 0 || (size_t)row >= rows->n) {
            return REFUSED;
        }
        /* Of a formula the whole counts. */
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

int mark_gaps(const uint8_t *buffer, size_t n_byte, const Rows *rows, const uint8_t *kind_of,
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
        if (code == 0) {
            if (rows->characters[i + 1] == rows->characters[i]) {
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
