/* Models by name: where they are looked for, which of several is found, and what is said if none
 * is. */
#include "text_help.h"

#include "../catalogue_help.h"
#include "model/model.h"

#include <unistd.h>

static shelves all;

static int set_up(void **state)
{
    *state = &all;
    return shelves_make(&all) ? 0 : -1;
}

static int tear_down(void **state)
{
    shelves_remove(*state);
    return 0;
}

static dd_catalogue *open_catalogue(const shelves *s)
{
    const char *more[] = {s->own};
    dd_catalogue *catalogue;
    assert_int_equal(dd_catalogue_new(&catalogue, more, 1, NULL), DD_OK);
    return catalogue;
}

/* The name and folder of the model that is found; NULL: the message. */
static void expect(const shelves *s, const char *name, const char *found, const char *folder)
{
    dd_catalogue *catalogue = open_catalogue(s);
    const dd_catalogue_model *model = NULL;
    dd_error error = {.message = ""};
    dd_status status = dd_catalogue_find(catalogue, name, &model, &error);
    if (folder) {
        assert_int_equal(status, DD_OK);
        assert_string_equal(model->name, found);
        assert_string_equal(dd_catalogue_folder(catalogue, model->folder), folder);
        assert_int_equal(access(model->path, R_OK), 0);
    } else {
        assert_int_equal(status, DD_ERROR_IO);
        assert_string_equal(error.message, found);
    }
    dd_catalogue_free(catalogue);
}

static void the_folders_are_in_order(void **state)
{
    const shelves *s = *state;
    const char *const expected[] = {s->listed, s->users, s->own};
    dd_catalogue *catalogue = open_catalogue(s);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(dd_catalogue_folder(catalogue, i), expected[i]);
    assert_non_null(strstr(dd_catalogue_folder(catalogue, 3), "/share/dodona/models"));
    assert_null(dd_catalogue_folder(catalogue, 4));
    assert_string_equal(dd_catalogue_user_folder(catalogue), s->users);
    assert_null(dd_catalogue_at(catalogue, 0));
    dd_catalogue_free(catalogue);
}

static void a_folder_is_looked_into_once(void **state)
{
    const shelves *s = *state;
    char list[400];
    dd_catalogue *catalogue;
    snprintf(list, sizeof list, ":%s/::%s/../own:%s", s->listed, s->listed, s->users);
    setenv("DODONA_MODELS", list, 1);
    catalogue = open_catalogue(s);
    assert_string_equal(dd_catalogue_folder(catalogue, 0), s->listed);
    assert_non_null(strstr(dd_catalogue_folder(catalogue, 1), "/../own"));
    assert_string_equal(dd_catalogue_folder(catalogue, 2), s->users);
    assert_string_equal(dd_catalogue_user_folder(catalogue), s->users);
    assert_non_null(dd_catalogue_folder(catalogue, 3));
    assert_null(dd_catalogue_folder(catalogue, 4));
    dd_catalogue_free(catalogue);
    setenv("DODONA_MODELS", s->listed, 1);
}

static void the_users_folder_is_that_of_the_environment(void **state)
{
    const shelves *s = *state;
    char data[60], home[100];
    snprintf(data, sizeof data, "%s/data", s->root);
    snprintf(home, sizeof home, "%s/.local/share/dodona/models", s->root);
    setenv("HOME", s->root, 1);
    setenv("XDG_DATA_HOME", "relative", 1);
    dd_catalogue *catalogue = open_catalogue(s);
    assert_string_equal(dd_catalogue_user_folder(catalogue), home);
    dd_catalogue_free(catalogue);
    unsetenv("HOME");
    unsetenv("XDG_DATA_HOME");
    catalogue = open_catalogue(s);
    assert_null(dd_catalogue_user_folder(catalogue));
    dd_catalogue_free(catalogue);
    setenv("XDG_DATA_HOME", data, 1);
}

static void without_models_the_folders_are_named(void **state)
{
    const shelves *s = *state;
    char message[600];
    dd_catalogue *catalogue = open_catalogue(s);
    snprintf(message, sizeof message,
             "there is no model 'da' in %s, %s, %s, %s, nor any other; "
             "$DODONA_MODELS may name more folders",
             s->listed, s->users, s->own, dd_catalogue_folder(catalogue, 3));
    dd_catalogue_free(catalogue);
    expect(s, "da", message, NULL);
}

