/* HTML source -> canonical HTML, for markup whose tree grows at its end only.
 *
 * Tree construction of the HTML Living Standard (13.2.6), scripts turned off, without a tree: what
 * is inserted is written at once, and an element that is popped gets its end tag. What would have to
 * be inserted before something written (foster parenting, formatting misnested around a block) is
 * refused, and so are rare constructs; the parser handles those pages. */

#ifndef THRESHER_HTML_H
#define THRESHER_HTML_H

#include "../byte_kinds.h"
#include "canonicalise.h"
#include "elements.h"

#include <stddef.h>
#include <stdint.h>

enum {
    MAX_DEPTH = 256,      /* of open elements; ordinary pages have below 100 */
    MAX_ATTRIBUTES = 64,  /* of a tag */
    MAX_FORMATS = 64,     /* of active formatting elements */
    MAX_TEMPLATES = 16,   /* one in another */
    MAX_MOVED = 8,        /* times that an open <html> or <body> is given attributes */
    MAX_ADDED = 4096      /* bytes of them, each time */
};

typedef enum { IN_HTML, IN_SVG, IN_MATH } Space;

/* Where content of a foreign element is parsed as HTML. */
typedef enum { NOT_INTEGRATED, TEXT_INTEGRATED, HTML_INTEGRATED } Integration;

typedef struct {
    size_t start, stop; /* in the source */
} Slice;

typedef struct {
    Slice name, value;
} Attribute;

typedef struct {
    Element element;
    Slice whole, name; /* the first is empty for an implied tag */
    int is_end, closes_itself;
    size_t n_attribute;
    Attribute attributes[MAX_ATTRIBUTES];
} Tag;

/* An open element. */
typedef struct {
    Element element; /* FOREIGN for all that are not of HTML */
    Space space;
    Integration integration;
    uint32_t flags;
    uint32_t number;       /* of the elements in the order they were opened; for identity */
    int is_gone;           /* taken off the stack with others still open in it */
    size_t start, n_name;  /* of its start tag in the output */
    size_t place;          /* among all elements */
} Open;

/* An active formatting element; one without a number is a marker. */
typedef struct {
    Element element;
    uint32_t number;
    size_t start, size; /* of its start tag in the output */
} Format;

typedef enum {
    BEFORE_HTML,
    BEFORE_HEAD,
    IN_HEAD,
    IN_HEAD_NOSCRIPT,
    AFTER_HEAD,
    IN_BODY,
    IN_TABLE,
    IN_CAPTION,
    IN_COLUMN_GROUP,
    IN_TABLE_BODY,
    IN_ROW,
    IN_CELL,
    IN_TEMPLATE
} Mode;

typedef enum { QUIRKS, NO_QUIRKS, UNKNOWN_QUIRKS } Quirks;

typedef struct {
    const uint8_t *in;
    size_t n, at;
    uint8_t *out;
    size_t n_out, room;
    int32_t (*tags)[4]; /* start and stop of each element's tags in the source, -1 without */
    size_t n_element, element_room;
    const Tag *ending;  /* the end tag that is looked at */
    int is_refused; /* returned instead of a size, and sticky; nothing more is written */
    int asks;       /* stop at raw-text elements self-closed as in XML */
    ElementNames names;
    Mode mode;
    Quirks quirks;
    int has_doctype;
    Open stack[MAX_DEPTH];
    size_t depth;
    uint32_t n_opened;
    Format formats[MAX_FORMATS];
    size_t n_format;
    Mode template_modes[MAX_TEMPLATES];
    size_t n_template;
    int is_narrow;        /* known to have no character beyond Latin-1 */
    size_t n_moved;
    uint32_t form;        /* number of the open form, 0 for none */
    size_t head_stop;     /* in the output, where the head ended */
    size_t first_newline; /* in the output, behind a start tag that a newline is doubled after */
    uint8_t kept[MAX_ADDED]; /* attributes on their way to a tag that was written before */
} Builder;

