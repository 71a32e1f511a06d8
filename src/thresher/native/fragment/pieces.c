/* Pieces of a page put together: thresher.writers.outline.pieces. */

#include "writers.h"

#include <string.h>

int64_t join_pieces(const Slices *slices, const Literals *literals, uint8_t *joined, size_t n_room)
{
    size_t n_byte = 0;
    for (size_t i = 0; i < slices->n; i++) {
        const int64_t place = slices->order[i];
        if (place < 0 || (size_t)place >= slices->n) {
            return REFUSED;
        }
        const int32_t first = slices->start[place], last = slices->stop[place];
        const int is_literal = last < 0;
        if (first < 0 || (is_literal && (size_t)first >= literals->n)) {
            return REFUSED;
        }
        const int64_t start = is_literal ? literals->offset[first] : first;
        const int64_t stop = is_literal ? literals->offset[first + 1] : last;
        if (start < 0 || start > stop
            || (size_t)stop > (is_literal ? literals->n_byte : slices->n_byte)) {
            return REFUSED;
        }
        const size_t size = (size_t)(stop - start);
        if (n_byte + size <= n_room) {
            memcpy(joined + n_byte, (is_literal ? literals->bytes : slices->buffer) + start, size);
        }
        n_byte += size;
    }
    return (int64_t)n_byte;
}
