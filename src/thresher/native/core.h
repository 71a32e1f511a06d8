/* The compiled steps in plain C: no Python, no state, no recursion, no allocation, except for one
 * block of fixed size in steps that need more than some 4 KiB of scratch, because a thread may have
 * little stack (128 KiB with musl).
 *
 * Each reads and fills arrays of its caller, and checks the bounds of all offsets and numbers in them.
 * For input that it cannot handle it returns REFUSED, and the caller falls back to numpy.
 */

#ifndef THRESHER_CORE_H
#define THRESHER_CORE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define REFUSED (-1)

/* How a long step looks at the clock: its caller does. Once it must stop, what it returns is not
 * used. */
typedef struct {
    int (*look)(void *caller); /* whether the step must stop */
    void *caller;
    size_t n_left; /* items that are done before the next look */
} Clock;

enum { ITEMS_BETWEEN = 1 << 20 }; /* items between two looks, of some nanoseconds each */

/* Count items that are about to be done; whether the step must stop before. */
static inline int is_time_up(Clock *clock, size_t n_item)
{
    if (n_item < clock->n_left) {
        clock->n_left -= n_item;
        return 0;
    }
    clock->n_left = ITEMS_BETWEEN;
    return clock->look(clock->caller);
}

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

/* Prefetch. */
#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)0)
#endif
enum { N_AHEAD = 8 }; /* steps ahead of the read */

/* Failed probes of a hash table that are allowed for so many items. A page can be crafted so that
 * its words collide, because the hash is not secret; by chance there is less than one per
 * item. Beyond this, the step refuses, and numpy sorts. */
static inline int64_t allow_probes(size_t n_item)
{
    return 4096 + 16 * (int64_t)n_item;
}

/* The finaliser of SplitMix64, as in features/hashing.py. */
static inline uint64_t mix(uint64_t value)
{
    value *= GOLDEN;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

/* The place of the lowest bit of a value that is not 0. */
static inline unsigned lowest_bit(uint64_t value)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(value);
#else
    unsigned place = 0;
    while (!(value >> place & 1)) {
        place++;
    }
    return place;
#endif
}

/* The first n bytes, at most 8, of n_left bytes, in little-endian order. */
static inline uint64_t load_word(const uint8_t *bytes, size_t n, size_t n_left)
{
    uint64_t word = 0;
    if (n_left < sizeof word) {
        for (size_t at = 0; at < n && at < n_left; at++) {
            word |= (uint64_t)bytes[at] << 8 * at;
        }
        return word;
    }
    memcpy(&word, bytes, sizeof word);
    return n < sizeof word ? word & (((uint64_t)1 << 8 * n) - 1) : word;
}

/* Known names of tags, as thresher.page.scan packs them. */
typedef struct {
    const uint64_t *words;   /* [n_code, 2]: the bytes of each name, the first in the lowest place */
    const int16_t *code_at;  /* [n_place]: the code of the name that is to be compared with */
    const uint8_t *is_void;  /* [n_code] */
    const uint8_t *eats_newline;
    size_t n_code, n_place;
    uint64_t mix, spread;    /* place = the upper bits of (low ^ high * mix) * spread */
    int32_t other;           /* the code of all other names */
} Names;

/* Columns of `thresher.page.scan.Columns`, each with room for n_room rows. */
typedef struct {
    int16_t *tag;
    int32_t *parent, *end, *depth, *open_start, *open_stop, *close_start, *close_stop;
    size_t n_room;
} Columns;

/* utf8.c: the number of characters of well-formed UTF-8. */
int64_t measure_utf8(const uint8_t *bytes, size_t n);

/* scan.c */
size_t count_rows_at_most(const uint8_t *buffer, size_t n);
int64_t scan_rows(const uint8_t *buffer, size_t n, const Names *names, const Columns *columns);

/* attributes.c */
size_t count_attributes_at_most(const uint8_t *buffer, size_t n);
int64_t find_attributes(const uint8_t *buffer, size_t n, size_t n_row, const int16_t *tag,
                        const int32_t *start, const int32_t *stop, const int32_t *name_bytes,
                        size_t n_code, int32_t *found, size_t n_room);
