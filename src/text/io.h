/* io.h - bytes in and out: a file, a standard stream, memory or a function
 *
 *     file, stdin, memory, function -> input chunk -> [inflate | zstd] -> [iconv] -> reader
 *     writer -> pending chunk -> [deflate | zstd] -> packed chunk -> file, stdout, function
 *
 * Packed input is recognised by its first bytes, whatever its name; several gzip members or
 * Zstandard frames in a row are one text. Output is packed if the path ends in .gz or .zst. A file
 * replaces its target when the sink is closed, unless a write has failed (core/newfile.h). Once a
 * write has failed, every further call reports that same failure. */
#ifndef DODONA_TEXT_IO_H
#define DODONA_TEXT_IO_H

#include "core/status.h"

enum { DD_IO_CHUNK = 128 * 1024 }; /* bytes moved by one system call */

typedef enum dd_packing { DD_PLAIN, DD_GZIP, DD_ZSTD } dd_packing;

/* NULL and "-" stand for standard input or output. */
bool dd_path_is_standard(const char *path);

/* ---- sources ------------------------------------------------------------------------------ */

typedef struct dd_source dd_source;

dd_status dd_source_open(dd_source **out, const char *path, dd_error *error);
/* The bytes are not copied; they must outlive the source. */
dd_status dd_source_open_memory(dd_source **out, const char *name, dd_text bytes, dd_error *error);
/* Takes the bytes from a function, packed or not. The function gives at least one byte, valid until
 * it is called again, or returns DD_END. */
typedef dd_status dd_source_function(void *user, dd_text *chunk, dd_error *error);
dd_status dd_source_open_chunks(dd_source **out, const char *name, dd_source_function *give,
                                void *user, dd_error *error);
/* The same for bytes that are compressed in this way. */
dd_status dd_source_open_packed(dd_source **out, const char *name, dd_packing packing,
                                dd_source_function *give, void *user, dd_error *error);
/* Reads an open file, which the source does not close. */
dd_status dd_source_open_fd(dd_source **out, const char *name, int file, dd_error *error);
dd_status dd_source_open_from(dd_source **out, const char *name, dd_read_function *read, void *user,
                              dd_error *error);
/* Call it before the first bytes are read. The bytes are decoded from this encoding to UTF-8. NULL:
 * they are passed on unchanged, unless they begin with the byte order mark of UTF-16. */
dd_status dd_source_set_encoding(dd_source *source, const char *encoding, dd_error *error);
/* The next bytes, at least one, valid until the next call; DD_END after the last. */
dd_status dd_source_next(dd_source *source, dd_text *chunk, dd_error *error);
/* The same without waiting. If a terminal or pipe has run dry, that is, has no bytes to read now,
 * or not enough to decompress any, it returns DD_OK and no bytes; the bytes of the previous call
 * then stay valid. */
dd_status dd_source_next_now(dd_source *source, dd_text *chunk, dd_error *error);
/* Whether the source may run dry. Files and memory never do; for functions it is unknown. */
bool dd_source_may_run_dry(const dd_source *source);
/* Whether the source is a terminal. */
bool dd_source_is_terminal(const dd_source *source);
/* Waits for bytes or the end, or until the file descriptor `wake` can be read, unless that is -1.
 * Returns false if something else ended the waiting. */
bool dd_source_wait(const dd_source *source, int wake);
/* How data that starts with these bytes is compressed; four bytes are enough. */
dd_packing dd_packing_of(dd_text start);
const char *dd_source_name(const dd_source *source);
void dd_source_close(dd_source *source);

/* ---- sinks -------------------------------------------------------------------------------- */

typedef struct dd_sink dd_sink;

dd_status dd_sink_open(dd_sink **out, const char *path, dd_error *error);
/* Writes to an open file, which the sink does not close. Compressed if its name, which may be NULL,
 * ends in .gz or .zst. */
dd_status dd_sink_open_fd(dd_sink **out, const char *name, int file, dd_error *error);
/* Writes bytes that the caller has compressed: they are not compressed again, whatever the name. */
dd_status dd_sink_open_plain(dd_sink **out, const char *path, dd_error *error);
/* Hands the bytes to a function. */
dd_status dd_sink_open_to(dd_sink **out, dd_packing packing, dd_write_function *write, void *user,
                          dd_error *error);
/* How a file of that name is packed; NULL and "-": not at all. */
dd_packing dd_packing_by_name(const char *path);
/* The end of such a name: "", ".gz" or ".zst". */
const char *dd_packing_ending(dd_packing packing);
dd_status dd_sink_write(dd_sink *sink, dd_text bytes, dd_error *error);
/* Flushes what was written so far, unless it goes to a file that replaces its target only at the
 * end. */
dd_status dd_sink_flush(dd_sink *sink, dd_error *error);
/* Flushes, closes and frees the sink, also on failure. */
dd_status dd_sink_close(dd_sink *sink, dd_error *error);
/* Closes and frees the sink, but leaves the target as it was. */
void dd_sink_drop(dd_sink *sink);

#endif
