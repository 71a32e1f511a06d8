#include "../core.h"

/* Pairs of letters that a part begins with, by the last five bits of each: those that differ in case
 * fall together, and so do some others, of which most are told apart by the next comparison. */
enum { N_PAIR = 1 << 10, MAX_PARTS = 32 };

static inline size_t pair_at(const uint8_t *bytes)
{
    return (size_t)(bytes[0] & 31) << 5 | (bytes[1] & 31);
}

static inline uint8_t lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

static int begins_with(const uint8_t *bytes, size_t n, const uint8_t *part, size_t n_part)
{
    if (n < n_part) {
        return 0;
    }
    for (size_t at = 0; at < n_part; at++) {
        if (lower(bytes[at]) != part[at]) {
            return 0;
        }
    }
    return 1;
}

/* Parts by the pair that they begin with: the first of a pair, and the next of each; 0 for none, else
 * the number of a part from 1. */
typedef struct {
    uint8_t first[N_PAIR], next[MAX_PARTS];
} PartsByPair;

static int group_by_pair(const Parts *parts, PartsByPair *by_pair)
{
    int64_t begin = 0;
    for (size_t part = 0; part < parts->n; part++) {
        const int64_t end = parts->stop[part];
        if (end < begin + 2 || (size_t)end > parts->n_byte) {
            return REFUSED;
        }
        uint8_t *const first = &by_pair->first[pair_at(parts->bytes + begin)];
        by_pair->next[part] = *first;
        *first = (uint8_t)(part + 1);
        begin = end;
    }
    return 0;
}

/* Those of the parts with one pair that bytes begin with; `number` is that of the first. */
static uint32_t find_here(const uint8_t *bytes, size_t n, const Parts *parts,
                          const PartsByPair *by_pair, size_t number)
{
    uint32_t found = 0;
    for (; number; number = by_pair->next[number - 1]) {
        const size_t part = number - 1;
        const size_t begin = part ? (size_t)parts->stop[part - 1] : 0;
        const size_t end = (size_t)parts->stop[part];
        found |= (uint32_t)begins_with(bytes, n, parts->bytes + begin, end - begin) << part;
    }
    return found;
}

int find_parts(const uint8_t *buffer, size_t n, size_t n_span, const int32_t *start,
               const int32_t *stop, const Parts *parts, uint32_t *found)
{
    PartsByPair by_pair = {{0}, {0}};
    if (parts->n > MAX_PARTS || group_by_pair(parts, &by_pair) == REFUSED) {
        return REFUSED;
    }
    for (size_t i = 0; i < n_span; i++) {
        if (start[i] < 0 || stop[i] < start[i] || (size_t)stop[i] > n) {
            return REFUSED;
        }
        const uint8_t *bytes = buffer + start[i];
        const size_t size = (size_t)(stop[i] - start[i]);
        uint32_t all = 0;
        for (size_t at = 0; at + 1 < size; at++) {
            const size_t number = by_pair.first[pair_at(bytes + at)];
            if (number) {
                all |= find_here(bytes + at, size - at, parts, &by_pair, number);
            }
        }
        found[i] = all;
    }
    return 0;
}
