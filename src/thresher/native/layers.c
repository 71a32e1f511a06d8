/* One layer of the learned network for a strip of blocks: sums of products of small whole numbers.
 *
 * Pairs of inputs lie side by side, and so do their weights, [n_pair, n_unit, 2]: one instruction
 * multiplies two inputs with two weights and adds both. Sums are exact in 32 bits, so the ways in
 * which different processors compute them give the same numbers.
 *
 * The sums of a tile, some rows by some units, stay in registers while all inputs go by; where rows
 * are too few for a tile, it reads the last one again.
 *
 * What makes a sum the next layer's input is done in float32, one operation after another as numpy
 * does it: a compiler must not fuse two into one (-ffp-contract=off). It is written once, and
 * compiled for each way. */

#include "network.h"

#include <string.h>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define IS_X86 1
#define INLINE static inline __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw")))
#else
#define IS_X86 0
#define INLINE static inline
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* Added and taken away again, it rounds floats below 2^22 to whole numbers, half to even. */
static const float ROUND = 12582912.0f;
/* The same of doubles below 2^51. */
static const double ROUND_DOUBLE = 6755399441055744.0;

INLINE void activate_row(const int32_t *sums, const int32_t *more, size_t n_unit,
                         const Activation *of, int16_t *out)
{
    const float *scale = of->scale, *bias = of->bias, level = of->level;
    for (size_t unit = 0; unit < n_unit; unit++) {
        float x = (float)sums[unit];
        if (more) {
            x = x + (float)more[unit];
        }
        x = x * scale[unit];
        x = x + bias[unit];
        x = x * level;
        /* Cut before rounding, which leaves both limits as they are. */
        x = x < 0.0f ? 0.0f : x;
        x = x > (float)MAX_LEVEL ? (float)MAX_LEVEL : x;
        x = x + ROUND;
        x = x - ROUND;
        out[unit] = (int16_t)(int32_t)x;
    }
}

INLINE void activate(const int32_t *sums, const int32_t *more, size_t n_row, size_t n_unit,
                     const Activation *of, int16_t *out, size_t out_step)
{
    for (size_t row = 0; row < n_row; row++, out += out_step) {
        /* Compiled apart for either case. */
        if (more) {
            activate_row(sums + row * n_unit, more + row * n_unit, n_unit, of, out);
        } else {
            activate_row(sums + row * n_unit, NULL, n_unit, of, out);
        }
    }
}

/* Bring a feature to mean 0 and deviation 1, cut, in steps. */
INLINE void quantise(const float *values, size_t n_row, const Scale *scale, int16_t *out)
{
    const float mean = scale->mean, deviation = scale->deviation, saturation = scale->saturation;
    const float clip = scale->clip, steps = scale->steps;
    float bent[STRIP];
    for (size_t row = 0; row < n_row; row++) {
        bent[row] = values[row];
    }
    for (size_t row = 0; row < n_row && saturation != 0.0f; row++) {
        float x = values[row] < 0.0f ? -values[row] : values[row];
        x = x * saturation;
        x = x + 1.0f;
        bent[row] = values[row] / x;
    }
    for (size_t row = 0; row < n_row; row++) {
        float x = bent[row];
        x = x - mean;
        x = x / deviation;
        x = x < -clip ? -clip : x;
        x = x > clip ? clip : x;
        x = x * steps;
        x = x + ROUND;
        x = x - ROUND;
        out[2 * row] = (int16_t)(int32_t)x;
    }
}

INLINE void average(const int32_t *before, const int32_t *behind, size_t count, size_t width,
                    int16_t *means)
{
    for (size_t at = 0; at < width; at++) {
        const uint32_t inside = (uint32_t)behind[at] - (uint32_t)before[at];
        const double mean = (double)(int32_t)inside / (double)count;
        means[at] = (int16_t)(int32_t)(mean + ROUND_DOUBLE - ROUND_DOUBLE);
    }
}