int pack_words(const uint8_t *buffer, size_t n, size_t n_name, const int32_t *start,
               const int32_t *stop, uint64_t *low, uint64_t *high);

/* Strings of one byte or more, in lower case, one after the other: where each stops. */
typedef struct {
    const uint8_t *bytes;
    size_t n_byte;
    const int32_t *stop;
    size_t n;
} Parts;

/* Find the attributes of each of up to 64 different names of 1 to 31 bytes: those of the first, then
 * of the second …; count[n] of each. which[n_attribute] is scratch. Returns the number of all. */
int64_t find_named(const uint8_t *buffer, size_t n, size_t n_attribute, const int32_t *name_start,
                   const int32_t *start, const Parts *names, uint8_t *which, int64_t *found,
                   int64_t *count);

/* Parts are two bytes or more, in lower case. Find which of up to 64, a bit each,
 * occur in each span, whatever the case of its letters. */
int find_parts(const uint8_t *buffer, size_t n, size_t n_span, const int32_t *start,
               const int32_t *stop, const Parts *parts, uint64_t *found);

/* spans.c: spans[n] by their bytes. n_place is a power of two above n. */
typedef struct {
    int32_t *table;   /* scratch: [n_place] */
    uint64_t *hashes; /* scratch: [n] */
    size_t n_place;
    int32_t *number, *first; /* the number of each span, the first span of each number; [n] */
} Distinct;
/* Returns how many are different; these are numbered in order. */
int64_t number_spans(const uint8_t *buffer, size_t n_byte, const int32_t *start,
                     const int32_t *stop, size_t n, const Distinct *found);

/* text.c: rows[n_row] of a page, of which those with the tag `text` are texts. */
typedef struct {
    const uint8_t *buffer;
    const int16_t *tag;
    const int32_t *start, *stop;
    size_t n_byte, n_row;
    int16_t text;
} TextRows;
/* The results; the last three are counts before each row, [n_row + 1]. */
typedef struct {
    uint8_t *joined; /* [n_room] */
    int32_t *offsets, *words, *chars;
    size_t n_room;
} ReadTexts;
/* Returns the number of bytes of texts in the buffer. */
int64_t measure_texts(const TextRows *rows);
/* code_of[0x10000 + 1]; returns the number of bytes joined. */
int64_t read_texts(const TextRows *rows, const uint16_t *code_of, const ReadTexts *out);
int classify(const uint8_t *utf8, size_t n, const uint16_t *code_of, uint16_t *codes,
             size_t n_char);
int count_words(const uint16_t *codes, size_t n, size_t n_offset, const int32_t *offsets,
                int32_t *words, int32_t *chars);

/* rows.c */
int sum_flagged(const uint8_t *flags, const int32_t *offsets, size_t n, int32_t *sums);
int inherit_flags(const uint8_t *own, const uint8_t *inside, const int32_t *parent, size_t n,
                  uint8_t *flags);
int64_t find_tagged(const int16_t *tag, size_t n, const uint8_t *flags, size_t n_code,
                    int64_t *found);
int flag_within(const uint8_t *flags, const int32_t *end, size_t n, int itself, uint8_t *inside);
int find_nearest(const uint8_t *flags, const int32_t *parent, size_t n, int32_t *nearest);

/* source.c: rows[n] of a page, of which n_own are of its source, utf8[n_byte]; where the tags of the
 * elements are in that, places[n_element]; `text` is the tag of texts. */
typedef struct {
    const uint8_t *utf8;
    const int16_t *tag;
    const int32_t *parent, *end, *open_start, *close_start;
    const int32_t (*places)[4];
    size_t n_byte, n, n_own, n_element;
    int64_t text;
} Sourced;
/* Find the starts of some rows and the ends of others, in characters -> ends[2, n_found]. spans[n] and
 * before[n_chunk] are scratch; n_chunk is n_byte / SOURCE_CHUNK + 1. */
