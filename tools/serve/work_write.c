/* work_write.c - writes the answer of a job: its sentences, in JSON or another format, and pictures
 * of trees, one by itself or one in each object of JSON */
#include "serve/work.h"

#include <string.h>

/* ---- pictures -------------------------------------------------------------------------------- */

static bool open_drawing(workspace *own, job *one)
{
    dd_error error;
    dd_draw_options how;
    if (own->drawing && own->drawing_width == one->plan.width) return true;
    dd_drawing_free(own->drawing);
    own->drawing = NULL;
    dd_draw_options_init(&how);
    how.format = DD_DRAW_SVG;
    how.width = one->plan.width;
    how.max_bytes = MOST_DRAWING;
    how.cancel = own->cancel;
    own->drawing_width = one->plan.width;
    return dd_drawing_new(&own->drawing, &how, &error) == DD_OK || refuse_error(&one->why, &error);
}

/* A slice ends behind a long sentence, also where nothing follows it. */
static bool find_end(workspace *own, job *one)
{
    dd_error error;
    if (one->at_end || one->held > 1) return true;
    if (!own->sentence && dd_sentence_new(&own->sentence, &error) != DD_OK)
        return refuse_error(&one->why, &error);
    dd_status status = dd_reader_next(one->reader, own->sentence, &error);
    one->at_end = status == DD_END;
    return status == DD_OK || status == DD_END || refuse_error(&one->why, &error);
}

/* The sentence that is asked for; NULL where it is refused. */
static const dd_sentence *choose_sentence(workspace *own, job *one)
{
    size_t wanted = one->plan.sentence ? (size_t)one->plan.sentence : 1;
    if (!find_end(own, one)) return NULL;
    bool several = !one->at_end || one->held > 1;
    if (several && !one->plan.sentence)
        refuse(&one->why, 400,
               "SVG shows one sentence, and the text has several; "
               "choose one with the field 'sentence'");
    else if (wanted > one->held && one->at_end)
        refuse(&one->why, 400, "sentence: the text has %zu", one->held);
    else if (wanted > one->held)
        refuse(&one->why, 400, "sentence: of this text, only %zu can be drawn; send it in parts",
               one->held);
    return one->why.status == 0 ? one->sentences[wanted - 1] : NULL;
}

bool work_write_svg(workspace *own, job *one)
{
    dd_error error;
    dd_text svg;
    const dd_sentence *sentence = choose_sentence(own, one);
    if (!sentence) return false;
    if (dd_sentence_size(sentence) > DD_DRAW_MAX_WORDS)
        return refuse(&one->why, 422, "the sentence has %d words; at most %d can be drawn",
                      dd_sentence_size(sentence), DD_DRAW_MAX_WORDS);
    if (!open_drawing(own, one)) return false;
    if (dd_draw(own->drawing, sentence, NULL, &svg, &error) != DD_OK)
        return work_refuse(one, &error);
    output_bytes(&one->made, svg.data, svg.size);
    one->at_end = true;
    return true;
}

/* ---- in JSON ------------------------------------------------------------------------------ */

/* All up to the next `end`, and that too. */
static dd_text cut(dd_text *rest, const char *end, size_t size)
{
    const char *at = rest->data;
    size_t length = 0;
    while (length + size <= rest->size && memcmp(at + length, end, size) != 0) length++;
    size_t used = length + size <= rest->size ? length + size : rest->size;
    *rest = (dd_text){at + used, rest->size - used};
    return (dd_text){at, used};
}

/* Null where it cannot be drawn, as when it is too long: the answer may have begun. */
static void write_picture(workspace *own, job *one)
{
    dd_error error;
    dd_text svg;
    dd_status status = dd_draw(own->drawing, own->sentence, NULL, &svg, &error);
    if (status == DD_OK)
        output_json(&one->made, svg);
    else if (status == DD_ERROR_MEMORY)
        refuse_memory(&one->why);
    else
        output_string(&one->made, "null");
}

/* An object up to the brace that closes it. */
static dd_text left_open(dd_text line)
{
    while (line.size > 0 && line.data[line.size - 1] != '}') line.size--;
    if (line.size > 0) line.size--;
    return line;
}

static void write_tree(workspace *own, job *one, dd_text line, dd_text conllu)
{
    work_write_object(one, left_open(line));
    output_string(&one->made, ",\"conllu\":");
    output_json(&one->made, conllu);
    output_string(&one->made, ",\"svg\":");
    write_picture(own, one);
    output_string(&one->made, one->plan.to == TO_JSON ? "}" : "}\n");
}

/* Of an n-best list, the trees are only in the CoNLL-U, in the order of the lines. */
static bool write_trees(workspace *own, job *one, dd_reader *reader, dd_text lines)
{
    dd_error error;
    dd_text trees = {own->trees.data, own->trees.size};
    while (lines.size > 0) {
        if (dd_reader_next(reader, own->sentence, &error) != DD_OK)
            return refuse_error(&one->why, &error);
        dd_text line = cut(&lines, "\n", 1);
        write_tree(own, one, line, cut(&trees, "\n\n", 2));
    }
    return true;
}

