/* The modes of tables and templates (13.2.6.4.9 to 15 and 18). A function that returns 1 has the
 * tag reprocessed. Content that would be moved before the table is refused. */

#include "html.h"

static int is_top_flagged(Builder *b, uint32_t flags)
{
    return (top_of(b)->flags & flags) != 0;
}

/* Pop up to an element that is this one, or has the flags; templates and the root are always such. */
static void clear_back(Builder *b, Element element, uint32_t flags)
{
    while (!is_top(b, element) && !is_top_flagged(b, flags | TABLE_SCOPE)) {
        pop(b);
    }
}

static void close_cell(Builder *b)
{
    close_implied(b, IMPLIED, OTHER);
    pop_until_flagged(b, CELL);
    clear_to_marker(b);
    b->mode = IN_ROW;
}

/* Whether there is a character beyond Latin-1, of which no such byte is a part. */
static int is_wide(Builder *b)
{
    for (size_t at = 0; at < b->n && !b->is_narrow; at++) {
        if (b->in[at] > 0xC3) {
            return 1;
        }
    }
    b->is_narrow = 1;
    return 0;
}

static int is_hidden_input(const Builder *b, const Tag *tag)
{
    const Slice type = value_of(b, tag, "type");
    return tag->element == E_input
           && is_word(b->in + type.start, type.stop - type.start, "hidden");
}

static void end_in_table(Builder *b, const Tag *tag)
{
    switch (tag->element) {
    case E_table:
        if (has_in_scope(b, E_table, TABLE_SCOPE)) {
            pop_until(b, E_table);
            reset_mode(b);
        }
        break;
    case E_body:
    case E_caption:
    case E_col:
    case E_colgroup:
    case E_html:
    case E_tbody:
    case E_td:
    case E_tfoot:
    case E_th:
    case E_thead:
    case E_tr:
        break;
    case E_p:
    case E_br:
        refuse(b); /* they insert something */
        break;
    default:
        in_body(b, tag);
    }
}

static int in_table_itself(Builder *b, const Tag *tag)
{
    if (tag->is_end) {
        end_in_table(b, tag);
        return 0;
    }
    switch (tag->element) {
    case E_caption:
        clear_back(b, E_table, 0);
        add_marker(b);
        insert(b, tag);
        b->mode = IN_CAPTION;
        return 0;
    case E_colgroup:
        clear_back(b, E_table, 0);
        insert(b, tag);
        b->mode = IN_COLUMN_GROUP;
        return 0;
    case E_col:
        clear_back(b, E_table, 0);
        insert_implied(b, E_colgroup);
        b->mode = IN_COLUMN_GROUP;
        return 1;
    case E_tbody:
    case E_tfoot:
    case E_thead:
        clear_back(b, E_table, 0);
        insert(b, tag);
        b->mode = IN_TABLE_BODY;
        return 0;
    case E_td:
    case E_th:
    case E_tr:
        clear_back(b, E_table, 0);
        insert_implied(b, E_tbody);
        b->mode = IN_TABLE_BODY;
        return 1;
    case E_table:
        if (!has_in_scope(b, E_table, TABLE_SCOPE)) {
            return 0;
        }
        pop_until(b, E_table);
        reset_mode(b);
        return 1;
    case E_style:
    case E_script:
    case E_template:
        head_element(b, tag);
        return 0;
    case E_form:
        if (!b->form && !has_open(b, E_template)) {
            insert(b, tag);
            b->form = b->n_opened;
            pop(b);
        }
        return 0;
    default:
        /* In wide strings the parser does not know hidden inputs (turbohtml 1.15). */
        if (is_hidden_input(b, tag) && !is_wide(b)) {
            insert_void(b, tag);
        } else {
            refuse(b);
        }
        return 0;
    }
}

static int in_caption(Builder *b, const Tag *tag)
{
    const Element element = tag->element;
    const int ends = tag->is_end ? element == E_caption || element == E_table
                                 : MEANINGS[element].start == START_OF_TABLE && element != E_frame;
    if (ends) {
        if (!has_in_scope(b, E_caption, TABLE_SCOPE)) {
            return 0;
        }
        close_implied(b, IMPLIED, OTHER);
        pop_until(b, E_caption);
        clear_to_marker(b);
        b->mode = IN_TABLE;
        return !(tag->is_end && element == E_caption);
    }
    if (!tag->is_end || (MEANINGS[element].end != END_OF_TABLE && MEANINGS[element].end != END_OF_BODY)) {
        in_body(b, tag);
    }
    return 0;
}

static int in_column_group(Builder *b, const Tag *tag)
{
    const Element element = tag->element;
    if (element == E_col) {
        if (tag->is_end) {
            refuse(b); /* the parser ends the group (turbohtml 1.15) */
        } else {
            insert_void(b, tag);
        }
        return 0;
    }
    if (element == E_template || (element == E_html && !tag->is_end)) {
        in_body(b, tag);
        return 0;
    }
    if (!is_top(b, E_colgroup)) {
        return 0;
    }
    pop(b);
    b->mode = IN_TABLE;
    return !(tag->is_end && element == E_colgroup);
}

