#include "progress.h"

#include "message.h"
#include "number.h"

#include <stdio.h>

static const double REDRAW_EVERY = 0.1;   /* seconds */
static const double LONG_ITERATION = 5;   /* seconds: a longer iteration gets a line of its own */
static const double WORTH_TELLING = 15;   /* seconds: more time left is shown when a stage ends */
static const double LINE_EVERY = 20;      /* seconds between lines about shorter ones */
static const double FOLD_LINE_EVERY = 60; /* of folds */

void progress_plan(progress *show, const dd_train_plan *plan)
{
    const double planned[STAGES] = {plan->tokenizer_seconds, plan->tagger_seconds,
                                    plan->lemmatizer_seconds, plan->folds_seconds,
                                    plan->parser_seconds};
    for (int i = 0; i < STAGES; i++) show->planned[i] = planned[i];
    show->stage_began = show->last_line = number_seconds_now();
}

/* What the stages behind this one will take, by the plan and by how much longer than planned
 * everything took so far, this stage included. */
static double later_seconds(const progress *show, progress_stage stage, double stage_seconds)
{
    double planned = show->planned_done + show->planned[stage];
    double slower = planned > 0 ? (show->took + stage_seconds) / planned : 1;
    double later = 0;
    for (int i = stage + 1; i < STAGES; i++) later += show->planned[i];
    return later * slower;
}

static void tell_treebank(const dd_train_data *data, bool named)
{
    fprintf(stderr, "%s sentence%s, %s words, %d labels, ", number_grouped(data->sentences).text,
            data->sentences == 1 ? "" : "s", number_grouped(data->words).text, data->labels);
    if (data->transitions > 0) fprintf(stderr, "%d transitions, ", data->transitions);
    fprintf(stderr, "single root: %s\n", data->single_root ? "yes" : "no");
    if (data->left_out)
        fprintf(stderr, "%s not learnt from: '_' in all of the dev file\n",
                columns_listed(data->left_out).text);
    if (data->unknown_heads > 0)
        fprintf(stderr, "%s of these words have no head (_): nothing is learnt from them\n",
                number_grouped(data->unknown_heads).text);
    if (data->without_heads > 0)
        fprintf(stderr, "%s sentence%s left out in which no head is known\n",
                number_grouped(data->without_heads).text, data->without_heads == 1 ? "" : "s");
    if (data->lifted > 0)
        fprintf(stderr, "%s sentence%s lifted for %s to build\n", number_grouped(data->lifted).text,
                data->lifted == 1 ? "" : "s", data->system);
    if (data->in_part > 0) {
        fprintf(stderr, "%s sentence%s kept in part as %s cannot build all of %s",
                number_grouped(data->in_part).text, data->in_part == 1 ? "" : "s", data->system,
                data->in_part == 1 ? "it" : "them");
        fprintf(stderr, ", %s arc%s left out%s\n", number_grouped(data->arcs_left_out).text,
                data->arcs_left_out == 1 ? "" : "s", named ? "" : " (--verbose names them)");
    }
    if (data->whole > 0)
        fprintf(stderr, "%s sentence%s that %s cannot build taken whole\n",
                number_grouped(data->whole).text, data->whole == 1 ? "" : "s", data->system);
    if (data->soft > 0)
        fprintf(stderr, "%s sentence%s with probabilities of heads\n",
                number_grouped(data->soft).text, data->soft == 1 ? "" : "s");
    if (data->skipped > 0)
        fprintf(stderr, "%s sentence%s skipped that %s cannot build%s\n",
                number_grouped(data->skipped).text, data->skipped == 1 ? "" : "s", data->system,
                named ? "" : " (--verbose names them)");
    if (data->too_long > 0)
        fprintf(stderr, "%s sentence%s of more than %s words skipped%s (see --max-words)\n",
                number_grouped(data->too_long).text, data->too_long == 1 ? "" : "s",
                number_grouped((uint64_t)data->max_words).text,
                named ? "" : ", which --verbose names");
    if (data->bad > 0)
        fprintf(stderr, "%s malformed sentence%s skipped%s\n", number_grouped(data->bad).text,
                data->bad == 1 ? "" : "s", named ? "" : " (--verbose names them)");
}

static void tell_silver(const dd_train_data *data)
{
    fprintf(stderr, "silver: %s sentence%s, %s words", number_grouped(data->silver_sentences).text,
            data->silver_sentences == 1 ? "" : "s", number_grouped(data->silver_words).text);
    if (data->silver_in_part > 0)
        fprintf(stderr, ", %s kept in part", number_grouped(data->silver_in_part).text);
    if (data->silver_skipped > 0)
        fprintf(stderr, ", %s skipped", number_grouped(data->silver_skipped).text);
    if (data->silver_bad > 0)
        fprintf(stderr, ", %s malformed", number_grouped(data->silver_bad).text);
    if (data->silver_unknown_labels > 0)
        fprintf(stderr, "; %s words with labels that the treebank lacks",
                number_grouped(data->silver_unknown_labels).text);
    fprintf(stderr, "\n");
}

void progress_data(const dd_train_data *data, bool named)
{
    tell_treebank(data, named);
    if (data->silver_sentences > 0) tell_silver(data);
    if (data->resumed_after > 0)
        fprintf(stderr, "resumed after iteration %d\n", data->resumed_after);
}

