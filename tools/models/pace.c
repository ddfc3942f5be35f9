#include "models/pace.h"

#include "number.h"

#include <stdio.h>
#include <unistd.h>

static const double REDRAW_EVERY = 0.1; /* seconds */

void pace_start(pace *p, bool wanted, uint64_t done)
{
    *p = (pace){.shown = wanted && isatty(STDERR_FILENO) == 1,
                .start = number_seconds_now(),
                .first = done};
}

void pace_show(pace *p, const char *name, uint64_t done, uint64_t all)
{
    double now = number_seconds_now(), passed = now - p->start;
    if (!p->shown || (p->drawn && now - p->last < REDRAW_EVERY)) return;
    double speed = passed > 0 ? (double)(done - p->first) / passed : 0;
    p->drawn = true;
    p->last = now;
    fprintf(stderr, "\r%s  %s of %s bytes  %3.0f %%", name, number_grouped(done).text,
            number_grouped(all).text, number_percent(done, all));
    if (speed > 0)
        fprintf(stderr, "  %s kB/s  %s left", number_grouped((uint64_t)(speed / 1000)).text,
                number_duration((double)(all - done) / speed).text);
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

void pace_clear(pace *p)
{
    if (p->drawn) fprintf(stderr, "\r\033[K");
    p->drawn = false;
}
