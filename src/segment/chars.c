#include "segment/chars.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static dd_char_class classify_mark(uint32_t code)
{
    switch (code) {
    case '.':
    case 0x2026: /* horizontal ellipsis */
    case 0x3002: /* ideographic full stop */
    case 0xFF0E: /* fullwidth full stop */
    case 0x06D4: /* Arabic full stop */
    case 0x0964: /* danda */ return DD_CHAR_STOP;
    case '!':
    case '?':
    case 0xFF01:
    case 0xFF1F:
    case 0x061F: /* Arabic question mark */
    case 0x203D: return DD_CHAR_ASKING;
    case ',':
    case 0x060C:
    case 0x3001:
    case 0xFF0C: return DD_CHAR_COMMA;
    case ':':
    case ';':
    case 0x061B:
    case 0xFF1A:
    case 0xFF1B: return DD_CHAR_COLON;
    case '\'':
    case '`':
    case 0x00B4:
    case 0x2018:
    case 0x2019: return DD_CHAR_APOSTROPHE;
    case '"': return DD_CHAR_QUOTE;
    case '/':
    case '\\': return DD_CHAR_SLASH;
    default: return DD_CHAR_NONE;
    }
}

static bool is_ideograph(uint32_t code)
{
    return (code >= 0x2E80 && code < 0xA000) || (code >= 0xAC00 && code < 0xD7B0) ||
           (code >= 0xF900 && code < 0xFB00) || (code >= 0x20000 && code < 0x40000);
}

static dd_char_class classify_category(uint32_t code)
{
    switch (utf8proc_category((utf8proc_int32_t)code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return DD_CHAR_UPPER;
    case UTF8PROC_CATEGORY_LL: return DD_CHAR_LOWER;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return is_ideograph(code) ? DD_CHAR_IDEOGRAPH : DD_CHAR_LETTER;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return DD_CHAR_MARK;
    case UTF8PROC_CATEGORY_ND: return DD_CHAR_DIGIT;
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return DD_CHAR_NUMBER;
    case UTF8PROC_CATEGORY_PC: return DD_CHAR_CONNECTOR;
    case UTF8PROC_CATEGORY_PD: return DD_CHAR_DASH;
    case UTF8PROC_CATEGORY_PS: return DD_CHAR_OPEN;
    case UTF8PROC_CATEGORY_PE: return DD_CHAR_CLOSE;
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF: return DD_CHAR_QUOTE;
    case UTF8PROC_CATEGORY_PO: return DD_CHAR_PUNCTUATION;
    case UTF8PROC_CATEGORY_SC: return DD_CHAR_CURRENCY;
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_SK:
    case UTF8PROC_CATEGORY_SO: return DD_CHAR_SYMBOL;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return DD_CHAR_SPACE;
    default: return DD_CHAR_OTHER;
    }
}

dd_char_class dd_char_classify(uint32_t code)
{
    if (code >= 'a' && code <= 'z') return DD_CHAR_LOWER; /* most of them */
    if ((code >= '\t' && code <= '\r') || code == 0x85) return DD_CHAR_SPACE;
    dd_char_class class = classify_mark(code);
    return class == DD_CHAR_NONE ? classify_category(code) : class;
}

void dd_chars_free(dd_chars *chars)
{
    free(chars->codes);
    free(chars->classes);
    free(chars->positions);
    free(chars->lines);
    *chars = (dd_chars){0};
}

bool dd_chars_add(dd_chars *chars, uint32_t code, uint8_t class, uint64_t position, uint64_t line)
{
    size_t at = (size_t)chars->count, need = at + 2;
    if (need > chars->lines_capacity &&
        (!DD_RESERVE(&chars->codes, &chars->codes_capacity, need) ||
         !DD_RESERVE(&chars->classes, &chars->classes_capacity, need) ||
         !DD_RESERVE(&chars->positions, &chars->positions_capacity, need) ||
         !DD_RESERVE(&chars->lines, &chars->lines_capacity, need)))
        return false;
    chars->codes[at] = code;
    chars->classes[at] = class;
    chars->positions[at] = position;
    chars->lines[at] = line;
    chars->codes[at + 1] = 0;
    chars->classes[at + 1] = DD_CHAR_NONE;
    chars->positions[at + 1] = position + 1;
    chars->lines[at + 1] = line;
    chars->count++;
    return true;
}

void dd_chars_remove(dd_chars *chars, int at, int count)
{
    size_t from = (size_t)(at + count), left = (size_t)(chars->count - at - count) + 1;
    if (count == 0) return;
    memmove(chars->codes + at, chars->codes + from, left * sizeof *chars->codes);
    memmove(chars->classes + at, chars->classes + from, left * sizeof *chars->classes);
    memmove(chars->positions + at, chars->positions + from, left * sizeof *chars->positions);
    memmove(chars->lines + at, chars->lines + from, left * sizeof *chars->lines);
    chars->count -= count;
}

void dd_chars_drop(dd_chars *chars, int count)
{
    dd_chars_remove(chars, 0, count);
}
