/* Probabilities, candidates and chooser; definitions in thresher.algorithms.learned.calibration,
 * candidates and chooser. */

#include <math.h>

#include "selected.h"

static const double FAR = 30, NEAR = 6, STEPS = 65536, CLIP = 5;

static double sigmoid(double log_odds)
{
    const double bounded = log_odds < -FAR ? -FAR : log_odds > FAR ? FAR : log_odds;
    return rint(STEPS / (1 + exp(-bounded))) / STEPS;
}

void estimate_probabilities(const double *log_odds, size_t n, double slope, double shift,
                            double *probability)
{
    for (size_t at = 0; at < n; at++) {
        probability[at] = sigmoid(log_odds[at] * slope + shift);
    }
}

static double at_least(double value, double least)
{
    return value < least ? least : value;
}

static double clip_near(double log_odds)
{
    return (log_odds < -NEAR ? -NEAR : log_odds > NEAR ? NEAR : log_odds) / 4;
}

/* Sums over the blocks of a candidate: words, expected words, those if less certain, variance of the
 * expected words, words in links, probabilities, number of blocks. */
typedef struct {
    double words, found, doubted, spread, links, mean, count;
} Amounts;

static void add_block(Amounts *sum, const Ranked *blocks, size_t at)
{
    const size_t block = (size_t)blocks->order[at];
    const double words = (double)blocks->words[block];
    const double sure = sigmoid(blocks->log_odds[block]);
    const double unsure = sigmoid(blocks->log_odds[block] * blocks->doubtful);
    sum->words += words;
    sum->found += sure * words;
    sum->doubted += unsure * words;
    sum->spread += sure * (1 - sure) * words;
    sum->links += blocks->link_words[block];
    sum->mean += sure;
    sum->count += 1;
}

static double ranked_at(const Ranked *blocks, size_t at)
{
    return blocks->log_odds[blocks->order[at]];
}

/* The cut in log-odds with the highest expected F1, for log-odds multiplied by a slope. */
static double cut_by_expectation(const Ranked *blocks, double slope)
{
    double all = 0, found = 0, kept = 0, best = -1, cut = 0;
    for (size_t at = 0; at < blocks->n; at++) {
        all += sigmoid(ranked_at(blocks, at) * slope) * (double)blocks->words[blocks->order[at]];
    }
    for (size_t at = 0; at < blocks->n; at++) {
        const double here = ranked_at(blocks, at);
        const double words = (double)blocks->words[blocks->order[at]];
        found += sigmoid(here * slope) * words;
        kept += words;
        if (at + 1 < blocks->n && ranked_at(blocks, at + 1) == here) {
            continue; /* equal ones are kept or dropped together */
        }
        const double measure = 2 * found / at_least(kept + all, 1e-9);
        if (measure > best) {
            best = measure;
            cut = here;
        }
    }
    return cut;
}

/* Inputs from sums over a candidate's blocks -> 15 numbers. */
static double *describe_set(const Amounts *of, const Amounts *total, double *out)
{
    const double most = at_least(of->words, 1e-6), all_words = at_least(total->words, 1e-6);
    const double all_found = at_least(total->found, 1e-6);
    const double all_doubted = at_least(total->doubted, 1e-6);
    *out++ = of->found / most;
    *out++ = of->found / all_found;
    *out++ = 2 * of->found / at_least(of->words + all_found, 1e-6);
    *out++ = of->doubted / most;
    *out++ = of->doubted / all_doubted;
    *out++ = 2 * of->doubted / at_least(of->words + all_doubted, 1e-6);
    *out++ = of->words / all_words;
    *out++ = of->count / total->count;
    *out++ = of->spread / most;
    *out++ = (total->spread - of->spread) / all_words;
    *out++ = log1p(of->words) / 8;
    *out++ = log1p(of->count) / 6;
    *out++ = of->links / most;
    *out++ = (total->links - of->links) / at_least(total->words - of->words, 1);
    *out++ = of->mean / at_least(of->count, 1);
    return out;
}

/* Inputs from the positions of a candidate's blocks -> 6 numbers. */
static double *describe_shape(const Ranked *blocks, size_t kept, double cut, double words,
                              double all_words, double *out)
{
    size_t n_pair = 0, first = (size_t)blocks->order[0], last = first;
    for (size_t block = 0; block + 1 < blocks->n; block++) {
        n_pair += blocks->log_odds[block] >= cut && blocks->log_odds[block + 1] >= cut;
    }
    for (size_t at = 1; at < kept; at++) {
        const size_t block = (size_t)blocks->order[at];
        first = block < first ? block : first;
        last = block > last ? block : last;
    }
    double span = 0;
    for (size_t block = first; block <= last; block++) {
        span += (double)blocks->words[block];
    }
    const double runs = (double)kept - (double)n_pair, n = (double)blocks->n;
    *out++ = log1p(runs) / 4;
    *out++ = runs / at_least((double)kept, 1);
    *out++ = words / at_least(span, 1);
    *out++ = span / at_least(all_words, 1);
    *out++ = (double)first / n;
    *out++ = (double)last / n;
    return out;
}

