#include "text/conll.h"

#include "text/rules.h"
#include "text/utf8.h"

#include <string.h>

typedef struct block {
    dd_sentence *sentence;
    dd_format format;
    const char *name;
    dd_error *error;
    size_t bad;    /* offset in raw of the first byte that is no UTF-8; the size if none */
    uint32_t line; /* counted from the sentence's first */
    dd_text text;  /* of the line, without its end */
    uint32_t cells[DD_COLUMNS + 1]; /* as in dd_sentence */
    bool any_token;
    int range_first, range_last; /* the last range */
    uint32_t range_line;
    int node;      /* the last empty node since the last word: n.node */
    int high_head; /* largest HEAD */
} block;

bool dd_has_bom(const dd_sentence *sentence)
{
    return sentence->origin.line == 1 && sentence->origin.raw.size >= DD_BOM_SIZE &&
           memcmp(sentence->origin.raw.data, "\xEF\xBB\xBF", DD_BOM_SIZE) == 0;
}

/* The rules below end in a failure at the current line; `column` is a dd_column or NO_COLUMN. */
enum { NO_COLUMN = -1 };

#define FAIL_AT(block, at_line, column, ...)                                                       \
    dd_fail_at((block)->error, DD_ERROR_FORMAT, (block)->name,                                     \
               (block)->sentence->origin.line + (at_line), (column) + 1, __VA_ARGS__)
#define FAIL(block, column, ...) FAIL_AT(block, (block)->line, column, __VA_ARGS__)
#define QUOTE(cell)              (dd_quote_text(cell).text)

static dd_text cell(const block *b, int column)
{
    const uint32_t *at = b->cells + column;
    return (dd_text){b->sentence->origin.raw.data + at[0], at[1] - 1 - at[0]};
}

static dd_status fail_encoding(const block *b)
{
    const char *bad = b->sentence->origin.raw.data + b->bad;
    int column = 0;
    if (b->text.data[0] == '#') column = NO_COLUMN;
    for (const char *at = b->text.data; column >= 0 && at < bad; at++) column += *at == '\t';
    size_t left = (size_t)(b->text.data + b->text.size - bad);
    return FAIL(b, column, "%s at byte %zu of the line", dd_utf8_fault((dd_text){bad, left}),
                (size_t)(bad - b->text.data) + 1);
}

/* ---- columns ------------------------------------------------------------------------------ */

static dd_status split(block *b)
{
    const char *raw = b->sentence->origin.raw.data, *end = b->text.data + b->text.size;
    const char *at = b->text.data;
    int columns = 1;
    b->cells[0] = (uint32_t)(at - raw);
    while ((at = memchr(at, '\t', (size_t)(end - at)))) {
        at++;
        if (columns < DD_COLUMNS) b->cells[columns] = (uint32_t)(at - raw);
        columns++;
    }
    b->cells[DD_COLUMNS] = (uint32_t)(end - raw) + 1;
    if (columns == DD_COLUMNS) return DD_OK;
    return FAIL(b, NO_COLUMN, "expected 10 columns separated by tabs, found %d", columns);
}

static dd_status check_spaces(const block *b, int column)
{
    dd_text text = cell(b, column);
    if (text.data[0] == ' ') return FAIL(b, column, "starts with a space");
    if (text.data[text.size - 1] == ' ') return FAIL(b, column, "ends with a space");
    if (column == DD_FORM || column == DD_LEMMA || column == DD_MISC) return DD_OK;
    if (!memchr(text.data, ' ', text.size)) return DD_OK;
    return FAIL(b, column, "space inside '%s'", QUOTE(text));
}

static dd_status check_cells(const block *b)
{
    /* Most lines have no space at all. */
    bool spaces = b->format == DD_FORMAT_CONLLU && memchr(b->text.data, ' ', b->text.size);
    for (int column = 0; column < DD_COLUMNS; column++) {
        if (b->cells[column + 1] - b->cells[column] == 1)
            return FAIL(b, column, "empty; a missing value is written _");
        dd_status status = spaces ? check_spaces(b, column) : DD_OK;
        if (status != DD_OK) return status;
    }
    return DD_OK;
}

static dd_status check_feats(const block *b)
{
    dd_text bad;
    if (dd_rule_feats(cell(b, DD_FEATS), &bad)) return DD_OK;
    return FAIL(b, DD_FEATS, "'%s' is not Name=Value", QUOTE(bad));
}

static dd_status check_deps(const block *b)
{
    dd_text bad;
    if (dd_rule_deps(cell(b, DD_DEPS), &bad)) return DD_OK;
    return FAIL(b, DD_DEPS, "'%s' is not HEAD:DEPREL", QUOTE(bad));
}

