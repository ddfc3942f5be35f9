/* train.c - learns a segmenter from a treebank
 *
 *     sentences -> paragraphs of characters with marks where tokens and sentences end -> weights */
#include "core/learning.h"
#include "core/memory.h"
#include "core/strings.h"
#include "segment/running_text.h"
#include "segment/segmenter.h"

#include <stdlib.h>
#include <string.h>

enum { TOKEN_END = 1, SENTENCE_END = 2 };
/* The table for tokens grows with the number of decisions: there are few where words stand between
 * spaces, and one for each character where they do not. */
enum { LEAST_TOKEN_BITS = 16, MOST_TOKEN_BITS = 20, SENTENCE_BITS = 19 };
/* Most tokens do not end a sentence; a larger margin for ends balances precision and recall. */
enum { TOKEN_MARGIN = 40, END_MARGIN = 30, JOINED_END_MARGIN = 50, NO_END_MARGIN = 20 };
enum { LONG_PARAGRAPH = 200 /* tokens, which have the margin of joined ones */ };
enum { LEAST_TOKENS = 4 /* of a form, to be in the lexicon */ };
/* If fewer than one in so many is a token end, these are spelling mistakes: "alot", "everyday". */
enum { RARE = 2000 };
enum { JOINED = 16 /* paragraphs in a stretch */ };

typedef struct paragraph {
    dd_chars chars;
    uint8_t *marks; /* [chars.count] behind the character */
    size_t capacity;
    bool open; /* the last sentence was not followed by white space */
} paragraph;

typedef struct corpus {
    paragraph *paragraphs; /* [count] */
    size_t count, capacity;
    dd_text_layout layout;
    dd_multiword_learner *multiword;
    uint32_t *tags; /* [DD_LEXICON_SIZE][DD_LEXICON_TAGS] tokens of forms with each tag */
    dd_chars form;  /* the current form */
    bool spaced;    /* some `# text` or SpaceAfter=No was seen */
    /* Text comes with and without marks of paragraphs, so each sentence is learnt from twice: in
     * its paragraph, and in a stretch of several. Numbers in `paragraphs`. */
    size_t alone, joined;
    int joined_count; /* paragraphs in stretches so far */
    uint64_t sentences;
} corpus;

/* ---- the text ----------------------------------------------------------------------------- */

static void free_corpus(corpus *c)
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

static bool add_char(paragraph *p, uint32_t code, uint8_t class)
{
    size_t at = (size_t)p->chars.count;
    if (!DD_RESERVE(&p->marks, &p->capacity, at + 1)) return false;
    p->marks[at] = 0;
    return dd_chars_add(&p->chars, code, class, 0, 0);
}

/* White space ends a token, whatever the treebank says, and several spaces are one. */
static bool add_space(paragraph *p)
{
    int count = p->chars.count;
    if (count == 0 || p->chars.classes[count - 1] == DD_CHAR_SPACE) return true;
    p->marks[count - 1] |= TOKEN_END;
    return add_char(p, ' ', DD_CHAR_SPACE);
}

