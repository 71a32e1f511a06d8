/* The slices of a page that are copied unchanged, and what is inserted around and between them:
 * thresher.writers.fragment.slices. */

#include "writers.h"

enum { GLUE = 0, SPACE = 1, NEWLINE = 2 }; /* thresher.page.blocks */

/* thresher.writers.outline.pieces: the order of what is put at one place. */
enum {
    CLOSE_EMPHASIS,
    CLOSE_LINK,
    CLOSE_RUN,
    GAP,
    OPEN_RUN,
    OPEN_LINK,
    OPEN_EMPHASIS,
    SLICE,
    N_RANK
};

/* Instead of a slice's stop: the piece is a literal, or is generated for the row it starts with. The
 * literals are in the order of thresher.writers.fragment.slices. */
enum { LITERAL = -1, START_TAG = -2 };
enum { OPEN_ITEM, CLOSE_ITEM, OPEN_TERM, CLOSE_TERM, OPEN_PARAGRAPH, CLOSE_PARAGRAPH, BLANK, BREAK };

static int put(Pieces *pieces, int32_t place, int rank, int32_t start, int32_t stop)
{
    if (pieces->n == pieces->n_room) {
        return REFUSED;
    }
    pieces->key[pieces->n] = (int64_t)place * N_RANK + rank;
    pieces->start[pieces->n] = start;
    pieces->stop[pieces->n++] = stop;
    return 0;
}

static int is_within(int32_t number, size_t n)
{
    return number >= 0 && (size_t)number < n;
}

/* Whether all rows refer to valid rows. */
static int is_sound(const Marked *page, const Outline *outline)
{
    for (size_t i = 0; i < page->n_row; i++) {
        if (!is_within(page->tag[i], outline->n_code)
            || !is_within(outline->written_as[i], outline->n_code)
            || page->parent[i] >= (int64_t)i || page->parent[i] < -1) {
            return 0;
        }
    }
    for (size_t k = 0; k < outline->n_kept; k++) {
        const int32_t row = outline->rows[k];
        if (!is_within(row, page->n_row) || (k && row <= outline->rows[k - 1])
            || !is_within(outline->run_of[k], outline->n_run)
            || !is_within(page->open_start[row], page->n_byte) || page->open_stop[row] < 1
            || (size_t)page->open_stop[row] > page->n_byte) {
            return 0;
        }
    }
    for (size_t run = 0; run < outline->n_run; run++) {
        if (!is_within(outline->first_row[run], page->n_row)
            || !is_within(outline->last_row[run], page->n_row) || outline->container[run] < -1
            || outline->container[run] >= (int64_t)page->n_row) {
            return 0;
        }
    }
    return 1;
}

static int is_white(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f';
}

static int in_preformatted(const Outline *outline, int32_t run)
{
    const int32_t container = outline->container[run];
    return container >= 0 && outline->preformatted[container];
}

/* Write elements: structure, and inline ones that say something, none inside one that says the same. */
static int put_elements(const Marked *page, const Outline *outline, Pieces *pieces)
{
    int64_t until[N_GROUP] = {0}, until_heading = 0, until_pre = 0;
    for (size_t i = 0; i < page->n_row; i++) {
        const int32_t kind = outline->kind_of[page->tag[i]], end = page->end[i];
        const uint8_t said = outline->said[i];
        if (outline->preformatted[i] && end > until_pre) {
            until_pre = end;
        }
        int is_written = ((kind & IS_INLINE) || (said & SPANNED)) && !outline->crossing[i];
        if (is_written) {
            for (int group = 0; group < N_GROUP; group++) {
                if (kind & FIRST_GROUP << group) {
                    is_written = (int64_t)i >= until[group];
                    until[group] = end > until[group] ? end : until[group];
                }
            }
            if (((kind & IS_BOLD) && (int64_t)i < until_heading)
                || ((kind & IS_CODE) && (int64_t)i < until_pre)
                || ((kind & IS_LINK)
                    && (!(outline->has_links || (said & LINKED)) || (said & UNLINKED)))
                || (said & UNMARKED) || !outline->holds[i]) {
                is_written = 0;
            }
        }
        if (outline->structure[i]) {
            if ((outline->kind_of[outline->written_as[i]] & IS_HEADING) && end > until_heading) {
                until_heading = end;
            }
            is_written |= !outline->preformatted[i] && outline->written_as[i] == page->tag[i];
        }
        if (!is_written) {
            continue;
        }
        const int32_t start = page->open_start[i], stop = page->open_stop[i];
        const int is_start_tag = (said & ELSEWHERE) != 0;
        if ((!is_start_tag && stop - start > outline->long_tag)
            || (!(said & UNOPENED)
                && put(pieces, start, SLICE, is_start_tag ? (int32_t)i : start,
                       is_start_tag ? START_TAG : stop)
                       < 0)
            || (!(said & UNCLOSED)
                && put(pieces, page->close_start[i], SLICE, page->close_start[i],
                       page->close_stop[i])
                       < 0)) {
            return REFUSED;
        }
    }
    return 0;
}

