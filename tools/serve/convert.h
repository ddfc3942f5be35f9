/* convert.h - texts that the library reads only in another form */
#ifndef SERVE_CONVERT_H
#define SERVE_CONVERT_H

#include "dodona_tools.h"

/* Horizontal text, a sentence a line and blanks between its tokens, as vertical text; a no-break
 * space stands for a blank within a token. NULL: out of memory. To be freed. */
char *convert_horizontal(dd_text text, size_t *size);
/* In Unicode's normalization form C, as UDPipe's server takes it. `text` is UTF-8. NULL: out of
 * memory. To be freed; NUL-terminated. */
char *convert_nfc(dd_text text, size_t *size);

#endif