bool work_write_drawn(workspace *own, job *one, const dd_sentence *sentence, dd_text lines)
{
    dd_error error;
    dd_reader *reader;
    own->trees.size = 0;
    if (!open_drawing(own, one)) return false;
    if ((!own->sentence && dd_sentence_new(&own->sentence, &error) != DD_OK) ||
        dd_sentence_format(sentence, DD_FORMAT_AUTO, &own->trees, &error) != DD_OK ||
        dd_reader_open_memory(&reader, "trees", (dd_text){own->trees.data, own->trees.size},
                              DD_FORMAT_CONLLU, &error) != DD_OK)
        return refuse_error(&one->why, &error);
    bool good = write_trees(own, one, reader, lines);
    dd_reader_close(reader);
    return good;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* ---- what stands around the sentences ----------------------------------------------------- */

static void write_acknowledgements(job *one)
{
    static const char *const facts[] = {"treebank", "licence"};
    const char *before = "";
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        dd_text value = model_fact(one->plan.model->model, facts[i]);
        if (value.size == 0) continue;
        output_string(&one->made, before);
        output_json(&one->made, value);
        before = ", ";
    }
}

static void begin(job *one)
{
    output *out = &one->made;
    if (one->plan.udpipe) {
        output_string(out, "{\n \"model\": ");
        output_json_string(out, one->plan.model->names[0]);
        output_string(out, ",\n \"acknowledgements\": [");
        write_acknowledgements(one);
        output_string(out, "],\n \"result\": \"");
    } else if (one->plan.to == TO_JSON) {
        output_string(out, "{\"model\":");
        output_json_string(out, one->plan.model->names[0]);
        output_string(out, ",\"sentences\":[");
    }
}

static void end(job *one)
{
    if (one->plan.udpipe)
        output_string(&one->made, "\"\n}\n");
    else if (one->plan.to == TO_JSON)
        output_string(&one->made, "]}\n");
}

/* ---- a sentence --------------------------------------------------------------------------- */

static void write_text(job *one, dd_text text)
{
    if (one->plan.udpipe)
        output_json_piece(&one->made, text);
    else
        output_bytes(&one->made, text.data, text.size);
}

static bool write_formatted(workspace *own, job *one, const dd_sentence *sentence)
{
    dd_error error;
    own->text.size = 0;
    if (dd_sentence_format(sentence, one->plan.format, &own->text, &error) != DD_OK)
        return refuse_error(&one->why, &error);
    write_text(one, (dd_text){own->text.data, own->text.size});
    return true;
}

void work_write_object(job *one, dd_text object)
{
    if (one->plan.to == TO_JSON && one->wrote) output_string(&one->made, ",");
    output_bytes(&one->made, object.data, object.size);
    one->wrote = true;
}

/* Lines become items of an array. */
static void write_items(job *one, dd_text lines)
{
    const char *at = lines.data, *last = at + lines.size;
    while (at < last) {
        const char *close = memchr(at, '\n', (size_t)(last - at));
        if (!close) close = last;
        work_write_object(one, (dd_text){at, (size_t)(close - at)});
        at = close + 1;
    }
}

static bool write_json(workspace *own, job *one, const dd_sentence *sentence)
{
    dd_error error;
    own->text.size = 0;
    if (dd_sentence_format(sentence, DD_FORMAT_JSON, &own->text, &error) != DD_OK)
        return refuse_error(&one->why, &error);
    dd_text lines = {own->text.data, own->text.size};
    if (one->plan.draw) return work_write_drawn(own, one, sentence, lines);
    if (one->plan.to == TO_JSON)
        write_items(one, lines);
    else
        write_text(one, lines);
    return true;
}

/* A blank within a word becomes a no-break space where words have blanks between them. */
static void write_form(job *one, dd_text form, bool horizontal)
{
    for (size_t i = 0, plain = 0; i <= form.size; i++) {
        if (i < form.size && !(horizontal && form.data[i] == ' ')) continue;
        write_text(one, (dd_text){form.data + plain, i - plain});
        if (i < form.size) write_text(one, (dd_text){"\xC2\xA0", 2});
        plain = i + 1;
    }
}

static void write_words(job *one, const dd_sentence *sentence, bool horizontal)
{
    int n = dd_sentence_size(sentence);
    for (int word = 1; word <= n; word++) {
        write_form(one, dd_sentence_cell(sentence, word, DD_FORM), horizontal);
        write_text(one, (dd_text){horizontal && word < n ? " " : "\n", 1});
    }
    if (!horizontal) write_text(one, (dd_text){"\n", 1});
}

static bool write_sentence(workspace *own, job *one, const dd_sentence *sentence)
{
    switch (one->plan.to) {
    case TO_JSON:
    case TO_LINES: return write_json(own, one, sentence);
    case TO_SENTENCES: return write_formatted(own, one, sentence);
    case TO_HORIZONTAL:
    case TO_VERTICAL: write_words(one, sentence, one->plan.to == TO_HORIZONTAL); break;
    case TO_SVG:
    case TO_HTML: break;
    }
    return true;
}

bool work_write(workspace *own, job *one)
{
    if (one->plan.to == TO_SVG) return work_write_svg(own, one);
    if (one->passed == 0) begin(one);
    for (size_t i = 0; i < one->held; i++)
        if (!write_sentence(own, one, one->sentences[i])) return false;
    if (one->at_end) end(one);
    return true;
}
