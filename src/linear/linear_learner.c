#include "linear/linear.h"

#include "core/learning.h"
#include "core/memory.h"
#include "linear/extract.h"
#include "linear/weights.h"

#include <stdlib.h>
#include <string.h>

typedef struct learner {
    const dd_train_options *options;
    dd_templates *templates;
    uint64_t training_words;
    uint32_t columns; /* of words */
    const dd_kernels *kernels;
    dd_weights weights;
    dd_token_batch words;        /* of all sentences */
    const dd_example *examples;  /* the mini-batch */
    const dd_tokens *view_words; /* of the view scored last */
    dd_extraction extraction;    /* of that view */
    int n_keys;
    uint32_t *keys;      /* [dd_keys_room] of that view */
    uint32_t *move_keys; /* [dd_keys_room] of one of its moves */
    int32_t *scores;     /* [lanes] of the features summed last */
    uint32_t *rows;      /* [templates] rows of the features at hand, 0 if there is none */
    dd_lane_set present; /* templates that gave the keys */
} learner;

static void free_learner(void *state)
{
    learner *l = state;
    if (!l) return;
    dd_templates_free(l->templates);
    dd_weights_free(&l->weights);
    dd_token_batch_free(&l->words);
    free(l->keys);
    free(l->move_keys);
    free(l->scores);
    free(l->rows);
    free(l);
}

static dd_status read_templates(learner *l, const dd_system *system, dd_error *error)
{
    const dd_train_options *options = l->options;
    const char *name = options->templates_name ? options->templates_name : "templates";
    if (!options->templates)
        return dd_templates_parse(&l->templates, system->features.templates,
                                  dd_templates_builtin(system->features.templates), error);
    dd_text text = {options->templates, strlen(options->templates)};
    return dd_templates_parse(&l->templates, name, text, error);
}

static dd_status open_learner(void **out, const dd_train_options *options, const dd_system *system,
                              dd_error *error)
{
    learner *l = dd_calloc(1, sizeof *l);
    if (!l) return dd_fail_memory(error);
    l->options = options;
    dd_status status = read_templates(l, system, error);
    if (status == DD_OK)
        *out = l;
    else
        free_learner(l);
    return status;
}

static uint32_t columns(const void *state)
{
    return dd_templates_columns(((const learner *)state)->templates);
}

static dd_status start(void *state, const dd_lessons *lessons, dd_error *error)
{
    learner *l = state;
    int classes = lessons->inventory->n_classes;
    l->training_words = lessons->words;
    l->columns = lessons->columns;
    l->kernels = dd_kernels_best();
    l->scores = dd_calloc(dd_lanes_for((uint32_t)classes), sizeof *l->scores);
    l->rows = dd_calloc((size_t)dd_templates_count(l->templates), sizeof *l->rows);
    l->keys = dd_calloc(dd_keys_room(l->templates), sizeof *l->keys);
    l->move_keys = dd_calloc(dd_keys_room(l->templates), sizeof *l->move_keys);
    bool ok = l->scores && l->rows && l->keys && l->move_keys &&
              dd_weights_start(&l->weights, classes) &&
              dd_token_batch_set(&l->words, l->templates, lessons->sentences, lessons->count,
                                 lessons->columns);
    return ok ? DD_OK : dd_fail_memory(error);
}

static bool add(void *state, const dd_sentence *sentence)
{
    learner *l = state;
    return dd_token_batch_add(&l->words, l->templates, sentence, l->columns);
}

static void forget(void *state, size_t count)
{
    dd_token_batch_forget(&((learner *)state)->words, count);
}

static bool by_move(const void *state)
{
    return ((const learner *)state)->templates->n_move_templates > 0;
}

/* ---- scoring ------------------------------------------------------------------------------ */

static bool prepare(void *state, const dd_example *examples, int count)
{
    (void)count;
    ((learner *)state)->examples = examples;
    return true;
}

/* Three passes, so that the memory behind all features is on its way before the first is used; a
 * small row may lie across two cache lines. */
static void sum(learner *l, const uint32_t *keys, int n)
{
    const dd_weights *w = &l->weights;
    for (int t = 0; t < n; t++) __builtin_prefetch(&w->slots[dd_weights_start_of(w, keys[t])]);
    for (int t = 0; t < n; t++) {
        l->rows[t] = dd_weights_find(w, keys[t])->row;
        if (l->rows[t]) {
            __builtin_prefetch(&w->cells[l->rows[t]]);
            __builtin_prefetch(&w->cells[l->rows[t] + DD_MIN_ROW]);
        }
    }
    uint32_t lanes = dd_lanes_for((uint32_t)w->classes);
    memset(l->scores, 0, lanes * sizeof *l->scores);
    for (int t = 0; t < n; t++) {
        if (!l->rows[t]) continue;
        const dd_weight_cell *head = &w->cells[l->rows[t]];
        if (head->count == DD_DENSE_ROW)
            l->kernels->add_lanes(l->scores, dd_dense_row(w, l->rows[t]), lanes);
        else
            for (uint32_t i = 1; i <= head->count; i++)
                l->scores[head[i].class_id] += head[i].weight;
    }
}

static int extract_move(learner *l, const dd_view *view, int move)
{
    return dd_extract_move(l->templates, view->config, l->view_words, view->arcs[move],
                           &l->extraction, l->move_keys);
}

