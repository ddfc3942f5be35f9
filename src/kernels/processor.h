/* processor.h - the kinds of processors that this build has code for, besides plain C, and how
 * compilers are told to unroll loops over arrays that are to stay in registers */
#ifndef DODONA_KERNELS_PROCESSOR_H
#define DODONA_KERNELS_PROCESSOR_H

#if defined(__x86_64__) && defined(__GNUC__)
#define DD_HAS_AVX2_CODE   1
#define DD_HAS_AVX512_CODE 1
#else
#define DD_HAS_AVX2_CODE   0
#define DD_HAS_AVX512_CODE 0
#endif

/* Older compilers do not have AVX-VNNI. */
#if DD_HAS_AVX2_CODE && (defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11)
#define DD_HAS_AVX_VNNI_CODE 1
#else
#define DD_HAS_AVX_VNNI_CODE 0
#endif

#if defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DD_HAS_NEON_CODE 1
#else
#define DD_HAS_NEON_CODE 0
#endif

/* Products of bytes: older versions of clang have them only if everything is built for them. */
#if DD_HAS_NEON_CODE && (defined(__ARM_FEATURE_DOTPROD) ||                                         \
                         (defined(__linux__) && (!defined(__clang__) || __clang_major__ >= 16)))
#define DD_HAS_DOTPROD_CODE 1
#else
#define DD_HAS_DOTPROD_CODE 0
#endif

/* In WebAssembly a whole module has SIMD or not (-msimd128). */
#ifdef __wasm_simd128__
#define DD_HAS_SIMD128_CODE 1
#else
#define DD_HAS_SIMD128_CODE 0
#endif

/* In front of a loop of a constant number of rounds, at most 16. */
#ifdef __clang__
#define DD_UNROLL _Pragma("clang loop unroll(full)")
#else
#define DD_UNROLL _Pragma("GCC unroll 16")
#endif

#endif
