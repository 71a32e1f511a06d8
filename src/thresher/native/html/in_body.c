/* The body (13.2.6.4.7). */

#include "html.h"

static const uint32_t FOR_ITEM = SCOPE | LIST_SCOPE, FOR_PARAGRAPH = SCOPE | BUTTON_SCOPE;

static void close_paragraph(Builder *b)
{
    if (has_in_scope(b, E_p, FOR_PARAGRAPH)) {
        close_implied(b, IMPLIED, E_p);
        pop_until(b, E_p);
    }
}

/* A newline behind such a start tag is not part of the text; one that is a number is left alone. */
static int skip_newline(Builder *b)
{
    const size_t start = b->at;
    b->at += b->at < b->n && b->in[b->at] == '\r';
    b->at += b->at < b->n && b->in[b->at] == '\n';
    if (b->at == start && b->n - b->at > 1 && b->in[b->at] == '&' && b->in[b->at + 1] == '#') {
        refuse(b);
    }
    return b->at > start;
}

static void start_form(Builder *b, const Tag *tag)
{
    const int is_in_template = has_open(b, E_template);
    if (b->form && !is_in_template) {
        return;
    }
    close_paragraph(b);
    insert(b, tag);
    if (!is_in_template) {
        b->form = b->n_opened;
    }
}

/* An item ends the one before, but not that of a list around. */
static void start_item(Builder *b, const Tag *tag)
{
    const int is_li = tag->element == E_li;
    for (size_t at = b->depth; at-- > 0;) {
        const Element open = b->stack[at].element;
        if (is_li ? open == E_li : open == E_dd || open == E_dt) {
            close_implied(b, IMPLIED, open);
            pop_until(b, open);
            break;
        }
        if (b->stack[at].flags & SPECIAL && open != E_address && open != E_div && open != E_p) {
            break;
        }
    }
    close_paragraph(b);
    insert(b, tag);
}

static void start_select(Builder *b, const Tag *tag)
{
    if (has_in_scope(b, E_select, SCOPE)) {
        pop_until(b, E_select);
        return;
    }
    reopen_formats(b);
    insert(b, tag);
}

static void start_option(Builder *b, const Tag *tag)
{
    if (has_in_scope(b, E_select, SCOPE)) {
        close_implied(b, IMPLIED, tag->element == E_option ? E_optgroup : OTHER);
    } else if (is_top(b, E_option)) {
        pop(b);
    }
    reopen_formats(b);
    insert(b, tag);
}

static void start_table(Builder *b, const Tag *tag)
{
    if (b->quirks != QUIRKS && has_in_scope(b, E_p, FOR_PARAGRAPH)) {
        if (b->quirks == UNKNOWN_QUIRKS) {
            refuse(b);
            return;
        }
        close_paragraph(b);
    }
    if (has_in_scope(b, E_select, SCOPE)) {
        refuse(b); /* in a cell the parser ends the select (turbohtml 1.15) */
        return;
    }
    insert(b, tag);
    b->mode = IN_TABLE;
}

