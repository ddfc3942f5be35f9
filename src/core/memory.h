/* memory.h - what the system gives: memory for arrays that grow, and cores. Sizes are checked for
 * overflow; nothing here aborts. */
#ifndef DODONA_CORE_MEMORY_H
#define DODONA_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `need` items of `item` bytes in *array (capacity in items), at least doubling.
 * On failure *array and *capacity are as before. */
bool dd_grow(void **array, size_t *capacity, size_t need, size_t item);

static inline bool dd_reserve(void **array, size_t *capacity, size_t need, size_t item)
{
    return need <= *capacity || dd_grow(array, capacity, need, item);
}

/* The same for a typed pointer: DD_RESERVE(&list, &list_capacity, n + 1) */
#define DD_RESERVE(array, capacity, need)                                                          \
    dd_reserve((void **)(array), (capacity), (need), sizeof **(array))

/* count * item bytes, zeroed; NULL on overflow too. Never asks for 0 bytes. */
void *dd_calloc(size_t count, size_t item);

/* Asks the system for huge pages for a large block, before it is used, so that random access causes
 * fewer TLB misses. Only a hint. */
void dd_prefer_huge_pages(void *block, size_t bytes);

/* A NUL-terminated copy of `size` bytes. */
char *dd_copy_text(const char *data, size_t size);

/* ---- cores -------------------------------------------------------------------------------- */

/* The cores that the limits of a process's control groups (cgroups of Linux, versions 1 and 2) come
 * to, rounded up; 0: there is no limit. `groups` is the file that names them, /proc/self/cgroup,
 * and `mount` the folder that they are mounted in, /sys/fs/cgroup. */
int dd_cores_by_groups(const char *groups, const char *mount);

#endif
