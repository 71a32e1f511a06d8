/* The learned network over integers: codes of blocks, and codes of blocks in context.
 *
 * Sums are of integers, and exact. A sum is converted to the next layer's input in float32,
 * one operation after another as numpy does it; a compiler must not fuse two into one. */

#include "network.h"

#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* Added and subtracted, it rounds doubles below 2^51 to integers, half to even. */
static const double ROUND_DOUBLE = 6755399441055744.0;

enum { REACH = 2 };
static const int SHIFTS[N_SHIFT] = {-REACH, -1, 1, REACH};

typedef struct {
    size_t n_feature, n_type, n_net, n_unit, n_summary, n_name, n_round, n_word;
    const SimdLevel *simd;
    /* [net][pairs of inputs][unit][2], but for the first layer, whose units are of all networks */
    const int16_t *first, *names;
    const int8_t *second, *narrow, *near, *page; /* [net][fours of inputs][unit][4] */
    const int8_t *output;                        /* [net, unit] */
    const float *first_scale, *first_bias, *second_scale, *second_bias, *narrow_scale, *narrow_bias,
        *context_scale, *context_bias, *levels;
} Network;

static size_t pairs(size_t n)
{
    return (n + 1) / 2;
}

static size_t n_near(const Network *net)
{
    return net->n_unit + (N_SHIFT + N_CONTAINER) * net->n_summary;
}

/* Find the parts of the weights; 0, or REFUSED where there are more, or others. */
static int lay_out(Network *net, const Weights *weights)
{
    const int32_t *dims = weights->dims;
    for (int each = 0; each < 7; each++) {
        if (dims[each] < 1 || dims[each] > MAX_INPUTS) {
            return REFUSED;
        }
    }
    const size_t f = net->n_feature = (size_t)dims[0], t = net->n_type = (size_t)dims[1];
    const size_t m = net->n_net = (size_t)dims[2], h = net->n_unit = (size_t)dims[3];
    const size_t c = net->n_summary = (size_t)dims[4], d = net->n_name = (size_t)dims[5];
    const size_t r = net->n_round = (size_t)dims[6];
    if (dims[7] < 0 || dims[7] > MAX_INPUTS || dims[7] % 2) {
        return REFUSED;
    }
    const size_t w = net->n_word = (size_t)dims[7];
    net->simd = choose_simd_level(dims[8]);
    const size_t n_level = N_CONTAINER + 1;
    if (!net->simd || m * h > MAX_UNITS || m * c > MAX_UNITS || h % LANES || c % LANES
        || f + t > MAX_INPUTS || n_level * d + w > MAX_INPUTS || n_near(net) > MAX_INPUTS) {
        return REFUSED;
    }
    const size_t n_first = pairs(f + t) * m * h * 2, n_names = m * pairs(n_level * d + w) * h * 2;
    const size_t n_narrow = r * m * h * c, n_context = r * m * n_near(net) * h;
    const size_t n_page = r * m * 2 * c * h, n_real_of_units = 4 * m * h + 2 * r * m * (c + h);
    if (weights->n_pairs != n_first + n_names
        || weights->n_fours != m * h * h + n_narrow + n_context + n_page + m * h
        || weights->n_real != n_real_of_units + (2 + 2 * r) * m) {
        return REFUSED;
    }
    net->first = weights->pairs;
    net->names = net->first + n_first;
    net->second = weights->fours;
    net->narrow = net->second + m * h * h;
    net->near = net->narrow + n_narrow;
    net->page = net->near + n_context;
    net->output = net->page + n_page;
    const float *real = weights->real;
    net->first_scale = real, real += m * h;
    net->first_bias = real, real += m * h;
    net->second_scale = real, real += m * h;
    net->second_bias = real, real += m * h;
    net->narrow_scale = real, real += r * m * c;
    net->narrow_bias = real, real += r * m * c;
    net->context_scale = real, real += r * m * h;
    net->context_bias = real, real += r * m * h;
    net->levels = real;
    return 0;
}

