/* Links that may point into their own page, thresher.analysis.links, and links in headings,
 * thresher.writers.outline.permalinks. */

#include "../core.h"

#include <string.h>

/* Whether one of the nearest ancestors of a row is a heading. */
static int is_near_heading(const Links *links, const uint8_t *headings, const int32_t *parent,
                           size_t row, int64_t levels_up)
{
    int32_t above = parent[row];
    for (int64_t level = 0; level < levels_up && above >= 0; level++, above = parent[above]) {
        if (headings[links->tag[above]]) {
            return 1;
        }
    }
    return 0;
}

int64_t find_heading_links(const Links *links, const int32_t *parent, const uint8_t *headings,
                           size_t n_code, const uint8_t *keep, size_t n_leaf, int64_t levels_up,
                           int32_t *found)
{
    int64_t n_found = 0;
    int64_t until = 0; /* end of the last heading with kept leaves */
    size_t next = 0;   /* the first kept leaf that no heading behind begins after */
    for (size_t row = 0; row < links->n; row++) {
        const int16_t tag = links->tag[row];
        if (tag < 0 || (size_t)tag >= n_code || parent[row] >= (int64_t)row || parent[row] < -1) {
            return REFUSED;
        }
        if (tag == links->code && (int64_t)row < until
            && is_near_heading(links, headings, parent, row, levels_up)) {
            found[n_found++] = (int32_t)row;
        }
        if (headings[tag]) {
            const int32_t end = links->end[row];
            if (end < 0 || (size_t)end > links->n) {
                return REFUSED;
            }
            while (next < n_leaf && ((int64_t)next < links->leaf_offset[row] || !keep[next])) {
                next++;
            }
            if (next < n_leaf && (int64_t)next < links->leaf_offset[end] && end > until) {
                until = end;
            }
        }
    }
    return n_found;
}

int64_t find_marked_links(const uint8_t *buffer, size_t n_byte, const Links *links,
                          const uint8_t *keep, size_t n_leaf, int32_t *found)
{
    int64_t n_found = 0;
    size_t next = 0; /* the first kept leaf that no link behind begins after */
    for (size_t row = 0; row < links->n; row++) {
        if (links->tag[row] != links->code) {
            continue;
        }
        const int32_t start = links->start[row], stop = links->stop[row], end = links->end[row];
        if (start < 0 || start > stop || (size_t)stop > n_byte || end < 0
            || (size_t)end > links->n) {
            return REFUSED;
        }
        /* Links begin at ever later leaves, so each leaf is looked at once. */
        const int32_t first = links->leaf_offset[row];
        while (next < n_leaf && ((int64_t)next < first || !keep[next])) {
            next++;
        }
        const int is_kept = (int64_t)next < links->leaf_offset[end] && next < n_leaf;
        if (is_kept && memchr(buffer + start, '#', (size_t)(stop - start))) {
            found[n_found++] = (int32_t)row;
        }
    }
    return n_found;
}
