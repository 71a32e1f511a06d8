/* Rows of one tag with a common name (thresher.analysis.threads.siblings). */

#include "threads.h"

/* The number of the group of a key, which is added if it is new; REFUSED after too many probes. */
static int64_t number_of(int64_t key, const Pairs *pairs, const Namesakes *out, int64_t *n_allowed)
{
    size_t place = (size_t)(mix((uint64_t)key) >> 32) & (pairs->n_place - 1);
    int32_t number;
    for (; (number = pairs->table[place]) >= 0; place = (place + 1) & (pairs->n_place - 1)) {
        if (out->keys[number] == key) {
            return number;
        }
        if (--*n_allowed < 0) {
            return REFUSED;
        }
    }
    number = (int32_t)(*out->n_group)++;
    pairs->table[place] = number;
    pairs->count[number] = 0;
    out->keys[number] = key;
    return number;
}

/* Add a pair of a row and a stem; returns how many there are. */
static int64_t add_pair(const Stems *stems, int64_t row, int64_t stem, int64_t n_pair,
                        const Pairs *pairs, const Namesakes *out, int64_t *n_allowed)
{
    if (row < 0 || (size_t)row >= stems->n_row || stem < 0 || stem > INT32_MAX
        || (size_t)n_pair >= out->n_room || stems->tag[row] < 0
        || stems->tag[row] >= stems->n_tag) {
        return REFUSED;
    }
    const int64_t key = stem * stems->n_tag + stems->tag[row];
    const int64_t group = number_of(key, pairs, out, n_allowed);
    if (group < 0) {
        return REFUSED;
    }
    pairs->row[n_pair] = (int32_t)row;
    pairs->group[n_pair] = (int32_t)group;
    pairs->count[group]++;
    return n_pair + 1;
}

static int64_t add_stems(const Stems *stems, const Pairs *pairs, const Namesakes *out,
                         int64_t *n_allowed)
{
    int64_t n_pair = 0;
    for (size_t entry = 0; entry < stems->n_entry; entry++) {
        const int32_t value = stems->value[entry];
        if (value < 0 || (size_t)value >= stems->n_value) {
            return REFUSED;
        }
        const int64_t first = value ? stems->stem_stop[value - 1] : 0;
        const int64_t last = stems->stem_stop[value];
        if (first < 0 || last > (int64_t)stems->n_stem) {
            return REFUSED;
        }
        for (int64_t at = first; at < last; at++) {
            n_pair = add_pair(stems, stems->row[entry], stems->stems[at], n_pair, pairs, out,
                              n_allowed);
            if (n_pair < 0) {
                return REFUSED;
            }
        }
    }
    return n_pair;
}

/* Order the pairs by their rows. */
static void order_pairs(const Stems *stems, int64_t n_pair, const Pairs *pairs)
{
    memset(pairs->before, 0, (stems->n_row + 1) * sizeof *pairs->before);
    for (int64_t pair = 0; pair < n_pair; pair++) {
        pairs->before[pairs->row[pair] + 1]++;
    }
    for (size_t row = 0; row < stems->n_row; row++) {
        pairs->before[row + 1] += pairs->before[row];
    }
    for (int64_t pair = 0; pair < n_pair; pair++) {
        pairs->order[pairs->before[pairs->row[pair]]++] = (int32_t)pair;
    }
}

/* Put the rows of the pairs into their groups; those of articles as their complement. */
static void fill_groups(int64_t n_pair, int64_t n_stem_pair, const Pairs *pairs,
                        const Namesakes *out)
{
    int64_t n = 0;
    for (int64_t group = 0; group < *out->n_group; group++) {
        out->stop[group] = n;
        n += pairs->count[group];
    }
    for (int64_t i = 0; i < n_pair; i++) {
        const int32_t pair = pairs->order[i], row = pairs->row[pair];
        out->rows[out->stop[pairs->group[pair]]++] = pair < n_stem_pair ? row : ~(int64_t)row;
    }
}

/* Leave out rows that have a stem twice; an article with the name of one stays. */
static int64_t drop_repeated(const Namesakes *out)
{
    int64_t n = 0, start = 0;
    for (int64_t group = 0; group < *out->n_group; group++) {
        const int64_t stop = out->stop[group];
        int64_t before = -1;
        for (int64_t at = start; at < stop; at++) {
            const int64_t row = out->rows[at];
            if (row < 0 || row != before) {
                out->rows[n++] = row < 0 ? ~row : row;
            }
            before = row;
        }
        out->stop[group] = n;
        start = stop;
    }
    return n;
}

int64_t group_namesakes(const Stems *stems, const Pairs *pairs, const Namesakes *out)
{
    int64_t n_allowed = allow_probes(out->n_room);
    if (!pairs->n_place || (pairs->n_place & (pairs->n_place - 1))
        || pairs->n_place <= out->n_room || out->n_room > INT32_MAX || stems->n_row >= INT32_MAX
        || stems->n_tag <= 0 || stems->n_tag > INT16_MAX) {
        return REFUSED;
    }
    memset(pairs->table, 0xFF, pairs->n_place * sizeof *pairs->table);
    *out->n_group = 0;
    const int64_t n_stem_pair = add_stems(stems, pairs, out, &n_allowed);
    int64_t n_pair = n_stem_pair;
    for (size_t i = 0; n_pair >= 0 && i < stems->n_article; i++) {
        n_pair = add_pair(stems, stems->articles[i], stems->article, n_pair, pairs, out,
                          &n_allowed);
    }
    if (n_pair < 0) {
        return REFUSED;
    }
    order_pairs(stems, n_pair, pairs);
    fill_groups(n_pair, n_stem_pair, pairs, out);
    return drop_repeated(out);
}
