/* processor.h - the kinds of processors that this build has code for, besides plain C */
#ifndef DODONA_KERNELS_PROCESSOR_H
#define DODONA_KERNELS_PROCESSOR_H

#if defined(__x86_64__) && defined(__GNUC__)
#define DD_HAS_AVX2_CODE 1
#else
#define DD_HAS_AVX2_CODE 0
#endif

#endif
