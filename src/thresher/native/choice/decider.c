/* The layers of the decider; thresher.algorithms.learned.decider. */

#include "selected.h"

static const double CLIP = 4;

/* in[n_in] by weights[n_in + 1, n_out], whose last row is the bias -> out[n_out]. */
static void apply(const double *in, size_t n_in, const double *weights, size_t n_out, double *out)
{
    for (size_t unit = 0; unit < n_out; unit++) {
        out[unit] = 0;
    }
    for (size_t at = 0; at < n_in; at++, weights += n_out) {
        for (size_t unit = 0; unit < n_out; unit++) {
            out[unit] += in[at] * weights[unit];
        }
    }
    for (size_t unit = 0; unit < n_out; unit++) {
        out[unit] += weights[unit];
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
    double standard[N_CONTEXT], first[MAX_DECIDER_UNITS], second[MAX_DECIDER_UNITS];
    for (size_t block = 0; block < n; block++, inputs += N_CONTEXT) {
        for (size_t at = 0; at < N_CONTEXT; at++) {
            const double value = (inputs[at] - weights->mean[at]) / weights->deviation[at];
            standard[at] = value < -CLIP ? -CLIP : value > CLIP ? CLIP : value;
        }
        apply(standard, N_CONTEXT, weights->first, weights->n_first, first);
        rectify(first, weights->n_first);
        apply(first, weights->n_first, weights->second, weights->n_second, second);
        rectify(second, weights->n_second);
        apply(second, weights->n_second, weights->output, 1, log_odds + block);
    }
}
