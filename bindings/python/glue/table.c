#include <dodona.h>

#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "table.h"

enum { CELLS = DD_COLUMNS };

static dd_status fail_memory(dd_error *error)
{
    *error = (dd_error){.status = DD_ERROR_MEMORY, .message = "out of memory"};
    return DD_ERROR_MEMORY;
}

/* ---- distinct values ------------------------------------------------------------------------- */

struct dp_values {
    dd_buffer bytes; /* the values, each with its "\n" */
    size_t *starts;  /* [slots / 2] of each value in `bytes` */
    uint32_t *table; /* [slots] number of a value + 1, where its hash leads; 0: free */
    uint32_t slots;  /* a power of two, more than twice the values */
    uint32_t count;
};

static bool reserve(dd_buffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->size >= more) return true;
    size_t capacity = 2 * (buffer->size + more);
    char *data = realloc(buffer->data, capacity);
    if (!data) return false;
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

static void free_values(dp_values *values)
{
    if (!values) return;
    free(values->bytes.data);
    free(values->starts);
    free(values->table);
    free(values);
}

static dp_values *new_values(void)
{
    enum { SLOTS = 256 };
    dp_values *values = calloc(1, sizeof *values);
    if (!values) return NULL;
    values->slots = SLOTS;
    values->table = calloc(SLOTS, sizeof *values->table);
    values->starts = malloc(SLOTS / 2 * sizeof *values->starts);
    if (values->table && values->starts) return values;
    free_values(values);
    return NULL;
}

/* FNV-1a. */
static uint32_t hash(dd_text text)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < text.size; i++) h = (h ^ (unsigned char)text.data[i]) * 1099511628211u;
    return (uint32_t)(h ^ h >> 32);
}

static dd_text value_at(const dp_values *values, uint32_t number)
{
    size_t start = values->starts[number];
    size_t end = number + 1 < values->count ? values->starts[number + 1] : values->bytes.size;
    return (dd_text){values->bytes.data + start, end - start - 1};
}

static bool same(dd_text a, dd_text b)
{
    return a.size == b.size && !memcmp(a.data, b.data, a.size);
}

/* The slot that has the text, or the free one where it belongs. */
static uint32_t find_slot(const dp_values *values, dd_text text)
{
    uint32_t slot = hash(text) & (values->slots - 1);
    while (values->table[slot] && !same(value_at(values, values->table[slot] - 1), text))
        slot = (slot + 1) & (values->slots - 1);
    return slot;
}

static bool grow_values(dp_values *values)
{
    if (values->slots > UINT32_MAX / 4) return false;
    uint32_t slots = 2 * values->slots;
    uint32_t *table = calloc(slots, sizeof *table);
    size_t *starts = realloc(values->starts, slots / 2 * sizeof *starts);
    if (starts) values->starts = starts;
    if (!table || !starts) {
        free(table);
        return false;
    }
    free(values->table);
    values->table = table;
    values->slots = slots;
    for (uint32_t i = 0; i < values->count; i++)
        table[find_slot(values, value_at(values, i))] = i + 1;
    return true;
}

/* The number of the text; -1: allocation failed. */
static int32_t add_value(dp_values *values, dd_text text)
{
    uint32_t slot = find_slot(values, text);
    if (values->table[slot]) return (int32_t)(values->table[slot] - 1);
    if (values->count + 1 >= values->slots / 2) {
        if (!grow_values(values)) return -1;
        slot = find_slot(values, text);
    }
    if (!reserve(&values->bytes, text.size + 1)) return -1;
    values->starts[values->count] = values->bytes.size;
    memcpy(values->bytes.data + values->bytes.size, text.data, text.size);
    values->bytes.size += text.size;
    values->bytes.data[values->bytes.size++] = '\n';
    values->table[slot] = ++values->count;
    return (int32_t)(values->count - 1);
}

/* ---- the table ------------------------------------------------------------------------------- */

void dp_table_free(dp_table *table)
{
    if (!table) return;
    free(table->document);
    free(table->sentence);
    free(table->id);
    free(table->head);
    free(table->start);
    free(table->end);
    for (int column = 0; column < CELLS; column++) {
        free(table->codes[column]);
        free_values(table->values[column]);
    }
    free(table);
}

static bool resize(void *array, size_t capacity, size_t item)
{
    void **at = array;
    void *moved = capacity > SIZE_MAX / item ? NULL : realloc(*at, capacity * item);
    if (moved) *at = moved;
    return moved;
}

static bool grow_table(dp_table *table)
{
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    bool grown = resize(&table->document, capacity, sizeof *table->document) &&
                 resize(&table->sentence, capacity, sizeof *table->sentence) &&
                 resize(&table->id, capacity, sizeof *table->id) &&
                 resize(&table->head, capacity, sizeof *table->head);
    if (table->start)
        grown = grown && resize(&table->start, capacity, sizeof *table->start) &&
                resize(&table->end, capacity, sizeof *table->end);
    for (int column = 0; column < CELLS; column++)
        if (table->values[column])
            grown = grown && resize(&table->codes[column], capacity, sizeof *table->codes[column]);
    if (grown) table->capacity = capacity;
    return grown;
}

