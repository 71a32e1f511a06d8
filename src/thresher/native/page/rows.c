/* Ancestor and descendant queries over the rows of a table, whose subtrees are slices. */

#include "../core.h"

int64_t find_tagged(const int16_t *tag, size_t n, const uint8_t *flags, size_t n_code,
                    int64_t *found)
{
    int64_t n_found = 0;
    for (size_t i = 0; i < n; i++) {
        if (tag[i] < 0 || (size_t)tag[i] >= n_code) {
            return REFUSED;
        }
        if (flags[tag[i]]) {
            found[n_found++] = (int64_t)i;
        }
    }
    return n_found;
}

int flag_within(const uint8_t *flags, const int32_t *end, size_t n, int itself, uint8_t *inside)
{
    int64_t until = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t flag = flags[i] != 0;
        inside[i] = (uint8_t)((int64_t)i < until) | (uint8_t)(itself && flag);
        if (flag && end[i] > until) {
            until = end[i];
        }
    }
    return 0;
}

int find_nearest(const uint8_t *flags, const int32_t *parent, size_t n, int32_t *nearest)
{
    for (size_t i = 0; i < n; i++) {
        if (parent[i] >= (int64_t)i) {
            return REFUSED;
        }
        nearest[i] = flags[i] ? (int32_t)i : parent[i] < 0 ? -1 : nearest[parent[i]];
    }
    return 0;
}

int sum_flagged(const uint8_t *flags, const int32_t *offsets, size_t n, int32_t *sums)
{
    uint32_t sum = 0;
    sums[0] = 0;
    for (size_t i = 0; i < n; i++) {
        /* Unsigned, so that invalid numbers wrap around as numpy's do. */
        sum += flags[i] ? (uint32_t)offsets[i + 1] - (uint32_t)offsets[i] : 0;
        sums[i + 1] = (int32_t)sum;
    }
    return 0;
}

int inherit_flags(const uint8_t *own, const uint8_t *inside, const int32_t *parent, size_t n,
                  uint8_t *flags)
{
    for (size_t i = 0; i < n; i++) {
        if (parent[i] >= (int64_t)i) {
            return REFUSED;
        }
        flags[i] = own[i];
        if (parent[i] >= 0) {
            flags[i] |= flags[parent[i]] | inside[parent[i]];
        }
    }
    return 0;
}

int nth_of_type(const int32_t *parent, const int32_t *name, size_t n, int32_t *table, int32_t *nth)
{
    /* One past the last row so far of each parent and name, 0 if there is none; half of it stays empty. */
    const size_t n_place = 2 * (n + 1);
    int64_t left = allow_probes(n);
    memset(table, 0, n_place * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = (uint64_t)(uint32_t)parent[i] << 32 | (uint32_t)name[i];
        size_t place = (size_t)((mix(key) >> 32) * n_place >> 32);
        int32_t last;
        while ((last = table[place]) != 0
               && (parent[last - 1] != parent[i] || name[last - 1] != name[i])) {
            if (--left < 0) {
                return REFUSED;
            }
            place = place + 1 < n_place ? place + 1 : 0;
        }
        nth[i] = last ? nth[last - 1] + 1 : 1;
        table[place] = (int32_t)i + 1;
    }
    return 0;
}
