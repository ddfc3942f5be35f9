#include "neural/coder.h"

#include "core/memory.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static const dd_column columns_of[] = {DD_FORM, DD_LEMMA, DD_UPOS, DD_XPOS,
                                       DD_FORM, DD_FEATS, DD_FORM};

void dd_coder_free(dd_coder *coder)
{
    for (int i = 0; i < DD_INPUTS; i++) dd_vocab_free(&coder->symbols[i]);
    *coder = (dd_coder){0};
}

static void free_spellings(dd_spellings *spellings)
{
    dd_vocab_free(&spellings->forms);
    free(spellings->characters);
    free(spellings->first);
    *spellings = (dd_spellings){0};
}

void dd_codes_free(dd_codes *codes)
{
    free(codes->sentences);
    free_spellings(&codes->spellings);
    free(codes->numbers);
    *codes = (dd_codes){0};
}

void dd_census_free(dd_census *census)
{
    for (int i = 0; i < DD_INPUTS; i++) {
        dd_vocab_free(&census->found[i]);
        free(census->counts[i]);
    }
    *census = (dd_census){0};
}

/* ---- pieces of a cell --------------------------------------------------------------------- */

/* Cuts the first character off; one byte where that is not valid UTF-8. */
static dd_text cut_character(dd_text *rest, int32_t *code)
{
    size_t size;
    *code = dd_char_first(*rest, &size);
    dd_text character = {rest->data, size};
    *rest = dd_text_skip(*rest, size);
    return character;
}

static dd_text cut_feature(dd_text *rest)
{
    const char *bar = memchr(rest->data, '|', rest->size);
    dd_text feature = {rest->data, bar ? (size_t)(bar - rest->data) : rest->size};
    size_t used = feature.size + (bar != NULL);
    *rest = (dd_text){rest->data + used, rest->size - used};
    return feature;
}

dd_text dd_lower(dd_text form, uint8_t room[DD_MAX_LOWER])
{
    size_t size = 0;
    for (int i = 0; form.size > 0 && i < DD_MAX_CHARACTERS; i++) {
        int32_t code = -1;
        dd_text character = cut_character(&form, &code);
        if (code < 0)
            room[size++] = (uint8_t)character.data[0];
        else
            size += (size_t)utf8proc_encode_char(utf8proc_tolower(code), room + size);
    }
    return (dd_text){(const char *)room, size};
}

static dd_text cell_of(const dd_sentence *sentence, int word, int input, uint32_t columns)
{
    bool used = columns >> columns_of[input] & 1;
    return used ? dd_cell(sentence, word, columns_of[input]) : (dd_text){"_", 1};
}

/* ---- counting ----------------------------------------------------------------------------- */

static bool count(dd_census *census, int input, dd_text symbol)
{
    int known = census->found[input].count, id = dd_vocab_add(&census->found[input], symbol);
    if (id < 0 || !DD_RESERVE(&census->counts[input], &census->capacity[input], (size_t)id + 1))
        return false;
    if (id == known) census->counts[input][id] = 0;
    census->counts[input][id]++;
    return true;
}

static bool count_word(dd_census *census, const dd_sentence *sentence, int word, uint32_t columns)
{
    uint8_t room[DD_MAX_LOWER];
    int32_t code;
    for (int input = DD_INPUT_FORM; input < DD_INPUT_VECTOR; input++) {
        dd_text cell = cell_of(sentence, word, input, columns);
        if (input == DD_INPUT_FORM) cell = dd_lower(cell, room);
        if (!count(census, input, cell)) return false;
    }
    for (dd_text rest = cell_of(sentence, word, DD_INPUT_FEATS, columns); rest.size > 0;)
        if (!count(census, DD_INPUT_FEATS, cut_feature(&rest))) return false;
    for (dd_text rest = cell_of(sentence, word, DD_INPUT_CHARS, columns); rest.size > 0;)
        if (!count(census, DD_INPUT_CHARS, cut_character(&rest, &code))) return false;
    return true;
}

bool dd_census_add(dd_census *census, const dd_sentence *sentence, uint32_t columns)
{
    for (int word = 1; word <= sentence->n; word++)
        if (!count_word(census, sentence, word, columns)) return false;
    return true;
}

