/* The arguments of the compiled steps; generated from steps.txt by `python -m thresher.native.generate`. */

#ifndef THRESHER_GENERATED_H
#define THRESHER_GENERATED_H

#include <stddef.h>
#include <stdint.h>

#include "core.h"

enum {
    N_CHAR_CODE = 65537,
    N_CONTAINER = 3,
    N_CONTEXT = 88,
    N_CONTEXT_SUM = 5,
    N_COUNT = 26,
    N_KIND = 11,
    N_LEVEL = 5,
    N_OPEN = 16,
    N_PAGE_TYPE = 7,
    N_PATTERN = 2,
    N_ROLE = 13,
    N_SCOPE = 4,
    N_WORD = 16
};

/* Count the characters of UTF-8; MALFORMED if it is not well-formed. */
struct measure_utf8_arguments {
    const uint8_t *utf8; /* [n] */
    size_t n;
};
int64_t step_measure_utf8(const struct measure_utf8_arguments *of);

/* Write UTF-8 source as canonical HTML, and count its elements and find their tags. TOO_LONG if there is too little room; CLOSED_AS_XML, if asked, at a raw-text element self-closed as in XML. */
struct canonicalise_arguments {
    const uint8_t *source; /* [n] */
    int64_t n_room;
    int64_t n_element;
    int64_t asks;
    int64_t *count; /* [1] */
    uint8_t *canonical; /* [n_room] */
    int32_t *tags; /* [n_element, 4] */
    size_t n;
};
int64_t step_canonicalise(const struct canonicalise_arguments *of);

/* Compute a tight upper bound of the rows of canonical HTML. */
struct count_rows_at_most_arguments {
    const uint8_t *buffer; /* [n] */
    size_t n;
};
int64_t step_count_rows_at_most(const struct count_rows_at_most_arguments *of);

/* Fill the columns of a page, given the names of tags and their hash table. */
struct scan_rows_arguments {
    const uint8_t *buffer; /* [n] */
    const uint64_t *words; /* [n_code, 2] */
    const int16_t *code_at; /* [n_place] */
    const uint8_t *is_void; /* [n_code] */
    const uint8_t *eats_newline; /* [n_code] */
    const uint64_t *hash; /* [2] */
    int64_t n_room;
    int16_t *tag; /* [n_room] */
    int32_t *columns; /* [7, n_room] */
    size_t n;
    size_t n_code;
    size_t n_place;
};
int64_t step_scan_rows(const struct scan_rows_arguments *of);

/* Compute a tight upper bound of the attributes of canonical HTML. */
struct count_attributes_at_most_arguments {
    const uint8_t *buffer; /* [n] */
    size_t n;
};
int64_t step_count_attributes_at_most(const struct count_attributes_at_most_arguments *of);

/* Find row, start of name, start and stop of value of each attribute. */
struct find_attributes_arguments {
    const uint8_t *buffer; /* [n] */
    const int16_t *tag; /* [n_row] */
    const int32_t *start; /* [n_row] */
    const int32_t *stop; /* [n_row] */
    const int32_t *name_bytes; /* [n_code] */
    int64_t n_room;
    int32_t *found; /* [4, n_room] */
    size_t n;
    size_t n_row;
    size_t n_code;
};
int64_t step_find_attributes(const struct find_attributes_arguments *of);

/* Pack the first 16 bytes between each two offsets into two words. */
struct pack_words_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int32_t *start; /* [n] */
    const int32_t *stop; /* [n] */
    uint64_t *low; /* [n] */
    uint64_t *high; /* [n] */
    size_t n_byte;
    size_t n;
};
int64_t step_pack_words(const struct pack_words_arguments *of);

/* Find the attributes of each of some names, given the starts of names and values. */
struct find_named_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int32_t *name_start; /* [n] */
    const int32_t *start; /* [n] */
    const uint8_t *names; /* [n_name_byte] */
    const int32_t *name_stop; /* [n_name] */
    uint8_t *which; /* [n] */
    int64_t *found; /* [n] */
    int64_t *n_each; /* [n_name] */
    size_t n_byte;
    size_t n;
    size_t n_name_byte;
    size_t n_name;
};
int64_t step_find_named(const struct find_named_arguments *of);

