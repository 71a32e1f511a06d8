/* The layers of the decider; thresher.algorithms.learned.decider.
 *
 * Blocks go through the layers side by side, so that one instruction serves several: each sum is made
 * in the same order for all of them, and is the same to the bit for any number of lanes. */

#include "../simd.h"
#include "selected.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

static const double CLIP = 4;

enum { SIDE = 16 }; /* blocks side by side */

/* in[n_in, SIDE] by weights[n_in + 1, n_out], whose last row is the bias -> out[n_out, SIDE]. */
typedef void Apply(const double *in, size_t n_in, const double *weights, size_t n_out, double *out);

static void apply_plainly(const double *in, size_t n_in, const double *weights, size_t n_out,
                          double *out)
{
    for (size_t unit = 0; unit < n_out; unit++, out += SIDE) {
        const double *weight = weights + unit, *values = in;
        for (size_t block = 0; block < SIDE; block++) {
            out[block] = 0;
        }
        for (size_t at = 0; at < n_in; at++, weight += n_out, values += SIDE) {
            for (size_t block = 0; block < SIDE; block++) {
                out[block] += values[block] * *weight;
            }
        }
        for (size_t block = 0; block < SIDE; block++) {
            out[block] += *weight;
        }
    }
}

#if IS_X86
AVX2 static void apply_by_avx2(const double *in, size_t n_in, const double *weights, size_t n_out,
                               double *out)
{
    enum { LANES = 4, N_SUM = SIDE / LANES };
    for (size_t unit = 0; unit < n_out; unit++, out += SIDE) {
        const double *weight = weights + unit, *values = in;
        __m256d sums[N_SUM];
        for (size_t place = 0; place < N_SUM; place++) {
            sums[place] = _mm256_setzero_pd();
        }
        for (size_t at = 0; at < n_in; at++, weight += n_out, values += SIDE) {
            const __m256d by = _mm256_set1_pd(*weight);
            for (size_t place = 0; place < N_SUM; place++) {
                const __m256d value = _mm256_loadu_pd(values + LANES * place);
                sums[place] = _mm256_add_pd(sums[place], _mm256_mul_pd(value, by));
            }
        }
        for (size_t place = 0; place < N_SUM; place++) {
            const __m256d sum = _mm256_add_pd(sums[place], _mm256_set1_pd(*weight));
            _mm256_storeu_pd(out + LANES * place, sum);
        }
    }
}
#endif

static Apply *choose_apply(void)
{
#if IS_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) {
        return apply_by_avx2;
    }
#endif
    return apply_plainly;
}

/* Bring the inputs[n, N_CONTEXT] of some blocks, SIDE at most, to mean 0 and deviation 1, cut, and lay
 * them side by side; where they are too few, the last one again. */
static void standardise(const DeciderWeights *weights, const double *inputs, size_t n, double *out)
{
    for (size_t at = 0; at < N_CONTEXT; at++, out += SIDE) {
        for (size_t block = 0; block < SIDE; block++) {
            out[block] = inputs[(block < n ? block : n - 1) * N_CONTEXT + at];
        }
        for (size_t block = 0; block < SIDE; block++) {
            const double value = (out[block] - weights->mean[at]) / weights->deviation[at];
            out[block] = value < -CLIP ? -CLIP : value > CLIP ? CLIP : value;
        }
    }
}

static void rectify(double *values, size_t n)
{
    for (size_t at = 0; at < n; at++) {
        values[at] = values[at] < 0 ? 0 : values[at];
    }
}

void weigh_kept(const DeciderWeights *weights, const double *inputs, size_t n, double *log_odds)
{
    Apply *const apply = choose_apply();
    double standard[N_CONTEXT * SIDE], first[MAX_DECIDER_UNITS * SIDE];
    double second[MAX_DECIDER_UNITS * SIDE], output[SIDE];
    for (size_t start = 0; start < n; start += SIDE) {
        const size_t n_beside = n - start < SIDE ? n - start : SIDE;
        standardise(weights, inputs + start * N_CONTEXT, n_beside, standard);
        apply(standard, N_CONTEXT, weights->first, weights->n_first, first);
        rectify(first, weights->n_first * SIDE);
        apply(first, weights->n_first, weights->second, weights->n_second, second);
        rectify(second, weights->n_second * SIDE);
        apply(second, weights->n_second, weights->output, 1, output);
        for (size_t block = 0; block < n_beside; block++) {
            log_odds[start + block] = output[block];
        }
    }
}
