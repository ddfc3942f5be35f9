/* source.h - bytes in: a file, standard input or memory, unpacked on the way
 *
 *     file, stdin, memory -> input chunk -> [inflate | zstd] -> output chunk -> reader
 *
 * Packed data is known by its first bytes, whatever the name; several gzip members or Zstandard
 * frames in a row are one text. */
#ifndef DODONA_TEXT_SOURCE_H
#define DODONA_TEXT_SOURCE_H

#include "core/status.h"

typedef struct dd_source dd_source;

dd_status dd_source_open(dd_source **out, const char *path, dd_error *error);
/* The bytes are not copied; they must outlive the source. */
dd_status dd_source_open_memory(dd_source **out, const char *name, dd_text bytes, dd_error *error);
/* The next bytes, at least one, valid until the next call; DD_END behind the last. */
dd_status dd_source_next(dd_source *source, dd_text *chunk, dd_error *error);
/* The same without waiting: DD_OK and no bytes where a terminal or pipe has run dry, that is, has
 * none to read now, or not enough to unpack any. Then what the last call gave is still valid. */
dd_status dd_source_next_now(dd_source *source, dd_text *chunk, dd_error *error);
/* Whether it may run dry, as files and memory never do. */
bool dd_source_may_run_dry(const dd_source *source);
/* Waits for bytes or the end, or until the file descriptor `wake` can be read, unless that is -1.
 * False: it was not bytes or the end that ended the waiting. */
bool dd_source_wait(const dd_source *source, int wake);
const char *dd_source_name(const dd_source *source);
void dd_source_close(dd_source *source);

#endif