/* No cell is empty or has a tab. */
bool dd_add_common_symbols(dd_vocab *symbols)
{
    return dd_vocab_add(symbols, (dd_text){"", 0}) == DD_SYMBOL_UNKNOWN &&
           dd_vocab_add(symbols, (dd_text){"\t", 1}) == DD_SYMBOL_ROOT;
}

bool dd_coder_set(dd_coder *coder, const dd_census *census, uint32_t columns, uint32_t inputs,
                  const uint32_t least[DD_INPUTS])
{
    coder->columns = columns;
    for (int input = 0; input < DD_INPUTS; input++) {
        if (!(inputs >> input & 1) || !(columns >> columns_of[input] & 1)) continue;
        if (!dd_add_common_symbols(&coder->symbols[input])) return false;
        for (int id = 0; id < census->found[input].count; id++)
            if (census->counts[input][id] >= least[input] &&
                dd_vocab_add(&coder->symbols[input], dd_vocab_text(&census->found[input], id)) < 0)
                return false;
    }
    return true;
}

uint32_t dd_coder_columns(uint32_t inputs)
{
    uint32_t columns = 0;
    for (int input = 0; input < DD_INPUTS; input++)
        if (inputs >> input & 1) columns |= 1u << columns_of[input];
    return columns;
}

/* ---- coding ------------------------------------------------------------------------------- */

static uint32_t symbol_of(const dd_coder *coder, int input, dd_text text)
{
    int id = dd_vocab_find(&coder->symbols[input], text);
    return id < 0 ? DD_SYMBOL_UNKNOWN : (uint32_t)id;
}

static uint32_t symbol_of_word(const dd_coder *coder, int input, const dd_sentence *sentence,
                               int word)
{
    uint8_t room[DD_MAX_LOWER];
    if (coder->symbols[input].count == 0) return DD_SYMBOL_UNKNOWN;
    dd_text cell = cell_of(sentence, word, input, coder->columns);
    if (columns_of[input] == DD_FORM) cell = dd_lower(cell, room);
    return symbol_of(coder, input, cell);
}

static bool add_character(dd_spellings *spellings, uint32_t symbol)
{
    if (!DD_RESERVE(&spellings->characters, &spellings->characters_capacity, spellings->used + 1))
        return false;
    spellings->characters[spellings->used++] = symbol;
    return true;
}

/* The form's number; -1 if allocation fails. */
static int spell(dd_spellings *spellings, const dd_coder *coder, dd_text form, bool root)
{
    int known = spellings->forms.count, type = dd_vocab_add(&spellings->forms, form);
    int32_t code;
    if (type < known) return type;
    if (!DD_RESERVE(&spellings->first, &spellings->first_capacity, (size_t)type + 2)) return -1;
    spellings->first[type] = (uint32_t)spellings->used;
    dd_text rest = form;
    if (root && !add_character(spellings, DD_SYMBOL_ROOT)) return -1;
    for (int i = 0; !root && i < DD_MAX_CHARACTERS && (rest.size > 0 || i == 0); i++) {
        uint32_t symbol = rest.size > 0
                              ? symbol_of(coder, DD_INPUT_CHARS, cut_character(&rest, &code))
                              : DD_SYMBOL_UNKNOWN;
        if (!add_character(spellings, symbol)) return -1;
    }
    spellings->first[type + 1] = (uint32_t)spellings->used;
    spellings->count = (uint32_t)type + 1;
    return type;
}

static bool add_number(dd_codes *codes, uint32_t number)
{
    if (!DD_RESERVE(&codes->numbers, &codes->numbers_capacity, codes->used + 1)) return false;
    codes->numbers[codes->used++] = number;
    return true;
}

/* Runs of n + 1 numbers for the symbols and the type, then n + 2 starts of features, then the
 * features. */
