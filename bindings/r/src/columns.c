/* columns.c - from CoNLL-U to the columns of a data frame, as the package udpipe has them */
#include "dodona_r.h"

#include <stdio.h>
#include <string.h>

enum { /* in the order of the data frame */
       DOC_ID,
       PARAGRAPH_ID,
       SENTENCE_ID,
       SENTENCE,
       START,
       END,
       TERM_ID,
       TOKEN_ID, /* from here on those of CoNLL-U */
       MISC = TOKEN_ID + DD_MISC,
       COLUMNS,
};

typedef struct frame {
    SEXP columns, ids;
    R_xlen_t row;
    SEXP document;              /* CHARSXP of the current one */
    SEXP sentence_id, sentence; /* likewise */
    int documents, paragraph, sentences, term;
    int64_t position; /* characters of the document up to here, where tokens do not tell theirs */
    int inside;       /* the last word of the multiword token that the row is in; 0: none */
} frame;

/* ---- lines ---------------------------------------------------------------------------------- */

/* Takes the next line from `rest`, without its end. */
static dd_text take_line(dd_text *rest)
{
    const char *end = memchr(rest->data, '\n', rest->size);
    dd_text line = {rest->data, end ? (size_t)(end - rest->data) : rest->size};
    size_t taken = line.size + (end ? 1 : 0);
    *rest = (dd_text){rest->data + taken, rest->size - taken};
    if (line.size > 0 && line.data[line.size - 1] == '\r') line.size--;
    return line;
}

static bool is_word(dd_text line)
{
    return line.size > 0 && line.data[0] >= '0' && line.data[0] <= '9';
}

static bool begins(dd_text line, const char *with)
{
    size_t size = strlen(with);
    return line.size >= size && memcmp(line.data, with, size) == 0;
}

/* The value of a comment `# KEY = VALUE`; data NULL: the line is no such comment. */
static dd_text comment(dd_text line, const char *key)
{
    size_t size = strlen(key), at = 1;
    if (line.size == 0 || line.data[0] != '#') return (dd_text){NULL, 0};
    while (at < line.size && line.data[at] == ' ') at++;
    if (line.size - at < size || memcmp(line.data + at, key, size) != 0) return (dd_text){NULL, 0};
    at += size;
    while (at < line.size && line.data[at] == ' ') at++;
    if (at == line.size || line.data[at] != '=') return (dd_text){NULL, 0};
    at++;
    while (at < line.size && line.data[at] == ' ') at++;
    return (dd_text){line.data + at, line.size - at};
}

static R_xlen_t count_rows(dd_text rest)
{
    R_xlen_t rows = 0;
    while (rest.size > 0) rows += is_word(take_line(&rest));
    return rows;
}

static void split(dd_text line, dd_text cells[DD_COLUMNS])
{
    for (int i = 0; i < DD_COLUMNS; i++) {
        const char *tab = i < DD_MISC ? memchr(line.data, '\t', line.size) : NULL;
        size_t size = tab ? (size_t)(tab - line.data) : line.size;
        cells[i] = (dd_text){line.data, size};
        line = (dd_text){line.data + size + (tab != NULL), line.size - size - (tab != NULL)};
    }
}

/* ---- MISC ----------------------------------------------------------------------------------- */

/* The item `NAME=VALUE` of MISC: its value; *whole gets all of it. */
static bool find_item(dd_text misc, const char *name, dd_text *value, dd_text *whole)
{
    size_t size = strlen(name);
    while (misc.size > 0) {
        const char *bar = memchr(misc.data, '|', misc.size);
        dd_text item = {misc.data, bar ? (size_t)(bar - misc.data) : misc.size};
        if (item.size > size && memcmp(item.data, name, size) == 0) {
            *value = (dd_text){item.data + size, item.size - size};
            *whole = item;
            return true;
        }
        size_t taken = item.size + (bar ? 1 : 0);
        misc = (dd_text){misc.data + taken, misc.size - taken};
    }
    return false;
}

static bool has_no_space(dd_text misc)
{
    dd_text value, item;
    return find_item(misc, "SpaceAfter=", &value, &item) && value.size == 2 &&
           memcmp(value.data, "No", 2) == 0;
}

static SEXP string_or_na(dd_text cell)
{
    bool none = cell.size == 0 || (cell.size == 1 && cell.data[0] == '_');
    return none ? NA_STRING : dr_string(cell.data, cell.size);
}