/* Put the features of some blocks into a strip, two features side by side. */
static void fill_strip(const Network *net, const int16_t *inputs, size_t n_block, size_t n_row,
                       int16_t *strip)
{
    size_t feature = 0;
    for (; feature + 2 <= net->n_feature; feature += 2, strip += 2 * STRIP) {
        const int16_t *one = inputs + feature * n_block, *two = one + n_block;
        for (size_t row = 0; row < n_row; row++) {
            strip[2 * row] = one[row];
            strip[2 * row + 1] = two[row];
        }
    }
    for (size_t row = 0; feature < net->n_feature && row < n_row; row++) {
        strip[2 * row] = inputs[feature * n_block + row];
    }
}

/* Give an input the same value in all blocks of a strip. */
static void fill_input(int16_t *strip, size_t input, int16_t value)
{
    for (size_t row = 0; row < STRIP; row++) {
        strip[(input / 2 * STRIP + row) * 2 + input % 2] = value;
    }
}

/* Narrow the codes of some blocks, [n_row, net, unit], to summaries, [n_row, net, n_summary];
 * sums[STRIP * MAX_UNITS] to work in. */
static void narrow(const Network *net, const uint8_t *code, size_t turn, size_t n_row,
                   int32_t *sums, uint8_t *out)
{
    const size_t m = net->n_net, h = net->n_unit, c = net->n_summary;
    for (size_t which = 0; which < m; which++) {
        const size_t place = turn * m + which;
        const Codes of_code = {code + which * h, m * h, h / 4};
        const Activation summary = {net->narrow_scale + place * c, net->narrow_bias + place * c,
                                    net->levels[(2 + 2 * turn) * m + which]};
        net->simd->add_codes(&of_code, 1, n_row, net->narrow + place * h * c, c, NULL, sums);
        net->simd->activate(sums, NULL, n_row, c, &summary, out + which * c, m * c);
    }
}

/* Scratch of code_blocks: too large for the stack of a thread, which may have only 128 KiB. */
typedef struct {
    int16_t strip[(MAX_INPUTS + 1) * STRIP];
    uint8_t first[STRIP * MAX_UNITS];
    int32_t sums[STRIP * MAX_UNITS], of_names[STRIP * MAX_UNITS];
} CodeRoom;

static void code_strips(const Network *net, const int16_t *inputs, const int16_t *names,
                        const int16_t *types, size_t n_block, size_t start, size_t stop,
                        int64_t hide, CodeRoom *room, uint8_t *code, uint8_t *summary)
{
    const SimdLevel *simd = net->simd;
    const size_t m = net->n_net, h = net->n_unit, n_known = net->n_feature + net->n_type;
    const size_t n_around = (N_CONTAINER + 1) * net->n_name + net->n_word;
    int16_t *strip = room->strip;
    uint8_t *first = room->first;
    int32_t *sums = room->sums, *of_names = room->of_names;
    memset(strip, 0, pairs(n_known) * 2 * STRIP * sizeof *strip);
    for (size_t type = 0; type < net->n_type; type++) {
        fill_input(strip, net->n_feature + type, types[type]);
    }
    const Pairs of_strip = {strip, 2, 2 * STRIP, pairs(n_known)};
    for (size_t block = start; block < stop; block += STRIP) {
        const size_t left = stop - block, n_row = left < STRIP ? left : STRIP;
        fill_strip(net, inputs + block, n_block, n_row, strip);
        if (hide >= 0 && (size_t)hide < n_known) {
            fill_input(strip, (size_t)hide, 0);
        }
        for (size_t which = 0; which < m; which++) {
            const Pairs around = {names + (block * m + which) * n_around, m * n_around, 2,
                                  n_around / 2};
            const Codes of_first = {first, h, h / 4};
            const Activation one = {net->first_scale + which * h, net->first_bias + which * h,
                                    net->levels[which]};
            const Activation two = {net->second_scale + which * h, net->second_bias + which * h,
                                    net->levels[m + which]};
            simd->add_pairs(&of_strip, n_row, net->first + 2 * which * h, m * h, h, sums);
            simd->add_pairs(&around, n_row, net->names + which * n_around * h, h, h, of_names);
            simd->activate(sums, of_names, n_row, h, &one, first, h);
            simd->add_codes(&of_first, 1, n_row, net->second + which * h * h, h, NULL, sums);
            simd->activate(sums, NULL, n_row, h, &two, code + (block * m + which) * h, m * h);
        }
        narrow(net, code + block * m * h, 0, n_row, sums, summary + block * m * net->n_summary);
    }
}

