/* Features of a block's position in the page, and of its neighbours. */

#include "work.h"

enum { N_REACH = 2, NO_HEADING = 7 };

static const int32_t REACHES[N_REACH] = {2, 6};

int measure_place(Work *work)
{
    const Blocks *page = work->page;
    const Recipe *recipe = work->recipe;
    const size_t n = work->n;
    const int32_t *words = sums_of(work, WORDS);
    Scratch scratch = work->scratch;
    int32_t *heading = take(&scratch, page->n_row, sizeof *heading); /* level, 0 for none */
    int32_t *level = take(&scratch, n, sizeof *level);
    if (!heading || !level) {
        return REFUSED;
    }
    for (size_t row = 0; row < page->n_row; row++) {
        heading[row] = recipe->flags[page->tag[row]] & IS_HEADING ? page->tag[row] - recipe->h1 + 1
                       : row                                      ? heading[page->parent[row]]
                                                                  : 0;
    }
    size_t h1 = n;
    for (size_t block = 0; block < n; block++) {
        level[block] = at_block(words, block) > 0 ? heading[page->leaves[page->block_start[block]]] : 0;
        h1 = level[block] == 1 && h1 == n ? block : h1;
    }
    float *before = next_of(work, LOG), *after = next_of(work, LOG), *depth = next_of(work, LOG);
    float *since = next_of(work, LOG), *until = next_of(work, LOG);
    float *words_before = next_of(work, SHARE), *blocks_before = next_of(work, SHARE);
    float *from_h1 = next_of(work, VALUE), *behind_h1 = next_of(work, VALUE);
    float *last_level = next_of(work, VALUE);
    int64_t last = -1;
    for (size_t block = 0; block < n; block++) {
        last = level[block] ? (int64_t)block : last;
        const int32_t words_since = words[block] - (h1 < n ? words[h1] : 0);
        const float log = log_of((float)(words_since < 0 ? -words_since : words_since));
        before[block] = log_of((float)block);
        after[block] = log_of((float)(n - 1 - block));
        depth[block] = log_of((float)page->depth[page->block_row[block]]);
        since[block] = log_of((float)((int64_t)block - last));
        words_before[block] = share_of((float)words[block], (float)words[n]);
        blocks_before[block] = share_of((float)block, (float)n);
        from_h1[block] = words_since < 0 ? -log : log;
        behind_h1[block] = block >= h1;
        last_level[block] = (float)(last < 0 ? NO_HEADING : level[last]);
    }
    size_t upcoming = n;
    for (size_t block = n; block-- > 0;) {
        upcoming = level[block] ? block : upcoming;
        until[block] = log_of((float)(upcoming - block));
    }
    return settle(work);
}

int measure_neighbours(Work *work)
{
    const Formulas *formulas = &work->formulas[NEXT];
    const Blocks *page = work->page;
    const size_t n = work->n;
    for (size_t side = 0; side < 2; side++) {
        for (size_t each = 0; each < formulas->n_log; each++) {
            const int32_t *sums = sums_of(work, formulas->logs[each]);
            float *out = next_of(work, LOG);
            for (size_t block = 0; block < n; block++) {
                const size_t beside = side ? block + 1 : block - 1;
                out[block] = log_of(beside < n ? (float)at_block(sums, beside) : 0.0f);
            }
            if (settle(work) < 0) {
                return REFUSED;
            }
        }
        for (size_t each = 0; each < formulas->n_share; each++) {
            const int32_t *parts = sums_of(work, formulas->parts[each]);
            const int32_t *wholes = sums_of(work, formulas->wholes[each]);
            float *out = next_of(work, SHARE);
            for (size_t block = 0; block < n; block++) {
                const size_t beside = side ? block + 1 : block - 1;
                out[block] = beside < n ? share_of((float)at_block(parts, beside),
                                                   (float)at_block(wholes, beside))
                                        : 0.0f;
            }
            if (settle(work) < 0) {
                return REFUSED;
            }
        }
        float *out = next_of(work, VALUE);
        for (size_t block = 0; block < n; block++) {
            const size_t beside = side ? block + 1 : block - 1;
            out[block] = beside < n
                         && page->tag[page->block_row[block]] == page->tag[page->block_row[beside]];
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    formulas = &work->formulas[WITHIN];
    for (size_t nth = 0; nth < N_REACH; nth++) {
        for (size_t each = 0; each < formulas->n_share; each++) {
            const int32_t *parts = sums_of(work, formulas->parts[each]);
            const int32_t *wholes = sums_of(work, formulas->wholes[each]);
            float *out = next_of(work, SHARE);
            for (int32_t block = 0; block < (int32_t)n; block++) {
                const int32_t low = block - REACHES[nth], high = block + REACHES[nth] + 1;
                const int32_t first = low > 0 ? low : 0;
                const int32_t stop = high < (int32_t)n ? high : (int32_t)n;
                out[block] = share_of((float)between(parts, first, stop),
                                      (float)between(wholes, first, stop));
            }
            if (settle(work) < 0) {
                return REFUSED;
            }
        }
    }
    return 0;
}
