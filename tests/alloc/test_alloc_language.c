/* Profiles of languages, and picking a model by them, while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../catalogue_help.h"
#include "../language_help.h"
#include "alloc_fail.h"
#include "model/model.h"

static dd_text text_of(const char *text)
{
    return (dd_text){text, strlen(text)};
}

static bool write_treebank(const char *path, const char *text)
{
    dd_buffer file = {0};
    dd_text rest = text_of(text);
    bool ok = true;
    for (int id = 1; rest.size > 0 && ok; id++) {
        dd_text form = dd_text_cut(&rest, ' ');
        ok = dd_buffer_printf(&file, "%d\t%.*s\t_\t_\t_\t_\t_\t_\t_\t%s\n", id, (int)form.size,
                              form.data, id % 9 ? "_" : "SpaceAfter=No");
    }
    ok = ok && dd_buffer_append(&file, "\n", 2) && shelf_text(path, file.data);
    dd_buffer_free(&file);
    return ok;
}

static bool save_model(shelves *s, const char *file, const char *text, const char *settings)
{
    dd_model *model = NULL;
    char path[60];
    snprintf(path, sizeof path, "%s/t.conllu", s->root);
    bool made = write_treebank(path, text) &&
                train_with_settings(&model, settings, NULL, path, NULL, NULL) == DD_OK &&
                dd_model_save(model, shelf_path(s, s->users, file), NULL) == DD_OK;
    dd_model_free(model);
    return made;
}

static int set_up(void **state)
{
    static shelves all;
    *state = &all;
    bool made = shelves_make(&all) &&
                save_model(&all, "a.dodona", english_text, "only=tokenizer language=en") &&
                save_model(&all, "b.dodona", german_text, "only=tokenizer language=de");
    return made ? 0 : -1;
}

static int tear_down(void **state)
{
    shelves_remove(*state);
    return 0;
}

static dd_status learn(void *user, dd_error *error)
{
    dd_text forms[100], rest = text_of(user);
    dd_sentence *sentence = NULL;
    dd_buffer section = {0};
    size_t count = 0;
    while (rest.size > 0) forms[count++] = dd_text_cut(&rest, ' ');
    dd_status status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_sentence_set_words(sentence, forms, count, error);
    if (status == DD_OK) status = dd_profile_learn(&section, &sentence, 1, error);
    dd_sentence_free(sentence);
    dd_buffer_free(&section);
    return status;
}

static dd_status pick(void *user, dd_error *error)
{
    dd_catalogue *catalogue = NULL;
    const dd_catalogue_model *model;
    dd_status status = dd_catalogue_new(&catalogue, NULL, 0, error);
    if (status == DD_OK) status = dd_catalogue_pick(catalogue, text_of(user), &model, error);
    dd_catalogue_free(catalogue);
    return status;
}

static dd_status pick_loaded(void *user, dd_error *error)
{
    dd_model *model = NULL;
    size_t picked;
    dd_status status = dd_model_load_named(&model, "b", error);
    const dd_model *all[] = {model};
    if (status == DD_OK) status = dd_model_pick(all, 1, text_of(user), &picked, error);
    dd_model_free(model);
    return status;
}

static void learning_ends_or_is_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(learn, (void *)german_text) > 5);
}

static void picking_ends_or_is_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(pick, (void *)german_text) > 15);
    assert_true(alloc_fail_each(pick_loaded, (void *)german_text) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_ends_or_is_refused),
        cmocka_unit_test(picking_ends_or_is_refused),
    };
    return cmocka_run_group_tests_name("alloc language", tests, set_up, tear_down);
}
