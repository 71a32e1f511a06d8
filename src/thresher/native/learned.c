/* Compiled steps for the learned network: generated arguments handed to plain C. */

#include "network/network.h"
#include "step.h"

STEP(index_hashes)
{
    return index_hashes(of->known, of->n_known, of->table, (size_t)of->n_place);
}

STEP(number_hashes)
{
    return number_hashes(of->known, of->n_known, of->table, of->n_place, of->hashes, of->n,
                         of->numbers);
}

STEP(score_types)
{
    if (of->n_type == 0) {
        return UNFIT;
    }
    const TypeModel model = {of->mean, of->deviation, of->feature_weights, of->token_weights,
                             of->bias, of->clip,      of->n_mean,          of->n_type,
                             of->n_number};
    return score_types(&model, of->means, of->tokens, of->n_token, of->seen, of->scores);
}

STEP(add_up_names)
{
    const size_t width = (size_t)of->width, n_net = (size_t)of->n_net;
    const size_t n_room = (size_t)of->n_room, n_part = (size_t)of->n_part;
    const size_t word_width = (size_t)of->word_width, n_of_names = (N_CONTAINER + 1) * width;
    if (of->word_width < 0 || width < 1 || n_net < 1 || width > MAX_INPUTS || width % n_net
        || word_width % n_net || n_part != (n_of_names + word_width) / n_net
        || of->n_first != (word_width ? of->n * N_WORD : 0)) {
        return UNFIT;
    }
    const NameTokens names = {of->embedding, of->numbers, of->start,   of->row,    of->end,
                              of->name,      of->n_known, of->n_token, of->n_name, of->n_entry};
    Path path = {of->path, of->path + n_room, of->sums, n_room};
    const size_t n_bucket = word_width ? of->n_vector / word_width : 0;
    const BlockWords words = {of->word_embedding, of->first_words, n_bucket, word_width};
    const int done = add_up_names(&names, width, n_net, of->leaf, of->container, of->n, of->of_name,
                                  &path, of->names, n_net * n_part);
    return done < 0 ? done
                    : add_up_words(&words, n_net, of->n, of->names + n_of_names / n_net,
                                   n_net * n_part);
}

/* Whether the sizes that `dims` gives can be sizes of a network. */
static int are_dims(const int32_t *dims, size_t n_used)
{
    for (size_t at = 0; at < n_used; at++) {
        if (dims[at] < 1) {
            return 0;
        }
    }
    return 1;
}

STEP(code_blocks)
{
    const int32_t *dims = of->dims;
    if (!are_dims(dims, 6) || dims[7] < 0 || of->start < 0 || of->stop < 0) {
        return UNFIT;
    }
    const size_t n_block = of->n_input / (size_t)dims[0], n_net = (size_t)dims[2];
    if (of->n_input != n_block * (size_t)dims[0] || of->n_type != (size_t)dims[1]
        || of->n_name
               != n_block * n_net * ((N_CONTAINER + 1) * (size_t)dims[5] + (size_t)dims[7])
        || of->n_code != n_block * n_net * (size_t)dims[3]
        || of->n_summary != n_block * n_net * (size_t)dims[4]) {
        return UNFIT;
    }
    const Weights weights = {dims,       of->pairs,  of->fours, of->real,
                             of->n_pair, of->n_four, of->n_real};
    return code_blocks(&weights, of->inputs, of->names, of->types, n_block, (size_t)of->start,
                       (size_t)of->stop, of->hide, of->code, of->summary);
}

STEP(add_up_summaries)
{
    if (of->n_net < 1) {
        return UNFIT;
    }
    return add_up_summaries(of->summary, of->words, of->n, (size_t)of->n_net, of->width, of->sums,
                            of->page);
}

STEP(relate_blocks)
{
    const int32_t *dims = of->dims;
    if (!are_dims(dims + 2, 3) || of->turn < 0 || of->start < 0 || of->stop < 0) {
        return UNFIT;
    }
    const size_t n = of->n, n_net = (size_t)dims[2], width = n_net * (size_t)dims[4];
    if (of->n_summary != n * width || of->n_sum != (n + 1) * width || of->n_page != 2 * width
        || of->n_code != n * n_net * (size_t)dims[3] || of->n_vote != n * n_net) {
        return UNFIT;
    }
    const Weights weights = {dims,       of->pairs,  of->fours, of->real,
                             of->n_pair, of->n_four, of->n_real};
    const Around around = {of->first, of->stop_of, of->summary, of->sums, of->page};
    return relate_blocks(&weights, &around, n, (size_t)of->turn, (size_t)of->start,
                         (size_t)of->stop, of->code, of->following, of->votes);
}
