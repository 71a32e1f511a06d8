/* The texts of leaves as a reader sees them: thresher.page.blocks. */

#include "json.h"

enum { SPACE = 1, NEWLINE = 2 };

/* The text of one block as it is written: white space collapsed, and none at the ends. */
typedef struct {
    Text *out;
    size_t n_break;          /* line breaks since the last character */
    int is_begun, is_spaced; /* whether there are characters; white space in the line since the last */
    int is_line_begun;
} Flow;

static int is_white(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Go to a character; 0 if it is behind, or there is none. */
static int go_to(const LeafTexts *texts, int32_t character, Position *at)
{
    if (character < at->character) {
        return 0;
    }
    if (texts->is_ascii) {
        at->byte = (size_t)character;
        at->character = character;
        return at->byte <= texts->n_byte;
    }
    /* Eight bytes at once, as long as the character is behind them. */
    for (uint64_t word; texts->n_byte - at->byte >= sizeof word; at->byte += sizeof word) {
        memcpy(&word, texts->utf8 + at->byte, sizeof word);
        const uint64_t continuing = word >> 7 & ~(word >> 6) & 0x0101010101010101u;
        const int32_t n_first = 8 - (int32_t)(continuing * 0x0101010101010101u >> 56);
        if (n_first > character - at->character) {
            break;
        }
        at->character += n_first;
    }
    while (at->byte < texts->n_byte) {
        if (!continues_character(texts->utf8[at->byte]) && at->character++ == character) {
            at->character--;
            return 1;
        }
        at->byte++;
    }
    return at->character == character;
}

static void write_word(Flow *flow, const uint8_t *word, size_t n)
{
    for (; flow->n_break; flow->n_break--) {
        if (flow->is_begun) {
            put(flow->out, (const uint8_t *)"\\n", 2);
        }
    }
    if (flow->is_spaced && flow->is_line_begun) {
        put_byte(flow->out, ' ');
    }
    put_json(flow->out, word, n);
    flow->is_begun = flow->is_line_begun = 1;
    flow->is_spaced = 0;
}

static void write_words(Flow *flow, const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        if (is_white(bytes[at])) {
            flow->is_spaced = 1;
            at++;
            continue;
        }
        const size_t first = at;
        while (at < n && !is_white(bytes[at])) {
            at++;
        }
        write_word(flow, bytes + first, at - first);
    }
}

int put_leaves(const LeafTexts *texts, size_t n_row, int32_t start, int32_t stop, Position *at,
               Text *out)
{
    Flow flow = {.out = out};
    for (int32_t leaf = start; leaf < stop; leaf++) {
        const int32_t row = texts->leaves[leaf], end = texts->stop[leaf];
        if (row < 0 || end < row || (size_t)end > n_row) {
            return 0;
        }
        if (leaf > start && texts->gaps[leaf] == NEWLINE) {
            flow.n_break++;
            flow.is_spaced = flow.is_line_begun = 0;
        } else if (leaf > start && texts->gaps[leaf] == SPACE) {
            flow.is_spaced = 1;
        }
        if (texts->offset[end] == texts->offset[row]) {
            continue;
        }
        if (!go_to(texts, texts->offset[row], at)) {
            return 0;
        }
        const size_t first = at->byte;
        if (!go_to(texts, texts->offset[end], at)) {
            return 0;
        }
        write_words(&flow, texts->utf8 + first, at->byte - first);
    }
    return 1;
}
