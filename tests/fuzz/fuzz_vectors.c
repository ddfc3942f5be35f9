/* Word vectors: whatever the bytes, they are read or refused, with a name and a line. */
#include "fuzz.h"

#include "neural/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dd_vectors vectors = {0};
    dd_source *source;
    dd_error error = {.status = DD_OK};
    dd_text text = {(const char *)data, size};
    require(dd_source_open_memory(&source, "fuzz", text, NULL) == DD_OK);
    dd_status status = dd_vectors_read_from(&vectors, source, 5, &error);
    if (status == DD_OK) {
        require(vectors.words.count > 2 && vectors.words.count <= 7);
        for (size_t i = 0; i < (size_t)vectors.words.count * vectors.size; i++)
            require(isfinite(vectors.numbers[i]));
    } else {
        require(status == error.status && memcmp(error.message, "fuzz", 4) == 0);
    }
    dd_vectors_free(&vectors);
    dd_source_close(source);
    return 0;
}

fuzz_seed fuzz_seed_at(size_t index)
{
    static const char with_header[] = "4 3\n</s> 0 0 0\nthe 0.5 -1e-1 2\nThe 1 1 1\nof . 1 2 .5\n";
    static const char without[] = "a 1.5\t2 \r\nb -0.25 +3E2\nc 0 0\nd 7 8\ne 9 1\nf 2 2\ng 1 1";
    static const fuzz_seed seeds[] = {{with_header, sizeof with_header - 1},
                                      {without, sizeof without - 1}};
    return index < 2 ? seeds[index] : (fuzz_seed){NULL, 0};
}
