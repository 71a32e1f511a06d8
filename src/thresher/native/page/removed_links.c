/* Text links of which nothing is kept: thresher.analysis.removed_links. */

#include "../byte_kinds.h"
#include "../core.h"

#include <string.h>

enum { NOWHERE = -1, ABSOLUTE, ROOTED, OTHER }; /* kinds of addresses; NOWHERE: within the page */

/* Whether a byte is a letter, a digit or a low line. */
static int is_word(uint8_t byte)
{
    return is_ascii_alnum(byte) || byte == '_';
}

/* Whether an address is segments of letters, digits and a few signs, each after a slash. */
static int is_rooted(const uint8_t *bytes, size_t n)
{
    for (size_t at = 1; at < n; at++) {
        const uint8_t byte = bytes[at];
        const int is_first = bytes[at - 1] == '/';
        if (byte == '/' ? is_first
                        : !is_word(byte) && byte != '-' && (is_first || (byte != '.' && byte != ','))) {
            return 0;
        }
    }
    return 1;
}

/* Whether an address has a scheme of the web, a plain host, and no query, fragment or reference. */
static int is_absolute(const uint8_t *bytes, size_t n)
{
    size_t at = n > 4 && memcmp(bytes, "https", 5) == 0 ? 5 : 4;
    if (n < at + 3 || memcmp(bytes, "http", 4) != 0 || memcmp(bytes + at, "://", 3) != 0) {
        return 0;
    }
    const size_t host = at += 3;
    while (at < n && (is_word(bytes[at]) || bytes[at] == '.' || bytes[at] == '-')) {
        at++;
    }
    if (at == host) {
        return 0;
    }
    if (at < n && bytes[at] == ':') {
        const size_t port = ++at;
        while (at < n && is_digit(bytes[at])) {
            at++;
        }
        if (at == port) {
            return 0;
        }
    }
    if (at < n && bytes[at] != '/') {
        return 0;
    }
    for (; at < n; at++) {
        const uint8_t byte = bytes[at];
        if (byte <= ' ' || byte >= 0x80 || byte == '&' || byte == ';' || byte == '?'
            || byte == '#') {
            return 0;
        }
    }
    return 1;
}

static int32_t find_kind(const uint8_t *bytes, size_t n, size_t n_longest)
{
    if (n == 0 || bytes[0] == '#') {
        return NOWHERE;
    }
    if (n > n_longest) {
        return OTHER;
    }
    if (bytes[0] == '/') {
        return is_rooted(bytes, n) ? ROOTED : OTHER;
    }
    return is_absolute(bytes, n) ? ABSOLUTE : OTHER;
}

/* Whether there is text in some leaves, none of which is kept; REFUSED if they are no leaves. */
static int is_removed(const Links *links, const LinkLeaves *leaves, int32_t first, int32_t stop)
{
    int shows_text = 0;
    if (first < 0 || stop < first || (size_t)stop > leaves->n_leaf) {
        return REFUSED;
    }
    for (int32_t leaf = first; leaf < stop; leaf++) {
        const int32_t row = leaves->leaves[leaf];
        if (row < 0 || (size_t)row >= links->n || links->tag[row] < 0
            || (size_t)links->tag[row] >= leaves->n_code) {
            return REFUSED;
        }
        if (leaves->keep[leaf]) {
            return 0;
        }
        shows_text |= leaves->shows_text[links->tag[row]];
    }
    return shows_text;
}

int64_t find_removed_links(const uint8_t *buffer, size_t n_byte, const Links *links,
                           const LinkLeaves *leaves, const Hrefs *hrefs, const RemovedLinks *found)
{
    int64_t n_found = 0;
    int64_t until = 0; /* end of the last link */
    size_t href = 0;
    for (size_t row = 0; row < links->n; row++) {
        if (links->tag[row] != links->code || (int64_t)row < until) {
            continue;
        }
        const int32_t end = links->end[row];
        if (end <= (int64_t)row || (size_t)end > links->n) {
            return REFUSED;
        }
        until = end;
        /* Of several addresses of an element, the last counts. */
        while (href < hrefs->n
               && (hrefs->row[href] < (int64_t)row
                   || (href + 1 < hrefs->n && hrefs->row[href + 1] == (int64_t)row))) {
            href++;
        }
        if (href == hrefs->n || hrefs->row[href] != (int64_t)row) {
            continue;
        }
        const int32_t first = links->leaf_offset[row], stop = links->leaf_offset[end];
        const int removed = is_removed(links, leaves, first, stop);
        const int32_t start_byte = hrefs->start[href], stop_byte = hrefs->stop[href];
        if (removed == REFUSED || start_byte < 0 || stop_byte < start_byte
            || (size_t)stop_byte > n_byte) {
            return REFUSED;
        }
        const int32_t kind = removed ? find_kind(buffer + start_byte,
                                                 (size_t)(stop_byte - start_byte), hrefs->n_longest)
                                     : NOWHERE;
        if (kind == NOWHERE) {
            continue;
        }
        found->first[n_found] = first;
        found->stop[n_found] = stop;
        found->address_start[n_found] = start_byte;
        found->address_stop[n_found] = stop_byte;
        found->kind[n_found++] = kind;
    }
    return n_found;
}
