/* The modes up to the body, and the elements of the head (13.2.6.4.1 to 6). */

#include "html.h"

#include <string.h>

enum { MAX_BEHIND_HEAD = 256 };

/* Write a raw-text element, with its content or without. */
static void put_raw(Builder *b, const Tag *tag, size_t end, int keeps_text)
{
    const char *name = MEANINGS[tag->element].name;
    if (b->asks && tag->closes_itself && !b->is_refused) {
        b->is_refused = CLOSED_AS_XML;
        return;
    }
    put_start_tag(b, tag, IN_HTML);
    const size_t place = b->n_element - 1;
    if (keeps_text) {
        b->first_newline = tag->element == E_textarea ? b->n_out : b->first_newline;
        put_text(b, (Slice){b->at, end});
    }
    put(b, "</", 2);
    put(b, name, MEANINGS[tag->element].n_name);
    put(b, ">", 1);
    b->at = end;
    if (end < b->n) {
        Tag closing;
        const size_t next = read_tag(b, end, &closing);
        b->at = next < b->n ? next : b->n;
        if (next <= b->n) {
            place_end(b, place, closing.whole);
        }
    }
}

void raw_element(Builder *b, const Tag *tag)
{
    const char *name = MEANINGS[tag->element].name;
    put_raw(b, tag, find_raw_end(b, b->at, name), 0);
}

void text_element(Builder *b, const Tag *tag)
{
    const char *name = MEANINGS[tag->element].name;
    const size_t end = find_raw_end(b, b->at, name);
    put_raw(b, tag, end, 1);
}

/* Scripts that hold a formula are kept, and left to the parser. */
static int is_formula(const Builder *b, const Tag *tag)
{
    const Slice type = value_of(b, tag, "type");
    for (size_t at = type.start; at + 5 <= type.stop; at++) {
        if (is_word(b->in + at, 5, "math/")) {
            return 1;
        }
    }
    return 0;
}

void head_element(Builder *b, const Tag *tag)
{
    switch (tag->element) {
    case E_title:
        text_element(b, tag);
        break;
    case E_noframes:
    case E_style:
        raw_element(b, tag);
        break;
    case E_script:
        if (is_formula(b, tag)) {
            refuse(b);
            return;
        }
        put_raw(b, tag, find_script_end(b, b->at), 0);
        break;
    case E_template:
        if (b->n_template == MAX_TEMPLATES) {
            refuse(b);
            return;
        }
        insert(b, tag);
        add_marker(b);
        b->mode = b->template_modes[b->n_template++] = IN_TEMPLATE;
        break;
    default:
        insert_void(b, tag);
    }
}

static void end_head(Builder *b)
{
    b->head_stop = b->n_out;
    pop(b);
    b->mode = AFTER_HEAD;
}

static void start_body(Builder *b)
{
    insert_implied(b, E_body);
    b->mode = IN_BODY;
}

/* Move an element that comes after the head into it, before </head> and white space. */
static void put_into_head(Builder *b, const Tag *tag)
{
    const size_t written = b->n_out, n_behind = written - b->head_stop;
    uint8_t behind[MAX_BEHIND_HEAD];
    if (n_behind > sizeof behind || tag->element == E_template) {
        refuse(b);
        return;
    }
    head_element(b, tag);
    if (b->is_refused) {
        return;
    }
    const size_t size = b->n_out - written;
    uint8_t *at = b->out + b->head_stop;
    memcpy(behind, at, n_behind);
    memmove(at, at + n_behind, size);
    memcpy(at + size, behind, n_behind);
    b->head_stop += size;
}

/* What anything else leads to. */
int go_on(Builder *b)
{
    switch (b->mode) {
    case BEFORE_HTML:
        insert_implied(b, E_html);
        b->mode = BEFORE_HEAD;
        break;
    case BEFORE_HEAD:
        insert_implied(b, E_head);
        b->mode = IN_HEAD;
        break;
    case IN_HEAD_NOSCRIPT:
        pop(b);
        b->mode = IN_HEAD;
        break;
    case IN_HEAD:
        end_head(b);
        break;
    default:
        start_body(b);
    }
    return 1;
}

static int end_before_body(Builder *b, Element element)
{
    if (b->mode == IN_HEAD && element == E_head) {
        end_head(b);
        return 0;
    }
    if (b->mode == IN_HEAD_NOSCRIPT && element != E_br) {
        if (element == E_noscript) {
            go_on(b);
        }
        return 0;
    }
    const int is_anything = element == E_body || element == E_html || element == E_br
                            || (element == E_head && b->mode <= BEFORE_HEAD);
    return is_anything ? go_on(b) : 0;
}

int before_body(Builder *b, const Tag *tag)
{
    const Element element = tag->element;
    const Mode mode = b->mode;
    if (tag->is_end) {
        return end_before_body(b, element);
    }
    if (element == E_html && mode == BEFORE_HTML) {
        insert(b, tag);
        b->mode = BEFORE_HEAD;
        return 0;
    }
    if (mode == BEFORE_HTML) {
        return go_on(b);
    }
    /* The parser begins the body (turbohtml 1.15). */
    if (mode == AFTER_HEAD && (element == E_html || element == E_head)) {
        refuse(b);
        return 0;
    }
    if (element == E_html) {
        add_attributes(b, 0, tag);
        return 0;
    }
    if (mode == BEFORE_HEAD && element == E_head) {
        insert(b, tag);
        b->mode = IN_HEAD;
        return 0;
    }
    if (element == E_head && mode != BEFORE_HEAD) {
        return 0;
    }
    if (mode == IN_HEAD_NOSCRIPT) {
        const int is_known = element == E_basefont || element == E_bgsound || element == E_link
                             || element == E_meta || element == E_noframes || element == E_style;
        if (!is_known) {
            return element == E_noscript ? 0 : go_on(b);
        }
        head_element(b, tag);
        return 0;
    }
    if (mode == IN_HEAD && element == E_noscript) {
        insert(b, tag);
        b->mode = IN_HEAD_NOSCRIPT;
        return 0;
    }
    if (mode == AFTER_HEAD && element == E_body) {
        insert(b, tag);
        b->mode = IN_BODY;
        return 0;
    }
    if (mode != BEFORE_HEAD && MEANINGS[element].start == START_IN_HEAD) {
        if (mode == AFTER_HEAD) {
            put_into_head(b, tag);
        } else {
            head_element(b, tag);
        }
        return 0;
    }
    if (MEANINGS[element].start == START_REFUSED) {
        refuse(b);
        return 0;
    }
    return go_on(b);
}
