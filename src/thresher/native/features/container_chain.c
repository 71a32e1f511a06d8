/* Container chains; thresher.features.container_chain. */

#include "features.h"

#include <string.h>

void *take(Scratch *scratch, size_t n_item, size_t item_bytes)
{
    const size_t n = (n_item * item_bytes + sizeof *scratch->next - 1) / sizeof *scratch->next;
    if (n > scratch->n_left) {
        return NULL;
    }
    void *taken = scratch->next;
    scratch->next += n;
    scratch->n_left -= n;
    return taken;
}

static int is_below(int32_t number, size_t limit)
{
    return number >= 0 && (size_t)number < limit;
}

int are_blocks(const Blocks *page)
{
    const int32_t n_row = (int32_t)page->n_row, n_leaf = (int32_t)page->n_leaf;
    int fit = page->n_row && page->n_block && page->n_leaf && page->leaf_offset[0] == 0
              && page->parent[0] < 0 && page->block_start[0] == 0
              && page->block_start[page->n_block] == n_leaf;
    for (int32_t row = 0; row < n_row && fit; row++) {
        fit = (row == 0 || (page->parent[row] >= 0 && page->parent[row] < row))
              && page->end[row] > row && page->end[row] <= n_row
              && page->leaf_offset[row + 1] >= page->leaf_offset[row];
    }
    fit = fit && page->leaf_offset[n_row] == n_leaf;
    for (int32_t leaf = 0; leaf < n_leaf && fit; leaf++) {
        fit = is_below(page->leaves[leaf], page->n_row)
              && is_below(page->of_leaf[leaf], page->n_block);
    }
    for (size_t block = 0; block < page->n_block && fit; block++) {
        fit = page->block_start[block + 1] > page->block_start[block]
              && is_below(page->block_row[block], page->n_row);
    }
    return fit;
}

int find_containers(const Blocks *page, const ContainerChain *chain, Scratch scratch)
{
    const size_t n_row = page->n_row, n_block = page->n_block;
    int32_t *n_around = take(&scratch, n_row, sizeof *n_around); /* containers around each row */
    int32_t *child = take(&scratch, n_row, sizeof *child);       /* the nearest child of one */
    int32_t *n_begun = take(&scratch, n_row + 1, sizeof *n_begun); /* blocks that begin before */
    uint8_t *holds = take(&scratch, n_row, sizeof *holds);
    if (!n_around || !child || !n_begun || !holds) {
        return REFUSED;
    }
    memset(n_begun, 0, (n_row + 1) * sizeof *n_begun);
    for (size_t block = 0; block < n_block; block++) {
        n_begun[page->leaves[page->block_start[block]] + 1] = 1;
    }
    for (size_t row = 0; row < n_row; row++) {
        const int32_t low = page->leaf_offset[row], high = page->leaf_offset[page->end[row]];
        const int32_t first =
            (size_t)low < page->n_leaf ? page->of_leaf[low] : (int32_t)n_block;
        chain->row_first[row] = first;
        chain->row_stop[row] = high > low ? page->of_leaf[high - 1] + 1 : first;
        holds[row] = chain->row_stop[row] - first >= 2;
        n_begun[row + 1] += n_begun[row];
    }
    for (size_t row = 1; row < n_row; row++) {
        const size_t above = (size_t)page->parent[row];
        if (chain->row_stop[row] - chain->row_first[row]
            == chain->row_stop[above] - chain->row_first[above]) {
            holds[above] = 0;
        }
    }
    if (!memchr(holds, 1, n_row)) {
        holds[0] = 1;
    }
    n_around[0] = holds[0];
    child[0] = -1;
    for (size_t row = 1; row < n_row; row++) {
        const size_t above = (size_t)page->parent[row];
        const int begins = n_begun[page->end[row]] > n_begun[row];
        n_around[row] = n_around[above] + holds[row];
        child[row] = holds[above] && begins ? (int32_t)row : child[above];
    }
    for (size_t block = 0; block < n_block; block++) {
        const int32_t leaf = page->leaves[page->block_start[block]];
        int32_t at = leaf, lowest = INT32_MAX;
        chain->n_above[block] = n_around[leaf];
        for (size_t level = 0; level < N_LEVEL; level++) {
            const size_t place = level * n_block + block;
            const int32_t step = child[at], told = step < 0 ? leaf : step;
            lowest = told < lowest ? told : lowest;
            at = step < 0 ? at : page->parent[step];
            chain->child[place] = lowest;
            chain->container[place] = at;
            chain->first[place] = chain->row_first[at];
            chain->stop[place] = chain->row_stop[at];
        }
    }
    return 0;
}
