/* The tags and texts of a fragment: thresher.writers.stream.markup. */

#include "markdown.h"

static int ends_name(uint8_t byte)
{
    return byte == ' ' || byte == '>' || byte == '=' || byte == '"' || byte == '<';
}

/* The place behind an attribute that begins at one, its name and value in the others; 0 if it has
 * not the usual form. */
static size_t read_attribute(const uint8_t *markup, size_t n, size_t at, size_t *name_stop,
                             Value *value)
{
    const size_t start = at;
    while (at < n && !ends_name(markup[at])) {
        at++;
    }
    *name_stop = at;
    *value = (Value){at, at, 0};
    if (at == start || at == n) {
        return 0;
    }
    if (markup[at] == '=') {
        at += 2;
        if (at >= n || markup[at - 1] != '"') {
            return 0;
        }
        const uint8_t *quote = memchr(markup + at, '"', n - at);
        if (!quote) {
            return 0;
        }
        *value = (Value){at, (size_t)(quote - markup), 1};
        at = value->stop + 1;
    }
    return at < n && (markup[at] == ' ' || markup[at] == '>') ? at : 0;
}

int read_fragment_tag(const uint8_t *markup, size_t n, size_t at, Tag *tag)
{
    at++;
    tag->is_end = at < n && markup[at] == '/';
    at += (size_t)tag->is_end;
    const size_t name = at;
    while (at < n && !ends_name(markup[at])) {
        at++;
    }
    tag->name = markup + name;
    tag->n_name = at - name;
    tag->attributes = at;
    if (!tag->n_name) {
        return 0;
    }
    size_t name_stop;
    Value value;
    while (at && at < n && markup[at] == ' ' && !tag->is_end) {
        at = read_attribute(markup, n, at + 1, &name_stop, &value);
    }
    if (!at || at >= n || markup[at] != '>') {
        return 0;
    }
    tag->stop = at + 1;
    return 1;
}

int is_named(const Tag *tag, const char *name)
{
    return strlen(name) == tag->n_name && !memcmp(name, tag->name, tag->n_name);
}

/* The first value of an attribute, or the last. */
static Value find(const uint8_t *markup, const Tag *tag, const char *name, int first)
{
    const size_t n_name = strlen(name);
    Value found = {0, 0, 0}, value;
    size_t at = tag->attributes, stop;
    while (at && at + 1 < tag->stop) {
        const size_t start = at + 1;
        at = read_attribute(markup, tag->stop, start, &stop, &value);
        if (stop - start == n_name && !memcmp(markup + start, name, n_name)) {
            found = (Value){value.start, value.stop, 1};
            if (first && value.found) {
                break;
            }
        }
        first = 0;
    }
    return found;
}

Value find_value(const uint8_t *markup, const Tag *tag, const char *name)
{
    return find(markup, tag, name, 0);
}

Value find_address(const uint8_t *markup, const Tag *tag)
{
    return *tag->name == 'a' ? find(markup, tag, "href", 1) : find(markup, tag, "src", 0);
}

/* The character of a reference, and its bytes behind the ampersand; 0 if the text has none there,
 * and no size for unusual ones. */
static const char *read_reference(const uint8_t *bytes, size_t n, size_t *size)
{
    static const struct {
        const char *name, *text;
    } known[] = {
        {"amp;", "&"}, {"lt;", "<"}, {"gt;", ">"}, {"nbsp;", "\xC2\xA0"}, {"quot;", "\""},
        {"#39;", "'"}, {"#x27;", "'"},
    };
    *size = 0;
    for (size_t each = 0; each < sizeof known / sizeof *known; each++) {
        const size_t n_name = strlen(known[each].name);
        if (n_name <= n && !memcmp(known[each].name, bytes, n_name)) {
            *size = n_name;
            return known[each].text;
        }
    }
    return n && (is_ascii_alnum(*bytes) || *bytes == '#') ? "" : NULL;
}

int put_unescaped(Text *out, const uint8_t *markup, Value value)
{
    size_t at = value.start;
    while (at < value.stop) {
        const uint8_t *found = memchr(markup + at, '&', value.stop - at);
        const size_t stop = found ? (size_t)(found - markup) : value.stop;
        put(out, markup + at, stop - at);
        at = stop;
        if (!found) {
            break;
        }
        at++;
        size_t size;
        const char *text = read_reference(markup + at, value.stop - at, &size);
        if (text && !size) {
            return 0;
        }
        put(out, (const uint8_t *)(text ? text : "&"), text ? strlen(text) : 1);
        at += size;
    }
    return !out->is_full;
}

/* Whether a byte is a letter or digit, or part of a character beyond ASCII. */
static int is_wordy(uint8_t byte)
{
    return byte >= 0x80 || is_ascii_alnum(byte);
}

size_t drop_invisible(uint8_t *bytes, size_t begin, size_t end)
{
    size_t to = begin;
    uint8_t before = 0;
    for (size_t at = begin; at < end;) {
        size_t stop = at;
        if (end - at >= 2 && bytes[at] == 0xC2 && bytes[at + 1] == 0xAD) {
            before = 0xAD;
            at += 2;
            continue;
        }
        while (end - stop >= 3 && bytes[stop] == 0xE2 && bytes[stop + 1] == 0x80
               && bytes[stop + 2] == 0x8B) {
            stop += 3;
        }
        if (stop > at && !(is_wordy(before) && stop < end && is_wordy(bytes[stop]))) {
            before = 0x8B;
            at = stop;
            continue;
        }
        stop = stop > at ? stop : at + 1;
        while (at < stop) {
            bytes[to++] = before = bytes[at++];
        }
    }
    return to;
}

int put_collapsed(Text *out, const uint8_t *markup, Value value)
{
    const size_t begin = out->n;
    if (!put_unescaped(out, markup, value)) {
        return 0;
    }
    out->n = drop_invisible(out->bytes, begin, out->n);
    size_t to = begin;
    int is_owed = 0;
    for (size_t at = begin, size; at < out->n; at += size) {
        const uint32_t point = point_at(out->bytes, out->n, at, &size);
        if (is_space(point)) {
            is_owed = to > begin;
            continue;
        }
        if (is_owed) {
            out->bytes[to++] = ' ';
            is_owed = 0;
        }
        memmove(out->bytes + to, out->bytes + at, size);
        to += size;
    }
    out->n = to;
    return 1;
}
