/* train.c - trains a model with all components and tells how it goes
 *
 *     cc -std=c17 train.c $(pkg-config --cflags --libs dodona) -o train
 *     ./train demo-train.conllu demo-test.conllu demo.dodona */
#include <dodona.h>
#include <stdio.h>

static bool report(void *user, const dd_train_progress *progress)
{
    (void)user;
    if (progress->finished)
        printf("%d/%d LAS %.2f%s\n", progress->iteration, progress->iterations, progress->dev_las,
               progress->best ? " *" : "");
    return true; /* go on */
}

static void component(void *user, dd_component part, double seconds)
{
    (void)user, (void)seconds;
    printf("%s\n", part == DD_TOKENIZER ? "tokenizer"
                   : part == DD_TAGGER  ? "tagger"
                                        : "lemmatizer");
}

int main(int argc, char **argv)
{
    dd_error error = {.message = "usage: train TREEBANK DEV MODEL"};
    dd_model *model = NULL;
    dd_settings *settings = NULL;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.report = report;
    watch.component = component;
    dd_status status = argc == 4 ? dd_settings_new(&settings, &error) : DD_ERROR_ARGUMENT;
    if (status == DD_OK) status = dd_settings_set(settings, "system", "arc-hybrid", &error);
    if (status == DD_OK) status = dd_settings_set(settings, "iterations", "5", &error);
    if (status == DD_OK) status = dd_settings_set(settings, "only", "all", &error);
    if (status == DD_OK) {
        const char *const paths[] = {argv[1]};
        status = dd_train(&model, settings, &watch, paths, 1, argv[2], &error);
    }
    if (status == DD_OK) status = dd_model_save(model, argv[3], &error);
    if (status != DD_OK) fprintf(stderr, "%s\n", error.message);
    dd_model_free(model);
    dd_settings_free(settings);
    return status == DD_OK ? 0 : 1;
}
