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

STEP(find_addresses)
{
    int64_t n_found = 0;
    for (size_t at = 0; at < of->n;) {
        const uint8_t *found = memchr(of->markup + at, '<', of->n - at);
        if (!found) {
            break;
        }
        Tag tag;
        if (!read_fragment_tag(of->markup, of->n, (size_t)(found - of->markup), &tag)) {
            return REFUSED;
        }
        const int is_image = is_named(&tag, "img");
        if (!tag.is_end && (is_image || is_named(&tag, "a"))) {
            if (n_found == of->n_room) {
                return REFUSED;
            }
            const Value value = find_address(of->markup, &tag);
            of->places[n_found] = (int64_t)value.start;
            of->places[of->n_room + n_found] = (int64_t)value.stop;
            of->places[2 * of->n_room + n_found++] = is_image;
        }
        at = tag.stop;
    }
    return n_found;
}

STEP(write_markdown)
{
    const size_t n_room = (size_t)of->n_room;
    int64_t before = 0;
    for (size_t each = 0; each < of->n_url; each++) {
        if (of->url_stop[each] < before || of->url_stop[each] > (int64_t)of->n_url_byte) {
            return UNFIT;
        }
        before = of->url_stop[each];
    }
    if (of->n > INT32_MAX / 8 || n_room > INT32_MAX) {
        return REFUSED;
    }
    Stream stream = {
        .events = (Event *)of->events, .tokens = (Token *)of->tokens, .texts = {of->texts, 0, n_room, 0},
        .event_room = (size_t)of->n_event, .token_room = (size_t)of->n_token,
    };
    if (!read_stream(of->markup, of->n, of->url_stop, of->n_url, &stream)) {
        return REFUSED;
    }
    Writer writer = {
        .stream = &stream, .urls = of->urls, .url_stop = of->url_stop, .codes = of->codes,
        .flow = {of->texts + n_room, 0, n_room, 0}, .written = {of->texts + 2 * n_room, 0, n_room, 0},
        .run = {of->texts + 3 * n_room, 0, n_room, 0}, .signs = of->texts + 4 * n_room,
        .n_sign_room = n_room,
    };
    Text out = {of->markdown, 0, n_room, 0};
    return write_blocks(&writer, of->flags, of->flags + of->n_event, &out);
}
