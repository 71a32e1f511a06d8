/* One layer of the learned network for a few blocks: sums of products of small whole numbers.
 *
 * Pairs of inputs lie side by side, and so do their weights, [n_pair, n_unit, 2]: one instruction
 * multiplies two inputs with two weights and adds both. Sums are exact in 32 bits, so the ways in
 * which different processors compute them give the same numbers.
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

INLINE void activate_units(const int32_t *sums, const float *more, size_t n_unit,
                           const float *scale, const float *bias, float level, int16_t *out)
{
    for (size_t unit = 0; unit < n_unit; unit++) {
        float x = (float)sums[unit];
        if (more) {
            x = x + more[unit];
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

INLINE void activate(const int32_t *sums, const float *more, size_t n_unit, const float *scale,
                     const float *bias, float level, int16_t *out)
{
    /* Compiled apart for either case. */
    if (more) {
        activate_units(sums, more, n_unit, scale, bias, level, out);
    } else {
        activate_units(sums, NULL, n_unit, scale, bias, level, out);
    }
}

/* Bring a feature to mean 0 and deviation 1, cut, in steps. */
INLINE void quantise(const float *values, const Scale *scale, int16_t *out)
{
    const float mean = scale->mean, deviation = scale->deviation, saturation = scale->saturation;
    const float clip = scale->clip, steps = scale->steps;
    for (size_t row = 0; row < STRIP; row++) {
        float x = values[row] < 0.0f ? -values[row] : values[row];
        x = x * saturation;
        x = x + 1.0f;
        x = values[row] / x;
        x = x - mean;
        x = x / deviation;
        x = x < -clip ? -clip : x;
        x = x > clip ? clip : x;
        x = x * steps;
        x = x + ROUND;
        x = x - ROUND;
        out[row] = (int16_t)(int32_t)x;
    }
}

