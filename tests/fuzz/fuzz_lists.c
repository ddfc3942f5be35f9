/* Lists of tokens: whatever the text, a list is read or refused, and what is read joins pieces of
 * its own text without losing a character. */
#include "fuzz.h"

#include "segment/keep.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

/* Every visible character is a piece. */
static void cut(dd_chars *chars, dd_segments *out, dd_text text)
{
    for (size_t at = 0; at < text.size && chars->count < 300;) {
        uint32_t code;
        bool broken;
        at += dd_char_decode(text.data + at, text.size - at, &code, &broken);
        require(dd_chars_add(chars, code, (uint8_t)dd_char_classify(code), 0, 1));
    }
    for (int i = 0; i < chars->count; i++)
        if (chars->classes[i] != DD_CHAR_SPACE)
            require(dd_segments_add(out, chars, NULL, i, i + 1));
}

static void use(const dd_token_lists *lists, dd_text text)
{
    const dd_known_tokens known = {{lists, lists}};
    dd_chars chars = {0};
    dd_segments segments = {0}, spare = {0};
    int at = 0;
    cut(&chars, &segments, text);
    require(dd_keep_whole(&known, &chars, chars.count, &segments, &spare));
    for (int i = 0; i < segments.count; i++) {
        while (at < chars.count && chars.classes[at] == DD_CHAR_SPACE) at++;
        require(segments.pieces[i].start == at && segments.pieces[i].end > at);
        at = segments.pieces[i].end;
    }
    while (at < chars.count && chars.classes[at] == DD_CHAR_SPACE) at++;
    require(at == chars.count);
    dd_keep_mark(&known, &chars, &segments);
    dd_segments_free(&segments);
    dd_segments_free(&spare);
    dd_chars_free(&chars);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dd_token_lists lists = {0};
    dd_error error = {.status = DD_OK};
    dd_text text = {(const char *)data, size};
    dd_status status = dd_token_list_read(&lists.keep, "fuzz", text, &error);
    if (status == DD_OK) status = dd_token_list_read(&lists.abbreviations, "fuzz", text, &error);
    if (status == DD_OK)
        use(&lists, text);
    else
        require(status == DD_ERROR_FORMAT && memcmp(error.message, "fuzz:", 5) == 0);
    dd_token_lists_free(&lists);
    return 0;
}

static const char forms[] = "# some\nU.S.\n\\#1\nrock'n'roll\n\xE4\xB8\xAD\xE5\x9B\xBD\n\nDr.\n";
static const char patterns[] = "/[A-Z]{2,4}-\\d+/\n/(a|bc?)*[^x-z]+/i\n/[[:upper:]]\\.?/\nAB-12\n";
static const char deep[] = "/((a{3}|b+){2,}.\\w){2}/\n/[]a-]x/\naaabbxaaabbx\n";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {
        {forms, sizeof forms - 1}, {patterns, sizeof patterns - 1}, {deep, sizeof deep - 1}};
    return index < 3 ? seeds[index] : (fuzz_seed){NULL, 0};
}
