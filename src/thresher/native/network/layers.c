/* One layer of the learned network for a strip of blocks: sums of products of small whole numbers.
 *
 * Features and names are of 16 bits: pairs of them lie side by side, and so do their weights,
 * [n_pair, n_unit, 2], and one instruction multiplies two inputs with two weights and adds both. Codes
 * are of 8 bits, and come in fours, as do their weights, [n_four, n_unit, 4]. Sums are exact in 32
 * bits, so all SIMD levels give the same numbers.
 *
 * The sums of a tile, some rows by some units, stay in registers while all inputs go by; where rows
 * are too few for a tile, it reads the last one again.
 *
 * A sum is converted to the next layer's input in float32, one operation after another as numpy
 * does it: a compiler must not fuse two into one (-ffp-contract=off). It is written once, and
 * compiled for each SIMD level. */

#include "../simd.h"
#include "network.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* Added and subtracted, it rounds floats below 2^22 to integers, half to even. */
static const float ROUND = 12582912.0f;
/* The same of doubles below 2^51. */
static const double ROUND_DOUBLE = 6755399441055744.0;

INLINE void activate_row(const int32_t *sums, const int32_t *more, size_t n_unit,
                         const Activation *of, uint8_t *out)
{
    const float *scale = of->scale, *bias = of->bias, level = of->level;
    int32_t whole[MAX_UNITS]; /* narrowing in a separate loop vectorises better */
    for (size_t unit = 0; unit < n_unit; unit++) {
        float x = (float)sums[unit];
        if (more) {
            x = x + (float)more[unit];
        }
        x = x * scale[unit];
        x = x + bias[unit];
        x = x * level;
        /* Cut before rounding, which leaves both limits as they are. */
        x = x > 0.0f ? x : 0.0f; /* and NaN becomes 0 */
        x = x > (float)MAX_LEVEL ? (float)MAX_LEVEL : x;
        x = x + ROUND;
        x = x - ROUND;
        whole[unit] = (int32_t)x;
    }
    for (size_t unit = 0; unit < n_unit; unit += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            out[unit + lane] = (uint8_t)whole[unit + lane];
        }
    }
}

INLINE void activate(const int32_t *sums, const int32_t *more, size_t n_row, size_t n_unit,
                     const Activation *of, uint8_t *out, size_t out_step)
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
        x = x > -clip ? x : -clip; /* and NaN becomes -clip */
        x = x > clip ? clip : x;
        x = x * steps;
        x = x + ROUND;
        x = x - ROUND;
        out[row] = (int16_t)(int32_t)x;
    }
}

INLINE void average(const int32_t *before, const int32_t *behind, size_t count, size_t width,
                    uint8_t *means)
{
    for (size_t at = 0; at < width; at++) {
        const uint32_t inside = (uint32_t)behind[at] - (uint32_t)before[at];
        const double mean = (double)(int32_t)inside / (double)count;
        means[at] = (uint8_t)(int32_t)(mean + ROUND_DOUBLE - ROUND_DOUBLE);
    }
}

static void add_pairs_plainly(const Pairs *in, size_t n_row, const int16_t *weights, size_t step,
                              size_t n_unit, int32_t *sums)
{
    memset(sums, 0, n_row * n_unit * sizeof *sums);
    for (size_t row = 0; row < n_row; row++, sums += n_unit) {
        for (size_t pair = 0; pair < in->n_pair; pair++) {
            const int16_t *both = in->in + row * in->row_step + pair * in->pair_step;
            const int16_t *w = weights + 2 * pair * step;
            for (size_t unit = 0; unit < n_unit; unit++) {
                sums[unit] += both[0] * w[2 * unit] + both[1] * w[2 * unit + 1];
            }
        }
    }
}

static void add_codes_plainly(const Codes *parts, size_t n_part, size_t n_row, const int8_t *weights,
                              size_t n_unit, const int32_t *begin, int32_t *sums)
{
    for (size_t row = 0; row < n_row; row++, sums += n_unit) {
        const int8_t *w = weights;
        for (size_t unit = 0; unit < n_unit; unit++) {
            sums[unit] = begin ? begin[unit] : 0;
        }
        for (const Codes *part = parts; part < parts + n_part; part++) {
            const uint8_t *in = part->in + row * part->row_step;
            for (size_t four = 0; four < part->n_four; four++, in += 4, w += 4 * n_unit) {
                for (size_t at = 0; at < 4 * n_unit; at++) {
                    sums[at / 4] += in[at % 4] * w[at];
                }
            }
        }
    }
}

#if IS_X86

INLINE int32_t load_32(const void *in)
{
    int32_t bits;
    memcpy(&bits, in, sizeof bits);
    return bits;
}

/* The row of a tile that begins at `first`; where there are too few, the last one again. */
INLINE size_t row_of(size_t first, size_t row, size_t n_row)
{
    return first + row < n_row ? first + row : n_row - 1;
}

