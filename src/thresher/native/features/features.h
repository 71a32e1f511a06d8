/* The features of blocks; thresher.features has the numpy definitions. */

#ifndef THRESHER_FEATURES_H
#define THRESHER_FEATURES_H

#include "../core.h"
#include "../generated.h"

/* Scratch memory of the caller. Taking from a copy of the struct frees everything at its end. */
typedef struct {
    uint64_t *next;
    size_t n_left;
} Scratch;

/* Allocate so many items of so many bytes, uninitialised; NULL if there is too little left. */
void *take(Scratch *scratch, size_t n_item, size_t item_bytes);

/* A page's rows, leaves and blocks. */
typedef struct {
    const int16_t *tag;
    const int32_t *parent, *end, *depth;
    const uint8_t *hidden;
    const int32_t *leaf_offset; /* [n_row + 1] */
    const int32_t *leaves, *of_leaf;          /* [n_leaf]: row, block */
    const int32_t *leaf_words, *leaf_link_words, *leaf_chars;
    const int32_t *block_start, *block_row; /* [n_block + 1], [n_block] */
    size_t n_row, n_leaf, n_block;
} Blocks;

/* Whether all numbers of rows, leaves and blocks are in range. */
int are_blocks(const Blocks *page);

/* thresher.features.container_chain.ContainerChain: of[level, n_block], rows[2, n_row]. */
typedef struct {
    int32_t *container, *child, *first, *stop; /* [N_LEVEL, n_block] */
    int32_t *n_above;                          /* [n_block] */
    int32_t *row_first, *row_stop;             /* [n_row] */
} ContainerChain;

int find_containers(const Blocks *page, const ContainerChain *chain, Scratch scratch);

/* Properties of each tag code, one bit each. */
enum {
    IS_REPLACED = 1,
    IS_EMPHASIS = 2,
    IS_HEADING = 4,
    IS_CONTROL = 8,
    IS_LINK = 16,
    IS_BREAK = 32,
    IS_PARAGRAPH = 64,
    IS_ITEM = 128,
    IS_TITLE = 256,
    IS_H1 = 512
};

/* Counts of each block, in the order of thresher.features.block.count. */
enum {
    BLOCKS, LEAVES, WORDS, LINK_WORDS, CHARS, TERMINATORS, COMMAS, SEPARATORS, QUOTES, MONEY,
    DIGITS, UPPERS, UNSPACED_CHARS, SYMBOLS, LINKS, BREAKS, IMAGES, EMPHASISED, HIDDEN_WORDS,
    PROSE_WORDS, PROSE_BLOCKS, LINK_BLOCKS, HEADINGS, PARAGRAPH_WORDS, ITEMS, CONTROLS
};
_Static_assert(CONTROLS + 1 == N_COUNT, "steps.txt");

/* kinds[n_block, N_KIND] -> sums[N_COUNT, n_block + 1] before each block, and at last of the page;
 * words[n_block]. */
int count_blocks(const Blocks *page, const ContainerChain *chain, const int32_t *flags, size_t n_code,
                 const int32_t *kinds, int32_t *sums, int64_t *words, Scratch scratch);

/* The formulas of features, besides counts. */
typedef struct {
    const int32_t *flags;      /* [n_code] */
    const int32_t *around;     /* [2, n_code]: the features that count a tag, -1 for none */
    const int32_t *elements;   /* [n_element]: tags counted over the page */
    const int32_t *formulas;   /* tables of counts, see features.c */
    const int32_t *rows[3];    /* where logarithms, shares and values go */
    size_t n_row_of[3];
    const uint8_t *edges;      /* [6]: kinds of first characters, then of last ones */
    size_t n_code, n_around, n_element, n_formula, n_feature;
    int32_t hidden_flags, h1;
} Recipe;

/* How a network reads a feature; thresher.features.inputs. */
typedef struct {
    const float *mean, *deviation, *saturation; /* [n_feature] */
    float clip, steps;
} InputScale;

/* Where features go: as they are, or as a network reads them. */
typedef struct {
    float *values;   /* [n_feature, n_block], or NULL */
    int16_t *inputs; /* [n_feature, n_block], if there are no values */
    float *columns;  /* [N_OPEN, n_block]: room for those that are quantised next */
    InputScale scale;
    const double *weight;         /* [n_block]: of each block in the means by words */
    double whole;                 /* their sum */
    double *by_words, *by_blocks; /* [n_feature] */
} Matrix;

/* inputs.c */

/* Whether inputs of 16 bits hold a feature that is cut so. */
int fits_inputs(double clip, double steps);
/* The weight of each block in the means by words, of which each has `unworded` more; returns their sum. */
double weigh_blocks(const int64_t *words, size_t n_block, double unworded, double *weight);
/* out[n_block]: the share of each block's words in links, as the feature has it. */
void measure_link_density(const int32_t *sums, size_t n_block, float *out);

/* A page's texts. */
typedef struct {
    const uint16_t *codes; /* [n_char], as thresher.page.characters has them */
    const int16_t *tag;
    const int32_t *end, *text_offset; /* [n_row], [n_row + 1] */
    const int32_t *leaves;            /* [n_leaf] */
    const int32_t *block_start;       /* [n_block + 1] */
    size_t n_char, n_row, n_leaf, n_block;
    int16_t title, h1; /* codes of tags */
} Texts;

/* A scratch hash table. */
typedef struct {
    uint64_t *hashes;
    uint8_t *marks;
    size_t n_place, n_word; /* a power of two; number of used places */
    int64_t n_probe;        /* see allow_probes; below 0 the search failed */
} TitleWords;

/* thresher.features.characters.Characters; [n_block] unless noted. */
typedef struct {
    int32_t *counts; /* [n_block, N_KIND] */
    uint8_t *first, *last;
    int32_t *n_word, *in_title, *in_h1;
    uint64_t *word_sum;
    int64_t n_title;
} Characters;

/* words.c: returns the number of distinct words of the title. */
int64_t read_characters(const Texts *texts, TitleWords *titles, const Characters *out);
/* numbers[n_block, N_WORD]: of the first words of each block, as thresher.features.words has them; of
 * the texts, tags are not needed. */
int read_words(const Texts *texts, uint16_t *numbers);

/* features.c: signature[n_row] of thresher.features.names.Tokens -> out. */
int measure_blocks(const Blocks *page, const ContainerChain *chain, const int32_t *sums,
                   const Characters *characters, const int64_t *signature, const Recipe *recipe,
                   const Matrix *out, Scratch scratch, Clock *clock);

#endif
