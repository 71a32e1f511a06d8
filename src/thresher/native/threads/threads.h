/* Steps that find threads in plain C: thresher.analysis.threads. core.h has the rules for all steps. */

#ifndef THRESHER_THREADS_H
#define THRESHER_THREADS_H

#include "../core.h"

/* What has names: attributes with their rows and values, of which some are classes and some are ids,
 * and rows with their tags. */
typedef struct {
    const uint8_t *buffer;
    const int32_t *row, *start, *stop; /* [n_attribute] */
    const int64_t *classes, *ids;      /* [n_class], [n_id]: attributes */
    const int16_t *tag;                /* [n_row] */
    const int32_t *open_start, *open_stop;
    size_t n_byte, n_attribute, n_class, n_id, n_row;
    int64_t other, max_bytes; /* the tag of elements without a code, bytes read of one name */
} Named;
/* The names: of each entry its row and value, [n_room]; where each value starts and stops. */
typedef struct {
    int32_t *row, *value, *start, *stop;
    uint8_t *bare;      /* [n_byte]: the values without their digits, each followed by NUL */
    int32_t *bare_start, *bare_stop; /* where each starts and stops there */
    int64_t *sizes;     /* [2]: entries, values */
    size_t n_room;
} RowNames;
/* names.c: returns the bytes of `bare`; entry_start[n_room] and entry_stop[n_room] are scratch memory. */
int64_t read_row_names(const Named *page, const Distinct *distinct, int32_t *entry_start,
                       int32_t *entry_stop, const RowNames *names);

/* The bits of each row's tag, and of its values: those of value[i] for row[i]. */
typedef struct {
    const int32_t *row, *value; /* [n_entry] */
    const uint16_t *of_value;   /* [n_value] */
    const int16_t *tag;         /* [n_row] */
    const uint16_t *of_tag;     /* [n_code] */
    size_t n_entry, n_value, n_row, n_code;
} Marks;
int mark_rows(const Marks *marks, uint16_t *bits);

/* namesakes.c: entries of rows and values, each of which has some stems: those of value v end at
 * stem_stop[v]; and the rows of articles, which have the stem `article` too. */
typedef struct {
    const int32_t *row, *value; /* [n_entry] */
    const int64_t *stem_stop;   /* [n_value] */
    const int64_t *stems;       /* [n_stem] */
    const int16_t *tag;         /* [n_row] */
    const int64_t *articles;    /* [n_article] */
    size_t n_entry, n_value, n_stem, n_row, n_article;
    int64_t article, n_tag;
} Stems;
/* Groups in the order in which they first occur: their key, stem * n_tag + tag, and where they stop in
 * rows[n_room]; those of a group are in order. */
typedef struct {
    int64_t *keys, *stop, *rows; /* [n_room] */
    int64_t *n_group;
    size_t n_room;
} Namesakes;
/* Scratch memory: table[n_place], a power of two above n_room; row, group and order of each pair of a
 * row and a stem, and how many rows a group has, [n_room]; before[n_row + 1]. */
typedef struct {
    int32_t *table, *row, *group, *order, *count, *before;
    size_t n_place;
} Pairs;
/* Returns the number of rows. */
int64_t group_namesakes(const Stems *stems, const Pairs *pairs, const Namesakes *out);

/* groups.c: the rows of groups, rows[n], group g from start[g] to stop[g], in the order of the page. */
typedef struct {
    const int64_t *rows, *start, *stop; /* [n], [n_group] */
    const uint8_t *member;              /* [n_row]: the rows that count */
    const int32_t *parent, *end;
    size_t n, n_group, n_row;
    int64_t levels_up;
} RowGroups;
/* The members of each group, and these raised, [n_room]; how many there are, and whether they are beside
 * each other, [n_group]. */
typedef struct {
    int64_t *members, *raised, *sizes;
    uint8_t *is_beside;
    size_t n_room;
} Raised;
int raise_groups(const RowGroups *groups, const Raised *out);

/* years.c: texts[n] of a page's text, in characters, with the lengths that count for its limit. */
typedef struct {
    const int32_t *start, *stop, *chars;
    size_t n;
    int64_t max_chars;
} ShortTexts;
/* Those in which a year begins -> found[n]; returns how many. */
int64_t find_years(const uint8_t *utf8, size_t n_byte, const ShortTexts *texts, int32_t *found);

#endif