AVX2 static void add_pairs_by_avx2(const Pairs *in, size_t n_row, const int16_t *weights, size_t step,
                                   size_t n_unit, int32_t *sums)
{
    for (size_t unit = 0; unit < n_unit; unit += LANES) {
        for (size_t first = 0; first < n_row; first += TILE) {
            const int16_t *at = weights + 2 * unit, *rows[TILE];
            __m256i sum[TILE][2];
            for (size_t row = 0; row < TILE; row++) {
                rows[row] = in->in + row_of(first, row, n_row) * in->row_step;
                sum[row][0] = sum[row][1] = _mm256_setzero_si256();
            }
            for (size_t pair = 0; pair < in->n_pair; pair++, at += 2 * step) {
                const __m256i *w = (const void *)at;
                const __m256i low = _mm256_loadu_si256(w), high = _mm256_loadu_si256(w + 1);
                for (size_t row = 0; row < TILE; row++) {
                    const __m256i both =
                        _mm256_set1_epi32(load_32(rows[row] + pair * in->pair_step));
                    sum[row][0] = _mm256_add_epi32(sum[row][0], _mm256_madd_epi16(both, low));
                    sum[row][1] = _mm256_add_epi32(sum[row][1], _mm256_madd_epi16(both, high));
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

/* Without an instruction for fours, inputs and weights are widened to 16 bits: 4 units a register, of
 * each the sums of two inputs side by side. */
AVX2 static void add_codes_by_avx2(const Codes *parts, size_t n_part, size_t n_row,
                                   const int8_t *weights, size_t n_unit, const int32_t *begin,
                                   int32_t *sums)
{
    for (size_t unit = 0; unit < n_unit; unit += LANES / 2) {
        for (size_t first = 0; first < n_row; first += TILE) {
            const int8_t *at = weights + 4 * unit;
            __m256i sum[TILE][2];
            for (size_t row = 0; row < TILE; row++) {
                sum[row][0] = sum[row][1] = _mm256_setzero_si256();
            }
            for (const Codes *part = parts; part < parts + n_part; part++) {
                const uint8_t *rows[TILE];
                for (size_t row = 0; row < TILE; row++) {
                    rows[row] = part->in + row_of(first, row, n_row) * part->row_step;
                }
                for (size_t four = 0; four < part->n_four; four++, at += 4 * n_unit) {
                    const __m128i *w = (const void *)at;
                    const __m256i low = _mm256_cvtepi8_epi16(_mm_loadu_si128(w));
                    const __m256i high = _mm256_cvtepi8_epi16(_mm_loadu_si128(w + 1));
                    for (size_t row = 0; row < TILE; row++) {
                        const __m256i in =
                            _mm256_cvtepu8_epi16(_mm_set1_epi32(load_32(rows[row] + 4 * four)));
                        sum[row][0] = _mm256_add_epi32(sum[row][0], _mm256_madd_epi16(in, low));
                        sum[row][1] = _mm256_add_epi32(sum[row][1], _mm256_madd_epi16(in, high));
                    }
                }
            }
            for (size_t row = 0; row < TILE; row++) {
                const __m256i joined = _mm256_hadd_epi32(sum[row][0], sum[row][1]);
                const __m256i ordered = _mm256_permute4x64_epi64(joined, 0xD8);
                const __m256i start = begin ? _mm256_loadu_si256((const void *)(begin + unit))
                                            : _mm256_setzero_si256();
                _mm256_storeu_si256((void *)(sums + (first + row) * n_unit + unit),
                                    _mm256_add_epi32(ordered, start));
            }
        }
    }
}

enum { WIDTH = 4 }; /* registers of 16 units that are added to together */

/* So many registers of units, over all rows: what they need of the weights stays in the first cache. */
AVX512 INLINE void add_pairs_of(const Pairs *in, size_t n_row, const int16_t *weights, size_t step,
                                size_t n_unit, int32_t *sums, size_t width)
{
    for (size_t first = 0; first < n_row; first += TILE) {
        const int16_t *at = weights, *rows[TILE];
        __m512i sum[TILE][WIDTH];
        for (size_t row = 0; row < TILE; row++) {
            rows[row] = in->in + row_of(first, row, n_row) * in->row_step;
            for (size_t place = 0; place < width; place++) {
                sum[row][place] = _mm512_setzero_si512();
            }
        }
        for (size_t pair = 0; pair < in->n_pair; pair++, at += 2 * step) {
            __m512i w[WIDTH];
            for (size_t place = 0; place < width; place++) {
                w[place] = _mm512_loadu_si512(at + 2 * LANES * place);
            }
            for (size_t row = 0; row < TILE; row++) {
                const __m512i both = _mm512_set1_epi32(load_32(rows[row] + pair * in->pair_step));
                for (size_t place = 0; place < width; place++) {
                    sum[row][place] =
                        _mm512_add_epi32(sum[row][place], _mm512_madd_epi16(both, w[place]));
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

AVX512 static void add_pairs_by_avx512(const Pairs *in, size_t n_row, const int16_t *weights,
                                       size_t step, size_t n_unit, int32_t *sums)
{
    size_t unit = 0;
    for (; unit + LANES * WIDTH <= n_unit; unit += LANES * WIDTH) {
        add_pairs_of(in, n_row, weights + 2 * unit, step, n_unit, sums + unit, WIDTH);
    }
    for (; unit < n_unit; unit += LANES) {
        add_pairs_of(in, n_row, weights + 2 * unit, step, n_unit, sums + unit, 1);
    }
}

VNNI INLINE void add_codes_of(const Codes *parts, size_t n_part, size_t n_row, const int8_t *weights,
                              size_t n_unit, const int32_t *begin, int32_t *sums, size_t width)
{
    for (size_t first = 0; first < n_row; first += TILE) {
        const int8_t *at = weights;
        __m512i sum[TILE][WIDTH];
        for (size_t place = 0; place < width; place++) {
            sum[0][place] =
                begin ? _mm512_loadu_si512(begin + LANES * place) : _mm512_setzero_si512();
            for (size_t row = 1; row < TILE; row++) {
                sum[row][place] = sum[0][place];
            }
        }
        for (const Codes *part = parts; part < parts + n_part; part++) {
            const uint8_t *rows[TILE];
            for (size_t row = 0; row < TILE; row++) {
                rows[row] = part->in + row_of(first, row, n_row) * part->row_step;
            }
            for (size_t four = 0; four < part->n_four; four++, at += 4 * n_unit) {
                __m512i w[WIDTH];
                for (size_t place = 0; place < width; place++) {
                    w[place] = _mm512_loadu_si512(at + 4 * LANES * place);
                }
                for (size_t row = 0; row < TILE; row++) {
                    const __m512i in = _mm512_set1_epi32(load_32(rows[row] + 4 * four));
                    for (size_t place = 0; place < width; place++) {
                        sum[row][place] = _mm512_dpbusd_epi32(sum[row][place], in, w[place]);
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

VNNI static void add_codes_by_vnni(const Codes *parts, size_t n_part, size_t n_row,
                                   const int8_t *weights, size_t n_unit, const int32_t *begin,
                                   int32_t *sums)
{
    size_t unit = 0;
    for (; unit + LANES * WIDTH <= n_unit; unit += LANES * WIDTH) {
        add_codes_of(parts, n_part, n_row, weights + 4 * unit, n_unit, begin ? begin + unit : NULL,
                     sums + unit, WIDTH);
    }
    for (; unit < n_unit; unit += LANES) {
        add_codes_of(parts, n_part, n_row, weights + 4 * unit, n_unit, begin ? begin + unit : NULL,
                     sums + unit, 1);
    }
}

#endif

/* A SIMD level: the functions that sum products, and the others compiled for its instructions. */
#define SIMD_LEVEL(NAME, simd, TARGET, add_pairs, add_codes)                                       \
    TARGET static void activate_##simd(const int32_t *sums, const int32_t *more, size_t n_row,     \
                                      size_t n_unit, const Activation *of, uint8_t *out,           \
                                      size_t out_step)                                             \
    {                                                                                              \
        activate(sums, more, n_row, n_unit, of, out, out_step);                                    \
    }                                                                                              \
    TARGET static void quantise_##simd(const float *values, size_t n_row, const Scale *scale,      \
                                      int16_t *out)                                                \
    {                                                                                              \
        quantise(values, n_row, scale, out);                                                       \
    }                                                                                              \
    TARGET static void average_##simd(const int32_t *before, const int32_t *behind, size_t count,  \
                                     size_t width, uint8_t *means)                                 \
    {                                                                                              \
        average(before, behind, count, width, means);                                              \
    }                                                                                              \
    static const SimdLevel NAME = {add_pairs, add_codes, activate_##simd,                          \
                                   quantise_##simd, average_##simd};

SIMD_LEVEL(PLAINLY, plainly, , add_pairs_plainly, add_codes_plainly)
#if IS_X86
SIMD_LEVEL(BY_AVX2, by_avx2, AVX2, add_pairs_by_avx2, add_codes_by_avx2)
SIMD_LEVEL(BY_AVX512, by_avx512, AVX512, add_pairs_by_avx512, add_codes_by_avx2)
SIMD_LEVEL(BY_VNNI, by_vnni, VNNI, add_pairs_by_avx512, add_codes_by_vnni)
#endif

const SimdLevel *choose_simd_level(int32_t simd)
{
#if IS_X86
    __builtin_cpu_init();
    const int has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    if ((simd == BEST || simd == WITH_VNNI) && has_avx512 && __builtin_cpu_supports("avx512vnni")) {
        return &BY_VNNI;
    }
    if ((simd == BEST || simd == WITH_AVX512) && has_avx512) {
        return &BY_AVX512;
    }
    if ((simd == BEST || simd == WITH_AVX2) && __builtin_cpu_supports("avx2")) {
        return &BY_AVX2;
    }
#endif
    /* Without such instructions numpy's matrix product is faster. */
    return simd == PLAIN ? &PLAINLY : NULL;
}
