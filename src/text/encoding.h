/* encoding.h - bytes in some encoding into UTF-8, piece by piece, by iconv */
#ifndef DODONA_TEXT_ENCODING_H
#define DODONA_TEXT_ENCODING_H

#include "core/status.h"

typedef struct dd_encoding dd_encoding;

/* `name` is one that iconv knows. DD_ERROR_ARGUMENT: it knows none of that name. `file`,
 * which is copied, is used in messages. */
dd_status dd_encoding_new(dd_encoding **out, const char *name, const char *file, dd_error *error);
void dd_encoding_free(dd_encoding *encoding);
/* More bytes, which are valid until all of them are decoded. */
void dd_encoding_give(dd_encoding *encoding, dd_text bytes);
/* The next bytes in UTF-8, valid until the next call; none: it needs more. DD_ERROR_DATA: what was
 * given is not of the encoding. */
dd_status dd_encoding_next(dd_encoding *encoding, dd_text *out, dd_error *error);
/* At the end of the input: whether it ends within a character. */
dd_status dd_encoding_end(const dd_encoding *encoding, dd_error *error);
/* Whether the text begins with the byte order mark of UTF-16; two bytes are enough. */
bool dd_is_utf16(dd_text start);
/* Whether the name is one of UTF-8, which needs no decoding. */
bool dd_is_utf8_name(const char *name);

#endif
