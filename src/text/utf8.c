#include "text/utf8.h"

#include <string.h>
#include <utf8proc.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Bytes of the well-formed character that starts at `at`, 0 if there is none. */
static size_t character_size(const unsigned char *at, size_t left)
{
    unsigned char lead = at[0];
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    if (left < 2 || !is_continuation(at[1])) return 0;
    if (lead < 0xE0) return 2;
    if (left < 3 || !is_continuation(at[2])) return 0;
    if (lead < 0xF0) {
        bool overlong = lead == 0xE0 && at[1] < 0xA0, surrogate = lead == 0xED && at[1] > 0x9F;
        return overlong || surrogate ? 0 : 3;
    }
    if (left < 4 || !is_continuation(at[3])) return 0;
    bool overlong = lead == 0xF0 && at[1] < 0x90, beyond = lead == 0xF4 && at[1] > 0x8F;
    return overlong || beyond ? 0 : 4;
}

static size_t skip_ascii(const char *data, size_t at, size_t size)
{
    for (; size - at >= 8; at += 8) {
        uint64_t eight;
        memcpy(&eight, data + at, 8);
        if (eight & UINT64_C(0x8080808080808080)) break;
    }
    while (at < size && !((unsigned char)data[at] & 0x80)) at++;
    return at;
}

size_t dd_utf8_check(dd_text text)
{
    if (text.size == 0) return 0;
    const char *nul = memchr(text.data, 0, text.size);
    size_t size = nul ? (size_t)(nul - text.data) : text.size;
    size_t at = skip_ascii(text.data, 0, size);
    while (at < size) {
        size_t step = character_size((const unsigned char *)text.data + at, size - at);
        if (step == 0) return at;
        at += step;
        if (at < size && !((unsigned char)text.data[at] & 0x80))
            at = skip_ascii(text.data, at, size);
    }
    return size;
}

const char *dd_utf8_fault(dd_text text)
{
    const unsigned char *at = (const unsigned char *)text.data;
    unsigned char lead = at[0], second = text.size > 1 ? at[1] : 0;
    if (lead == 0) return "NUL byte";
    if (is_continuation(lead)) return "invalid UTF-8 (continuation byte without a start)";
    if (lead == 0xC0 || lead == 0xC1) return "invalid UTF-8 (overlong form)";
    if (lead > 0xF4) return "invalid UTF-8 (code point beyond U+10FFFF)";
    if (is_continuation(second)) {
        if (lead == 0xE0 && second < 0xA0) return "invalid UTF-8 (overlong form)";
        if (lead == 0xF0 && second < 0x90) return "invalid UTF-8 (overlong form)";
        if (lead == 0xED && second > 0x9F) return "invalid UTF-8 (surrogate)";
        if (lead == 0xF4 && second > 0x8F) return "invalid UTF-8 (code point beyond U+10FFFF)";
    }
    return "invalid UTF-8 (incomplete character)";
}

/* Also the C1 controls, which some terminals obey. */
static bool is_control(const char *at, size_t size)
{
    unsigned char lead = (unsigned char)at[0];
    if (size == 1) return lead < 0x20 || lead == 0x7F;
    return size == 2 && lead == 0xC2 && (unsigned char)at[1] < 0xA0;
}

dd_quote dd_quote_text(dd_text text)
{
    enum { ROOM = 40 };
    dd_quote quote = {{0}};
    size_t used = 0, at = 0;
    while (at < text.size) {
        size_t step = character_size((const unsigned char *)text.data + at, text.size - at);
        size_t size = step ? step : 1;
        if (used + size > ROOM) break;
        bool shown = step && !is_control(text.data + at, size);
        if (shown) memcpy(quote.text + used, text.data + at, size);
        if (!shown) quote.text[used] = '?';
        used += shown ? size : 1;
        at += size;
    }
    if (at < text.size) memcpy(quote.text + used, "...", 3);
    return quote;
}

/* ---- characters --------------------------------------------------------------------------- */

/* What the second byte may be behind a lead byte (Unicode 15, table 3-7). */
static bool second_fits(unsigned char lead, unsigned char second)
{
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
}

size_t dd_char_decode(const char *bytes, size_t size, uint32_t *code, bool *broken)
{
    const unsigned char *at = (const unsigned char *)bytes;
    unsigned char lead = at[0];
    *code = lead;
    *broken = false;
    if (lead < 0x80 && lead > 0) return 1;
    *broken = true;
    *code = DD_CHAR_REPLACEMENT;
    if (lead < 0xC2 || lead > 0xF4) return 1;
    size_t need = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t value = lead & (0x7Fu >> need);
    for (size_t i = 1; i < need; i++) {
        if (i >= size || !is_continuation(at[i]) || (i == 1 && !second_fits(lead, at[1]))) return i;
        value = value << 6 | (at[i] & 0x3F);
    }
    *broken = false;
    *code = value;
    return need;
}

bool dd_char_append(dd_buffer *out, uint32_t code)
{
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t size = 1;
    bytes[0] = (utf8proc_uint8_t)code;
    if (code >= 0x80) size = utf8proc_encode_char((utf8proc_int32_t)code, bytes);
    return dd_buffer_append(out, bytes, (size_t)size);
}

static bool is_white(uint32_t code)
{
    if (code < 0x80) return code == ' ' || (code >= '\t' && code <= '\r');
    if (code == 0x85) return true;
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    return category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP;
}

size_t dd_white_size(dd_text text)
{
    if (text.size == 0) return 0;
    unsigned char lead = (unsigned char)text.data[0];
    /* All other bytes start something else. */
    if (lead > ' ' && lead != 0xC2 && (lead < 0xE1 || lead > 0xE3)) return 0;
    uint32_t code;
    bool broken;
    size_t size = dd_char_decode(text.data, text.size, &code, &broken);
    return is_white(code) ? size : 0;
}

uint32_t dd_char_lower(uint32_t code)
{
    if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 32 : code;
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)code);
}

int32_t dd_char_first(dd_text text, size_t *size)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)text.data, (utf8proc_ssize_t)text.size, &code);
    *size = used > 0 ? (size_t)used : 1;
    return used > 0 ? code : -1;
}
