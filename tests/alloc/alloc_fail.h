/* alloc_fail.h - what happens when memory runs out, at each place where it can
 *
 * The program is linked with --wrap, so that every malloc, calloc and realloc of the library and of
 * the test comes through here. An operation is run with its first allocation failing, then with its
 * second, and so on until none fails any more. */
#ifndef DODONA_TESTS_ALLOC_FAIL_H
#define DODONA_TESTS_ALLOC_FAIL_H

#include <dodona_tools.h>

/* Does its work and frees all it made, also on failure; returns the status of the call that failed,
 * or DD_OK. */
typedef dd_status (*alloc_operation)(void *user, dd_error *error);

/* Asserts (cmocka) that each failure is reported as DD_ERROR_MEMORY with the message "out of
 * memory", that nothing leaks, and that the operation succeeds in the end. Returns the number of
 * allocations that were failed. */
int alloc_fail_each(alloc_operation operation, void *user);

#endif
