/* Compiled steps for the features of blocks: generated arguments handed to plain C. */

#include "features/features.h"
#include "network/network.h"
#include "step.h"

STEP(read_characters)
{
    const size_t n_block = of->n_block;
    if (of->n_row == 0) {
        return UNFIT;
    }
    const Texts texts = {
        .codes = of->codes, .tag = of->tag, .end = of->end, .text_offset = of->text_offset,
        .leaves = of->leaves, .block_start = of->block_start, .n_char = of->n_char,
        .n_row = of->n_row, .n_leaf = of->n_leaf, .n_block = n_block,
        .title = (int16_t)of->title, .h1 = (int16_t)of->h1,
    };
    TitleWords titles = {.hashes = of->hashes, .marks = of->marks,
                         .n_place = (size_t)of->n_place};
    const Characters characters = {
        .counts = of->counts, .first = of->first, .last = of->last, .n_word = of->words,
        .in_title = of->words + n_block, .in_h1 = of->words + 2 * n_block,
        .word_sum = of->word_sum,
    };
    return read_characters(&texts, &titles, &characters);
}

STEP(read_words)
{
    const Texts texts = {
        .codes = of->codes, .end = of->end, .text_offset = of->text_offset, .leaves = of->leaves,
        .block_start = of->block_start, .n_char = of->n_char, .n_row = of->n_row,
        .n_leaf = of->n_leaf, .n_block = of->n_block,
    };
    return read_words(&texts, of->numbers);
}

STEP(read_tokens)
{
    const size_t n_entry = (size_t)of->n_entry;
    const NamedRows rows = {
        .buffer = of->buffer, .n_byte = of->n_byte, .tag = of->tag, .end = of->end,
        .block_offset = of->block_offset, .n_row = of->n_row, .row = of->row, .start = of->start,
        .stop = of->stop, .low = of->low, .high = of->high, .n_attribute = of->n_attribute,
        .wanted = (const uint64_t (*)[2])of->wanted, .salts = of->salts,
        .n_wanted = of->n_wanted, .tag_tokens = of->tag_tokens, .n_code = of->n_code,
        .text = (int16_t)of->text,
    };
    const TokenRoom room = {
        .hashes = of->hashes, .start = of->name_start, .first_of = of->first_of,
        .salt_of = of->salt_of, .n_room = (size_t)of->n_room, .table = of->table,
        .n_place = (size_t)of->n_place, .row = of->entries, .end = of->entries + n_entry,
        .name = of->entries + 2 * n_entry, .n_entry = n_entry, .signature = of->signature,
    };
    return read_tokens(&rows, &room, of->sizes);
}

STEP(hash_runs)
{
    return hash_runs(of->symbols, of->n_symbol, of->start, of->stop, of->n, of->hashes);
}

STEP(measure_blocks)
{
    const size_t n_block = of->n_block, n_row = of->n_row;
    const size_t n_feature = of->n_log + of->n_share + of->n_plain;
    const int is_quantised = of->n_input != 0;
    if (!n_row || !of->n_leaf || !n_block || !of->n_code || of->n_around < 0
        || (size_t)of->n_feature != n_feature
        || (size_t)of->n_value != (is_quantised ? 0 : n_feature)
        || (size_t)of->n_input != (is_quantised ? n_feature : 0)
        || of->n_mean != (is_quantised ? n_feature : 0)
        || !fits_inputs(of->clip, of->steps)) {
        return UNFIT;
    }
    int32_t *at = of->chain;
    const Blocks page = {
        .tag = of->tag, .parent = of->parent, .end = of->end, .depth = of->depth,
        .hidden = of->hidden, .leaf_offset = of->leaf_offset, .leaves = of->leaves,
        .of_leaf = of->of_leaf, .leaf_words = of->leaf_words,
        .leaf_link_words = of->leaf_link_words, .leaf_chars = of->leaf_chars,
        .block_start = of->block_start, .block_row = of->block_row, .n_row = n_row,
        .n_leaf = of->n_leaf, .n_block = n_block,
    };
    const ContainerChain chain = {
        at, at + N_LEVEL * n_block, at + 2 * N_LEVEL * n_block, at + 3 * N_LEVEL * n_block,
        of->n_above, of->row_blocks, of->row_blocks + n_row,
    };
    /* The counts of characters are only read. */
    const Characters characters = {
        .counts = (int32_t *)of->kinds, .first = (uint8_t *)of->first,
        .last = (uint8_t *)of->last, .n_word = (int32_t *)of->words_of,
        .in_title = (int32_t *)of->words_of + n_block,
        .in_h1 = (int32_t *)of->words_of + 2 * n_block, .word_sum = (uint64_t *)of->word_sum,
        .n_title = of->n_title,
    };
    const Recipe recipe = {
        .flags = of->flags, .around = of->around, .elements = of->elements,
        .formulas = of->formulas, .rows = {of->logs, of->shares, of->plain},
        .n_row_of = {of->n_log, of->n_share, of->n_plain}, .edges = of->edges,
        .n_code = of->n_code, .n_around = (size_t)of->n_around, .n_element = of->n_element,
        .n_formula = of->n_formula, .n_feature = n_feature,
        .hidden_flags = (int32_t)of->hidden_flags, .h1 = (int32_t)of->h1_code,
    };
    const Scratch scratch = {of->space, (size_t)of->n_scratch};
    Clock *clock = of->clock;
    if (!are_blocks(&page) || is_time_up(clock, n_row)
        || find_containers(&page, &chain, scratch) != 0 || is_time_up(clock, N_LEVEL * n_row)
        || count_blocks(&page, &chain, recipe.flags, recipe.n_code, characters.counts, of->sums,
                        of->words, scratch) != 0
        || is_time_up(clock, N_COUNT * n_block)) {
        return REFUSED;
    }
    const double whole = weigh_blocks(of->words, n_block, of->unworded, of->weight);
    measure_link_density(of->sums, n_block, of->link_density);
    const Matrix out = {
        .values = is_quantised ? NULL : of->features, .inputs = of->inputs, .columns = of->columns,
        .scale = {of->mean, of->deviation, of->saturation, (float)of->clip, (float)of->steps},
        .weight = of->weight, .whole = whole, .by_words = of->means,
        .by_blocks = of->means + n_feature,
    };
    return measure_blocks(&page, &chain, of->sums, &characters, of->signature, &recipe, &out,
                          scratch, clock);
}
