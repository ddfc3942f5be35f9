#include "text/place.h"

#include "core/strings.h"
#include "text/utf8.h"

int64_t dd_count_characters(dd_text text)
{
    int64_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    return count;
}

static void skip(dd_place *at, size_t size, int64_t characters)
{
    at->rest = dd_text_skip(at->rest, size);
    at->byte += (int64_t)size;
    at->character += characters;
}

bool dd_place_pass(dd_place *at, dd_text form)
{
    while (!at->lost) {
        dd_text here = {at->rest.data, form.size};
        if (form.size <= at->rest.size && dd_text_same(here, form)) {
            skip(at, form.size, dd_count_characters(form));
            return true;
        }
        size_t white = dd_white_size(at->rest);
        at->lost = white == 0;
        skip(at, white, 1);
    }
    return false;
}
