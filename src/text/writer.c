/* writer.c - sentences into a byte sink */
#include "text/reader.h"

#include "core/memory.h"
#include "text/conll.h"
#include "text/formats.h"
#include "text/io.h"

#include <stdlib.h>
#include <string.h>

struct dd_writer {
    dd_sink *sink;
    const dd_format_row *format;
    bool any;         /* something was written */
    const char *owed; /* line ends missing after the last sentence */
    dd_buffer space;  /* the last sentence, if it had changed or is not CoNLL */
    dd_json_space json;
};

/* Owns the sink, also on failure. */
static dd_status open_on(dd_writer **out, dd_sink *sink, dd_error *error)
{
    dd_writer *writer = dd_calloc(1, sizeof *writer);
    if (!writer) {
        dd_sink_drop(sink);
        return dd_fail_memory(error);
    }
    writer->sink = sink;
    writer->format = dd_format_written(DD_FORMAT_AUTO);
    writer->owed = "";
    *out = writer;
    return DD_OK;
}

dd_status dd_writer_open(dd_writer **out, const char *path, dd_error *error)
{
    dd_sink *sink;
    dd_status status = dd_sink_open(&sink, path, error);
    return status == DD_OK ? open_on(out, sink, error) : status;
}

dd_status dd_writer_open_fd(dd_writer **out, const char *name, int file, dd_error *error)
{
    dd_sink *sink;
    dd_status status = dd_sink_open_fd(&sink, name, file, error);
    return status == DD_OK ? open_on(out, sink, error) : status;
}

dd_status dd_writer_open_plain(dd_writer **out, const char *path, dd_error *error)
{
    dd_sink *sink;
    dd_status status = dd_sink_open_plain(&sink, path, error);
    return status == DD_OK ? open_on(out, sink, error) : status;
}

dd_status dd_writer_open_packed(dd_writer **out, dd_packing packing, dd_write_function *write,
                                void *user, dd_error *error)
{
    dd_sink *sink;
    dd_status status = dd_sink_open_to(&sink, packing, write, user, error);
    return status == DD_OK ? open_on(out, sink, error) : status;
}

dd_status dd_writer_open_to(dd_writer **out, dd_write_function *write, void *user, dd_error *error)
{
    return dd_writer_open_packed(out, DD_PLAIN, write, user, error);
}

dd_status dd_writer_set_format(dd_writer *writer, dd_format format, dd_error *error)
{
    const dd_format_row *row = dd_format_written(format);
    if (!row)
        return dd_fail(error, DD_ERROR_ARGUMENT, "sentences cannot be written in this format");
    writer->format = row;
    return DD_OK;
}

dd_status dd_writer_write(dd_writer *writer, dd_text bytes, dd_error *error)
{
    writer->any = writer->any || bytes.size > 0;
    return dd_sink_write(writer->sink, bytes, error);
}

static dd_status write_row(dd_writer *writer, const dd_sentence *sentence, dd_error *error)
{
    dd_buffer *text = &writer->space;
    text->size = 0;
    if (!writer->format->append(sentence, &writer->json, text)) return dd_fail_memory(error);
    return dd_writer_write(writer, (dd_text){text->data, text->size}, error);
}

static dd_status write_conll(dd_writer *writer, const dd_sentence *sentence, dd_error *error)
{
    dd_text text;
    dd_status status = DD_OK;
    if (!dd_sentence_text(sentence, &writer->space, &text)) return dd_fail_memory(error);
    if (text.size == 0) return DD_OK;
    if (sentence->origin.line == 1) { /* of another file than the last sentence */
        status = dd_writer_write(writer, (dd_text){writer->owed, strlen(writer->owed)}, error);
        if (status != DD_OK) return status;
    }
    /* The last sentence of a file may lack its line ends. They are written only if another file
     * follows, whose first sentence would otherwise run into it. */
    writer->owed = dd_missing_line_ends(text);
    /* The byte order mark of a second file would be a stray character in the output. */
    if (writer->any && dd_has_bom(sentence)) {
        text.data += DD_BOM_SIZE;
        text.size -= DD_BOM_SIZE;
    }
    return dd_writer_write(writer, text, error);
}

dd_status dd_writer_sentence(dd_writer *writer, const dd_sentence *sentence, dd_error *error)
{
    return writer->format->append ? write_row(writer, sentence, error)
                                  : write_conll(writer, sentence, error);
}

const char *dd_writer_owed(const dd_writer *writer)
{
    return writer->owed;
}

dd_status dd_writer_flush(dd_writer *writer, dd_error *error)
{
    return dd_sink_flush(writer->sink, error);
}

static void free_writer(dd_writer *writer)
{
    dd_json_space_free(&writer->json);
    dd_buffer_free(&writer->space);
    free(writer);
}

/* Ends the document that is open, if there is one. */
static dd_status end_document(dd_writer *writer, dd_error *error)
{
    dd_buffer *text = &writer->space;
    text->size = 0;
    if (!dd_document_close(&writer->json, text)) return dd_fail_memory(error);
    return dd_writer_write(writer, (dd_text){text->data, text->size}, error);
}

dd_status dd_writer_close(dd_writer *writer, dd_error *error)
{
    if (!writer) return DD_OK;
    dd_status status = end_document(writer, error);
    if (status != DD_OK) {
        dd_writer_drop(writer);
        return status;
    }
    status = dd_sink_close(writer->sink, error);
    free_writer(writer);
    return status;
}

void dd_writer_drop(dd_writer *writer)
{
    if (!writer) return;
    dd_sink_drop(writer->sink);
    free_writer(writer);
}