int code_blocks(const Weights *weights, const int16_t *inputs, const int16_t *names,
                const int16_t *types, size_t n_block, size_t start, size_t stop, int64_t hide,
                uint8_t *code, uint8_t *summary)
{
    Network net;
    if (lay_out(&net, weights) < 0 || start > stop || stop > n_block) {
        return REFUSED;
    }
    CodeRoom *room = malloc(sizeof *room);
    if (!room) {
        return REFUSED;
    }
    code_strips(&net, inputs, names, types, n_block, start, stop, hide, room, code, summary);
    free(room);
    return 0;
}

/* Round a mean of summaries; it is one of numbers from 0 to MAX_LEVEL, unless words are broken. */
static uint8_t round_mean(double mean)
{
    mean = mean > 0.0 ? mean : 0.0;
    mean = mean < (double)MAX_LEVEL ? mean : (double)MAX_LEVEL;
    return (uint8_t)(mean + ROUND_DOUBLE - ROUND_DOUBLE);
}

int add_up_summaries(const uint8_t *summary, const int64_t *words, size_t n_block, size_t n_net,
                     size_t n_summary, int32_t *sums, uint8_t *page)
{
    const size_t width = n_net * n_summary;
    double by_words[MAX_UNITS] = {0}, n_word = 0;
    if (width > MAX_UNITS || !n_block) {
        return REFUSED;
    }
    memset(sums, 0, width * sizeof *sums);
    for (size_t block = 0; block < n_block; block++) {
        const double weight = (double)words[block];
        n_word += weight;
        for (size_t at = 0; at < width; at++) {
            const uint8_t value = summary[block * width + at];
            /* May wrap around; the differences that are used do not. */
            sums[(block + 1) * width + at] =
                (int32_t)((uint32_t)sums[block * width + at] + (uint32_t)value);
            by_words[at] += weight * value;
        }
    }
    for (size_t at = 0; at < width; at++) {
        const double by_blocks = (double)sums[n_block * width + at] / (double)n_block;
        const double mean = by_words[at] / (n_word > 1.0 ? n_word : 1.0);
        uint8_t *of_net = page + at / n_summary * 2 * n_summary;
        of_net[at % n_summary] = round_mean(by_blocks);
        of_net[n_summary + at % n_summary] = round_mean(mean);
    }
    return 0;
}

/* The mean summaries of the containers of some blocks, beside[n_row, containers, width]; those of the
 * block before stand in `latest`. */
typedef struct {
    size_t first[N_CONTAINER], stop[N_CONTAINER];
    uint8_t means[N_CONTAINER][MAX_UNITS];
} Latest;

static int average_containers(const SimdLevel *simd, const Around *around, size_t n_block,
                              size_t width, size_t block, size_t n_row, Latest *latest,
                              uint8_t *beside)
{
    for (size_t row = 0; row < n_row; row++) {
        for (size_t level = 0; level < N_CONTAINER; level++, beside += width) {
            const int32_t from = around->first[level * n_block + block + row];
            const int32_t to = around->stop[level * n_block + block + row];
            if (from < 0 || to <= from || (size_t)to > n_block) {
                return REFUSED;
            }
            const size_t first = (size_t)from, stop = (size_t)to;
            if (first != latest->first[level] || stop != latest->stop[level]) {
                latest->first[level] = first;
                latest->stop[level] = stop;
                simd->average(around->sums + first * width, around->sums + stop * width,
                             stop - first, width, latest->means[level]);
            }
            memcpy(beside, latest->means[level], width * sizeof *beside);
        }
    }
    return 0;
}

/* What the page's mean summaries add to each sum; of_page[net, unit], sums[TILE * MAX_UNITS] to work
 * in. */
static void weigh_page(const Network *net, const uint8_t *page, size_t turn, int32_t *of_page,
                       int32_t *sums)
{
    const size_t h = net->n_unit, n_in = 2 * net->n_summary;
    for (size_t which = 0; which < net->n_net; which++) {
        const Codes of_means = {page + which * n_in, 0, n_in / 4};
        net->simd->add_codes(&of_means, 1, 1, net->page + (turn * net->n_net + which) * n_in * h, h,
                            NULL, sums);
        memcpy(of_page + which * h, sums, h * sizeof *sums);
    }
}

