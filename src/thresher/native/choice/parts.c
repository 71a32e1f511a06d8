/* Completion of kept blocks: thresher.algorithms.learned.gaps and wholes. */

#include "selected.h"

#include <string.h>

int are_chosen(const Chosen *page)
{
    for (size_t block = 0; block <= page->n_block; block++) {
        const int32_t start = page->block_start[block];
        const int32_t before = block ? page->block_start[block - 1] : -1;
        if (start <= before || (size_t)start > page->n_leaf) {
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

/* Whether all leaves of a block are formulas. */
static int is_math(const Chosen *page, size_t block, int32_t math)
{
    for (int32_t leaf = page->block_start[block]; leaf < page->block_start[block + 1]; leaf++) {
        if (page->tag[page->leaves[leaf]] != math) {
            return 0;
        }
    }
    return 1;
}

/* Whether two kept blocks are in the container of a block between them: the next one if the
 * nearest may be a figure. */
static int is_around(const Chosen *page, const GapRule *rule, size_t block, size_t last, size_t next)
{
    const int is_figure = rule->stop[block] - rule->first[block] <= (int64_t)rule->reach;
    const size_t at = is_figure ? page->n_block + block : block;
    return rule->first[at] <= (int64_t)last && (int64_t)next < rule->stop[at];
}

int find_gaps(const Chosen *page, const GapRule *rule, uint8_t *found)
{
    enum { FOUND = 1, MAYBE = 2 };
    const int32_t *container = page->container;
    size_t row = 0, last = SIZE_MAX;
    int64_t code_until = 0;
    for (size_t block = 0; block < page->n_block; block++) {
        const int32_t leaf = page->leaves[page->block_start[block]];
        for (; row <= (size_t)leaf; row++) {
            if (page->tag[row] == rule->pre && page->end[row] > code_until) {
                code_until = page->end[row];
            }
        }
        const int is_code = leaf < code_until;
        found[block] = 0;
        if (page->keep[block]) {
            const size_t reached = block > rule->reach ? block - rule->reach : 0;
            if (last != SIZE_MAX) {
                const int is_one = container[last] == container[block];
                for (size_t at = reached > last ? reached : last + 1; at < block; at++) {
                    if (found[at] == MAYBE && at - last <= rule->reach
                        && (is_one || is_around(page, rule, at, last, block))) {
                        found[at] = FOUND;
                    }
                }
            }
            last = block;
        } else if (page->probability[block] >= rule->min_probability
                   && (is_code || page->words[block] == 0 || is_math(page, block, rule->math))) {
            const int is_behind = is_code && last != SIZE_MAX && block - last == 1
                                  && container[last] == container[block];
            found[block] = is_behind ? FOUND : MAYBE;
        }
    }
    for (size_t block = 0; block < page->n_block; block++) {
        found[block] &= FOUND;
    }
    return 0;
}

/* The flags of a row's tag; 0 for an invalid code. */
static uint8_t kind_of(const Chosen *page, const Structures *of, size_t row)
{
    const int32_t code = page->tag[row];
    return code >= 0 && (size_t)code < of->n_code ? of->kinds[code] : 0;
}

/* Headings between two kept blocks of their own container. */
static int join_headings(const Chosen *page, const Structures *of, uint8_t *found)
{
    const int32_t *container = page->container;
    for (size_t block = 1; block + 1 < page->n_block; block++) {
        if (!page->keep[block - 1] || page->keep[block] || !page->keep[block + 1]) {
            continue;
        }
        const int32_t row = of->block_row[block];
        if (row < 0 || (size_t)row >= page->n_row) {
            return REFUSED;
        }
        found[block] = (kind_of(page, of, (size_t)row) & IS_HEADING)
                       && container[block - 1] == container[block]
                       && container[block] == container[block + 1]
                       && page->probability[block] >= of->limits[0];
    }
    return 0;
}

/* Prefix sums, before each block, of the quantities that shares are computed from. */
static void add_up_blocks(const Chosen *page, const Structures *of, double *const *of_sum)
{
    for (size_t sum = 0; sum < N_SUM; sum++) {
        of_sum[sum][0] = 0;
    }
    for (size_t block = 0; block < page->n_block; block++) {
        const double words = (double)page->words[block];
        int64_t links = 0;
        for (int32_t leaf = page->block_start[block]; leaf < page->block_start[block + 1]; leaf++) {
            links += of->leaf_link_words[leaf];
        }
        of_sum[LINKED][block + 1] = of_sum[LINKED][block] + (double)links;
        of_sum[LIKELY][block + 1] = of_sum[LIKELY][block] + words * page->probability[block];
        of_sum[KEPT][block + 1] = of_sum[KEPT][block] + (page->keep[block] ? words : 0);
        of_sum[ALL][block + 1] = of_sum[ALL][block] + words;
        of_sum[N_KEPT][block + 1] = of_sum[N_KEPT][block] + (page->keep[block] != 0);
    }
}

/* Whether the structure of the blocks first:stop is to be kept as a whole. */
static int is_kept_whole(const Chosen *page, const Structures *of, double *const *of_sum,
                         uint8_t kind, int32_t first, int32_t stop)
{
    const size_t n_block = page->n_block;
    const double least = of->limits[0], least_kept = of->limits[1], most_links = of->limits[2];
    int is_before = first > 0 && page->keep[first - 1];
    int is_behind = (size_t)stop < n_block && page->keep[stop];
    const int stands = (is_before && is_behind && (kind & IS_BETWEEN))
                       || ((is_before || is_behind) && (kind & IS_PARTIAL));
    /* Most need no change. */
    if (!stands || of_sum[N_KEPT][stop] - of_sum[N_KEPT][first] == stop - first) {
        return 0;
    }
    /* The nearest larger container. */
    size_t level = 0, at = (size_t)first;
    while (level < of->n_level && of->stop[at] - of->first[at] <= stop - first) {
        level++;
        at += n_block;
    }
    if (level == of->n_level) {
        return 0;
    }
    is_before = is_before && first > of->first[at];
    is_behind = is_behind && stop < of->stop[at];
    const double words = of_sum[ALL][stop] - of_sum[ALL][first];
    const double whole = words > 1 ? words : 1;
    const double linked = (of_sum[LINKED][stop] - of_sum[LINKED][first]) / whole;
    const double likely = (of_sum[LIKELY][stop] - of_sum[LIKELY][first]) / whole;
    const double kept = (of_sum[KEPT][stop] - of_sum[KEPT][first]) / whole;
    const int is_table = (kind & IS_TABLE) != 0;
    return linked <= of->limits[2 + is_table]
           && ((is_before && is_behind && likely >= least && (kind & IS_BETWEEN))
               || ((is_before || is_behind) && kept >= least_kept && (kind & IS_PARTIAL))
               || (is_before && likely >= least && linked <= most_links && is_table));
}

int complete_structures(const Chosen *page, const Structures *of, double *sums, uint8_t *found)
{
    const size_t n_block = page->n_block;
    double *of_sum[N_SUM];
    for (size_t sum = 0; sum < N_SUM; sum++) {
        of_sum[sum] = sums + sum * (n_block + 1);
    }
    add_up_blocks(page, of, of_sum);
    memset(found, 0, n_block);
    if (join_headings(page, of, found) != 0) {
        return REFUSED;
    }
    size_t until = 0;
    for (size_t row = 0; row < page->n_row; row++) {
        const uint8_t kind = kind_of(page, of, row);
        if (!(kind & IS_WHOLE)) {
            continue;
        }
        const int32_t first = of->row_first[row], stop = of->row_stop[row];
        if (first < 0 || stop < first || (size_t)stop > n_block) {
            return REFUSED;
        }
        /* Rows come in order and are nested: the last one found reaches to `until`. */
        if ((size_t)stop > until && is_kept_whole(page, of, of_sum, kind, first, stop)) {
            const size_t from = (size_t)first > until ? (size_t)first : until;
            memset(found + from, 1, (size_t)stop - from);
            until = (size_t)stop;
        }
    }
    for (size_t block = 0; block < n_block; block++) {
        found[block] &= !page->keep[block];
    }
    return 0;
}
