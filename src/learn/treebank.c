#include "learn/treebank.h"

#include "core/memory.h"

#include <stdlib.h>

dd_status dd_treebank_new(dd_treebank **out, dd_error *error)
{
    dd_treebank *treebank = dd_calloc(1, sizeof *treebank);
    if (!treebank) return dd_fail_memory(error);
    treebank->hash = XXH3_createState();
    if (!treebank->hash) {
        dd_treebank_free(treebank);
        return dd_fail_memory(error);
    }
    XXH3_64bits_reset(treebank->hash);
    *out = treebank;
    return DD_OK;
}

void dd_treebank_free(dd_treebank *treebank)
{
    if (!treebank) return;
    for (size_t i = 0; i < treebank->count; i++) dd_sentence_free(treebank->sentences[i]);
    free(treebank->sentences);
    free(treebank->ends);
    free(treebank->paths);
    XXH3_freeState(treebank->hash);
    free(treebank);
}

/* Reads one sentence; one that is passed over leaves the treebank as it was. */
static dd_status read_sentence(dd_treebank *treebank, dd_reader *reader,
                               const dd_train_options *options, dd_error *error)
{
    dd_error why;
    dd_sentence *sentence = NULL;
    if (!DD_RESERVE(&treebank->sentences, &treebank->capacity, treebank->count + 1))
        return dd_fail_memory(error);
    dd_status status = dd_sentence_new(&sentence, error);
    if (status != DD_OK) return status;
    status = dd_reader_next(reader, sentence, &why);
    if (status == DD_OK) {
        treebank->sentences[treebank->count++] = sentence;
        treebank->words += (uint64_t)sentence->n;
        XXH3_64bits_update(treebank->hash, sentence->raw.data, sentence->raw.size);
        return DD_OK;
    }
    dd_sentence_free(sentence);
    if (status != DD_ERROR_FORMAT || !options->skip_bad) {
        if (error && status != DD_END) *error = why;
        return status;
    }
    treebank->bad++;
    if (options->bad) options->bad(options->user, &why);
    return DD_OK;
}

dd_status dd_treebank_read_some(dd_treebank *treebank, dd_reader *reader, const char *path,
                                size_t most, const dd_train_options *options, dd_error *error)
{
    dd_status status = DD_OK;
    size_t before = treebank->count;
    if (!DD_RESERVE(&treebank->ends, &treebank->ends_capacity, treebank->files + 1) ||
        !DD_RESERVE(&treebank->paths, &treebank->paths_capacity, treebank->files + 1))
        return dd_fail_memory(error);
    while (status == DD_OK && treebank->count - before < most)
        status = read_sentence(treebank, reader, options, error);
    if (status != DD_OK && status != DD_END) return status;
    treebank->paths[treebank->files] = path;
    treebank->ends[treebank->files++] = treebank->count;
    return status;
}

dd_status dd_treebank_read(dd_treebank *treebank, const char *path, const dd_train_options *options,
                           dd_error *error)
{
    dd_reader *reader = NULL;
    dd_status status = dd_reader_open(&reader, path, options->format, error);
    if (status == DD_OK)
        status = dd_treebank_read_some(treebank, reader, path, SIZE_MAX, options, error);
    dd_reader_close(reader);
    return status == DD_END ? DD_OK : status;
}
