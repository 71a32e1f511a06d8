/* Steps after the learned network: the choice of blocks, and their completion. Each step has its
 * numpy definition in thresher.algorithms.learned. */

#ifndef THRESHER_SELECTED_H
#define THRESHER_SELECTED_H

#include "../core.h"
#include "../generated.h"

/* choice.c: probability[n], words[n]; order[n], by falling probability -> keep[n], expected. */
int choose_blocks(const double *probability, const int64_t *words, const int64_t *order, size_t n,
                  double beta, uint8_t *keep, double *expected);

/* context.c */
/* The network's output for the blocks of a page, of which there is at least one. */
typedef struct {
    const double *log_odds;
    const float *roles; /* [n, N_ROLE] */
    const int64_t *words;
    const double *link_words;
    const int32_t *first, *stop; /* [n_level, n]: blocks of the containers, nearest first */
    const double *types;         /* [N_PAGE_TYPE] */
    double empty_score;
    size_t scope, n_level, n;
} Scored;
/* sums[N_CONTEXT_SUM, n + 1] is scratch -> inputs[n, N_CONTEXT]. */
int describe_context(const Scored *page, double *sums, double *inputs);

/* decider.c */
enum { MAX_DECIDER_UNITS = 64 };
typedef struct {
    const double *mean, *deviation; /* [N_CONTEXT] */
    const double *first, *second, *output; /* [inputs + 1, units]; there is one of the last */
    size_t n_first, n_second;
} DeciderWeights;
/* inputs[n, N_CONTEXT] -> log_odds[n]. */
void weigh_kept(const DeciderWeights *weights, const double *inputs, size_t n, double *log_odds);

/* A page as the steps of parts.c see it, with the chosen blocks. */
typedef struct {
    const int16_t *tag; /* [n_row] */
    const int32_t *end;
    const int32_t *leaves, *block_start; /* [n_leaf], [n_block + 1] */
    const int32_t *container;            /* [n_block]: the nearest */
    const int64_t *words;
    const uint8_t *keep;
    const double *probability;
    size_t n_row, n_leaf, n_block;
} Chosen;

/* Whether all numbers of rows, leaves and blocks are in range. */
int are_chosen(const Chosen *page);

/* gaps.py: -> found[n_block]. */
typedef struct {
    int32_t math, pre;
    size_t reach;
    double min_probability;
    const int32_t *first, *stop; /* [2, n_block]: blocks of the two nearest containers */
} GapRule;
int find_gaps(const Chosen *page, const GapRule *rule, uint8_t *found);

/* structures.py: what each tag is, and containers and their blocks as of the chain. */
enum { IS_HEADING = 1, IS_TABLE = 2, IS_PARTIAL = 4, IS_WHOLE = 8, IS_BETWEEN = 16 };
typedef struct {
    const uint8_t *kinds; /* [n_code] */
    const int32_t *row_first, *row_stop; /* [n_row] */
    const int32_t *first, *stop; /* [n_level, n_block] */
    const int32_t *block_row, *leaf_link_words; /* [n_block], [n_leaf] */
    const double *limits; /* least probability, least kept; most links, of a table */
    size_t n_code, n_level;
} Structures;
/* sums[N_SUM, n_block + 1] is scratch -> found[n_block]. */
enum { LINKED, LIKELY, KEPT, ALL, N_KEPT, N_SUM };
int complete_structures(const Chosen *page, const Structures *of, double *sums, uint8_t *found);

#endif
