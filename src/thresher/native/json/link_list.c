/* The removed links of a page as items of a JSON array: thresher.writers.shared.link_list. */

#include "json.h"

int64_t write_link_list(const uint8_t *buffer, size_t n_byte, const LeafTexts *texts, size_t n_row,
                        const LinkItems *links, Text *out)
{
    Position at = {0, 0};
    for (size_t link = 0; link < links->n; link++) {
        const int32_t start = links->address_start[link], stop = links->address_stop[link];
        const int32_t first = links->first[link], last = links->stop[link];
        if (start < 0 || stop < start || (size_t)stop > n_byte || first < 0 || last < first
            || (size_t)last > texts->n_leaf) {
            return REFUSED;
        }
        if (link) {
            PUT(", ");
        }
        PUT("{\"text\": \"");
        if (!put_leaves(texts, n_row, first, last, " ", &at, out)) {
            return REFUSED;
        }
        PUT("\", \"url\": \"");
        if (!put_literal(&links->literals, links->literal[link], out)) {
            return REFUSED;
        }
        put_json(out, buffer + start, (size_t)(stop - start));
        PUT("\", \"block\": ");
        put_number(out, links->block[link]);
        PUT("}");
        if (out->is_full) {
            return REFUSED;
        }
    }
    return (int64_t)out->n;
}