/* Scratch of relate_blocks, which is too large for a stack, too. */
typedef struct {
    /* The summaries of a strip and of the neighbours at its edges, 0 where there are none. */
    uint8_t window[(STRIP + 2 * REACH) * MAX_UNITS];
    uint8_t beside[STRIP * N_CONTAINER * MAX_UNITS];
    int32_t of_page[MAX_UNITS], sums[STRIP * MAX_UNITS];
    Latest latest;
} RelateRoom;

static int relate_strips(const Network *net, const Around *around, size_t n_block, size_t turn,
                         size_t start, size_t stop, RelateRoom *room, uint8_t *code, uint8_t *next,
                         int32_t *votes)
{
    const SimdLevel *simd = net->simd;
    const size_t m = net->n_net, h = net->n_unit, c = net->n_summary, width = m * c;
    const int is_last = turn + 1 == net->n_round;
    uint8_t *window = room->window, *beside = room->beside;
    int32_t *of_page = room->of_page, *sums = room->sums;
    weigh_page(net, around->page, turn, of_page, sums);
    for (size_t block = start; block < stop; block += STRIP) {
        const size_t left = stop - block, n_row = left < STRIP ? left : STRIP;
        const size_t low = block < REACH ? 0 : block - REACH;
        const size_t high = block + n_row + REACH < n_block ? block + n_row + REACH : n_block;
        memset(window, 0, (n_row + 2 * REACH) * width * sizeof *window);
        memcpy(window + (low + REACH - block) * width, around->summary + low * width,
               (high - low) * width * sizeof *window);
        if (average_containers(simd, around, n_block, width, block, n_row, &room->latest, beside) < 0) {
            return REFUSED;
        }
        for (size_t which = 0; which < m; which++) {
            const size_t place = turn * m + which;
            uint8_t *own = code + (block * m + which) * h;
            Codes parts[1 + N_SHIFT + N_CONTAINER] = {{own, m * h, h / 4}}, *part = parts + 1;
            for (size_t shift = 0; shift < N_SHIFT; shift++) {
                const size_t row = (size_t)(REACH + SHIFTS[shift]);
                *part++ = (Codes){window + row * width + which * c, width, c / 4};
            }
            for (size_t level = 0; level < N_CONTAINER; level++) {
                *part++ = (Codes){beside + level * width + which * c, N_CONTAINER * width, c / 4};
            }
            const Activation context = {net->context_scale + place * h, net->context_bias + place * h,
                                        net->levels[(3 + 2 * turn) * m + which]};
            simd->add_codes(parts, (size_t)(part - parts), n_row, net->near + place * n_near(net) * h,
                           h, of_page + which * h, sums);
            simd->activate(sums, NULL, n_row, h, &context, own, m * h);
        }
        if (!is_last) {
            narrow(net, code + block * m * h, turn + 1, n_row, sums, next + block * width);
            continue;
        }
        for (size_t row = block; row < block + n_row; row++) {
            const uint8_t *own = code + row * m * h;
            for (size_t which = 0; which < m; which++) {
                int32_t vote = 0;
                for (size_t unit = which * h; unit < (which + 1) * h; unit++) {
                    vote += own[unit] * net->output[unit];
                }
                votes[which * n_block + row] = vote;
            }
        }
    }
    return 0;
}

int relate_blocks(const Weights *weights, const Around *around, size_t n_block, size_t turn,
                  size_t start, size_t stop, uint8_t *code, uint8_t *next, int32_t *votes)
{
    Network net;
    if (lay_out(&net, weights) < 0 || start > stop || stop > n_block || turn >= net.n_round) {
        return REFUSED;
    }
    RelateRoom *room = malloc(sizeof *room);
    if (!room) {
        return REFUSED;
    }
    memset(&room->latest, 0, sizeof room->latest);
    const int done = relate_strips(&net, around, n_block, turn, start, stop, room, code, next,
                                   votes);
    free(room);
    return done;
}
