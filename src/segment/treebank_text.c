#include "segment/treebank_text.h"

#include "core/memory.h"
#include "core/strings.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_TOKENS = 4 /* of a form, to be in the lexicon */ };
/* If fewer than one in so many is a token end, these are spelling mistakes: "alot", "everyday". */
enum { RARE = 2000 };
enum { JOINED = 16 /* paragraphs in a stretch */ };

void dd_treebank_text_free(dd_treebank_text *c)
{
    for (size_t i = 0; i < c->count; i++) {
        dd_chars_free(&c->paragraphs[i].chars);
        free(c->paragraphs[i].marks);
    }
    free(c->paragraphs);
    dd_text_layout_free(&c->layout);
    dd_multiword_learner_free(c->multiword);
    dd_chars_free(&c->form);
    free(c->tags);
}

static bool add_char(dd_marked_paragraph *p, uint32_t code, uint8_t class)
{
    size_t at = (size_t)p->chars.count;
    if (!DD_RESERVE(&p->marks, &p->capacity, at + 1)) return false;
    p->marks[at] = 0;
    return dd_chars_add(&p->chars, code, class, 0, 0);
}

/* White space ends a token, whatever the treebank says, and several spaces are one. */
static bool add_space(dd_marked_paragraph *p)
{
    int count = p->chars.count;
    if (count == 0 || p->chars.classes[count - 1] == DD_CHAR_SPACE) return true;
    p->marks[count - 1] |= DD_TOKEN_END;
    return add_char(p, ' ', DD_CHAR_SPACE);
}

static bool add_form(dd_marked_paragraph *p, dd_text form)
{
    for (size_t at = 0; at < form.size;) {
        uint32_t code;
        bool broken;
        at += dd_char_decode(form.data + at, form.size - at, &code, &broken);
        dd_char_class class = dd_char_classify(code);
        if (!(class == DD_CHAR_SPACE ? add_space(p) : add_char(p, code, (uint8_t) class)))
            return false;
    }
    if (p->chars.count > 0) p->marks[p->chars.count - 1] |= DD_TOKEN_END;
    return true;
}

/* Steps over white space in `# text`; true if there was some. */
static bool skip_space(dd_text *text)
{
    bool any = false;
    while (text->size > 0) {
        uint32_t code;
        bool broken;
        size_t used = dd_char_decode(text->data, text->size, &code, &broken);
        if (dd_char_classify(code) != DD_CHAR_SPACE) break;
        *text = (dd_text){text->data + used, text->size - used};
        any = true;
    }
    return any;
}

/* Takes each token's space_after from `# text`, where the tokens can be found in it. */
static void use_text(dd_text_layout *layout)
{
    dd_text rest = layout->text;
    skip_space(&rest);
    for (int i = 0; i < layout->count; i++) {
        dd_text form = layout->tokens[i].form;
        if (rest.size < form.size || memcmp(rest.data, form.data, form.size) != 0) return;
        rest = (dd_text){rest.data + form.size, rest.size - form.size};
        bool space = skip_space(&rest);
        if (i + 1 < layout->count) layout->tokens[i].space_after = space;
    }
}

static bool learn_multiword(dd_treebank_text *c, const dd_sentence *sentence,
                            const dd_text_layout_token *token)
{
    dd_text words[DD_MULTIWORD_MOST_WORDS];
    int count = token->last - token->first + 1;
    if (count > DD_MULTIWORD_MOST_WORDS) return true;
    for (int i = 0; i < count; i++) words[i] = dd_cell(sentence, token->first + i, DD_FORM);
    return dd_multiword_learn(c->multiword, token->form, words, count);
}

/* The tags of Universal Dependencies; others have the number 0. */
static size_t number_tag(dd_text tag)
{
    static const char *const names[DD_LEXICON_TAGS] = {
        "",    "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN",
        "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"};
    for (size_t i = 1; i < DD_LEXICON_TAGS; i++)
        if (dd_text_is(tag, names[i])) return i;
    return 0;
}

static bool learn_tag(dd_treebank_text *c, const dd_sentence *sentence,
                      const dd_text_layout_token *token)
{
    c->form.count = 0;
    for (size_t at = 0; at < token->form.size;) {
        uint32_t code;
        bool broken;
        at += dd_char_decode(token->form.data + at, token->form.size - at, &code, &broken);
        if (!dd_chars_add(&c->form, code, (uint8_t)dd_char_classify(code), 0, 0)) return false;
    }
    dd_piece piece = {.end = c->form.count};
    dd_piece_describe(&c->form, NULL, &piece);
    size_t tag = number_tag(dd_cell(sentence, token->first, DD_UPOS));
    c->tags[dd_lexicon_at(piece.lower) * DD_LEXICON_TAGS + tag]++;
    return true;
}

