/* The stack of open elements (13.2.4.2). An element that is popped gets its end tag. */

#include "html.h"

#include <string.h>

Open *top_of(Builder *b)
{
    return &b->stack[b->depth - 1];
}

int is_top(Builder *b, Element element)
{
    return top_of(b)->element == element;
}

void push(Builder *b, Element element, Space space, size_t start, size_t n_name)
{
    if (b->depth == MAX_DEPTH) {
        refuse(b);
        return;
    }
    b->stack[b->depth++] = (Open){
        .element = element,
        .space = space,
        .flags = MEANINGS[element].flags,
        .number = ++b->n_opened,
        .start = start,
        .n_name = n_name,
        .place = b->n_element - 1,
    };
}

/* The end tag belongs to the element of its name that it ends, not to those open in it. */
static void place_if_ended(Builder *b, const Open *open)
{
    if (b->ending && is_name_of(b, open, b->ending->name)) {
        place_end(b, open->place, b->ending->whole);
    }
}

static void close_top(Builder *b)
{
    const Open *open = top_of(b);
    place_if_ended(b, open);
    put(b, "</", 2);
    if (!b->is_refused) {
        put(b, b->out + open->start + 1, open->n_name);
    }
    put(b, ">", 1);
    b->depth--;
}

void pop(Builder *b)
{
    close_top(b);
    while (b->depth && top_of(b)->is_gone) {
        close_top(b);
    }
}

/* There is one in scope, and the root is never popped. */
void pop_until(Builder *b, Element element)
{
    while (b->depth > 1) {
        const Element popped = top_of(b)->element;
        pop(b);
        if (popped == element) {
            return;
        }
    }
}

void pop_until_flagged(Builder *b, uint32_t flags)
{
    while (b->depth > 1) {
        const uint32_t popped = top_of(b)->flags;
        pop(b);
        if (popped & flags) {
            return;
        }
    }
}

/* Remove an element from the stack. Elements open in it are still inside, so its end tag has to wait. */
void drop(Builder *b, uint32_t number)
{
    if (top_of(b)->number == number) {
        pop(b);
        return;
    }
    for (size_t at = b->depth; at-- > 0;) {
        if (b->stack[at].number == number) {
            place_if_ended(b, &b->stack[at]);
            b->stack[at].is_gone = 1;
            b->stack[at].flags = 0;
            b->stack[at].element = FOREIGN; /* which nothing looks for */
        }
    }
}

int has_in_scope(const Builder *b, Element element, uint32_t edges)
{
    for (size_t at = b->depth; at-- > 0;) {
        if (b->stack[at].element == element) {
            return 1;
        }
        if (b->stack[at].flags & edges) {
            return 0;
        }
    }
    return 0;
}

int has_flagged_in_scope(const Builder *b, uint32_t flags, uint32_t edges)
{
    for (size_t at = b->depth; at-- > 0;) {
        if (b->stack[at].flags & flags) {
            return 1;
        }
        if (b->stack[at].flags & edges) {
            return 0;
        }
    }
    return 0;
}

int has_open(const Builder *b, Element element)
{
    return has_in_scope(b, element, 0);
}

int is_name_of(const Builder *b, const Open *open, Slice name)
{
    const size_t n = name.stop - name.start;
    const uint8_t *written = b->out + open->start + 1;
    if (open->n_name != n || open->is_gone) {
        return 0;
    }
    for (size_t at = 0; at < n; at++) {
        if (lower(written[at]) != lower(b->in[name.start + at])) {
            return 0;
        }
    }
    return 1;
}

void close_implied(Builder *b, uint32_t flags, Element but)
{
    while (b->depth > 1 && top_of(b)->flags & flags && top_of(b)->element != but) {
        pop(b);
    }
}

static size_t name_size(const Tag *tag)
{
    return tag->element > FOREIGN ? MEANINGS[tag->element].n_name
                                  : tag->name.stop - tag->name.start;
}

void insert(Builder *b, const Tag *tag)
{
    const size_t start = b->n_out;
    put_start_tag(b, tag, IN_HTML);
    push(b, tag->element, IN_HTML, start, name_size(tag));
}

void insert_void(Builder *b, const Tag *tag)
{
    put_start_tag(b, tag, IN_HTML);
}

void insert_implied(Builder *b, Element element)
{
    const Tag tag = {.element = element};
    insert(b, &tag);
}

void insert_foreign(Builder *b, const Tag *tag, Space space)
{
    const size_t start = b->n_out, n_name = tag->name.stop - tag->name.start;
    const uint8_t *name = b->in + tag->name.start;
    put_start_tag(b, tag, space);
    push(b, FOREIGN, space, start, n_name);
    static const char *const TEXTS[] = {"mi", "mo", "mn", "ms", "mtext"};
    static const char *const HTMLS[] = {"foreignobject", "desc", "title"};
    const char *const *words = space == IN_SVG ? HTMLS : TEXTS;
    const size_t n_word = space == IN_SVG ? 3 : 5;
    Integration integration = NOT_INTEGRATED;
    for (size_t each = 0; each < n_word; each++) {
        if (is_word(name, n_name, words[each])) {
            integration = space == IN_SVG ? HTML_INTEGRATED : TEXT_INTEGRATED;
        }
    }
    /* What is in the first depends on its attributes; the others the parser takes for HTML's, in
     * scopes and where end tags are implied (turbohtml 1.15). */
    const uint32_t confused = IMPLIED | THOROUGHLY | SCOPE | TABLE_SCOPE;
    if (is_word(name, n_name, "annotation-xml") || MEANINGS[tag->element].flags & confused) {
        refuse(b);
    }
    top_of(b)->integration = integration;
    top_of(b)->flags = integration ? SPECIAL | SCOPE | LIST_SCOPE | BUTTON_SCOPE : 0;
    if (tag->closes_itself) {
        pop(b);
    }
}
