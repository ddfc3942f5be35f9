/* token.h - the secret that clients must show, if there is one */
#ifndef SERVE_TOKEN_H
#define SERVE_TOKEN_H

#include <stdbool.h>

/* From the file, or else from $DODONA_TOKEN; not from the command line, which all users of a
 * machine can see. *out is NULL if there is none, else to be freed. Says what is wrong; returns the
 * exit status. */
int token_read(const char *path, char **out);
/* Whether the header Authorization, which may be NULL, is "Bearer " and the token. The time that it
 * takes does not tell how much of it is right. */
bool token_fits(const char *token, const char *header);

#endif
