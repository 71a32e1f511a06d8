/* The main loop over the source: texts, tags, and skipped markup. */

#include "canonicalise.h"

#include "html.h"

#include <stdlib.h>
#include <string.h>

static int is_cell_like(Mode mode)
{
    return mode == IN_BODY || mode == IN_CELL || mode == IN_CAPTION || mode == IN_TEMPLATE;
}

static int is_number(const Builder *b, Slice text)
{
    return text.stop - text.start > 1 && b->in[text.start] == '&' && b->in[text.start + 1] == '#';
}

static void add_text(Builder *b, Slice text)
{
    const int in_drawing = b->depth && top_of(b)->space != IN_HTML && !top_of(b)->integration;
    if (in_drawing) {
        put_text(b, text);
        return;
    }
    if (is_cell_like(b->mode)) {
        reopen_formats(b);
        put_text(b, text);
        return;
    }
    Slice white = {text.start, text.start};
    while (white.stop < text.stop && is_space(b->in[white.stop])) {
        white.stop++;
    }
    if (b->mode > BEFORE_HEAD) {
        put_text(b, white);
    }
    text.start = white.stop;
    if (text.start == text.stop) {
        return;
    }
    b->has_doctype = 1; /* too late for one */
    /* Elsewhere in tables text is put before them; a reference may be white space; and which part of
     * the text is still in the <noscript> is not what the standard says (turbohtml 1.15). */
    if (b->mode == IN_HEAD_NOSCRIPT || b->mode > AFTER_HEAD || is_number(b, text)) {
        refuse(b);
        return;
    }
    while (b->mode != IN_BODY) {
        go_on(b);
    }
    reopen_formats(b);
    put_text(b, text);
}

static int by_mode(Builder *b, const Tag *tag)
{
    if (b->mode < IN_BODY) {
        return before_body(b, tag);
    }
    if (b->mode == IN_TEMPLATE) {
        return in_template(b, tag);
    }
    if (b->mode > IN_BODY) {
        return in_table(b, tag);
    }
    in_body(b, tag);
    return 0;
}

static void add_tag(Builder *b, const Tag *tag)
{
    b->ending = tag->is_end ? tag : NULL;
    for (int again = 1; again && !b->is_refused;) {
        again = b->depth && is_foreign(b, tag) ? in_foreign(b, tag) && by_mode(b, tag)
                                               : by_mode(b, tag);
    }
    b->ending = NULL;
}

/* Whether it may be a processing instruction, which those for XML are not. */
static int is_instruction(const uint8_t *at, size_t n)
{
    const int is_xml = n > 5 && is_word(at + 2, 3, "xml") && (is_space(at[5]) || at[5] == ':');
    return at[1] == '?' && n > 2 && (at[2] >= 0x80 || is_letter(at[2]) || at[2] == '_') && !is_xml;
}

/* Process what begins at the `<`; returns whether it is markup, not text. */
static int add_markup(Builder *b)
{
    const size_t left = b->n - b->at;
    const uint8_t *at = b->in + b->at;
    if (left < 2) {
        return 0;
    }
    if (is_letter(at[1]) || (at[1] == '/' && left > 2 && is_letter(at[2]))) {
        Tag tag;
        const size_t end = read_tag(b, b->at, &tag);
        b->at = end > b->n ? b->n : end;
        if (end <= b->n) {
            b->has_doctype = 1; /* too late for one */
            add_tag(b, &tag);
        }
        return 1;
    }
    if (at[1] == '!' || at[1] == '?' || (at[1] == '/' && left > 2)) {
        const int in_drawing = b->depth && top_of(b)->space != IN_HTML;
        if ((b->depth && is_instruction(at, left)) || at[1] == '/'
            || (in_drawing && at[1] == '!' && left > 2 && at[2] == '[')) {
            refuse(b); /* the parser keeps processing instructions, and drawings have CDATA */
        }
        b->at = skip_declaration(b, b->at);
        return 1;
    }
    return 0;
}

static void finish(Builder *b)
{
    while (b->n_template && !b->is_refused) {
        end_template(b);
    }
    while (b->mode < IN_BODY && !b->is_refused) {
        go_on(b);
    }
    while (b->depth && !b->is_refused) {
        pop(b);
    }
}

int64_t canonicalise(const uint8_t *source, size_t n, const Canonical *to, int asks)
{
    if (n && memchr(source, 0, n)) {
        return REFUSED;
    }
    /* Too large for the stack of a thread, which may have only 128 KiB. */
    Builder *b = calloc(1, sizeof *b);
    if (!b) {
        return REFUSED;
    }
    b->in = source, b->n = n;
    b->out = to->out, b->room = to->room;
    b->tags = to->tags, b->element_room = to->element_room;
    b->first_newline = SIZE_MAX;
    b->asks = asks;
    fill_names(&b->names);
    while (b->at < n && !b->is_refused) {
        const size_t start = b->at;
        size_t stop = start + (source[start] == '<');
        if (source[start] == '<' && add_markup(b)) {
            continue;
        }
        const uint8_t *next = memchr(source + stop, '<', n - stop);
        stop = next ? (size_t)(next - source) : n;
        b->at = stop;
        add_text(b, (Slice){start, stop});
    }
    finish(b);
    *to->n_element = (int64_t)b->n_element;
    const int64_t size = b->is_refused ? b->is_refused : (int64_t)b->n_out;
    free(b);
    return size;
}
