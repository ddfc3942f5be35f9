/* A target with a fault, for the test of standalone.c and scripts/fuzz.sh: it aborts at an
 * exclamation mark. Its last seed is longer than any that a real target has. */
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
    static const char zeros[1 << 20];
    static const fuzz_seed seeds[] = {{"one", 3}, {"", 0}, {"three\n", 6}, {zeros, sizeof zeros}};
    return index < 4 ? seeds[index] : (fuzz_seed){NULL, 0};
}
