#include "text/windows.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/io.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <xxhash.h>

dd_status dd_windows_open(dd_windows *w, const char *path, dd_format format, uint64_t most_words,
                          dd_error *error)
{
    *w = (dd_windows){.path = path, .format = format, .most_words = most_words};
    return dd_reader_open(&w->reader, path, format, error);
}

void dd_windows_close(dd_windows *w)
{
    dd_reader_close(w->reader);
    free(w->list);
    *w = (dd_windows){0};
}

void dd_windows_note(dd_windows *w, const dd_sentence *sentence)
{
    dd_text raw = dd_sentence_raw(sentence);
    w->now.hash = XXH3_64bits_withSeed(raw.data, raw.size, w->now.hash);
    w->now.words += (uint64_t)sentence->n;
    w->now.sentences++;
}

uint64_t dd_windows_left(const dd_windows *w)
{
    if (w->most_words == 0) return UINT64_MAX;
    return w->now.words < w->most_words ? w->most_words - w->now.words : 0;
}

/* ---- the end of a window -------------------------------------------------------------------- */

/* Standard input and pipes are read once. */
static dd_status check_file(const dd_windows *w, dd_error *error)
{
    struct stat facts;
    bool is_file =
        !dd_path_is_standard(w->path) && stat(w->path, &facts) == 0 && S_ISREG(facts.st_mode);
    if (w->count < 2 || is_file) return DD_OK;
    return dd_fail(
        error, DD_ERROR_DATA,
        "%.200s: more than %llu words must come from a file, as they are read several times",
        dd_path_is_standard(w->path) ? "<stdin>" : w->path, (unsigned long long)w->most_words);
}

static void close_reader(dd_windows *w)
{
    dd_reader_close(w->reader);
    w->reader = NULL;
}

static dd_status add_window(dd_windows *w, bool last, dd_error *error)
{
    bool empty = last && w->count > 0 && w->now.sentences == 0;
    if (!empty) {
        if (!DD_RESERVE(&w->list, &w->capacity, w->count + 1)) return dd_fail_memory(error);
        w->list[w->count++] = w->now;
    }
    w->now = (dd_window){0};
    if (!last) return DD_OK;
    w->known = true;
    w->at = 0;
    close_reader(w);
    return check_file(w, error);
}

dd_status dd_windows_end(dd_windows *w, bool last, dd_error *error)
{
    if (!w->known) return add_window(w, last, error);
    const dd_window *then = &w->list[w->at];
    bool same = w->now.sentences == then->sentences && w->now.words == then->words &&
                w->now.hash == then->hash;
    if (same) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.200s: has changed since training began", w->path);
}

/* ---- going on ----------------------------------------------------------------------------------
 */

static dd_status rewind_file(dd_windows *w, dd_error *error)
{
    close_reader(w);
    return dd_reader_open(&w->reader, w->path, w->format, error);
}

/* Malformed sentences are passed over, as they were when the windows were made. */
static dd_status skip(dd_windows *w, uint64_t sentences, dd_error *error)
{
    dd_sentence *sentence;
    dd_status status = dd_sentence_new(&sentence, error);
    if (status != DD_OK) return status;
    while (sentences > 0 && (status == DD_OK || status == DD_ERROR_FORMAT)) {
        status = dd_reader_next(w->reader, sentence, error);
        sentences -= status == DD_OK;
    }
    dd_sentence_free(sentence);
    return status == DD_ERROR_FORMAT || status == DD_END ? DD_OK : status;
}

/* What is missing of a file that has become shorter is found when the window is read. */
dd_status dd_windows_seek(dd_windows *w, size_t window, dd_error *error)
{
    uint64_t before = 0;
    for (size_t i = 0; i < window; i++) before += w->list[i].sentences;
    w->now = (dd_window){0};
    w->at = window;
    dd_status status = rewind_file(w, error);
    return status == DD_OK ? skip(w, before, error) : status;
}

dd_status dd_windows_next(dd_windows *w, dd_error *error)
{
    w->now = (dd_window){0};
    w->at = (w->at + 1) % w->count;
    return w->at == 0 || !w->reader ? dd_windows_seek(w, w->at, error) : DD_OK;
}
