/* times.h - the clock, and medians of what it shows */
#ifndef BENCH_TIMES_H
#define BENCH_TIMES_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(const double *values, int count)
{
    double *sorted = malloc((size_t)count * sizeof *sorted);
    if (!sorted) exit(1);
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    double middle = count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    free(sorted);
    return middle;
}

#endif
