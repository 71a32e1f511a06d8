/* CSS selectors and XPaths of elements: thresher.page.paths. */

#include "json.h"

static int is_called(const uint8_t *name, size_t n, const char *wanted)
{
    return n == strlen(wanted) && memcmp(name, wanted, n) == 0;
}

/* Whether a name is [a-z][a-z0-9-]*. */
static int is_plain_name(const uint8_t *name, size_t n)
{
    if (!n || name[0] < 'a' || name[0] > 'z') {
        return 0;
    }
    for (size_t at = 1; at < n; at++) {
        const uint8_t byte = name[at];
        if (!((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-')) {
            return 0;
        }
    }
    return 1;
}

static void put_string(Text *out, const char *string)
{
    put(out, (const uint8_t *)string, strlen(string));
}

int find_name(const Located *page, int32_t row, const uint8_t **name, size_t *n)
{
    const int32_t code = page->tag[row];
    if (code < 0 || (size_t)code >= page->n_code) {
        return 0;
    }
    if (code != page->other) {
        const int32_t start = page->name_offset[code], stop = page->name_offset[code + 1];
        if (start < 0 || stop < start || (size_t)stop > page->n_name_byte) {
            return 0;
        }
        *name = page->names + start;
        *n = (size_t)(stop - start);
        return 1;
    }
    const int32_t start = page->open_start[row], stop = page->open_stop[row];
    if (start < 0 || stop < start + 2 || (size_t)stop > page->n_byte) {
        return 0;
    }
    *name = page->buffer + start + 1;
    *n = (size_t)(stop - start - 2);
    const uint8_t *space = memchr(*name, ' ', *n);
    if (space) {
        *n = (size_t)(space - *name);
    }
    return 1;
}

/* Append an element to the paths of the level above it. */
static int add_level(const Located *page, int32_t row, int32_t level, Paths *paths)
{
    const uint8_t *name;
    size_t n;
    if (!find_name(page, row, &name, &n)) {
        return 0;
    }
    const int is_foreign = (level && paths->is_foreign[level - 1]) || is_called(name, n, "svg")
                           || is_called(name, n, "math");
    const int is_plain = !is_foreign && is_plain_name(name, n);
    Text *css = &paths->css, *xpath = &paths->xpath;
    css->n = level ? paths->css_stop[level - 1] : 0;
    xpath->n = level ? paths->xpath_stop[level - 1] : 0;
    const int is_single = !level || is_called(name, n, "head") || is_called(name, n, "body");
    if (level) {
        put_string(css, " > ");
    }
    put_byte(xpath, '/');
    if (is_plain) {
        put(css, name, n);
        put(xpath, name, n);
    } else {
        put_string(css, is_single ? ":root" : ":nth-child(");
        put_byte(xpath, '*');
    }
    const int32_t nth = is_plain ? page->nth_of_type[row] : page->nth_child[row];
    if (!is_single) {
        if (is_plain) {
            put_string(css, ":nth-of-type(");
        }
        put_number(css, nth);
        put_byte(css, ')');
    }
    put_byte(xpath, '[');
    put_number(xpath, nth);
    put_byte(xpath, ']');
    paths->row[level] = row;
    paths->is_foreign[level] = (uint8_t)is_foreign;
    paths->css_stop[level] = css->n;
    paths->xpath_stop[level] = xpath->n;
    return !css->is_full && !xpath->is_full;
}

int find_path(const Located *page, int32_t row, Paths *paths)
{
    int32_t level = page->depth[row];
    int32_t chain[MAX_LEVEL];
    if (level < 0 || level >= MAX_LEVEL) {
        return 0;
    }
    const int32_t last = level;
    int32_t at = row;
    /* Up to where the path found last is the same. */
    while (level >= paths->n_level || paths->row[level] != at) {
        chain[level] = at;
        at = page->parent[at];
        if (--level < 0) {
            break;
        }
        if (at < 0 || (size_t)at >= page->n_row) {
            return 0;
        }
    }
    if (level < 0 && at >= 0) {
        return 0;
    }
    for (int32_t each = level + 1; each <= last; each++) {
        if (!add_level(page, chain[each], each, paths)) {
            return 0;
        }
    }
    paths->n_level = last + 1;
    paths->css.n = paths->css_stop[last];
    paths->xpath.n = paths->xpath_stop[last];
    return 1;
}
