/* The language of a text: profiles, what is refused of them, and which model is picked. */
#include "text_help.h"

#include "../catalogue_help.h"
#include "../language_help.h"
#include "model/model.h"
#include "segment/language.h"

/* ---- profiles ---- */

/* Of one sentence, with the words of the text. To be freed. */
static dd_buffer learn(const char *text)
{
    dd_text forms[200], rest = text_of(text);
    dd_sentence *sentence;
    dd_buffer section = {0};
    size_t count = 0;
    while (rest.size > 0) forms[count++] = dd_text_cut(&rest, ' ');
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_sentence_set_words(sentence, forms, count, NULL), DD_OK);
    assert_int_equal(dd_profile_learn(&section, &sentence, 1, NULL), DD_OK);
    dd_sentence_free(sentence);
    return section;
}

static dd_text view(const dd_buffer *section)
{
    return (dd_text){section->data, section->size};
}

static void expect_same(const char *one, const char *other)
{
    dd_buffer a = learn(one), b = learn(other);
    assert_true(dd_text_same(view(&a), view(&b)));
    dd_buffer_free(&a);
    dd_buffer_free(&b);
}

static void profiles_are_of_letters_only(void **state)
{
    (void)state;
    expect_same("Ab , CD 12 É !", "ab cd é");
    expect_same("ab-cd", "ab cd");
    expect_same("漢字", "漢 字");
}

static size_t count_grams(const char *text)
{
    dd_buffer section = learn(text);
    dd_profile profile;
    assert_int_equal(dd_profile_map(&profile, view(&section), NULL), DD_OK);
    dd_buffer_free(&section);
    return profile.count;
}

static void n_grams_have_up_to_three_letters(void **state)
{
    (void)state;
    /* a, " a", "a ", " a " */
    assert_int_equal(count_grams("a"), 4);
    /* a b, " a" "ab" "b ", " ab" "ab " */
    assert_int_equal(count_grams("ab"), 7);
    assert_int_equal(count_grams("漢字漢"), 2);
}

static void a_text_without_letters_has_no_profile(void **state)
{
    (void)state;
    dd_buffer section = learn("12 , 3");
    assert_int_equal(section.size, 0);
    dd_buffer_free(&section);
}

/* 17,576 trigrams and more. */
static void profiles_are_bounded(void **state)
{
    (void)state;
    dd_sentence *sentence;
    dd_buffer section = {0};
    char forms[26][80];
    dd_text words[26];
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    for (int i = 0; i < 26; i++) {
        for (int k = 0; k < 78; k++) forms[i][k] = (char)('a' + (i * k + k * k / 7) % 26);
        words[i] = (dd_text){forms[i], 78};
    }
    assert_int_equal(dd_sentence_set_words(sentence, words, 26, NULL), DD_OK);
    assert_int_equal(dd_profile_learn(&section, &sentence, 1, NULL), DD_OK);
    assert_int_equal(section.size, sizeof(dd_profile_header) + DD_PROFILE_GRAMS * sizeof(uint32_t));
    assert_true(section.size <= 6 * 1024);
    dd_sentence_free(sentence);
    dd_buffer_free(&section);
}

/* The same costs on every machine: 8 log2(total / count), rounded down. */
static void costs_are_eighths_of_a_bit(void **state)
{
    (void)state;
    dd_buffer section = learn("漢 漢 漢 字");
    dd_profile profile;
    assert_int_equal(dd_profile_map(&profile, view(&section), NULL), DD_OK);
    uint32_t one = profile.grams[0] & 0xFF, other = profile.grams[1] & 0xFF;
    assert_int_equal(one < other ? one : other, 3);  /* 8 log2(4/3) = 3.3 */
    assert_int_equal(one < other ? other : one, 16); /* 8 log2(4) */
    assert_int_equal(profile.usual, (3 * 3 + 16) * 1000 / 4);
    dd_buffer_free(&section);
}

/* ---- damaged sections ---- */

static void expect_damaged(const uint32_t *numbers, size_t bytes)
{
    dd_profile profile;
    dd_error error = {.message = ""};
    dd_text section = {(const char *)numbers, bytes};
    assert_int_equal(dd_profile_map(&profile, section, &error), DD_ERROR_MODEL);
    assert_string_equal(error.message, "section 'language' is damaged");
}