/* The log-odds of the last block kept and the first one dropped -> 5 numbers. */
static double *describe_bounds(const Ranked *blocks, size_t kept, double cut, double *out)
{
    const double least = kept ? ranked_at(blocks, kept - 1) : NEAR;
    const double most = kept < blocks->n ? ranked_at(blocks, kept) : -NEAR;
    *out++ = clip_near(least);
    *out++ = clip_near(most);
    *out++ = clip_near(least - most);
    *out++ = clip_near(cut);
    *out++ = kept ? 0 : NEAR / 4;
    return out;
}

/* Inputs from the whole page -> 9 numbers, its types, its scope. */
static double *describe_page(const Ranked *blocks, const Amounts *total, const PageFacts *page,
                             double *out)
{
    const double words = at_least(total->words, 1e-6);
    *out++ = ranked_at(blocks, 0) / 4;
    *out++ = ranked_at(blocks, blocks->n / 10) / 4;
    *out++ = log1p((double)blocks->n) / 7;
    *out++ = log1p(total->words) / 8;
    *out++ = log1p(total->found) / 8;
    *out++ = total->found / words;
    *out++ = total->spread / words;
    *out++ = total->links / words;
    *out++ = page->empty_score / 6;
    for (size_t type = 0; type < N_PAGE_TYPE; type++) {
        *out++ = page->types[type];
    }
    for (size_t scope = 0; scope < N_SCOPE; scope++) {
        *out++ = scope == page->scope;
    }
    return out;
}

int find_candidates(const Ranked *blocks, const PageFacts *page, const double *slopes,
                    const double *cuts, double *cut, double *words, double *inputs)
{
    for (size_t at = 0; at < blocks->n; at++) {
        if (blocks->order[at] < 0 || (uint64_t)blocks->order[at] >= blocks->n) {
            return REFUSED;
        }
    }
    for (size_t which = 0; which < N_CANDIDATE; which++) {
        cut[which] = which < N_SLOPE ? cut_by_expectation(blocks, slopes[which])
                                     : cuts[which - N_SLOPE];
    }
    Amounts held[N_CANDIDATE], total = {0};
    size_t kept[N_CANDIDATE] = {0};
    for (size_t which = 0; which < N_CANDIDATE; which++) {
        held[which] = total;
    }
    for (size_t at = 0; at < blocks->n; at++) {
        add_block(&total, blocks, at);
        for (size_t which = 0; which < N_CANDIDATE; which++) {
            if (ranked_at(blocks, at) >= cut[which]) {
                held[which] = total;
                kept[which] = at + 1;
            }
        }
    }
    for (size_t which = 0; which < N_CANDIDATE; which++) {
        double *out = describe_set(&held[which], &total, inputs + which * N_CANDIDATE_INPUT);
        out = describe_shape(blocks, kept[which], cut[which], held[which].words, total.words, out);
        out = describe_bounds(blocks, kept[which], cut[which], out);
        out = describe_page(blocks, &total, page, out);
        for (size_t other = 0; other < N_CANDIDATE; other++) {
            *out++ = other == which;
        }
        words[which] = held[which].words;
    }
    return 0;
}

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
        values[at] = at_least(values[at], 0);
    }
}

void weigh_candidates(const ChooserWeights *weights, const double *inputs, size_t n, double *outputs)
{
    double standard[N_CANDIDATE_INPUT], first[MAX_CHOOSER_UNITS], second[MAX_CHOOSER_UNITS];
    for (size_t row = 0; row < n; row++, inputs += N_CANDIDATE_INPUT) {
        for (size_t at = 0; at < N_CANDIDATE_INPUT; at++) {
            const double value = (inputs[at] - weights->mean[at]) / weights->deviation[at];
            standard[at] = value < -CLIP ? -CLIP : value > CLIP ? CLIP : value;
        }
        apply(standard, N_CANDIDATE_INPUT, weights->first, weights->n_first, first);
        rectify(first, weights->n_first);
        apply(first, weights->n_first, weights->second, weights->n_second, second);
        rectify(second, weights->n_second);
        apply(second, weights->n_second, weights->output, 2, outputs + 2 * row);
    }
}
