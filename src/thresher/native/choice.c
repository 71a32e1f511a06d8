/* Compiled steps for the choice of blocks: generated arguments handed to plain C. */

#include "choice/selected.h"
#include "step.h"

STEP(estimate_probabilities)
{
    estimate_probabilities(of->log_odds, of->n, of->slope, of->shift, of->probability);
    return 0;
}

STEP(choose_blocks)
{
    return choose_blocks(of->probability, of->words, of->order, of->n, of->beta, of->keep,
                         of->expected);
}

STEP(find_candidates)
{
    if (of->n == 0 || of->scope < 0 || of->scope >= N_SCOPE) {
        return UNFIT;
    }
    const Ranked blocks = {of->log_odds, of->words, of->link_words, of->order, of->n,
                           of->doubtful};
    const PageFacts page = {of->types, of->empty_score, (size_t)of->scope};
    return find_candidates(&blocks, &page, of->slopes, of->cuts, of->cut, of->kept_words,
                           of->inputs);
}

STEP(weigh_candidates)
{
    if (of->n_first < 1 || of->n_first > MAX_CHOOSER_UNITS || of->n_second < 1
        || of->n_second > MAX_CHOOSER_UNITS) {
        return UNFIT;
    }
    const ChooserWeights weights = {of->mean,   of->deviation, of->first,   of->second,
                                    of->output, of->n_first,   of->n_second};
    weigh_candidates(&weights, of->inputs, of->n, of->scores);
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
