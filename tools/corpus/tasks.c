#include "corpus/tasks.h"

#include "cmd.h"
#include "heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void task_set_new(task_set *set, size_t count)
{
    set->has = heap_zeroed(count + 1, sizeof *set->has);
    set->count = count;
}

void task_set_free(task_set *set)
{
    free(set->has);
}

/* A number from 1 on; 0: there is none. */
static size_t take_number(const char **at)
{
    char *end;
    if (**at < '0' || **at > '9') return 0;
    errno = 0;
    unsigned long long number = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0 && number <= SIZE_MAX ? (size_t)number : 0;
}

static int refuse(const char *words)
{
    return say_usage("corpus", "'%s' are no tasks; write them as 5, 1,4-7 or 2/8", words);
}

static int add_share(task_set *set, size_t share, size_t shares, const char *words)
{
    if (share == 0 || share > shares) return refuse(words);
    for (size_t task = share; task <= set->count; task += shares) set->has[task] = true;
    return STATUS_OK;
}

static int add_range(task_set *set, size_t first, size_t last, const char *words)
{
    if (first == 0 || last < first) return refuse(words);
    if (last > set->count)
        return say_usage("corpus", "there is no task %zu; the plan has %zu", last, set->count);
    for (size_t task = first; task <= last; task++) set->has[task] = true;
    return STATUS_OK;
}

int task_set_add(task_set *set, const char *words)
{
    int status = STATUS_OK;
    const char *at = words;
    do {
        size_t first = take_number(&at), last = first;
        bool share = *at == '/';
        if (*at == '-' || share) {
            at++;
            last = take_number(&at);
        }
        if (*at && *at != ',') return refuse(words);
        status = share ? add_share(set, first, last, words) : add_range(set, first, last, words);
    } while (status == STATUS_OK && *at++ == ',');
    return status;
}

void task_set_write(const task_set *set, output *out)
{
    const char *before = "";
    for (size_t first = 1; first <= set->count; first++) {
        size_t last = first;
        if (!set->has[first]) continue;
        while (last < set->count && set->has[last + 1]) last++;
        output_format(out, last > first ? "%s%zu-%zu" : "%s%zu", before, first, last);
        before = ",";
        first = last;
    }
    if (*before) output_string(out, "\n");
}