static void damaged_profiles_are_refused(void **state)
{
    (void)state;
    static uint32_t many[2 + DD_PROFILE_GRAMS + 1] = {1};
    dd_profile profile;
    const uint32_t good[] = {1, 9, 1 << 8 | 128, 2 << 8};
    assert_int_equal(dd_profile_map(&profile, (dd_text){(const char *)good, 16}, NULL), DD_OK);
    assert_int_equal(profile.count, 2);
    for (size_t size = 0; size <= 8; size++) expect_damaged(good, size);
    expect_damaged(good, 13);
    expect_damaged((const uint32_t[]){2, 9, 1 << 8}, 12);
    expect_damaged((const uint32_t[]){1, 9, 1 << 8 | 129}, 12);
    expect_damaged((const uint32_t[]){1, 9, 2 << 8, 1 << 8}, 16);
    expect_damaged((const uint32_t[]){1, 9, 2 << 8, 2 << 8 | 1}, 16);
    expect_damaged((const uint32_t[]){1, 640001, 1 << 8}, 12);
    for (uint32_t i = 0; i <= DD_PROFILE_GRAMS; i++) many[2 + i] = i << 8;
    expect_damaged(many, sizeof many);
    assert_int_equal(dd_profile_map(&profile, (dd_text){(char *)many, sizeof many - 4}, NULL),
                     DD_OK);
}

/* ---- picking ---- */

enum { LANGUAGES = 3 };
static const char *const names[LANGUAGES] = {"en", "de", "da"};
static const char *const texts[LANGUAGES] = {english_text, german_text, danish_text};

typedef struct known {
    dd_buffer sections[LANGUAGES];
    dd_known_language at[LANGUAGES];
} known;

static int set_up(void **state)
{
    static known all;
    for (int i = 0; i < LANGUAGES; i++) {
        all.sections[i] = learn(texts[i]);
        all.at[i].language = text_of(names[i]);
        if (dd_profile_map(&all.at[i].profile, view(&all.sections[i]), NULL) != DD_OK) return -1;
    }
    *state = &all;
    return 0;
}

static int tear_down(void **state)
{
    known *all = *state;
    for (int i = 0; i < LANGUAGES; i++) dd_buffer_free(&all->sections[i]);
    return 0;
}

static void expect_language(const known *all, const char *text, size_t expected)
{
    size_t found = SIZE_MAX;
    dd_error error = {.message = ""};
    if (dd_language_pick(all->at, LANGUAGES, text_of(text), &found, &error) != DD_OK)
        fail_msg("%s: %s", text, error.message);
    assert_int_equal(found, expected);
}

static void the_language_is_told_by_the_text(void **state)
{
    expect_language(*state, "The dog and the man were in the garden when it rained.", 0);
    expect_language(*state, "DER HUND UND DER MANN WAREN IM GARTEN, ALS ES REGNETE.", 1);
    expect_language(*state, "Hunden og manden var i haven, når det regnede på gaden.", 2);
}

static void expect_doubt(const dd_known_language *at, size_t count, const char *text,
                         const char *message)
{
    size_t found = 77;
    dd_error error = {.message = ""};
    assert_int_equal(dd_language_pick(at, count, text_of(text), &found, &error), DD_ERROR_DATA);
    assert_string_equal(error.message, message);
    assert_int_equal(found, 77);
}

static void what_is_not_clear_is_refused(void **state)
{
    const known *all = *state;
    expect_doubt(all->at, LANGUAGES, "the weat",
                 "the language is not clear; the likeliest are 'en' and 'de'");
    expect_doubt(all->at, LANGUAGES, "der Mann",
                 "the language is not clear; the likeliest are 'de' and 'da'");
    expect_doubt(all->at, 1, "the weat",
                 "the text is too short to tell its language; the likeliest is 'en'");
    expect_doubt(all->at, LANGUAGES, " 12, 3\n",
                 "there are no letters to identify the language by");
    expect_doubt(all->at, LANGUAGES, "Это текст, для которого модели нет.",
                 "the text is in no language of the models; the nearest is 'en'");
    expect_doubt(
        all->at, 0, "the weather",
        "no model can identify the language of a text: none was trained with 'language' and has "
        "a tokenizer");
}

/* A profile that is almost that of English; the section is to be freed. */
static dd_known_language learn_near_english(const char *language, dd_buffer *section)
{
    char shorter[sizeof english_text];
    dd_known_language near = {.language = text_of(language)};
    snprintf(shorter, sizeof shorter, "%.*s", (int)sizeof english_text - 20, english_text);
    *section = learn(shorter);
    assert_int_equal(dd_profile_map(&near.profile, view(section), NULL), DD_OK);
    return near;
}

