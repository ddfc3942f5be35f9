/* buffer.h - what the library itself does with a dd_buffer */
#ifndef DODONA_CORE_BUFFER_H
#define DODONA_CORE_BUFFER_H

#include "core/status.h"

bool dd_buffer_reserve(dd_buffer *buffer, size_t extra);
bool dd_buffer_append(dd_buffer *buffer, const void *data, size_t size);
bool dd_buffer_text(dd_buffer *buffer, const char *text);
bool dd_buffer_printf(dd_buffer *buffer, const char *format, ...) DD_PRINTF(2, 3);
/* One number by a format such as "%.2f", with a decimal point in every locale. */
bool dd_buffer_real(dd_buffer *buffer, const char *format, double value);

#endif
