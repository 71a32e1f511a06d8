/* The blocks of a page as items of a JSON array: thresher.writers.shared.block_list. */

#include "json.h"

enum { SPACE = 1, NEWLINE = 2 };

/* The text of one block as it is written: white space collapsed, and none at the ends. */
typedef struct {
    Text *out;
    size_t n_break;          /* line breaks since the last character */
    int is_begun, is_spaced; /* whether there are characters; white space in the line since the last */
    int is_line_begun;
} Flow;

/* Where reading the texts has come to. */
typedef struct {
    size_t byte;
    int32_t character;
} Position;

static int is_white(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static int is_first_byte(uint8_t byte)
{
    return (byte & 0xC0) != 0x80;
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
    while (at->byte < texts->n_byte) {
        if (is_first_byte(texts->utf8[at->byte]) && at->character++ == character) {
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

/* Write the text of the leaves start:stop. */
static int write_text(const LeafTexts *texts, size_t n_row, int32_t start, int32_t stop,
                      Position *at, Text *out)
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

static int put_literal(const BlockFacts *blocks, size_t fact, size_t block, Text *out)
{
    const int32_t literal = blocks->facts[fact * blocks->n + block];
    if (literal < 0 || (size_t)literal >= blocks->n_literal) {
        return 0;
    }
    const int32_t start = blocks->literal_offset[literal], stop = blocks->literal_offset[literal + 1];
    if (start < 0 || stop < start || (size_t)stop > blocks->n_literal_byte) {
        return 0;
    }
    put(out, blocks->literals + start, (size_t)(stop - start));
    return 1;
}

#define PUT(string) put(out, (const uint8_t *)(string), sizeof(string) - 1)

static int write_path(const Located *page, int32_t row, Paths *paths, Text *out)
{
    if (page->depth[row] > page->max_depth || (size_t)row >= page->n_own_row) {
        PUT(", \"path\": null");
        return 1;
    }
    if (!find_path(page, row, paths)) {
        return 0;
    }
    PUT(", \"path\": {\"css\": \"");
    put(out, paths->css.bytes, paths->css.n);
    PUT("\", \"xpath\": \"");
    put(out, paths->xpath.bytes, paths->xpath.n);
    PUT("\"}");
    return 1;
}

static void write_source(const BlockFacts *blocks, size_t block, Text *out)
{
    const int32_t start = blocks->source[block];
    if (start < 0) {
        PUT(", \"source\": null");
        return;
    }
    PUT(", \"source\": [");
    put_number(out, start);
    PUT(", ");
    put_number(out, blocks->source[blocks->n + block]);
    PUT("]");
}

int64_t write_block_list(const Located *page, const LeafTexts *texts, const BlockFacts *blocks,
                         Paths *paths, Text *out)
{
    Position at = {0, 0};
    for (size_t block = 0; block < blocks->n; block++) {
        const int32_t start = blocks->start[block], stop = blocks->start[block + 1];
        const int32_t row = blocks->row[block];
        const uint8_t *name;
        size_t n_name;
        if (start < 0 || stop < start || (size_t)stop > texts->n_leaf || row < 0
            || (size_t)row >= page->n_row || !find_name(page, row, &name, &n_name)) {
            return REFUSED;
        }
        if (block) {
            PUT(", ");
        }
        PUT("{\"index\": ");
        put_number(out, (int64_t)block);
        PUT(", \"text\": \"");
        if (!write_text(texts, page->n_row, start, stop, &at, out)) {
            return REFUSED;
        }
        PUT("\", \"tag\": \"");
        put_json(out, name, n_name);
        PUT("\"");
        for (size_t fact = 0; fact + 1 < blocks->n_fact; fact++) {
            if (!put_literal(blocks, fact, block, out)) {
                return REFUSED;
            }
        }
        if (!write_path(page, row, paths, out)) {
            return REFUSED;
        }
        write_source(blocks, block, out);
        if (!put_literal(blocks, blocks->n_fact - 1, block, out) || out->is_full) {
            return REFUSED;
        }
        PUT("}");
    }
    return out->is_full ? REFUSED : (int64_t)out->n;
}
