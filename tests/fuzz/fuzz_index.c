/* Indexes of models: whatever the text, it is read or refused with a reason, all names are safe to
 * use, and what is read is written and read again as the same. */
#include "fuzz.h"

#include "models/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

static void write_all(output *out, const model_list *list)
{
    output_keep(out);
    output_string(out, "{\"dodona_models\":1,\"models\":[");
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0) output_string(out, ",");
        entry_write(out, &list->items[i]);
    }
    output_string(out, "]}");
    require(out->status == DD_OK);
}

static void check_entry(const model_entry *entry)
{
    require(entry_is_name(entry->name) && entry_is_name(entry->file));
    require(!strchr(entry->name, '/') && !strstr(entry->file, "/"));
    require(strlen(entry->sha256) == 64);
    require(isnan(entry->dev_las) || (entry->dev_las >= 0 && entry->dev_las <= 100));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char reason[INDEX_REASON_SIZE];
    model_list list, again;
    output once, twice;
    if (!index_read(&list, (const char *)data, size, reason)) {
        require(reason[0] != '\0' && list.count == 0);
        return 0;
    }
    for (size_t i = 0; i < list.count; i++) check_entry(&list.items[i]);
    write_all(&once, &list);
    require(index_read(&again, once.data, once.size, reason));
    write_all(&twice, &again);
    require(once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
    output_close(&once);
    output_close(&twice);
    model_list_free(&list);
    model_list_free(&again);
    return 0;
}

#define DIGEST "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

fuzz_seed fuzz_seed_at(size_t index)
{
    static const char *const seeds[] = {
        "{\"dodona_models\":1,\"models\":[]}",
        "{\"dodona_models\":1,\"models\":[{\"name\":\"da\",\"file\":\"da.dodona\",\"size\":12,"
        "\"sha256\":\"" DIGEST "\",\"language\":\"da\",\"treebank\":\"UD Danish DDT\","
        "\"licence\":\"CC BY-SA 4.0\",\"version\":\"1.0\","
        "\"scores\":{\"dev_uas\":81.5,\"dev_las\":79.25}},\n"
        " {\"name\":\"sv\",\"file\":\"sv.dodona\",\"size\":0,\"sha256\":\"" DIGEST "\","
        "\"language\":null,\"scores\":null,\"more\":[1,{\"\\u00e9\":true}]}]}",
    };
    if (index >= sizeof seeds / sizeof *seeds) return (fuzz_seed){NULL, 0};
    return (fuzz_seed){seeds[index], strlen(seeds[index])};
}
