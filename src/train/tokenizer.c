/* tokenizer.c - trains the tokenizer, of the kind that cuts the dev text best where that is open
 *
 *     treebank -> linear, neural -> each cuts the text of dev -> F1 of tokens and sentences -> one
 */
#include "core/memory.h"
#include "core/status.h"
#include "score/learner.h"
#include "segment/chars.h"
#include "segment/running_text.h"
#include "text/io.h"
#include "train/components.h"

#include <stdlib.h>
#include <string.h>

static bool is_auto(const dd_train_options *options)
{
    return !options->tokenizer || strcmp(options->tokenizer, "auto") == 0;
}

const dd_segmenter_kind *dd_components_segmenter(const dd_train_options *options)
{
    const char *kind = options->tokenizer;
    if (is_auto(options)) kind = dd_learner_find(options->scorer)->tagger;
    return dd_segmenter_kind_find(kind);
}

bool dd_components_choose_segmenter(const dd_train_options *options)
{
    bool trained = options->components & ~options->taken & DD_TOKENIZER;
    return trained && is_auto(options) && dd_components_segmenter(options)->takes_network;
}

/* `part`: NULL if it is all. */
static dd_status train(dd_draft *sections, const dd_segmenter_kind *kind,
                       const dd_learning_part *part, const dd_treebank *treebank,
                       const dd_train_options *options, dd_error *error)
{
    dd_segmenter_options how;
    dd_segmenter_options_init(&how);
    how.seed = options->seed;
    how.report = options->component_report;
    how.user = options->user;
    how.part = part;
    how.iterations = dd_segmenter_kind_iterations(kind, treebank->words);
    how.threads = options->threads;
    how.how = kind->takes_network ? &options->network : NULL;
    return kind->train(sections, treebank->sentences, treebank->count, &how, error);
}

/* ---- where tokens and sentences end ---------------------------------------------------------- */

enum { TOKEN_END = 1, SENTENCE_END = 2 };

typedef struct ends {
    uint8_t *at; /* [count] what ends behind each character, white space left out */
    size_t count, capacity;
    dd_text_layout layout; /* of the current sentence */
} ends;                    /* {0} is empty and valid */

static void free_ends(ends *e)
{
    free(e->at);
    dd_text_layout_free(&e->layout);
}

static bool add_form(ends *e, dd_text form)
{
    if (!DD_RESERVE(&e->at, &e->capacity, e->count + form.size)) return false;
    while (form.size > 0) {
        uint32_t code;
        bool broken;
        size_t used = dd_char_decode(form.data, form.size, &code, &broken);
        if (dd_char_classify(code) != DD_CHAR_SPACE) e->at[e->count++] = 0;
        form = dd_text_skip(form, used);
    }
    return true;
}

static bool add_sentence(ends *e, const dd_sentence *sentence)
{
    if (!dd_text_layout_set(&e->layout, sentence)) return false;
    for (int i = 0; i < e->layout.count; i++) {
        if (!add_form(e, e->layout.tokens[i].form)) return false;
        if (e->count > 0) e->at[e->count - 1] |= TOKEN_END;
    }
    if (e->count > 0) e->at[e->count - 1] |= SENTENCE_END;
    return true;
}

/* F1 of stretches that end where `which` is set: right is one with both its ends. */
static double score(const ends *gold, const ends *found, uint8_t which)
{
    uint64_t all = 0, right = 0;
    bool begins = true;
    for (size_t i = 0; i < gold->count; i++) {
        bool in_gold = gold->at[i] & which, in_found = found->at[i] & which;
        all += (uint64_t)in_gold + in_found;
        right += begins && in_gold && in_found;
        if (in_gold || in_found) begins = in_gold && in_found;
    }
    return all > 0 ? 200.0 * (double)right / (double)all : 0;
}

/* ---- the better one -------------------------------------------------------------------------- */

/* A tokenizer, and what it makes of dev. */
typedef struct candidate {
    const dd_segmenter_kind *kind;
    dd_draft sections;
    double tokens, sentences; /* F1 in per cent */
} candidate;

static dd_status read_text(const dd_treebank *dev, dd_running_text *text, ends *gold,
                           dd_error *error)
{
    for (size_t i = 0; i < dev->count; i++)
        if (!dd_running_text_add(text, dev->sentences[i]) || !add_sentence(gold, dev->sentences[i]))
            return dd_fail_memory(error);
    return DD_OK;
}

static dd_status read_all(dd_reader *reader, ends *found, dd_error *error)
{
    dd_sentence *sentence;
    dd_status status = dd_sentence_new(&sentence, error);
    if (status != DD_OK) return status;
    while ((status = dd_reader_next(reader, sentence, error)) == DD_OK)
        if (!add_sentence(found, sentence)) {
            status = dd_fail_memory(error);
            break;
        }
    dd_sentence_free(sentence);
    return status == DD_END ? DD_OK : status;
}