INLINE void weigh(const int16_t *code, size_t n, int32_t weight, int64_t *totals)
{
    for (size_t at = 0; at < n; at++) {
        totals[at] += (int64_t)weight * code[at];
    }
}

static void add_plainly(const Part *parts, size_t n_part, size_t n_row, const int16_t *weights,
                        size_t step, size_t n_unit, const int32_t *begin, int32_t *sums)
{
    for (size_t row = 0; row < n_row; row++, sums += n_unit) {
        const int16_t *w = weights;
        for (size_t unit = 0; unit < n_unit; unit++) {
            sums[unit] = begin ? begin[unit] : 0;
        }
        for (const Part *part = parts; part < parts + n_part; part++) {
            for (size_t pair = 0; pair < part->n_pair; pair++, w += 2 * step) {
                const int16_t *in = part->in + row * part->row_step + pair * part->pair_step;
                for (size_t unit = 0; unit < n_unit; unit++) {
                    sums[unit] += in[0] * w[2 * unit] + in[1] * w[2 * unit + 1];
                }
            }
        }
    }
}

#if IS_X86

INLINE int32_t load_pair(const int16_t *in)
{
    int32_t pair;
    memcpy(&pair, in, sizeof pair);
    return pair;
}

/* The rows of a tile in a part of the inputs, from `first` on. */
INLINE void find_rows(const Part *part, size_t first, size_t n_row, const int16_t **rows)
{
    for (size_t row = 0; row < TILE; row++) {
        const size_t at = first + row < n_row ? first + row : n_row - 1;
        rows[row] = part->in + at * part->row_step;
    }
}

AVX2 static void add_by_avx2(const Part *parts, size_t n_part, size_t n_row, const int16_t *weights,
                             size_t step, size_t n_unit, const int32_t *begin, int32_t *sums)
{
    const __m256i zero = _mm256_setzero_si256();
    const int16_t *rows[TILE];
    for (size_t unit = 0; unit < n_unit; unit += LANES) {
        const __m256i *from = (const void *)(begin + unit);
        const __m256i low = begin ? _mm256_loadu_si256(from) : zero;
        const __m256i high = begin ? _mm256_loadu_si256(from + 1) : zero;
        for (size_t first = 0; first < n_row; first += TILE) {
            const int16_t *at = weights + 2 * unit;
            __m256i sum[TILE][2];
            for (size_t row = 0; row < TILE; row++) {
                sum[row][0] = low;
                sum[row][1] = high;
            }
            for (const Part *part = parts; part < parts + n_part; part++) {
                find_rows(part, first, n_row, rows);
                for (size_t pair = 0; pair < part->n_pair; pair++, at += 2 * step) {
                    const __m256i *w = (const void *)at;
                    const __m256i w_low = _mm256_loadu_si256(w), w_high = _mm256_loadu_si256(w + 1);
                    for (size_t row = 0; row < TILE; row++) {
                        const int32_t in = load_pair(rows[row] + pair * part->pair_step);
                        const __m256i both = _mm256_set1_epi32(in);
                        sum[row][0] =
                            _mm256_add_epi32(sum[row][0], _mm256_madd_epi16(both, w_low));
                        sum[row][1] =
                            _mm256_add_epi32(sum[row][1], _mm256_madd_epi16(both, w_high));
                    }
                }
            }
            for (size_t row = 0; row < TILE; row++) {
                __m256i *to = (void *)(sums + (first + row) * n_unit + unit);
                _mm256_storeu_si256(to, sum[row][0]);
                _mm256_storeu_si256(to + 1, sum[row][1]);
            }
        }
    }
}

enum { WIDTH = 4 }; /* registers of 16 units that are added to together */