static bool code_sentence(dd_codes *codes, const dd_coder *coder, const dd_sentence *sentence)
{
    size_t starts = codes->used + (DD_INPUT_FEATS + 1) * ((size_t)sentence->n + 1);
    for (int input = 0; input < DD_INPUT_FEATS; input++)
        for (int node = 0; node <= sentence->n; node++) {
            uint32_t symbol = DD_SYMBOL_ROOT;
            if (node > 0) symbol = symbol_of_word(coder, input, sentence, node);
            if (!add_number(codes, symbol)) return false;
        }
    for (int node = 0; node <= sentence->n; node++) {
        dd_text form =
            node ? cell_of(sentence, node, DD_INPUT_CHARS, coder->columns) : (dd_text){"\t", 1};
        int type = spell(&codes->spellings, coder, form, node == 0);
        if (type < 0 || !add_number(codes, (uint32_t)type)) return false;
    }
    for (int i = 0; i < sentence->n + 2; i++)
        if (!add_number(codes, 0)) return false;
    size_t features = codes->used;
    for (int node = 0; node <= sentence->n; node++) {
        if (node == 0 && !add_number(codes, DD_SYMBOL_ROOT)) return false;
        dd_text rest =
            node ? cell_of(sentence, node, DD_INPUT_FEATS, coder->columns) : (dd_text){NULL, 0};
        while (rest.size > 0)
            if (!add_number(codes, symbol_of(coder, DD_INPUT_FEATS, cut_feature(&rest))))
                return false;
        codes->numbers[starts + (size_t)node + 1] = (uint32_t)(codes->used - features);
    }
    return true;
}

/* Numbers move while they are added, so that those of the sentences from `first` on, which start
 * there, are pointed at in the end. */
static void point(dd_codes *codes, size_t first, const uint32_t *at)
{
    for (size_t i = first; i < codes->count; i++) {
        dd_coded *coded = &codes->sentences[i];
        size_t nodes = (size_t)coded->n + 1;
        for (int input = 0; input < DD_INPUT_FEATS; input++)
            coded->symbols[input] = at + (size_t)input * nodes;
        coded->types = at + DD_INPUT_FEATS * nodes;
        coded->first_feature = at + (DD_INPUT_FEATS + 1) * nodes;
        coded->features = coded->first_feature + nodes + 1;
        at = coded->features + coded->first_feature[nodes];
    }
}

bool dd_codes_set(dd_codes *codes, const dd_coder *coder, const dd_sentence *const *sentences,
                  size_t count)
{
    free_spellings(&codes->spellings);
    codes->used = 0;
    codes->count = count;
    if (!DD_RESERVE(&codes->sentences, &codes->sentences_capacity, count)) return false;
    for (size_t i = 0; i < count; i++) {
        codes->sentences[i].n = sentences[i]->n;
        if (!code_sentence(codes, coder, sentences[i])) return false;
    }
    point(codes, 0, codes->numbers);
    return true;
}

/* Counts a sentence of n words, whose numbers were added from `start` on; they may have moved. */
static void count_sentence(dd_codes *codes, int n, uintptr_t before, size_t start)
{
    size_t last = codes->count++;
    codes->sentences[last].n = n;
    bool moved = (uintptr_t)codes->numbers != before;
    point(codes, moved ? 0 : last, codes->numbers + (moved ? 0 : start));
}

bool dd_codes_add(dd_codes *codes, const dd_coder *coder, const dd_sentence *sentence)
{
    uintptr_t before = (uintptr_t)codes->numbers;
    size_t start = codes->used;
    if (!DD_RESERVE(&codes->sentences, &codes->sentences_capacity, codes->count + 1) ||
        !code_sentence(codes, coder, sentence))
        return false;
    count_sentence(codes, sentence->n, before, start);
    return true;
}

/* ---- nodes whose symbols are known ---------------------------------------------------------- */

bool dd_codes_begin(dd_codes *codes)
{
    dd_spellings *s = &codes->spellings;
    codes->used = codes->count = 0;
    if (!DD_RESERVE(&s->first, &s->first_capacity, 2)) return false;
    s->first[0] = s->first[1] = 0;
    s->count = 1;
    return true;
}

static void put_nodes(uint32_t *to, const dd_node_symbols *nodes, int count)
{
    for (int input = 0; input < DD_INPUT_FEATS; input++)
        for (int i = 0; i < count; i++) *to++ = nodes[i].symbols[input];
    for (int i = 0; i < count; i++) *to++ = 0; /* the form */
    uint32_t *starts = to, *features = to + count + 1, used = 0;
    for (int i = 0; i < count; i++) {
        starts[i] = used;
        for (int k = 0; k < nodes[i].n_features; k++) features[used++] = nodes[i].features[k];
    }
    starts[count] = used;
}

