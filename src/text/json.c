#include "text/json.h"

#include "text/utf8.h"

#include <string.h>

static void append(dd_json *json, const char *data, size_t size)
{
    if (!json->failed) json->failed = !dd_buffer_append(json->out, data, size);
}

void dd_json_raw(dd_json *json, const char *text)
{
    append(json, text, strlen(text));
}

void dd_json_whole(dd_json *json, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    append(json, digits + at, sizeof digits - at);
}

/* ---- strings ------------------------------------------------------------------------------ */

static void escape(dd_json *json, uint32_t code)
{
    static const char digits[] = "0123456789abcdef";
    char text[] = {'\\',
                   'u',
                   digits[code >> 12 & 15],
                   digits[code >> 8 & 15],
                   digits[code >> 4 & 15],
                   digits[code & 15]};
    char quoted[] = {'\\', (char)code};
    if (code == '"' || code == '\\')
        append(json, quoted, sizeof quoted);
    else
        append(json, text, sizeof text);
}

static bool is_plain_byte(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* The character at the start of bytes that are not plain, and whether it must be escaped. */
static size_t look(const char *data, size_t size, uint32_t *code, bool *escaped)
{
    *code = (unsigned char)data[0];
    *escaped = true;
    if (*code < 0x80) return 1;
    bool broken;
    size_t used = dd_char_decode(data, size, code, &broken);
    *escaped = broken || *code == 0x85 || *code == 0x2028 || *code == 0x2029;
    return used;
}

void dd_json_string(dd_json *json, dd_text text)
{
    size_t done = 0, at = 0;
    append(json, "\"", 1);
    while (at < text.size) {
        uint32_t code;
        bool escaped;
        if (is_plain_byte((unsigned char)text.data[at])) {
            at++;
            continue;
        }
        size_t used = look(text.data + at, text.size - at, &code, &escaped);
        if (escaped) {
            append(json, text.data + done, at - done);
            escape(json, code);
            done = at + used;
        }
        at += used;
    }
    if (done < text.size) append(json, text.data + done, text.size - done);
    append(json, "\"", 1);
}

dd_status dd_text_json(dd_text text, dd_buffer *out, dd_error *error)
{
    dd_json json = {.out = out};
    size_t before = out->size;
    dd_json_string(&json, text);
    if (!json.failed) return DD_OK;
    out->size = before;
    return dd_fail_memory(error);
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* Digits from there on; where they end, or NULL if there are none. */
static const char *skip_digits(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at > start ? at : NULL;
}

bool dd_json_is_number(dd_text text)
{
    const char *at = text.data, *end = at + text.size;
    if (at < end && *at == '-') at++;
    bool zero = at < end && *at == '0';
    at = zero ? at + 1 : skip_digits(at, end);
    if (at && at < end && *at == '.') at = skip_digits(at + 1, end);
    if (at && at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        at = skip_digits(at, end);
    }
    return at && at == end;
}