/* So many registers of units, over all rows; what they need of the weights stays in the first cache. */
AVX512 INLINE void add_units(const Part *parts, size_t n_part, size_t n_row, const int16_t *weights,
                             size_t step, size_t n_unit, const int32_t *begin, int32_t *sums,
                             size_t width)
{
    const int16_t *rows[TILE];
    for (size_t first = 0; first < n_row; first += TILE) {
        const int16_t *at = weights;
        __m512i sum[TILE][WIDTH];
        for (size_t place = 0; place < width; place++) {
            sum[0][place] =
                begin ? _mm512_loadu_si512(begin + LANES * place) : _mm512_setzero_si512();
            for (size_t row = 1; row < TILE; row++) {
                sum[row][place] = sum[0][place];
            }
        }
        for (const Part *part = parts; part < parts + n_part; part++) {
            find_rows(part, first, n_row, rows);
            for (size_t pair = 0; pair < part->n_pair; pair++, at += 2 * step) {
                __m512i w[WIDTH];
                for (size_t place = 0; place < width; place++) {
                    w[place] = _mm512_loadu_si512(at + 2 * LANES * place);
                }
                for (size_t row = 0; row < TILE; row++) {
                    const __m512i both =
                        _mm512_set1_epi32(load_pair(rows[row] + pair * part->pair_step));
                    for (size_t place = 0; place < width; place++) {
                        sum[row][place] =
                            _mm512_add_epi32(sum[row][place], _mm512_madd_epi16(both, w[place]));
                    }
                }
            }
        }
        for (size_t row = 0; row < TILE; row++) {
            for (size_t place = 0; place < width; place++) {
                _mm512_storeu_si512(sums + (first + row) * n_unit + LANES * place, sum[row][place]);
            }
        }
    }
}

AVX512 static void add_by_avx512(const Part *parts, size_t n_part, size_t n_row,
                                 const int16_t *weights, size_t step, size_t n_unit,
                                 const int32_t *begin, int32_t *sums)
{
    size_t unit = 0;
    for (; unit + LANES * WIDTH <= n_unit; unit += LANES * WIDTH) {
        add_units(parts, n_part, n_row, weights + 2 * unit, step, n_unit,
                  begin ? begin + unit : NULL, sums + unit, WIDTH);
    }
    for (; unit < n_unit; unit += LANES) {
        add_units(parts, n_part, n_row, weights + 2 * unit, step, n_unit,
                  begin ? begin + unit : NULL, sums + unit, 1);
    }
}

#endif

/* A way: what adds products up, and all else compiled for its instructions. */
#define WAY(NAME, way, TARGET)                                                                     \
    TARGET static void activate_##way(const int32_t *sums, const int32_t *more, size_t n_row,      \
                                      size_t n_unit, const Activation *of, int16_t *out,           \
                                      size_t out_step)                                             \
    {                                                                                              \
        activate(sums, more, n_row, n_unit, of, out, out_step);                                    \
    }                                                                                              \
    TARGET static void quantise_##way(const float *values, size_t n_row, const Scale *scale,       \
                                      int16_t *out)                                                \
    {                                                                                              \
        quantise(values, n_row, scale, out);                                                       \
    }                                                                                              \
    TARGET static void average_##way(const int32_t *before, const int32_t *behind, size_t count,   \
                                     size_t width, int16_t *means)                                 \
    {                                                                                              \
        average(before, behind, count, width, means);                                              \
    }                                                                                              \
    TARGET static void weigh_##way(const int16_t *code, size_t n, int32_t weight, int64_t *totals) \
    {                                                                                              \
        weigh(code, n, weight, totals);                                                            \
    }                                                                                              \
    static const Way NAME = {add_##way, activate_##way, quantise_##way, average_##way, weigh_##way};

WAY(PLAINLY, plainly, )
#if IS_X86
WAY(BY_AVX2, by_avx2, AVX2)
WAY(BY_AVX512, by_avx512, AVX512)
#endif

const Way *choose_way(int32_t way)
{
#if IS_X86
    __builtin_cpu_init();
    const int has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    if ((way == BEST || way == WITH_AVX512) && has_avx512) {
        return &BY_AVX512;
    }
    if ((way == BEST || way == WITH_AVX2) && __builtin_cpu_supports("avx2")) {
        return &BY_AVX2;
    }
#endif
    /* Without such instructions numpy's own product of matrices is faster. */
    return way == PLAIN ? &PLAINLY : NULL;
}