bool dd_codes_add_nodes(dd_codes *codes, const dd_node_symbols *nodes, int count)
{
    uintptr_t before = (uintptr_t)codes->numbers;
    size_t start = codes->used, need = (DD_INPUT_FEATS + 2) * (size_t)count + 1;
    for (int i = 0; i < count; i++) need += (size_t)nodes[i].n_features;
    if (!DD_RESERVE(&codes->sentences, &codes->sentences_capacity, codes->count + 1) ||
        !DD_RESERVE(&codes->numbers, &codes->numbers_capacity, start + need))
        return false;
    put_nodes(codes->numbers + start, nodes, count);
    codes->used += need;
    count_sentence(codes, count - 1, before, start);
    return true;
}

/* Forms are numbered as they come. */
static uint32_t count_types(const dd_codes *codes)
{
    uint32_t most = 0;
    for (size_t i = 0; i < codes->count; i++)
        for (int node = 0; node <= codes->sentences[i].n; node++)
            if (codes->sentences[i].types[node] >= most) most = codes->sentences[i].types[node] + 1;
    return most;
}

void dd_codes_forget(dd_codes *codes, size_t count)
{
    dd_spellings *spellings = &codes->spellings;
    if (count >= codes->count) return;
    codes->used = (size_t)(codes->sentences[count].symbols[0] - codes->numbers);
    codes->count = count;
    spellings->count = count_types(codes);
    dd_vocab_cut(&spellings->forms, (int)spellings->count);
    spellings->used = spellings->count ? spellings->first[spellings->count] : 0;
}

/* ---- the section -------------------------------------------------------------------------- */

/* One line a symbol, an empty line after each input; tabs and line ends are in no cell. */
static bool write_symbols(const dd_vocab *symbols, dd_buffer *section)
{
    for (int id = DD_SYMBOL_ROOT + 1; id < symbols->count; id++) {
        dd_text text = dd_vocab_text(symbols, id);
        if (!dd_buffer_append(section, text.data, text.size) || !dd_buffer_text(section, "\n"))
            return false;
    }
    return dd_buffer_text(section, "\n");
}

bool dd_coder_write(const dd_coder *coder, dd_buffer *section)
{
    const dd_vocab none = {0};
    for (int input = 0; input < DD_INPUTS; input++)
        if (!write_symbols(input == DD_INPUT_VECTOR ? &none : &coder->symbols[input], section))
            return false;
    return true;
}

bool dd_coder_write_vectors(const dd_coder *coder, dd_buffer *section)
{
    return write_symbols(&coder->symbols[DD_INPUT_VECTOR], section);
}

/* Takes a list off the section. */
static dd_status read_symbols(dd_vocab *symbols, bool used, dd_text *section, dd_error *error)
{
    if (used && !dd_add_common_symbols(symbols)) return dd_fail_memory(error);
    for (;;) {
        const char *end = section->size ? memchr(section->data, '\n', section->size) : NULL;
        if (!end) return dd_fail(error, DD_ERROR_MODEL, "the list of symbols is damaged");
        dd_text line = {section->data, (size_t)(end - section->data)};
        *section = (dd_text){end + 1, section->size - line.size - 1};
        if (line.size == 0) return DD_OK;
        int known = symbols->count, id = dd_vocab_add(symbols, line);
        if (id < 0) return dd_fail_memory(error);
        if (!used || id != known)
            return dd_fail(error, DD_ERROR_MODEL, "the list of symbols is damaged");
    }
}

dd_status dd_coder_read(dd_coder *coder, dd_text section, dd_text vector_words, uint32_t columns,
                        const uint32_t vocabulary[DD_INPUTS], dd_error *error)
{
    dd_status status = DD_OK;
    coder->columns = columns;
    for (int input = 0; input < DD_INPUTS && status == DD_OK; input++) {
        dd_vocab *symbols = &coder->symbols[input];
        bool used = vocabulary[input] > 0 && columns >> columns_of[input] & 1;
        bool elsewhere = input == DD_INPUT_VECTOR;
        status = read_symbols(symbols, used && !elsewhere, &section, error);
        if (status == DD_OK && used && elsewhere)
            status = read_symbols(symbols, true, &vector_words, error);
    }
    return status;
}
