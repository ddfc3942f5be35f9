#include "text/encoding.h"

#include "core/memory.h"
#include "text/io.h"
#include "text/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 16 /* bytes of a character, in any encoding, and more */ };

struct dd_encoding {
    iconv_t converter;
    char *name, *file;
    dd_text input;      /* not decoded yet */
    char held[LONGEST]; /* the beginning of a character, whose rest is in the input */
    size_t n_held;
    uint64_t offset; /* of the next byte to be decoded */
    uint64_t line;   /* that it stands in, from 1 */
    char *output;    /* [DD_IO_CHUNK] */
};

static const iconv_t none = (iconv_t)-1;

void dd_encoding_free(dd_encoding *encoding)
{
    if (!encoding) return;
    if (encoding->converter != none) iconv_close(encoding->converter);
    free(encoding->name);
    free(encoding->file);
    free(encoding->output);
    free(encoding);
}

static dd_status open_converter(dd_encoding *encoding, dd_error *error)
{
    if (!encoding->name || !encoding->file || !encoding->output) return dd_fail_memory(error);
    encoding->converter = iconv_open("UTF-8", encoding->name);
    if (encoding->converter != none) return DD_OK;
    if (errno == ENOMEM) return dd_fail_memory(error);
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "the encoding '%s' is not known; 'iconv -l' lists them",
                   dd_quote_text((dd_text){encoding->name, strlen(encoding->name)}).text);
}

dd_status dd_encoding_new(dd_encoding **out, const char *name, const char *file, dd_error *error)
{
    dd_encoding *encoding = dd_calloc(1, sizeof *encoding);
    if (!encoding) return dd_fail_memory(error);
    encoding->converter = none;
    encoding->name = dd_copy_text(name, strlen(name));
    encoding->file = dd_copy_text(file, strlen(file));
    encoding->output = malloc(DD_IO_CHUNK);
    encoding->line = 1;
    dd_status status = open_converter(encoding, error);
    if (status == DD_OK)
        *out = encoding;
    else
        dd_encoding_free(encoding);
    return status;
}

bool dd_is_utf16(dd_text start)
{
    if (start.size < 2) return false;
    return memcmp(start.data, "\xFF\xFE", 2) == 0 || memcmp(start.data, "\xFE\xFF", 2) == 0;
}

bool dd_is_utf8_name(const char *name)
{
    return strcasecmp(name, "utf-8") == 0 || strcasecmp(name, "utf8") == 0;
}

void dd_encoding_give(dd_encoding *encoding, dd_text bytes)
{
    encoding->input = bytes;
}

static dd_status fail(const dd_encoding *encoding, const char *what, dd_error *error)
{
    return dd_fail_at(error, DD_ERROR_DATA, encoding->file, encoding->line, 0,
                      "the bytes at offset %llu %s %s", (unsigned long long)encoding->offset, what,
                      encoding->name);
}

/* Decodes into the output behind `size` bytes. *stopped: 0, or the errno value that says why it
 * stopped before the end of the bytes. Returns the bytes used. */
static size_t convert(dd_encoding *encoding, const char *data, size_t count, size_t *size,
                      int *stopped)
{
    char *from = (char *)data; /* iconv's interface lacks the const */
    char *to = encoding->output + *size;
    size_t left = count, room = DD_IO_CHUNK - *size;
    errno = 0;
    *stopped = iconv(encoding->converter, &from, &left, &to, &room) == (size_t)-1 ? errno : 0;
    for (const char *c = encoding->output + *size; c < to; c++) encoding->line += *c == '\n';
    *size = DD_IO_CHUNK - room;
    return count - left;
}

/* Decodes the character whose beginning is held, with as much of the input as it needs. */
static bool finish_held(dd_encoding *encoding, size_t *size, int *stopped)
{
    size_t used = 0;
    while (encoding->n_held > 0 && encoding->input.size > 0 && encoding->n_held < LONGEST) {
        encoding->held[encoding->n_held++] = encoding->input.data[0];
        encoding->input.data++;
        encoding->input.size--;
        used = convert(encoding, encoding->held, encoding->n_held, size, stopped);
        encoding->offset += used;
        encoding->n_held -= used;
        memmove(encoding->held, encoding->held + used, encoding->n_held);
        if (*stopped == EILSEQ) return false;
    }
    if (encoding->n_held == LONGEST) *stopped = EILSEQ;
    return encoding->n_held == 0;
}

static void decode_input(dd_encoding *encoding, size_t *size, int *stopped)
{
    dd_text *input = &encoding->input;
    size_t used = convert(encoding, input->data, input->size, size, stopped);
    encoding->offset += used;
    input->data += used;
    input->size -= used;
    if (*stopped != EINVAL || input->size > LONGEST) return;
    memcpy(encoding->held, input->data, input->size);
    encoding->n_held = input->size;
    input->size = 0;
}

dd_status dd_encoding_next(dd_encoding *encoding, dd_text *out, dd_error *error)
{
    size_t size = 0;
    int stopped = 0;
    if (finish_held(encoding, &size, &stopped) && encoding->input.size > 0)
        decode_input(encoding, &size, &stopped);
    *out = (dd_text){encoding->output, size};
    if (stopped != EILSEQ || size > 0) return DD_OK;
    return fail(encoding, "are not", error);
}

dd_status dd_encoding_end(const dd_encoding *encoding, dd_error *error)
{
    return encoding->n_held == 0 ? DD_OK : fail(encoding, "are an incomplete character of", error);
}
