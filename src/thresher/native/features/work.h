/* Helpers shared by the groups of features.
 *
 * A feature is a logarithm by the bits of a float, the ratio of two counts, or a plain value:
 * see features/base.py. Floats are summed in the same order as by numpy. */

#ifndef THRESHER_FEATURES_WORK_H
#define THRESHER_FEATURES_WORK_H

#include "features.h"

#include <string.h>

enum { LOG, SHARE, VALUE, N_SORT }; /* what a feature is */

enum { BLOCK, CONTAINERS, NEXT, WITHIN, PAGE, N_FORMULAS }; /* tables of formulas */

typedef struct {
    const int32_t *logs, *parts, *wholes;
    size_t n_log, n_share;
} Formulas;

/* A feature that is being computed. */
typedef struct {
    float *values; /* [n_block] */
    size_t row;    /* of the matrix */
} Column;

typedef struct {
    const Blocks *page;
    const ContainerChain *chain;
    const int32_t *sums;
    const Characters *characters;
    const int64_t *signature;
    const Recipe *recipe;
    const Matrix *out;
    Scratch scratch;
    Clock *clock;
    size_t n, n_done[3];
    Column open[N_OPEN]; /* features since the last `settle` */
    size_t n_open;
    int failed;
    Formulas formulas[N_FORMULAS];
} Work;

/* The next feature of a kind; [n_block]. Once its values are there, `settle` must follow. */
static inline float *next_of(Work *work, int kind)
{
    size_t place = work->n_done[kind]++;
    if (place >= work->recipe->n_row_of[kind] || work->n_open == N_OPEN) {
        work->failed = 1;
        place = work->n_open = 0;
    }
    const Matrix *out = work->out;
    Column *column = work->open + work->n_open;
    column->row = (size_t)work->recipe->rows[kind][place];
    column->values = out->values ? out->values + column->row * work->n
                                 : out->columns + work->n_open * work->n;
    work->n_open++;
    return column->values;
}

/* inputs.c: average the open features over the page, and quantise them if that is asked for. REFUSED
 * if the step must stop. */
int settle(Work *work);

/* log2(1 + x), linear between powers of two: exponent and mantissa read as one number. */
static inline float log_of(float x)
{
    const float shifted = x + 1.0f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    float log = (float)bits;
    log = log * 1.1920928955078125e-07f; /* 2^-23 */
    return log - 127.0f;
}

static inline float share_of(float part, float whole)
{
    return part / (whole > 1.0f ? whole : 1.0f);
}

static inline const int32_t *sums_of(const Work *work, int32_t count)
{
    return work->sums + (size_t)count * (work->n + 1);
}

static inline int32_t between(const int32_t *sums, int32_t first, int32_t stop)
{
    return sums[stop] - sums[first];
}

/* The counts of a block. */
static inline int32_t at_block(const int32_t *sums, size_t block)
{
    return sums[block + 1] - sums[block];
}

/* For hash tables. */
static inline uint64_t scatter(uint64_t key)
{
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9u;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBu;
    return key ^ (key >> 31);
}

static inline size_t table_places(size_t n)
{
    size_t n_place = 4;
    while (n_place < 2 * n) {
        n_place *= 2;
    }
    return n_place;
}

/* Each fills the features of its group, in order. REFUSED if there is too little memory, a number is
 * out of range, or the step must stop. */
int measure_block_features(Work *work); /* block.c: a block's own text */
int measure_path(Work *work);           /* block.c: its ancestors */
int measure_containers(Work *work);     /* containers.c */
int measure_siblings(Work *work);       /* siblings.c */
int measure_place(Work *work);          /* place.c */
int measure_neighbours(Work *work);
int measure_wording(Work *work);        /* wording.c */

#endif
