/* cmd_serve.c - answers requests over HTTP; more of it in serve/ */
#include "cmd.h"
#include "message.h"
#include "serve/start.h"

#include <stdlib.h>

#define AT(field) offsetof(serve_options, field)
/* clang-format off */
static const option options[] = {
    {.name = "model", .letter = 'm', .kind = OPTION_STRINGS, .target = AT(models),
     .value = "[NAME=]MODEL",
     .help = "a model to serve, as for 'dodona parse', and its name: by default that of its file; "
             "further names stand behind it as in NAME:ALIAS; may be given several times, and the "
             "first model is the default"},
    {.name = "listen", .letter = 'l', .kind = OPTION_STRING, .target = AT(listen),
     .value = "[ADDRESS:]PORT", .default_value = "127.0.0.1:8000",
     .help = "where to listen; port 0 is any that is free, and the log says which; a socket that "
             "systemd hands over comes first"},
    {.name = "host", .kind = OPTION_STRINGS, .target = AT(hosts), .value = "NAME",
     .help = "a host that requests may be for, beside localhost and addresses: the name by which "
             "clients reach the server; '*': any; may be given several times; others get 421"},
    {.name = "threads", .letter = 'j', .kind = OPTION_WHOLE, .target = AT(threads), .value = "N",
     .default_value = "auto", .low = 1, .high = DD_MAX_THREADS, .choices = option_auto,
     .help = "workers that parse at the same time, two at least; auto: as many as the process may "
             "use"},
    {.name = "max-body", .kind = OPTION_WHOLE, .target = AT(max_body), .value = "KIB",
     .default_value = "4096", .low = 1, .high = 1 << 20,
     .help = "size of the largest request, in units of 1024 bytes; others get 413"},
    {.name = "max-sentence", .kind = OPTION_WHOLE, .target = AT(max_sentence), .value = "N",
     .default_value = "5000", .low = 1, .high = 1000000,
     .help = "words of the longest sentence; others get 413"},
    {.name = "max-beam", .kind = OPTION_WHOLE, .target = AT(max_beam), .value = "N",
     .default_value = "64", .low = 1, .high = DD_MAX_BEAM,
     .help = "the widest beam that a client may ask for"},
    {.name = "timeout", .kind = OPTION_WHOLE, .target = AT(timeout), .value = "SECONDS",
     .default_value = "30", .low = 1, .high = 86400,
     .help = "time for a request to come, else 408, and for its answer to begin, else 503; work "
             "that takes longer is ended"},
    {.name = "queue", .kind = OPTION_WHOLE, .target = AT(queue), .value = "N",
     .default_value = "256", .low = 1, .high = 1000000,
     .help = "requests that may wait for a worker; further ones get 503"},
    {.name = "connections", .kind = OPTION_WHOLE, .target = AT(connections), .value = "N",
     .default_value = "1000", .low = 1, .high = 100000,
     .help = "connections at a time; where more come, those that have been idle for longest are "
             "closed"},
    {.name = "batch-wait", .kind = OPTION_WHOLE, .target = AT(batch_wait), .value = "MICROSECONDS",
     .default_value = "1000", .low = 0, .high = 1000000,
     .help = "with a neural model and several connections, time to wait for sentences of others, to "
             "be parsed together"},
    {.name = "token-file", .kind = OPTION_STRING, .target = AT(token_file), .value = "FILE",
     .help = "file with the token that clients must send, as 'Authorization: Bearer TOKEN'; "
             "default: $DODONA_TOKEN, or none"},
    {.name = "cors", .kind = OPTION_STRING, .target = AT(cors), .value = "ORIGIN",
     .help = "let pages of this origin, or of all with '*', ask from within browsers"},
    {.name = "log-text", .kind = OPTION_FLAG, .target = AT(log_text),
     .help = "log the beginning of texts too, and why requests are refused, which can quote them"},
    OPTION_ROW_QUIET(AT(quiet)),
};
/* clang-format on */
#undef AT

static int run(const command *self, int argc, char **argv)
{
    serve_options args;
    operands files;
    int status = options_read(self, argc, argv, &args, &files);
    if (status == OPTIONS_GO) status = serve_start(&args);
    free(args.models.at);
    free(args.hosts.at);
    return status;
}

const command cmd_serve = {
    .name = "serve",
    .usage = "[OPTION]... [-m [NAME=]MODEL]...",
    .summary = "answer requests over HTTP: parse, draw, trace",
    .text =
        "Serve models over HTTP, to clients of UDPipe's REST interface (/models and /process) and "
        "by an interface of its own (/api/v1/parse, draw, oracle and trace), which "
        "/openapi.json describes. /live, /ready and /metrics are for those who run it. Each "
        "request is logged as a line of JSON on standard error. SIGTERM ends it when what has "
        "come is answered.",
    .operand = "OPERAND",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