static void start_in_body(Builder *b, const Tag *tag)
{
    const Element element = tag->element;
    switch (MEANINGS[element].start) {
    case START_ORDINARY:
        reopen_formats(b);
        insert(b, tag);
        break;
    case START_BLOCK:
        close_paragraph(b);
        insert(b, tag);
        break;
    case START_HEADING:
        close_paragraph(b);
        if (top_of(b)->flags & HEADING) {
            pop(b);
        }
        insert(b, tag);
        break;
    case START_PRE:
        close_paragraph(b);
        insert(b, tag);
        b->first_newline = b->n_out;
        if (skip_newline(b)) {
            reopen_formats(b); /* as if it were text (turbohtml 1.15) */
        }
        break;
    case START_FORM:
        start_form(b, tag);
        break;
    case START_ITEM:
        start_item(b, tag);
        break;
    case START_BUTTON:
        if (has_in_scope(b, E_button, SCOPE)) {
            close_implied(b, IMPLIED, OTHER);
            pop_until(b, E_button);
        }
        reopen_formats(b);
        insert(b, tag);
        break;
    case START_LINK:
        close_link(b);
        reopen_formats(b);
        insert(b, tag);
        add_format(b);
        break;
    case START_NOBR:
        reopen_formats(b);
        if (has_in_scope(b, E_nobr, SCOPE)) {
            close_format(b, tag);
            reopen_formats(b);
        }
        insert(b, tag);
        add_format(b);
        break;
    case START_FORMAT:
        reopen_formats(b);
        insert(b, tag);
        add_format(b);
        break;
    case START_OBJECT:
        reopen_formats(b);
        insert(b, tag);
        add_marker(b);
        break;
    case START_TABLE:
        start_table(b, tag);
        break;
    case START_INPUT:
        if (has_in_scope(b, E_select, SCOPE)) {
            pop_until(b, E_select);
        }
        reopen_formats(b);
        insert_void(b, tag);
        break;
    case START_VOID: /* the parser takes param, source and track for such too (turbohtml 1.15) */
        reopen_formats(b);
        if (element == E_image) {
            Tag img = *tag;
            img.element = E_img;
            insert_void(b, &img);
        } else {
            insert_void(b, tag);
        }
        break;
    case START_RULE:
        close_paragraph(b);
        if (has_in_scope(b, E_select, SCOPE)) {
            close_implied(b, IMPLIED, OTHER);
        }
        insert_void(b, tag);
        break;
    case START_TEXTAREA:
        skip_newline(b);
        text_element(b, tag);
        break;
    case START_RAW:
        raw_element(b, tag);
        break;
    case START_SELECT:
        start_select(b, tag);
        break;
    case START_OPTION:
        start_option(b, tag);
        break;
    case START_RUBY_BASE:
    case START_RUBY_TEXT:
        if (has_in_scope(b, E_ruby, SCOPE)) {
            close_implied(b, IMPLIED, MEANINGS[element].start == START_RUBY_TEXT ? E_rtc : OTHER);
        }
        insert(b, tag);
        break;
    case START_MATH:
    case START_SVG:
        reopen_formats(b);
        insert_foreign(b, tag, element == E_svg ? IN_SVG : IN_MATH);
        break;
    case START_IN_HEAD:
        head_element(b, tag);
        break;
    case START_HTML:
        if (!has_open(b, E_template)) {
            add_attributes(b, 0, tag);
        }
        break;
    case START_BODY:
        if (b->depth > 1 && b->stack[1].element == E_body && !has_open(b, E_template)) {
            add_attributes(b, 1, tag);
        }
        break;
    case START_HEAD:
    case START_OF_TABLE:
        break;
    case START_REFUSED:
        refuse(b);
    }
}

static void end_form(Builder *b)
{
    if (has_open(b, E_template)) {
        if (has_in_scope(b, E_form, SCOPE)) {
            close_implied(b, IMPLIED, OTHER);
            pop_until(b, E_form);
        }
        return;
    }
    const uint32_t form = b->form;
    b->form = 0;
    for (size_t at = b->depth; form && at-- > 0;) {
        if (b->stack[at].number == form) {
            close_implied(b, IMPLIED, OTHER);
            drop(b, form);
            return;
        }
        if (b->stack[at].flags & SCOPE) {
            return;
        }
    }
}

void end_template(Builder *b)
{
    if (has_open(b, E_template)) {
        close_implied(b, IMPLIED | THOROUGHLY, OTHER);
        pop_until(b, E_template);
        clear_to_marker(b);
        b->n_template--;
        reset_mode(b);
    }
}

static void end_in_body(Builder *b, const Tag *tag)
{
    const Element element = tag->element;
    switch (MEANINGS[element].end) {
    case END_BLOCK:
        if (has_in_scope(b, element, SCOPE)) {
            close_implied(b, IMPLIED, OTHER);
            pop_until(b, element);
        }
        break;
    case END_FORM:
        end_form(b);
        break;
    case END_PARAGRAPH:
        if (!has_in_scope(b, E_p, FOR_PARAGRAPH)) {
            insert_implied(b, E_p);
        }
        close_paragraph(b);
        break;
    case END_ITEM:
        if (has_in_scope(b, element, element == E_li ? FOR_ITEM : SCOPE)) {
            close_implied(b, IMPLIED, element);
            pop_until(b, element);
        }
        break;
    case END_HEADING:
        if (has_flagged_in_scope(b, HEADING, SCOPE)) {
            close_implied(b, IMPLIED, OTHER);
            pop_until_flagged(b, HEADING);
        }
        break;
    case END_FORMAT:
        close_format(b, tag);
        break;
    case END_OBJECT:
        if (has_in_scope(b, element, SCOPE)) {
            close_implied(b, IMPLIED, OTHER);
            pop_until(b, element);
            clear_to_marker(b);
        }
        break;
    case END_BREAK: {
        const Tag br = {.element = E_br};
        reopen_formats(b);
        insert_void(b, &br);
        break;
    }
    case END_TEMPLATE:
        end_template(b);
        break;
    case END_ORDINARY:
    case END_OF_TABLE:
        close_other(b, tag);
        break;
    case END_OF_BODY: /* what follows is put into it all the same */
        if (has_in_scope(b, E_body, SCOPE)) {
            place_end(b, b->stack[element == E_html ? 0 : 1].place, tag->whole);
        }
        break;
    }
}

void in_body(Builder *b, const Tag *tag)
{
    if (tag->is_end) {
        end_in_body(b, tag);
    } else {
        start_in_body(b, tag);
    }
}
