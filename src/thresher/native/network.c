/* The learned network over whole numbers: codes of blocks, and codes of blocks with what is around.
 *
 * Sums are of whole numbers, and exact. What makes a sum the next layer's input is done in float32,
 * one operation after another as numpy does it; a compiler must not fuse two into one. */

#include "network.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* Added and taken away again, it rounds doubles below 2^51 to whole numbers, half to even. */
static const double ROUND_DOUBLE = 6755399441055744.0;

static const int SHIFTS[N_SHIFT] = {-2, -1, 1, 2};

typedef struct {
    size_t n_feature, n_type, n_net, n_unit, n_summary, n_name, n_round;
    const Way *way;
    /* [net][pairs of inputs][unit][2], but for the first layer, whose units are of all networks */
    const int16_t *first, *names, *second, *narrow, *near, *page;
    const int16_t *output; /* [net, unit] */
    float clip, steps;
    const float *mean, *deviation, *saturation;
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
    net->way = choose_way(dims[7]);
    const size_t n_level = N_CONTAINER + 1;
    if (!net->way || m * h > MAX_UNITS || m * c > MAX_UNITS || h % LANES || c % LANES
        || f + t > MAX_INPUTS || n_level * d > MAX_INPUTS || n_near(net) > MAX_INPUTS) {
        return REFUSED;
    }
    const int16_t *whole = weights->whole;
    net->first = whole, whole += pairs(f + t) * m * h * 2;
    net->names = whole, whole += m * pairs(n_level * d) * h * 2;
    net->second = whole, whole += m * h * h;
    net->narrow = whole, whole += r * m * h * c;
    net->near = whole, whole += r * m * n_near(net) * h;
    net->page = whole, whole += r * m * 2 * c * h;
    net->output = whole, whole += m * h;
    const float *real = weights->real;
    net->clip = real[0], net->steps = real[1], real += 2;
    net->mean = real, real += f;
    net->deviation = real, real += f;
    net->saturation = real, real += f;
    net->first_scale = real, real += m * h;
    net->first_bias = real, real += m * h;
    net->second_scale = real, real += m * h;
    net->second_bias = real, real += m * h;
    net->narrow_scale = real, real += r * m * c;
    net->narrow_bias = real, real += r * m * c;
    net->context_scale = real, real += r * m * h;
    net->context_bias = real, real += r * m * h;
    net->levels = real, real += (2 + 2 * r) * m;
    const int fits = whole == weights->whole + weights->n_whole
                     && real == weights->real + weights->n_real;
    return fits ? 0 : REFUSED;
}

/* Bring the features of a strip to whole numbers; out[STRIP, n_in]. */
static void quantise(const Network *net, const float *values, size_t n_block, size_t start,
                     size_t n_row, int16_t *out)
{
    const size_t n_in = pairs(net->n_feature + net->n_type) * 2;
    int16_t strip[STRIP];
    float x[STRIP] = {0};
    for (size_t feature = 0; feature < net->n_feature; feature++) {
        const Scale scale = {net->mean[feature], net->deviation[feature], net->saturation[feature],
                             net->clip, net->steps};
        memcpy(x, values + feature * n_block + start, n_row * sizeof *x);
        net->way->quantise(x, &scale, strip);
        for (size_t row = 0; row < n_row; row++) {
            out[row * n_in + feature] = strip[row];
        }
    }
}

/* Weigh the names around each block of a tile, of one network: names[n_row, level, net, n_name]. */
static void weigh_names(const Network *net, size_t which, const int32_t *names, size_t n_row,
                        float *sums)
{
    const size_t m = net->n_net, h = net->n_unit, d = net->n_name, n_level = N_CONTAINER + 1;
    const size_t n_in = pairs(n_level * d) * 2;
    const int16_t *weights = net->names + which * n_in * h;
    int16_t in[TILE * MAX_INPUTS];
    int32_t whole[TILE * MAX_UNITS];
    int is_small = 1;
    memset(in, 0, TILE * n_in * sizeof *in);
    memset(whole, 0, TILE * h * sizeof *whole);
    for (size_t row = 0; row < n_row; row++) {
        for (size_t level = 0; level < n_level; level++) {
            const int32_t *sum = names + ((row * n_level + level) * m + which) * d;
            int16_t *to = in + row * n_in + level * d;
            for (size_t at = 0; at < d; at++) {
                to[at] = (int16_t)sum[at];
                is_small &= to[at] == sum[at];
            }
        }
    }
    if (is_small) {
        net->way->add(in, n_in / 2, weights, h, whole);
    }
    for (size_t at = 0; at < n_row * h; at++) {
        sums[at] = (float)whole[at];
    }
    /* On pages that are nested without end. */
    for (size_t at = 0; at < n_row * h && !is_small; at++) {
        const size_t row = at / h, unit = at % h;
        int64_t total = 0;
        for (size_t place = 0; place < n_level * d; place++) {
            const int32_t sum = names[((row * n_level + place / d) * m + which) * d + place % d];
            total += (int64_t)sum * weights[(place / 2 * h + unit) * 2 + place % 2];
        }
        sums[at] = (float)(double)total;
    }
}