static int in_table_body(Builder *b, const Tag *tag)
{
    const Element element = tag->element;
    const uint32_t flags = MEANINGS[element].flags;
    if (!tag->is_end && (element == E_tr || flags & CELL)) {
        clear_back(b, E_tbody, SECTION);
        b->mode = IN_ROW;
        if (element == E_tr) {
            insert(b, tag);
            return 0;
        }
        insert_implied(b, E_tr);
        return 1;
    }
    if (tag->is_end && flags & SECTION) {
        if (has_in_scope(b, element, TABLE_SCOPE)) {
            clear_back(b, E_tbody, SECTION);
            pop(b);
            b->mode = IN_TABLE;
        }
        return 0;
    }
    const int ends = tag->is_end ? element == E_table
                                 : element == E_caption || element == E_col
                                       || element == E_colgroup || flags & SECTION;
    if (ends) {
        if (!has_flagged_in_scope(b, SECTION, TABLE_SCOPE)) {
            return 0;
        }
        clear_back(b, E_tbody, SECTION);
        pop(b);
        b->mode = IN_TABLE;
        return 1;
    }
    return in_table_itself(b, tag);
}

static int in_row(Builder *b, const Tag *tag)
{
    const Element element = tag->element;
    const uint32_t flags = MEANINGS[element].flags;
    if (!tag->is_end && flags & CELL) {
        clear_back(b, E_tr, 0);
        insert(b, tag);
        b->mode = IN_CELL;
        add_marker(b);
        return 0;
    }
    const int is_own = tag->is_end && element == E_tr;
    const int ends = tag->is_end ? element == E_table || element == E_tr || flags & SECTION
                                 : element == E_caption || element == E_col || element == E_colgroup
                                       || element == E_tr || flags & SECTION;
    if (ends) {
        const int is_section = tag->is_end && flags & SECTION;
        if ((is_section && !has_in_scope(b, element, TABLE_SCOPE))
            || !has_in_scope(b, E_tr, TABLE_SCOPE)) {
            return 0;
        }
        clear_back(b, E_tr, 0);
        pop(b);
        b->mode = IN_TABLE_BODY;
        return !is_own;
    }
    return in_table_itself(b, tag);
}

static int in_cell(Builder *b, const Tag *tag)
{
    const Element element = tag->element;
    const uint32_t flags = MEANINGS[element].flags;
    if (tag->is_end) {
        if (flags & CELL) {
            if (has_in_scope(b, element, TABLE_SCOPE)) {
                close_implied(b, IMPLIED, OTHER);
                pop_until(b, element);
                clear_to_marker(b);
                b->mode = IN_ROW;
            }
            return 0;
        }
        if (element == E_table || element == E_tr || flags & SECTION) {
            if (!has_in_scope(b, element, TABLE_SCOPE)) {
                return 0;
            }
            close_cell(b);
            return 1;
        }
        if (MEANINGS[element].end != END_OF_TABLE && MEANINGS[element].end != END_OF_BODY) {
            in_body(b, tag);
        }
        return 0;
    }
    if (MEANINGS[element].start == START_OF_TABLE && element != E_frame) {
        close_cell(b);
        return 1;
    }
    in_body(b, tag);
    return 0;
}

int in_table(Builder *b, const Tag *tag)
{
    switch (b->mode) {
    case IN_CAPTION:
        return in_caption(b, tag);
    case IN_COLUMN_GROUP:
        return in_column_group(b, tag);
    case IN_TABLE_BODY:
        return in_table_body(b, tag);
    case IN_ROW:
        return in_row(b, tag);
    case IN_CELL:
        return in_cell(b, tag);
    default:
        return in_table_itself(b, tag);
    }
}

int in_template(Builder *b, const Tag *tag)
{
    const Start start = MEANINGS[tag->element].start;
    if (tag->is_end || start == START_IN_HEAD) {
        if (!tag->is_end || tag->element == E_template) {
            in_body(b, tag);
        }
        return 0;
    }
    b->mode = IN_BODY;
    if (start == START_OF_TABLE && tag->element != E_frame) {
        switch (tag->element) {
        case E_col:
            b->mode = IN_COLUMN_GROUP;
            break;
        case E_tr:
            b->mode = IN_TABLE_BODY;
            break;
        case E_td:
        case E_th:
            b->mode = IN_ROW;
            break;
        default:
            b->mode = IN_TABLE;
        }
    }
    b->template_modes[b->n_template - 1] = b->mode;
    return 1;
}

void reset_mode(Builder *b)
{
    for (size_t at = b->depth; at-- > 0;) {
        const Open *open = &b->stack[at];
        switch (open->element) {
        case E_td:
        case E_th:
            b->mode = IN_CELL;
            return;
        case E_tr:
            b->mode = IN_ROW;
            return;
        case E_tbody:
        case E_tfoot:
        case E_thead:
            b->mode = IN_TABLE_BODY;
            return;
        case E_caption:
            b->mode = IN_CAPTION;
            return;
        case E_colgroup:
            b->mode = IN_COLUMN_GROUP;
            return;
        case E_table:
            b->mode = IN_TABLE;
            return;
        case E_template:
            b->mode = b->template_modes[b->n_template - 1];
            return;
        case E_head:
            b->mode = IN_HEAD;
            return;
        case E_body:
            b->mode = IN_BODY;
            return;
        default:
            break;
        }
    }
    refuse(b);
}
