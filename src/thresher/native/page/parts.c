#include "../byte_kinds.h"
#include "../core.h"

/* Pairs of letters that a part begins with, by the last five bits of each: those that differ in case
 * fall together, and so do some others, of which most are told apart by the next comparison. */
enum { N_PAIR = 1 << 10, MAX_PARTS = 64 };

static inline size_t pair_at(const uint8_t *bytes)
{
    return (size_t)(bytes[0] & 31) << 5 | (bytes[1] & 31);
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

/* Those of some parts that bytes begin with. */
static uint64_t find_here(const uint8_t *bytes, size_t n, const Parts *parts, uint64_t of)
{
    uint64_t found = 0;
    for (; of; of &= of - 1) {
        const unsigned part = lowest_bit(of);
        const size_t begin = part ? (size_t)parts->stop[part - 1] : 0;
        const size_t end = (size_t)parts->stop[part];
        found |= (uint64_t)begins_with(bytes, n, parts->bytes + begin, end - begin) << part;
    }
    return found;
}

int find_parts(const uint8_t *buffer, size_t n, size_t n_span, const int32_t *start,
               const int32_t *stop, const Parts *parts, uint64_t *found)
{
    uint64_t begins[N_PAIR] = {0}; /* the parts that begin with each pair */
    uint64_t single[256] = {0};    /* the parts of one byte */
    int64_t begin = 0;
    int has_single = 0;
    if (parts->n > MAX_PARTS) {
        return REFUSED;
    }
    for (size_t part = 0; part < parts->n; part++) {
        const int64_t end = parts->stop[part];
        if (end <= begin || (size_t)end > parts->n_byte) {
            return REFUSED;
        }
        if (end == begin + 1) {
            single[parts->bytes[begin]] |= (uint64_t)1 << part;
            has_single = 1;
        } else {
            begins[pair_at(parts->bytes + begin)] |= (uint64_t)1 << part;
        }
        begin = end;
    }
    for (size_t i = 0; i < n_span; i++) {
        if (start[i] < 0 || stop[i] < start[i] || (size_t)stop[i] > n) {
            return REFUSED;
        }
        const uint8_t *bytes = buffer + start[i];
        const size_t size = (size_t)(stop[i] - start[i]);
        uint64_t all = 0;
        for (size_t at = 0; at + 1 < size; at++) {
            const uint64_t of = begins[pair_at(bytes + at)] & ~all;
            if (of) {
                all |= find_here(bytes + at, size - at, parts, of);
            }
        }
        for (size_t at = 0; has_single && at < size; at++) {
            all |= single[lower(bytes[at])];
        }
        found[i] = all;
    }
    return 0;
}