/* Find which of some short parts, a bit each, occur in each span, whatever the case of its letters. */
struct find_parts_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int32_t *start; /* [n] */
    const int32_t *stop; /* [n] */
    const uint8_t *parts; /* [n_part_byte] */
    const int32_t *part_stop; /* [n_part] */
    uint64_t *found; /* [n] */
    size_t n_byte;
    size_t n;
    size_t n_part_byte;
    size_t n_part;
};
int64_t step_find_parts(const struct find_parts_arguments *of);

/* Number spans of a buffer by what they read, in order; find the first of each. */
struct number_spans_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int32_t *start; /* [n] */
    const int32_t *stop; /* [n] */
    int64_t n_place;
    int32_t *table; /* [n_place] */
    uint64_t *hashes; /* [n] */
    int32_t *number; /* [n] */
    int32_t *first; /* [n] */
    size_t n_byte;
    size_t n;
};
int64_t step_number_spans(const struct number_spans_arguments *of);

/* Count the bytes of texts, the rows with the tag `text`. */
struct measure_texts_arguments {
    const uint8_t *buffer; /* [n] */
    const int16_t *tag; /* [n_row] */
    const int32_t *start; /* [n_row] */
    const int32_t *stop; /* [n_row] */
    int64_t text;
    size_t n;
    size_t n_row;
};
int64_t step_measure_texts(const struct measure_texts_arguments *of);

/* Join texts unescaped; count bytes, words and characters before each row. */
struct read_texts_arguments {
    const uint8_t *buffer; /* [n] */
    const int16_t *tag; /* [n_row] */
    const int32_t *start; /* [n_row] */
    const int32_t *stop; /* [n_row] */
    int64_t text;
    const uint16_t *code_of; /* [65537] */
    int64_t n_room;
    uint8_t *joined; /* [n_room] */
    int32_t *counts; /* [3, n_row + 1] */
    size_t n;
    size_t n_row;
};
int64_t step_read_texts(const struct read_texts_arguments *of);

/* Look up the code of each character of UTF-8. */
struct classify_arguments {
    const uint8_t *utf8; /* [n] */
    const uint16_t *code_of; /* [65537] */
    int64_t n_char;
    uint16_t *codes; /* [n_char] */
    size_t n;
};
int64_t step_classify(const struct classify_arguments *of);

/* Count words, and characters that are not white space, before each offset. */
struct count_words_arguments {
    const uint16_t *codes; /* [n] */
    const int32_t *offsets; /* [n_offset] */
    int32_t *words; /* [n_offset] */
    int32_t *chars; /* [n_offset] */
    size_t n;
    size_t n_offset;
};
int64_t step_count_words(const struct count_words_arguments *of);

/* Find the rows with flagged tags. */
struct find_tagged_arguments {
    const int16_t *tag; /* [n] */
    const uint8_t *flags; /* [n_code] */
    int64_t *found; /* [n] */
    size_t n;
    size_t n_code;
};
int64_t step_find_tagged(const struct find_tagged_arguments *of);

/* Flag every flagged row and its descendants. */
struct flag_within_arguments {
    const uint8_t *rows; /* [n] */
    const int32_t *end; /* [n] */
    uint8_t *inside; /* [n] */
    size_t n;
};
int64_t step_flag_within(const struct flag_within_arguments *of);

/* Flag the descendants of flagged rows. */
struct flag_below_arguments {
    const uint8_t *rows; /* [n] */
    const int32_t *end; /* [n] */
    uint8_t *inside; /* [n] */
    size_t n;
};
int64_t step_flag_below(const struct flag_below_arguments *of);

/* Find each row's nearest flagged ancestor-or-self. */
struct find_nearest_arguments {
    const uint8_t *rows; /* [n] */
    const int32_t *parent; /* [n] */
    int32_t *nearest; /* [n] */
    size_t n;
};
int64_t step_find_nearest(const struct find_nearest_arguments *of);

/* Find where the source of some rows starts, and of others ends, in characters. */
struct locate_ends_arguments {
    const uint8_t *utf8; /* [n_byte] */
    const int16_t *tag; /* [n] */
    const int32_t *parent; /* [n] */
    const int32_t *end; /* [n] */
    const int32_t *open_start; /* [n] */
    const int32_t *close_start; /* [n] */
    const int32_t *places; /* [n_element, 4] */
    const int32_t *rows; /* [n_found] */
    const int32_t *last; /* [n_found] */
    int64_t text;
    int64_t n_own;
    int64_t n_chunk;
    int32_t *spans; /* [n, 4] */
    int32_t *before; /* [n_chunk] */
    int32_t *ends; /* [2, n_found] */
    size_t n_byte;
    size_t n;
    size_t n_element;
    size_t n_found;
};
int64_t step_locate_ends(const struct locate_ends_arguments *of);

