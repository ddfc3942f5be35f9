/* Checking while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_fail.h"

/* Something of everything that takes memory: long cells, several features, a graph, a letter that
 * composes, crossing arcs. */
static const char text[] =
    "# sent_id = a\n# newpar\n# text = a b c\n"
    "0.1\tx\t_\tVERB\t_\t_\t_\t_\t0:root\t_\n"
    "1\ta\ta\xCC\x81\tNOUN\t_\tB=C|A=D,C\t3\tnsubj\t3:nsubj|0.1:obl:a:b\tA=b|SpaceAfter=Yes\n"
    "2\tb\tb\tPUNCT\t_\t_\t4\tpunct\t4:punct\t_\n"
    "3\tc\tc\tVERB\t_\t_\t0\troot\t0:root\t_\n"
    "4\td\td\tNOUN\t_\t_\t1\tobj\t1:obj|1:obj\t_\n"
    "\n# sent_id = a\nx\n\n# sent_id = b\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n";

static bool count(void *user, const dd_fault *fault)
{
    (void)fault;
    ++*(int *)user;
    return true;
}

static dd_status check_all(void *user, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_status status = dd_reader_open_memory(&reader, "t", (dd_text){text, sizeof text - 1},
                                             DD_FORMAT_CONLLU, error);
    *(int *)user = 0;
    if (status == DD_OK)
        status = dd_check_reader(reader, DD_CHECK_LEVELS, count, user, NULL, error);
    dd_reader_close(reader);
    return status;
}

static void checking_survives_each_failure(void **state)
{
    (void)state;
    int faults;
    assert_true(alloc_fail_each(check_all, &faults) > 10);
    assert_true(faults > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(checking_survives_each_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