/* Two models of one language are no doubt about it, in whatever order they come. */
static void a_language_has_several_models(void **state)
{
    const known *all = *state;
    dd_buffer section;
    dd_known_language near = learn_near_english("en", &section);
    const dd_known_language orders[][2] = {{near, all->at[0]}, {all->at[0], near}};
    dd_text text = text_of("The dog and the man were in the garden and had fallen.");
    for (size_t i = 0; i < 2; i++) {
        size_t found;
        assert_int_equal(dd_language_pick(orders[i], 2, text, &found, NULL), DD_OK);
        assert_int_equal(found, 1 - i);
    }
    dd_buffer_free(&section);
}

/* Languages that are almost the same, and two names of one. */
static void a_small_lead_is_refused(void **state)
{
    const known *all = *state;
    dd_buffer section;
    dd_known_language two[] = {all->at[0], learn_near_english("sco", &section)};
    expect_doubt(two, 2, "The dog and the man were in the garden.",
                 "the language is not clear; the likeliest are 'sco' and 'en'");
    two[1] = all->at[0];
    two[1].language = text_of("eng");
    expect_doubt(two, 2, english_text,
                 "the language is not clear; the likeliest are 'en' and 'eng'");
    dd_buffer_free(&section);
}

/* What stands behind the first letters changes nothing. */
static void only_the_beginning_counts(void **state)
{
    const known *all = *state;
    dd_buffer text = {0};
    while (text.size < 4 * DD_SAMPLE_LETTERS) assert_true(dd_buffer_text(&text, english_text));
    for (int i = 0; i < 100; i++) assert_true(dd_buffer_text(&text, danish_text));
    size_t found;
    assert_int_equal(dd_language_pick(all->at, LANGUAGES, view(&text), &found, NULL), DD_OK);
    assert_int_equal(found, 0);
    dd_buffer_free(&text);
}

static void broken_bytes_separate_words(void **state)
{
    expect_language(*state,
                    "The\xFF"
                    "dog and the man\xC3 were in the garden when it rained.\xE2\x82",
                    0);
}

/* ---- models ---- */

/* Learns a tokenizer, or what the settings say instead. */
static dd_model *train(shelves *s, const char *text, const char *settings)
{
    dd_model *model = NULL;
    dd_buffer file = {0};
    dd_text rest = text_of(text);
    char path[60];
    for (int id = 1; rest.size > 0; id++) {
        dd_text form = dd_text_cut(&rest, ' ');
        assert_true(dd_buffer_printf(&file, "%d\t%.*s\t_\tX\t_\t_\t%d\tdep\t_\t%s\n", id,
                                     (int)form.size, form.data, id - 1,
                                     id % 9 ? "_" : "SpaceAfter=No"));
    }
    assert_true(dd_buffer_append(&file, "\n", 2));
    snprintf(path, sizeof path, "%s/t.conllu", s->root);
    assert_true(shelf_text(path, file.data));
    assert_int_equal(train_with_settings(&model, settings, NULL, path, NULL, NULL), DD_OK);
    dd_buffer_free(&file);
    return model;
}

static void models_with_tokenizer_and_language_have_a_profile(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        bool expected;
    } cases[] = {{"only=tokenizer language=en", true},
                 {"only=tokenizer", false},
                 {"only=tagger language=en", false}};
    shelves s;
    assert_true(shelves_make(&s));
    for (size_t i = 0; i < 3; i++) {
        dd_model *model = train(&s, english_text, cases[i].settings);
        assert_int_equal(model->profile.count > 0, cases[i].expected);
        dd_model_free(model);
    }
    shelves_remove(&s);
}

static void save(shelves *s, const char *folder, const char *file, const char *text,
                 const char *settings)
{
    dd_model *model = train(s, text, settings);
    assert_int_equal(dd_model_save(model, shelf_path(s, folder, file), NULL), DD_OK);
    dd_model_free(model);
}

