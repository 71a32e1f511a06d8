/* Markup that begins with `<`: tags, comments and declarations (13.2.5). */

#include "html.h"

#include <string.h>

int is_word(const uint8_t *at, size_t n, const char *word)
{
    size_t i = 0;
    for (; i < n && word[i]; i++) {
        if (lower(at[i]) != (uint8_t)word[i]) {
            return 0;
        }
    }
    return i == n && !word[i];
}

static size_t find_byte(const Builder *b, size_t at, uint8_t byte)
{
    const uint8_t *found = at < b->n ? memchr(b->in + at, byte, b->n - at) : NULL;
    return found ? (size_t)(found - b->in) : b->n;
}

/* Keep an attribute, unless there is one of its name. */
static void add_attribute(const Builder *b, Tag *tag, Slice name, Slice value)
{
    const size_t size = name.stop - name.start;
    for (size_t each = 0; each < tag->n_attribute && each < MAX_ATTRIBUTES; each++) {
        const Slice other = tag->attributes[each].name;
        size_t at = 0;
        if (other.stop - other.start != size) {
            continue;
        }
        while (at < size && lower(b->in[name.start + at]) == lower(b->in[other.start + at])) {
            at++;
        }
        if (at == size) {
            return;
        }
    }
    if (tag->n_attribute < MAX_ATTRIBUTES) {
        tag->attributes[tag->n_attribute] = (Attribute){name, value};
    }
    tag->n_attribute++; /* beyond the last, the tag is refused */
}

size_t read_tag(const Builder *b, size_t at, Tag *tag)
{
    const uint8_t *in = b->in;
    const size_t n = b->n;
    tag->is_end = in[at + 1] == '/';
    tag->closes_itself = 0;
    tag->n_attribute = 0;
    tag->whole.start = at;
    at += tag->is_end ? 2 : 1;
    tag->name.start = at;
    while (at < n && !is_space(in[at]) && in[at] != '/' && in[at] != '>') {
        at++;
    }
    tag->name.stop = at;
    tag->element = find_element(&b->names, in + tag->name.start, at - tag->name.start);
    while (at < n) {
        if (is_space(in[at])) {
            at++;
        } else if (in[at] == '>') {
            return tag->whole.stop = at + 1;
        } else if (in[at] == '/') {
            tag->closes_itself = at + 1 < n && in[at + 1] == '>';
            at++;
        } else {
            Slice name = {at, at}, value = {at, at};
            at++; /* even an = */
            while (at < n && !is_space(in[at]) && in[at] != '/' && in[at] != '>' && in[at] != '=') {
                at++;
            }
            name.stop = at;
            size_t next = at;
            while (next < n && is_space(in[next])) {
                next++;
            }
            if (next < n && in[next] == '=') {
                at = next + 1;
                while (at < n && is_space(in[at])) {
                    at++;
                }
                value.start = at;
                if (at < n && (in[at] == '"' || in[at] == '\'')) {
                    value.start = at + 1;
                    value.stop = find_byte(b, at + 1, in[at]);
                    at = value.stop + 1;
                } else {
                    while (at < n && !is_space(in[at]) && in[at] != '>') {
                        at++;
                    }
                    value.stop = at;
                }
            }
            add_attribute(b, tag, name, value);
        }
    }
    return n + 1; /* cut: it is no tag at all */
}

Slice value_of(const Builder *b, const Tag *tag, const char *name)
{
    for (size_t each = 0; each < tag->n_attribute && each < MAX_ATTRIBUTES; each++) {
        const Slice found = tag->attributes[each].name;
        if (is_word(b->in + found.start, found.stop - found.start, name)) {
            return tag->attributes[each].value;
        }
    }
    return (Slice){0, 0};
}

static size_t skip_comment(const Builder *b, size_t at)
{
    const uint8_t *in = b->in;
    if (at < b->n && in[at] == '>') {
        return at + 1;
    }
    if (at + 1 < b->n && in[at] == '-' && in[at + 1] == '>') {
        return at + 2;
    }
    for (size_t end = find_byte(b, at, '>'); end < b->n; end = find_byte(b, end + 1, '>')) {
        size_t dashes = end;
        if (dashes > at && in[dashes - 1] == '!') {
            dashes--;
        }
        if (dashes >= at + 2 && in[dashes - 1] == '-' && in[dashes - 2] == '-') {
            return end + 1;
        }
    }
    return b->n;
}

