/* The means of a page's features. */

#include "network.h"

enum { N_SUM = 8 };

void average_blocks(const float *values, size_t n_feature, const double *weight, size_t n_block,
                    double *by_weight, double *by_block)
{
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
        by_weight[feature] = weighed_sum;
        by_block[feature] = plain_sum;
    }
}