static inline int is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}
/* Whether bytes are this lower-case text, in any case. */
int is_word(const uint8_t *at, size_t n, const char *word);

/* markup.c: markup at a `<`. Each returns where it ends; the end of the source if truncated. */
size_t read_tag(const Builder *b, size_t at, Tag *tag);
size_t skip_declaration(Builder *b, size_t at);
/* Where the end tag of this element starts, which is text up to there; the end of the source. */
size_t find_raw_end(const Builder *b, size_t at, const char *name);
size_t find_script_end(const Builder *b, size_t at);
/* The value of an attribute, empty where there is none. */
Slice value_of(const Builder *b, const Tag *tag, const char *name);

/* references.c: the reference at the ampersand `at`. Writes it, and returns where it ends; one byte on
 * where it is none, with nothing written. */
size_t read_reference(Builder *b, size_t at, size_t stop, int in_attribute, uint32_t *point);

/* output.c */
void put(Builder *b, const void *bytes, size_t n);
void put_text(Builder *b, Slice text);
void put_start_tag(Builder *b, const Tag *tag, Space space);
void add_attributes(Builder *b, size_t depth, const Tag *tag);
/* places.c: the next element of the output, and where its start tag is in the source, if it is there. */
void place_element(Builder *b, Slice start_tag);
/* The end tag of an element, unless the element itself is not in the source. */
void place_end(Builder *b, size_t place, Slice end_tag);

/* stack.c */
Open *top_of(Builder *b);
int is_top(Builder *b, Element element);
void push(Builder *b, Element element, Space space, size_t start, size_t n_name);
void pop(Builder *b);
void pop_until(Builder *b, Element element);
void pop_until_flagged(Builder *b, uint32_t flags);
void drop(Builder *b, uint32_t number);
int has_in_scope(const Builder *b, Element element, uint32_t edges);
int has_flagged_in_scope(const Builder *b, uint32_t flags, uint32_t edges);
int has_open(const Builder *b, Element element);
int is_name_of(const Builder *b, const Open *open, Slice name);
void close_implied(Builder *b, uint32_t flags, Element but);
void insert(Builder *b, const Tag *tag);
void insert_void(Builder *b, const Tag *tag);
void insert_implied(Builder *b, Element element);
void insert_foreign(Builder *b, const Tag *tag, Space space);

/* formatting.c */
void add_format(Builder *b);
void add_marker(Builder *b);
void clear_to_marker(Builder *b);
void reopen_formats(Builder *b);
void close_other(Builder *b, const Tag *tag);
void close_format(Builder *b, const Tag *tag);
void close_link(Builder *b);

/* before_body.c, in_body.c, in_table.c, foreign.c: a tag, by the mode. They return whether it is to be
 * looked at again, in the mode that is set then. */
int before_body(Builder *b, const Tag *tag);
int go_on(Builder *b);
void head_element(Builder *b, const Tag *tag);
void raw_element(Builder *b, const Tag *tag);
void text_element(Builder *b, const Tag *tag);
void in_body(Builder *b, const Tag *tag);
void end_template(Builder *b);
int in_table(Builder *b, const Tag *tag);
int in_template(Builder *b, const Tag *tag);
void reset_mode(Builder *b);
int is_foreign(Builder *b, const Tag *tag);
int in_foreign(Builder *b, const Tag *tag);
/* Spell names of SVG as it has them. */
const char *spell_tag(const uint8_t *name, size_t n);
const char *format_attribute(const uint8_t *name, size_t n, Space space);

static inline void refuse(Builder *b)
{
    b->is_refused = b->is_refused ? b->is_refused : REFUSED;
}
/* Whether there is room for so many bytes more; without it nothing more is written. */
static inline int has_room(Builder *b, size_t n)
{
    if (n > b->room - b->n_out && !b->is_refused) {
        b->is_refused = TOO_LONG;
    }
    return n <= b->room - b->n_out;
}

#endif