dp_table *dp_table_new(uint32_t columns, bool places)
{
    dp_table *table = calloc(1, sizeof *table);
    if (!table) return NULL;
    bool made = true;
    if (places) {
        table->start = malloc(sizeof *table->start);
        table->end = malloc(sizeof *table->end);
        made = table->start && table->end;
    }
    for (int column = 0; column < CELLS; column++)
        if (columns >> column & 1) made = (table->values[column] = new_values()) && made;
    if (made && grow_table(table)) return table;
    dp_table_free(table);
    return NULL;
}

dd_text dp_table_values(const dp_table *table, int column)
{
    const dp_values *values = table->values[column];
    return (dd_text){values->bytes.data, values->bytes.size};
}

size_t dp_known(const int32_t *numbers, size_t count, uint8_t *bits)
{
    size_t negative = 0;
    memset(bits, 0, (count + 7) / 8);
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] < 0)
            negative++;
        else
            bits[i / 8] = (uint8_t)(bits[i / 8] | 1u << i % 8);
    }
    return negative;
}

/* ---- places in the text ---------------------------------------------------------------------- */

typedef struct place {
    int64_t start, end;
} place;

static const place nowhere = {-1, -1};

/* Where the next token stands, in a running text or in the text of a document that was read. */
typedef struct places {
    const char *at, *end;  /* of running text, the bytes behind the last token; NULL: it was read */
    int64_t before;        /* characters before `at`, or before the sentence */
    dd_outline *outline;   /* of the sentence, if the document was read */
    size_t token;          /* the number of the next one */
    bool paragraph, glued; /* the sentence begins one; no space follows the token before */
    bool first;            /* the sentence is the document's first */
} places;

static int64_t count_characters(const char *from, size_t size)
{
    int64_t count = 0;
    for (size_t i = 0; i < size; i++) count += ((unsigned char)from[i] & 0xC0) != 0x80;
    return count;
}

/* In running text there is nothing between tokens but white space, so that the next place that has
 * its form is a token's own. */
static place find_in_text(places *in, dd_text form)
{
    const char *at = in->at;
    while ((size_t)(in->end - at) >= form.size && memcmp(at, form.data, form.size)) at++;
    if ((size_t)(in->end - at) < form.size) {
        in->at = in->end; /* nor are those behind it */
        return nowhere;
    }
    place found = {in->before + count_characters(in->at, (size_t)(at - in->at)), 0};
    found.end = found.start + count_characters(at, form.size);
    in->at = at + form.size;
    in->before = found.end;
    return found;
}

/* The text of what was read is that of its sentences, with a space between them, or none after
 * SpaceAfter=No, or an empty line before a paragraph. */
static void pass_gap(places *in)
{
    if (in->first) return;
    in->before += in->paragraph ? 2 : in->glued ? 0 : 1;
}

static place find_in_sentence(places *in)
{
    if (!in->token) pass_gap(in);
    const dd_token *token = dd_outline_token(in->outline, in->token++);
    if (!token || token->start < 0) return nowhere;
    return (place){in->before + token->start, in->before + token->end};
}

static dd_status begin_sentence(places *in, const dd_sentence *sentence, dd_error *error)
{
    in->token = 0;
    in->paragraph = false;
    return in->outline ? dd_outline_make(in->outline, sentence, error) : DD_OK;
}

static void end_sentence(places *in)
{
    if (!in->outline) return;
    if (!in->token) {
        pass_gap(in);
        in->glued = false;
    }
    dd_text text = dd_outline_text(in->outline);
    in->before += count_characters(text.data, text.size);
    in->first = false;
}

static bool has_item(dd_text cell, const char *item)
{
    size_t size = strlen(item);
    for (size_t at = 0; at < cell.size;) {
        const char *from = cell.data + at, *bar = memchr(from, '|', cell.size - at);
        size_t length = bar ? (size_t)(bar - from) : cell.size - at;
        if (length == size && !memcmp(from, item, size)) return true;
        at += length + 1;
    }
    return false;
}

/* ---- a row for each word --------------------------------------------------------------------- */

typedef struct maker {
    dp_table *table;
    int document, sentence;
    bool wanted; /* the sentence's words become rows */
    dd_buffer conllu;
    places places;
    int done;    /* words whose token has been passed */
    place token; /* of the last one */
} maker;

