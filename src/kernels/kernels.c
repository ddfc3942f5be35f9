#include "kernels/kernels.h"

#include "kernels/intrinsics.h"

#include <stdbool.h>

/* The table, the slowest row first: the last one that the processor can run is its best. A row
 * fills all columns; where it has nothing faster, it names the function of a row above it.
 *
 * A new row (say "amx"):
 *   1. processor.h gets DD_HAS_.._CODE, 1 where compilers make such code.
 *   2. Those kernels that gain get a function dd_.._NAME inside that #if, in the
 *      file of that processor, and their headers declare it.
 *   3. Here come what it asks of the processor, and the row.
 * tests/unit/test_kernels.c and test_neural_kernels.c then compare it with plain C.
 *
 * A new kernel is a function, a column of dd_kernels, a function in each row, and a test. */
typedef struct row {
    bool (*runs)(void); /* on this processor */
    dd_kernels kernels;
} row;

static bool runs_always(void)
{
    return true;
}

#if DD_HAS_AVX2_CODE

/* POPCNT and BMI came before AVX2 or with it, but a virtual machine can hide them. */
static bool runs_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("fma");
}

#endif

#if DD_HAS_AVX_VNNI_CODE

static bool runs_avx_vnni(void)
{
    return runs_avx2() && dd_runs_avx_vnni();
}

#endif

#if DD_HAS_AVX512_CODE

static bool runs_avx512(void)
{
    return runs_avx2() && dd_runs_avx512();
}

#endif

#if DD_HAS_DOTPROD_CODE

static bool runs_dotprod(void)
{
    return DD_RUNS_DOTPROD;
}

#endif

/* The columns of rows that differ only in products. */
#define IN_PLAIN_C                                                                                 \
    .largest = dd_largest_plain, .add_lanes = dd_add_lanes_plain, .hash_keys = dd_hash_keys_plain, \
    .sum = dd_sum_plain, .gates = dd_gates_plain, .quantise = dd_quantise_plain,                   \
    .rectify = dd_rectify_plain, .activate = dd_activate_plain,                                    \
    .differentiate = dd_differentiate_plain, .adam_update = dd_adam_update_plain
#define IN_AVX2                                                                                    \
    .largest = dd_largest_avx2, .add_lanes = dd_add_lanes_avx2, .hash_keys = dd_hash_keys_avx2,    \
    .sum = dd_sum_avx2, .gates = dd_gates_avx2, .quantise = dd_quantise_avx2,                      \
    .rectify = dd_rectify_avx2, .outputs = dd_outputs_avx2, .activate = dd_activate_avx2,          \
    .differentiate = dd_differentiate_avx2, .adam_update = dd_adam_update_avx2

static const row rows[] = {
    {runs_always,
     {.name = "plain",
      IN_PLAIN_C,
      .gemm = dd_gemm_plain,
      .gemm_packed = dd_gemm_packed_plain,
      .dense = dd_dense_plain,
      .outputs = dd_outputs_plain}},
#if DD_HAS_AVX2_CODE
    {runs_avx2,
     {.name = "avx2",
      IN_AVX2,
      .gemm = dd_gemm_avx2,
      .gemm_packed = dd_gemm_packed_avx2,
      .dense = dd_dense_avx2}},
#endif
#if DD_HAS_AVX_VNNI_CODE
    {runs_avx_vnni,
     {.name = "avx-vnni",
      IN_AVX2,
      .gemm = dd_gemm_avx2,
      .gemm_packed = dd_gemm_packed_avx2,
      .dense = dd_dense_avx_vnni}},
#endif
#if DD_HAS_AVX512_CODE
    {runs_avx512,
     {.name = "avx512-vnni",
      IN_AVX2,
      .gemm = dd_gemm_avx512,
      .gemm_packed = dd_gemm_packed_avx512,
      .dense = dd_dense_avx512}},
#endif
#if DD_HAS_NEON_CODE
    {runs_always,
     {.name = "neon",
      IN_PLAIN_C,
      .gemm = dd_gemm_neon,
      .gemm_packed = dd_gemm_packed_neon,
      .dense = dd_dense_neon,
      .outputs = dd_outputs_plain}},
#endif
#if DD_HAS_DOTPROD_CODE
    {runs_dotprod,
     {.name = "neon-dotprod",
      IN_PLAIN_C,
      .gemm = dd_gemm_neon,
      .gemm_packed = dd_gemm_packed_neon,
      .dense = dd_dense_dotprod,
      .outputs = dd_outputs_plain}},
#endif
#if DD_HAS_SIMD128_CODE
    {runs_always,
     {.name = "simd128",
      IN_PLAIN_C,
      .gemm = dd_gemm_plain,
      .gemm_packed = dd_gemm_packed_plain,
      .dense = dd_dense_simd128,
      .outputs = dd_outputs_simd128}},
#endif
};

enum { N_ROWS = sizeof rows / sizeof *rows };

const dd_kernels *dd_kernels_best(void)
{
    int r = N_ROWS - 1;
    while (!rows[r].runs()) r--;
    return &rows[r].kernels;
}

const dd_kernels *dd_kernels_at(int i)
{
    for (int r = 0; r < N_ROWS; r++)
        if (rows[r].runs() && i-- == 0) return &rows[r].kernels;
    return NULL;
}
