/* Functions compiled for more instructions than every machine has; who calls them asks first. */

#ifndef THRESHER_SIMD_H
#define THRESHER_SIMD_H

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define IS_X86 1
#define INLINE static inline __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw")))
#define VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
#else
#define IS_X86 0
#define INLINE static inline
#endif

#endif
