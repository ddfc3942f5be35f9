/* http.h - files from a web server, where the program was built with libcurl */
#ifndef MODELS_HTTP_H
#define MODELS_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who takes what the server sends. Both return false to stop. */
typedef struct http_taker {
    void *user;
    /* Called before the first piece: whether it sends all of the file, though a part was asked for
     * or not, or the rest of it. */
    bool (*begin)(void *user, bool all);
    bool (*take)(void *user, const char *data, size_t size);
} http_taker;

typedef enum http_end {
    HTTP_DONE,    /* all that the server has to send */
    HTTP_BROKEN,  /* the connection ended too early */
    HTTP_STOPPED, /* by the taker, or by Ctrl-C */
    HTTP_NO_PART, /* there is nothing behind `from` */
    HTTP_FAILED,  /* the reason has been printed */
} http_end;

/* The file behind the first `from` bytes. */
http_end http_get(const char *url, uint64_t from, const http_taker *taker);

#endif
