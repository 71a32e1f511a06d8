/* The attributes of a fragment's start tags: thresher.writers.fragment.clean. */

#include "writers.h"

#include <string.h>

enum { WORD_BYTES = 8, NAME_BYTES = 15, N_NAME_AT_MOST = 31 };

/* The index of a name among sorted ones, −1 if it is missing. */
static int find_name(const uint8_t *name, size_t n, const NameTable *names)
{
    if (n == 0 || n > NAME_BYTES) {
        return -1;
    }
    uint64_t words[2] = {0, 0};
    memcpy(words, name, n); /* as thresher.page.names packs them, on little-endian machines */
    size_t low = 0, high = names->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const uint64_t *at = names->words + 2 * middle;
        if (at[0] == words[0] && at[1] == words[1]) {
            return (int)middle;
        }
        if (at[0] < words[0] || (at[0] == words[0] && at[1] < words[1])) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return -1;
}

static int is_name_byte(uint8_t byte)
{
    return byte > ' ' && byte < 0x7F && !(byte >= 'A' && byte <= 'Z') && byte != '"'
           && byte != '\'' && byte != '<' && byte != '>' && byte != '/' && byte != '=';
}

static int is_letter_or_digit(uint8_t byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
           || (byte >= '0' && byte <= '9');
}

/* Copy the allowed attributes from `at` on; returns where the tag ends, 0 if it is not
 * well-formed. */
static size_t tidy_tag(const uint8_t *markup, size_t n, size_t at, uint32_t allowed,
                       const NameRules *rules, Tidied *out)
{
    uint32_t seen = 0;
    while (at < n && markup[at] == ' ') {
        const size_t begin = at++;
        while (at < n && is_name_byte(markup[at])) {
            at++;
        }
        const uint8_t *name = markup + begin + 1;
        const size_t n_name = at - begin - 1;
        if (!n_name || at + 1 >= n || markup[at] != '=' || markup[at + 1] != '"') {
            return 0;
        }
        const size_t value = at + 2;
        const uint8_t *quote = value < n ? memchr(markup + value, '"', n - value) : NULL;
        if (!quote) {
            return 0;
        }
        at = (size_t)(quote - markup) + 1;
        const int place = find_name(name, n_name, &rules->attributes);
        const uint32_t bit = place < 0 ? 0 : (uint32_t)1 << place;
        if (seen & bit) {
            return 0; /* of two of a name the first counts */
        }
        seen |= bit;
        /* Marks of footnotes begin with what is not ASCII. */
        if (!(allowed & bit) || ((rules->ids & bit) && markup[value] < 0x80)) {
            continue;
        }
        memcpy(out->bytes + out->n, markup + begin, at - begin);
        out->n += at - begin;
    }
    if (at >= n || markup[at] != '>') {
        return 0;
    }
    return at + 1;
}

int64_t tidy_markup(const uint8_t *markup, size_t n, const NameRules *rules, Tidied *out)
{
    if (rules->attributes.n > N_NAME_AT_MOST || out->n_room < n) {
        return REFUSED;
    }
    out->n = 0;
    size_t at = 0;
    while (at < n) {
        const uint8_t *found = memchr(markup + at, '<', n - at);
        const size_t start = found ? (size_t)(found - markup) : n;
        size_t stop = start + 1;
        const int is_end = stop < n && markup[stop] == '/';
        stop += (size_t)is_end;
        const size_t name = stop;
        while (stop < n && is_letter_or_digit(markup[stop])) {
            stop++;
        }
        const size_t copied = found ? stop : n;
        memcpy(out->bytes + out->n, markup + at, copied - at);
        out->n += copied - at;
        if (!found) {
            break;
        }
        const int place = find_name(markup + name, stop - name, &rules->tags);
        if (place < 0) {
            return REFUSED;
        }
        at = stop;
        if (!is_end) {
            stop = tidy_tag(markup, n, at, rules->allowed[place], rules, out);
            if (!stop) {
                return REFUSED;
            }
            at = stop - 1;
        }
        if (at >= n || markup[at] != '>') {
            return REFUSED;
        }
    }
    return (int64_t)out->n;
}
