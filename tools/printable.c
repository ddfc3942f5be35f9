#include "printable.h"

#include "output.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Of well-formed UTF-8. */
static uint32_t decode(const unsigned char *at, size_t size)
{
    static const unsigned char lead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = at[0] & lead[size];
    for (size_t i = 1; i < size; i++) code = code << 6 | (at[i] & 0x3Fu);
    return code;
}

static bool is_command(uint32_t code)
{
    bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    bool direction = code == 0x061C || code == 0x200E || code == 0x200F ||
                     (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return control || direction || code == 0x2028 || code == 0x2029;
}

size_t printable_next(dd_text text, bool lines, char escape[PRINTABLE_ESCAPE])
{
    const unsigned char *at = (const unsigned char *)text.data;
    size_t size = output_utf8(at, text.size);
    escape[0] = '\0';
    if (size == 0) {
        snprintf(escape, PRINTABLE_ESCAPE, "\\x%02x", at[0]);
        return 1;
    }
    uint32_t code = decode(at, size);
    bool plain = !is_command(code) || code == '\t' || (code == '\n' && lines);
    if (!plain) snprintf(escape, PRINTABLE_ESCAPE, "\\u%04x", (unsigned)code & 0xFFFF);
    return size;
}

void printable_copy(char *out, size_t room, const char *text)
{
    dd_text rest = {text, strlen(text)};
    size_t used = 0;
    while (rest.size > 0) {
        char escape[PRINTABLE_ESCAPE];
        size_t size = printable_next(rest, false, escape);
        size_t shown = escape[0] ? strlen(escape) : size;
        if (used + shown >= room) break;
        memcpy(out + used, escape[0] ? escape : rest.data, shown);
        used += shown;
        rest = (dd_text){rest.data + size, rest.size - size};
    }
    out[used] = '\0';
}
