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
     .help = "a model to serve, as for 'dodona parse', and its name, by default that of its file; "
             "NAME:ALIAS gives it more names; may be repeated; the first model is the default"},
    {.name = "listen", .letter = 'l', .kind = OPTION_STRING, .target = AT(listen),
     .value = "[ADDRESS:]PORT", .default_value = "127.0.0.1:8000",
     .help = "where to listen; port 0: any free port, which the log names; a socket handed over "
             "by systemd takes precedence"},
    {.name = "host", .kind = OPTION_STRINGS, .target = AT(hosts), .value = "NAME",
     .help = "a host name that requests may be addressed to, besides localhost and addresses; "
             "'*': any; may be repeated; requests for other hosts get 421"},
    {.name = "threads", .letter = 'j', .kind = OPTION_WHOLE, .target = AT(threads), .value = "N",
     .default_value = "auto", .low = 1, .high = DD_MAX_THREADS, .choices = option_auto,
     .help = "workers that parse at the same time, at least two; auto: as many as the process may "
             "use"},
    {.name = "max-body", .kind = OPTION_WHOLE, .target = AT(max_body), .value = "KIB",
     .default_value = "4096", .low = 1, .high = 1 << 20,
     .help = "size of the largest request, in KiB; larger ones get 413"},
    {.name = "max-sentence", .kind = OPTION_WHOLE, .target = AT(max_sentence), .value = "N",
     .default_value = "5000", .low = 1, .high = 1000000,
     .help = "most words in a sentence; requests with longer ones get 413"},
    {.name = "max-beam", .kind = OPTION_WHOLE, .target = AT(max_beam), .value = "N",
     .default_value = "64", .low = 1, .high = DD_MAX_BEAM,
     .help = "the widest beam that a client may ask for"},
    {.name = "timeout", .kind = OPTION_WHOLE, .target = AT(timeout), .value = "SECONDS",
     .default_value = "30", .low = 1, .high = 86400,
     .help = "time for a request to arrive (else 408) and for its answer to begin (else 503); "
             "work that takes longer is stopped"},
    {.name = "queue", .kind = OPTION_WHOLE, .target = AT(queue), .value = "N",
     .default_value = "256", .low = 1, .high = 1000000,
     .help = "requests that may wait for a worker; when the queue is full, others get 503"},
    {.name = "connections", .kind = OPTION_WHOLE, .target = AT(connections), .value = "N",
     .default_value = "1000", .low = 1, .high = 100000,
     .help = "most connections at a time; when there are more, those that have been idle longest "
             "are closed"},
    {.name = "batch-wait", .kind = OPTION_WHOLE, .target = AT(batch_wait), .value = "MICROSECONDS",
     .default_value = "1000", .low = 0, .high = 1000000,
     .help = "with a neural model and several connections, how long to wait for sentences of "
             "other requests, to parse them together"},
    {.name = "token-file", .kind = OPTION_STRING, .target = AT(token_file), .value = "FILE",
     .help = "file with the token that clients must send, as 'Authorization: Bearer TOKEN'; "
             "default: $DODONA_TOKEN, or none"},
    {.name = "cors", .kind = OPTION_STRING, .target = AT(cors), .value = "ORIGIN",
     .help = "let pages of this origin, or with '*' of any, send requests from browsers"},
    {.name = "train", .kind = OPTION_STRING, .target = AT(train), .value = "FOLDER",
     .help = "train models for annotation tools, at the paths of ArboratorGrew's parser, and keep "
             "them in this folder"},
    {.name = "train-scorer", .kind = OPTION_SCORER, .target = AT(train_scorer),
     .value = "SCORER", .default_value = "linear",
     .help = "scorer of such models, unless a request names one"},
    {.name = "train-jobs", .kind = OPTION_WHOLE, .target = AT(train_jobs), .value = "N",
     .default_value = "1", .low = 1, .high = DD_MAX_THREADS,
     .help = "trainings at a time, each of one thread of low priority; others wait"},
    {.name = "train-body", .kind = OPTION_WHOLE, .target = AT(train_body), .value = "MIB",
     .default_value = "64", .low = 1, .high = 4096,
     .help = "size of the largest request of an annotation tool, in MiB"},
    {.name = "train-time", .kind = OPTION_WHOLE, .target = AT(train_time), .value = "MINUTES",
     .default_value = "60", .low = 1, .high = 100000,
     .help = "time limit of a training; when it is reached, the best model so far is kept"},
    {.name = "train-disk", .kind = OPTION_WHOLE, .target = AT(train_disk), .value = "MIB",
     .default_value = "4096", .low = 1, .high = 1 << 30,
     .help = "largest size of the folder, in MiB; when it is reached, no more models are trained"},
    {.name = "check", .kind = OPTION_FLAG, .target = AT(check),
     .help = "start no server, but ask the one at '--listen' for /health: exit status 0 if it "
             "answers, else 1; for health checks of containers"},
    {.name = "log-text", .kind = OPTION_FLAG, .target = AT(log_text),
     .help = "also log the beginning of texts, and why requests are refused, which can quote them"},
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
    .text = "Serve models over HTTP: to clients of UDPipe's REST interface (/models and "
            "/process), and with an interface of its own (/api/v1/parse, draw, oracle and trace), "
            "which /openapi.json describes. /live (or /health), /ready and /metrics are for "
            "monitoring. Each "
            "request is logged as a line of JSON on standard error. On SIGTERM the server answers "
            "the requests that it has received, and then exits.",
    .operand = "OPERAND",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
