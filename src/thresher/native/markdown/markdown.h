/* Markup as Markdown, in plain C: thresher.writers.markdown. core.h has the rules for all steps.
 *
 * Runs with code, formulas or other rare elements, tables, blocks of code, definitions, summaries and
 * callouts are given as Python renders them; markup with notes and other elements is refused. Events and
 * tokens are those of thresher.writers.stream; what is a string there is a slice of one buffer of texts
 * here, with the same marks in it. */

#ifndef THRESHER_MARKDOWN_H
#define THRESHER_MARKDOWN_H

#include <stddef.h>
#include <stdint.h>

#include "../byte_kinds.h"
#include "../bytes.h"
#include "../core.h"

enum { MAX_DEPTH = 32, MAX_PREFIX = 128 };

/* characters.c */

/* The bytes of Markdown's white space, which the flow of a text collapses. */
static inline int is_ascii_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r';
}

enum { IS_OTHER, IS_ALNUM, IS_SPACE, IS_SIGN, IS_UNKNOWN };

/* The point of the character that begins at, or ends before, a place; its bytes in `size`. */
uint32_t point_at(const uint8_t *bytes, size_t n, size_t at, size_t *size);
uint32_t point_before(const uint8_t *bytes, size_t at, size_t *size);
/* White space as Python's str.isspace has it. */
int is_space(uint32_t point);
/* The class of a character; IS_UNKNOWN if the codes do not tell it. */
int class_of(uint32_t point, const uint16_t *codes);
/* Whether it may be a decimal digit beyond ASCII. */
int may_be_digit(uint32_t point, const uint16_t *codes);
/* Punctuation that has no spaces beside it. */
int is_wide(uint32_t point);

/* tags.c */

typedef struct {
    const uint8_t *name;
    size_t n_name, attributes, stop; /* places: behind the name, behind the tag */
    int is_end;
} Tag;

typedef struct {
    size_t start, stop;
    int found;
} Value;

/* Read the tag that begins at a place; 0 if it is none of the usual form. */
int read_fragment_tag(const uint8_t *markup, size_t n, size_t at, Tag *tag);
int is_named(const Tag *tag, const char *name);
/* The value of an attribute, the last of several. */
Value find_value(const uint8_t *markup, const Tag *tag, const char *name);
/* The address of a link or image. */
Value find_address(const uint8_t *markup, const Tag *tag);
/* Append a text with its references replaced; 0 for unusual ones. */
int put_unescaped(Text *out, const uint8_t *markup, Value value);
/* Drop soft hyphens, and spaces without a width that part no words; return the new end. */
size_t drop_invisible(uint8_t *bytes, size_t begin, size_t end);

/* Append what an attribute shows: without what is invisible, white space collapsed. */
int put_collapsed(Text *out, const uint8_t *markup, Value value);

/* survey.c */

/* Addresses: of links and images, and those that are written as they stand. Parts that Python renders: a
 * run, also in a heading, a table, code, definitions, a run in a summary, a callout. */
enum {
    PLACE_LINK,
    PLACE_IMAGE,
    PLACE_PLAIN_ADDRESS,
    PLACE_RUN,
    PLACE_HEADING,
    PLACE_TABLE,
    PLACE_CODE,
    PLACE_DEFINITIONS,
    PLACE_SUMMARY,
    PLACE_CALLOUT
};

typedef struct {
    int64_t *start, *stop, *kind; /* [n_room] */
    size_t n, n_room;
} Places;

/* Find the addresses and the rare parts of markup, in order; REFUSED if there is more that is rare. */
int64_t survey_markup(const uint8_t *markup, size_t n, Places *places);

/* stream.c; its inline elements are in spans.c */

/* What Python rendered: a part of the markup as one or several blocks, of which all but the last end
 * where they start. A block is a run, a run in a heading, or any other; or nothing; or a callout. */
