/* The steps of writers in plain C; core.h has the rules for all steps. */

#ifndef THRESHER_WRITERS_H
#define THRESHER_WRITERS_H

#include <stddef.h>
#include <stdint.h>

#include "../core.h"

/* What a tag is to writers, by its code; thresher.writers.outline.structure packs these. */
enum {
    IS_STRUCTURE = 1 << 0,
    IS_TABLE_PART = 1 << 1,
    IS_CELL = 1 << 2,
    IS_TABLE_ROW = 1 << 3,
    IS_LIST = 1 << 4,
    IS_DESCRIPTIONS = 1 << 5,
    IS_ONE_LINE = 1 << 6,
    IS_TEXT_HOLDER = 1 << 7,
    IS_PARAGRAPH = 1 << 8,
    IS_BLOCK = 1 << 9,
    FIRST_PART = 1 << 12, /* four bits: parts that mean nothing outside of their whole */
    FIRST_WHOLE = 1 << 16 /* four bits: the wholes */
};

/* Columns and views of a page, [n_row], [n_row + 1] or [n_leaf]. */
typedef struct {
    const uint8_t *buffer;
    const int16_t *tag;
    const int32_t *parent, *end, *open_start, *leaf_offset, *leaves, *block_of_leaf;
    size_t n_byte, n_row, n_leaf;
} Leafed;

/* The kept leaves of a page: each array has room for n_leaf, `start` for one more; holds[n_row]. */
typedef struct {
    int32_t *kept, *start, *of_leaf, *first_row, *last_row;
    uint8_t *gaps, *holds, *tags; /* tags[n_code] */
    size_t n_code;
} Kept;

/* outline.c */
int64_t group_kept(const Leafed *page, const uint8_t *keep, const uint8_t *gaps,
                   const uint8_t *closing, const Kept *kept);

/* Properties of the rows of a page, [n_row], and of the kept runs, [n_run]. */
typedef struct {
    const int32_t *kind_of; /* [n_code] */
    size_t n_code;
    const int16_t *written_as;
    const uint8_t *holds, *preformatted, *in_data;
    const int32_t *block_row; /* [n_block] */
    size_t n_block;
    const int32_t *first_leaf; /* [n_run] */
    size_t n_run;
} Known;

/* How rows and runs are written; the scratch is [n_row + 1] each. */
typedef struct {
    uint8_t *structure, *crossing, *bare;
    int32_t *container, *nearest, *count;
} Laid;

int64_t lay_out_rows(const Leafed *page, const Known *known, const Laid *laid);

/* What a tag is where pieces are put, by its code; thresher.writers.fragment.slices packs these. */
enum {
    IS_INLINE = 1 << 0,
    FIRST_GROUP = 1 << 1, /* four bits: names of which one inside another adds nothing */
    N_GROUP = 4,
    IS_BOLD = FIRST_GROUP,
    IS_CODE = FIRST_GROUP << 2,
    IS_LINK = 1 << 5,
    IS_HEADING = 1 << 6,
    ENDS_BLOCK = 1 << 7,
    IS_POINT = 1 << 8,
    HOLDS_ITEMS = 1 << 9,
    HOLDS_TERMS = 1 << 10
};

/* What is said of single rows; thresher.writers.fragment.slices has these. */
enum { ELSEWHERE = 1, LINKED = 2, UNLINKED = 4, UNMARKED = 8, SPANNED = 16, UNOPENED = 32, UNCLOSED = 64 };

/* The columns of a page, [n_row], with leaf_offset[n_row + 1]. */
typedef struct {
    const uint8_t *buffer;
    const int16_t *tag;
    const int32_t *parent, *end, *depth, *open_start, *open_stop, *close_start, *close_stop,
        *leaf_offset;
    size_t n_byte, n_row;
} Marked;

/* How a page is laid out: of rows [n_row], of kept leaves [n_kept], of runs [n_run]. */
typedef struct {
    const int32_t *kind_of; /* [n_code] */
    size_t n_code;
    const int16_t *written_as;
    const uint8_t *holds, *structure, *crossing, *preformatted, *said;
    const int32_t *rows, *run_of; /* [n_kept]: the row of each leaf, and its run */
    const uint8_t *gaps;
    size_t n_kept;
    const int32_t *container, *first_row, *last_row;
    const uint8_t *bare;
    size_t n_run;
    int has_links;
    int32_t long_tag;
} Outline;

/* The pieces: the position of each, and its content: a slice, the number of a literal, or a row. */
typedef struct {
    int64_t *key;
    int32_t *start, *stop;
    size_t n, n_room;
} Pieces;

/* fragment.c */
int64_t find_plain_pieces(const Marked *page, const Outline *outline, int32_t *outermost, int32_t *opens,
                  int32_t *closes, Pieces *pieces);

/* pieces.c: slices of a buffer, each `order[i]` the place of the next one, and literals for those that
 * stop below 0; returns how many bytes they have, written where there is room for all. */
typedef struct {
    const uint8_t *buffer;
    size_t n_byte;
    const int64_t *order; /* [n] */
    const int32_t *start, *stop;
    size_t n;
} Slices;

typedef struct {
    const uint8_t *bytes;
    size_t n_byte;
    const int32_t *offset; /* [n + 1] */
    size_t n;
} Literals;

int64_t join_pieces(const Slices *slices, const Literals *literals, uint8_t *joined, size_t n_room);

/* tidying.c: names in the order of their words, and what stays of which tag. */
typedef struct {
    const uint64_t *words; /* [n, 2] */
    size_t n;
} NameTable;

typedef struct {
    NameTable tags, attributes;
    const uint32_t *allowed; /* [n_tag]: a bit for each attribute */
    uint32_t ids;            /* the bit of those that only marks of notes are */
} NameRules;

typedef struct {
    uint8_t *bytes;
    size_t n, n_room;
} Tidied;

int64_t tidy_markup(const uint8_t *markup, size_t n, const NameRules *rules, Tidied *out);

#endif
