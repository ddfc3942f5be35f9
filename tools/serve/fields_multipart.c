/* fields_multipart.c - multipart/form-data (RFC 7578, RFC 2046 section 5.1):
 *
 *     --BOUNDARY CRLF headers CRLF CRLF value CRLF --BOUNDARY ... CRLF --BOUNDARY--
 */
#include "serve/fields.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_BOUNDARY = 70 /* RFC 2046 */ };

/* The value of a parameter as in `; name="a b"` or `; name=a`; false: there is none. Quoted pairs
 * stand as they are, since browsers do not use them. */
static bool find_parameter(dd_text header, const char *name, dd_text *out)
{
    size_t size = strlen(name);
    const char *end = header.data + header.size;
    for (const char *at = header.data; (at = memchr(at, ';', (size_t)(end - at)));) {
        at++;
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        if ((size_t)(end - at) <= size || strncasecmp(at, name, size) != 0 || at[size] != '=')
            continue;
        at += size + 1;
        bool quoted = at < end && *at == '"';
        if (quoted) at++;
        const char *close = at;
        while (close < end && (quoted ? *close != '"' : *close != ';' && *close != ' ')) close++;
        *out = (dd_text){at, (size_t)(close - at)};
        return true;
    }
    return false;
}

/* `what` begins with CR, of which texts have few. */
static const char *find(const char *at, const char *end, const char *what, size_t size)
{
    for (; (size_t)(end - at) >= size; at++) {
        at = memchr(at, *what, (size_t)(end - at));
        if (!at || (size_t)(end - at) < size) return NULL;
        if (memcmp(at, what, size) == 0) return at;
    }
    return NULL;
}

/* The value of the header `name` among lines that end in CRLF. */
static bool find_header(dd_text headers, const char *name, dd_text *out)
{
    size_t size = strlen(name);
    const char *at = headers.data, *end = at + headers.size;
    while (at < end) {
        const char *close = find(at, end, "\r\n", 2);
        if (!close) close = end;
        if ((size_t)(close - at) > size && strncasecmp(at, name, size) == 0 && at[size] == ':') {
            *out = (dd_text){at + size + 1, (size_t)(close - at) - size - 1};
            return true;
        }
        at = close + 2;
    }
    return false;
}

/* Bodies are taken as they are; others are not in use since HTTP is 8-bit clean. */
static bool is_plain_encoding(dd_text headers)
{
    dd_text how;
    if (!find_header(headers, "Content-Transfer-Encoding", &how)) return true;
    while (how.size > 0 && *how.data == ' ') how = (dd_text){how.data + 1, how.size - 1};
    static const char *const plain[] = {"7bit", "8bit", "binary"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (how.size == strlen(plain[i]) && strncasecmp(how.data, plain[i], how.size) == 0)
            return true;
    return false;
}

static bool add_part(fields *all, dd_text part, refusal *why)
{
    const char *end = part.data + part.size;
    const char *blank = find(part.data, end, "\r\n\r\n", 4);
    if (!blank) return refuse(why, 400, "multipart: a part has no end of its headers");
    dd_text headers = {part.data, (size_t)(blank - part.data)}, disposition, name;
    if (!find_header(headers, "Content-Disposition", &disposition) ||
        !find_parameter(disposition, "name", &name))
        return refuse(why, 400, "multipart: a part has no name");
    if (!is_plain_encoding(headers))
        return refuse(why, 415, "multipart: parts must be 7bit, 8bit or binary");
    return fields_add(all, name, (dd_text){blank + 4, (size_t)(end - (blank + 4))}, why);
}

static bool read_delimiter(const char *content_type, char out[LONGEST_BOUNDARY + 5], refusal *why)
{
    dd_text boundary;
    if (!find_parameter((dd_text){content_type, strlen(content_type)}, "boundary", &boundary) ||
        boundary.size == 0 || boundary.size > LONGEST_BOUNDARY)
        return refuse(why, 400, "multipart: there is no boundary of 1 to %d characters",
                      LONGEST_BOUNDARY);
    snprintf(out, LONGEST_BOUNDARY + 5, "\r\n--%.*s", (int)boundary.size, boundary.data);
    return true;
}

/* Behind a delimiter: blanks and a line end, which are passed over. */
static bool end_line(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t')) (*at)++;
    if (end - *at < 2 || memcmp(*at, "\r\n", 2) != 0) return false;
    *at += 2;
    return true;
}

bool fields_read_multipart(fields *all, dd_text body, const char *content_type, refusal *why)
{
    char delimiter[LONGEST_BOUNDARY + 5];
    if (!read_delimiter(content_type, delimiter, why)) return false;
    size_t size = strlen(delimiter);
    const char *at = body.data, *end = at + body.size, *found = at;
    /* The first has no line end before it, unless there is a preamble. */
    bool first = body.size >= size - 2 && memcmp(at, delimiter + 2, size - 2) == 0;
    if (!first) found = find(at, end, delimiter, size);
    if (!found) return refuse(why, 400, "multipart: the boundary does not appear in the body");
    for (at = found + (first ? size - 2 : size);; at = found + size) {
        if (end - at >= 2 && memcmp(at, "--", 2) == 0) return true;
        if (!end_line(&at, end)) return refuse(why, 400, "multipart: a boundary's line goes on");
        found = find(at, end, delimiter, size);
        if (!found) return refuse(why, 400, "multipart: the last boundary is missing");
        if (!add_part(all, (dd_text){at, (size_t)(found - at)}, why)) return false;
    }
}
