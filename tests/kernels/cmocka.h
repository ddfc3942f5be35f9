/* cmocka.h - as much of cmocka as the tests of kernels need, for processors that there is no cmocka
 * for here; the first claim that fails ends the program */
#ifndef DODONA_TESTS_KERNELS_CMOCKA_H
#define DODONA_TESTS_KERNELS_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(test)                                                                     \
    {                                                                                              \
#test, test                                                                                \
    }

#define assert_true(claim)                                                                         \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            printf("# %s:%d: %s\n", __FILE__, __LINE__, #claim);                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define assert_false(claim)             assert_true(!(claim))
#define assert_null(pointer)            assert_true((pointer) == NULL)
#define assert_non_null(pointer)        assert_true((pointer) != NULL)
#define assert_ptr_equal(a, b)          assert_true((a) == (b))
#define assert_int_equal(a, b)          assert_true((long long)(a) == (long long)(b))
#define assert_string_equal(a, b)       assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b)   assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    run_tests(tests, sizeof(tests) / sizeof *(tests))

/* TAP, whose plan tells when a program has ended early. */
static int run_tests(const struct CMUnitTest *tests, size_t count)
{
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        tests[i].run(NULL);
        printf("ok %zu - %s\n", i + 1, tests[i].name);
    }
    return 0;
}

#endif
