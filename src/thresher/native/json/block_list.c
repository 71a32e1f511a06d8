/* The blocks of a page as items of a JSON array: thresher.writers.json. */

#include "json.h"

static int put_fact(const BlockFacts *blocks, size_t fact, size_t block, Text *out)
{
    const int32_t number = blocks->facts[fact * blocks->n + block];
    if (number >= 0) {
        return put_literal(&blocks->literals, number, out);
    }
    if (~number > N_SCORE_STEP) {
        return 0;
    }
    PUT(", \"score\": ");
    put_score(out, ~number);
    return 1;
}

/* Count each element among the elements of its parent; 0 if the rows are no tree. */
static int count_children(const Located *page)
{
    memset(page->n_child, 0, (page->n_row + 1) * sizeof *page->n_child);
    for (size_t row = 0; row < page->n_row; row++) {
        const int32_t parent = page->parent[row];
        if (parent < -1 || parent >= (int64_t)row) {
            return 0;
        }
        page->nth_child[row] = page->tag[row] == page->text ? 0 : ++page->n_child[parent + 1];
    }
    return 1;
}

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
    if (!count_children(page)) {
        return REFUSED;
    }
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
        if (!put_leaves(texts, page->n_row, start, stop, &at, out)) {
            return REFUSED;
        }
        PUT("\", \"tag\": \"");
        put_json(out, name, n_name);
        PUT("\"");
        for (size_t fact = 0; fact + 1 < blocks->n_fact; fact++) {
            if (!put_fact(blocks, fact, block, out)) {
                return REFUSED;
            }
        }
        if (!write_path(page, row, paths, out)) {
            return REFUSED;
        }
        write_source(blocks, block, out);
        if (!put_fact(blocks, blocks->n_fact - 1, block, out) || out->is_full) {
            return REFUSED;
        }
        PUT("}");
    }
    return out->is_full ? REFUSED : (int64_t)out->n;
}
