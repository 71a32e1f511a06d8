/* Spans of a page that read the same, thresher.page.attributes. */

#include "../core.h"

#include <string.h>

/* A hash of all bytes, by words of eight. */
static uint64_t hash_bytes(const uint8_t *bytes, size_t n, size_t n_left)
{
    uint64_t hash = n;
    for (size_t at = 0; at < n; at += 8) {
        const size_t n_word = n - at < 8 ? n - at : 8;
        hash = mix(hash ^ load_word(bytes + at, n_word, n_left - at));
    }
    return hash;
}

int64_t number_spans(const uint8_t *buffer, size_t n_byte, const int32_t *start,
                     const int32_t *stop, size_t n, const Distinct *found)
{
    const size_t n_place = found->n_place;
    int64_t n_allowed = allow_probes(n), n_found = 0;
    if (!n_place || (n_place & (n_place - 1)) || n_place <= n || n > INT32_MAX) {
        return REFUSED;
    }
    memset(found->table, 0xFF, n_place * sizeof *found->table);
    for (size_t i = 0; i < n; i++) {
        if (start[i] < 0 || stop[i] < start[i] || (size_t)stop[i] > n_byte) {
            return REFUSED;
        }
        const uint8_t *bytes = buffer + start[i];
        const size_t size = (size_t)(stop[i] - start[i]);
        const uint64_t hash = hash_bytes(bytes, size, n_byte - (size_t)start[i]);
        size_t place = (size_t)(hash >> 32) & (n_place - 1);
        int32_t number;
        for (; (number = found->table[place]) >= 0; place = (place + 1) & (n_place - 1)) {
            const size_t other = (size_t)found->first[number];
            if (found->hashes[number] == hash && (size_t)(stop[other] - start[other]) == size &&
                !memcmp(buffer + start[other], bytes, size)) {
                break;
            }
            if (--n_allowed < 0) {
                return REFUSED;
            }
        }
        if (number < 0) {
            number = (int32_t)n_found++;
            found->table[place] = number;
            found->hashes[number] = hash;
            found->first[number] = (int32_t)i;
        }
        found->number[i] = number;
    }
    return n_found;
}