void progress_clear(progress *show)
{
    if (show->drawn) fprintf(stderr, "\r\033[K");
    show->drawn = false;
}

static void print_tail(uint64_t words, double seconds, double seconds_left)
{
    double speed = seconds > 0 ? (double)words / seconds : 0;
    if (words > 0) fprintf(stderr, "  %s words/s", number_grouped((uint64_t)speed).text);
    fprintf(stderr, "  %s left", number_duration(seconds_left).text);
}

/* Notes that the line is drawn now; false if that was so a moment ago, and is to be left. */
static bool begin_redraw(progress *show)
{
    double time = number_seconds_now();
    if (show->drawn && time - show->last_redraw < REDRAW_EVERY) return false;
    show->drawn = true;
    show->last_redraw = time;
    return true;
}

void progress_end_stage(progress *show, progress_stage finished, double seconds)
{
    double left = later_seconds(show, finished, seconds);
    if (finished == STAGE_TAGGER) show->tagger_time = seconds;
    if (finished == STAGE_LEMMATIZER) show->lemmas_time = seconds;
    show->planned_done += show->planned[finished];
    show->took += seconds;
    show->stage_began = show->last_line = number_seconds_now();
    show->stage_done = 0;
    if (left >= WORTH_TELLING) fprintf(stderr, ", %s left", number_about(left).text);
    fprintf(stderr, "\n");
}

static progress_stage stage_of(const dd_component_progress *now)
{
    if (now->folds) return STAGE_FOLDS;
    return now->component == DD_TOKENIZER ? STAGE_TOKENIZER
           : now->component == DD_TAGGER  ? STAGE_TAGGER
                                          : STAGE_LEMMATIZER;
}

/* Whether a finished iteration gets a line of its own, also where nothing is redrawn. */
static bool deserves_line(const progress *show, const dd_component_progress *now)
{
    if (!now->finished) return false;
    if (!now->folds && now->seconds >= LONG_ITERATION) return true;
    return number_seconds_now() - show->last_line >= (now->folds ? FOLD_LINE_EVERY : LINE_EVERY);
}

/* How much of the stage is done: of a component its iterations. Folds may be trained side by side,
 * each its tagger and then its lemmatizer, which take as large a part of a fold as they took of the
 * whole. */
static double stage_share(progress *show, const dd_component_progress *now)
{
    double passes = now->iteration - 1 + (double)now->examples / (double)now->all_examples;
    if (!now->folds) return now->done;
    double all = show->tagger_time + show->lemmas_time;
    double mine = now->component == DD_TAGGER ? show->tagger_time : show->lemmas_time;
    if (all <= 0) return (now->fold - 1 + passes / now->iterations) / now->folds;
    if (now->finished) show->stage_done += mine / now->iterations;
    return show->stage_done / (all * now->folds);
}

static void print_component(const char *name, const dd_component_progress *now, double left)
{
    if (now->folds) fprintf(stderr, "fold %2d/%d  ", now->fold, now->folds);
    fprintf(stderr, "%s  ", name);
    if (now->parts > 1) fprintf(stderr, "part %2d/%d  ", now->part, now->parts);
    fprintf(stderr, "iteration %2d/%d", now->iteration, now->iterations);
    if (!now->finished)
        fprintf(stderr, "  %3.0f %%", number_percent(now->examples, now->all_examples));
    fprintf(stderr, "  accuracy %.2f", 100 * now->accuracy);
    print_tail(now->words, now->seconds, left);
}

void progress_component(progress *show, const char *name, const dd_component_progress *now)
{
    double share = stage_share(show, now);
    double elapsed = number_seconds_now() - show->stage_began;
    double left = share > 0 && share < 1 ? elapsed * (1 - share) / share : 0;
    if (share > 0) left += later_seconds(show, stage_of(now), elapsed + left);
    if (deserves_line(show, now)) {
        show->last_line = number_seconds_now();
        progress_clear(show);
        print_component(name, now, left);
        fprintf(stderr, "\n");
        return;
    }
    bool new = show->shown != now->component || show->shown_fold != now->fold;
    if (!show->terminal || !(begin_redraw(show) || new)) return;
    show->shown = now->component;
    show->shown_fold = now->fold;
    fprintf(stderr, "\r");
    print_component(name, now, left);
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

static void redraw(progress *show, const dd_train_progress *now)
{
    if (!begin_redraw(show)) return;
    fprintf(stderr, "\rparser  iteration %2d/%d  %3.0f %%", now->iteration, now->iterations,
            number_percent(now->sentences, now->all_sentences));
    print_tail(now->words, now->seconds, now->seconds_left);
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

static void print_finished(const dd_train_progress *now)
{
    fprintf(stderr, "parser  iteration %2d/%d  accuracy %.2f", now->iteration, now->iterations,
            100 * now->accuracy);
    if (now->has_dev)
        fprintf(stderr, "  dev UAS %.2f LAS %.2f %c", now->dev_uas, now->dev_las,
                now->best ? '*' : ' ');
    print_tail(now->words, now->seconds, now->seconds_left);
    fprintf(stderr, "\n");
}

void progress_show(progress *show, const dd_train_progress *now, bool quiet)
{
    show->iteration = now->iteration;
    if (now->finished) {
        show->finished = now->iteration;
        show->has_dev = now->has_dev;
        progress_clear(show);
        if (!quiet) print_finished(now);
    } else if (show->terminal && !quiet) {
        redraw(show, now);
    }
}
