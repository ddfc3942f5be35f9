/* none.c - in place of the server where there is no libmicrohttpd */
#include "cmd.h"
#include "message.h"
#include "serve/start.h"

int serve_start(const serve_options *options)
{
    (void)options;
    say("this program was built without libmicrohttpd, so it cannot serve");
    return STATUS_PROBLEM;
}
