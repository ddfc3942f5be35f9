/* output.h - text and JSON into a file or standard output, in large pieces. The first failure is
 * kept and told by output_close; calls after it do nothing. */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include "dodona_tools.h"
#include "message.h"

typedef struct output {
    dd_writer *writer; /* NULL: all stays in memory */
    char *data;        /* [size] not yet handed to the writer */
    size_t size, room;
    dd_status status;
    dd_error error;
    bool terminal; /* control characters are escaped (message.h) */
    bool report; /* set by a command that writes for people: control characters are escaped wherever
                    the output goes, as pagers pass it on to terminals */
    bool in_page; /* JSON stands in a script of a page: nothing in it may look like an end of it */
} output;

/* Path as for dd_writer_open. The output must be closed also after a failure. */
dd_status output_open(output *out, const char *path);
/* Into memory: `data` and `size` are what was written so far. */
void output_keep(output *out);
void output_bytes(output *out, const char *data, size_t size);
void output_string(output *out, const char *string);
void output_format(output *out, const char *format, ...) MESSAGE_FORMAT(2, 3);
/* Bytes of the UTF-8 character at the start of the text, 0 where there is none; left > 0. */
size_t output_utf8(const unsigned char *at, size_t left);
/* A string of JSON, as the library writes it. */
void output_json(output *out, dd_text text);
/* The same without the quotes, for a string that is written in pieces of whole characters. */
void output_json_piece(output *out, dd_text text);
void output_json_string(output *out, const char *string);
/* Hands on all that was written so far. */
void output_flush(output *out);
/* Writes what is left and closes; says what went wrong. Returns the exit status. */
int output_close(output *out);
/* The same after work of that status: if it is a failure, a file keeps what it had before. */
int output_end(output *out, int status);

#endif
