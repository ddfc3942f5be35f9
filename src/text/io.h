/* io.h - what the byte source and the byte sink share */
#ifndef DODONA_TEXT_IO_H
#define DODONA_TEXT_IO_H

#include "core/status.h"

enum { DD_IO_CHUNK = 128 * 1024 }; /* bytes moved by one system call */

typedef enum dd_packing { DD_PLAIN, DD_GZIP, DD_ZSTD } dd_packing;

/* "NAME: reason of the errno value" */
dd_status dd_fail_io(dd_error *error, const char *name, int code);

/* NULL and "-" stand for standard input or output. */
bool dd_path_is_standard(const char *path);
bool dd_ends_with(const char *text, const char *end);

#endif
