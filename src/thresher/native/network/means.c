/* Page types: means of a page's features, and a linear model over them and its names. */

#include "network.h"

#include <string.h>

enum { N_SUM = 8 };

void average_blocks(const float *values, size_t n_feature, const int64_t *words, double unworded,
                    size_t n_block, double *weight, double *by_words, double *by_blocks)
{
    double whole = 0;
    for (size_t block = 0; block < n_block; block++) {
        weight[block] = (double)words[block] + unworded;
        whole += weight[block];
    }
    for (size_t feature = 0; feature < n_feature; feature++, values += n_block) {
        /* Side by side, which the compiler makes vectors of: it may not change the order of a sum. */
        double weighed[N_SUM] = {0}, plain[N_SUM] = {0};
        size_t block = 0;
        for (; block + N_SUM <= n_block; block += N_SUM) {
            for (int lane = 0; lane < N_SUM; lane++) {
                double value = (double)values[block + (size_t)lane];
                weighed[lane] += value * weight[block + (size_t)lane];
                plain[lane] += value;
            }
        }
        for (; block < n_block; block++) {
            weighed[0] += (double)values[block] * weight[block];
            plain[0] += (double)values[block];
        }
        double weighed_sum = 0, plain_sum = 0;
        for (int lane = 0; lane < N_SUM; lane++) {
            weighed_sum += weighed[lane];
            plain_sum += plain[lane];
        }
        by_words[feature] = weighed_sum / whole;
        by_blocks[feature] = plain_sum / (double)n_block;
    }
}

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
