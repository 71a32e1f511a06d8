/* Compiled steps for the choice of blocks: generated arguments handed to plain C. */

#include "choice/selected.h"
#include "step.h"

STEP(describe_context)
{
    if (of->n == 0 || of->n_level < N_CONTAINER || of->scope < 0 || of->scope >= N_SCOPE) {
        return UNFIT;
    }
    const Scored page = {
        .log_odds = of->log_odds, .roles = of->roles, .words = of->words,
        .link_words = of->link_words, .first = of->first, .stop = of->stop,
        .patterns = of->patterns, .types = of->types, .scope = (size_t)of->scope,
        .n_level = of->n_level, .n = of->n,
    };
    return describe_context(&page, of->sums, of->inputs, of->clock);
}

STEP(weigh_blocks)
{
    if (of->n_first < 1 || of->n_first > MAX_DECIDER_UNITS || of->n_second < 1
        || of->n_second > MAX_DECIDER_UNITS) {
        return UNFIT;
    }
    const DeciderWeights weights = {of->mean,   of->deviation, of->first,   of->second,
                                    of->output, of->n_first,   of->n_second};
    weigh_kept(&weights, of->inputs, of->n, of->kept);
    return 0;
}