static bool is_word_character(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* # newpar, # newdoc, and what may follow these. */
static bool begins_paragraph(dd_text comment)
{
    const char *at = comment.data + 1, *end = comment.data + comment.size;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (end - at < 6 || (memcmp(at, "newpar", 6) && memcmp(at, "newdoc", 6))) return false;
    return end - at == 6 || !is_word_character(at[6]);
}

/* Whether there are exactly ten. */
static bool split(dd_text line, dd_text *cells)
{
    for (size_t i = 0, at = 0; i < CELLS; i++) {
        const char *from = line.data + at, *tab = memchr(from, '\t', line.size - at);
        if (!tab != (i == CELLS - 1)) return false;
        cells[i] = (dd_text){from, tab ? (size_t)(tab - from) : line.size - at};
        at += cells[i].size + 1;
    }
    return true;
}

/* Digits up to another character; the reader has checked that they are a number. */
static int read_number(dd_text cell, size_t *at)
{
    int number = 0;
    for (; *at < cell.size && cell.data[*at] >= '0' && cell.data[*at] <= '9'; ++*at)
        number = 10 * number + (cell.data[*at] - '0');
    return number;
}

static bool is_missing(dd_text cell)
{
    return cell.size == 1 && *cell.data == '_';
}

static bool add_row(maker *m, int id, const dd_text *cells)
{
    dp_table *table = m->table;
    if (table->rows == table->capacity && !grow_table(table)) return false;
    size_t row = table->rows, at = 0;
    for (int column = 0; column < CELLS; column++) {
        if (!table->values[column]) continue;
        bool none = column != DD_FORM && is_missing(cells[column]);
        int32_t code = none ? -1 : add_value(table->values[column], cells[column]);
        if (code < 0 && !none) return false;
        table->codes[column][row] = code;
    }
    table->document[row] = m->document;
    table->sentence[row] = m->sentence;
    table->id[row] = id;
    table->head[row] = is_missing(cells[DD_HEAD]) ? -1 : read_number(cells[DD_HEAD], &at);
    if (table->start) {
        table->start[row] = m->token.start;
        table->end[row] = m->token.end;
    }
    table->rows++;
    return true;
}

static void pass_token(maker *m, const dd_text *cells)
{
    places *in = &m->places;
    if (in->outline)
        m->token = find_in_sentence(in);
    else
        m->token = find_in_text(in, cells[DD_FORM]);
    in->glued = has_item(cells[DD_MISC], "SpaceAfter=No");
}

/* False: allocation failed. */
static bool take_line(maker *m, dd_text line)
{
    dd_text cells[CELLS];
    size_t at = 0;
    if (line.size && *line.data == '#') {
        m->places.paragraph |= begins_paragraph(line);
        return true;
    }
    if (!split(line, cells)) return true;
    int first = read_number(cells[DD_ID], &at);
    bool range = at < cells[DD_ID].size;
    if (range && cells[DD_ID].data[at] == '.') return true; /* an empty node */
    if (m->table->start && first > m->done) {
        at++;
        m->done = range ? read_number(cells[DD_ID], &at) : first;
        pass_token(m, cells);
    }
    return range || !m->wanted || add_row(m, first, cells);
}

static bool take_lines(maker *m, const dd_sentence *sentence)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* which a file may begin with */
    dd_text all = {m->conllu.data, m->conllu.size};
    bool marked = dd_sentence_line(sentence) == 1 && all.size >= 3 && !memcmp(all.data, mark, 3);
    m->done = 0;
    for (size_t at = marked ? 3 : 0, next; at < all.size; at = next) {
        const char *from = all.data + at, *stop = memchr(from, '\n', all.size - at);
        dd_text line = {from, stop ? (size_t)(stop - from) : all.size - at};
        next = at + line.size + 1;
        if (line.size && line.data[line.size - 1] == '\r') line.size--;
        if (!take_line(m, line)) return false;
    }
    return true;
}

static dd_status take_sentence(maker *m, const dd_sentence *sentence, dd_error *error)
{
    dd_status status = DD_OK;
    m->conllu.size = 0;
    if (m->table->start) status = begin_sentence(&m->places, sentence, error);
    if (status == DD_OK) status = dd_sentence_format(sentence, DD_FORMAT_AUTO, &m->conllu, error);
    if (status == DD_OK && !take_lines(m, sentence)) status = fail_memory(error);
    if (status == DD_OK) end_sentence(&m->places);
    return status;
}

static dd_status take_document(maker *m, const dp_document *document, int only, dd_cancel *cancel,
                               dd_error *error)
{
    dd_status status = DD_OK;
    for (int i = 0; i < document->count && status == DD_OK; i++) {
        m->wanted = only < 0 || only == i;
        m->sentence = only < 0 ? i : 0;
        if (dd_cancel_is_due(cancel)) status = DD_INTERRUPTED;
        if (status == DD_OK) status = take_sentence(m, document->sentences[i], error);
    }
    return status;
}

dd_status dp_table_add(dp_table *table, int number, const dp_document *document, int only,
                       const char *text, size_t size, dd_cancel *cancel, dd_error *error)
{
    maker m = {.table = table, .document = number, .places = {.first = true}};
    size_t rows = table->rows;
    dd_status status = DD_OK;
    if (text) {
        m.places.at = text;
        m.places.end = text + size;
    } else if (table->start) {
        status = dd_outline_new(&m.places.outline, error);
    }
    if (status == DD_OK) status = take_document(&m, document, only, cancel, error);
    if (status != DD_OK) table->rows = rows;
    dd_outline_free(m.places.outline);
    dd_buffer_free(&m.conllu);
    return status;
}
