/* Features of the containers around a block. */

#include "work.h"

enum { N_MEASURED = 4, N_DOMINANT = 3 };

static const int64_t DOMINANT_TENTHS[N_DOMINANT] = {9, 7, 5};

/* The smallest elements with most of the prose; those that have it are nested. */
static void measure_dominant(Work *work, float *shares[N_DOMINANT])
{
    const ContainerChain *chain = work->chain;
    const int32_t *words = sums_of(work, WORDS), *prose = sums_of(work, PROSE_WORDS);
    const int64_t total = prose[work->n];
    for (size_t nth = 0; nth < N_DOMINANT; nth++) {
        float *inside = next_of(work, VALUE), *before = next_of(work, VALUE);
        int32_t first = 0, stop = 0, held = 0;
        for (size_t row = work->page->n_row; total && row-- > 0;) {
            const int64_t here = between(prose, chain->row_first[row], chain->row_stop[row]);
            if (here * 10 >= DOMINANT_TENTHS[nth] * total) {
                first = chain->row_first[row];
                stop = chain->row_stop[row];
                held = between(words, first, stop);
                break;
            }
        }
        for (size_t block = 0; block < work->n; block++) {
            inside[block] = (int32_t)block >= first && (int32_t)block < stop;
            before[block] = (int32_t)block < first;
            shares[nth][block] = share_of((float)held, (float)words[work->n]);
        }
    }
}

/* Features of the containers, one per level. */
static int measure_logs(Work *work, const int32_t *sums)
{
    const int32_t *first = work->chain->first, *stop = work->chain->stop;
    for (size_t level = 0; level < N_MEASURED; level++, first += work->n, stop += work->n) {
        float *out = next_of(work, LOG);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = log_of((float)between(sums, first[block], stop[block]));
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    return 0;
}

static int measure_shares(Work *work, const int32_t *parts, const int32_t *wholes)
{
    const int32_t *first = work->chain->first, *stop = work->chain->stop;
    for (size_t level = 0; level < N_MEASURED; level++, first += work->n, stop += work->n) {
        float *out = next_of(work, SHARE);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = share_of((float)between(parts, first[block], stop[block]),
                                  (float)between(wholes, first[block], stop[block]));
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    return 0;
}

int measure_containers(Work *work)
{
    const Formulas *formulas = &work->formulas[CONTAINERS];
    const size_t n = work->n;
    const int32_t *words = sums_of(work, WORDS);
    for (size_t each = 0; each < formulas->n_log; each++) {
        if (measure_logs(work, sums_of(work, formulas->logs[each])) < 0) {
            return REFUSED;
        }
    }
    float *out = next_of(work, LOG);
    for (size_t block = 0; block < n; block++) {
        out[block] = log_of((float)work->chain->n_above[block]);
    }
    if (settle(work) < 0) {
        return REFUSED;
    }
    for (size_t each = 0; each < formulas->n_share; each++) {
        if (measure_shares(work, sums_of(work, formulas->parts[each]),
                           sums_of(work, formulas->wholes[each])) < 0) {
            return REFUSED;
        }
    }
    const int32_t *first = work->chain->first, *stop = work->chain->stop;
    for (size_t level = 0; level < N_MEASURED; level++) {
        out = next_of(work, SHARE);
        for (size_t block = 0; block < n; block++) {
            const size_t place = level * n + block;
            out[block] =
                share_of((float)between(words, first[place], stop[place]), (float)words[n]);
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    for (size_t level = 0; level < N_MEASURED; level++) {
        out = next_of(work, SHARE);
        for (size_t block = 0; block < n; block++) {
            const size_t place = level * n + block;
            out[block] = share_of((float)((int32_t)block - first[place]),
                                  (float)(stop[place] - first[place]));
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    float *shares[N_DOMINANT];
    for (size_t nth = 0; nth < N_DOMINANT; nth++) {
        shares[nth] = next_of(work, SHARE);
    }
    measure_dominant(work, shares);
    return settle(work);
}