/* Narrow the codes of a tile, [TILE, net, unit], to summaries, [n_row, net, n_summary]. */
static void narrow(const Network *net, const int16_t *code, size_t turn, size_t n_row, int16_t *out)
{
    const size_t m = net->n_net, h = net->n_unit, c = net->n_summary;
    int16_t in[TILE * MAX_UNITS];
    int32_t sums[TILE * MAX_UNITS];
    for (size_t which = 0; which < m; which++) {
        const size_t place = turn * m + which;
        for (size_t row = 0; row < TILE; row++) {
            memcpy(in + row * h, code + (row * m + which) * h, h * sizeof *in);
        }
        memset(sums, 0, TILE * c * sizeof *sums);
        net->way->add(in, h / 2, net->narrow + place * h * c, c, sums);
        for (size_t row = 0; row < n_row; row++) {
            net->way->activate(sums + row * c, NULL, c, net->narrow_scale + place * c,
                           net->narrow_bias + place * c, net->levels[(2 + 2 * turn) * m + which],
                           out + (row * m + which) * c);
        }
    }
}

int code_blocks(const Weights *weights, const float *values, const int32_t *names,
                const int16_t *types, size_t n_block, size_t start, size_t stop, int64_t hide,
                int16_t *code, int16_t *summary)
{
    Network net;
    if (lay_out(&net, weights) < 0 || start > stop || stop > n_block) {
        return REFUSED;
    }
    const size_t m = net.n_net, h = net.n_unit, n_known = net.n_feature + net.n_type;
    const size_t n_in = pairs(n_known) * 2, names_of_block = (N_CONTAINER + 1) * m * net.n_name;
    int16_t strip[STRIP * MAX_INPUTS], first[TILE * MAX_UNITS], coded[TILE * MAX_UNITS];
    int32_t sums[TILE * MAX_UNITS];
    float of_names[TILE * MAX_UNITS];
    memset(strip, 0, STRIP * n_in * sizeof *strip);
    memset(first, 0, sizeof first);
    memset(coded, 0, sizeof coded);
    for (size_t row = 0; row < STRIP; row++) {
        memcpy(strip + row * n_in + net.n_feature, types, net.n_type * sizeof *types);
    }
    for (size_t block = start; block < stop; block += TILE) {
        const size_t left = stop - block, n_row = left < TILE ? left : TILE;
        const size_t in_strip = (block - start) % STRIP;
        if (!in_strip) {
            quantise(&net, values, n_block, block, left < STRIP ? left : STRIP, strip);
            for (size_t row = 0; row < STRIP && hide >= 0 && (size_t)hide < n_known; row++) {
                strip[row * n_in + (size_t)hide] = 0;
            }
        }
        memset(sums, 0, TILE * m * h * sizeof *sums);
        net.way->add(strip + in_strip * n_in, n_in / 2, net.first, m * h, sums);
        for (size_t which = 0; which < m; which++) {
            weigh_names(&net, which, names + block * names_of_block, n_row, of_names);
            for (size_t row = 0; row < n_row; row++) {
                net.way->activate(sums + (row * m + which) * h, of_names + row * h, h,
                                  net.first_scale + which * h, net.first_bias + which * h,
                                  net.levels[which], first + row * h);
            }
            int32_t second[TILE * MAX_UNITS];
            memset(second, 0, TILE * h * sizeof *second);
            net.way->add(first, h / 2, net.second + which * h * h, h, second);
            for (size_t row = 0; row < n_row; row++) {
                net.way->activate(second + row * h, NULL, h, net.second_scale + which * h,
                               net.second_bias + which * h, net.levels[m + which],
                               coded + (row * m + which) * h);
            }
        }
        memcpy(code + block * m * h, coded, n_row * m * h * sizeof *code);
        narrow(&net, coded, 0, n_row, summary + block * m * net.n_summary);
    }
    return 0;
}

int add_up_summaries(const int16_t *summary, const int64_t *words, size_t n_block, size_t n_net,
                     size_t n_summary, int32_t *sums, int16_t *page)
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
            const int16_t value = summary[block * width + at];
            /* May wrap around; the differences that are wanted do not. */
            sums[(block + 1) * width + at] =
                (int32_t)((uint32_t)sums[block * width + at] + (uint32_t)value);
            by_words[at] += weight * value;
        }
    }
    for (size_t at = 0; at < width; at++) {
        const double by_blocks = (double)sums[n_block * width + at] / (double)n_block;
        const double mean = by_words[at] / (n_word > 1.0 ? n_word : 1.0);
        int16_t *of_net = page + at / n_summary * 2 * n_summary;
        of_net[at % n_summary] = (int16_t)(by_blocks + ROUND_DOUBLE - ROUND_DOUBLE);
        of_net[n_summary + at % n_summary] = (int16_t)(mean + ROUND_DOUBLE - ROUND_DOUBLE);
    }
    return 0;
}