static void score_view(learner *l, const dd_view *view)
{
    int classes = l->weights.classes;
    sum(l, l->keys, l->n_keys);
    memcpy(view->scores, l->scores, (size_t)classes * sizeof *view->scores);
    for (int m = 0; view->by_move && m < view->n_moves; m++) {
        int32_t *row = dd_view_row(view, m, classes);
        sum(l, l->move_keys, extract_move(l, view, m));
        for (int i = 0; i < classes; i++) row[i] = view->scores[i] + l->scores[i];
    }
}

static bool score(void *state, dd_view *const *views, int count)
{
    learner *l = state;
    for (int i = 0; i < count; i++) {
        const dd_view *view = views[i];
        l->view_words = &l->words.tokens[l->examples[view->sentence].sentence];
        l->n_keys = dd_extract(l->templates, view->config, l->view_words, &l->extraction, l->keys);
        l->present = l->extraction.present;
        if (view->scores) score_view(l, view);
    }
    return true;
}

/* ---- learning ----------------------------------------------------------------------------- */

/* The next lane that is present, from `lane` on. */
static int next_lane(const dd_lane_set *present, int lane)
{
    while (!(present->words[lane / 64] >> lane % 64 & 1)) lane++;
    return lane;
}

/* `keys` are those of the lanes that are present, in order. */
static bool change_features(learner *l, const dd_layout *layout, const uint32_t *keys, int n,
                            const dd_lane_set *present, int class_id, int change)
{
    int lane = 0;
    for (int t = 0; t < n; t++, lane++) {
        lane = next_lane(present, lane);
        if (!dd_weights_change(&l->weights, keys[t], layout->templates[lane], class_id, change))
            return false;
    }
    return true;
}

static bool gradient(void *state, const dd_view *view, dd_pick pick, float derivative)
{
    learner *l = state;
    const dd_templates *templates = l->templates;
    int change = derivative < 0 ? 1 : -1;
    if (!change_features(l, &templates->of_configuration, l->keys, l->n_keys, &l->present,
                         pick.class_id, change))
        return false;
    if (templates->n_move_templates == 0 || pick.move == DD_NONE) return true;
    int n = extract_move(l, view, pick.move);
    return change_features(l, &templates->of_moves, l->move_keys, n, &l->extraction.present,
                           pick.class_id, change);
}

/* Averages are over the weights after each step. */
static bool step(void *state)
{
    ((learner *)state)->weights.steps++;
    return true;
}

/* Of the weights; 0: no limit. On en_ewt the default takes less than 0.1 of LAS (mean of three
 * seeds), and makes parsing a fifth faster: more of the weights stay in the caches. */
static size_t most_bytes(const learner *l)
{
    const size_t least = 4000000, for_each_word = 40;
    size_t words = (size_t)l->training_words;
    if (l->options->parser_bytes > 0) return l->options->parser_bytes;
    if (l->options->beam > 1) return 0;
    return words > least / for_each_word ? for_each_word * words : least;
}

/* Forgets the features that matter least. Rows still grow in the epochs that are left. */
static bool end_epoch(void *state, int k, int epochs)
{
    learner *l = state;
    size_t bytes = most_bytes(l);
    double least;
    if (bytes == 0 || !dd_is_half_way(k, epochs)) return true;
    if (!dd_freeze_threshold(&l->weights, bytes / 10 * 9, &least)) return false;
    return least == 0 || dd_weights_close(&l->weights, least);
}

static bool freeze(const void *state, dd_draft *sections)
{
    const learner *l = state;
    dd_freezing how = {.prune = l->options->prune, .bytes = most_bytes(l)};
    return dd_buffer_append(dd_draft_add(sections, "templates"), l->templates->text,
                            l->templates->text_size) &&
           dd_freeze(&l->weights, dd_templates_count(l->templates), how,
                     dd_draft_add(sections, "weights"));
}

static bool write_settings(const void *state, dd_buffer *out)
{
    return dd_buffer_text(out, "prune\t") &&
           dd_buffer_real(out, "%g", ((const learner *)state)->options->prune) &&
           dd_buffer_text(out, "\n");
}

static bool write_sizes(const void *state, dd_buffer *out)
{
    return dd_buffer_printf(out, "templates\t%d\n",
                            dd_templates_count(((const learner *)state)->templates));
}

static double pace(const dd_train_options *options, const dd_system *system, double words)
{
    enum { USUAL = 95000 };
    (void)options;
    (void)words;
    return system->oracle.pace ? system->oracle.pace : USUAL;
}

const dd_learner dd_linear_learner = {
    .name = "linear",
    .scorer = &dd_linear_scorer,
    .loss = DD_LOSS_PERCEPTRON,
    .unit = 1,
    .iterations = 10,
    .online = true,
    .projective_system = "arc-eager",
    .nonprojective_system = "covington",
    .pace = pace,
    .open = open_learner,
    .free = free_learner,
    .columns = columns,
    .start = start,
    .add = add,
    .forget = forget,
    .by_move = by_move,
    .prepare = prepare,
    .score = score,
    .gradient = gradient,
    .step = step,
    .end_epoch = end_epoch,
    .freeze = freeze,
    .write_settings = write_settings,
    .write_sizes = write_sizes,
};