/* Flag rows that attributes hide. */
struct flag_hidden_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int32_t *row; /* [n] */
    const int32_t *name_start; /* [n] */
    const int32_t *start; /* [n] */
    const int32_t *stop; /* [n] */
    int64_t n_row;
    uint8_t *flags; /* [n_row] */
    size_t n_byte;
    size_t n;
};
int64_t step_flag_hidden(const struct flag_hidden_arguments *of);

/* Find the rules of a style sheet that hide, 1, or show, 2, and where their selectors are. */
struct find_telling_rules_arguments {
    const uint8_t *css; /* [n] */
    int64_t n_room;
    uint8_t *narrow; /* [n_room] */
    int32_t *start; /* [n_room] */
    int32_t *stop; /* [n_room] */
    uint8_t *tells; /* [n_room] */
    size_t n;
};
int64_t step_find_telling_rules(const struct find_telling_rules_arguments *of);

/* Combine each row's own flags, its ancestors', and those that these set on descendants. */
struct inherit_flags_arguments {
    const uint8_t *own; /* [n] */
    const uint8_t *inside; /* [n] */
    const int32_t *parent; /* [n] */
    uint8_t *flags; /* [n] */
    size_t n;
};
int64_t step_inherit_flags(const struct inherit_flags_arguments *of);

/* Find leaves and blocks, their sizes and gaps, as `thresher.page.blocks` does. */
struct read_leaves_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int16_t *tag; /* [n] */
    const int32_t *parent; /* [n] */
    const int32_t *end; /* [n] */
    const int32_t *open_start; /* [n] */
    const int32_t *words; /* [n + 1] */
    const int32_t *chars; /* [n + 1] */
    const uint8_t *concealed; /* [n] */
    const uint8_t *kinds; /* [n_code] */
    const uint8_t *closing; /* [256] */
    int64_t link;
    int64_t math;
    int32_t *nearest; /* [n] */
    uint8_t *leafless; /* [n] */
    int64_t *sizes; /* [2] */
    uint8_t *in_link; /* [n] */
    int32_t *offsets; /* [3, n + 1] */
    int32_t *leaves; /* [6, n] */
    int32_t *blocks; /* [3, n + 1] */
    uint8_t *marks; /* [n + 1] */
    size_t n_byte;
    size_t n;
    size_t n_code;
};
int64_t step_read_leaves(const struct read_leaves_arguments *of);

/* Group leaves at marks. */
struct group_leaves_arguments {
    const uint8_t *marks; /* [n + 1] */
    int64_t edges;
    int32_t *start; /* [n + 1] */
    int32_t *of_leaf; /* [n] */
    size_t n;
};
int64_t step_group_leaves(const struct group_leaves_arguments *of);

/* Find the links with kept leaves and a # in their tags. */
struct find_marked_links_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int16_t *tag; /* [n] */
    const int32_t *end; /* [n] */
    const int32_t *start; /* [n] */
    const int32_t *stop; /* [n] */
    const int32_t *leaf_offset; /* [n + 1] */
    const uint8_t *keep; /* [n_leaf] */
    int64_t link;
    int32_t *found; /* [n] */
    size_t n_byte;
    size_t n;
    size_t n_leaf;
};
int64_t step_find_marked_links(const struct find_marked_links_arguments *of);

/* Find the links in headings with kept leaves, few levels below them. */
struct find_heading_links_arguments {
    const int16_t *tag; /* [n] */
    const int32_t *parent; /* [n] */
    const int32_t *end; /* [n] */
    const int32_t *leaf_offset; /* [n + 1] */
    const uint8_t *headings; /* [n_code] */
    const uint8_t *keep; /* [n_leaf] */
    int64_t link;
    int64_t levels_up;
    int32_t *found; /* [n] */
    size_t n;
    size_t n_code;
    size_t n_leaf;
};
int64_t step_find_heading_links(const struct find_heading_links_arguments *of);

