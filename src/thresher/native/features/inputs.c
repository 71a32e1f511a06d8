/* What is computed from features: their means over the page, and the inputs of a network. */

#include "work.h"

#include "../network/network.h"

enum { N_SUM = 8 };

int fits_inputs(double clip, double steps)
{
    /* Numbers that are none fail this, too. */
    return clip >= 0.0 && steps >= 0.0 && clip * steps <= (double)INT16_MAX;
}

double weigh_blocks(const int64_t *words, size_t n_block, double unworded, double *weight)
{
    double whole = 0;
    for (size_t block = 0; block < n_block; block++) {
        weight[block] = (double)words[block] + unworded;
        whole += weight[block];
    }
    return whole;
}

void measure_link_density(const int32_t *sums, size_t n_block, float *out)
{
    const int32_t *links = sums + LINK_WORDS * (n_block + 1), *words = sums + WORDS * (n_block + 1);
    for (size_t block = 0; block < n_block; block++) {
        out[block] = share_of((float)at_block(links, block), (float)at_block(words, block));
    }
}

/* Side by side, which the compiler makes vectors of: it may not change the order of a sum. */
static void average(const Work *work, const Column *column)
{
    const float *values = column->values;
    const double *weight = work->out->weight;
    double weighed[N_SUM] = {0}, plain[N_SUM] = {0};
    size_t block = 0;
    for (; block + N_SUM <= work->n; block += N_SUM) {
        for (size_t lane = 0; lane < N_SUM; lane++) {
            const double value = (double)values[block + lane];
            weighed[lane] += value * weight[block + lane];
            plain[lane] += value;
        }
    }
    for (; block < work->n; block++) {
        weighed[0] += (double)values[block] * weight[block];
        plain[0] += (double)values[block];
    }
    double weighed_sum = 0, plain_sum = 0;
    for (size_t lane = 0; lane < N_SUM; lane++) {
        weighed_sum += weighed[lane];
        plain_sum += plain[lane];
    }
    work->out->by_words[column->row] = weighed_sum / work->out->whole;
    work->out->by_blocks[column->row] = plain_sum / (double)work->n;
}

static void quantise(const Work *work, const Column *column)
{
    const InputScale *all = &work->out->scale;
    const Scale scale = {all->mean[column->row], all->deviation[column->row],
                         all->saturation[column->row], all->clip, all->steps};
    const SimdLevel *best = choose_simd_level(BEST);
    const SimdLevel *simd = best ? best : choose_simd_level(PLAIN);
    int16_t *out = work->out->inputs + column->row * work->n;
    for (size_t block = 0; block < work->n; block += STRIP) {
        const size_t left = work->n - block;
        simd->quantise(column->values + block, left < STRIP ? left : STRIP, &scale, out + block);
    }
}

int settle(Work *work)
{
    for (const Column *column = work->open; column < work->open + work->n_open; column++) {
        average(work, column);
        if (!work->out->values) {
            quantise(work, column);
        }
    }
    const size_t n_value = work->n_open * work->n;
    work->n_open = 0;
    return is_time_up(work->clock, n_value) ? REFUSED : 0;
}
