/* The texts of leaves as a reader sees them: thresher.page.blocks. */

#ifndef THRESHER_TEXTS_H
#define THRESHER_TEXTS_H

#include "../byte_kinds.h"
#include "../bytes.h"
#include "../core.h"

/* The texts of leaves, [n_leaf], and the gaps before them; offset[n_row + 1] in characters. */
typedef struct {
    const uint8_t *utf8, *gaps;
    const int32_t *offset, *leaves, *stop;
    size_t n_byte, n_leaf;
    int is_ascii;
} LeafTexts;

/* The bytes of a soft hyphen. */
enum { SOFT_FIRST = 0xC2, SOFT_LAST = 0xAD };

/* How a text is written: a line break, and a word, which is not empty. */
typedef struct {
    const char *line_break;
    void (*put_word)(Text *out, const uint8_t *bytes, size_t n);
    int drops_soft_hyphens;
} TextStyle;

/* Where reading the texts has come to; at first {0, 0}. */
typedef struct {
    size_t byte;
    int32_t character;
} Position;

/* Append the text of the leaves start:stop; 0 if there are none such, or if they are before those
 * written last. */
int put_leaves(const LeafTexts *texts, size_t n_row, int32_t start, int32_t stop,
               const TextStyle *style, Position *at, Text *out);

#endif