/* Find the text links without kept leaves: their leaves, addresses, and kinds of these. */
struct find_removed_links_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int16_t *tag; /* [n] */
    const int32_t *end; /* [n] */
    const int32_t *leaf_offset; /* [n + 1] */
    const int32_t *leaves; /* [n_leaf] */
    const uint8_t *keep; /* [n_leaf] */
    const uint8_t *shows_text; /* [n_code] */
    const int32_t *href_row; /* [n_href] */
    const int32_t *start; /* [n_href] */
    const int32_t *stop; /* [n_href] */
    int64_t link;
    int64_t longest;
    int32_t *first; /* [n_href] */
    int32_t *last; /* [n_href] */
    int32_t *address_start; /* [n_href] */
    int32_t *address_stop; /* [n_href] */
    int32_t *kind; /* [n_href] */
    size_t n_byte;
    size_t n;
    size_t n_leaf;
    size_t n_code;
    size_t n_href;
};
int64_t step_find_removed_links(const struct find_removed_links_arguments *of);

/* Count characters and words of blocks, and the distinct words of the title. */
struct read_characters_arguments {
    const uint16_t *codes; /* [n_char] */
    const int16_t *tag; /* [n_row] */
    const int32_t *end; /* [n_row] */
    const int32_t *text_offset; /* [n_row + 1] */
    const int32_t *leaves; /* [n_leaf] */
    const int32_t *block_start; /* [n_block + 1] */
    int64_t title;
    int64_t h1;
    int64_t n_place;
    uint64_t *hashes; /* [n_place] */
    uint8_t *marks; /* [n_place] */
    int32_t *counts; /* [n_block, 11] */
    uint8_t *first; /* [n_block] */
    uint8_t *last; /* [n_block] */
    int32_t *words; /* [3, n_block] */
    uint64_t *word_sum; /* [n_block] */
    size_t n_char;
    size_t n_row;
    size_t n_leaf;
    size_t n_block;
};
int64_t step_read_characters(const struct read_characters_arguments *of);

/* Number the first words of blocks. */
struct read_words_arguments {
    const uint16_t *codes; /* [n_char] */
    const int32_t *end; /* [n_row] */
    const int32_t *text_offset; /* [n_row + 1] */
    const int32_t *leaves; /* [n_leaf] */
    const int32_t *block_start; /* [n_block + 1] */
    uint16_t *numbers; /* [n_block, 16] */
    size_t n_char;
    size_t n_row;
    size_t n_leaf;
    size_t n_block;
};
int64_t step_read_words(const struct read_words_arguments *of);

/* Read the names of blocks' ancestors: distinct names, their tokens, their elements. */
struct read_tokens_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int16_t *tag; /* [n_row] */
    const int32_t *end; /* [n_row] */
    const int32_t *block_offset; /* [n_row + 1] */
    const int32_t *row; /* [n_attribute] */
    const int32_t *start; /* [n_attribute] */
    const int32_t *stop; /* [n_attribute] */
    const uint64_t *low; /* [n_attribute] */
    const uint64_t *high; /* [n_attribute] */
    const uint64_t *wanted; /* [n_wanted, 2] */
    const uint64_t *salts; /* [n_wanted] */
    const uint64_t *tag_tokens; /* [n_code] */
    int64_t text;
    int64_t n_room;
    int64_t n_place;
    int64_t n_entry;
    int32_t *first_of; /* [n_room] */
    uint64_t *salt_of; /* [n_room] */
    int32_t *table; /* [n_place] */
    int64_t *sizes; /* [3] */
    uint64_t *hashes; /* [n_room] */
    int32_t *name_start; /* [n_room] */
    int32_t *entries; /* [3, n_entry] */
    int64_t *signature; /* [n_row] */
    size_t n_byte;
    size_t n_row;
    size_t n_attribute;
    size_t n_wanted;
    size_t n_code;
};
int64_t step_read_tokens(const struct read_tokens_arguments *of);

/* Hash runs of a buffer of symbols, each of at least one. */
struct hash_runs_arguments {
    const uint8_t *symbols; /* [n_symbol] */
    const int64_t *start; /* [n] */
    const int64_t *stop; /* [n] */
    uint64_t *hashes; /* [n] */
    size_t n_symbol;
    size_t n;
};
int64_t step_hash_runs(const struct hash_runs_arguments *of);

