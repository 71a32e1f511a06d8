/* Escapes of signs that Markdown would read as markup: thresher.writers.commonmark.signs. */

#include "markdown.h"

/* Whether an ampersand begins a character reference, of which none has a name of one letter. */
static int begins_reference(const uint8_t *bytes, size_t n, size_t at)
{
    at++;
    const int is_number = at < n && bytes[at] == '#';
    if (is_number) {
        at++;
        if (at + 1 < n && (bytes[at] | 0x20) == 'x' && bytes[at + 1] != ';') {
            at++;
        }
    }
    const size_t start = at;
    while (at < n && is_ascii_alnum(bytes[at])) {
        at++;
    }
    return at > start + !is_number && at < n && bytes[at] == ';';
}

/* Put a sign as a character reference. */
static void put_reference(Text *out, uint8_t sign)
{
    const char *reference = sign == '<'    ? "&lt;"
                            : sign == '&'  ? "&amp;"
                            : sign == '"'  ? "&quot;"
                            : sign == '`'  ? "&#96;"
                            : sign == '\\' ? "&#92;"
                            : sign == '('  ? "&#40;"
                            : sign == ')'  ? "&#41;"
                                           : "&#93;";
    put(out, (const uint8_t *)reference, strlen(reference));
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
    for (at = start; at < n && (!bytes[at] || !strchr("\\`[]~*_<&|{", bytes[at])); at++) {
    }
    if (at == n || bytes[at] != ']') {
        return 0;
    }
    const size_t stop = ++at;
    at = skip_marks(bytes, n, at);
    if (at < n && (bytes[at] == ':' || bytes[at] == ']')) {
        return 0;
    }
    while (at < n && is_ascii_space(bytes[at])) {
        at++;
    }
    return at < n && (bytes[at] == '(' || bytes[at] >= 0xEF) ? 0 : stop;
}

/* Whether a number follows that cannot be part of an address. */
static int is_less(const uint8_t *bytes, size_t n, size_t at)
{
    at++;
    if (at == n || !(bytes[at] == '=' || (bytes[at] >= '0' && bytes[at] <= '9'))) {
        return 0;
    }
    while (at < n && (is_ascii_alnum(bytes[at]) || bytes[at] == '=' || bytes[at] == '.'
                      || bytes[at] == '%')) {
        at++;
    }
    return at < n && (is_ascii_space(bytes[at]) || (bytes[at] && strchr(",;:)", bytes[at])));
}

/* Whether a brace could begin attributes: none closes it, or not before a value. */
static int may_set_value(const uint8_t *bytes, size_t n, size_t at)
{
    at++;
    at += at < n && bytes[at] == '{';
    while (at < n && bytes[at] != '{' && bytes[at] != '}' && bytes[at] != '=') {
        at++;
    }
    return at == n || bytes[at] != '}';
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
        return (at + 1 == n || !is_ascii_space(bytes[at + 1])) && !is_less(bytes, n, at);
    case '{':
        return may_set_value(bytes, n, at);
    case '&':
        return begins_reference(bytes, n, at);
    default:
        return 0;
    }
}

/* Whether a bracket is the middle of a link, whatever marks are left out there. */
static int is_called(const uint8_t *bytes, size_t n, size_t at)
{
    at = skip_marks(bytes, n, at + 1);
    return at < n && bytes[at] == '(';
}

/* Put words, escaped, and their white space collapsed unless it is that of an attribute. */
void put_escaped(Text *out, const uint8_t *bytes, size_t n, int in_link)
{
    size_t done = 0, label_end = 0;
    for (size_t at = 0; at < n; at++) {
        const uint8_t byte = bytes[at];
        if (byte > '`' && byte != '~' && byte != '{') {
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
            if (byte == '<' || byte == '&' || (byte == ']' && is_called(bytes, n, at))) {
                put_reference(out, byte);
                done = at + 1;
            } else {
                put_byte(out, '\\');
                done = at;
            }
        }
    }
    put(out, bytes + done, n - done);
}

void put_url(Text *out, const uint8_t *url, size_t n)
{
    int64_t depth = 0;
    int has_call = 0;
    for (size_t at = 0; at < n && depth >= 0; at++) {
        depth += (url[at] == '(') - (url[at] == ')');
    }
    for (size_t at = 1; at < n; at++) {
        has_call |= url[at] == '(' && url[at - 1] == ']';
    }
    for (size_t at = 0; at < n; at++) {
        const uint8_t byte = url[at];
        const int is_paren = byte == '(' || byte == ')';
        if (byte == '\\' || (byte == '&' && begins_reference(url, n, at))
            || (is_paren && (depth || has_call))) {
            put_reference(out, byte);
        } else {
            put_byte(out, byte);
        }
    }
}

void put_title(Text *out, const Writer *writer, int32_t start, int32_t stop)
{
    if (stop <= start) {
        return;
    }
    const uint8_t *title = writer->stream->texts.bytes + start;
    const size_t n = (size_t)(stop - start);
    const int has_double = memchr(title, '"', n) != NULL, has_single = memchr(title, '\'', n) != NULL;
    const uint8_t mark = has_double && !has_single ? '\'' : '"';
    put_byte(out, ' ');
    put_byte(out, mark);
    for (size_t at = 0; at < n; at++) {
        const uint8_t byte = title[at];
        if (byte == '<' || byte == '`' || byte == '\\' || (byte == '"' && byte == mark)
            || (byte == '&' && begins_reference(title, n, at))
            || (byte == '(' && at && title[at - 1] == ']')) {
            put_reference(out, byte);
        } else {
            put_byte(out, byte);
        }
    }
    put_byte(out, mark);
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
