/* The names of a page's rows: classes, ids and custom elements (thresher.analysis.threads.names). */

#include "../byte_kinds.h"
#include "threads.h"

/* The bytes of a custom element's name with the `<` before it; 0 for a name without a hyphen. */
static size_t measure_custom(const uint8_t *tag, size_t n)
{
    int has_hyphen = 0;
    size_t at = 1;
    for (; at < n && tag[at] != ' ' && tag[at] != '>'; at++) {
        has_hyphen |= tag[at] == '-';
    }
    return has_hyphen ? at : 0;
}

/* Add the entries of some attributes, each with `before` bytes before its value. */
static int add_values(const Named *page, const int64_t *attributes, size_t n, int32_t before,
                      int32_t *start, int32_t *stop, const RowNames *names)
{
    int64_t entry = names->sizes[0];
    for (size_t i = 0; i < n; i++) {
        const int64_t at = attributes[i];
        if (at < 0 || (size_t)at >= page->n_attribute || (size_t)entry >= names->n_room
            || page->start[at] < before || page->stop[at] < page->start[at]
            || (size_t)page->stop[at] > page->n_byte) {
            return REFUSED;
        }
        const int64_t size = page->stop[at] - page->start[at];
        names->row[entry] = page->row[at];
        start[entry] = page->start[at] - before;
        stop[entry] = page->start[at]
                      + (int32_t)(size < page->max_bytes ? size : page->max_bytes);
        entry++;
    }
    names->sizes[0] = entry;
    return 0;
}

static int add_custom(const Named *page, int32_t *start, int32_t *stop, const RowNames *names)
{
    int64_t entry = names->sizes[0];
    for (size_t row = 0; row < page->n_row; row++) {
        if (page->tag[row] != page->other) {
            continue;
        }
        const int32_t first = page->open_start[row], last = page->open_stop[row];
        if (first < 0 || last < first || (size_t)last > page->n_byte
            || (size_t)entry >= names->n_room) {
            return REFUSED;
        }
        const size_t size = measure_custom(page->buffer + first, (size_t)(last - first));
        if (size) {
            const size_t most = (size_t)page->max_bytes + 1;
            names->row[entry] = (int32_t)row;
            start[entry] = first;
            stop[entry] = first + (int32_t)(size < most ? size : most);
            entry++;
        }
    }
    names->sizes[0] = entry;
    return 0;
}

/* Write the values without their digits; returns how many bytes. */
static int64_t write_bare(const Named *page, size_t n_value, const RowNames *names)
{
    size_t n = 0;
    for (size_t value = 0; value < n_value; value++) {
        names->bare_start[value] = (int32_t)n;
        for (int32_t at = names->start[value]; at < names->stop[value]; at++) {
            const uint8_t byte = page->buffer[at];
            if (!is_digit(byte)) {
                if (n == page->n_byte) {
                    return REFUSED;
                }
                names->bare[n++] = byte;
            }
        }
        if (n == page->n_byte) {
            return REFUSED;
        }
        names->bare_stop[value] = (int32_t)n;
        names->bare[n++] = 0;
    }
    return (int64_t)n;
}

int64_t read_row_names(const Named *page, const Distinct *distinct, int32_t *entry_start,
                       int32_t *entry_stop, const RowNames *names)
{
    if (page->max_bytes < 0 || page->max_bytes >= INT32_MAX / 2 || page->n_byte > INT32_MAX / 2) {
        return REFUSED;
    }
    names->sizes[0] = names->sizes[1] = 0;
    if (add_values(page, page->classes, page->n_class, 0, entry_start, entry_stop, names)
        || add_values(page, page->ids, page->n_id, 1, entry_start, entry_stop, names)
        || add_custom(page, entry_start, entry_stop, names)) {
        return REFUSED;
    }
    const int64_t n_value = number_spans(page->buffer, page->n_byte, entry_start, entry_stop,
                                         (size_t)names->sizes[0], distinct);
    if (n_value < 0) {
        return REFUSED;
    }
    for (int64_t value = 0; value < n_value; value++) {
        names->start[value] = entry_start[distinct->first[value]];
        names->stop[value] = entry_stop[distinct->first[value]];
    }
    names->sizes[1] = n_value;
    return write_bare(page, (size_t)n_value, names);
}

int mark_rows(const Marks *marks, uint16_t *bits)
{
    for (size_t row = 0; row < marks->n_row; row++) {
        const int16_t tag = marks->tag[row];
        if (tag < 0 || (size_t)tag >= marks->n_code) {
            return REFUSED;
        }
        bits[row] = marks->of_tag[tag];
    }
    for (size_t entry = 0; entry < marks->n_entry; entry++) {
        const int32_t row = marks->row[entry], value = marks->value[entry];
        if (row < 0 || (size_t)row >= marks->n_row || value < 0 || (size_t)value >= marks->n_value) {
            return REFUSED;
        }
        bits[row] |= marks->of_value[value];
    }
    return 0;
}
