/* Compiled steps for threads: generated arguments handed to plain C. */

#include "step.h"
#include "threads/threads.h"

STEP(read_row_names)
{
    const size_t n_room = (size_t)of->n_room;
    const Named page = {
        .buffer = of->buffer, .row = of->row, .start = of->start, .stop = of->stop,
        .classes = of->classes, .ids = of->ids, .tag = of->tag, .open_start = of->open_start,
        .open_stop = of->open_stop, .n_byte = of->n_byte, .n_attribute = of->n_attribute,
        .n_class = of->n_class, .n_id = of->n_id, .n_row = of->n_row, .other = of->other,
        .max_bytes = of->max_bytes,
    };
    const Distinct distinct = {of->table, of->hashes, (size_t)of->n_place, of->entries + n_room,
                               of->spans};
    const RowNames names = {
        .row = of->entries, .value = of->entries + n_room, .start = of->values,
        .stop = of->values + n_room, .bare = of->bare, .bare_start = of->values + 2 * n_room,
        .bare_stop = of->values + 3 * n_room, .sizes = of->sizes, .n_room = n_room,
    };
    return read_row_names(&page, &distinct, of->spans + n_room, of->spans + 2 * n_room, &names);
}

STEP(group_namesakes)
{
    const size_t n_room = (size_t)of->n_room;
    const Stems stems = {
        .row = of->row, .value = of->value, .stem_stop = of->stem_stop, .stems = of->stems,
        .tag = of->tag, .articles = of->articles, .n_entry = of->n_entry, .n_value = of->n_value,
        .n_stem = of->n_stem, .n_row = of->n_row, .n_article = of->n_article,
        .article = of->article, .n_tag = of->n_tag,
    };
    const Pairs pairs = {of->table,
                         of->pairs,
                         of->pairs + n_room,
                         of->pairs + 2 * n_room,
                         of->pairs + 3 * n_room,
                         of->before,
                         (size_t)of->n_place};
    const Namesakes out = {of->groups, of->groups + n_room, of->rows, of->sizes, n_room};
    return group_namesakes(&stems, &pairs, &out);
}

STEP(mark_rows)
{
    const Marks marks = {of->row,     of->value,   of->of_value, of->tag,   of->of_tag,
                         of->n_entry, of->n_value, of->n_row,    of->n_code};
    return mark_rows(&marks, of->bits);
}

STEP(raise_groups)
{
    const RowGroups groups = {of->rows, of->start, of->stop,    of->member, of->parent,
                              of->end,  of->n,     of->n_group, of->n_row,  of->levels_up};
    const size_t n_room = (size_t)of->n_room;
    const Raised out = {of->members, of->members + n_room, of->sizes, of->is_beside, n_room};
    return raise_groups(&groups, &out);
}

STEP(find_years)
{
    const ShortTexts texts = {of->start, of->stop, of->chars, of->n_text, of->max_chars};
    return find_years(of->utf8, of->n_byte, &texts, of->found);
}
