#include "plan/checksum.h"

#include "plan/range.h"

#include <stdio.h>

bool dd_checksum_start(dd_checksum *sum)
{
    *sum = (dd_checksum){.state = XXH3_createState()};
    return sum->state && XXH3_128bits_reset(sum->state) == XXH_OK;
}

void dd_checksum_add(dd_checksum *sum, dd_text bytes)
{
    sum->bytes += bytes.size;
    XXH3_128bits_update(sum->state, bytes.data, bytes.size);
}

void dd_checksum_end(dd_checksum *sum, char text[DD_CHECKSUM_SIZE])
{
    if (sum->state && text) {
        XXH128_hash_t hash = XXH3_128bits_digest(sum->state);
        snprintf(text, DD_CHECKSUM_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
    }
    XXH3_freeState(sum->state);
    sum->state = NULL;
}

static dd_status add_all(dd_checksum *sum, dd_range *range, dd_error *error)
{
    dd_text chunk;
    dd_status status;
    while ((status = dd_range_next(range, &chunk, error)) == DD_OK) dd_checksum_add(sum, chunk);
    return status == DD_END ? DD_OK : status;
}

dd_status dd_checksum_file(const char *path, uint64_t *bytes, char text[DD_CHECKSUM_SIZE],
                           dd_error *error)
{
    dd_checksum sum;
    dd_range *range = NULL;
    dd_status status = dd_range_open(&range, path, &(dd_range_place){.bytes = UINT64_MAX}, error);
    if (status == DD_OK && !dd_checksum_start(&sum)) status = dd_fail_memory(error);
    if (status == DD_OK) {
        status = add_all(&sum, range, error);
        *bytes = sum.bytes;
        dd_checksum_end(&sum, text);
    }
    dd_range_close(range);
    return status;
}