static bool add_form(paragraph *p, dd_text form)
{
    for (size_t at = 0; at < form.size;) {
        uint32_t code;
        bool broken;
        at += dd_char_decode(form.data + at, form.size - at, &code, &broken);
        dd_char_class class = dd_char_classify(code);
        if (!(class == DD_CHAR_SPACE ? add_space(p) : add_char(p, code, (uint8_t) class)))
            return false;
    }
    if (p->chars.count > 0) p->marks[p->chars.count - 1] |= TOKEN_END;
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

static bool learn_multiword(corpus *c, const dd_sentence *sentence,
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

static bool learn_tag(corpus *c, const dd_sentence *sentence, const dd_text_layout_token *token)
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

static bool begin_paragraph(corpus *c, size_t *which)
{
    if (!DD_RESERVE(&c->paragraphs, &c->capacity, c->count + 1)) return false;
    *which = c->count;
    c->paragraphs[c->count++] = (paragraph){.open = true};
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

static bool append_layout(paragraph *p, const dd_text_layout *layout, bool even)
{
    if (!p->open && !add_space(p)) return false;
    for (int i = 0; i < layout->count; i++) {
        const dd_text_layout_token *token = &layout->tokens[i];
        if (!add_form(p, token->form)) return false;
        if (i + 1 < layout->count && token->space_after && !add_space(p)) return false;
        p->open = !token->space_after;
    }
    if (p->chars.count > 0) p->marks[p->chars.count - 1] |= SENTENCE_END;
    if (even && is_unspaced(layout)) p->open = true;
    return true;
}

static bool add_sentence(corpus *c, const dd_sentence *sentence)
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

/* ---- learning ----------------------------------------------------------------------------- */

typedef struct teacher {
    corpus text;
    uint8_t pairs[DD_SEGMENTER_PAIRS];
    uint8_t lexicon[DD_LEXICON_SIZE];
    dd_perceptron_table tokens, sentences;
    dd_segments segments;
    dd_tally tally;
} teacher;

static void make_lexicon(teacher *t)
{
    for (size_t form = 0; form < DD_LEXICON_SIZE; form++) {
        const uint32_t *counts = t->text.tags + form * DD_LEXICON_TAGS;
        uint32_t best = 0, tokens = counts[0];
        for (uint32_t tag = 1; tag < DD_LEXICON_TAGS; tag++) {
            tokens += counts[tag];
            if (counts[tag] > counts[best]) best = tag;
        }
        t->lexicon[form] = tokens >= LEAST_TOKENS ? (uint8_t)best : 0;
    }
}

/* Finds the pairs of classes between which tokens can end, and the size of the table. */
static int find_pairs(teacher *t)
{
    uint64_t asked = 0;
    int bits = LEAST_TOKEN_BITS;
    uint64_t seen[DD_SEGMENTER_PAIRS] = {0}, ends[DD_SEGMENTER_PAIRS] = {0};
    for (size_t k = 0; k < t->text.count; k++) {
        const paragraph *p = &t->text.paragraphs[k];
        for (int i = 0; i + 1 < p->chars.count; i++) {
            size_t pair = (size_t)p->chars.classes[i] * DD_CHAR_CLASSES + p->chars.classes[i + 1];
            seen[pair]++;
            ends[pair] += p->marks[i] & TOKEN_END;
        }
    }
    for (size_t pair = 0; pair < DD_SEGMENTER_PAIRS; pair++) {
        bool space = pair % DD_CHAR_CLASSES == DD_CHAR_SPACE;
        t->pairs[pair] = !space && (seen[pair] == 0 || ends[pair] * RARE > seen[pair]);
        asked += t->pairs[pair] ? seen[pair] : 0;
    }
    if (t->text.joined_count == 0) asked *= 2; /* each sentence is there once */
    while (bits < MOST_TOKEN_BITS && (UINT64_C(1) << bits) < asked) bits++;
    return bits;
}

static void learn(teacher *t, dd_perceptron_table *table, const uint32_t *features, int count,
                  bool answer, int margin)
{
    t->tally.right += dd_perceptron_table_learn(table, features, count, answer, margin);
    t->tally.asked++;
}

/* Learns where the tokens of a run end, and lists them. */
static bool learn_run(teacher *t, const paragraph *p, const dd_run *run)
{
    const uint8_t *classes = p->chars.classes;
    uint32_t features[DD_TOKEN_FEATURES];
    int start = run->start;
    for (int at = start; at + 1 < run->end; at++) {
        bool ends = p->marks[at] & TOKEN_END;
        if (dd_pair_is_asked(t->pairs, classes[at], classes[at + 1])) {
            dd_token_features(&p->chars, run, start, at, features);
            learn(t, &t->tokens, features, DD_TOKEN_FEATURES, ends, TOKEN_MARGIN);
        }
        if (!ends) continue;
        if (!dd_segments_add(&t->segments, &p->chars, t->lexicon, start, at + 1)) return false;
        start = at + 1;
    }
    return dd_segments_add(&t->segments, &p->chars, t->lexicon, start, run->end);
}

static void learn_sentences(teacher *t, const paragraph *p)
{
    const dd_segments *s = &t->segments;
    dd_sentence_state state = {0};
    uint32_t features[DD_SENTENCE_FEATURES];
    int end_margin = s->count >= LONG_PARAGRAPH ? JOINED_END_MARGIN : END_MARGIN;
    dd_pieces_look_ahead(s->pieces, s->count);
    for (int at = 0; at + 1 < s->count; at++) {
        const dd_piece *piece = &s->pieces[at];
        bool ends = p->marks[piece->end - 1] & SENTENCE_END;
        dd_sentence_state_add(&state, piece, p->chars.codes[piece->start]);
        dd_sentence_features(s->pieces, s->count, at, &state, features);
        learn(t, &t->sentences, features, DD_SENTENCE_FEATURES, ends,
              ends ? end_margin : NO_END_MARGIN);
        if (ends) dd_sentence_state_begin(&state, at + 1, piece->last);
    }
}

static bool learn_paragraph(void *learner, size_t at)
{
    teacher *t = learner;
    const paragraph *p = &t->text.paragraphs[at];
    t->segments.count = 0;
    for (dd_run run = {.end = 0};;) {
        run = dd_run_find(&p->chars, run.end);
        if (run.start == run.end) break;
        if (!learn_run(t, p, &run)) return false;
    }
    learn_sentences(t, p);
    return true;
}

static bool write_section(void *learner, dd_buffer *section)
{
    teacher *t = learner;
    dd_buffer rules = {0};
    bool ok = dd_multiword_write(t->text.multiword, &rules);
    dd_segmenter_header header = {.version = DD_SEGMENTER_VERSION,
                                  .token_bits = (uint32_t)t->tokens.bits,
                                  .sentence_bits = (uint32_t)t->sentences.bits,
                                  .rules = (uint32_t)rules.size};
    ok = ok && rules.size <= UINT32_MAX && dd_buffer_append(section, &header, sizeof header) &&
         dd_buffer_append(section, t->pairs, sizeof t->pairs) &&
         dd_buffer_append(section, t->lexicon, sizeof t->lexicon) &&
         dd_perceptron_table_write(&t->tokens, section) &&
         dd_perceptron_table_write(&t->sentences, section) &&
         dd_buffer_append(section, rules.data, rules.size);
    dd_buffer_free(&rules);
    return ok;
}

void dd_segmenter_options_init(dd_segmenter_options *options)
{
    *options = (dd_segmenter_options){.iterations = 12, .seed = 1};
}

static dd_status train(teacher *t, dd_buffer *section, dd_sentence *const *sentences, size_t count,
                       const dd_segmenter_options *options, dd_error *error)
{
    int sentence_bits = options->sentence_bits ? options->sentence_bits : SENTENCE_BITS;
    bool ok = dd_perceptron_table_make(&t->sentences, sentence_bits) &&
              (t->text.multiword = dd_multiword_learner_new()) &&
              (t->text.tags = dd_calloc(DD_LEXICON_SIZE * DD_LEXICON_TAGS, sizeof(uint32_t)));
    for (size_t i = 0; i < count && ok; i++) ok = add_sentence(&t->text, sentences[i]);
    if (!ok) return dd_fail_memory(error);
    if (!t->text.spaced)
        return dd_fail(error, DD_ERROR_DATA,
                       "a tokenizer cannot be trained: no sentence has '# text' or SpaceAfter=No");
    make_lexicon(t);
    int token_bits = find_pairs(t);
    if (options->token_bits) token_bits = options->token_bits;
    if (!dd_perceptron_table_make(&t->tokens, token_bits)) return dd_fail_memory(error);
    dd_learning learning = {.component = DD_TOKENIZER,
                            .iterations = options->iterations,
                            .seed = options->seed,
                            .report = options->report,
                            .user = options->user,
                            .examples = t->text.count,
                            .tally = &t->tally,
                            .learner = t,
                            .learn = learn_paragraph,
                            .write = write_section};
    return dd_learn(&learning, section, error);
}

dd_status dd_segmenter_train(dd_buffer *section, dd_sentence *const *sentences, size_t count,
                             const dd_segmenter_options *options, dd_error *error)
{
    teacher *t = dd_calloc(1, sizeof *t);
    if (!t) return dd_fail_memory(error);
    dd_status status = train(t, section, sentences, count, options, error);
    free_corpus(&t->text);
    dd_segments_free(&t->segments);
    dd_perceptron_table_free(&t->tokens);
    dd_perceptron_table_free(&t->sentences);
    free(t);
    return status;
}
