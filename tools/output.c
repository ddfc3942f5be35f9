#include "output.h"

#include "cmd.h"
#include "printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 16 /* bytes handed to the writer at a time */ };

dd_status output_open(output *out, const char *path)
{
    *out = (output){0};
    out->status = dd_writer_open(&out->writer, path, &out->error);
    out->terminal = strcmp(path, "-") == 0 && isatty(STDOUT_FILENO) == 1;
    return out->status;
}

void output_keep(output *out)
{
    *out = (output){0};
}

static void pass_on(output *out, const char *data, size_t size)
{
    if (size == 0 || out->status != DD_OK) return;
    out->status = dd_writer_write(out->writer, (dd_text){data, size}, &out->error);
}

/* Bytes at the end that begin a UTF-8 character which is not whole yet. */
static size_t size_of_begun(const char *data, size_t size)
{
    for (size_t back = 1; back <= 3 && back <= size; back++) {
        unsigned char c = (unsigned char)data[size - back];
        if ((c & 0xC0) == 0x80) continue;
        size_t whole = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
        return whole > back ? back : 0;
    }
    return 0;
}

static void pass_on_shown(output *out, size_t size)
{
    size_t plain = 0; /* start of the run that needs no escape */
    for (size_t i = 0; i < size;) {
        char escape[PRINTABLE_ESCAPE];
        size_t next = i + printable_next((dd_text){out->data + i, size - i}, true, escape);
        if (escape[0]) {
            pass_on(out, out->data + plain, i - plain);
            pass_on(out, escape, strlen(escape));
            plain = next;
        }
        i = next;
    }
    pass_on(out, out->data + plain, size - plain);
}

/* A terminal is shown whole characters, until the last. */
static void flush(output *out, bool last)
{
    if (!out->writer) return;
    size_t begun = out->terminal && !last ? size_of_begun(out->data, out->size) : 0;
    size_t size = out->size - begun;
    if (out->terminal)
        pass_on_shown(out, size);
    else
        pass_on(out, out->data, size);
    for (size_t i = 0; i < begun; i++) out->data[i] = out->data[size + i];
    out->size = begun;
}

static bool reserve(output *out, size_t more)
{
    if (out->status != DD_OK) return false;
    if (out->size >= PIECE) flush(out, false);
    if (out->status != DD_OK) return false;
    if (out->room - out->size >= more) return true;
    size_t room = 2 * out->size + more + PIECE;
    char *data = realloc(out->data, room);
    if (!data) {
        out->status = out->error.status = DD_ERROR_MEMORY;
        snprintf(out->error.message, sizeof out->error.message, "out of memory");
        return false;
    }
    out->data = data;
    out->room = room;
    return true;
}

void output_bytes(output *out, const char *data, size_t size)
{
    if (size == 0 || !reserve(out, size)) return;
    memcpy(out->data + out->size, data, size);
    out->size += size;
}

void output_string(output *out, const char *string)
{
    output_bytes(out, string, strlen(string));
}

void output_format(output *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0 || !reserve(out, (size_t)size + 1)) return;
    va_start(args, format);
    vsnprintf(out->data + out->size, (size_t)size + 1, format, args);
    va_end(args);
    out->size += (size_t)size;
}

static void json_escape(output *out, unsigned char c)
{
    static const char named[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *found = c ? strchr(named, c) : NULL;
    if (c >= 0x80)
        output_string(out, "\\ufffd");
    else if (found)
        output_format(out, "\\%c", letters[found - named]);
    else
        output_format(out, "\\u%04x", c);
}

size_t output_utf8(const unsigned char *at, size_t left)
{
    if (at[0] < 0x80) return 1;
    if (at[0] < 0xC2 || at[0] > 0xF4) return 0;
    size_t size = at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    if (left < size) return 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    /* Longer than need be, a surrogate, or beyond U+10FFFF. */
    bool wrong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
                 (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F);
    return wrong ? 0 : size;
}

/* `</script>`, `<!--`, and the line ends that JSON allows in strings but older scripts do not. */
static bool is_of_page(const char *at, size_t size)
{
    return at[0] == '<' || (size == 3 && (memcmp(at, "\xE2\x80\xA8", 3) == 0 ||
                                          memcmp(at, "\xE2\x80\xA9", 3) == 0));
}

static void page_escape(output *out, const char *at, size_t size)
{
    output_format(out, "\\u%04x", size == 1 ? 0x3Cu : 0x2000u | ((unsigned char)at[2] & 0x3Fu));
}

/* Sentences are UTF-8, but the name of a file may be any bytes. */
void output_json_piece(output *out, dd_text text)
{
    size_t plain = 0; /* start of the run that needs no escape */
    for (size_t i = 0; i < text.size;) {
        unsigned char c = (unsigned char)text.data[i];
        size_t size = output_utf8((const unsigned char *)text.data + i, text.size - i);
        bool escape = size == 0 || c < 0x20 || c == '"' || c == '\\';
        bool page = out->in_page && size > 0 && is_of_page(text.data + i, size);
        size_t next = i + (size == 0 ? 1 : size);
        if (escape || page) {
            output_bytes(out, text.data + plain, i - plain);
            if (page)
                page_escape(out, text.data + i, size);
            else
                json_escape(out, c);
            plain = next;
        }
        i = next;
    }
    if (plain < text.size) output_bytes(out, text.data + plain, text.size - plain);
}

void output_json(output *out, dd_text text)
{
    output_bytes(out, "\"", 1);
    output_json_piece(out, text);
    output_bytes(out, "\"", 1);
}

void output_json_string(output *out, const char *string)
{
    output_json(out, (dd_text){string, strlen(string)});
}

void output_flush(output *out)
{
    flush(out, false);
    if (out->status == DD_OK) out->status = dd_writer_flush(out->writer, &out->error);
}

int output_end(output *out, int status)
{
    if (out->status == DD_OK && status != STATUS_OK && out->writer) {
        flush(out, true);
        dd_writer_drop(out->writer);
        out->writer = NULL;
    }
    int closed = output_close(out);
    return status == STATUS_OK ? closed : status;
}

int output_close(output *out)
{
    if (out->status == DD_OK) flush(out, true);
    if (out->writer) {
        dd_error error;
        dd_status closed = dd_writer_close(out->writer, &error);
        if (out->status == DD_OK && closed != DD_OK) {
            out->status = closed;
            out->error = error;
        }
    }
    free(out->data);
    return out->status == DD_OK ? STATUS_OK : say_error(&out->error);
}