static void the_first_folder_with_the_name_has_the_model(void **state)
{
    shelves *s = *state;
    assert_true(shelf_model(s, s->own, "da.dodona", NULL, 1));
    assert_true(shelf_model(s, s->own, "b.dodona", NULL, 1));
    assert_true(shelf_model(s, s->own, ".hidden.dodona", NULL, 1));
    assert_true(shelf_model(s, s->own, "da.dodona.part", NULL, 1));
    expect(s, "da", "da", s->own);
    assert_true(shelf_model(s, s->listed, "da.dodona", NULL, 1));
    expect(s, "da", "da", s->listed);
    dd_catalogue *catalogue = open_catalogue(s);
    static const char *const names[] = {"da", "b", "da"};
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(dd_catalogue_at(catalogue, i)->name, names[i]);
    assert_null(dd_catalogue_at(catalogue, 3));
    dd_catalogue_free(catalogue);
}

/* Ends in the list of names and the guess. */
static void expect_end(const shelves *s, const char *name, const char *end)
{
    dd_catalogue *catalogue = open_catalogue(s);
    const dd_catalogue_model *model;
    dd_error error;
    assert_int_equal(dd_catalogue_find(catalogue, name, &model, &error), DD_ERROR_IO);
    size_t size = strlen(error.message), wanted = strlen(end);
    assert_true(size > wanted);
    assert_string_equal(error.message + size - wanted, end);
    dd_catalogue_free(catalogue);
}

static void the_nearest_name_is_guessed(void **state)
{
    const shelves *s = *state;
    expect_end(s, "dan", "; there are da, b, da; did you mean 'da'?");
    expect_end(s, "xyz", "; there are da, b, da");
}

/* Of several models of a language in one folder the one with the most words, wherever its name
 * stands; a damaged file and one of another language do not count. */
static void a_language_finds_a_model(void **state)
{
    shelves *s = *state;
    assert_true(shelf_model(s, s->users, "a.dodona", "sv", 20));
    assert_true(shelf_model(s, s->users, "large.dodona", "sv", 30));
    assert_true(shelf_model(s, s->users, "z.dodona", "sv", 3));
    assert_true(shelf_model(s, s->users, "other.dodona", "nb", 40));
    assert_true(shelf_model(s, s->own, "larger.dodona", "sv", 50));
    assert_true(shelf_text(shelf_path(s, s->users, "bad.dodona"), "language\tsv\n"));
    expect(s, "sv", "large", s->users);
    expect(s, "nb", "other", s->users);
    expect(s, "da", "da", s->listed);
}

static void a_path_is_a_path(void **state)
{
    shelves *s = *state;
    const char *path;
    dd_catalogue *catalogue = open_catalogue(s);
    static const char *const paths[] = {"./sv", "none/sv", "sv.dodona"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(dd_catalogue_path(catalogue, paths[i], &path, NULL), DD_OK);
        assert_ptr_equal(path, paths[i]);
    }
    assert_int_equal(chdir(s->root), 0);
    assert_int_equal(mkdir("sv", 0700), 0);
    assert_int_equal(dd_catalogue_path(catalogue, "sv", &path, NULL), DD_OK);
    assert_string_equal(path, shelf_path(s, s->users, "large.dodona"));
    assert_true(shelf_text("nb", "a file"));
    assert_int_equal(dd_catalogue_path(catalogue, "nb", &path, NULL), DD_OK);
    assert_string_equal(path, "nb");
    assert_int_equal(chdir("/"), 0);
    dd_catalogue_free(catalogue);
}

static void models_are_loaded_by_name(void **state)
{
    (void)state;
    dd_model *model;
    dd_error error;
    assert_int_equal(dd_model_load_named(&model, "sv", NULL), DD_OK);
    dd_text words = dd_model_find_fact(model, "words");
    assert_int_equal(words.size, 2);
    assert_memory_equal(words.data, "30", 2);
    dd_model_free(model);
    assert_int_equal(dd_model_load_named(&model, "none", &error), DD_ERROR_IO);
    assert_memory_equal(error.message, "there is no model 'none'", 24);
    assert_int_equal(dd_model_load_named(&model, "bad", &error), DD_ERROR_MODEL);
}

