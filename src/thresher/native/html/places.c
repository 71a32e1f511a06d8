/* Where the tags of elements are in the source. */

#include "html.h"

enum { OPEN_START, OPEN_STOP, CLOSE_START, CLOSE_STOP };

void place_element(Builder *b, Slice start_tag)
{
    if (b->n_element == b->element_room) {
        b->is_refused = b->is_refused ? b->is_refused : TOO_LONG;
        return;
    }
    const int is_there = start_tag.stop > start_tag.start;
    int32_t *of = b->tags[b->n_element++];
    of[OPEN_START] = is_there ? (int32_t)start_tag.start : -1;
    of[OPEN_STOP] = is_there ? (int32_t)start_tag.stop : -1;
    of[CLOSE_START] = of[CLOSE_STOP] = -1;
}

void place_end(Builder *b, size_t place, Slice end_tag)
{
    if (b->is_refused || b->tags[place][OPEN_START] < 0) {
        return;
    }
    b->tags[place][CLOSE_START] = (int32_t)end_tag.start;
    b->tags[place][CLOSE_STOP] = (int32_t)end_tag.stop;
}
