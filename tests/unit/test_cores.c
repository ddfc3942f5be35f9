/* How many threads the process may use: limits of control groups, and its affinity. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/memory.h"
#include <dodona_tools.h>

/* A folder with control groups in it. */
static char mount[64], groups[96];

static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", mount, name);
    for (char *at = path + strlen(mount) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void clear(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", mount);
    assert_int_equal(system(command), 0);
    assert_int_equal(mkdir(mount, 0700), 0);
}

static void expect(int cores)
{
    assert_int_equal(dd_cores_by_groups(groups, mount), cores);
}

static void the_second_version(void **state)
{
    (void)state;
    clear();
    expect(0);
    put("groups", "0::/a/b\n");
    expect(0);
    put("a/b/cpu.max", "max 100000\n");
    expect(0);
    put("a/b/cpu.max", "200000 100000\n");
    expect(2);
    put("a/b/cpu.max", "210000 100000\n"); /* a part of a core is used too */
    expect(3);
    put("a/b/cpu.max", "1000 100000\n");
    expect(1);
    put("a/b/cpu.max", "800000 100000\n");
    put("a/cpu.max", "400000 100000\n"); /* a group above has less */
    expect(4);
    put("cpu.max", "300000 100000\n");
    expect(3);
}

static void in_a_container(void **state)
{
    (void)state;
    clear();
    put("groups", "0::/outside/of/here\n");
    put("cpu.max", "150000 100000\n");
    expect(2);
    put("groups", "0::/\n");
    expect(2);
}

static void the_first_version(void **state)
{
    (void)state;
    clear();
    put("groups", "12:memory:/a\n5:cpuset:/a\n4:cpu,cpuacct:/a\n1:name=systemd:/a\n");
    put("cpu/a/cpu.cfs_quota_us", "-1\n");
    put("cpu/a/cpu.cfs_period_us", "100000\n");
    expect(0);
    put("cpu/a/cpu.cfs_quota_us", "250000\n");
    expect(3);
    put("groups", "5:cpuset:/a\n");
    expect(0);
    put("groups", "4:cpuacct,cpu:/a\n0::/a\n");
    expect(3);
    put("a/cpu.max", "100000 100000\n");
    expect(1);
}

static void files_that_make_no_sense(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "\n", "max", "1", "0 0", "5 -1", "-5 1000", "a b c"};
    clear();
    put("groups", "0::/a\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        put("a/cpu.max", lines[i]);
        expect(0);
    }
    put("a/cpu.max", "99999999999999999999 1\n");
    expect(INT32_MAX);
    static const char *const wrong[] = {"", "\n", "::", "0", "0:", "no colons at all", ":::::"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put("groups", wrong[i]);
        expect(0);
    }
}

static void the_process_has_what_it_may_use(void **state)
{
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_in_range(dd_available_threads(), 1, CPU_COUNT(&all));
    int first = 0;
    while (!CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(dd_available_threads(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(mount, sizeof mount, "/tmp/dodona-cores-XXXXXX");
    if (!mkdtemp(mount)) return -1;
    snprintf(groups, sizeof groups, "%s/groups", mount);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    clear();
    return rmdir(mount);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_version),
        cmocka_unit_test(in_a_container),
        cmocka_unit_test(the_first_version),
        cmocka_unit_test(files_that_make_no_sense),
        cmocka_unit_test(the_process_has_what_it_may_use),
    };
    return cmocka_run_group_tests_name("cores", tests, set_up, tear_down);
}
