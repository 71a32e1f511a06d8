/* The attributes of a fragment's start tags: thresher.writers.tidying. */

#include "writers.h"

#include <string.h>

enum { WORD_BYTES = 8, NAME_BYTES = 15, N_NAME_AT_MOST = 31 };

/* The place of a name among sorted ones, −1 where it is none of them. */
static int find_name(const uint8_t *name, size_t n, const NameTable *names)
{
    if (n == 0 || n > NAME_BYTES) {
        return -1;
    }
    uint64_t words[2] = {0, 0};
    memcpy(words, name, n); /* as thresher.names packs them, on little-endian machines */
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

static int begins_with(const uint8_t *bytes, size_t n, const char *prefix)
{
    const size_t size = strlen(prefix);
    return n >= size && memcmp(bytes, prefix, size) == 0;
}

/* Where the host ends that begins an address, 0 for any that is not letters, dots and the like. */
static size_t end_host(const uint8_t *bytes, size_t n)
{
    size_t i = 0, label = 0;
    for (; i < n && bytes[i] != '/' && bytes[i] != '?' && bytes[i] != '#'; i++) {
        const uint8_t byte = bytes[i];
        if (byte == '.' ? i == label : !is_letter_or_digit(byte) && (byte != '-' || i == label)) {
            return 0;
        }
        if (byte == '-' && bytes[i - 1] == '-') {
            return 0; /* maybe letters that are spelled in ASCII */
        }
        label = byte == '.' ? i + 1 : label;
    }
    /* What ends with digits is a number, and may be none that there is. */
    return i > label && !(bytes[label] >= '0' && bytes[label] <= '9') ? i : 0;
}

/* Whether an escaped address is plain: of the web, relative to it, or one to write or call to, and
 * spelled as it is sent. Adds
 * to `flags` what is in it. */
static int is_plain_address(const uint8_t *bytes, size_t n, uint8_t *flags)
{
    size_t i = 0;
    if (begins_with(bytes, n, "https://") || begins_with(bytes, n, "http://")
        || begins_with(bytes, n, "//")) {
        i = bytes[0] == '/' ? 2 : bytes[4] == 's' ? 8 : 7;
        const size_t host = end_host(bytes + i, n - i);
        if (!host) {
            return 0;
        }
        i += host;
    } else if (begins_with(bytes, n, "mailto:") || begins_with(bytes, n, "tel:")) {
        i = bytes[0] == 'm' ? 7 : 4;
    } else if (n == 0) {
        return 0;
    } else {
        for (size_t k = 0; k < n && bytes[k] != '/' && bytes[k] != '?' && bytes[k] != '#'; k++) {
            if (!is_letter_or_digit(bytes[k]) && bytes[k] != '.' && bytes[k] != '-'
                && bytes[k] != '_') {
                return 0;
            }
        }
    }
    if (bytes[n - 1] >= 0x80) {
        return 0; /* maybe a space */
    }
    for (; i < n; i++) {
        const uint8_t byte = bytes[i];
        if (byte <= ' ' || byte == 0x7F || byte == '<' || byte == '>' || byte == '`'
            || byte == '\\' || (byte == '&' && !begins_with(bytes + i, n - i, "&amp;"))) {
            return 0;
        }
        if (byte == '?' || byte == '#' || byte == '&' || byte == ';') {
            *flags |= HAS_PARAMETERS;
        }
    }
    return 1;
}

/* Copy what stays of the attributes from `at` on; returns where the tag ends, 0 where it makes no
 * sense. */
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
        const size_t n_value = (size_t)(quote - markup) - value;
        if (!(rules->free & bit)
            && !((rules->addresses & bit)
                 && is_plain_address(markup + value, n_value, &out->flags))) {
            out->flags |= HAS_OTHERS;
        }
        memcpy(out->bytes + out->n, markup + begin, at - begin);
        out->n += at - begin;
    }
    if (at >= n || markup[at] != '>') {
        return 0;
    }
    if ((allowed & rules->links) && !(seen & rules->links)) {
        out->flags |= HAS_PARAMETERS; /* a link to nowhere */
    }
    return at + 1;
}

static int is_blank(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\n' && bytes[i] != '\t') {
            return 0;
        }
    }
    return 1;
}

int64_t tidy_markup(const uint8_t *markup, size_t n, const NameRules *rules, Tidied *out)
{
    if (rules->attributes.n > N_NAME_AT_MOST || out->n_room < n) {
        return REFUSED;
    }
    out->n = 0;
    out->flags = 0;
    size_t at = 0;
    int in_table = 0; /* between its parts: what else stands there is moved, and may be unmade */
    int in_heading = 0;
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
        const size_t text = at ? at + 1 : 0; /* from behind the tag before */
        if (in_table && text < start && !is_blank(markup + text, start - text)) {
            out->flags |= HAS_OTHERS;
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
        const uint8_t kind = rules->kind_of[place];
        const int is_whole = is_end && (kind & HOLDS_PARTS);
        if ((in_table && !((kind & IS_PART) || is_whole))
            || (!in_table && !is_end && (kind & IS_PART))
            || (in_heading && !is_end && (kind & IS_TITLE))) {
            out->flags |= HAS_OTHERS;
        }
        in_heading = kind & IS_TITLE ? !is_end : in_heading;
        in_table = is_end ? (kind & IS_PART) != 0 : (kind & HOLDS_PARTS) != 0;
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
