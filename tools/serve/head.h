/* head.h - the header of a request: where its body ends, and which host it is for
 *
 * Where a proxy and this server could disagree on the end of a body, a client can hide a request in
 * the body of another (RFC 9112, section 11.2). So what can be read in two ways is refused, and the
 * connection closed. */
#ifndef SERVE_HEAD_H
#define SERVE_HEAD_H

#include "options.h"
#include "serve/refusal.h"
#include <stdbool.h>

typedef struct head {
    bool old;                      /* HTTP/1.0 */
    int lengths, encodings, hosts; /* how often there is Content-Length, Transfer-Encoding, Host */
    const char *encoding, *host;   /* the last; NULL: there is none */
} head;

/* One line of it. The value must outlive the head. */
bool head_add(head *all, dd_text name, const char *value, refusal *why);
/* After all lines: 400 or 501 where the end of the body is in doubt, 421 for a foreign host.
 * `names` are hosts beside "localhost" and addresses; "*" is any. */
bool head_check(const head *all, const option_list *names, refusal *why);

/* The name of a host, without a port: letters, digits, '-', '_' and '.'; or "*". */
bool head_is_name(const char *name);

/* ---- the secret that clients must show, if there is one -------------------------------------- */

/* From the file, or else from $DODONA_TOKEN; not from the command line, which all users of a
 * machine can see. *out is NULL if there is none, else to be freed. Says what is wrong; returns the
 * exit status. */
int token_read(const char *path, char **out);
/* Whether the header Authorization, which may be NULL, is "Bearer " and the token. The time that it
 * takes does not tell how much of it is right. */
bool token_fits(const char *token, const char *header);

#endif
