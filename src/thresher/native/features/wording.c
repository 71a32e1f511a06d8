/* Features of a block's words: copies, and those of title and heading. */

#include "work.h"

int measure_wording(Work *work)
{
    const Characters *characters = work->characters;
    const uint64_t *sums = characters->word_sum;
    const int32_t *n_word = characters->n_word, *in_title = characters->in_title;
    const int32_t n_title = (int32_t)characters->n_title;
    const size_t n = work->n, n_place = table_places(n);
    int64_t n_probe = allow_probes(n);
    Scratch scratch = work->scratch;
    int32_t *places = take(&scratch, n_place, sizeof *places);
    int32_t *first = take(&scratch, n, sizeof *first); /* the first block with the words */
    int32_t *n_copy = take(&scratch, n, sizeof *n_copy);
    if (!places || !first || !n_copy) {
        return REFUSED;
    }
    memset(places, 0xFF, n_place * sizeof *places);
    memset(n_copy, 0, n * sizeof *n_copy);
    for (size_t block = 0; block < n; block++) {
        size_t place = scatter(sums[block]) & (n_place - 1);
        while (places[place] >= 0 && sums[places[place]] != sums[block]) {
            place = (place + 1) & (n_place - 1);
            if (--n_probe < 0) {
                return REFUSED;
            }
        }
        if (places[place] < 0) {
            places[place] = (int32_t)block;
        }
        first[block] = places[place];
        n_copy[first[block]]++;
    }
    float *copies = next_of(work, LOG), *titled = next_of(work, SHARE);
    float *cover = next_of(work, SHARE), *headed = next_of(work, SHARE);
    float *is_first = next_of(work, VALUE);
    for (size_t block = 0; block < n; block++) {
        const int32_t covered = in_title[block] < n_title ? in_title[block] : n_title;
        copies[block] = log_of(n_word[block] ? (float)n_copy[first[block]] : 0.0f);
        titled[block] = share_of((float)in_title[block], (float)n_word[block]);
        cover[block] = share_of((float)covered, (float)n_title);
        headed[block] = share_of((float)characters->in_h1[block], (float)n_word[block]);
        is_first[block] = first[block] == (int32_t)block;
    }
    return settle(work);
}
