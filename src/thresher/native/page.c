/* Compiled steps for pages: generated arguments handed to plain C. */

#include "core.h"
#include "html/canonicalise.h"
#include "step.h"

/* Values of a result that callers distinguish from REFUSED; thresher.native has them. */
enum { MALFORMED = -4 };

STEP(measure_utf8)
{
    const int64_t n_char = measure_utf8(of->utf8, of->n);
    return n_char == REFUSED ? MALFORMED : n_char;
}

STEP(canonicalise)
{
    const Canonical to = {of->canonical, (size_t)of->n_room, (int32_t(*)[4])(void *)of->tags,
                          (size_t)of->n_element, of->count};
    return canonicalise(of->source, of->n, &to, of->asks != 0);
}

STEP(count_rows_at_most)
{
    return (int64_t)count_rows_at_most(of->buffer, of->n);
}

STEP(scan_rows)
{
    const size_t n_room = (size_t)of->n_room;
    if (of->n_place == 0 || of->n_code < 2) {
        return UNFIT;
    }
    const Names names = {of->words,    of->code_at, of->is_void, of->eats_newline, of->n_code,
                         of->n_place, of->hash[0], of->hash[1], 1};
    int32_t *ints = of->columns;
    const Columns columns = {of->tag,           ints,              ints + n_room,
                             ints + 2 * n_room, ints + 3 * n_room, ints + 4 * n_room,
                             ints + 5 * n_room, ints + 6 * n_room, n_room};
    return scan_rows(of->buffer, of->n, &names, &columns);
}

STEP(count_attributes_at_most)
{
    return (int64_t)count_attributes_at_most(of->buffer, of->n);
}

STEP(find_attributes)
{
    return find_attributes(of->buffer, of->n, of->n_row, of->tag, of->start, of->stop,
                           of->name_bytes, of->n_code, of->found, (size_t)of->n_room);
}

STEP(pack_words)
{
    return pack_words(of->buffer, of->n_byte, of->n, of->start, of->stop, of->low, of->high);
}

STEP(find_named)
{
    const Parts names = {of->names, of->n_name_byte, of->name_stop, of->n_name};
    return find_named(of->buffer, of->n_byte, of->n, of->name_start, of->start, &names, of->which,
                      of->found, of->n_each);
}

STEP(find_parts)
{
    const Parts parts = {of->parts, of->n_part_byte, of->part_stop, of->n_part};
    return find_parts(of->buffer, of->n_byte, of->n, of->start, of->stop, &parts, of->found);
}

STEP(number_spans)
{
    const Distinct found = {of->table, of->hashes, (size_t)of->n_place, of->number, of->first};
    return number_spans(of->buffer, of->n_byte, of->start, of->stop, of->n, &found);
}

STEP(measure_texts)
{
    const TextRows rows = {of->buffer, of->tag, of->start, of->stop, of->n, of->n_row,
                           (int16_t)of->text};
    return measure_texts(&rows);
}

STEP(read_texts)
{
    const size_t n_room = (size_t)of->n_room, n_sum = of->n_row + 1;
    const TextRows rows = {of->buffer, of->tag, of->start, of->stop, of->n, of->n_row,
                           (int16_t)of->text};
    const ReadTexts out = {of->joined, of->counts, of->counts + n_sum, of->counts + 2 * n_sum,
                           n_room};
    return read_texts(&rows, of->code_of, &out);
}

STEP(classify)
{
    return classify(of->utf8, of->n, of->code_of, of->codes, (size_t)of->n_char);
}

STEP(count_words)
{
    return count_words(of->codes, of->n, of->n_offset, of->offsets, of->words, of->chars);
}

STEP(find_tagged)
{
    return find_tagged(of->tag, of->n, of->flags, of->n_code, of->found);
}

STEP(flag_within)
{
    return flag_within(of->rows, of->end, of->n, 1, of->inside);
}

STEP(flag_below)
{
    return flag_within(of->rows, of->end, of->n, 0, of->inside);
}

