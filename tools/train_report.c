#include "train_report.h"

#include "message.h"
#include "number.h"

#include <stdio.h>
#include <string.h>

/* The choices of `only` are in the order of the bits. */
const char *train_component_name(dd_component component)
{
    const dd_setting *setting;
    size_t row = 0, bit = 0;
    while ((setting = dd_setting_at(row)) && strcmp(setting->name, "only") != 0) row++;
    while (component >> bit != 1) bit++;
    const char *name = setting ? dd_setting_choice(setting, bit) : NULL;
    return name ? name : "";
}

/* "tagger", "tagger and parser", "tokenizer, tagger and parser". */
static void list_components(uint32_t components)
{
    for (uint32_t left = components; left; left &= left - 1) {
        uint32_t bit = left & -left;
        const char *before = left == components ? "" : left == bit ? " and " : ", ";
        fprintf(stderr, "%s%s", before, train_component_name((dd_component)bit));
    }
}

static void tell_impossible(uint32_t impossible)
{
    static const struct {
        uint32_t component;
        const char *reason;
    } rows[] = {{DD_TOKENIZER, "text (neither '# text' nor SpaceAfter=No)"},
                {DD_TAGGER, "tags (UPOS, XPOS or FEATS)"},
                {DD_LEMMATIZER, "lemmas"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (impossible & rows[i].component)
            fprintf(stderr, "no %s: the treebank has no %s\n",
                    train_component_name((dd_component)rows[i].component), rows[i].reason);
}

void train_report_plan(const dd_train_plan *plan)
{
    bool single = (plan->components & (plan->components - 1)) == 0;
    if (single && !plan->chosen) return; /* just that was asked for */
    tell_impossible(plan->impossible);
    fprintf(stderr, "making ");
    list_components(plan->components);
    if (plan->system) fprintf(stderr, " (%s, %s", plan->system, plan->scorer);
    if (plan->system && plan->folds) fprintf(stderr, ", on tags of %d folds", plan->folds);
    fprintf(stderr, "%s from %s words, %s\n", plan->system ? ")" : "",
            number_grouped(plan->words).text, number_about(plan->seconds).text);
}

/* ---- scores -------------------------------------------------------------------------------- */

static bool is_shown(const char *metric, dd_eval_given given, uint32_t components)
{
    static const struct {
        const char *metric;
        dd_eval_given most; /* that may be given for it to tell something */
        uint32_t components;
    } rows[] = {{"Words", DD_EVAL_GIVEN_TEXT, DD_TOKENIZER},
                {"Sentences", DD_EVAL_GIVEN_TEXT, DD_TOKENIZER},
                {"UPOS", DD_EVAL_GIVEN_WORDS, DD_TAGGER},
                {"UFeats", DD_EVAL_GIVEN_WORDS, DD_TAGGER},
                {"Lemmas", DD_EVAL_GIVEN_WORDS, DD_LEMMATIZER},
                {"UAS", DD_EVAL_GIVEN_TAGS, DD_PARSER},
                {"LAS", DD_EVAL_GIVEN_TAGS, DD_PARSER}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].metric, metric) == 0)
            return given <= rows[i].most && (components & rows[i].components);
    return false;
}

void train_report_scores(const dd_model *model, const char *dev, int threads)
{
    static const char *const names[] = {"", "its text", "its words", "its tags"};
    dd_evaluation *evaluation;
    dd_eval_given given = DD_EVAL_GIVEN_AUTO;
    dd_metric metric;
    dd_error error;
    if (dd_evaluate_model(&evaluation, model, dev, &given, threads, NULL, &error) != DD_OK) {
        say_warning("the model cannot be scored: %s", error.message);
        return;
    }
    fprintf(stderr, "the whole model on dev, given %s:", names[given]);
    for (size_t i = 0; dd_evaluation_metric(evaluation, i, &metric); i++)
        if (is_shown(metric.name, given, dd_model_components(model)))
            fprintf(stderr, "  %s %.2f", metric.name, 100 * dd_metric_f1(&metric));
    fprintf(stderr, "\n");
    dd_evaluation_free(evaluation);
}