/* Compute the container chain, the counts, the words and the features of blocks, the latter as they are (n_value of them) or as a network reads them (n_input), and their means. */
struct measure_blocks_arguments {
    const int16_t *tag; /* [n_row] */
    const int32_t *parent; /* [n_row] */
    const int32_t *end; /* [n_row] */
    const int32_t *depth; /* [n_row] */
    const uint8_t *hidden; /* [n_row] */
    const int32_t *leaf_offset; /* [n_row + 1] */
    const int32_t *leaves; /* [n_leaf] */
    const int32_t *of_leaf; /* [n_leaf] */
    const int32_t *leaf_words; /* [n_leaf] */
    const int32_t *leaf_link_words; /* [n_leaf] */
    const int32_t *leaf_chars; /* [n_leaf] */
    const int32_t *block_start; /* [n_block + 1] */
    const int32_t *block_row; /* [n_block] */
    const int32_t *kinds; /* [n_block, 11] */
    const uint8_t *first; /* [n_block] */
    const uint8_t *last; /* [n_block] */
    const int32_t *words_of; /* [3, n_block] */
    const uint64_t *word_sum; /* [n_block] */
    int64_t n_title;
    const int64_t *signature; /* [n_row] */
    const int32_t *flags; /* [n_code] */
    const int32_t *around; /* [2, n_code] */
    const int32_t *elements; /* [n_element] */
    const int32_t *formulas; /* [n_formula] */
    const int32_t *logs; /* [n_log] */
    const int32_t *shares; /* [n_share] */
    const int32_t *plain; /* [n_plain] */
    const uint8_t *edges; /* [6] */
    int64_t hidden_flags;
    int64_t h1_code;
    int64_t n_around;
    const float *mean; /* [n_mean] */
    const float *deviation; /* [n_mean] */
    const float *saturation; /* [n_mean] */
    double clip;
    double steps;
    double unworded;
    int64_t n_feature;
    int64_t n_value;
    int64_t n_input;
    int64_t n_scratch;
    Clock *clock;
    uint64_t *space; /* [n_scratch] */
    int32_t *sums; /* [26, n_block + 1] */
    float *columns; /* [16, n_block] */
    double *weight; /* [n_block] */
    float *features; /* [n_value, n_block] */
    int16_t *inputs; /* [n_input, n_block] */
    double *means; /* [2, n_feature] */
    float *link_density; /* [n_block] */
    int32_t *chain; /* [4, 5, n_block] */
    int32_t *n_above; /* [n_block] */
    int32_t *row_blocks; /* [2, n_row] */
    int64_t *words; /* [n_block] */
    size_t n_row;
    size_t n_leaf;
    size_t n_block;
    size_t n_code;
    size_t n_element;
    size_t n_formula;
    size_t n_log;
    size_t n_share;
    size_t n_plain;
    size_t n_mean;
};
int64_t step_measure_blocks(const struct measure_blocks_arguments *of);

/* Fill a hash table, whose size is a power of two, with the indices of known hashes. */
struct index_hashes_arguments {
    const uint64_t *known; /* [n_known] */
    int64_t n_place;
    int32_t *table; /* [n_place] */
    size_t n_known;
};
int64_t step_index_hashes(const struct index_hashes_arguments *of);

/* Find the indices of hashes among the known ones; their number for unknown hashes. */
struct number_hashes_arguments {
    const uint64_t *known; /* [n_known] */
    const int32_t *table; /* [n_place] */
    const uint64_t *hashes; /* [n] */
    int64_t *numbers; /* [n] */
    size_t n_known;
    size_t n_place;
    size_t n;
};
int64_t step_number_hashes(const struct number_hashes_arguments *of);

/* Sum the evidence of means and names for each page type; of names alone. */
struct score_types_arguments {
    const float *mean; /* [n_mean] */
    const float *deviation; /* [n_mean] */
    const float *feature_weights; /* [n_mean, n_type] */
    const float *token_weights; /* [n_number, n_type] */
    const float *bias; /* [n_type] */
    double clip;
    const double *means; /* [n_mean] */
    const int64_t *tokens; /* [n_token] */
    uint8_t *seen; /* [n_number] */
    double *scores; /* [2, n_type] */
    size_t n_mean;
    size_t n_type;
    size_t n_number;
    size_t n_token;
};
int64_t step_score_types(const struct score_types_arguments *of);