/* The mean summaries of a container, rounded. */
static void average(const int32_t *sums, size_t width, size_t first, size_t stop, int16_t *means)
{
    const double count = (double)(stop - first);
    for (size_t at = 0; at < width; at++) {
        const uint32_t inside = (uint32_t)sums[stop * width + at] - (uint32_t)sums[first * width + at];
        const double mean = (double)(int32_t)inside / count;
        means[at] = (int16_t)(mean + ROUND_DOUBLE - ROUND_DOUBLE);
    }
}

int relate_blocks(const Weights *weights, const Around *around, size_t n_block, size_t turn,
                  size_t start, size_t stop, int16_t *code, int16_t *next, int32_t *votes,
                  int64_t *totals)
{
    Network net;
    if (lay_out(&net, weights) < 0 || start > stop || stop > n_block || turn >= net.n_round) {
        return REFUSED;
    }
    const size_t m = net.n_net, h = net.n_unit, c = net.n_summary, width = m * c;
    const size_t n_in = n_near(&net);
    const int is_last = turn + 1 == net.n_round;
    int16_t near[TILE * MAX_INPUTS], coded[TILE * MAX_UNITS], beside[TILE][N_CONTAINER][MAX_UNITS];
    int16_t means[N_CONTAINER][MAX_UNITS]; /* of the containers of the block before */
    size_t first[N_CONTAINER] = {0}, last[N_CONTAINER] = {0};
    int32_t of_page[MAX_UNITS] = {0}, sums[TILE * MAX_UNITS];
    memset(near, 0, TILE * n_in * sizeof *near);
    memset(coded, 0, sizeof coded);
    for (size_t which = 0; which < m; which++) {
        const int16_t *w = net.page + (turn * m + which) * 2 * c * h;
        for (size_t at = 0; at < 2 * c; at++) {
            const int32_t value = around->page[which * 2 * c + at];
            for (size_t unit = 0; unit < h; unit++) {
                of_page[which * h + unit] += value * w[(at / 2 * h + unit) * 2 + at % 2];
            }
        }
    }
    for (size_t block = start; block < stop; block += TILE) {
        const size_t left = stop - block, n_row = left < TILE ? left : TILE;
        for (size_t row = 0; row < n_row; row++) {
            for (size_t level = 0; level < N_CONTAINER; level++) {
                const int32_t from = around->first[level * n_block + block + row];
                const int32_t to = around->stop[level * n_block + block + row];
                if (from < 0 || to <= from || (size_t)to > n_block) {
                    return REFUSED;
                }
                if ((size_t)from != first[level] || (size_t)to != last[level]) {
                    first[level] = (size_t)from;
                    last[level] = (size_t)to;
                    average(around->sums, width, first[level], last[level], means[level]);
                }
                memcpy(beside[row][level], means[level], width * sizeof(int16_t));
            }
        }
        for (size_t which = 0; which < m; which++) {
            const size_t place = turn * m + which;
            for (size_t row = 0; row < n_row; row++) {
                int16_t *to = near + row * n_in;
                memcpy(to, code + ((block + row) * m + which) * h, h * sizeof *to);
                to += h;
                for (size_t shift = 0; shift < N_SHIFT; shift++, to += c) {
                    const int64_t at = (int64_t)(block + row) + SHIFTS[shift];
                    if (at < 0 || (size_t)at >= n_block) {
                        memset(to, 0, c * sizeof *to);
                    } else {
                        memcpy(to, around->summary + ((size_t)at * m + which) * c, c * sizeof *to);
                    }
                }
                for (size_t level = 0; level < N_CONTAINER; level++, to += c) {
                    memcpy(to, beside[row][level] + which * c, c * sizeof *to);
                }
                memcpy(sums + row * h, of_page + which * h, h * sizeof *sums);
            }
            net.way->add(near, n_in / 2, net.near + place * n_in * h, h, sums);
            for (size_t row = 0; row < n_row; row++) {
                net.way->activate(sums + row * h, NULL, h, net.context_scale + place * h,
                               net.context_bias + place * h, net.levels[(3 + 2 * turn) * m + which],
                               coded + (row * m + which) * h);
            }
        }
        memcpy(code + block * m * h, coded, n_row * m * h * sizeof *code);
        if (!is_last) {
            narrow(&net, coded, turn + 1, n_row, next + block * width);
            continue;
        }
        for (size_t row = 0; row < n_row; row++) {
            for (size_t at = 0; at < m * h; at++) {
                totals[at] += around->words[block + row] * coded[row * m * h + at];
            }
            for (size_t which = 0; which < m; which++) {
                int32_t vote = 0;
                for (size_t unit = 0; unit < h; unit++) {
                    vote += coded[(row * m + which) * h + unit] * net.output[which * h + unit];
                }
                votes[which * n_block + block + row] = vote;
            }
        }
    }
    return 0;
}
