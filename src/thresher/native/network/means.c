/* Page types: a linear model over the means of a page's features and its names. */

#include "network.h"

#include <string.h>

int score_types(const TypeModel *model, const double *means, const int64_t *tokens, size_t n_token,
                uint8_t *seen, double *scores)
{
    double *by_names = scores + model->n_type;
    memset(seen, 0, model->n_number);
    memset(scores, 0, 2 * model->n_type * sizeof *scores);
    for (size_t token = 0; token < n_token; token++) {
        if (tokens[token] < 0 || (uint64_t)tokens[token] >= model->n_number) {
            return REFUSED;
        }
        seen[tokens[token]] = 1;
    }
    /* In the order of the vocabulary: the last bits of a sum depend on it. */
    const uint8_t *next = seen, *end = seen + model->n_number;
    while ((next = memchr(next, 1, (size_t)(end - next))) != NULL) {
        const float *weights = model->token_weights + (size_t)(next - seen) * model->n_type;
        for (size_t type = 0; type < model->n_type; type++) {
            by_names[type] += (double)weights[type];
        }
        next++;
    }
    const float *weights = model->feature_weights;
    for (size_t at = 0; at < model->n_mean; at++, weights += model->n_type) {
        double standard = (means[at] - (double)model->mean[at]) / (double)model->deviation[at];
        standard = standard < -model->clip ? -model->clip : standard;
        standard = standard > model->clip ? model->clip : standard;
        for (size_t type = 0; type < model->n_type; type++) {
            scores[type] += standard * (double)weights[type];
        }
    }
    for (size_t type = 0; type < model->n_type; type++) {
        scores[type] += by_names[type] + (double)model->bias[type];
    }
    return 0;
}
