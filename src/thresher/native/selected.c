/* Python steps around the learned network: page types before it, the choice after it. */

#include "network/network.h"
#include "choice/selected.h"
#include "step.h"

/* mean, deviation[n_mean], weights of features[n_mean, t] and names[n_number, t], bias[t]; clip[1];
 * means[n_mean], tokens; seen[n_number], scores[2, t]. */
STEP(score_types, "44444" "8" "88" "bq")
{
    const size_t n_mean = of[0].n, n_type = of[4].n, n_number = of[8].n;
    if (n_type == 0 || of[1].n != n_mean || of[2].n / n_type != n_mean || of[2].n % n_type
        || of[3].n / n_type != n_number || of[3].n % n_type || of[5].n != 1 || of[6].n != n_mean
        || of[9].n != 2 * n_type) {
        return UNFIT;
    }
    const double *clip = of[5].data;
    const TypeModel model = {of[0].data, of[1].data, of[2].data, of[3].data, of[4].data,
                             *clip,      n_mean,     n_type,     n_number};
    return score_types(&model, of[6].data, of[7].data, of[7].n, of[8].data, of[9].data);
}

/* probability[n], words[n], order[n]; beta[1]; keep[n], expected[1]. */
STEP(choose_blocks, "8888bq")
{
    const size_t n = of[0].n;
    if (of[1].n != n || of[2].n != n || of[3].n != 1 || of[4].n != n || of[5].n != 1) {
        return UNFIT;
    }
    const double *beta = of[3].data;
    return choose_blocks(of[0].data, of[1].data, of[2].data, n, *beta, of[4].data, of[5].data);
}

/* log_odds, words, link_words, order[n]; slopes, cuts, doubtful[1], types, empty score[1]; scope;
 * cut, words[N_CANDIDATE], inputs[N_CANDIDATE, N_CANDIDATE_INPUT]. */
STEP(find_candidates, "8888" "88888" "n" "qqq")
{
    const size_t n = of[0].n;
    if (n == 0 || of[1].n != n || of[2].n != n || of[3].n != n || of[4].n != N_SLOPE
        || of[5].n != N_CUT || of[6].n != 1 || of[7].n != N_PAGE_TYPE || of[8].n != 1
        || of[9].number < 0 || of[9].number >= N_SCOPE || of[10].n != N_CANDIDATE
        || of[11].n != N_CANDIDATE || of[12].n != N_CANDIDATE * N_CANDIDATE_INPUT) {
        return UNFIT;
    }
    const double *doubtful = of[6].data, *empty_score = of[8].data;
    const Ranked blocks = {of[0].data, of[1].data, of[2].data, of[3].data, n, *doubtful};
    const PageFacts page = {of[7].data, *empty_score, (size_t)of[9].number};
    return find_candidates(&blocks, &page, of[4].data, of[5].data, of[10].data, of[11].data,
                           of[12].data);
}

/* mean, deviation[n_in]; first[n_in + 1, n_first], second[n_first + 1, n_second],
 * output[n_second + 1, 2]; n_first, n_second; inputs[n, n_in]; outputs[n, 2]. */
STEP(weigh_candidates, "88" "888" "nn" "8q")
{
    const size_t n_in = N_CANDIDATE_INPUT, n = of[7].n / n_in;
    const Py_ssize_t n_first = of[5].number, n_second = of[6].number;
    if (of[0].n != n_in || of[1].n != n_in || n_first < 1 || n_first > MAX_CHOOSER_UNITS
        || n_second < 1 || n_second > MAX_CHOOSER_UNITS
        || of[2].n != (n_in + 1) * (size_t)n_first
        || of[3].n != ((size_t)n_first + 1) * (size_t)n_second
        || of[4].n != ((size_t)n_second + 1) * 2 || of[7].n % n_in || of[8].n != 2 * n) {
        return UNFIT;
    }
    const ChooserWeights weights = {of[0].data, of[1].data,      of[2].data,      of[3].data,
                                    of[4].data, (size_t)n_first, (size_t)n_second};
    weigh_candidates(&weights, of[7].data, n, of[8].data);
    return 0;
}

/* What both steps for parts are given first: tag, end of rows; leaves; start of blocks; container,
 * words, keep, probability of blocks. */
#define CHOSEN "24" "4" "4" "4818"
enum { N_CHOSEN = 8 };

static Chosen chosen_of(const Argument *of)
{
    return (Chosen){of[0].data, of[1].data, of[2].data, of[3].data, of[4].data, of[5].data,
                    of[6].data, of[7].data, of[0].n,    of[2].n,    of[4].n};
}

static int fits_chosen(const Argument *of)
{
    const size_t n_block = of[4].n;
    return of[0].n <= INT32_MAX && of[1].n == of[0].n && of[3].n == n_block + 1
           && of[5].n == n_block && of[6].n == n_block && of[7].n == n_block;
}

/* The chosen; least probability[1]; found[n_block]; reach, codes of math and pre. */
STEP(find_gaps, CHOSEN "8bnnn")
{
    const Argument *more = of + N_CHOSEN;
    if (!fits_chosen(of) || more[0].n != 1 || more[1].n != of[4].n || more[2].number < 0) {
        return UNFIT;
    }
    const Chosen page = chosen_of(of);
    const double *least = more[0].data;
    const GapRule rule = {(int32_t)more[3].number, (int32_t)more[4].number,
                          (size_t)more[2].number, *least};
    return are_chosen(&page) ? find_gaps(&page, &rule, more[1].data) : REFUSED;
}

/* The chosen; kinds of tags; first, stop of rows; first, stop of containers[n_level, n_block]; row
 * of blocks; words of leaves in links; limits[4]; sums[N_SUM, n_block + 1], found[n_block]. */
STEP(find_wholes, CHOSEN "1" "44" "44" "4" "4" "8" "qb")
{
    const Argument *more = of + N_CHOSEN;
    const size_t n_block = of[4].n;
    if (!fits_chosen(of) || more[1].n != of[0].n || more[2].n != of[0].n || n_block == 0
        || more[3].n % n_block || more[4].n != more[3].n || more[5].n != n_block
        || more[6].n != of[2].n || more[7].n != 4 || more[8].n != N_SUM * (n_block + 1)
        || more[9].n != n_block) {
        return UNFIT;
    }
    const Chosen page = chosen_of(of);
    const Structures structures = {
        .kinds = more[0].data, .row_first = more[1].data, .row_stop = more[2].data,
        .first = more[3].data, .stop = more[4].data, .block_row = more[5].data,
        .leaf_link_words = more[6].data, .limits = more[7].data, .n_code = more[0].n,
        .n_level = more[3].n / n_block,
    };
    return are_chosen(&page) ? find_wholes(&page, &structures, more[8].data, more[9].data)
                             : REFUSED;
}
