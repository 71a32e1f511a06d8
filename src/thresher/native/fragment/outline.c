/* Layout of the kept part of a page: thresher.writers.outline.runs and structure. */

#include "writers.h"

#include <string.h>

enum { GLUE = 0, SPACE = 1 }; /* thresher.page.blocks */

/* Whether the offsets of a page's leaves are in range. */
static int has_leaves(const Leafed *page)
{
    for (size_t i = 0; i < page->n_row; i++) {
        const int32_t end = page->end[i], before = page->leaf_offset[i];
        if (end <= (int64_t)i || (size_t)end > page->n_row || before < 0
            || before > page->leaf_offset[i + 1]
            || (size_t)page->leaf_offset[i + 1] > page->n_leaf) {
            return 0;
        }
    }
    for (size_t leaf = 0; leaf < page->n_leaf; leaf++) {
        if (page->leaves[leaf] < 0 || (size_t)page->leaves[leaf] >= page->n_row) {
            return 0;
        }
    }
    return 1;
}

/* The gap between two kept leaves: the widest of the gaps from one to the other, and if
 * something between was left out, at least a space before a word. */
static int gap_between(const Leafed *page, const uint8_t *gaps, const uint8_t *closing, size_t before,
                       size_t leaf)
{
    uint8_t widest = gaps[before + 1];
    if (leaf == before + 1) {
        return widest;
    }
    for (size_t gap = before + 2; gap <= leaf; gap++) {
        widest = gaps[gap] > widest ? gaps[gap] : widest;
    }
    const int32_t place = page->open_start[page->leaves[leaf]];
    if (place < 0 || (size_t)place >= page->n_byte) {
        return REFUSED;
    }
    return widest == GLUE && !closing[page->buffer[place]] ? SPACE : widest;
}

int64_t group_kept(const Leafed *page, const uint8_t *keep, const uint8_t *gaps,
                   const uint8_t *closing, const Kept *kept)
{
    if (!has_leaves(page)) {
        return REFUSED;
    }
    size_t n_kept = 0;
    int32_t n_run = 0;
    for (size_t leaf = 0; leaf < page->n_leaf; leaf++) {
        if (!keep[leaf]) {
            continue;
        }
        const int32_t row = page->leaves[leaf];
        int gap = gaps[leaf];
        if (n_kept) {
            gap = gap_between(page, gaps, closing, (size_t)kept->kept[n_kept - 1], leaf);
            if (gap < 0) {
                return REFUSED;
            }
        }
        if (!n_kept
            || page->block_of_leaf[leaf] != page->block_of_leaf[kept->kept[n_kept - 1]]) {
            kept->start[n_run] = (int32_t)n_kept;
            kept->first_row[n_run++] = row;
        }
        kept->last_row[n_run - 1] = row;
        kept->gaps[n_kept] = (uint8_t)gap;
        kept->of_leaf[n_kept] = n_run - 1;
        kept->kept[n_kept++] = (int32_t)leaf;
    }
    kept->start[n_run] = (int32_t)n_kept;

    memset(kept->tags, 0, kept->n_code);
    size_t next = 0;
    for (size_t i = 0; i < page->n_row; i++) {
        while (next < n_kept && kept->kept[next] < page->leaf_offset[i]) {
            next++;
        }
        kept->holds[i] = next < n_kept && kept->kept[next] < page->leaf_offset[page->end[i]];
        if (kept->holds[i]) {
            if (page->tag[i] < 0 || (size_t)page->tag[i] >= kept->n_code) {
                return REFUSED;
            }
            kept->tags[page->tag[i]] = 1;
        }
    }
    return (int64_t)n_kept;
}

/* The number of blocks that a row has leaves of, less one; −1 for a row without a leaf, or where the
 * numbers of leaves make no sense. */
static int64_t blocks_beyond_first(const Leafed *page, size_t row)
{
    const int32_t first = page->leaf_offset[row], stop = page->leaf_offset[page->end[row]];
    if (first >= stop) {
        return -1;
    }
    return (int64_t)page->block_of_leaf[stop - 1] - page->block_of_leaf[first];
}