/* The first of the highest rows from after one row to another. */
static int32_t highest_between(const Marked *page, int32_t before, int32_t after)
{
    int32_t highest = before + 1;
    for (int32_t i = before + 2; i <= after; i++) {
        if (page->depth[i] < page->depth[highest]) {
            highest = i;
        }
    }
    return highest;
}

/* Write texts, and the spaces and line breaks between leaves. */
static int put_texts(const Marked *page, const Outline *outline, Pieces *pieces)
{
    for (size_t k = 0; k < outline->n_kept; k++) {
        const int32_t row = outline->rows[k];
        if (in_preformatted(outline, outline->run_of[k])) {
            continue;
        }
        if (page->tag[row] == 0 && !(outline->said[row] & ELSEWHERE)
            && put(pieces, page->open_start[row], SLICE, page->open_start[row],
                   page->open_stop[row])
                   < 0) {
            return REFUSED;
        }
        if (outline->gaps[k] == GLUE) {
            continue;
        }
        if (!k) {
            return REFUSED;
        }
        const int32_t before = outline->rows[k - 1];
        const int32_t place = page->open_start[highest_between(page, before, row)];
        const int is_spaced = is_white(page->buffer[page->open_stop[before] - 1])
                              || is_white(page->buffer[page->open_start[row]]);
        if (outline->gaps[k] == NEWLINE ? put(pieces, place, GAP, BREAK, LITERAL) < 0
                                        : !is_spaced && put(pieces, place, GAP, BLANK, LITERAL) < 0) {
            return REFUSED;
        }
    }
    return 0;
}

/* Find where runs begin and end, and put paragraphs around those without one. */
static int put_runs(const Marked *page, const Outline *outline, int32_t *outermost, int32_t *opens,
                    int32_t *closes, Pieces *pieces)
{
    /* The outermost inline ancestor of each row: its parent contains other runs too. */
    for (size_t i = 0; i < page->n_row; i++) {
        const int32_t parent = page->parent[i];
        const int is_boundary =
            ((outline->kind_of[page->tag[i]] & ENDS_BLOCK) || outline->crossing[i])
            && page->leaf_offset[i + 1] == page->leaf_offset[i];
        outermost[i] = is_boundary || parent < 0 ? -1
                       : outermost[parent] < 0   ? (int32_t)i
                                                 : outermost[parent];
    }
    for (size_t run = 0; run < outline->n_run; run++) {
        const int32_t first = outermost[outline->first_row[run]], last_row = outline->last_row[run];
        const int32_t last = outermost[last_row], container = outline->container[run];
        if (first < 0 || last < 0) {
            return REFUSED;
        }
        /* A video is written at one position: its content comes after. */
        const int is_point =
            (outline->kind_of[page->tag[last]] & IS_POINT) && last == last_row;
        opens[run] = page->open_start[first];
        closes[run] = is_point ? page->open_stop[last] : page->close_stop[last];
        if (outline->bare[run]) {
            /* Where there can be no paragraphs, as in a heading, their edges are spaces. */
            if (run && container == outline->container[run - 1]
                && !in_preformatted(outline, (int32_t)run)
                && put(pieces, opens[run], GAP, BLANK, LITERAL) < 0) {
                return REFUSED;
            }
            continue;
        }
        const int32_t kind = container < 0 ? 0 : outline->kind_of[outline->written_as[container]];
        const int32_t opening = kind & HOLDS_ITEMS   ? OPEN_ITEM
                                : kind & HOLDS_TERMS ? OPEN_TERM
                                                     : OPEN_PARAGRAPH;
        if (put(pieces, opens[run], OPEN_RUN, opening, LITERAL) < 0
            || put(pieces, closes[run], CLOSE_RUN, opening + 1, LITERAL) < 0) {
            return REFUSED;
        }
    }
    return 0;
}

int64_t find_plain_pieces(const Marked *page, const Outline *outline, int32_t *outermost, int32_t *opens,
                  int32_t *closes, Pieces *pieces)
{
    if (!is_sound(page, outline) || put_elements(page, outline, pieces) < 0
        || put_texts(page, outline, pieces) < 0
        || put_runs(page, outline, outermost, opens, closes, pieces) < 0) {
        return REFUSED;
    }
    return (int64_t)pieces->n;
}
