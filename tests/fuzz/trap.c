/* A target with a fault, for the test of standalone.c: it aborts at an exclamation mark. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && memchr(data, '!', size)) abort();
    return 0;
}

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {{"one", 3}, {"", 0}, {"three\n", 6}};
    return index < 3 ? seeds[index] : (fuzz_seed){NULL, 0};
}
