#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "core/memory.h"

#include <dodona.h>

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- control groups ----------------------------------------------------------------------- */

enum { PATH_ROOM = 4096, LINE_ROOM = PATH_ROOM, NUMBERS_ROOM = 64 };

/* A group of the process, and where its files are. */
typedef struct group {
    const char *mount;
    const char *hierarchy; /* below the mount: "" or "/cpu" */
    char path[PATH_ROOM];  /* below that; "" is the root */
} group;

/* The first line of a file of the group; false if there is none. */
static bool read_line(const group *g, const char *name, char line[NUMBERS_ROOM])
{
    char path[3 * PATH_ROOM];
    int size = snprintf(path, sizeof path, "%s%s%s/%s", g->mount, g->hierarchy, g->path, name);
    FILE *file = size > 0 && (size_t)size < sizeof path ? fopen(path, "re") : NULL;
    if (!file) return false;
    bool read = fgets(line, NUMBERS_ROOM, file) != NULL;
    fclose(file);
    return read;
}

/* The time that its processes may use on all cores together in a period, both in microseconds. */
typedef struct quota {
    long long time, period;
} quota;

/* Where there is no limit, version 2 has "max", which is read as 0, and version 1 has -1. */
static bool read_quota(const group *g, quota *out)
{
    char line[NUMBERS_ROOM], *period;
    if (read_line(g, "cpu.max", line)) {
        out->time = strtoll(line, &period, 10);
        out->period = strtoll(period, NULL, 10);
        return true;
    }
    if (!read_line(g, "cpu.cfs_quota_us", line)) return false;
    out->time = strtoll(line, NULL, 10);
    if (!read_line(g, "cpu.cfs_period_us", line)) return false;
    out->period = strtoll(line, NULL, 10);
    return true;
}

static int lesser_limit(int one, int other)
{
    if (one == 0 || other == 0) return one + other;
    return one < other ? one : other;
}

static int limit_of(const group *g)
{
    quota q;
    if (!read_quota(g, &q) || q.time <= 0 || q.period <= 0) return 0;
    long long cores = (q.time - 1) / q.period + 1;
    return cores < INT_MAX ? (int)cores : INT_MAX;
}

/* The limits of a group hold for those below it. In a container the path may be that of the host,
 * of which only the root exists here. */
static int limit_upwards(group *g)
{
    int limit = limit_of(g);
    for (char *slash; (slash = strrchr(g->path, '/'));) {
        *slash = '\0';
        limit = lesser_limit(limit, limit_of(g));
    }
    return limit;
}

/* Whether a list such as "cpu,cpuacct" has "cpu". */
static bool names_cpu(const char *controllers)
{
    for (const char *at = controllers; *at; at += *at == ',') {
        size_t size = strcspn(at, ",");
        if (size == 3 && memcmp(at, "cpu", 3) == 0) return true;
        at += size;
    }
    return false;
}

/* A line "NUMBER:CONTROLLERS:PATH"; in version 2 it has no controllers. */
static int limit_of_line(char *line, const char *mount)
{
    group g = {.mount = mount};
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path) return 0;
    *path++ = '\0';
    controllers++;
    path[strcspn(path, "\n")] = '\0';
    if (*controllers && !names_cpu(controllers)) return 0;
    g.hierarchy = *controllers ? "/cpu" : "";
    snprintf(g.path, sizeof g.path, "%s", strcmp(path, "/") == 0 ? "" : path);
    return limit_upwards(&g);
}

int dd_cores_by_groups(const char *groups, const char *mount)
{
    char line[LINE_ROOM];
    int limit = 0;
    FILE *file = fopen(groups, "re");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) limit = lesser_limit(limit, limit_of_line(line, mount));
    fclose(file);
    return limit;
}

/* ---- the process -------------------------------------------------------------------------- */

static int cores_by_affinity(void)
{
#ifdef CPU_COUNT
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
#endif
    long online = 1;
#ifdef _SC_NPROCESSORS_ONLN
    online = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return online < 1 ? 1 : online < INT_MAX ? (int)online : INT_MAX;
}

int dd_available_threads(void)
{
    int limit = dd_cores_by_groups("/proc/self/cgroup", "/sys/fs/cgroup");
    int cores = lesser_limit(cores_by_affinity(), limit);
    return cores < DD_MAX_THREADS ? cores : DD_MAX_THREADS;
}