/* Cuts the text with a model that has the tokenizer and the lists of the user. */
static dd_status cut(const dd_components *components, const dd_train_options *options,
                     const candidate *c, const dd_running_text *text, ends *found, dd_error *error)
{
    dd_model *model = NULL;
    dd_reader *reader = NULL;
    dd_input_options how;
    const dd_components alone = {.treebank = components->treebank,
                                 .tokenizer = c->sections,
                                 .lists_section = components->lists_section};
    const dd_input from = {
        .name = "dev", .kind = DD_INPUT_BYTES, .bytes = {text->text.data, text->text.size}};
    dd_input_options_init(&how);
    how.format = DD_FORMAT_TEXT;
    how.paragraphs = DD_PARAGRAPHS_BLANK; /* as running text has them */
    found->count = 0;
    dd_status status = dd_components_make_model(&alone, options, &model, error);
    if (status == DD_OK) status = dd_reader_open_input(&reader, model, &from, &how, error);
    if (status == DD_OK) status = read_all(reader, found, error);
    dd_reader_close(reader);
    dd_model_free(model);
    return status;
}

/* The linear one, which is smaller and faster, wins a draw. */
static bool is_better(const candidate *neural, const candidate *linear)
{
    return neural->tokens + neural->sentences > linear->tokens + linear->sentences;
}

static bool add_scores(dd_buffer *out, const char *of, const candidate *c)
{
    return dd_buffer_printf(out, "; %s: tokens ", of) && dd_buffer_real(out, "%.2f", c->tokens) &&
           dd_buffer_text(out, ", sentences ") && dd_buffer_real(out, "%.2f", c->sentences);
}

static bool describe(dd_buffer *out, const candidate *taken, const candidate *other)
{
    const dd_segmenter_kind *kind = taken->kind;
    return dd_buffer_text(out, kind->name) &&
           (!kind->takes_network ||
            dd_buffer_printf(out, ", %d x %d", kind->layers, kind->width)) &&
           add_scores(out, "dev", taken) && add_scores(out, other->kind->name, other) &&
           dd_buffer_append(out, "", 1);
}

static void take(dd_draft *to, candidate *c)
{
    *to = c->sections;
    c->sections = (dd_draft){0};
}

/* What of training each candidate takes, in parts of its own. */
static void share_out(const candidate two[2], const dd_treebank *treebank,
                      dd_learning_part shares[2])
{
    double costs[2];
    int parts = 0;
    for (int i = 0; i < 2; i++) {
        int iterations = dd_segmenter_kind_iterations(two[i].kind, treebank->words);
        costs[i] = dd_segmenter_kind_cost(two[i].kind, treebank->count, iterations);
        shares[i] = (dd_learning_part){.part = parts + 1, .began = dd_seconds_now()};
        parts += dd_segmenter_kind_parts(two[i].kind, treebank->count);
    }
    for (int i = 0; i < 2; i++) {
        shares[i].parts = parts;
        shares[i].before = i ? shares[0].share : 0;
        shares[i].share = costs[i] / (costs[0] + costs[1]);
    }
}

/* `two` are the linear and the neural one. */
static dd_status compare(dd_components *components, const dd_train_options *options,
                         candidate two[2], const dd_running_text *text, const ends *gold,
                         dd_error *error)
{
    ends found = {0};
    dd_learning_part shares[2];
    dd_status status = DD_OK;
    bool comparable = true;
    share_out(two, components->treebank, shares);
    for (int i = 0; i < 2 && status == DD_OK; i++) {
        status =
            train(&two[i].sections, two[i].kind, &shares[i], components->treebank, options, error);
        if (status == DD_OK) status = cut(components, options, &two[i], text, &found, error);
        comparable = comparable && found.count == gold->count;
        if (status != DD_OK || !comparable) continue;
        two[i].tokens = score(gold, &found, TOKEN_END);
        two[i].sentences = score(gold, &found, SENTENCE_END);
    }
    free_ends(&found);
    if (status != DD_OK) return status;
    bool network = !comparable || is_better(&two[1], &two[0]);
    take(&components->tokenizer, &two[network]);
    if (!comparable) return DD_OK;
    if (!describe(&components->choice, &two[network], &two[!network])) return dd_fail_memory(error);
    if (options->chosen) options->chosen(options->user, DD_TOKENIZER, components->choice.data);
    return DD_OK;
}

/* The network needs the linear classifiers anyway, so both cost little more than it does. */
static dd_status train_best(dd_components *components, const dd_train_options *options,
                            dd_error *error)
{
    candidate two[] = {{.kind = &dd_linear_segmenter}, {.kind = dd_components_segmenter(options)}};
    dd_running_text text = {0};
    ends gold = {0};
    dd_status status = read_text(components->dev, &text, &gold, error);
    if (status == DD_OK && text.known)
        status = compare(components, options, two, &text, &gold, error);
    else if (status == DD_OK)
        status =
            train(&components->tokenizer, two[1].kind, NULL, components->treebank, options, error);
    for (int i = 0; i < 2; i++) dd_draft_free(&two[i].sections);
    dd_running_text_free(&text);
    free_ends(&gold);
    return status;
}

dd_status dd_components_train_tokenizer(dd_components *components, const dd_train_options *options,
                                        dd_error *error)
{
    if (components->dev && dd_components_choose_segmenter(options))
        return train_best(components, options, error);
    return train(&components->tokenizer, dd_components_segmenter(options), NULL,
                 components->treebank, options, error);
}
