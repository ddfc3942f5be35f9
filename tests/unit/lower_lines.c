/* The library's lower case, for check_lower.py: standard input, its newlines kept, on standard
 * output; or, given any argument, 1 for each code point that has a category and 0 for others. */
#include "eval/corpus.h"

#include <stdio.h>
#include <utf8proc.h>

static int write_assigned(void)
{
    for (int code = 0; code < 0x110000; code++)
        putchar(utf8proc_category(code) == UTF8PROC_CATEGORY_CN ? '0' : '1');
    return 0;
}

/* Lines are texts of their own: what stands in one has no say in another. */
static bool write_lower(const dd_buffer *bytes)
{
    dd_buffer out = {0};
    size_t start = 0;
    bool ok = true;
    for (size_t at = 0; ok && at < bytes->size; at++) {
        if (bytes->data[at] != '\n') continue;
        out.size = 0;
        ok = dd_eval_lower(&out, (dd_text){bytes->data + start, at - start}) &&
             dd_buffer_text(&out, "\n") && fwrite(out.data, 1, out.size, stdout) == out.size;
        start = at + 1;
    }
    dd_buffer_free(&out);
    return ok;
}

int main(int count, char **arguments)
{
    (void)arguments;
    if (count > 1) return write_assigned();
    dd_buffer bytes = {0};
    char chunk[4096];
    bool ok = true;
    for (size_t got; ok && (got = fread(chunk, 1, sizeof chunk, stdin)) > 0;)
        ok = dd_buffer_append(&bytes, chunk, got);
    ok = ok && write_lower(&bytes);
    dd_buffer_free(&bytes);
    return ok ? 0 : 1;
}