/* Sum the embeddings of the names of blocks' ancestors, and of their first words. */
struct add_up_names_arguments {
    const int8_t *embedding; /* [n_known, width] */
    const int64_t *numbers; /* [n_token] */
    const int32_t *start; /* [n_name] */
    const int32_t *row; /* [n_entry] */
    const int32_t *end; /* [n_entry] */
    const int32_t *name; /* [n_entry] */
    const int32_t *leaf; /* [n] */
    const int32_t *container; /* [3, n] */
    const int8_t *word_embedding; /* [n_vector] */
    const uint16_t *first_words; /* [n_first] */
    int64_t width;
    int64_t word_width;
    int64_t n_net;
    int64_t n_part;
    int64_t n_room;
    uint32_t *of_name; /* [n_name, width] */
    int32_t *path; /* [2, n_room] */
    uint32_t *sums; /* [n_room, width] */
    int16_t *names; /* [n, n_net, n_part] */
    size_t n_known;
    size_t n_token;
    size_t n_name;
    size_t n_entry;
    size_t n;
    size_t n_vector;
    size_t n_first;
};
int64_t step_add_up_names(const struct add_up_names_arguments *of);

/* Encode the blocks start:stop, and summarise their codes; shapes are in `dims`. */
struct code_blocks_arguments {
    const int32_t *dims; /* [9] */
    const int16_t *pairs; /* [n_pair] */
    const int8_t *fours; /* [n_four] */
    const float *real; /* [n_real] */
    const int16_t *inputs; /* [n_input] */
    const int16_t *names; /* [n_name] */
    const int16_t *types; /* [n_type] */
    uint8_t *code; /* [n_code] */
    uint8_t *summary; /* [n_summary] */
    int64_t start;
    int64_t stop;
    int64_t hide;
    size_t n_pair;
    size_t n_four;
    size_t n_real;
    size_t n_input;
    size_t n_name;
    size_t n_type;
    size_t n_code;
    size_t n_summary;
};
int64_t step_code_blocks(const struct code_blocks_arguments *of);

/* Sum the summaries before each block, and average them over the page. */
struct add_up_summaries_arguments {
    const uint8_t *summary; /* [n, n_net, width] */
    const int64_t *words; /* [n] */
    int64_t n_net;
    int32_t *sums; /* [n + 1, n_net, width] */
    uint8_t *page; /* [n_net, 2, width] */
    size_t n;
    size_t width;
};
int64_t step_add_up_summaries(const struct add_up_summaries_arguments *of);

/* Encode the blocks start:stop again, with their context; shapes are in `dims`. */
struct relate_blocks_arguments {
    const int32_t *dims; /* [9] */
    const int16_t *pairs; /* [n_pair] */
    const int8_t *fours; /* [n_four] */
    const float *real; /* [n_real] */
    const int32_t *first; /* [3, n] */
    const int32_t *stop_of; /* [3, n] */
    const uint8_t *summary; /* [n_summary] */
    const int32_t *sums; /* [n_sum] */
    const uint8_t *page; /* [n_page] */
    uint8_t *code; /* [n_code] */
    uint8_t *following; /* [n_summary] */
    int32_t *votes; /* [n_vote] */
    int64_t turn;
    int64_t start;
    int64_t stop;
    size_t n_pair;
    size_t n_four;
    size_t n_real;
    size_t n;
    size_t n_summary;
    size_t n_sum;
    size_t n_page;
    size_t n_code;
    size_t n_vote;
};
int64_t step_relate_blocks(const struct relate_blocks_arguments *of);

/* Describe each block by the scores of the blocks around it. */
struct describe_context_arguments {
    const double *log_odds; /* [n] */
    const float *roles; /* [n, 13] */
    const int64_t *words; /* [n] */
    const double *link_words; /* [n] */
    const int32_t *first; /* [n_level, n] */
    const int32_t *stop; /* [n_level, n] */
    const int32_t *patterns; /* [2, n] */
    const double *types; /* [7] */
    int64_t scope;
    Clock *clock;
    double *sums; /* [5, 2, n + 1] */
    double *inputs; /* [n, 88] */
    size_t n;
    size_t n_level;
};
int64_t step_describe_context(const struct describe_context_arguments *of);

/* Apply the layers of the decider to blocks. */
struct weigh_blocks_arguments {
    const double *mean; /* [88] */
    const double *deviation; /* [88] */
    const double *first; /* [89, n_first] */
    const double *second; /* [n_first + 1, n_second] */
    const double *output; /* [n_second + 1, 1] */
    const double *inputs; /* [n, 88] */
    double *kept; /* [n] */
    size_t n_first;
    size_t n_second;
    size_t n;
};
int64_t step_weigh_blocks(const struct weigh_blocks_arguments *of);

