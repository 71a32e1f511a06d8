/* Links that may lead into their own page: thresher.anchors. */

#include "core.h"

#include <string.h>

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