STEP(find_nearest)
{
    return find_nearest(of->rows, of->parent, of->n, of->nearest);
}

STEP(locate_ends)
{
    if (of->n_own < 0 || (size_t)of->n_own > of->n) {
        return UNFIT;
    }
    const Sourced page = {
        .utf8 = of->utf8, .tag = of->tag, .parent = of->parent, .end = of->end,
        .open_start = of->open_start, .close_start = of->close_start,
        .places = (const int32_t(*)[4])(const void *)of->places, .n_byte = of->n_byte, .n = of->n,
        .n_own = (size_t)of->n_own, .n_element = of->n_element, .text = of->text,
    };
    return locate_ends(&page, of->rows, of->last, of->n_found, (int32_t(*)[4])(void *)of->spans,
                       of->before, (size_t)of->n_chunk, of->ends);
}

STEP(flag_hidden)
{
    memset(of->flags, 0, (size_t)of->n_row);
    return flag_hidden(of->buffer, of->n_byte, of->row, of->name_start, of->start, of->stop, of->n,
                       (size_t)of->n_row, of->flags);
}

STEP(find_telling_rules)
{
    return find_telling_rules(of->css, of->n, (size_t)of->n_room, of->narrow, of->start, of->stop,
                              of->tells);
}

STEP(inherit_flags)
{
    return inherit_flags(of->own, of->inside, of->parent, of->n, of->flags);
}

STEP(read_leaves)
{
    const size_t n = of->n, n_sum = n + 1;
    int32_t *offsets = of->offsets, *leaves = of->leaves, *blocks = of->blocks;
    const LeafRows rows = {
        .tag = of->tag, .parent = of->parent, .end = of->end, .open_start = of->open_start,
        .words = of->words, .chars = of->chars, .kind_of = of->kinds, .closing = of->closing,
        .concealed = of->concealed, .n = n, .n_code = of->n_code, .link = (int32_t)of->link, .math = (int32_t)of->math,
    };
    const ReadLeaves out = {
        .in_link = of->in_link, .leafless = of->leafless, .link_words_before = offsets,
        .leaves_before = offsets + n_sum, .blocks_before = offsets + 2 * n_sum, .leaves = leaves,
        .of_leaf = leaves + n,
        .measures = {leaves + 2 * n, leaves + 3 * n, leaves + 4 * n, leaves + 5 * n},
        .block_start = blocks, .block_leaf = blocks + n_sum, .block_row = blocks + 2 * n_sum,
        .marks = of->marks, .nearest = of->nearest,
    };
    return read_leaves(of->buffer, of->n_byte, &rows, &out, of->sizes);
}

STEP(group_leaves)
{
    return group_leaves(of->marks, of->n, (uint8_t)(of->edges & 0xFF), of->start, of->of_leaf);
}

STEP(find_marked_links)
{
    const Links links = {of->tag, of->end, of->start, of->stop, of->leaf_offset, of->link, of->n};
    return find_marked_links(of->buffer, of->n_byte, &links, of->keep, of->n_leaf, of->found);
}

STEP(find_removed_links)
{
    if (of->longest < 0) {
        return UNFIT;
    }
    const Links links = {of->tag, of->end, NULL, NULL, of->leaf_offset, of->link, of->n};
    const LinkLeaves leaves = {of->leaves, of->keep, of->shows_text, of->n_leaf, of->n_code};
    const Hrefs hrefs = {of->href_row, of->start, of->stop, of->n_href, (size_t)of->longest};
    const RemovedLinks found = {of->first, of->last, of->address_start, of->address_stop, of->kind};
    return find_removed_links(of->buffer, of->n_byte, &links, &leaves, &hrefs, &found);
}

STEP(find_heading_links)
{
    const Links links = {of->tag, of->end, NULL, NULL, of->leaf_offset, of->link, of->n};
    return find_heading_links(&links, of->parent, of->headings, of->n_code, of->keep, of->n_leaf,
                              of->levels_up, of->found);
}
