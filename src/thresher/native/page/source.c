/* Positions of rows in the source: thresher.page.source_positions. */

#include "../byte_kinds.h"
#include "../core.h"

enum { OPEN_START, OPEN_STOP, CLOSE_START, CLOSE_STOP, N_PLACE }; /* of an element or a text */

/* Tags that are in the source, as they come in the canonical HTML, and the texts between them. */
typedef struct {
    const Sourced *page;
    int32_t (*spans)[4];
    int32_t at;      /* where the last tag is in the canonical HTML */
    int32_t stop;    /* where it ends in the source */
    size_t next_row; /* the first row that may be a text after which no tag has come */
} Walk;

/* Place the texts before a row, which lie between the last tag and one that starts at an offset. */
static void place_texts(Walk *walk, size_t row, int32_t start)
{
    for (; walk->next_row < row; walk->next_row++) {
        if (walk->page->tag[walk->next_row] == walk->page->text) {
            int32_t *span = walk->spans[walk->next_row];
            span[OPEN_START] = walk->stop;
            /* Misnested markup moves content: then the next tag may come before the text. */
            span[OPEN_STOP] = start > walk->stop ? start : walk->stop;
        }
    }
}

/* Go on to a tag, before a row; 0 if it is not behind the last one in the canonical HTML. */
static int pass_tag(Walk *walk, size_t row, int32_t at, int32_t start, int32_t stop)
{
    if (at < walk->at) {
        return 0;
    }
    walk->at = at;
    place_texts(walk, row, start);
    walk->stop = stop;
    return 1;
}

/* Close the elements around the row before one, from the innermost to the last that ends by `until`;
 * 0 if the rows are no tree. */
static int close_elements(Walk *walk, size_t row, size_t until)
{
    const Sourced *page = walk->page;
    for (int32_t open = (int32_t)row - 1; open >= 0 && page->end[open] <= (int64_t)until;
         open = page->parent[open]) {
        const int32_t *place = walk->spans[open];
        if (page->tag[open] != page->text && place[CLOSE_START] >= 0
            && !pass_tag(walk, row, page->close_start[open], place[CLOSE_START],
                         place[CLOSE_STOP])) {
            return 0;
        }
        if (page->parent[open] >= open) {
            return 0;
        }
    }
    return 1;
}

/* Find the positions of all rows; 0 if that cannot be done in one pass. */
static int locate_rows(const Sourced *page, int32_t (*spans)[4])
{
    Walk walk = {.page = page, .spans = spans};
    size_t element = 0;
    for (size_t row = 0; row < page->n_own; row++) {
        int32_t *span = spans[row];
        if (!close_elements(&walk, row, row)) {
            return 0;
        }
        if (page->tag[row] == page->text) {
            span[CLOSE_START] = span[CLOSE_STOP] = -1;
            continue;
        }
        if (element == page->n_element) {
            return 0;
        }
        memcpy(span, page->places[element++], N_PLACE * sizeof *span);
        if (span[OPEN_START] >= 0
            && !pass_tag(&walk, row, page->open_start[row], span[OPEN_START], span[OPEN_STOP])) {
            return 0;
        }
    }
    /* Elements that rows were attached to end behind these. */
    if (element != page->n_element || !close_elements(&walk, page->n_own, page->n)) {
        return 0;
    }
    place_texts(&walk, page->n_own, (int32_t)page->n_byte);
    for (size_t row = page->n_own; row < page->n; row++) {
        for (size_t at = 0; at < N_PLACE; at++) {
            spans[row][at] = -1;
        }
    }
    return 1;
}

/* Where the source of a row ends. */
static int32_t end_of(const Sourced *page, int32_t (*spans)[4], int32_t row)
{
    if (spans[row][CLOSE_STOP] >= 0) {
        return spans[row][CLOSE_STOP];
    }
    int32_t stop = spans[row][OPEN_STOP];
    if (page->end[row] == row + 1) {
        return stop;
    }
    /* An element whose end tag is omitted ends with its last descendant. */
    for (int32_t each = row; each < page->end[row]; each++) {
        for (size_t at = 0; at < N_PLACE; at++) {
            stop = spans[each][at] > stop ? spans[each][at] : stop;
        }
    }
    return stop;
}

/* Bytes of UTF-8 that continue a character. */
static int32_t count_continuing(const uint8_t *bytes, size_t n)
{
    int32_t n_continuing = 0;
    for (size_t at = 0; at < n; at++) {
        n_continuing += continues_character(bytes[at]);
    }
    return n_continuing;
}

/* The character at an offset, given how many bytes of each chunk and those before continue one. */
static int32_t character_at(const Sourced *page, const int32_t *before, int32_t offset)
{
    if (offset < 0) {
        return offset;
    }
    const size_t stop = (size_t)offset < page->n_byte ? (size_t)offset : page->n_byte;
    const size_t chunk = stop / SOURCE_CHUNK, start = chunk * SOURCE_CHUNK;
    return offset - before[chunk] - count_continuing(page->utf8 + start, stop - start);
}

int locate_ends(const Sourced *page, const int32_t *rows, const int32_t *last, size_t n_found,
                int32_t (*spans)[4], int32_t *before, size_t n_chunk, int32_t *ends)
{
    for (size_t row = 0; row < page->n; row++) {
        if (page->end[row] <= (int64_t)row || (size_t)page->end[row] > page->n) {
            return REFUSED;
        }
    }
    if (n_chunk != page->n_byte / SOURCE_CHUNK + 1 || page->n_byte > INT32_MAX
        || !locate_rows(page, spans)) {
        return REFUSED;
    }
    before[0] = 0;
    for (size_t chunk = 1; chunk < n_chunk; chunk++) {
        before[chunk] = before[chunk - 1]
                        + count_continuing(page->utf8 + (chunk - 1) * SOURCE_CHUNK, SOURCE_CHUNK);
    }
    for (size_t at = 0; at < n_found; at++) {
        const int32_t first = rows[at], other = last[at];
        if (first < 0 || (size_t)first >= page->n || other < 0 || (size_t)other >= page->n) {
            return REFUSED;
        }
        const int32_t stop = end_of(page, spans, first), other_stop = end_of(page, spans, other);
        const int32_t other_start = spans[other][OPEN_START];
        const int32_t start = other_start < 0 ? other_start : spans[first][OPEN_START];
        ends[at] = character_at(page, before, start);
        ends[n_found + at] = character_at(page, before, stop > other_stop ? stop : other_stop);
    }
    return 0;
}