/* MISC without an item of it. */
static SEXP misc_without(dd_text misc, dd_text item)
{
    size_t before = (size_t)(item.data - misc.data), after = misc.size - before - item.size;
    if (before > 0 && after == 0) return dr_string(misc.data, before - 1);
    if (before == 0) return after > 1 ? dr_string(item.data + item.size + 1, after - 1) : NA_STRING;
    const void *top = vmaxget();
    char *joined = R_alloc(before + after, 1);
    memcpy(joined, misc.data, before);
    memcpy(joined + before, item.data + item.size + 1, after - 1);
    SEXP string = dr_string(joined, before + after - 1);
    vmaxset(top);
    return string;
}

static int64_t characters(dd_text text)
{
    int64_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += (text.data[i] & 0xC0) != 0x80;
    return count;
}

/* Those of SpacesBefore= and SpacesAfter=, where \s, \n and so on are one each. */
static int64_t spaces(dd_text value)
{
    int64_t count = 0;
    for (size_t i = 0; i < value.size; i++, count++)
        if (value.data[i] == '\\' && i + 1 < value.size) i++;
    return count;
}

/* ---- positions ------------------------------------------------------------------------------ */

static void set_range(frame *f, int64_t start, int64_t end)
{
    bool fits = start >= 0 && end <= INT_MAX;
    INTEGER(VECTOR_ELT(f->columns, START))[f->row] = fits ? (int)start + 1 : NA_INTEGER;
    INTEGER(VECTOR_ELT(f->columns, END))[f->row] = fits ? (int)end : NA_INTEGER;
}

/* By the white space that MISC tells, as if the document had its tokens alone. */
static void set_place(frame *f, dd_text form, dd_text misc)
{
    dd_text value, item;
    if (find_item(misc, "SpacesBefore=", &value, &item)) f->position += spaces(value);
    int64_t start = f->position;
    f->position +=
        find_item(misc, "SpacesInToken=", &value, &item) ? spaces(value) : characters(form);
    set_range(f, start, f->position);
    if (find_item(misc, "SpacesAfter=", &value, &item))
        f->position += spaces(value);
    else if (!has_no_space(misc))
        f->position++;
}

static int64_t number(const char **at, const char *end)
{
    int64_t value = 0;
    while (*at < end && **at >= '0' && **at <= '9' && value < INT_MAX)
        value = 10 * value + *(*at)++ - '0';
    return value;
}

