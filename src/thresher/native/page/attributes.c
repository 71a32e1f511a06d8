/* Positions of attributes in start tags: ` name="value"`, as matched by thresher.page.attributes. */

#include "../core.h"

#include <string.h>

enum { LANES = 32, ROUNDS = 255 };

size_t count_attributes_at_most(const uint8_t *buffer, size_t n)
{
    size_t total = 0, i = 0;
    while (i + 1 + LANES <= n) {
        uint8_t counts[LANES] = {0};
        for (int round = 0; round < ROUNDS && i + 1 + LANES <= n; round++, i += LANES) {
            const uint8_t *at = buffer + i;
            for (int lane = 0; lane < LANES; lane++) {
                counts[lane] += (at[lane] == '=') & (at[lane + 1] == '"');
            }
        }
        for (int lane = 0; lane < LANES; lane++) {
            total += counts[lane];
        }
    }
    for (; i + 1 < n; i++) {
        total += (buffer[i] == '=') & (buffer[i + 1] == '"');
    }
    return total;
}

/* Return where the name at `at` ends: at the first space, =, > or the tag's end. */
static size_t end_name(const uint8_t *buffer, size_t at, size_t stop)
{
    while (at < stop && buffer[at] != ' ' && buffer[at] != '=' && buffer[at] != '>') {
        at++;
    }
    return at;
}

static int is_assigned(const uint8_t *buffer, size_t at, size_t stop)
{
    return at + 1 < stop && buffer[at] == '=' && buffer[at + 1] == '"';
}

int64_t find_attributes(const uint8_t *buffer, size_t n, size_t n_row, const int16_t *tag,
                        const int32_t *start, const int32_t *stop, const int32_t *name_bytes,
                        size_t n_code, int32_t *found, size_t n_room)
{
    int32_t *rows = found, *names = found + n_room, *starts = names + n_room,
            *stops = starts + n_room;
    size_t count = 0;
    for (size_t row = 0; row < n_row; row++) {
        if (tag[row] == 0) {
            continue; /* a text */
        }
        if (start[row] < 0 || stop[row] < start[row] || (size_t)stop[row] > n || tag[row] < 0
            || (size_t)tag[row] >= n_code) {
            return REFUSED;
        }
        size_t last = (size_t)stop[row], at = (size_t)start[row] + 1;
        if (name_bytes[tag[row]] > 0) {
            at += (size_t)name_bytes[tag[row]];
        }
        while (at + 1 < last) { /* of the >, nothing is to be read */
            if (buffer[at] != ' ') {
                const uint8_t *space = memchr(buffer + at, ' ', last - at);
                if (!space) {
                    break;
                }
                at = (size_t)(space - buffer);
            }
            size_t begin = ++at;
            /* A name may begin with =. */
            size_t assigned = end_name(buffer, begin + (at < last && buffer[at] == '='), last);
            if (!is_assigned(buffer, assigned, last)) {
                assigned = begin;
                if (!is_assigned(buffer, assigned, last)) {
                    continue;
                }
            }
            size_t value = assigned + 2;
            const uint8_t *quote =
                value < last ? memchr(buffer + value, '"', last - value) : NULL;
            if (!quote) {
                break;
            }
            if (count >= n_room) {
                return REFUSED;
            }
            rows[count] = (int32_t)row;
            names[count] = (int32_t)begin;
            starts[count] = (int32_t)value;
            stops[count] = (int32_t)(quote - buffer);
            count++;
            at = (size_t)(quote - buffer) + 1;
        }
    }
    return (int64_t)count;
}

int pack_words(const uint8_t *buffer, size_t n, size_t n_name, const int32_t *start,
               const int32_t *stop, uint64_t *low, uint64_t *high)
{
    for (size_t i = 0; i < n_name; i++) {
        if (start[i] < 0 || stop[i] < start[i] || (size_t)stop[i] > n) {
            return REFUSED;
        }
        const uint8_t *name = buffer + start[i];
        const size_t size = (size_t)(stop[i] - start[i]), n_left = n - (size_t)start[i];
        low[i] = load_word(name, size, n_left);
        high[i] = size <= 8 ? 0 : load_word(name + 8, size - 8, n_left - 8);
    }
    return 0;
}

enum { MAX_NAMES = 64, MAX_NAME_BYTES = 31 };

/* The names of each size, chained: the first of a size, and the next after each; 0 for none, else
 * one more than the place of the name. */
typedef struct {
    uint8_t first[MAX_NAME_BYTES + 1], next[MAX_NAMES];
} Chains;

static int chain_names(const Parts *names, Chains *chains)
{
    memset(chains, 0, sizeof *chains);
    if (names->n > MAX_NAMES) {
        return REFUSED;
    }
    for (size_t i = names->n; i > 0; i--) {
        const int64_t stop = names->stop[i - 1], begin = i > 1 ? names->stop[i - 2] : 0;
        const int64_t size = stop - begin;
        if (begin < 0 || size < 1 || size > MAX_NAME_BYTES || stop > (int64_t)names->n_byte) {
            return REFUSED;
        }
        chains->next[i - 1] = chains->first[size];
        chains->first[size] = (uint8_t)i;
    }
    return 0;
}

int64_t find_named(const uint8_t *buffer, size_t n, size_t n_attribute, const int32_t *name_start,
                   const int32_t *start, const Parts *names, uint8_t *which, int64_t *found,
                   int64_t *count)
{
    Chains chains;
    int64_t place[MAX_NAMES + 1], sum = 0;
    if (chain_names(names, &chains) == REFUSED) {
        return REFUSED;
    }
    memset(count, 0, names->n * sizeof *count);
    for (size_t i = 0; i < n_attribute; i++) {
        const int64_t at = name_start[i], size = start[i] - at - 2; /* without =" */
        which[i] = 0;
        if (size < 1 || size > MAX_NAME_BYTES || !chains.first[size]) {
            continue;
        }
        if (at < 0 || at + size > (int64_t)n) {
            return REFUSED;
        }
        for (uint8_t name = chains.first[size]; name; name = chains.next[name - 1]) {
            const uint8_t *wanted = names->bytes + names->stop[name - 1] - size;
            if (buffer[at] == *wanted && memcmp(buffer + at, wanted, (size_t)size) == 0) {
                which[i] = name;
                count[name - 1]++;
                break;
            }
        }
    }
    for (size_t i = 0; i < names->n; i++) {
        place[i + 1] = sum;
        sum += count[i];
    }
    for (size_t i = 0; i < n_attribute; i++) {
        if (which[i]) {
            found[place[which[i]]++] = (int64_t)i;
        }
    }
    return sum;
}
