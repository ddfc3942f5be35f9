/* listen.h - the socket that clients connect to */
#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

/* "ADDRESS:PORT", "[ADDRESS]:PORT" of IPv6, or "PORT" of 127.0.0.1; port 0 is any that is free.
 * Says what is wrong; returns the exit status. */
int listen_at(const char *where, int *socket);
/* The socket that systemd opened (sd_listen_fds(3)); -1: it did not, -2: after saying what is
 * wrong. */
int listen_inherited(void);

enum { LISTEN_NAME = 80 };
/* "127.0.0.1:8000" */
void listen_name(int socket, char out[LISTEN_NAME]);

#endif