typedef struct {
    const int64_t *start, *stop, *kind, *text_stop; /* [n] */
    const uint8_t *texts;
    size_t n;
} Given;
enum { GIVEN_RUN, GIVEN_HEADING, GIVEN_BLOCK, GIVEN_TABLE, GIVEN_NOTHING, GIVEN_CALLOUT };

enum { OPEN, CLOSE, RUN, RULE, GIVEN };
enum { TEXT, LINK, LINK_END, BREAK, IMAGE };
enum { NO_TAG, LIST, NUMBERED_LIST, ITEM, QUOTE, HEADING, OTHER_BLOCK = HEADING + 7 };

static inline int is_heading(int32_t tag)
{
    return tag > HEADING && tag < OTHER_BLOCK;
}

typedef struct {
    /* Tokens of runs; `start` is also the first number of a list, or the number of a given block,
     * whose kind is in `tag`. */
    int32_t kind, tag, start, stop;
} Event;

typedef struct {
    int32_t kind, start, stop, title_stop, link; /* a title, if any, is behind the text */
} Token;

typedef struct {
    Event *events;
    Token *tokens;
    Text texts;
    size_t n_event, n_token, event_room, token_room;
} Stream;

/* Read the events of markup; 0 if it is not plain. */
int read_stream(const uint8_t *markup, size_t n, const int64_t *url_stop, size_t n_url,
                const Given *given, Stream *out);

/* inline.c, emphasis.c, blocks.c */

typedef struct {
    const Stream *stream;
    const Given *given;
    const uint8_t *urls;
    const int64_t *url_stop; /* [n_url] */
    const uint16_t *codes;   /* [0x10000 + 1] */
    Text flow, written, run; /* a text, the run written so far, the run when it is done */
    uint8_t *signs;          /* a byte for each mark of a run */
    size_t n_sign_room;
} Writer;

/* escapes.c: put words with their white space collapsed, URLs and titles. */
void put_escaped(Text *out, const uint8_t *bytes, size_t n, int in_link);
void put_url(Text *out, const uint8_t *url, size_t n);
void put_title(Text *out, const Writer *writer, int32_t start, int32_t stop);
/* Put the sign that would begin a block, escaped, if there is one; returns its size, REFUSED if the
 * codes do not tell. */
int64_t put_line_sign(Text *out, const uint8_t *words, size_t n, const uint16_t *codes);

/* addresses.c: whether all readers take an address in angle brackets for one. */
int is_shown_address(const uint8_t *url, size_t n);
/* Write an address between a place in `written` and its end so that readers do not find it. */
void end_address(Writer *writer, size_t start);

/* dollars.c: replace the marks of dollar signs in `written` by these, escaped where a formula could
 * open; 0 if it cannot. */
int write_dollars(Writer *writer);

/* Write the Markdown of tokens into `run`; 0 if it cannot. */
int write_run(Writer *writer, int32_t start, int32_t stop, int in_heading);
/* Replace the marks in `written`, into `run`. */
int write_emphasis(Writer *writer, int begins_line);
int64_t write_blocks(Writer *writer, uint8_t *loose, uint8_t *leading, Text *out);

/* The marks of thresher.writers.stream.markup. */
static const uint8_t DOLLAR_MARK[] = {0xF1, 0x9F, 0xBF, 0xBF};
enum { FIRST_MARK = 0x90, LAST_MARK = 0x95, MARK_BYTES = 3 };

/* Whether a mark of emphasis begins here; the even ones open. */
static inline int is_mark(const uint8_t *bytes, size_t n, size_t at)
{
    return bytes[at] == 0xEF && at + 2 < n && bytes[at + 1] == 0xB7
           && bytes[at + 2] >= FIRST_MARK && bytes[at + 2] <= LAST_MARK;
}

/* The first place from one on at which no mark begins. */
static inline size_t skip_marks(const uint8_t *bytes, size_t n, size_t at)
{
    while (at < n && is_mark(bytes, n, at)) {
        at += MARK_BYTES;
    }
    return at;
}

#endif