static dd_status check_phead(const block *b)
{
    dd_text phead = cell(b, DD_DEPS);
    if (dd_rule_is_blank(phead) || dd_rule_number(phead) >= 0) return DD_OK;
    return FAIL(b, DD_DEPS, "'%s' is neither a number nor _", QUOTE(phead));
}

static dd_status check_blank(const block *b, int column, const char *kind)
{
    dd_text text = cell(b, column);
    if (dd_rule_is_blank(text)) return DD_OK;
    return FAIL(b, column, "'%s' where %s has _", QUOTE(text), kind);
}

/* ---- token lines -------------------------------------------------------------------------- */

static dd_status read_word(block *b, int id)
{
    int next = b->sentence->n + 1;
    if (id != next) return FAIL(b, DD_ID, "expected %d, found '%s'", next, QUOTE(cell(b, DD_ID)));
    dd_status status = b->format == DD_FORMAT_CONLLU ? check_feats(b) : DD_OK;
    if (status != DD_OK) return status;
    dd_text text = cell(b, DD_HEAD);
    int head = dd_rule_number(text);
    if (head < 0 && !dd_rule_is_blank(text))
        return FAIL(b, DD_HEAD, "'%s' is neither a number nor _", QUOTE(text));
    status = b->format == DD_FORMAT_CONLLU ? check_deps(b) : check_phead(b);
    if (status != DD_OK) return status;
    if (head > b->high_head) b->high_head = head;
    b->node = 0;
    if (!dd_sentence_add_word(b->sentence, b->cells, b->line, head))
        return dd_fail_memory(b->error);
    return DD_OK;
}

static dd_status read_range(block *b, int first, int last)
{
    int n = b->sentence->n;
    dd_quote id = dd_quote_text(cell(b, DD_ID));
    if (first >= last) return FAIL(b, DD_ID, "range '%s' does not ascend", id.text);
    if (b->range_last > n)
        return FAIL(b, DD_ID, "range '%s' overlaps range %d-%d", id.text, b->range_first,
                    b->range_last);
    if (first != n + 1)
        return FAIL(b, DD_ID, "range '%s' does not start at the next word, %d", id.text, n + 1);
    /* Since UD 2.11 a range may have FEATS, for Typo=Yes. */
    dd_status status = check_feats(b);
    for (int column = DD_LEMMA; column <= DD_DEPS && status == DD_OK; column++)
        if (column != DD_FEATS) status = check_blank(b, column, "a range");
    if (status != DD_OK) return status;
    b->range_first = first;
    b->range_last = last;
    b->range_line = b->line;
    b->sentence->origin.ranges++;
    return DD_OK;
}

static dd_status read_empty(block *b, int word, int node)
{
    if (word != b->sentence->n || node != b->node + 1)
        return FAIL(b, DD_ID, "expected empty node %d.%d, found '%s'", b->sentence->n, b->node + 1,
                    QUOTE(cell(b, DD_ID)));
    dd_status status = check_feats(b);
    if (status == DD_OK) status = check_blank(b, DD_HEAD, "an empty node");
    if (status == DD_OK) status = check_blank(b, DD_DEPREL, "an empty node");
    if (status == DD_OK) status = check_deps(b);
    if (status != DD_OK) return status;
    b->node = node;
    b->sentence->origin.empty++;
    return DD_OK;
}

static dd_status read_token(block *b)
{
    dd_status status = split(b);
    if (status == DD_OK) status = check_cells(b);
    if (status != DD_OK) return status;
    b->any_token = true;
    int first, second;
    dd_id_kind kind = dd_rule_id(cell(b, DD_ID), &first, &second);
    if (kind == DD_ID_WORD) return read_word(b, first);
    if (b->format == DD_FORMAT_CONLLX)
        return FAIL(b, DD_ID, "'%s' is not a word number", QUOTE(cell(b, DD_ID)));
    if (kind == DD_ID_RANGE) return read_range(b, first, second);
    if (kind == DD_ID_EMPTY) return read_empty(b, first, second);
    return FAIL(b, DD_ID, "'%s' is not a word number, range or empty node", QUOTE(cell(b, DD_ID)));
}

/* ---- other lines -------------------------------------------------------------------------- */

bool dd_comment_value(dd_text line, const char *key, dd_text *value)
{
    dd_text comment = dd_text_trim((dd_text){line.data + 1, line.size - 1});
    size_t size = strlen(key);
    if (comment.size <= size || memcmp(comment.data, key, size) != 0) return false;
    dd_text rest = dd_text_trim((dd_text){comment.data + size, comment.size - size});
    if (rest.size == 0 || rest.data[0] != '=') return false;
    *value = dd_text_trim((dd_text){rest.data + 1, rest.size - 1});
    return true;
}

