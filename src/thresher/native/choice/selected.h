/* Steps after the learned network: the choice of blocks. Each step has its numpy definition in
 * thresher.algorithms.learned. */

#ifndef THRESHER_SELECTED_H
#define THRESHER_SELECTED_H

#include "../core.h"
#include "../generated.h"

/* context.c */
/* The network's output for the blocks of a page, of which there is at least one. */
typedef struct {
    const double *log_odds;
    const float *roles; /* [n, N_ROLE] */
    const int64_t *words;
    const double *link_words;
    const int32_t *first, *stop; /* [n_level, n]: blocks of the containers, nearest first */
    const int32_t *patterns;     /* [N_PATTERN, n]: equal for blocks that are alike */
    const double *types;         /* [N_PAGE_TYPE] */
    size_t scope, n_level, n;
} Scored;
/* sums[N_CONTEXT_SUM, N_PATTERN, n + 1] is scratch -> inputs[n, N_CONTEXT]. REFUSED also if it must stop. */
int describe_context(const Scored *page, double *sums, double *inputs, Clock *clock);

/* decider.c */
enum { MAX_DECIDER_UNITS = 64 };
typedef struct {
    const double *mean, *deviation; /* [N_CONTEXT] */
    const double *first, *second, *output; /* [inputs + 1, units]; there is one of the last */
    size_t n_first, n_second;
} DeciderWeights;
/* inputs[n, N_CONTEXT] -> log_odds[n]. */
void weigh_kept(const DeciderWeights *weights, const double *inputs, size_t n, double *log_odds);

#endif
