/* Choice by expected F-measure: thresher.algorithms.learned.decide. */

#include "selected.h"

int choose_blocks(const double *probability, const int64_t *words, const int64_t *order, size_t n,
                  double beta, uint8_t *keep, double *expected)
{
    const double weight = beta * beta;
    double all = 0;
    for (size_t at = 0; at < n; at++) {
        if (order[at] < 0 || (uint64_t)order[at] >= n) {
            return REFUSED;
        }
        all += probability[order[at]] * (double)words[order[at]];
    }
    double found = 0, best = -1, least = 0;
    int64_t kept = 0;
    for (size_t at = 0; at < n; at++) {
        const double ranked = probability[order[at]];
        found += ranked * (double)words[order[at]];
        kept += words[order[at]];
        if (at + 1 < n && probability[order[at + 1]] == ranked) {
            continue; /* blocks of equal probability stay together */
        }
        const double whole = (double)kept + weight * all;
        const double measure = (1 + weight) * found / (whole > 1e-9 ? whole : 1e-9);
        if (measure > best) {
            best = measure;
            least = ranked;
        }
    }
    for (size_t block = 0; block < n; block++) {
        keep[block] = probability[block] >= least;
    }
    *expected = best;
    return 0;
}