/* Group kept leaves into runs, and flag their ancestors. */
struct group_kept_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int16_t *tag; /* [n_row] */
    const int32_t *parent; /* [n_row] */
    const int32_t *end; /* [n_row] */
    const int32_t *open_start; /* [n_row] */
    const int32_t *leaf_offset; /* [n_row + 1] */
    const int32_t *leaves; /* [n_leaf] */
    const int32_t *of_leaf; /* [n_leaf] */
    const uint8_t *keep; /* [n_leaf] */
    const uint8_t *gaps_before; /* [n_leaf] */
    const uint8_t *closing; /* [256] */
    int64_t n_code;
    int32_t *kept; /* [n_leaf] */
    int32_t *start; /* [n_leaf + 1] */
    int32_t *run_of; /* [n_leaf] */
    int32_t *first_row; /* [n_leaf] */
    int32_t *last_row; /* [n_leaf] */
    uint8_t *gaps; /* [n_leaf] */
    uint8_t *holds; /* [n_row] */
    uint8_t *tags; /* [n_code] */
    size_t n_byte;
    size_t n_row;
    size_t n_leaf;
};
int64_t step_group_kept(const struct group_kept_arguments *of);

/* Determine how rows and runs are written. */
struct lay_out_rows_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int16_t *tag; /* [n_row] */
    const int32_t *parent; /* [n_row] */
    const int32_t *end; /* [n_row] */
    const int32_t *open_start; /* [n_row] */
    const int32_t *leaf_offset; /* [n_row + 1] */
    const int32_t *leaves; /* [n_leaf] */
    const int32_t *of_leaf; /* [n_leaf] */
    const int32_t *kind_of; /* [n_code] */
    const int16_t *written_as; /* [n_row] */
    const uint8_t *holds; /* [n_row] */
    const uint8_t *preformatted; /* [n_row] */
    const uint8_t *in_data; /* [n_row] */
    const int32_t *block_row; /* [n_block] */
    const int32_t *first_leaf; /* [n_run] */
    int32_t *nearest; /* [n_row + 1] */
    int32_t *count; /* [n_row + 1] */
    uint8_t *structure; /* [n_row] */
    uint8_t *crossing; /* [n_row] */
    uint8_t *bare; /* [n_run] */
    int32_t *container; /* [n_run] */
    size_t n_byte;
    size_t n_row;
    size_t n_leaf;
    size_t n_code;
    size_t n_block;
    size_t n_run;
};
int64_t step_lay_out_rows(const struct lay_out_rows_arguments *of);

/* Find the pieces that are copied unchanged. */
struct find_plain_pieces_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int16_t *tag; /* [n_row] */
    const int32_t *parent; /* [n_row] */
    const int32_t *end; /* [n_row] */
    const int32_t *depth; /* [n_row] */
    const int32_t *open_start; /* [n_row] */
    const int32_t *open_stop; /* [n_row] */
    const int32_t *close_start; /* [n_row] */
    const int32_t *close_stop; /* [n_row] */
    const int32_t *leaf_offset; /* [n_row + 1] */
    const int32_t *kind_of; /* [n_code] */
    const int16_t *written_as; /* [n_row] */
    const uint8_t *holds; /* [n_row] */
    const uint8_t *structure; /* [n_row] */
    const uint8_t *crossing; /* [n_row] */
    const uint8_t *preformatted; /* [n_row] */
    const uint8_t *row_flags; /* [n_row] */
    const int32_t *rows; /* [n_kept] */
    const int32_t *run_of; /* [n_kept] */
    const uint8_t *gaps; /* [n_kept] */
    const int32_t *container; /* [n_run] */
    const int32_t *first_row; /* [n_run] */
    const int32_t *last_row; /* [n_run] */
    const uint8_t *bare; /* [n_run] */
    int64_t has_links;
    int64_t long_tag;
    int64_t n_room;
    int32_t *outermost; /* [n_row] */
    int32_t *opens; /* [n_run] */
    int32_t *closes; /* [n_run] */
    int64_t *key; /* [n_room] */
    int32_t *start; /* [n_room] */
    int32_t *stop; /* [n_room] */
    size_t n_byte;
    size_t n_row;
    size_t n_code;
    size_t n_kept;
    size_t n_run;
};
int64_t step_find_plain_pieces(const struct find_plain_pieces_arguments *of);

