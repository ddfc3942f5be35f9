#include "serve/head.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"
#include "textfile.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* ---- lines -------------------------------------------------------------------------------- */

static bool is_letter_or(const char *others, char c)
{
    return c && (strchr(letters, c) || strchr(others, c));
}

/* RFC 9110, section 5.6.2. A blank before the colon would be part of the name. */
static bool is_token(dd_text name)
{
    for (size_t i = 0; i < name.size; i++)
        if (!is_letter_or("!#$%&'*+-.^_`|~", name.data[i])) return false;
    return name.size > 0;
}

static bool has_control(const char *value)
{
    for (; *value; value++)
        if (((unsigned char)*value < ' ' && *value != '\t') || *value == 0x7F) return true;
    return false;
}

static bool begins(dd_text name, const char *known)
{
    return name.size >= strlen(known) && strncasecmp(name.data, known, strlen(known)) == 0;
}

static bool is(dd_text name, const char *known)
{
    return name.size == strlen(known) && begins(name, known);
}

/* libmicrohttpd takes the second line of a header that is folded for the rest of its name, so a
 * name that only begins like one that tells the length of the body is refused as well. */
static bool add_framing(head *all, dd_text name, const char *value, refusal *why)
{
    if (is(name, "Content-Length")) {
        all->lengths++;
    } else if (is(name, "Transfer-Encoding")) {
        all->encodings++;
        all->encoding = value;
    } else if (begins(name, "Content-Length") || begins(name, "Transfer-Encoding")) {
        return refuse(why, 400, "the header %.*s is not known, or continues in a second line",
                      name.size < 40 ? (int)name.size : 40, name.data);
    }
    return true;
}

bool head_add(head *all, dd_text name, const char *value, refusal *why)
{
    if (!is_token(name)) return refuse(why, 400, "the name of a header is malformed");
    if (has_control(value)) return refuse(why, 400, "a header has a control character");
    if (is(name, "Host")) {
        all->hosts++;
        all->host = value;
    }
    return add_framing(all, name, value, why);
}

/* ---- hosts -------------------------------------------------------------------------------- */

bool head_is_name(const char *name)
{
    size_t size = strlen(name);
    if (strcmp(name, "*") == 0) return true;
    for (size_t i = 0; i < size; i++)
        if (!is_letter_or("-_.", name[i])) return false;
    return size > 0 && name[size - 1] != '.';
}

static bool is_port(const char *text)
{
    return !*text || (*text == ':' && strspn(text + 1, "0123456789") == strlen(text + 1));
}

/* "[ADDRESS]" or "[ADDRESS]:PORT" */
static bool is_address_6(const char *host)
{
    char address[INET6_ADDRSTRLEN];
    struct in6_addr found;
    const char *close = strchr(host, ']');
    if (*host != '[' || !close || close - host > (long)sizeof address || !is_port(close + 1))
        return false;
    snprintf(address, sizeof address, "%.*s", (int)(close - host - 1), host + 1);
    return inet_pton(AF_INET6, address, &found) == 1;
}

/* A page of another site can have its own name resolve to this machine, and then ask this server as
 * if it were its own (DNS rebinding). It cannot do that with an address, nor with "localhost". */
static bool is_served(const char *host, const option_list *names)
{
    char name[256];
    struct in_addr found;
    size_t size = strcspn(host, ":");
    if (is_address_6(host)) return true;
    if (size == 0 || size >= sizeof name || !is_port(host + size)) return false;
    snprintf(name, sizeof name, "%.*s", (int)size, host);
    if (name[size - 1] == '.') name[size - 1] = '\0'; /* as in "localhost." */
    if (strcasecmp(name, "localhost") == 0 || inet_pton(AF_INET, name, &found) == 1) return true;
    for (size_t i = 0; i < names->count; i++)
        if (strcasecmp(names->at[i], name) == 0) return true;
    return false;
}

static bool serves_all(const option_list *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->at[i], "*") == 0) return true;
    return false;
}

static bool check_host(const head *all, const option_list *names, refusal *why)
{
    if (all->hosts > 1) return refuse(why, 400, "the header Host is given %d times", all->hosts);
    if (!all->host) return all->old || refuse(why, 400, "the header Host is missing");
    return serves_all(names) || is_served(all->host, names) ||
           refuse(why, 421,
                  "the host '%.100s' is not served; 'dodona serve --host NAME' adds names",
                  all->host);
}

/* ---- the end of the body ------------------------------------------------------------------ */

static bool check_body(const head *all, refusal *why)
{
    if (all->lengths > 1)
        return refuse(why, 400, "the header Content-Length is given %d times", all->lengths);
    if (all->encodings == 0) return true;
    if (all->lengths > 0)
        return refuse(why, 400, "the request has both Content-Length and Transfer-Encoding");
    if (all->encodings > 1)
        return refuse(why, 400, "the header Transfer-Encoding is given %d times", all->encodings);
    if (all->old) return refuse(why, 400, "HTTP/1.0 has no Transfer-Encoding");
    return strcasecmp(all->encoding, "chunked") == 0 ||
           refuse(why, 501, "Transfer-Encoding: '%.40s' is not known; chunked is", all->encoding);
}

bool head_check(const head *all, const option_list *names, refusal *why)
{
    return check_body(all, why) && check_host(all, names, why);
}

/* ---- the token ------------------------------------------------------------------------------- */

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
