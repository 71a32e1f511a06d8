/* Canonical HTML -> the columns of the page table: one pass, the open element linked by `parent`. */

#include "../core.h"

#include <string.h>

enum { LANES = 32, ROUNDS = 255, WORD_BYTES = 8, NAME_BYTES = 16 };

/* An element for each < that ends none, a text for each < that follows no >, and no more than both
 * for each >: names may hold any number of <. */
size_t count_rows_at_most(const uint8_t *buffer, size_t n)
{
    size_t begun = 1, closed = 0, i = 0;
    /* Counted in bytes, which the compiler vectorises, and summed before they overflow. */
    while (i + 2 + LANES <= n) {
        uint8_t elements[LANES] = {0}, texts[LANES] = {0}, closes[LANES] = {0};
        for (int round = 0; round < ROUNDS && i + 2 + LANES <= n; round++, i += LANES) {
            const uint8_t *at = buffer + i;
            for (int lane = 0; lane < LANES; lane++) {
                elements[lane] += (at[lane + 1] == '<') & (at[lane + 2] != '/');
                texts[lane] += (at[lane + 1] == '<') & (at[lane] != '>');
                closes[lane] = (uint8_t)(closes[lane] + (at[lane] == '>'));
            }
        }
        for (int lane = 0; lane < LANES; lane++) {
            begun += (size_t)elements[lane] + texts[lane];
            closed += closes[lane];
        }
    }
    for (; i + 2 < n; i++) {
        begun += (buffer[i + 1] == '<') & (buffer[i + 2] != '/');
        begun += (buffer[i + 1] == '<') & (buffer[i] != '>');
        closed += buffer[i] == '>';
    }
    /* The last two bytes were not checked for >. */
    size_t most = 2 * (closed + 2);
    return begun < most ? begun : most;
}

/* Return the code of the name at `at`, and set its end: at a space, a > or the buffer's end. */
static int32_t read_name(const uint8_t *buffer, size_t n, size_t at, const Names *names,
                         size_t *name_stop)
{
    uint64_t words[2] = {0, 0};
    size_t size = 0;
    for (; size < NAME_BYTES && at + size < n; size++) {
        uint8_t byte = buffer[at + size];
        if (byte == ' ' || byte == '>') {
            break;
        }
        words[size / WORD_BYTES] |= (uint64_t)byte << (8 * (size % WORD_BYTES));
    }
    *name_stop = at + size;
    if (size == NAME_BYTES || size == 0) {
        return names->other;
    }
    uint64_t hash = (words[0] ^ words[1] * names->mix) * names->spread;
    size_t place = (size_t)((hash >> 32) * names->n_place >> 32);
    int32_t code = names->code_at[place];
    if (code < 0 || (size_t)code >= names->n_code || names->words[2 * code] != words[0]
        || names->words[2 * code + 1] != words[1]) {
        return names->other;
    }
    return code;
}

/* Whether the end tag whose name is buffer[at:stop] closes the element that starts at `open`. */
static int closes(const uint8_t *buffer, size_t at, size_t stop, size_t open)
{
    size_t size = stop - at;
    const uint8_t *name = buffer + open + 1;
    /* The start tag lies before the end tag, so neither look goes beyond the buffer. */
    return memcmp(name, buffer + at, size) == 0 && (name[size] == ' ' || name[size] == '>');
}

int64_t scan_rows(const uint8_t *buffer, size_t n, const Names *names, const Columns *columns)
{
    const Columns c = *columns;
    size_t row = 0;
    int32_t open = -1, depth = 0;
    const uint8_t *found = n ? memchr(buffer, '<', n) : NULL;

    while (found) {
        size_t at = (size_t)(found - buffer);
        if (at + 1 >= n) {
            return REFUSED;
        }
        uint8_t first = buffer[at + 1];
        size_t name_stop = at + 1;
        int32_t code = 0;
        int is_row = first != '/' && first != '!' && first != '?';
        if (is_row) {
            code = read_name(buffer, n, at + 1, names, &name_stop);
        }
        const uint8_t *closed =
            name_stop < n ? memchr(buffer + name_stop, '>', n - name_stop) : NULL;
        if (!closed) {
            return REFUSED;
        }
        size_t stop = (size_t)(closed - buffer) + 1;

        if (is_row) {
            if (row >= c.n_room || (open < 0 && row)) {
                return REFUSED;
            }
            c.tag[row] = (int16_t)code;
            c.parent[row] = open;
            c.end[row] = (int32_t)row + 1;
            c.depth[row] = depth;
            c.open_start[row] = (int32_t)at;
            c.open_stop[row] = c.close_start[row] = c.close_stop[row] = (int32_t)stop;
            if (!names->is_void[code]) {
                open = (int32_t)row;
                depth++;
            }
            row++;
        } else if (first == '/') {
            /* A void name with an end tag (in SVG) meets an element of another name here. */
            if (open < 0 || !closes(buffer, at + 2, stop - 1, (size_t)c.open_start[open])) {
                return REFUSED;
            }
            c.end[open] = (int32_t)row;
            c.close_start[open] = (int32_t)at;
            c.close_stop[open] = (int32_t)stop;
            open = c.parent[open];
            depth--;
        }

        if (stop >= n) {
            break;
        }
        /* The newline after these start tags is added by the serialiser. */
        size_t text = stop + (is_row && names->eats_newline[code] && buffer[stop] == '\n');
        found = text < n ? memchr(buffer + text, '<', n - text) : NULL;
        if (found && found > buffer + text) {
            if (row >= c.n_room || open < 0) {
                return REFUSED;
            }
            c.tag[row] = 0;
            c.parent[row] = open;
            c.end[row] = (int32_t)row + 1;
            c.depth[row] = depth;
            c.open_start[row] = (int32_t)text;
            c.open_stop[row] = c.close_start[row] = c.close_stop[row] =
                (int32_t)(found - buffer);
            row++;
        }
    }
    return open < 0 && row ? (int64_t)row : REFUSED;
}
