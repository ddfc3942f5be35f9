#include "segment/perceptron.h"

#include "core/learning.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

bool dd_perceptron_table_make(dd_perceptron_table *table, int bits)
{
    size_t size = (size_t)1 << bits;
    *table = (dd_perceptron_table){.bits = bits, .steps = 1};
    table->weights = dd_calloc(size, sizeof *table->weights);
    table->sums = dd_calloc(size, sizeof *table->sums);
    if (table->weights && table->sums) return true;
    dd_perceptron_table_free(table);
    return false;
}

void dd_perceptron_table_free(dd_perceptron_table *table)
{
    free(table->weights);
    free(table->sums);
    *table = (dd_perceptron_table){0};
}

bool dd_perceptron_table_learn(dd_perceptron_table *table, const uint32_t *features, int count,
                               bool answer, int margin)
{
    int64_t score = 0;
    int shift = 32 - table->bits, step = answer ? 1 : -1;
    for (int i = 0; i < count; i++) score += table->weights[features[i] >> shift];
    bool right = score * step > 0;
    table->steps++;
    if (score * step > margin) return right;
    for (int i = 0; i < count; i++) {
        table->weights[features[i] >> shift] += step;
        dd_average_change(&table->sums[features[i] >> shift], table->steps, step);
    }
    return right;
}

static double average(const dd_perceptron_table *table, size_t at)
{
    return dd_average(table->weights[at], table->sums[at], table->steps);
}

bool dd_perceptron_table_write(const dd_perceptron_table *table, dd_buffer *out)
{
    size_t size = (size_t)1 << table->bits;
    double most = 0;
    for (size_t i = 0; i < size; i++) most = fmax(most, fabs(average(table, i)));
    if (!dd_buffer_reserve(out, size * sizeof(int16_t))) return false;
    for (size_t i = 0; i < size; i++) {
        int16_t weight = most > 0 ? (int16_t)lrint(average(table, i) / most * INT16_MAX) : 0;
        if (!dd_buffer_append(out, &weight, sizeof weight)) return false;
    }
    return true;
}