static void set_positions(frame *f, const dd_text cells[DD_COLUMNS])
{
    dd_text id = cells[DD_ID], value, item;
    const char *at = id.data, *end = id.data + id.size;
    int word = (int)number(&at, end);
    SEXP misc = VECTOR_ELT(f->columns, MISC);
    bool told = find_item(cells[DD_MISC], "TokenRange=", &value, &item);
    SET_STRING_ELT(misc, f->row,
                   told ? misc_without(cells[DD_MISC], item) : string_or_na(cells[DD_MISC]));
    bool hidden = (at < end && *at == '.') || word <= f->inside;
    if (at < end && *at == '-') {
        at++;
        f->inside = (int)number(&at, end);
    }
    if (hidden) {
        set_range(f, -1, -1);
    } else if (told) {
        const char *p = value.data, *stop = value.data + value.size;
        int64_t start = number(&p, stop);
        p++;
        set_range(f, start, number(&p, stop));
    } else {
        set_place(f, cells[DD_FORM], cells[DD_MISC]);
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void set_string(frame *f, int column, SEXP string)
{
    SET_STRING_ELT(VECTOR_ELT(f->columns, column), f->row, string);
}

static void add_row(frame *f, dd_text line)
{
    dd_text cells[DD_COLUMNS];
    split(line, cells);
    set_string(f, DOC_ID, f->document);
    set_string(f, SENTENCE, f->sentence);
    INTEGER(VECTOR_ELT(f->columns, PARAGRAPH_ID))[f->row] = f->paragraph;
    INTEGER(VECTOR_ELT(f->columns, TERM_ID))[f->row] = ++f->term;
    if (Rf_isNull(f->ids))
        set_string(f, SENTENCE_ID, f->sentence_id);
    else
        INTEGER(VECTOR_ELT(f->columns, SENTENCE_ID))[f->row] = f->sentences;
    for (int i = DD_ID; i < DD_MISC; i++)
        set_string(f, TOKEN_ID + i,
                   i == DD_FORM ? dr_string(cells[i].data, cells[i].size) : string_or_na(cells[i]));
    set_positions(f, cells);
    f->row++;
}

/* The text of a sentence that has no `# text`, from its lines. It belongs to R. */
static SEXP text_of(dd_text rest)
{
    size_t size = 0;
    int inside = 0;
    dd_text all = rest, cells[DD_COLUMNS];
    for (dd_text line; all.size > 0 && (line = take_line(&all)).size > 0;) size += line.size + 1;
    char *text = R_alloc(size + 1, 1), *to = text;
    bool space = false;
    for (dd_text line; rest.size > 0 && (line = take_line(&rest)).size > 0;) {
        if (!is_word(line)) continue;
        split(line, cells);
        const char *at = cells[DD_ID].data, *end = at + cells[DD_ID].size;
        int word = (int)number(&at, end);
        if ((at < end && *at == '.') || (word <= inside)) continue;
        if (at < end) {
            at++;
            inside = (int)number(&at, end);
        }
        if (space) *to++ = ' ';
        memcpy(to, cells[DD_FORM].data, cells[DD_FORM].size);
        to += cells[DD_FORM].size;
        space = !has_no_space(cells[DD_MISC]);
    }
    return dr_string(text, (size_t)(to - text));
}

/* ---- comments ------------------------------------------------------------------------------- */

static void begin_document(frame *f, dd_text id)
{
    f->documents++;
    f->paragraph = f->sentences = f->term = 0;
    f->position = 0;
    if (Rf_isNull(f->ids)) {
        char name[32];
        int size = snprintf(name, sizeof name, "doc%d", f->documents);
        f->document = id.data ? dr_string(id.data, id.size) : dr_string(name, (size_t)size);
        return;
    }
    const char *at = id.data;
    int64_t index = id.data ? number(&at, id.data + id.size) : f->documents;
    bool known = index >= 1 && index <= XLENGTH(f->ids);
    f->document = known ? STRING_ELT(f->ids, index - 1) : NA_STRING;
}

/* The comments before the words; `rest` begins at the sentence. `kept` keeps the strings that its
 * rows share. */
static void begin_sentence(frame *f, dd_text rest, SEXP kept)
{
    dd_text all = rest, name = {NULL, 0}, id = {NULL, 0}, text = {NULL, 0}, line;
    bool document = false, paragraph = false;
    while (rest.size > 0 && (line = take_line(&rest)).size > 0 && !is_word(line)) {
        dd_text found;
        document = document || begins(line, "# newdoc");
        paragraph = paragraph || begins(line, "# newpar");
        if ((found = comment(line, "newdoc id")).data) name = found;
        if (!id.data && (found = comment(line, "sent_id")).data) id = found;
        if (!text.data && (found = comment(line, "text")).data) text = found;
    }
    if (document || f->documents == 0) {
        begin_document(f, name);
        SET_STRING_ELT(kept, 0, f->document);
    }
    f->sentences++;
    f->inside = 0;
    if (paragraph || f->paragraph == 0) f->paragraph++;
    f->sentence = text.data ? dr_string(text.data, text.size) : text_of(all);
    SET_STRING_ELT(kept, 1, f->sentence);
    if (!Rf_isNull(f->ids)) return;
    char position[32];
    int size = snprintf(position, sizeof position, "%d", f->sentences);
    f->sentence_id = id.data ? dr_string(id.data, id.size) : dr_string(position, (size_t)size);
    SET_STRING_ELT(kept, 2, f->sentence_id);
}

static SEXP make_columns(R_xlen_t rows, bool numbered)
{
    static const char *names[] = {
        "doc_id",  "paragraph_id",  "sentence_id", "sentence", "start", "end",
        "term_id", "token_id",      "token",       "lemma",    "upos",  "xpos",
        "feats",   "head_token_id", "dep_rel",     "deps",     "misc",  ""};
    SEXP columns = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < COLUMNS; i++) {
        bool whole = i == PARAGRAPH_ID || i == START || i == END || i == TERM_ID ||
                     (i == SENTENCE_ID && numbered);
        SET_VECTOR_ELT(columns, i, Rf_allocVector(whole ? INTSXP : STRSXP, rows));
    }
    UNPROTECT(1);
    return columns;
}

SEXP dr_columns(const dd_buffer *conllu, SEXP ids)
{
    dd_text rest = {conllu->data, conllu->size};
    SEXP kept = PROTECT(Rf_allocVector(STRSXP, 3));
    frame f = {.ids = ids, .columns = PROTECT(make_columns(count_rows(rest), !Rf_isNull(ids)))};
    bool inside = false;
    const void *top = vmaxget();
    while (rest.size > 0) {
        dd_text here = rest, line = take_line(&rest);
        bool counts = line.size > 0 && (is_word(line) || line.data[0] == '#');
        if (counts && !inside) begin_sentence(&f, here, kept);
        if (is_word(line)) add_row(&f, line);
        inside = counts;
        vmaxset(top);
    }
    UNPROTECT(2);
    return f.columns;
}
