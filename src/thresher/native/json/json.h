/* The steps that write JSON in plain C: thresher.writers.json. core.h has the
 * rules for all steps. */

#ifndef THRESHER_JSON_H
#define THRESHER_JSON_H

#include "../byte_kinds.h"
#include "../bytes.h"
#include "../core.h"

/* The texts of leaves, [n_leaf], and the gaps before them; offset[n_row + 1] in characters. */
typedef struct {
    const uint8_t *utf8, *gaps;
    const int32_t *offset, *leaves, *stop;
    size_t n_byte, n_leaf;
    int is_ascii;
} LeafTexts;

/* Where reading the texts has come to; at first {0, 0}. */
typedef struct {
    size_t byte;
    int32_t character;
} Position;

/* texts.c: append the text of the leaves start:stop as the inside of a JSON string; 0 if there are none
 * such, or if they are before those written last. */
int put_leaves(const LeafTexts *texts, size_t n_row, int32_t start, int32_t stop, Position *at,
               Text *out);

/* The columns of a page that locate its rows, [n_row]; what tags are called, offset[n_code + 1]. */
typedef struct {
    const uint8_t *buffer, *names;
    const int16_t *tag;
    const int32_t *parent, *depth, *open_start, *open_stop, *nth_of_type, *name_offset;
    int32_t *nth_child, *n_child; /* scratch: elements up to a row in its parent; [n_row + 1] in each */
    size_t n_byte, n_row, n_name_byte, n_code, n_own_row;
    int32_t other, max_depth; /* the code of all names that are not listed; the deepest level */
    int64_t text;             /* the tag of texts */
} Located;

/* Parts of the output that are copied; offset[n + 1]. */
typedef struct {
    const uint8_t *bytes;
    const int32_t *offset;
    size_t n, n_byte;
} Literals;

/* What is written of blocks, [n_block]: `facts` are numbers of literals, or inverted scores, ~score,
 * in steps of 1 / N_SCORE_STEP; [n_fact, n_block], the last of which comes last. */
typedef struct {
    const int32_t *start, *row, *source, *facts;
    Literals literals;
    size_t n, n_fact;
} BlockFacts;

#define PUT(string) put(out, (const uint8_t *)(string), sizeof(string) - 1)

/* strings.c: append bytes of UTF-8 as the inside of a JSON string. */
void put_json(Text *out, const uint8_t *bytes, size_t n);
void put_number(Text *out, int64_t number);
/* Append a literal; 0 if there is none of that number. */
int put_literal(const Literals *literals, int32_t number, Text *out);

/* Append a score from 0 to N_SCORE_STEP, as Python does. */
enum { N_SCORE_STEP = 65536 };
void put_score(Text *out, int32_t score);

/* paths.c: the paths of rows, of which neighbours share the beginning. */
enum { MAX_LEVEL = 256 };
typedef struct {
    Text css, xpath;
    int32_t row[MAX_LEVEL];
    size_t css_stop[MAX_LEVEL], xpath_stop[MAX_LEVEL]; /* where the path of a level ends */
    uint8_t is_foreign[MAX_LEVEL];
    int32_t n_level; /* levels of the row found last */
} Paths;
/* The name of an element; 0 if there is none. */
int find_name(const Located *page, int32_t row, const uint8_t **name, size_t *n);
/* Find the path of an element; 0 if it cannot. */
int find_path(const Located *page, int32_t row, Paths *paths);

/* block_list.c */
int64_t write_block_list(const Located *page, const LeafTexts *texts, const BlockFacts *blocks,
                         Paths *paths, Text *out);

#endif
