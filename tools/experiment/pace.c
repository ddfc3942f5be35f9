#include "experiment/pace.h"

#include "heap.h"

#include <stdlib.h>

void pace_begin(pace *p, const plan *of)
{
    *p = (pace){.plan = of};
    p->seconds = heap_zeroed(of->n_setups, sizeof *p->seconds);
    p->work = heap_zeroed(of->n_setups, sizeof *p->work);
}

void pace_end(pace *p)
{
    free(p->seconds);
    free(p->work);
}

static double work_of(const pace *p, size_t run)
{
    const plan_treebank *data = &p->plan->treebanks[plan_run(p->plan, run).treebank];
    return (double)data->bytes * data->iterations;
}

void pace_add(pace *p, size_t run, double seconds)
{
    size_t how = plan_run(p->plan, run).setup;
    double work = work_of(p, run);
    p->seconds[how] += seconds;
    p->work[how] += work;
    p->all_seconds += seconds;
    p->all_work += work;
}

static double estimate(const pace *p, size_t run)
{
    size_t how = plan_run(p->plan, run).setup;
    if (p->work[how] > 0) return work_of(p, run) * p->seconds[how] / p->work[how];
    return p->all_work > 0 ? work_of(p, run) * p->all_seconds / p->all_work : 0;
}

double pace_left(const pace *p, const size_t *runs, size_t count, int jobs)
{
    double left = 0;
    for (size_t i = 0; i < count; i++) left += estimate(p, runs[i]);
    return left / jobs;
}

double pace_rest(const pace *p, size_t run, double taken)
{
    double all = estimate(p, run);
    return all > taken ? all - taken : 0;
}
