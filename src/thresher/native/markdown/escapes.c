/* Escapes of signs that Markdown would read as markup: thresher.writers.commonmark.escapes. */

#include "markdown.h"

/* Whether an ampersand begins a character reference. */
static int begins_reference(const uint8_t *bytes, size_t n, size_t at)
{
    at++;
    if (at < n && bytes[at] == '#') {
        at++;
        if (at + 1 < n && (bytes[at] | 0x20) == 'x' && bytes[at + 1] != ';') {
            at++;
        }
    }
    const size_t start = at;
    while (at < n && is_ascii_alnum(bytes[at])) {
        at++;
    }
    return at > start && at < n && bytes[at] == ';';
}

/* The end of a text in brackets that stays what it is, from its first; 0 if it does not. */
static size_t find_label_end(const uint8_t *bytes, size_t n, size_t at)
{
    at++;
    if (at < n && (bytes[at] == '^' || bytes[at] == '!')) {
        return 0;
    }
    const size_t start = at;
    while (at < n && is_ascii_space(bytes[at])) {
        at++;
    }
    at += at == start && at < n && (bytes[at] | 0x20) == 'x';
    if (at < n && bytes[at] == ']') {
        return 0;
    }
    for (at = start; at < n && (!bytes[at] || !strchr("\\`[]~*_<&|", bytes[at])); at++) {
    }
    if (at == n || bytes[at] != ']') {
        return 0;
    }
    at++;
    const int is_safe = at == n || !(bytes[at] == '(' || bytes[at] == ':' || bytes[at] == ']'
                                     || bytes[at] >= 0xEF);
    return is_safe ? at : 0;
}

static int needs_escape(const uint8_t *bytes, size_t n, size_t at)
{
    switch (bytes[at]) {
    case '\\':
    case '`':
    case '[':
    case ']':
    case '~':
        return 1;
    case '*': /* between spaces it neither begins emphasis nor ends it */
        return !at || at + 1 == n || !is_ascii_space(bytes[at - 1]) || !is_ascii_space(bytes[at + 1]);
    case '_': /* nor does this inside a word */
        return !at || at + 1 == n || !is_ascii_alnum(bytes[at - 1]) || !is_ascii_alnum(bytes[at + 1]);
    case '<':
        return at + 1 == n || !is_ascii_space(bytes[at + 1]);
    case '&':
        return begins_reference(bytes, n, at);
    default:
        return 0;
    }
}

/* Put words, escaped, and their white space collapsed unless it is that of an attribute. */
void put_escaped(Text *out, const uint8_t *bytes, size_t n, int in_link)
{
    size_t done = 0, label_end = 0;
    for (size_t at = 0; at < n; at++) {
        const uint8_t byte = bytes[at];
        if (byte > '`' && byte != '~') {
            continue; /* most characters, at a glance */
        }
        if (is_ascii_space(byte)) {
            size_t stop = at + 1;
            while (stop < n && is_ascii_space(bytes[stop])) {
                stop++;
            }
            if (byte != ' ' || stop > at + 1) {
                put(out, bytes + done, at - done);
                put_byte(out, ' ');
                done = stop;
            }
            at = stop - 1;
        } else if (byte == '[' && !in_link && (label_end = find_label_end(bytes, n, at))) {
            continue;
        } else if (byte == ']' && at + 1 == label_end) {
            continue;
        } else if (needs_escape(bytes, n, at)) {
            put(out, bytes + done, at - done);
            put_byte(out, '\\');
            done = at;
        }
    }
    put(out, bytes + done, n - done);
}

/* Put a title or a URL: references and backslashes escaped, and some other signs. */
static void put_attribute(Text *out, const uint8_t *bytes, size_t n, const char *others)
{
    for (size_t at = 0; at < n; at++) {
        const uint8_t byte = bytes[at];
        if (byte == '\\' || (byte && strchr(others, byte))
            || (byte == '&' && begins_reference(bytes, n, at))) {
            put_byte(out, '\\');
        }
        put_byte(out, byte);
    }
}

void put_url(Text *out, const uint8_t *url, size_t n)
{
    int64_t depth = 0;
    for (size_t at = 0; at < n && depth >= 0; at++) {
        depth += (url[at] == '(') - (url[at] == ')');
    }
    put_attribute(out, url, n, depth ? "()" : "");
}

void put_title(Text *out, const Writer *writer, int32_t start, int32_t stop)
{
    if (stop > start) {
        put(out, (const uint8_t *)" \"", 2);
        put_attribute(out, writer->stream->texts.bytes + start, (size_t)(stop - start), "\"");
        put_byte(out, '"');
    }
}

/* A word character behind a sign; −1 if the codes do not tell. */
static int is_word_at(const uint16_t *codes, const uint8_t *bytes, size_t n, size_t at)
{
    if (at >= n) {
        return 0;
    }
    size_t size;
    const int found = class_of(point_at(bytes, n, at, &size), codes);
    return found == IS_UNKNOWN ? -1 : found == IS_ALNUM || bytes[at] == '_';
}

int64_t put_line_sign(Text *out, const uint8_t *words, size_t n, const uint16_t *codes)
{
    const uint8_t sign = words[0];
    size_t at = 0;
    if (sign >= '0' && sign <= '9') {
        while (at < n && words[at] >= '0' && words[at] <= '9') {
            at++;
        }
        size_t size;
        if (at < n && may_be_digit(point_at(words, n, at, &size), codes)) {
            return REFUSED;
        }
        if (at == n || (words[at] != '.' && words[at] != ')')) {
            return 0;
        }
        const int is_word = is_word_at(codes, words, n, at + 1);
        if (is_word && at <= 9) {
            return is_word < 0 ? REFUSED : 0;
        }
        put(out, words, at);
        put_byte(out, '\\');
        put_byte(out, words[at]);
        return (int64_t)at + 1;
    }
    if (sign == '#' || sign == '-' || sign == '+') {
        const char *signs = sign == '#' ? "#" : "-+";
        while (at < n && words[at] && strchr(signs, words[at])) {
            at++;
        }
        const int is_word = is_word_at(codes, words, n, at);
        if (is_word) {
            return is_word < 0 ? REFUSED : 0;
        }
    } else if (sign != '>' && sign != '=') {
        return 0;
    }
    put_byte(out, '\\');
    put_byte(out, sign);
    return 1;
}
