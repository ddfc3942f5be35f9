/* neon.h - NEON, which all 64-bit ARM processors have, and its products of bytes ("dotprod",
 * ARMv8.2), which not all have: the attribute of functions that use them, and whether the processor
 * does */
#ifndef DODONA_KERNELS_NEON_H
#define DODONA_KERNELS_NEON_H

#include <arm_neon.h>
#include <stdbool.h>

#ifdef __ARM_FEATURE_DOTPROD

#define DD_DOTPROD
#define DD_RUNS_DOTPROD true

#else

#ifdef __linux__
#include <sys/auxv.h>
#endif

#define DD_DOTPROD      __attribute__((target("arch=armv8.2-a+dotprod")))
#define DD_RUNS_DOTPROD ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0)

#endif

#endif
