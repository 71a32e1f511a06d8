/* The features of each block from its counts: the groups of thresher.features, in their order. */

#include "work.h"

/* Give a feature the same value in all blocks. */
static int fill(Work *work, int kind, float value)
{
    float *out = next_of(work, kind);
    for (size_t block = 0; block < work->n; block++) {
        out[block] = value;
    }
    return settle(work);
}

static int measure_page(Work *work)
{
    const Formulas *formulas = &work->formulas[PAGE];
    const Blocks *page = work->page;
    const size_t n = work->n;
    for (size_t each = 0; each < formulas->n_log; each++) {
        if (fill(work, LOG, log_of((float)sums_of(work, formulas->logs[each])[n])) < 0) {
            return REFUSED;
        }
    }
    if (fill(work, LOG, log_of((float)page->n_row)) < 0) {
        return REFUSED;
    }
    for (size_t each = 0; each < work->recipe->n_element; each++) {
        int32_t count = 0;
        for (size_t row = 0; row < page->n_row; row++) {
            count += page->tag[row] == work->recipe->elements[each];
        }
        if (fill(work, LOG, log_of((float)count)) < 0) {
            return REFUSED;
        }
    }
    for (size_t each = 0; each < formulas->n_share; each++) {
        const int32_t part = sums_of(work, formulas->parts[each])[n];
        const int32_t whole = sums_of(work, formulas->wholes[each])[n];
        if (fill(work, SHARE, share_of((float)part, (float)whole)) < 0) {
            return REFUSED;
        }
    }
    return 0;
}

/* Find the tables: each is the number of logarithms, their counts, number of shares, parts, wholes. */
static int read_formulas(Work *work)
{
    const int32_t *at = work->recipe->formulas, *stop = at + work->recipe->n_formula;
    for (size_t each = 0; each < N_FORMULAS; each++) {
        Formulas *formulas = &work->formulas[each];
        if (at >= stop || *at < 0 || *at >= stop - at) {
            return REFUSED;
        }
        formulas->n_log = (size_t)*at++;
        formulas->logs = at;
        at += formulas->n_log;
        if (at >= stop || *at < 0 || 2 * (int64_t)*at >= stop - at) {
            return REFUSED;
        }
        formulas->n_share = (size_t)*at++;
        formulas->parts = at;
        formulas->wholes = at + formulas->n_share;
        at += 2 * formulas->n_share;
        for (const int32_t *count = formulas->logs; count < at; count++) {
            if (count != formulas->logs + formulas->n_log && (*count < 0 || *count >= N_COUNT)) {
                return REFUSED;
            }
        }
    }
    return at == stop ? 0 : REFUSED;
}

int measure_blocks(const Blocks *page, const ContainerChain *chain, const int32_t *sums,
                   const Characters *characters, const int64_t *signature, const Recipe *recipe,
                   const Matrix *out, Scratch scratch, Clock *clock)
{
    Work work = {.page = page, .chain = chain, .sums = sums, .characters = characters,
                 .signature = signature, .recipe = recipe, .out = out, .scratch = scratch,
                 .clock = clock, .n = page->n_block};
    size_t n_feature = 0;
    for (size_t kind = 0; kind < N_SORT; kind++) {
        n_feature += recipe->n_row_of[kind];
        for (size_t each = 0; each < recipe->n_row_of[kind]; each++) {
            const int32_t row = recipe->rows[kind][each];
            if (row < 0 || (size_t)row >= recipe->n_feature) {
                return REFUSED;
            }
        }
        if (!recipe->n_row_of[kind]) {
            return REFUSED;
        }
    }
    if (n_feature != recipe->n_feature || read_formulas(&work) < 0) {
        return REFUSED;
    }
    int (*const groups[])(Work *) = {
        measure_block_features, measure_path,       measure_containers, measure_siblings,
        measure_place,          measure_neighbours, measure_wording,    measure_page,
    };
    for (size_t group = 0; group < sizeof groups / sizeof *groups; group++) {
        if (groups[group](&work) < 0) {
            return REFUSED;
        }
    }
    for (size_t kind = 0; kind < N_SORT; kind++) {
        work.failed |= work.n_done[kind] != recipe->n_row_of[kind];
    }
    return work.failed || work.n_open ? REFUSED : 0;
}