bool dd_comment_newdoc(dd_text line, dd_text *id)
{
    static const char name[] = "newdoc";
    dd_text comment = dd_text_trim(dd_text_skip(line, 1));
    if (!dd_text_begins(comment, name)) return false;
    comment = dd_text_skip(comment, strlen(name));
    bool whole = comment.size == 0 || strchr("= \t\r", comment.data[0]);
    *id = (dd_text){comment.data, 0};
    return whole && (dd_comment_value(line, "newdoc id", id) || true);
}

/* Keeps the text of a constraint; it is read only when the sentence is parsed. */
static bool keep_constraint(block *b, dd_text value)
{
    dd_sentence *sentence = b->sentence;
    if (sentence->constraints.count == 0) {
        sentence->constraints.file.size = 0;
        if (!dd_buffer_append(&sentence->constraints.file, b->name, strlen(b->name) + 1))
            return false;
    }
    return dd_sentence_add_constraint(sentence, value, b->line + 1);
}

/* The first `# sent_id = X` counts, and every `# constraint = X`. */
static dd_status read_comment(block *b)
{
    dd_sentence *sentence = b->sentence;
    dd_text value;
    if (!sentence->origin.id_size && dd_comment_value(b->text, "sent_id", &value)) {
        sentence->origin.id_start = (uint32_t)(value.data - sentence->origin.raw.data);
        sentence->origin.id_size = (uint32_t)value.size;
    } else if (dd_comment_value(b->text, "constraint", &value) && !keep_constraint(b, value)) {
        return dd_fail_memory(b->error);
    }
    return DD_OK;
}

/* An empty line ends the block, so it is an error only if no sentence stands before it. */
static dd_status read_empty_line(const block *b)
{
    if (b->any_token) return DD_OK;
    if (b->line == 0) return FAIL(b, NO_COLUMN, "empty line without a sentence before it");
    return FAIL(b, NO_COLUMN, "comments without a sentence");
}

static bool is_white(dd_text line)
{
    for (size_t i = 0; i < line.size; i++)
        if (!dd_is_blank(line.data[i]) && line.data[i] != '\r') return false;
    return true;
}

static dd_status read_line(block *b)
{
    const char *start = b->text.data, *raw = b->sentence->origin.raw.data;
    if (b->bad < (size_t)(start - raw) + b->text.size) return fail_encoding(b);
    if (b->text.size == 0) return read_empty_line(b);
    if (start[0] <= ' ' && is_white(b->text))
        return FAIL(b, NO_COLUMN, "only white space; a sentence ends with an empty line");
    if (start[0] != '#') return read_token(b);
    if (b->format == DD_FORMAT_CONLLX && (b->any_token || memchr(start, '\t', b->text.size)))
        return read_token(b);
    if (b->any_token) return FAIL(b, NO_COLUMN, "comment after the first word");
    return read_comment(b);
}

/* ---- the block ---------------------------------------------------------------------------- */

/* Checks what depends on the number of words. */
static dd_status check_end(const block *b)
{
    const dd_sentence *sentence = b->sentence;
    int n = sentence->n;
    if (b->range_last > n)
        return FAIL_AT(b, b->range_line, DD_ID, "range %d-%d ends early, at word %d",
                       b->range_first, b->range_last, n);
    if (n == 0) return FAIL_AT(b, 0, NO_COLUMN, "sentence without words");
    if (b->high_head <= n) return DD_OK;
    int word = 1;
    while (sentence->gold[word] <= n) word++;
    return FAIL_AT(b, sentence->origin.lines[word], DD_HEAD,
                   "'%s' is beyond the sentence's %d word%s",
                   QUOTE(dd_cell(sentence, word, DD_HEAD)), n, n == 1 ? "" : "s");
}

static dd_status read_lines(block *b)
{
    const dd_buffer *raw = &b->sentence->origin.raw;
    const char *at = raw->data, *end = raw->data + raw->size;
    if (dd_has_bom(b->sentence)) at += DD_BOM_SIZE;
    for (; at < end; b->line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (stop > at && stop[-1] == '\r') stop--;
        b->text = (dd_text){at, (size_t)(stop - at)};
        dd_status status = read_line(b);
        if (status != DD_OK) return status;
        at = newline ? newline + 1 : end;
    }
    return check_end(b);
}

dd_status dd_block_parse(dd_sentence *sentence, dd_format format, const char *name, dd_error *error)
{
    block b = {.sentence = sentence, .format = format, .name = name, .error = error};
    sentence->origin.format = format;
    b.bad = dd_utf8_check((dd_text){sentence->origin.raw.data, sentence->origin.raw.size});
    dd_status status = read_lines(&b);
    if (status == DD_OK) return DD_OK;
    sentence->n = sentence->origin.ranges = sentence->origin.empty = 0;
    sentence->origin.id_start = sentence->origin.id_size = 0;
    dd_sentence_clear_constraints(sentence);
    return status;
}
