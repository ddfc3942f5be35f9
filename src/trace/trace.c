/* trace.c - a parse, or the static oracle's way to a gold tree, step by step
 *
 *     sentence -> decoder (as in the parser) -> choice -> dd_trace_step -> the caller
 *                    `- gold tree -> costs -'
 *
 * With a beam the whole sentence is searched first, and the best derivation then followed.
 *
 * Without a model the labels of the sentence make the classes, `_` where none is known, and the way
 * along the gold tree is followed. */
#include "trace/trace.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/status.h"
#include "core/strings.h"
#include "systems/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_FOR_WORD = 50 }; /* for dd_tick */

_Static_assert(sizeof((dd_trace_move *)0)->name == DD_MOVE_NAME_SIZE, "names fit");

void dd_trace_free(dd_trace *trace)
{
    if (!trace) return;
    if (trace->scorer_space) trace->options.model->scorer->space_free(trace->scorer_space);
    dd_inventory_free(&trace->own);
    dd_decoder_free(&trace->decoder);
    dd_beam_free(&trace->beam);
    free(trace->path);
    dd_constraints_free(&trace->constraints);
    dd_tidier_free(&trace->tidier);
    dd_loss_space_free(&trace->loss_space);
    dd_config_free(&trace->next);
    dd_tree_space_free(&trace->tree_space);
    dd_gold_free(&trace->gold);
    free(trace->heads);
    free(trace->labels);
    free(trace->words);
    free(trace->marks);
    free(trace->moves);
    free(trace->costs);
    dd_buffer_free(&trace->label);
    free(trace);
}

static dd_status use_model(dd_trace *trace, const dd_model *model, dd_error *error)
{
    if (!model->system) return dd_fail(error, DD_ERROR_DATA, "the model has no parser");
    if (model->system->arc_factored)
        return dd_fail(error, DD_ERROR_DATA, "a model of %s has no transitions to show",
                       model->system->name);
    trace->system = model->system;
    trace->single_root = model->single_root;
    trace->inventory = &model->inventory;
    if (trace->options.beam == 0) trace->options.beam = model->beam;
    if (trace->options.beam < 1 || trace->options.beam > DD_MAX_BEAM)
        return dd_fail(error, DD_ERROR_ARGUMENT, "the beam must lie between 1 and %d", DD_MAX_BEAM);
    bool as_model = trace->options.tidy == DD_TIDY_AUTO;
    trace->tidies = as_model ? model->tidy : trace->options.tidy == DD_TIDY_YES;
    if (!dd_tidier_start(&trace->tidier, model)) return dd_fail_memory(error);
    return model->scorer->space_new(&trace->scorer_space, model->frozen, error);
}

static dd_status choose_loss(dd_trace *trace, const char *name, dd_error *error)
{
    trace->loss_space.variant = dd_system_find_loss(trace->system, name);
    if (trace->loss_space.variant >= 0) return DD_OK;
    char message[DD_LOSS_MESSAGE_SIZE];
    dd_system_no_such_loss(trace->system, name, message);
    return dd_fail(error, DD_ERROR_ARGUMENT, "%s", message);
}

static dd_status use_system(dd_trace *trace, const char *name, dd_error *error)
{
    if (!name) return dd_fail(error, DD_ERROR_ARGUMENT, "neither a model nor a system is named");
    trace->system = dd_system_find(name);
    trace->single_root = trace->options.single_root;
    trace->inventory = &trace->own;
    return trace->system ? DD_OK
                         : dd_fail(error, DD_ERROR_ARGUMENT, "there is no system '%.100s'", name);
}

