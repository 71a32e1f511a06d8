/* The list of active formatting elements (13.2.4.3), which are reconstructed if they were not closed. */

#include "html.h"

#include <string.h>

enum { MAX_ALIKE = 3 };

static int is_open(const Builder *b, uint32_t number)
{
    for (size_t at = b->depth; at-- > 0;) {
        if (b->stack[at].number == number) {
            return !b->stack[at].is_gone;
        }
    }
    return 0;
}

static void forget(Builder *b, size_t at)
{
    b->n_format--;
    memmove(&b->formats[at], &b->formats[at + 1], (b->n_format - at) * sizeof(Format));
}

/* Add the element that was just inserted, and drop the first of four equal ones. Those
 * with attributes in another order would be equal too, but not to the parser (turbohtml 1.15). */
void add_format(Builder *b)
{
    const Open *open = top_of(b);
    const Format added = {open->element, open->number, open->start, b->n_out - open->start};
    size_t n_alike = 0, first = 0;
    if (b->n_format == MAX_FORMATS || b->is_refused) {
        refuse(b);
        return;
    }
    for (size_t at = b->n_format; at-- > 0 && b->formats[at].number;) {
        const Format *other = &b->formats[at];
        if (other->element == added.element && other->size == added.size
            && !memcmp(b->out + other->start, b->out + added.start, added.size)) {
            n_alike++;
            first = at;
        }
    }
    if (n_alike >= MAX_ALIKE) {
        forget(b, first);
    }
    b->formats[b->n_format++] = added;
}

void add_marker(Builder *b)
{
    if (b->n_format == MAX_FORMATS) {
        refuse(b);
        return;
    }
    b->formats[b->n_format++] = (Format){OTHER, 0, 0, 0};
}

void clear_to_marker(Builder *b)
{
    while (b->n_format && b->formats[--b->n_format].number) {
    }
}

void reopen_formats(Builder *b)
{
    size_t at = b->n_format;
    while (at && b->formats[at - 1].number && !is_open(b, b->formats[at - 1].number)) {
        at--;
    }
    for (; at < b->n_format && !b->is_refused; at++) {
        Format *format = &b->formats[at];
        const size_t start = b->n_out;
        place_element(b, (Slice){0, 0});
        put(b, b->out + format->start, format->size);
        push(b, format->element, IN_HTML, start, MEANINGS[format->element].n_name);
        format->number = b->n_opened;
        format->start = start;
    }
}

static Format *find_format(Builder *b, Element element)
{
    for (size_t at = b->n_format; at-- > 0 && b->formats[at].number;) {
        if (b->formats[at].element == element) {
            return &b->formats[at];
        }
    }
    return NULL;
}

void close_other(Builder *b, const Tag *tag)
{
    for (size_t at = b->depth; at-- > 0;) {
        const Open *open = &b->stack[at];
        if (open->space == IN_HTML && is_name_of(b, open, tag->name)) {
            const uint32_t number = open->number;
            close_implied(b, IMPLIED, open->element);
            while (b->depth > 1 && is_open(b, number)) {
                pop(b);
            }
            return;
        }
        if (open->flags & SPECIAL) {
            return;
        }
    }
}

/* The adoption agency algorithm (13.2.6.4.7), without moves: a block within the element is refused. */
void close_format(Builder *b, const Tag *tag)
{
    Format *format = find_format(b, tag->element);
    const uint32_t top = top_of(b)->number;
    if (is_top(b, tag->element) && (!format || format->number != top)) {
        int is_listed = 0;
        for (size_t at = 0; at < b->n_format; at++) {
            is_listed |= b->formats[at].number == top;
        }
        if (!is_listed) {
            pop(b);
            return;
        }
    }
    if (!format) {
        close_other(b, tag);
        return;
    }
    const size_t place = (size_t)(format - b->formats);
    const uint32_t number = format->number;
    if (!is_open(b, number)) {
        forget(b, place);
        return;
    }
    for (size_t at = b->depth; at-- > 0 && b->stack[at].number != number;) {
        if (b->stack[at].flags & SCOPE) {
            return;
        }
    }
    for (size_t at = b->depth; at-- > 0 && b->stack[at].number != number;) {
        if (b->stack[at].flags & SPECIAL) {
            refuse(b);
            return;
        }
    }
    while (is_open(b, number)) {
        pop(b);
    }
    forget(b, place);
}

/* A link ends where another starts. */
void close_link(Builder *b)
{
    const Format *format = find_format(b, E_a);
    if (!format) {
        return;
    }
    const uint32_t number = format->number;
    const Tag tag = {.element = E_a, .is_end = 1};
    close_format(b, &tag);
    for (size_t at = b->n_format; at-- > 0;) {
        if (b->formats[at].number == number) {
            forget(b, at);
        }
    }
    if (is_open(b, number)) {
        drop(b, number);
    }
}
