/* Compiled steps for the choice of blocks: generated arguments handed to plain C. */

#include "choice/selected.h"
#include "step.h"

STEP(choose_blocks)
{
    return choose_blocks(of->probability, of->words, of->order, of->n, of->beta, of->keep,
                         of->expected);
}

STEP(describe_context)
{
    if (of->n == 0 || of->n_level < N_CONTAINER || of->scope < 0 || of->scope >= N_SCOPE) {
        return UNFIT;
    }
    const Scored page = {
        .log_odds = of->log_odds, .roles = of->roles, .words = of->words,
        .link_words = of->link_words, .first = of->first, .stop = of->stop, .types = of->types,
        .empty_score = of->empty_score, .scope = (size_t)of->scope, .n_level = of->n_level,
        .n = of->n,
    };
    return describe_context(&page, of->sums, of->inputs);
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

STEP(find_gaps)
{
    if (of->reach < 0 || of->n_level < 2) {
        return UNFIT;
    }
    const Chosen page = {of->tag,  of->end,         of->leaves, of->block_start, of->container,
                         of->words, of->keep,       of->probability, of->n_row,  of->n_leaf,
                         of->n};
    const GapRule rule = {(int32_t)of->math, (int32_t)of->pre, (size_t)of->reach,
                          of->min_probability, of->first, of->stop};
    return are_chosen(&page) ? find_gaps(&page, &rule, of->found) : REFUSED;
}

STEP(complete_structures)
{
    if (of->n == 0) {
        return UNFIT;
    }
    const Chosen page = {of->tag,  of->end,         of->leaves, of->block_start, of->container,
                         of->words, of->keep,       of->probability, of->n_row,  of->n_leaf,
                         of->n};
    const Structures structures = {
        .kinds = of->kinds, .row_first = of->row_first, .row_stop = of->row_stop,
        .first = of->first, .stop = of->stop, .block_row = of->block_row,
        .leaf_link_words = of->leaf_link_words, .limits = of->limits, .n_code = of->n_code,
        .n_level = of->n_level,
    };
    return are_chosen(&page) ? complete_structures(&page, &structures, of->sums, of->found)
                             : REFUSED;
}