void dd_trace_options_init_size(dd_trace_options *options, size_t size)
{
    const dd_trace_options defaults = {.gold = DD_TRACE_GOLD_AUTO};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

dd_status dd_trace_new(dd_trace **out, const dd_trace_options *options, dd_error *error)
{
    dd_trace *trace = dd_calloc(1, sizeof *trace);
    if (!trace) return dd_fail_memory(error);
    dd_trace_options *how = &trace->options;
    dd_trace_options_init(how);
    trace->loss_space.ticker = trace->constraints.effort.ticker = trace->tidier.ticker =
        &trace->ticker;
    dd_status status = DD_OPTIONS_TAKE(how, options, cancel, "options were", error);
    if (status == DD_OK)
        status = how->model ? use_model(trace, how->model, error)
                            : use_system(trace, how->system, error);
    if (status == DD_OK) status = choose_loss(trace, how->loss, error);
    if (status != DD_OK) {
        dd_trace_free(trace);
        return status;
    }
    *out = trace;
    return DD_OK;
}

static bool reserve(dd_trace *trace, int n)
{
    size_t nodes = (size_t)n + 1;
    size_t moves = (size_t)dd_system_max_moves(trace->system, n);
    return DD_RESERVE(&trace->heads, &trace->heads_capacity, nodes) &&
           DD_RESERVE(&trace->labels, &trace->labels_capacity, nodes) &&
           DD_RESERVE(&trace->words, &trace->words_capacity, 2 * nodes) &&
           DD_RESERVE(&trace->marks, &trace->marks_capacity, nodes) &&
           DD_RESERVE(&trace->moves, &trace->moves_capacity, moves) &&
           DD_RESERVE(&trace->costs, &trace->costs_capacity, moves);
}

/* ---- one step ----------------------------------------------------------------------------- */

static int list_range(int32_t *words, int first, int last)
{
    int count = 0;
    for (int word = first; word <= last; word++) words[count++] = word;
    return count;
}

static void show_nodes(dd_trace *trace)
{
    const dd_config *c = &trace->decoder.config;
    dd_trace_step *step = &trace->step;
    int32_t *behind = trace->words;
    step->stack = c->stack;
    step->stack_size = c->depth;
    step->passed_size = 0;
    if (trace->system->lists) {
        step->stack = trace->words;
        step->stack_size = list_range(trace->words, 1, c->focus);
        step->passed = trace->words + step->stack_size;
        step->passed_size = list_range(trace->words + step->stack_size, c->focus + 1, c->front - 1);
        behind += step->stack_size + step->passed_size;
    }
    step->buffer = behind;
    step->buffer_size = 0;
    for (int k = 0; dd_buffer_node(c, k) != DD_NONE; k++)
        behind[step->buffer_size++] = dd_buffer_node(c, k);
}

static void show_heads(dd_trace *trace)
{
    for (int word = 0; word <= trace->decoder.config.n; word++)
        trace->heads[word] = trace->decoder.config.nodes[word].head;
    trace->step.heads = trace->heads;
}

static bool show_moves(dd_trace *trace)
{
    dd_decoder *decoder = &trace->decoder;
    dd_trace_step *step = &trace->step;
    step->moves = trace->moves;
    step->n_moves = decoder->view.n_moves;
    if (step->has_costs &&
        !dd_oracle_true_costs(trace->system, &trace->loss_space, &decoder->config, &trace->next,
                              &trace->gold, decoder->view.moves, decoder->view.n_moves, &step->loss,
                              trace->costs))
        return false;
    for (int m = 0; m < decoder->view.n_moves; m++) {
        dd_trace_move *move = &trace->moves[m];
        dd_system_move_name(trace->system, decoder->view.moves[m], move->name);
        move->head = decoder->view.arcs[m].head;
        move->dependent = decoder->view.arcs[m].dependent;
        move->cost = step->has_costs ? trace->costs[m] : 0;
        move->score = NAN;
        move->label = (dd_text){"", 0};
    }
    return true;
}

/* Each move with its best label, as the choice has just compared them. */
static void show_scores(dd_trace *trace)
{
    const dd_model *model = trace->options.model;
    const dd_decoder *decoder = &trace->decoder;
    double unit = model->scorer->unit(model->frozen);
    for (int m = 0; m < decoder->view.n_moves; m++) {
        dd_class_list list = dd_decoder_classes(decoder, m);
        int best = list.count ? list.first : DD_NONE;
        for (int id = list.first + 1; id < list.first + list.count; id++)
            if (dd_decoder_score(decoder, m, id) > dd_decoder_score(decoder, m, best)) best = id;
        if (best == DD_NONE) continue;
        int label = trace->inventory->classes[best].label;
        trace->moves[m].score = dd_decoder_score(decoder, m, best) * unit;
        if (label != DD_NONE)
            trace->moves[m].label = dd_vocab_text(&trace->inventory->labels, label);
    }
}

static bool choose(dd_trace *trace, dd_choice *choice)
{
    dd_decoder *decoder = &trace->decoder;
    const dd_model *model = trace->options.model;
    if (model) {
        if (!dd_model_choose(model, trace->scorer_space, decoder, false, choice)) return false;
        dd_choice idle;
        if (!dd_decoder_idles(decoder, &idle)) show_scores(trace);
        if (trace->options.beam > 1) dd_trace_take_planned(trace, choice);
        double unit = model->scorer->unit(model->frozen);
        trace->step.margin = choice->margin == INT64_MAX ? INFINITY : (double)choice->margin * unit;
        return true;
    }
    int chosen = dd_oracle_gold_move(trace->system, &decoder->config, &trace->gold,
                                     decoder->view.moves, decoder->view.n_moves, trace->costs);
    for (int m = 0; m < decoder->view.n_moves; m++) trace->costs[m] = m != chosen;
    trace->step.margin = NAN;
    if (!dd_decoder_clear_scores(decoder)) return false;
    *choice = dd_decoder_best_free(decoder, &trace->gold, trace->costs);
    return true;
}

/* The parts of a lifted label are shown separated by spaces. */
static bool show_label(dd_trace *trace, int label)
{
    trace->label.size = 0;
    if (label != DD_NONE) {
        dd_text text = dd_vocab_text(&trace->inventory->labels, label);
        if (!dd_buffer_append(&trace->label, text.data, text.size)) return false;
    }
    for (size_t i = 0; i < trace->label.size; i++)
        if (trace->label.data[i] == '\t') trace->label.data[i] = ' ';
    trace->step.label = (dd_text){trace->label.data, trace->label.size};
    return true;
}

static bool show_choice(dd_trace *trace, dd_choice choice)
{
    dd_trace_step *step = &trace->step;
    const dd_trace_move *move = &trace->moves[choice.move];
    dd_arc arc = {move->head, move->dependent};
    int label = trace->inventory->classes[choice.class_id].label;
    step->chosen = choice.move;
    step->replaced = arc.dependent == DD_NONE ? DD_NONE : trace->heads[arc.dependent];
    step->wrong_label = step->has_costs && dd_label_cost(&trace->gold, arc, label);
    if (step->has_costs && step->first_mistake < 0 && (move->cost > 0 || step->wrong_label))
        step->first_mistake = step->step;
    return show_label(trace, label);
}

/* ---- the end ------------------------------------------------------------------------------ */

static dd_text final_label(const dd_trace *trace, int label)
{
    const dd_model *model = trace->options.model;
    return model ? dd_model_label(model, label) : dd_vocab_text(&trace->own.labels, label);
}

static void count_right(dd_trace *trace, const dd_sentence *sentence)
{
    dd_trace_step *step = &trace->step;
    bool counts = !trace->no_tree && trace->options.gold != DD_TRACE_GOLD_NO;
    step->right_heads = step->right_labels = counts ? 0 : -1;
    step->known_heads = sentence->n - dd_tree_unknown(sentence->gold, sentence->n);
    for (int word = 1; word <= sentence->n && counts; word++) {
        if (trace->heads[word] != sentence->gold[word]) continue;
        dd_text is = final_label(trace, trace->labels[word]);
        dd_text gold = dd_cell(sentence, word, DD_DEPREL);
        step->right_heads++;
        step->right_labels += dd_is_missing(gold) || dd_text_same(is, gold);
    }
}

dd_text dd_trace_label(const dd_trace *trace, int word)
{
    int label = word < 1 || word > trace->decoder.config.n ? DD_NONE
                : trace->finished                          ? trace->labels[word]
                                  : trace->decoder.config.nodes[word].label;
    if (label == DD_NONE) return (dd_text){"", 0};
    return trace->finished ? final_label(trace, label)
                           : dd_vocab_text(&trace->inventory->labels, label);
}

/* The finished tree as the parser hands it out. */
static bool finish(dd_trace *trace, const dd_sentence *sentence)
{
    const dd_model *model = trace->options.model;
    dd_trace_step *step = &trace->step;
    if (step->has_costs && !trace->system->oracle.loss(&trace->loss_space, &trace->decoder.config,
                                                       &trace->gold, &step->loss))
        return false;
    dd_attach_rest(&trace->decoder.config, trace->inventory->root_label);
    show_heads(trace);
    for (int word = 1; word <= sentence->n; word++)
        trace->labels[word] = trace->decoder.config.nodes[word].label;
    if (model && !dd_model_take_tree(model, &trace->tree_space, &trace->decoder.config,
                                     trace->decoder.constraints, trace->heads, trace->labels))
        return false;
    if (trace->tidies &&
        !dd_tidier_relabel(&trace->tidier, trace->scorer_space, 0, &trace->decoder.config,
                           trace->decoder.constraints, trace->heads, trace->labels))
        return false;
    trace->finished = true;
    step->n_moves = 0;
    step->chosen = step->replaced = -1;
    step->label = (dd_text){"", 0};
    step->margin = NAN;
    step->wrong_label = false;
    count_right(trace, sentence);
    return true;
}

static dd_status begin(dd_trace *trace, const dd_sentence *sentence, bool tidily, dd_error *error)
{
    const dd_model *model = trace->options.model;
    trace->finished = false;
    if (!reserve(trace, sentence->n)) return dd_fail_memory(error);
    dd_status status = dd_trace_take_gold(trace, sentence, error);
    if (status != DD_OK) return status;
    if (trace->refused && (!model || trace->options.gold == DD_TRACE_GOLD_YES))
        return dd_fail(error, DD_ERROR_DATA, "%s", trace->refused);
    bool wanted = !model || trace->options.gold != DD_TRACE_GOLD_NO;
    trace->step = (dd_trace_step){.has_costs = wanted && !trace->refused,
                                  .no_costs = wanted ? trace->refused : NULL,
                                  .first_mistake = -1,
                                  .right_heads = -1,
                                  .right_labels = -1};
    if ((model && !model->scorer->prepare(trace->scorer_space, &sentence, 1)) ||
        !dd_decoder_begin(&trace->decoder, trace->inventory, sentence->n, trace->single_root))
        return dd_fail_memory(error);
    if (model) status = dd_trace_constrain(trace, sentence, tidily, error);
    if (status == DD_OK && model && trace->options.beam > 1 && !dd_trace_search(trace))
        status = dd_fail_unfinished(&trace->ticker, error);
    return status;
}

typedef bool step_function(void *user, const dd_trace_step *step);

/* From the beginning to the end; `step` may be NULL. */
static dd_status walk(dd_trace *trace, const dd_sentence *sentence, step_function *step, void *user,
                      dd_error *error)
{
    dd_status status = DD_OK;
    bool more = true;
    while (more) {
        more = dd_decoder_ready(&trace->decoder);
        show_nodes(trace);
        show_heads(trace);
        dd_choice choice = {0};
        bool ok = dd_tick(&trace->ticker, STEPS_FOR_WORD * ((int64_t)sentence->n + 1));
        ok = ok && (more ? show_moves(trace) : finish(trace, sentence));
        if (ok && more) ok = choose(trace, &choice) && show_choice(trace, choice);
        if (!ok) return dd_fail_unfinished(&trace->ticker, error);
        if (!more && trace->decoder.constraints)
            status = dd_constraints_end(&trace->constraints, sentence, trace->heads, error);
        if (status != DD_OK) return status;
        if (step && !step(user, &trace->step))
            return dd_fail(error, DD_INTERRUPTED, "stopped by the caller");
        if (more) dd_decoder_apply(&trace->decoder, choice);
        trace->step.step++;
    }
    return DD_OK;
}

/* Whether constraints may turn out too hard on the way. */
static bool is_unsure(const dd_trace *trace, const dd_sentence *sentence)
{
    const dd_constraints *constraints = trace->decoder.constraints;
    return constraints && (dd_constraint_count(sentence) > 0 || !constraints->only_leaves);
}

/* Like a parse (parse/search.c), a trace leaves tidiness aside where it makes the constraints too
 * hard to obey. That may show only in the end, so such a derivation is walked before it is shown.
 */
dd_status dd_trace_sentence(dd_trace *trace, const dd_sentence *sentence,
                            bool (*step)(void *user, const dd_trace_step *step), void *user,
                            dd_error *error)
{
    dd_ticker_start(&trace->ticker, trace->options.cancel);
    dd_status status = begin(trace, sentence, trace->tidies, error);
    if (status == DD_OK && trace->tidies && is_unsure(trace, sentence)) {
        status = walk(trace, sentence, NULL, NULL, error);
        if (status == DD_OK || status == DD_ERROR_DATA)
            status = begin(trace, sentence, status == DD_OK, error);
    }
    return status == DD_OK ? walk(trace, sentence, step, user, error) : status;
}