static bool begin_paragraph(dd_treebank_text *c, size_t *which)
{
    if (!DD_RESERVE(&c->paragraphs, &c->capacity, c->count + 1)) return false;
    *which = c->count;
    c->paragraphs[c->count++] = (dd_marked_paragraph){.open = true};
    return true;
}

/* Where no spaces separate words, often none separate sentences either, but many treebanks write a
 * space between all sentences. */
static bool is_unspaced(const dd_text_layout *layout)
{
    int joined = 0;
    for (int i = 0; i + 1 < layout->count; i++) joined += !layout->tokens[i].space_after;
    return layout->count > 4 && 2 * joined > layout->count;
}

static bool append_layout(dd_marked_paragraph *p, const dd_text_layout *layout, bool even)
{
    if (!p->open && !add_space(p)) return false;
    for (int i = 0; i < layout->count; i++) {
        const dd_text_layout_token *token = &layout->tokens[i];
        if (!add_form(p, token->form)) return false;
        if (i + 1 < layout->count && token->space_after && !add_space(p)) return false;
        p->open = !token->space_after;
    }
    if (p->chars.count > 0) p->marks[p->chars.count - 1] |= DD_SENTENCE_END;
    if (even && is_unspaced(layout)) p->open = true;
    return true;
}

static bool add_sentence(dd_treebank_text *c, const dd_sentence *sentence)
{
    dd_text_layout *layout = &c->layout;
    if (!dd_text_layout_set(layout, sentence)) return false;
    if (layout->text.data) use_text(layout);
    c->spaced |= dd_text_layout_tells_spaces(layout);
    for (int i = 0; i < layout->count; i++) {
        if (!learn_multiword(c, sentence, &layout->tokens[i]) ||
            !learn_tag(c, sentence, &layout->tokens[i]))
            return false;
    }
    bool first = c->count == 0;
    if ((first || layout->paragraph) && !begin_paragraph(c, &c->alone)) return false;
    if (layout->paragraph && !first && c->joined_count++ % JOINED == 0 &&
        !begin_paragraph(c, &c->joined))
        return false;
    bool even = c->sentences++ % 2 == 0;
    return append_layout(&c->paragraphs[c->alone], layout, even) &&
           (c->joined_count == 0 || append_layout(&c->paragraphs[c->joined], layout, !even));
}

dd_status dd_treebank_text_set(dd_treebank_text *c, dd_sentence *const *sentences, size_t count,
                               dd_error *error)
{
    *c = (dd_treebank_text){0};
    bool ok = (c->multiword = dd_multiword_learner_new()) &&
              (c->tags = dd_calloc(DD_LEXICON_SIZE * DD_LEXICON_TAGS, sizeof(uint32_t)));
    for (size_t i = 0; i < count && ok; i++) ok = add_sentence(c, sentences[i]);
    if (!ok) return dd_fail_memory(error);
    if (!c->spaced)
        return dd_fail(error, DD_ERROR_DATA,
                       "a tokenizer cannot be trained: no sentence has '# text' or SpaceAfter=No");
    return DD_OK;
}

void dd_treebank_text_lexicon(const dd_treebank_text *c, uint8_t lexicon[DD_LEXICON_SIZE])
{
    for (size_t form = 0; form < DD_LEXICON_SIZE; form++) {
        const uint32_t *counts = c->tags + form * DD_LEXICON_TAGS;
        uint32_t best = 0, tokens = counts[0];
        for (uint32_t tag = 1; tag < DD_LEXICON_TAGS; tag++) {
            tokens += counts[tag];
            if (counts[tag] > counts[best]) best = tag;
        }
        lexicon[form] = tokens >= LEAST_TOKENS ? (uint8_t)best : 0;
    }
}

uint64_t dd_treebank_text_pairs(const dd_treebank_text *c, uint8_t pairs[DD_SEGMENTER_PAIRS])
{
    uint64_t asked = 0;
    uint64_t seen[DD_SEGMENTER_PAIRS] = {0}, ends[DD_SEGMENTER_PAIRS] = {0};
    for (size_t k = 0; k < c->count; k++) {
        const dd_marked_paragraph *p = &c->paragraphs[k];
        for (int i = 0; i + 1 < p->chars.count; i++) {
            size_t pair = (size_t)p->chars.classes[i] * DD_CHAR_CLASSES + p->chars.classes[i + 1];
            seen[pair]++;
            ends[pair] += p->marks[i] & DD_TOKEN_END;
        }
    }
    for (size_t pair = 0; pair < DD_SEGMENTER_PAIRS; pair++) {
        bool space = pair % DD_CHAR_CLASSES == DD_CHAR_SPACE;
        pairs[pair] = !space && (seen[pair] == 0 || ends[pair] * RARE > seen[pair]);
        asked += pairs[pair] ? seen[pair] : 0;
    }
    return asked;
}