/* However many there are, and however long their names. */
static void expect_default(const shelves *s, const char *expected, const char *folder)
{
    dd_catalogue *catalogue = open_catalogue(s);
    const char *path = NULL;
    setenv("DODONA_MODEL", "changed meanwhile", 1);
    assert_string_equal(dd_catalogue_default(catalogue), expected);
    if (folder) {
        assert_int_equal(dd_catalogue_path(catalogue, NULL, &path, NULL), DD_OK);
        assert_true(strncmp(path, folder, strlen(folder)) == 0);
        assert_int_equal(access(path, R_OK), 0);
    } else {
        assert_int_equal(dd_catalogue_path(catalogue, NULL, &path, NULL), DD_ERROR_IO);
    }
    dd_catalogue_free(catalogue);
}

static void the_default_is_english_or_what_the_environment_names(void **state)
{
    shelves *s = *state;
    dd_model *model = NULL;
    char path[200];
    unsetenv("DODONA_MODEL");
    assert_true(shelf_model(s, s->users, "english.dodona", "en", 1));
    assert_true(shelf_model(s, s->own, "other.dodona", "qq", 1));
    expect_default(s, "english", s->users);
    setenv("DODONA_MODEL", "", 1);
    expect_default(s, "english", s->users);
    setenv("DODONA_MODEL", "qq", 1);
    expect_default(s, "qq", s->own);
    setenv("DODONA_MODEL", "nothing", 1);
    expect_default(s, "nothing", NULL);
    snprintf(path, sizeof path, "%s", shelf_path(s, s->own, "other.dodona"));
    setenv("DODONA_MODEL", path, 1);
    assert_int_equal(dd_model_load_named(&model, NULL, NULL), DD_OK);
    dd_model_free(model);
    unsetenv("DODONA_MODEL");
}

static void a_long_list_is_cut(void **state)
{
    shelves *s = *state;
    char name[64], list[1200] = "";
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "many%02d.dodona", i);
        assert_true(shelf_text(shelf_path(s, s->own, name), ""));
    }
    for (int i = 0; i < 10; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s/%.80d:", s->root, i);
    setenv("DODONA_MODELS", list, 1);
    dd_catalogue *catalogue = open_catalogue(s);
    const dd_catalogue_model *model;
    dd_error error;
    assert_int_equal(dd_catalogue_find(catalogue, "many6", &model, &error), DD_ERROR_IO);
    assert_non_null(strstr(error.message, " and 12 more; there are "));
    assert_non_null(strstr(error.message, " more; did you mean 'many06'?"));
    dd_catalogue_free(catalogue);
    setenv("DODONA_MODELS", s->listed, 1);
}

/* Only the first pages of a file are looked at; what they say is checked all the same. */
static void facts_are_read_from_sound_files_only(void **state)
{
    shelves *s = *state;
    dd_buffer facts = {0};
    dd_error error;
    const char *path = shelf_path(s, s->users, "cut.dodona");
    assert_int_equal(dd_model_read_facts(&facts, "/none", &error), DD_ERROR_IO);
    assert_int_equal(dd_model_read_facts(&facts, "/tmp", &error), DD_ERROR_IO);
    assert_true(shelf_text(path, ""));
    assert_int_equal(dd_model_read_facts(&facts, path, &error), DD_ERROR_MODEL);
    assert_true(shelf_model(s, s->users, "cut.dodona", "xx", 1));
    assert_int_equal(dd_model_read_facts(&facts, path, &error), DD_OK);
    assert_true(dd_facts_find((dd_text){facts.data, facts.size}, "language").size == 2);
    facts.size = 0;
    assert_int_equal(truncate(path, 200), 0);
    assert_int_equal(dd_model_read_facts(&facts, path, &error), DD_ERROR_MODEL);
    assert_non_null(strstr(error.message, "truncated model"));
    assert_int_equal(facts.size, 0);
    dd_buffer_free(&facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_folders_are_in_order),
        cmocka_unit_test(a_folder_is_looked_into_once),
        cmocka_unit_test(the_users_folder_is_that_of_the_environment),
        cmocka_unit_test(without_models_the_folders_are_named),
        cmocka_unit_test(the_first_folder_with_the_name_has_the_model),
        cmocka_unit_test(the_nearest_name_is_guessed),
        cmocka_unit_test(a_language_finds_a_model),
        cmocka_unit_test(a_path_is_a_path),
        cmocka_unit_test(models_are_loaded_by_name),
        cmocka_unit_test(the_default_is_english_or_what_the_environment_names),
        cmocka_unit_test(facts_are_read_from_sound_files_only),
        cmocka_unit_test(a_long_list_is_cut),
    };
    return cmocka_run_group_tests_name("catalogue", tests, set_up, tear_down);
}
