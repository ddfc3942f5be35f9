/* sink.h - bytes out: a file, standard output or a function, packed if the path ends in .gz or .zst
 *
 *     writer -> pending chunk -> [deflate | zstd] -> packed chunk -> file, stdout, function
 *
 * A file takes its place when the sink is closed, unless a write has failed (core/newfile.h).
 * Once a write has failed, every further call reports that same failure. */
#ifndef DODONA_TEXT_SINK_H
#define DODONA_TEXT_SINK_H

#include "core/status.h"

typedef struct dd_sink dd_sink;

dd_status dd_sink_open(dd_sink **out, const char *path, dd_error *error);
/* A file that is open already, and stays so; packed by the ending of its name, which may be NULL.
 */
dd_status dd_sink_open_fd(dd_sink **out, const char *name, int file, dd_error *error);
/* Hands the bytes to a function. */
dd_status dd_sink_open_to(dd_sink **out, dd_write_function *write, void *user, dd_error *error);
dd_status dd_sink_write(dd_sink *sink, dd_text bytes, dd_error *error);
/* Hands on what was written so far, unless it is to a file that takes its place only in the end. */
dd_status dd_sink_flush(dd_sink *sink, dd_error *error);
/* Flushes and closes; the sink is gone afterwards, also on failure. */
dd_status dd_sink_close(dd_sink *sink, dd_error *error);
/* The same, but a file does not take its place. */
void dd_sink_drop(dd_sink *sink);

#endif
