/* Steps after the learned network: the choice of blocks, and their completion. Each step has its
 * numpy definition in thresher.algorithms.learned. */

#ifndef THRESHER_SELECTED_H
#define THRESHER_SELECTED_H

#include "../core.h"
#include "../generated.h"

/* choice.c: probability[n], words[n]; order[n], by falling probability -> keep[n], expected. */
int choose_blocks(const double *probability, const int64_t *words, const int64_t *order, size_t n,
                  double beta, uint8_t *keep, double *expected);

/* candidates.c */
void estimate_probabilities(const double *log_odds, size_t n, double slope, double shift,
                            double *probability);
enum { N_SLOPE = 4, N_CUT = 3, N_SCOPE = 4, MAX_CHOOSER_UNITS = 64 };
_Static_assert(N_CANDIDATE == N_SLOPE + N_CUT, "steps.txt");
_Static_assert(N_CANDIDATE_INPUT == 35 + N_PAGE_TYPE + N_SCOPE + N_CANDIDATE, "steps.txt");
/* The blocks of a page, and their order by falling log-odds; there is at least one. */
typedef struct {
    const double *log_odds;
    const int64_t *words;
    const double *link_words;
    const int64_t *order;
    size_t n;
    double doubtful; /* multiplier that makes log-odds less certain */
} Ranked;
typedef struct {
    const double *types; /* [N_PAGE_TYPE] */
    double empty_score;
    size_t scope;
} PageFacts;
/* slopes[N_SLOPE], cuts[N_CUT] -> cut, words[N_CANDIDATE], inputs[N_CANDIDATE, N_CANDIDATE_INPUT]. */
int find_candidates(const Ranked *blocks, const PageFacts *page, const double *slopes,
                    const double *cuts, double *cut, double *words, double *inputs);

typedef struct {
    const double *mean, *deviation; /* [N_CANDIDATE_INPUT] */
    const double *first, *second, *output; /* [inputs + 1, units]; there are two of the last */
    size_t n_first, n_second;
} ChooserWeights;
/* inputs[n, N_CANDIDATE_INPUT] -> outputs[n, 2]. */
void weigh_candidates(const ChooserWeights *weights, const double *inputs, size_t n, double *outputs);

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
