#include "serve/token.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"
#include "textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int check(const char *where, const char *token)
{
    if (!*token) {
        say("%s: the token is empty", where);
        return STATUS_PROBLEM;
    }
    for (; *token; token++)
        if (*token <= ' ' || *token > '~') {
            say("%s: the token has something else than visible ASCII characters", where);
            return STATUS_PROBLEM;
        }
    return STATUS_OK;
}

int token_read(const char *path, char **out)
{
    const char *given = getenv("DODONA_TOKEN");
    *out = NULL;
    if (!path && (!given || !*given)) return STATUS_OK;
    *out = path ? textfile_read(path) : heap_copy(given, strlen(given));
    if (!*out) {
        say("%s: %s", path, strerror(errno));
        return STATUS_PROBLEM;
    }
    size_t size = strlen(*out);
    while (size > 0 && strchr("\r\n", (*out)[size - 1])) (*out)[--size] = '\0';
    return check(path ? path : "$DODONA_TOKEN", *out);
}

bool token_fits(const char *token, const char *header)
{
    static const char scheme[] = "Bearer ";
    if (!header || strncasecmp(header, scheme, sizeof scheme - 1) != 0) return false;
    const char *shown = header + sizeof scheme - 1;
    size_t size = strlen(token), shown_size = strlen(shown);
    unsigned char difference = size != shown_size;
    for (size_t i = 0; i < shown_size; i++)
        difference |= (unsigned char)(shown[i] ^ token[i < size ? i : 0]);
    return difference == 0;
}