/* A way: what adds products up, and all else compiled for its instructions. */
#define WAY(NAME, way, TARGET)                                                                \
    TARGET static void activate_##way(const int32_t *sums, const float *more, size_t n_unit,  \
                                      const float *scale, const float *bias, float level,     \
                                      int16_t *out)                                           \
    {                                                                                         \
        activate(sums, more, n_unit, scale, bias, level, out);                                \
    }                                                                                         \
    TARGET static void quantise_##way(const float *values, const Scale *scale, int16_t *out)  \
    {                                                                                         \
        quantise(values, scale, out);                                                         \
    }                                                                                         \
    static const Way NAME = {add_##way, activate_##way, quantise_##way};

static void add_plainly(const int16_t *in, size_t n_pair, const int16_t *weights, size_t n_unit,
                        int32_t *sums)
{
    for (size_t row = 0; row < TILE; row++) {
        for (size_t pair = 0; pair < n_pair; pair++) {
            const int32_t a = in[(row * n_pair + pair) * 2], b = in[(row * n_pair + pair) * 2 + 1];
            const int16_t *w = weights + pair * n_unit * 2;
            int32_t *sum = sums + row * n_unit;
            for (size_t unit = 0; unit < n_unit; unit++) {
                sum[unit] += a * w[2 * unit] + b * w[2 * unit + 1];
            }
        }
    }
}

#if IS_X86

static int32_t load_pair(const int16_t *in)
{
    int32_t pair;
    memcpy(&pair, in, sizeof pair);
    return pair;
}

AVX2 static void add_by_avx2(const int16_t *in, size_t n_pair, const int16_t *weights,
                             size_t n_unit, int32_t *sums)
{
    for (size_t unit = 0; unit < n_unit; unit += 16) {
        __m256i sum[TILE][2];
        for (size_t row = 0; row < TILE; row++) {
            const __m256i *from = (const void *)(sums + row * n_unit + unit);
            sum[row][0] = _mm256_loadu_si256(from);
            sum[row][1] = _mm256_loadu_si256(from + 1);
        }
        for (size_t pair = 0; pair < n_pair; pair++) {
            const __m256i *w = (const void *)(weights + (pair * n_unit + unit) * 2);
            const __m256i low = _mm256_loadu_si256(w), high = _mm256_loadu_si256(w + 1);
            for (size_t row = 0; row < TILE; row++) {
                const __m256i both = _mm256_set1_epi32(load_pair(in + (row * n_pair + pair) * 2));
                sum[row][0] = _mm256_add_epi32(sum[row][0], _mm256_madd_epi16(both, low));
                sum[row][1] = _mm256_add_epi32(sum[row][1], _mm256_madd_epi16(both, high));
            }
        }
        for (size_t row = 0; row < TILE; row++) {
            __m256i *to = (void *)(sums + row * n_unit + unit);
            _mm256_storeu_si256(to, sum[row][0]);
            _mm256_storeu_si256(to + 1, sum[row][1]);
        }
    }
}

#define WIDTH 4 /* registers of 16 units that are added to together */

AVX512 static void add_64_units(const int16_t *in, size_t n_pair, const int16_t *weights,
                                size_t n_unit, int32_t *sums)
{
    __m512i sum[TILE][WIDTH];
    for (size_t row = 0; row < TILE; row++) {
        for (size_t part = 0; part < WIDTH; part++) {
            sum[row][part] = _mm512_loadu_si512(sums + row * n_unit + 16 * part);
        }
    }
    for (size_t pair = 0; pair < n_pair; pair++) {
        __m512i w[WIDTH];
        for (size_t part = 0; part < WIDTH; part++) {
            w[part] = _mm512_loadu_si512(weights + pair * n_unit * 2 + 32 * part);
        }
        for (size_t row = 0; row < TILE; row++) {
            const __m512i both = _mm512_set1_epi32(load_pair(in + (row * n_pair + pair) * 2));
            for (size_t part = 0; part < WIDTH; part++) {
                sum[row][part] =
                    _mm512_add_epi32(sum[row][part], _mm512_madd_epi16(both, w[part]));
            }
        }
    }
    for (size_t row = 0; row < TILE; row++) {
        for (size_t part = 0; part < WIDTH; part++) {
            _mm512_storeu_si512(sums + row * n_unit + 16 * part, sum[row][part]);
        }
    }
}

AVX512 static void add_16_units(const int16_t *in, size_t n_pair, const int16_t *weights,
                                size_t n_unit, int32_t *sums)
{
    __m512i sum[TILE];
    for (size_t row = 0; row < TILE; row++) {
        sum[row] = _mm512_loadu_si512(sums + row * n_unit);
    }
    for (size_t pair = 0; pair < n_pair; pair++) {
        const __m512i w = _mm512_loadu_si512(weights + pair * n_unit * 2);
        for (size_t row = 0; row < TILE; row++) {
            const __m512i both = _mm512_set1_epi32(load_pair(in + (row * n_pair + pair) * 2));
            sum[row] = _mm512_add_epi32(sum[row], _mm512_madd_epi16(both, w));
        }
    }
    for (size_t row = 0; row < TILE; row++) {
        _mm512_storeu_si512(sums + row * n_unit, sum[row]);
    }
}

static void add_by_avx512(const int16_t *in, size_t n_pair, const int16_t *weights, size_t n_unit,
                          int32_t *sums)
{
    size_t unit = 0;
    for (; unit + 16 * WIDTH <= n_unit; unit += 16 * WIDTH) {
        add_64_units(in, n_pair, weights + 2 * unit, n_unit, sums + unit);
    }
    for (; unit < n_unit; unit += 16) {
        add_16_units(in, n_pair, weights + 2 * unit, n_unit, sums + unit);
    }
}

WAY(BY_AVX2, by_avx2, AVX2)
WAY(BY_AVX512, by_avx512, AVX512)

#endif

WAY(PLAINLY, plainly, )

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