enum { SOURCE_CHUNK = 512 };
int locate_ends(const Sourced *page, const int32_t *rows, const int32_t *last, size_t n_found,
                int32_t (*spans)[4], int32_t *before, size_t n_chunk, int32_t *ends);

/* anchors.c: the links, of those with kept leaves, that have a # in their tags -> found[n]. */
typedef struct {
    const int16_t *tag; /* [n] */
    const int32_t *end, *start, *stop;
    const int32_t *leaf_offset; /* [n + 1] */
    int64_t code; /* of links */
    size_t n;
} Links;
int64_t find_marked_links(const uint8_t *buffer, size_t n_byte, const Links *links,
                          const uint8_t *keep, size_t n_leaf, int32_t *found);
/* Those in headings with kept leaves, few levels below them; headings[n_code]. */
int64_t find_heading_links(const Links *links, const int32_t *parent, const uint8_t *headings,
                           size_t n_code, const uint8_t *keep, size_t n_leaf, int64_t levels_up,
                           int32_t *found);

/* The text links without kept leaves that have an address, which is read as far as that is simple:
 * thresher.analysis.removed_links. leaves[n_leaf], keep[n_leaf], shows_text[n_code]. */
typedef struct {
    const int32_t *leaves;
    const uint8_t *keep, *shows_text;
    size_t n_leaf, n_code;
} LinkLeaves;
/* The addresses: rows that have one, in order, and its span; [n]. */
typedef struct {
    const int32_t *row, *start, *stop;
    size_t n, n_longest;
} Hrefs;
/* The results: leaves and address of each link, and the kind of that; [n of Hrefs]. */
typedef struct {
    int32_t *first, *stop, *address_start, *address_stop, *kind;
} RemovedLinks;
int64_t find_removed_links(const uint8_t *buffer, size_t n_byte, const Links *links,
                           const LinkLeaves *leaves, const Hrefs *hrefs, const RemovedLinks *found);

/* hidden.c: one entry per attribute -> flags[n_row], which are updated. */
int flag_hidden(const uint8_t *buffer, size_t n_byte, const int32_t *row, const int32_t *name_start,
                const int32_t *start, const int32_t *stop, size_t n, size_t n_row, uint8_t *flags);

/* Find the rules of a style sheet that hide or show, up to n_room as there are braces: where their
 * selectors are, and which they do. narrow[n_room] is scratch. Returns the number of them. */
int64_t find_telling_rules(const uint8_t *css, size_t n, size_t n_room, uint8_t *narrow,
                           int32_t *start, int32_t *stop, uint8_t *tells);

/* leaves.c: rows[n] of a page, words and characters before each[n + 1]; what each tag is to leaves,
 * kind_of[n_code], and which bytes continue a text, closing[256]. */
typedef struct {
    const int16_t *tag;
    const int32_t *parent, *end, *open_start, *words, *chars;
    const uint8_t *kind_of, *closing;
    const uint8_t *concealed; /* flags rows that are not shown in their lines, [n] */
    size_t n, n_code;
    int32_t link, math; /* codes of tags */
} LeafRows;
/* Measures of leaves: one past the last row of each, words, characters, words in links; [n]. */
typedef struct {
    int32_t *stop, *words, *chars, *link_words;
} Measures;
/* The results. */
typedef struct {
    uint8_t *in_link, *leafless;                               /* [n] */
    int32_t *link_words_before, *leaves_before, *blocks_before; /* [n + 1] */
    int32_t *leaves, *of_leaf;                                 /* [n], of each leaf: row, block */
    Measures measures;
    int32_t *block_start, *block_leaf, *block_row; /* [n + 1], of each block */
    uint8_t *marks;                                /* [n + 1], before each leaf */
    int32_t *nearest;                              /* [n]: the block-level element around a row */
} ReadLeaves;
/* sizes[2]: leaves, blocks. */
int read_leaves(const uint8_t *buffer, size_t n_byte, const LeafRows *rows, const ReadLeaves *out,
                int64_t *sizes);
int64_t group_leaves(const uint8_t *marks, size_t n_leaf, uint8_t edges, int32_t *start,
                     int32_t *of_leaf);

#endif