static void expect_picked(const char *text, const char *name)
{
    dd_catalogue *catalogue;
    const dd_catalogue_model *model;
    dd_error error = {.message = ""};
    assert_int_equal(dd_catalogue_new(&catalogue, NULL, 0, NULL), DD_OK);
    if (dd_catalogue_pick(catalogue, text_of(text), &model, &error) != DD_OK)
        fail_msg("%s", error.message);
    assert_string_equal(model->name, name);
    dd_catalogue_free(catalogue);
}

static void the_catalogue_takes_the_model_as_by_its_language(void **state)
{
    (void)state;
    shelves s;
    char more[2000];
    assert_true(shelves_make(&s));
    snprintf(more, sizeof more, "%s %s", english_text, english_text);
    save(&s, s.listed, "a.dodona", english_text, "only=tokenizer language=en");
    save(&s, s.listed, "b.dodona", more, "only=tokenizer language=en");
    save(&s, s.listed, "g.dodona", german_text, "only=tokenizer language=de");
    save(&s, s.users, "d.dodona", danish_text, "only=tokenizer language=da");
    assert_true(shelf_text(shelf_path(&s, s.listed, "damaged.dodona"), "no model"));
    expect_picked(english_text, "b");
    expect_picked(german_text, "g");
    expect_picked(danish_text, "d");
    save(&s, s.users, "en.dodona", german_text, "only=tokenizer language=de");
    expect_picked(english_text, "en");
    shelves_remove(&s);
}

static void of_models_in_memory_the_first_is_taken(void **state)
{
    (void)state;
    shelves s;
    size_t picked;
    assert_true(shelves_make(&s));
    dd_model *bare = train(&s, english_text, "only=tokenizer");
    dd_model *german = train(&s, german_text, "only=tokenizer language=de");
    dd_model *one = train(&s, danish_text, "only=tokenizer language=en");
    dd_model *english = train(&s, english_text, "only=tokenizer language=en");
    const dd_model *all[] = {bare, german, one, english};
    assert_int_equal(dd_model_pick(all, 4, text_of(english_text), &picked, NULL), DD_OK);
    assert_int_equal(picked, 2);
    assert_int_equal(dd_model_pick(all, 4, text_of(german_text), &picked, NULL), DD_OK);
    assert_int_equal(picked, 1);
    assert_int_equal(dd_model_pick(all, 1, text_of(german_text), &picked, NULL), DD_ERROR_DATA);
    for (size_t i = 0; i < 4; i++) dd_model_free((dd_model *)all[i]);
    shelves_remove(&s);
}

static void a_model_with_a_damaged_profile_is_refused(void **state)
{
    (void)state;
    static const char facts[] = "components\ttagger\n";
    const uint32_t wrong[] = {1, 9, 2 << 8, 1 << 8};
    char *image;
    size_t size;
    dd_model *model;
    dd_error error;
    dd_sections sections = {0};
    dd_sections_add(&sections, "facts", text_of(facts));
    dd_sections_add(&sections, "lemmatizer", text_of("x"));
    dd_sections_add(&sections, DD_LANGUAGE, (dd_text){(const char *)wrong, sizeof wrong});
    assert_int_equal(dd_model_assemble(&image, &size, &sections, NULL), DD_OK);
    assert_int_equal(dd_model_from_image(&model, "m", image, size, DD_IMAGE_ALLOCATED, &error),
                     DD_ERROR_MODEL);
    assert_string_equal(error.message, "m: damaged model: section 'language' is damaged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_of_letters_only),
        cmocka_unit_test(n_grams_have_up_to_three_letters),
        cmocka_unit_test(a_text_without_letters_has_no_profile),
        cmocka_unit_test(profiles_are_bounded),
        cmocka_unit_test(costs_are_eighths_of_a_bit),
        cmocka_unit_test(damaged_profiles_are_refused),
        cmocka_unit_test(the_language_is_told_by_the_text),
        cmocka_unit_test(what_is_not_clear_is_refused),
        cmocka_unit_test(a_language_has_several_models),
        cmocka_unit_test(a_small_lead_is_refused),
        cmocka_unit_test(only_the_beginning_counts),
        cmocka_unit_test(broken_bytes_separate_words),
        cmocka_unit_test(models_with_tokenizer_and_language_have_a_profile),
        cmocka_unit_test(the_catalogue_takes_the_model_as_by_its_language),
        cmocka_unit_test(of_models_in_memory_the_first_is_taken),
        cmocka_unit_test(a_model_with_a_damaged_profile_is_refused),
    };
    return cmocka_run_group_tests_name("language", tests, set_up, tear_down);
}
