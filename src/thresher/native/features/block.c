/* Features of a block's own text, and of its ancestors. */

#include "work.h"

enum { MOST_AROUND = 4, AROUND_BITS = 3, N_EDGE = 3 };

int measure_block_features(Work *work)
{
    const Formulas *formulas = &work->formulas[BLOCK];
    for (size_t each = 0; each < formulas->n_log; each++) {
        const int32_t *sums = sums_of(work, formulas->logs[each]);
        float *out = next_of(work, LOG);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = log_of((float)at_block(sums, block));
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    for (size_t each = 0; each < formulas->n_share; each++) {
        const int32_t *parts = sums_of(work, formulas->parts[each]);
        const int32_t *wholes = sums_of(work, formulas->wholes[each]);
        float *out = next_of(work, SHARE);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = share_of((float)at_block(parts, block), (float)at_block(wholes, block));
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    for (size_t each = 0; each < 2 * N_EDGE; each++) {
        const uint8_t *edge = each < N_EDGE ? work->characters->first : work->characters->last;
        float *out = next_of(work, VALUE);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = edge[block] == work->recipe->edges[each];
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    return 0;
}

int measure_path(Work *work)
{
    const Blocks *page = work->page;
    const Recipe *recipe = work->recipe;
    Scratch scratch = work->scratch;
    uint64_t *around = take(&scratch, page->n_row, sizeof *around);
    if (!around || recipe->n_around * AROUND_BITS > 64) {
        return REFUSED;
    }
    /* Counts of each kind, saturated, packed into one word. */
    for (size_t row = 0; row < page->n_row; row++) {
        uint64_t counts = row ? around[page->parent[row]] : 0;
        for (size_t each = 0; each < 2; each++) {
            const int32_t kind = recipe->around[each * recipe->n_code + (size_t)page->tag[row]];
            if (kind >= (int32_t)recipe->n_around) {
                return REFUSED;
            }
            if (kind >= 0 && (counts >> AROUND_BITS * kind & 7) < MOST_AROUND) {
                counts += (uint64_t)1 << AROUND_BITS * kind;
            }
        }
        around[row] = counts;
    }
    for (size_t kind = 0; kind < recipe->n_around; kind++) {
        float *out = next_of(work, VALUE);
        for (size_t block = 0; block < work->n; block++) {
            const int32_t row = page->leaves[page->block_start[block]];
            out[block] = (float)(around[row] >> AROUND_BITS * kind & 7);
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    for (int32_t flags = recipe->hidden_flags; flags; flags &= flags - 1) {
        const int32_t flag = flags & -flags;
        float *out = next_of(work, VALUE);
        for (size_t block = 0; block < work->n; block++) {
            const int32_t row = page->leaves[page->block_start[block]];
            out[block] = (page->hidden[row] & flag) != 0;
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    return 0;
}