/* Flag the elements that could be written as what they are, and find the nearest of them for each row. */
static int flag_structure(const Leafed *page, const Known *known, const Laid *laid)
{
    const int32_t *kind_of = known->kind_of;
    int64_t until = 0; /* where what holds no other structure ends */
    for (size_t i = 0; i < page->n_row; i++) {
        const int16_t tag = page->tag[i], written = known->written_as[i];
        const int32_t parent = page->parent[i];
        if (tag < 0 || (size_t)tag >= known->n_code || written < 0
            || (size_t)written >= known->n_code || parent >= (int64_t)i || parent < -1) {
            return REFUSED;
        }
        const int32_t kind = kind_of[written];
        int is_one = known->holds[i] && (kind & IS_STRUCTURE);
        if (kind & IS_TABLE_PART) {
            is_one = is_one && known->in_data[i];
            /* Empty cells keep the columns of their row apart. */
            if ((kind & IS_CELL) && known->in_data[i] && parent >= 0 &&
                (kind_of[known->written_as[parent]] & IS_TABLE_ROW)) {
                is_one = is_one || laid->count[parent];
            }
        }
        /* Here, whether or not it is inside of what holds no other. */
        laid->count[i] = is_one || known->preformatted[i];
        laid->structure[i] = laid->count[i] && (int64_t)i >= until;
        if (laid->count[i] && ((kind & IS_ONE_LINE) || known->preformatted[i])
            && page->end[i] > until) {
            until = page->end[i];
        }
        laid->nearest[i] = laid->structure[i] ? (int32_t)i
                           : parent >= 0      ? laid->nearest[parent]
                                              : -1;
    }
    return 0;
}

/* Remove parts outside of their whole, and find the nearest structure again. */
static void drop_parts(const Leafed *page, const Known *known, const Laid *laid)
{
    const int32_t *kind_of = known->kind_of;
    for (size_t i = page->n_row; i-- > 0;) {
        const int32_t parent = page->parent[i], above = parent >= 0 ? laid->nearest[parent] : -1;
        const int32_t parts = kind_of[page->tag[i]] / FIRST_PART & 15;
        const int32_t wholes = above >= 0 ? kind_of[known->written_as[above]] / FIRST_WHOLE & 15 : 0;
        if (parts & ~wholes) {
            laid->structure[i] = 0;
        }
    }
    for (size_t i = 0; i < page->n_row; i++) {
        laid->nearest[i] = laid->structure[i]       ? (int32_t)i
                           : page->parent[i] >= 0 ? laid->nearest[page->parent[i]]
                                                  : -1;
    }
}

/* Flag inline elements with kept leaves and edges of blocks inside. */
static void flag_crossing(const Leafed *page, const Known *known, uint8_t *crossing)
{
    int64_t next_block = (int64_t)page->n_row;
    for (size_t i = page->n_row; i-- > 0;) {
        const int16_t tag = page->tag[i];
        crossing[i] = 0;
        if (known->kind_of[tag] & IS_BLOCK) {
            next_block = (int64_t)i;
        } else if (tag != 0 && known->holds[i]) {
            crossing[i] = next_block < page->end[i] || blocks_beyond_first(page, i) > 0;
        }
    }
}

int64_t lay_out_rows(const Leafed *page, const Known *known, const Laid *laid)
{
    if (!has_leaves(page) || flag_structure(page, known, laid) < 0) {
        return REFUSED;
    }
    drop_parts(page, known, laid);
    flag_crossing(page, known, laid->crossing);

    for (size_t i = 0; i <= page->n_row; i++) {
        laid->count[i] = 0;
    }
    for (size_t run = 0; run < known->n_run; run++) {
        const int32_t leaf = known->first_leaf[run];
        if (leaf < 0 || (size_t)leaf >= page->n_leaf) {
            return REFUSED;
        }
        laid->container[run] = laid->nearest[page->leaves[leaf]];
        laid->count[laid->container[run] + 1]++;
    }
    for (size_t run = 0; run < known->n_run; run++) {
        const int32_t container = laid->container[run], leaf = known->first_leaf[run];
        const int is_lone = laid->count[container + 1] == 1;
        const int32_t kind = container < 0 ? 0 : known->kind_of[known->written_as[container]];
        laid->bare[run] = (kind & IS_ONE_LINE) || ((kind & IS_TEXT_HOLDER) && is_lone)
                          || (container >= 0 && known->preformatted[container]);
        /* A paragraph with only the run in it is copied unchanged. */
        const int32_t block = page->block_of_leaf[leaf];
        if (block < 0 || (size_t)block >= known->n_block) {
            return REFUSED;
        }
        const int32_t around = known->block_row[block];
        if (around < 0 || (size_t)around >= page->n_row) {
            return REFUSED;
        }
        if ((known->kind_of[known->written_as[around]] & IS_PARAGRAPH) && !laid->bare[run]
            && !(kind & (IS_LIST | IS_DESCRIPTIONS)) && blocks_beyond_first(page, (size_t)around) == 0) {
            laid->structure[around] = 1;
            laid->bare[run] = 1;
            laid->container[run] = around;
        }
    }
    return 0;
}
