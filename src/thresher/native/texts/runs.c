/* The texts of runs: thresher.writers.inline. */

#include "texts.h"

static void put_without_soft_hyphens(Text *out, const uint8_t *bytes, size_t n)
{
    size_t begun = 0;
    const uint8_t *found;
    for (size_t at = 0; at < n && (found = memchr(bytes + at, SOFT_FIRST, n - at)) != NULL;) {
        at = (size_t)(found - bytes) + 1;
        if (at < n && bytes[at] == SOFT_LAST) {
            put(out, bytes + begun, at - 1 - begun);
            begun = ++at;
        }
    }
    put(out, bytes + begun, n - begun);
}

int64_t join_runs(const LeafTexts *texts, size_t n_row, const int32_t *run_start, size_t n_run,
                  Text *out, int32_t *stop)
{
    static const TextStyle style = {"\n", put_without_soft_hyphens, 1};
    Position at = {0, 0};
    int32_t n_character = 0;
    for (size_t run = 0; run < n_run; run++) {
        const int32_t first = run_start[run], last = run_start[run + 1];
        const size_t begun = out->n;
        if (first < 0 || last < first || (size_t)last > texts->n_leaf
            || !put_leaves(texts, n_row, first, last, &style, &at, out) || out->is_full) {
            return REFUSED;
        }
        for (size_t byte = begun; byte < out->n; byte++) {
            n_character += !continues_character(out->bytes[byte]);
        }
        stop[run] = n_character;
    }
    return (int64_t)out->n;
}
