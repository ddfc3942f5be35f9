#include "text/formats.h"

/* In the order of dd_format. */
/* clang-format off */
static const dd_format_row rows[] = {
    {{DD_FORMAT_AUTO, "auto", .is_read = true,
      .help = "decided from the file's name, and then from its first lines"}, NULL},
    {{DD_FORMAT_CONLLU, "conllu", "text/x-conllu", ".conllu", .is_read = true, .is_written = true,
      .help = "CoNLL-U; a sentence that was read as CoNLL-X is written as that"}, NULL},
    {{DD_FORMAT_CONLLX, "conllx", "text/x-conllx", ".conllx", .is_read = true, .help = "CoNLL-X"}, NULL},
    {{DD_FORMAT_TEXT, "text", "text/plain", ".txt", .is_read = true,
      .help = "running text, with an empty line between paragraphs"}, NULL},
    {{DD_FORMAT_VERTICAL, "vertical", "text/plain", ".vert", .is_read = true,
      .help = "one token per line, with an empty line between sentences"}, NULL},
    {{DD_FORMAT_JSON, "json", "application/x-ndjson", ".json", .is_written = true,
      .help = "one JSON object per sentence and line"}, dd_sentence_append_json},
    {{DD_FORMAT_JSONL, "jsonl", "application/jsonl", ".jsonl", .is_read = true, .is_written = true,
      .help = "documents, one JSON object per line"}, dd_sentence_append_document},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof *rows };

const dd_format_info *dd_format_at(size_t index)
{
    return index < ROWS ? &rows[index].is : NULL;
}

const dd_format_row *dd_format_written(dd_format format)
{
    if (format == DD_FORMAT_AUTO) format = DD_FORMAT_CONLLU;
    bool known = (size_t)format < ROWS && rows[format].is.is_written;
    return known ? &rows[format] : NULL;
}

static bool append_row(const dd_format_row *row, const dd_sentence *sentence, dd_buffer *out)
{
    dd_json_space space = {0};
    if (!row->append) return dd_sentence_append_conll(sentence, out);
    bool made = row->append(sentence, &space, out) && dd_document_close(&space, out);
    dd_json_space_free(&space);
    return made;
}

dd_status dd_sentence_format(const dd_sentence *sentence, dd_format format, dd_buffer *out,
                             dd_error *error)
{
    const dd_format_row *row = dd_format_written(format);
    if (!row)
        return dd_fail(error, DD_ERROR_ARGUMENT, "sentences cannot be written in this format");
    return append_row(row, sentence, out) ? DD_OK : dd_fail_memory(error);
}
