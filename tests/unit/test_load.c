/* Loading: files that change under a model, and models that training would not make. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../settings_help.h"
#include "core/sections.h"
#include "model/image.h"
#include "model/model.h"
#include "text_help.h"

/* 1 and 2 cross; the lifted arc gets a label of two parts. */
static const char crossing[] = "1\ta\t_\tX\t_\t_\t3\tx\t_\t_\n2\tb\t_\tX\t_\t_\t4\tx\t_\t_\n"
                               "3\tc\t_\tX\t_\t_\t4\tx\t_\t_\n4\td\t_\tX\t_\t_\t0\troot\t_\t_\n\n";

typedef struct fixture {
    char folder[64], path[80];
    dd_model *model;
} fixture;

static void write_file(const char *path, const char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    static fixture f;
    strcpy(f.folder, "/tmp/dodona-test-XXXXXX");
    if (!mkdtemp(f.folder)) return -1;
    snprintf(f.path, sizeof f.path, "%s/f", f.folder);
    write_file(f.path, crossing, sizeof crossing - 1);
    const char *how = "system=arc-eager unbuildable=lift-head iterations=1";
    *state = &f;
    return train_with_settings(&f.model, how, NULL, f.path, NULL, NULL) == DD_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    dd_model_free(f->model);
    unlink(f->path);
    return rmdir(f->folder);
}

static void a_small_model_needs_its_file_no_longer(void **state)
{
    const fixture *f = *state;
    dd_model *loaded;
    assert_int_equal(dd_model_save(f->model, f->path, NULL), DD_OK);
    assert_int_equal(dd_model_load(&loaded, f->path, NULL), DD_OK);
    assert_int_equal(truncate(f->path, 0), 0);
    assert_int_equal(loaded->size, f->model->size);
    assert_memory_equal(loaded->image, f->model->image, f->model->size);
    dd_model_free(loaded);
}

/* A model above the size up to which they are copied: one more section makes it so. */
static void a_large_model_is_mapped(void **state)
{
    const fixture *f = *state;
    dd_sections sections;
    dd_model *loaded;
    char *image, *room = calloc(1, 5 << 20);
    size_t size;
    assert_non_null(room);
    dd_image_list(f->model->image, &sections);
    dd_sections_add(&sections, "ballast", (dd_text){room, 5 << 20});
    assert_int_equal(dd_model_assemble(&image, &size, &sections, NULL), DD_OK);
    write_file(f->path, image, size);
    assert_int_equal(dd_model_load(&loaded, f->path, NULL), DD_OK);
    assert_true(loaded->kind == DD_IMAGE_MAPPED);
    assert_memory_equal(loaded->image, image, size);
    dd_model_free(loaded);
    free(image);
    free(room);
}

/* The facts with another scheme, of a name as long. */
static void rename_scheme(dd_text *facts, char *text, const char *scheme)
{
    memcpy(text, facts->data, facts->size);
    text[facts->size] = '\0';
    char *at = strstr(text, "pseudo-projective\thead\n");
    assert_non_null(at);
    memcpy(at + strlen("pseudo-projective\t"), scheme, 4);
    facts->data = text;
}

static void labels_of_lifted_trees_need_their_scheme(void **state)
{
    const fixture *f = *state;
    static const char *const schemes[] = {"none", "nine"},
                             *const reasons[] = {"labels of lifted trees without a scheme",
                                                 "unknown pseudo-projective scheme 'nine'"};
    for (int i = 0; i < 2; i++) {
        dd_sections sections;
        dd_model *loaded = NULL;
        dd_error error;
        char text[4096], expected[256], *image;
        size_t size;
        dd_image_list(f->model->image, &sections);
        for (int s = 0; s < sections.count; s++)
            if (strcmp(sections.names[s], "facts") == 0)
                rename_scheme(&sections.contents[s], text, schemes[i]);
        assert_int_equal(dd_model_assemble(&image, &size, &sections, NULL), DD_OK);
        write_file(f->path, image, size);
        free(image);
        snprintf(expected, sizeof expected, "%s: damaged model: %s", f->path, reasons[i]);
        assert_int_equal(dd_model_load(&loaded, f->path, &error), DD_ERROR_MODEL);
        assert_string_equal(error.message, expected);
    }
}

/* The bytes of the model at an address that is, or is not, as a model in place needs it. */
static char *bytes_at(const fixture *f, size_t off, char **room)
{
    size_t size = (f->model->size + off + 63) / 64 * 64;
    *room = aligned_alloc(DD_MODEL_ALIGNMENT, size);
    assert_non_null(*room);
    return memcpy(*room + off, f->model->image, f->model->size);
}

static void a_copied_model_needs_its_bytes_no_longer(void **state)
{
    const fixture *f = *state;
    dd_model *loaded;
    char *room, *bytes = bytes_at(f, 1, &room);
    dd_text text = {bytes, f->model->size};
    assert_int_equal(dd_model_load_memory(&loaded, "m", text, true, NULL), DD_OK);
    memset(bytes, 0, f->model->size);
    free(room);
    assert_memory_equal(dd_model_bytes(loaded).data, f->model->image, f->model->size);
    assert_int_equal(dd_model_bytes(loaded).size, f->model->size);
    dd_model_free(loaded);
}

static void a_model_is_read_in_place(void **state)
{
    const fixture *f = *state;
    dd_model *loaded;
    char *room, *bytes = bytes_at(f, 0, &room);
    dd_text text = {bytes, f->model->size};
    assert_int_equal(dd_model_load_memory(&loaded, NULL, text, false, NULL), DD_OK);
    assert_ptr_equal(dd_model_bytes(loaded).data, bytes);
    assert_int_equal(dd_model_components(loaded), dd_model_components(f->model));
    dd_model_free(loaded);
    assert_memory_equal(bytes, f->model->image, f->model->size);
    free(room);
}

static void wrong_bytes_are_refused_and_stay_the_callers(void **state)
{
    const fixture *f = *state;
    dd_model *loaded;
    dd_error error;
    char *room, *bytes = bytes_at(f, 0, &room);
    dd_text text = {bytes, f->model->size}, none = {NULL, 0};
    bytes[f->model->size - 1] ^= 1;
    for (int copied = 0; copied < 2; copied++) {
        assert_int_equal(dd_model_load_memory(&loaded, "m", text, copied, &error), DD_ERROR_MODEL);
        assert_string_equal(error.message, "m: damaged model: wrong checksum");
        assert_int_equal(dd_model_load_memory(&loaded, NULL, none, copied, &error), DD_ERROR_MODEL);
        assert_string_equal(error.message, "<memory>: not a Dodona model");
    }
    free(room);
    text.data = bytes_at(f, 8, &room);
    assert_int_equal(dd_model_load_memory(&loaded, "m", text, false, &error), DD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "multiple of 64"));
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_model_needs_its_file_no_longer),
        cmocka_unit_test(a_large_model_is_mapped),
        cmocka_unit_test(a_copied_model_needs_its_bytes_no_longer),
        cmocka_unit_test(a_model_is_read_in_place),
        cmocka_unit_test(wrong_bytes_are_refused_and_stay_the_callers),
        cmocka_unit_test(labels_of_lifted_trees_need_their_scheme),
    };
    return cmocka_run_group_tests_name("loading", tests, set_up, tear_down);
}
