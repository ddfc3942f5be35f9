#include "output.h"

#include "cmd.h"
#include "message.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 /* bytes handed to the writer at a time */ };

static bool is_terminal(const char *path)
{
    struct stat facts;
    if (strcmp(path, "-") == 0) return isatty(STDOUT_FILENO) == 1;
    if (stat(path, &facts) != 0 || !S_ISCHR(facts.st_mode)) return false;
    int file = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    bool terminal = file >= 0 && isatty(file) == 1;
    if (file >= 0) close(file);
    return terminal;
}

dd_status output_open(output *out, const char *path)
{
    *out = (output){0};
    out->status = dd_writer_open(&out->writer, path, &out->error);
    out->terminal = is_terminal(path);
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

/* People are shown whole characters, until the last. */
static void flush(output *out, bool last)
{
    if (!out->writer) return;
    bool shown = out->terminal || out->report;
    size_t begun = shown && !last ? size_of_begun(out->data, out->size) : 0;
    size_t size = out->size - begun;
    if (size == 0) return;
    if (shown)
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

/* In a page no string may begin `</script>` or `<!--`. */
static void output_for_page(output *out, dd_text json)
{
    for (const char *open; (open = memchr(json.data, '<', json.size));) {
        size_t before = (size_t)(open - json.data);
        output_bytes(out, json.data, before);
        output_string(out, "\\u003c");
        json = (dd_text){open + 1, json.size - before - 1};
    }
    output_bytes(out, json.data, json.size);
}

void output_json_piece(output *out, dd_text text)
{
    dd_buffer json = {0};
    if (out->status == DD_OK) out->status = dd_text_json(text, &json, &out->error);
    if (out->status == DD_OK) {
        dd_text piece = {json.data + 1, json.size - 2}; /* without its quotes */
        if (out->in_page)
            output_for_page(out, piece);
        else
            output_bytes(out, piece.data, piece.size);
    }
    dd_buffer_free(&json);
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
