#include "web.h"

#include <string.h>

/* What a call works with; `gold` is NULL unless the request has it. */
typedef struct drawer {
    dd_drawing *drawing;
    dd_reader *reader, *gold_reader;
    dd_sentence *sentence, *gold;
} drawer;

static bool read_options(const fields *asked, dd_draw_options *how, refusal *why)
{
    static const char *const names[] = {"format", "direction",   "width", "one_row",
                                        "tags",   "constraints", "title", "colour",
                                        "gold",   "enhanced",    NULL};
    static const char *const formats[] = {"text", "svg", "html", "tikz", "dot", NULL};
    static const char *const directions[] = {"auto", "ltr", "rtl", NULL};
    int format = DD_DRAW_TEXT, direction = DD_DRAW_AUTO;
    dd_draw_options_init(how);
    if (!fields_known(asked, names, NULL, why) ||
        !fields_choice(asked, "format", formats, &format, why) ||
        !fields_choice(asked, "direction", directions, &direction, why) ||
        !fields_whole(asked, "width", 0, DD_DRAW_MAX_WIDTH, &how->width, why) ||
        !fields_flag(asked, "one_row", &how->one_row, why) ||
        !fields_flag(asked, "tags", &how->tags, why) ||
        !fields_flag(asked, "constraints", &how->constraints, why) ||
        !fields_flag(asked, "title", &how->title, why) ||
        !fields_flag(asked, "colour", &how->colour, why) ||
        !fields_flag(asked, "enhanced", &how->enhanced, why))
        return false;
    how->format = (dd_draw_format)format;
    how->direction = (dd_draw_direction)direction;
    return true;
}

static bool open(drawer *with, const dd_draw_options *how, dd_text text, const field *gold,
                 dd_error *error)
{
    return dd_drawing_new(&with->drawing, how, error) == DD_OK &&
           dd_sentence_new(&with->sentence, error) == DD_OK &&
           dd_reader_open_memory(&with->reader, "text", text, DD_FORMAT_CONLLU, error) == DD_OK &&
           (!gold ||
            (dd_sentence_new(&with->gold, error) == DD_OK &&
             dd_reader_open_memory(&with->gold_reader, "gold", (dd_text){gold->value, gold->size},
                                   DD_FORMAT_CONLLU, error) == DD_OK));
}

static void close(drawer *with)
{
    dd_reader_close(with->reader);
    dd_reader_close(with->gold_reader);
    dd_sentence_free(with->sentence);
    dd_sentence_free(with->gold);
    dd_drawing_free(with->drawing);
}

static bool append(output *out, dd_status status, dd_text piece)
{
    if (status == DD_OK) output_bytes(out, piece.data, piece.size);
    return status == DD_OK;
}

/* The next sentence of each side. DD_END: there is none. */
static dd_status next(drawer *with, dd_error *error)
{
    dd_status status = dd_reader_next(with->reader, with->sentence, error);
    if (status != DD_OK || !with->gold) return status;
    status = dd_reader_next(with->gold_reader, with->gold, error);
    if (status != DD_END) return status;
    *error = (dd_error){.status = DD_ERROR_DATA, .message = "gold has fewer sentences"};
    return DD_ERROR_DATA;
}

static bool draw_all(drawer *with, const dd_draw_options *how, output *out, dd_error *error,
                     refusal *why)
{
    dd_text piece = {0};
    size_t count = 0;
    dd_status status;
    if (!append(out, dd_draw_begin(with->drawing, &piece, error), piece)) return false;
    for (; (status = next(with, error)) == DD_OK; count++) {
        if (count == 1 && how->format == DD_DRAW_SVG)
            return refuse(why, 422, "an SVG document has one sentence; draw them one by one");
        if (!append(out, dd_draw(with->drawing, with->sentence, with->gold, &piece, error), piece))
            return false;
    }
    if (status == DD_END && count == 0) return refuse(why, 422, "there is no sentence to draw");
    return status == DD_END && append(out, DD_OK, dd_draw_end(with->drawing));
}

bool web_draw(const fields *asked, dd_text text, dd_cancel *cancel, output *out, refusal *why)
{
    drawer with = {0};
    dd_draw_options how;
    dd_error error = {0};
    if (!read_options(asked, &how, why)) return false;
    how.cancel = cancel;
    bool good = open(&with, &how, text, fields_find(asked, "gold"), &error) &&
                draw_all(&with, &how, out, &error, why);
    close(&with);
    if (!good) refuse_error(why, &error);
    return good;
}
