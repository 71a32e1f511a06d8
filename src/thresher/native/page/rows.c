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
