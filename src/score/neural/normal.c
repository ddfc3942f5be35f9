#include "score/neural/normal.h"

/* e^-x for x >= 0: e^(x / 16) by its series, whose error is below 1e-5 there. */
static double power_of_e(double x)
{
    const double small = 1e-9, far = 20;
    double t = x / 16, series = 1;
    if (x > far) return small;
    for (int k = 10; k > 0; k--) series = 1 + series * t / k;
    for (int i = 0; i < 4; i++) series *= series;
    return 1 / series;
}

/* Of x >= 1, by the series of atanh for what is left of it below 1.5. */
static double logarithm(double x)
{
    const double of_two = 0.69314718055994531;
    double sum = 0;
    for (; x > 1.5; x /= 2) sum += of_two;
    double z = (x - 1) / (x + 1), square = z * z;
    return sum + 2 * z * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square / 7)));
}

void dd_normalise(int32_t *scores, int count, double unit)
{
    int32_t most = INT32_MIN;
    double sum = 0;
    for (int i = 0; i < count; i++)
        if (scores[i] > most) most = scores[i];
    for (int i = 0; i < count; i++) sum += power_of_e(((double)most - (double)scores[i]) * unit);
    double off = logarithm(sum) / unit;
    int64_t all = (int64_t)most + (off < 1e9 ? (int64_t)(off + 0.5) : 1000000000);
    for (int i = 0; i < count; i++) {
        int64_t less = (int64_t)scores[i] - all;
        scores[i] = less < -1000000000 ? -1000000000 : (int32_t)less;
    }
}
