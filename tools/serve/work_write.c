#include "serve/work.h"

#include <string.h>

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