/* Join pieces if there is room for all; return their size in bytes. */
struct join_pieces_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int64_t *order; /* [n] */
    const int32_t *start; /* [n] */
    const int32_t *stop; /* [n] */
    const uint8_t *literals; /* [n_literal_byte] */
    const int32_t *offset; /* [n_literal + 1] */
    int64_t n_room;
    uint8_t *joined; /* [n_room] */
    size_t n_byte;
    size_t n;
    size_t n_literal_byte;
    size_t n_literal;
};
int64_t step_join_pieces(const struct join_pieces_arguments *of);

/* Write markup without forbidden attributes. */
struct tidy_markup_arguments {
    const uint8_t *markup; /* [n] */
    const uint64_t *tags; /* [n_tag, 2] */
    const uint32_t *allowed; /* [n_tag] */
    const uint64_t *attributes; /* [n_attribute, 2] */
    int64_t ids;
    uint8_t *tidied; /* [n] */
    size_t n;
    size_t n_tag;
    size_t n_attribute;
};
int64_t step_tidy_markup(const struct tidy_markup_arguments *of);

/* Find the addresses of a fragment, and the parts with rare elements: start, stop, kind. */
struct survey_markup_arguments {
    const uint8_t *markup; /* [n] */
    int64_t n_room;
    int64_t *places; /* [3, n_room] */
    size_t n;
};
int64_t step_survey_markup(const struct survey_markup_arguments *of);

/* Write a fragment as Markdown, given the cleaned URLs of its links and images, and its rare parts. */
struct write_markdown_arguments {
    const uint8_t *markup; /* [n] */
    const uint8_t *urls; /* [n_url_byte] */
    const int64_t *url_stop; /* [n_url] */
    const int64_t *given; /* [3, n_given] */
    const uint8_t *given_texts; /* [n_text_byte] */
    const int64_t *text_stop; /* [n_given] */
    const uint16_t *codes; /* [65537] */
    int64_t n_event;
    int64_t n_token;
    int64_t n_room;
    int32_t *events; /* [n_event, 4] */
    int32_t *tokens; /* [n_token, 5] */
    uint8_t *flags; /* [2, n_event] */
    uint8_t *texts; /* [5, n_room] */
    uint8_t *markdown; /* [n_room] */
    size_t n;
    size_t n_url_byte;
    size_t n_url;
    size_t n_given;
    size_t n_text_byte;
};
int64_t step_write_markdown(const struct write_markdown_arguments *of);

/* Write the blocks of a page as items of a JSON array. Facts are literals, or scores in 65,536ths, inverted. */
struct write_block_list_arguments {
    const uint8_t *buffer; /* [n_byte] */
    const int16_t *tag; /* [n_row] */
    const int32_t *parent; /* [n_row] */
    const int32_t *depth; /* [n_row] */
    const int32_t *open_start; /* [n_row] */
    const int32_t *open_stop; /* [n_row] */
    const int32_t *nth_of_type; /* [n_row] */
    const uint8_t *names; /* [n_name_byte] */
    const int32_t *name_offset; /* [n_code + 1] */
    const uint8_t *text; /* [n_text_byte] */
    const int32_t *text_offset; /* [n_row + 1] */
    const int32_t *leaves; /* [n_leaf] */
    const int32_t *leaf_stop; /* [n_leaf] */
    const uint8_t *gaps; /* [n_leaf] */
    const int32_t *block_start; /* [n_block + 1] */
    const int32_t *block_row; /* [n_block] */
    const int32_t *source; /* [2, n_block] */
    const int32_t *facts; /* [n_fact, n_block] */
    const uint8_t *literals; /* [n_literal_byte] */
    const int32_t *literal_offset; /* [n_literal + 1] */
    int64_t other;
    int64_t text_tag;
    int64_t n_own_row;
    int64_t max_depth;
    int64_t n_room;
    int32_t *nth_child; /* [n_row] */
    int32_t *n_child; /* [n_row + 1] */
    uint8_t *written; /* [n_room] */
    size_t n_byte;
    size_t n_row;
    size_t n_name_byte;
    size_t n_code;
    size_t n_text_byte;
    size_t n_leaf;
    size_t n_block;
    size_t n_fact;
    size_t n_literal_byte;
    size_t n_literal;
};
int64_t step_write_block_list(const struct write_block_list_arguments *of);

#endif
