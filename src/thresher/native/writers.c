/* Compiled steps for writers: generated arguments handed to plain C. */

#include "fragment/writers.h"
#include "markdown/markdown.h"
#include "step.h"

STEP(group_kept)
{
    const Leafed page = {of->buffer, of->tag,    of->parent,  of->end,    of->open_start,
                         of->leaf_offset, of->leaves, of->of_leaf, of->n_byte, of->n_row,
                         of->n_leaf};
    const Kept kept = {of->kept, of->start, of->run_of, of->first_row,       of->last_row,
                       of->gaps, of->holds, of->tags,   (size_t)of->n_code};
    if (page.n_leaf > page.n_row) {
        return UNFIT;
    }
    return group_kept(&page, of->keep, of->gaps_before, of->closing, &kept);
}

STEP(lay_out_rows)
{
    const Leafed page = {of->buffer, of->tag,    of->parent,  of->end,    of->open_start,
                         of->leaf_offset, of->leaves, of->of_leaf, of->n_byte, of->n_row,
                         of->n_leaf};
    const Known known = {of->kind_of, of->n_code,    of->written_as, of->holds, of->preformatted,
                         of->in_data, of->block_row, of->n_block,    of->first_leaf, of->n_run};
    const Laid laid = {of->structure, of->crossing, of->bare, of->container, of->nearest,
                       of->count};
    if (page.n_leaf > page.n_row) {
        return UNFIT;
    }
    return lay_out_rows(&page, &known, &laid);
}

STEP(find_plain_pieces)
{
    if (of->long_tag < 0 || of->long_tag > INT32_MAX) {
        return UNFIT;
    }
    const Marked page = {of->buffer,      of->tag,       of->parent,      of->end,
                         of->depth,       of->open_start, of->open_stop,  of->close_start,
                         of->close_stop,  of->leaf_offset, of->n_byte,    of->n_row};
    const Outline outline = {
        .kind_of = of->kind_of, .n_code = of->n_code, .written_as = of->written_as,
        .holds = of->holds, .structure = of->structure, .crossing = of->crossing,
        .preformatted = of->preformatted, .said = of->row_flags, .rows = of->rows,
        .run_of = of->run_of, .gaps = of->gaps, .n_kept = of->n_kept,
        .container = of->container, .first_row = of->first_row, .last_row = of->last_row,
        .bare = of->bare, .n_run = of->n_run, .has_links = of->has_links != 0,
        .long_tag = (int32_t)of->long_tag,
    };
    Pieces pieces = {of->key, of->start, of->stop, 0, (size_t)of->n_room};
    return find_plain_pieces(&page, &outline, of->outermost, of->opens, of->closes, &pieces);
}

STEP(join_pieces)
{
    const Slices slices = {of->buffer, of->n_byte, of->order, of->start, of->stop, of->n};
    const Literals literals = {of->literals, of->n_literal_byte, of->offset, of->n_literal};
    return join_pieces(&slices, &literals, of->joined, (size_t)of->n_room);
}

STEP(tidy_markup)
{
    const NameRules rules = {{of->tags, of->n_tag},
                             {of->attributes, of->n_attribute},
                             of->allowed,
                             (uint32_t)of->ids};
    Tidied out = {of->tidied, 0, of->n};
    return tidy_markup(of->markup, of->n, &rules, &out);
}

STEP(survey_markup)
{
    const size_t n_room = (size_t)of->n_room;
    Places places = {of->places, of->places + n_room, of->places + 2 * n_room, 0, n_room};
    return survey_markup(of->markup, of->n, &places);
}

/* Whether stops count up to the size of what they divide. */
static int are_stops(const int64_t *stops, size_t n, size_t n_byte)
{
    int64_t before = 0;
    for (size_t each = 0; each < n; each++) {
        if (stops[each] < before || stops[each] > (int64_t)n_byte) {
            return 0;
        }
        before = stops[each];
    }
    return 1;
}

STEP(write_markdown)
{
    const size_t n_room = (size_t)of->n_room, n_given = of->n_given;
    const Given given = {of->given, of->given + n_given, of->given + 2 * n_given, of->text_stop,
                         of->given_texts, n_given};
    if (!are_stops(of->url_stop, of->n_url, of->n_url_byte)
        || !are_stops(of->text_stop, n_given, of->n_text_byte)) {
        return UNFIT;
    }
    if (of->n > INT32_MAX / 8 || n_room > INT32_MAX || n_given > INT32_MAX) {
        return REFUSED;
    }
    Stream stream = {
        .events = (Event *)of->events, .tokens = (Token *)of->tokens, .texts = {of->texts, 0, n_room, 0},
        .event_room = (size_t)of->n_event, .token_room = (size_t)of->n_token,
    };
    if (!read_stream(of->markup, of->n, of->url_stop, of->n_url, &given, &stream)) {
        return REFUSED;
    }
    Writer writer = {
        .stream = &stream, .given = &given, .urls = of->urls, .url_stop = of->url_stop, .codes = of->codes,
        .flow = {of->texts + n_room, 0, n_room, 0}, .written = {of->texts + 2 * n_room, 0, n_room, 0},
        .run = {of->texts + 3 * n_room, 0, n_room, 0}, .signs = of->texts + 4 * n_room,
        .n_sign_room = n_room,
    };
    Text out = {of->markdown, 0, n_room, 0};
    return write_blocks(&writer, of->flags, of->flags + of->n_event, &out);
}
