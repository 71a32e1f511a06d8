/* Features of similar siblings: children of one container with the same tag and classes. */

#include "work.h"

enum { N_SIBLING_LEVEL = 3 };

/* Children of one container with the same tag and classes. */
typedef struct {
    double spread; /* sum of absolute deviations of their words from the mean */
    int64_t size, words, link_words;
} Kin;

int measure_siblings(Work *work)
{
    const Blocks *page = work->page;
    const ContainerChain *chain = work->chain;
    const size_t n = work->n, n_place = table_places(n);
    const int32_t *words = sums_of(work, WORDS), *links = sums_of(work, LINK_WORDS);
    Scratch scratch = work->scratch;
    int32_t *rank = take(&scratch, page->n_row, sizeof *rank);
    int32_t *table = take(&scratch, n_place, sizeof *table);
    int32_t *row_of = take(&scratch, n, sizeof *row_of); /* each child that contains a block */
    int32_t *kin_of = take(&scratch, n, sizeof *kin_of);
    int32_t *before = take(&scratch, n, sizeof *before);
    int32_t *first_row = take(&scratch, n, sizeof *first_row); /* the first child of each kin */
    Kin *kins = take(&scratch, n, sizeof *kins);
    if (!rank || !table || !row_of || !kin_of || !before || !first_row || !kins) {
        return REFUSED;
    }
    for (size_t level = 0; level < N_SIBLING_LEVEL; level++) {
        const int32_t *child = chain->child + level * n;
        size_t n_held = 0, n_kin = 0;
        int64_t n_probe = allow_probes(n);
        memset(rank, 0xFF, page->n_row * sizeof *rank);
        memset(table, 0xFF, n_place * sizeof *table);
        for (size_t block = 0; block < n; block++) {
            rank[child[block]] = 0;
        }
        for (size_t row = 0; row < page->n_row; row++) {
            if (rank[row] < 0) {
                continue;
            }
            const int64_t parent = page->parent[row], signature = work->signature[row];
            size_t place = scatter((uint64_t)signature * 0x9E3779B97F4A7C15u + (uint64_t)parent);
            for (place &= n_place - 1; table[place] >= 0; place = (place + 1) & (n_place - 1)) {
                const int32_t other = first_row[table[place]];
                if (page->parent[other] == parent && work->signature[other] == signature) {
                    break;
                }
                if (--n_probe < 0) {
                    return REFUSED;
                }
            }
            if (table[place] < 0) {
                table[place] = (int32_t)n_kin;
                first_row[n_kin] = (int32_t)row;
                kins[n_kin++] = (Kin){0};
            }
            Kin *kin = kins + table[place];
            const int32_t first = chain->row_first[row], stop = chain->row_stop[row];
            rank[row] = (int32_t)n_held;
            row_of[n_held] = (int32_t)row;
            kin_of[n_held] = table[place];
            before[n_held++] = (int32_t)kin->size++;
            kin->words += between(words, first, stop);
            kin->link_words += between(links, first, stop);
        }
        for (size_t held = 0; held < n_held; held++) {
            Kin *kin = kins + kin_of[held];
            const int32_t row = row_of[held];
            const double mean = (double)kin->words / (double)kin->size;
            const double off =
                between(words, chain->row_first[row], chain->row_stop[row]) - mean;
            kin->spread += off < 0 ? -off : off;
        }
        float *size = next_of(work, LOG), *mean = next_of(work, LOG), *place = next_of(work, LOG);
        float *share = next_of(work, SHARE), *linked = next_of(work, SHARE);
        float *spread = next_of(work, VALUE);
        for (size_t block = 0; block < n; block++) {
            const int32_t held = rank[child[block]];
            const Kin *kin = kins + kin_of[held];
            const int32_t around = between(words, chain->first[level * n + block],
                                           chain->stop[level * n + block]);
            const double twice = 2.0 * (double)kin->words;
            size[block] = log_of((float)kin->size);
            mean[block] = log_of((float)((double)kin->words / (double)kin->size));
            place[block] = log_of((float)before[held]);
            share[block] = share_of((float)kin->words, (float)around);
            linked[block] = share_of((float)kin->link_words, (float)kin->words);
            spread[block] = (float)(kin->spread / (twice > 1.0 ? twice : 1.0));
        }
        if (settle(work) < 0) {
            return REFUSED;
        }
    }
    return 0;
}
