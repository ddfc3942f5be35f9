/* train.c - learns the two linear classifiers of a segmenter from a treebank */
#include "core/learning.h"
#include "core/memory.h"
#include "segment/treebank_text.h"

#include <stdlib.h>
#include <string.h>

/* The table for tokens grows with the number of decisions: there are few where words stand between
 * spaces, and one for each character where they do not. */
enum { LEAST_TOKEN_BITS = 16, MOST_TOKEN_BITS = 20, SENTENCE_BITS = 19 };
/* Most tokens do not end a sentence; a larger margin for ends balances precision and recall. */
enum { TOKEN_MARGIN = 40, END_MARGIN = 30, JOINED_END_MARGIN = 50, NO_END_MARGIN = 20 };
enum { LONG_PARAGRAPH = 200 /* tokens, which have the margin of joined ones */ };

typedef struct teacher {
    dd_treebank_text text;
    uint8_t pairs[DD_SEGMENTER_PAIRS];
    uint8_t lexicon[DD_LEXICON_SIZE];
    dd_perceptron_table tokens, sentences;
    bool advises;
    dd_segments segments;
    dd_tally tally;
} teacher;

/* Weights are multiples of it where a network decides, which needs no finer ones; the model can
 * then be compressed better. With half as many weights the network would be worse. */
enum { STEP_OF_ADVICE = 256 };

/* So many bits that the table has a place for each decision. */
static int choose_bits(const teacher *t, uint64_t asked)
{
    int bits = LEAST_TOKEN_BITS;
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
static bool learn_run(teacher *t, const dd_marked_paragraph *p, const dd_run *run)
{
    const uint8_t *classes = p->chars.classes;
    uint32_t features[DD_TOKEN_FEATURES];
    int start = run->start;
    for (int at = start; at + 1 < run->end; at++) {
        bool ends = p->marks[at] & DD_TOKEN_END;
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

static void learn_sentences(teacher *t, const dd_marked_paragraph *p)
{
    const dd_segments *s = &t->segments;
    dd_sentence_state state = {0};
    uint32_t features[DD_SENTENCE_FEATURES];
    int end_margin = s->count >= LONG_PARAGRAPH ? JOINED_END_MARGIN : END_MARGIN;
    dd_pieces_look_ahead(s->pieces, s->count);
    for (int at = 0; at + 1 < s->count; at++) {
        const dd_piece *piece = &s->pieces[at];
        bool ends = p->marks[piece->end - 1] & DD_SENTENCE_END;
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
    const dd_marked_paragraph *p = &t->text.paragraphs[at];
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
         dd_perceptron_table_write(&t->tokens, t->advises ? STEP_OF_ADVICE : 1, section) &&
         dd_perceptron_table_write(&t->sentences, 1, section) &&
         dd_buffer_append(section, rules.data, rules.size);
    dd_buffer_free(&rules);
    return ok;
}

void dd_segmenter_options_init(dd_segmenter_options *options)
{
    *options = (dd_segmenter_options){
        .iterations = dd_linear_segmenter.iterations, .seed = 1, .threads = 1};
}

static dd_status train(teacher *t, dd_buffer *section, dd_sentence *const *sentences, size_t count,
                       const dd_segmenter_options *options, dd_error *error)
{
    int sentence_bits = options->sentence_bits ? options->sentence_bits : SENTENCE_BITS;
    dd_status status = dd_treebank_text_set(&t->text, sentences, count, error);
    if (status != DD_OK) return status;
    dd_treebank_text_lexicon(&t->text, t->lexicon);
    int token_bits = choose_bits(t, dd_treebank_text_pairs(&t->text, t->pairs));
    if (options->token_bits) token_bits = options->token_bits;
    if (!dd_perceptron_table_make(&t->tokens, token_bits) ||
        !dd_perceptron_table_make(&t->sentences, sentence_bits))
        return dd_fail_memory(error);
    dd_learning learning = {.component = DD_TOKENIZER,
                            .iterations = options->iterations,
                            .seed = options->seed,
                            .report = options->report,
                            .user = options->user,
                            .part = options->part,
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
    t->advises = options->advises;
    dd_status status = train(t, section, sentences, count, options, error);
    dd_treebank_text_free(&t->text);
    dd_segments_free(&t->segments);
    dd_perceptron_table_free(&t->tokens);
    dd_perceptron_table_free(&t->sentences);
    free(t);
    return status;
}

static dd_status train_linear(dd_draft *sections, dd_sentence *const *sentences, size_t count,
                              const dd_segmenter_options *options, dd_error *error)
{
    return dd_segmenter_train(dd_draft_add(sections, "tokenizer"), sentences, count, options,
                              error);
}

const dd_segmenter_kind dd_linear_segmenter = {
    .name = "linear",
    .train = train_linear,
    .iterations = 12,
    .pace = 2e6,
};
