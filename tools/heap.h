/* heap.h - allocation that never fails: if memory runs out, the program says so and exits. */
#ifndef TOOLS_HEAP_H
#define TOOLS_HEAP_H

#include <stddef.h>

void *heap_zeroed(size_t count, size_t item);
char *heap_copy(const char *text, size_t size); /* NUL-terminated */
/* Room for `need` items, at least doubling what there is. */
void heap_grow(void **array, size_t *capacity, size_t need, size_t item);
#define HEAP_GROW(array, capacity, need)                                                           \
    heap_grow((void **)(array), (capacity), (need), sizeof **(array))

#endif