static int starts_with(const uint8_t *at, size_t n, const char *word)
{
    const size_t size = strlen(word);
    return n >= size && is_word(at, size, word);
}

/* Say whether there is no quirks mode, in which tables stand in paragraphs (13.2.6.4.1). */
static Quirks read_doctype(const uint8_t *at, size_t n)
{
    static const char *const KNOWN[] = {
        "html public \"-//w3c//dtd xhtml 1.0 transitional//en\" \"http://www.w3.org/",
        "html public \"-//w3c//dtd xhtml 1.0 strict//en\" \"http://www.w3.org/",
        "html public \"-//w3c//dtd xhtml 1.1//en\" \"http://www.w3.org/",
        "html public \"-//w3c//dtd html 4.01//en\" \"http://www.w3.org/",
        "html public \"-//w3c//dtd html 4.01 transitional//en\" \"http://www.w3.org/",
    };
    while (n && is_space(*at)) {
        at++, n--;
    }
    while (n && is_space(at[n - 1])) {
        n--;
    }
    if (is_word(at, n, "html")) {
        return NO_QUIRKS;
    }
    for (size_t each = 0; each < sizeof KNOWN / sizeof *KNOWN; each++) {
        const size_t size = strlen(KNOWN[each]);
        if (starts_with(at, n, KNOWN[each]) && memchr(at + size, '"', n - size) == at + n - 1) {
            return NO_QUIRKS;
        }
    }
    return UNKNOWN_QUIRKS;
}

size_t skip_declaration(Builder *b, size_t at)
{
    const uint8_t *in = b->in;
    if (starts_with(in + at, b->n - at, "<!--")) {
        return skip_comment(b, at + 4);
    }
    const size_t end = find_byte(b, at, '>');
    if (starts_with(in + at, b->n - at, "<!doctype")) {
        if (b->mode == BEFORE_HTML && !b->has_doctype) {
            b->quirks = read_doctype(in + at + 9, end - at - 9);
            b->has_doctype = 1;
        }
    }
    return end < b->n ? end + 1 : b->n;
}

size_t find_raw_end(const Builder *b, size_t at, const char *name)
{
    const size_t size = strlen(name);
    for (at = find_byte(b, at, '<'); at + 2 + size < b->n; at = find_byte(b, at + 1, '<')) {
        const uint8_t *tag = b->in + at;
        if (tag[1] == '/' && is_word(tag + 2, size, name)
            && (is_space(tag[2 + size]) || tag[2 + size] == '/' || tag[2 + size] == '>')) {
            return at;
        }
    }
    return b->n;
}

/* In a comment within a script, another <script> hides the next end tag (13.2.5.15 to 31). */
size_t find_script_end(const Builder *b, size_t at)
{
    const uint8_t *in = b->in;
    size_t end = find_raw_end(b, at, "script");
    for (;;) {
        /* What is before the end, or all of it, has no comment: by far the most. */
        size_t open = at;
        do {
            open = find_byte(b, open, '<');
        } while (open < end && !starts_with(in + open, b->n - open, "<!--") && open++ < end);
        if (open >= end) {
            return end;
        }
        /* From <!-- on: to -->, or to the end tag that no <script> stands before. */
        size_t next = open + 2; /* the dashes count for those of --> */
        int is_hidden = 0;
        for (; next < b->n; next++) {
            if (in[next] == '-' && starts_with(in + next, b->n - next, "-->")) {
                next += 3;
                break;
            }
            if (in[next] != '<' || next + 8 >= b->n) {
                continue;
            }
            const int closes = in[next + 1] == '/';
            const uint8_t *name = in + next + 1 + closes;
            if (next + 1 + (size_t)closes + 6 >= b->n || !is_word(name, 6, "script")
                || !(is_space(name[6]) || name[6] == '/' || name[6] == '>')) {
                continue;
            }
            if (closes && !is_hidden) {
                return next;
            }
            is_hidden = !closes;
        }
        if (next >= b->n) {
            return b->n;
        }
        at = next;
        if (end < at) {
            end = find_raw_end(b, at, "script");
        }
    }
}
