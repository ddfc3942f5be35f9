/* Model files made to deceive: the checksum is right and the contents are not. Whatever they hold,
 * an image is refused, or every sentence gets a valid tree with labels that can be written.
 *
 *     input: 'i', an image   or   's', four sections, each behind its size in two bytes
 *
 * Header and checksum are put right first, so that mutations reach what stands behind them. */
#include "fuzz.h"
#include <dodona_tools.h>

#include "core/strings.h"
#include "model/image.h"
#include "model/model.h"
#include "systems/registry.h"
#include "text/sentence.h"
#include "tree/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { SECTIONS = 4 };

static void require(bool holds)
{
    if (!holds) abort();
}

/* ---- parsing with whatever was loaded ---- */

#define WORD(id, form, tag, head, label)                                                           \
    id "\t" form "\t" form "\t" tag "\t_\tA=" tag "\t" head "\t" label "\t_\t_\n"

static const char treebank[] = WORD("1", "dogs", "N", "2", "nsubj")
    WORD("2", "bark", "V", "0", "root") "\n" WORD("1", "the", "D", "2", "det")
        WORD("2", "cat", "N", "3", "nsubj") WORD("3", "saw", "V", "0", "root")
            WORD("4", "dogs", "N", "3", "obj")
                WORD("5", "now", "R", "3", "adv") "\n" WORD("1", "come", "V", "0", "root") "\n";

static void check_tree(const dd_sentence *sentence, bool single_root)
{
    dd_tree_space space = {0};
    dd_tree_fault fault;
    int word;
    require(dd_tree_check(&space, sentence->heads, sentence->n, &fault, &word));
    require(fault == DD_TREE_OK);
    require(!single_root || dd_tree_roots(sentence->heads, sentence->n) == 1);
    dd_tree_space_free(&space);
}

/* CoNLL-X, as a label may have spaces there. */
static void read_again(dd_sentence *sentence)
{
    dd_buffer out = {0};
    dd_reader *reader;
    dd_sentence *again;
    require(dd_sentence_format(sentence, DD_FORMAT_AUTO, &out, NULL) == DD_OK);
    dd_text text = {out.data, out.size};
    require(dd_reader_open_memory(&reader, "again", text, DD_FORMAT_CONLLX, NULL) == DD_OK);
    require(dd_sentence_new(&again, NULL) == DD_OK);
    require(dd_reader_next(reader, again, NULL) == DD_OK && again->n == sentence->n);
    dd_sentence_free(again);
    dd_reader_close(reader);
    dd_buffer_free(&out);
}

static void parse_all(const dd_model *model)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_parser *parser;
    dd_text text = {treebank, sizeof treebank - 1};
    require(dd_reader_open_memory(&reader, "treebank", text, DD_FORMAT_CONLLX, NULL) == DD_OK);
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    require(dd_parser_new(&parser, model, NULL) == DD_OK);
    while (dd_reader_next(reader, sentence, NULL) == DD_OK) {
        require(dd_parser_parse(parser, sentence, true, NULL) == DD_OK);
        check_tree(sentence, model->single_root);
        read_again(sentence);
    }
    dd_parser_free(parser);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

/* Takes the image over. */
static void load(char *image, size_t size)
{
    dd_model *model = NULL;
    dd_error error = {.status = DD_OK};
    dd_status status = dd_model_from_image(&model, "fuzz", image, size, DD_IMAGE_ALLOCATED, &error);
    if (status == DD_OK) {
        dd_text key, value;
        for (size_t i = 0; i < 100 && dd_model_fact(model, i, &key, &value); i++)
            require(!memchr(value.data, '\n', value.size));
        parse_all(model);
    } else {
        require(status == DD_ERROR_MODEL && !model && memcmp(error.message, "fuzz: ", 6) == 0);
    }
    dd_model_free(model);
}

/* As dd_model_read_facts does, with no checksum to protect it. */
static void read_facts(const char *image, size_t size)
{
    dd_sections sections;
    dd_text facts;
    if (dd_image_check_frame("fuzz", image, size, NULL) != DD_OK) return;
    dd_image_list(image, &sections);
    if (!dd_sections_find(&sections, "facts", &facts)) return;
    dd_text language = dd_facts_find(facts, "language");
    require(!language.data || (language.data > facts.data &&
                               language.data + language.size < facts.data + facts.size));
}

/* ---- the two kinds of input ---- */

static char magic[8]; /* of a trained model */

static void load_image(const uint8_t *data, size_t size)
{
    dd_image_header header;
    if (size < sizeof header) return;
    /* A block of just that size, so that a sanitizer sees every step beyond it. */
    void *image = NULL;
    require(posix_memalign(&image, DD_IMAGE_ALIGNMENT, size) == 0);
    memcpy(image, data, size);
    read_facts(image, size);
    memcpy(&header, image, sizeof header);
    memcpy(header.magic, magic, sizeof magic);
    header.version = DD_IMAGE_VERSION;
    header.size = size;
    header.checksum = XXH3_64bits((char *)image + sizeof header, size - sizeof header);
    memcpy(image, &header, sizeof header);
    load(image, size);
}

/* Of a parser, in this order. */
static const char *const names[SECTIONS] = {"facts", "templates", "labels", "weights"};

static void load_sections(const uint8_t *data, size_t size)
{
    dd_sections sections = {0};
    for (int i = 0; i < SECTIONS; i++) {
        dd_text part = {"", 0};
        if (size >= 2) {
            size_t wanted = (size_t)data[0] | (size_t)data[1] << 8;
            data += 2;
            size -= 2;
            part = (dd_text){(const char *)data, wanted < size ? wanted : size};
            data += part.size;
            size -= part.size;
        }
        dd_sections_add(&sections, names[i], part);
    }
    char *image;
    size_t image_size;
    require(dd_model_assemble(&image, &image_size, &sections, NULL) == DD_OK);
    load(image, image_size);
}

/* ---- seeds: trained models ---- */

static const char templates[] = "S0.form\nB0.upos S0.feats:A\nS0.l1.label dist(S0,B0)\n";

static dd_model *train(const char *system, const char *single_root, const char *scorer)
{
    char path[] = "/tmp/dodona-fuzz-XXXXXX";
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, treebank, sizeof treebank - 1) == (ssize_t)sizeof treebank - 1);
    close(file);
    const char *paths[] = {path};
    dd_settings *settings;
    dd_model *model;
    require(dd_settings_new(&settings, NULL) == DD_OK);
    require(dd_settings_set(settings, "system", system, NULL) == DD_OK);
    require(dd_settings_set(settings, "single-root", single_root, NULL) == DD_OK);
    require(dd_settings_set(settings, "templates", templates, NULL) == DD_OK);
    require(dd_settings_set(settings, "iterations", "3", NULL) == DD_OK);
    require(dd_settings_set(settings, "scorer", scorer, NULL) == DD_OK);
    require(dd_settings_set(settings, "width", "8", NULL) == DD_OK);
    require(dd_settings_set(settings, "hidden", "16", NULL) == DD_OK);
    require(dd_settings_set(settings, "tagger-width", "8", NULL) == DD_OK);
    if (strcmp(scorer, "neural") == 0)
        require(dd_settings_set(settings, "only", "tagger,parser", NULL) == DD_OK);
    require(dd_train(&model, settings, NULL, paths, 1, NULL, NULL) == DD_OK);
    dd_settings_free(settings);
    unlink(path);
    return model;
}

static void put_section(dd_buffer *out, dd_text section)
{
    const char size[2] = {(char)(section.size & 0xFF), (char)(section.size >> 8)};
    require(section.size <= UINT16_MAX);
    require(dd_buffer_append(out, size, 2));
    require(dd_buffer_append(out, section.data, section.size));
}

static void make_seeds(dd_buffer *image, dd_buffer *sections, size_t system)
{
    dd_model *model = train(dd_system_get(system)->name, system % 2 ? "no" : "yes", "linear");
    memcpy(magic, model->image, sizeof magic);
    require(dd_buffer_append(image, "i", 1));
    require(dd_buffer_append(image, model->image, model->size));
    require(dd_buffer_append(sections, "s", 1));
    dd_sections all;
    dd_image_list(model->image, &all);
    for (int i = 0; i < SECTIONS; i++) {
        dd_text part;
        require(dd_sections_find(&all, names[i], &part));
        put_section(sections, part);
    }
    dd_model_free(model);
}

/* Its sections are too large for the form of seeds that has them one by one. */
static void make_neural_seed(dd_buffer *image, const char *system)
{
    dd_model *model = train(system, "yes", "neural");
    require(dd_buffer_append(image, "i", 1));
    require(dd_buffer_append(image, model->image, model->size));
    dd_model_free(model);
}

fuzz_seed fuzz_seed_at(size_t index)
{
    enum { MOST = 2 * DD_MAX_SYSTEMS };
    static const char *const systems[] = {"arc-hybrid", "graph"};
    static dd_buffer seeds[MOST], neural[2]; /* kept to the end of the program */
    size_t last = index - 2 * dd_system_count();
    if (last < 2) {
        if (!neural[last].data) make_neural_seed(&neural[last], systems[last]);
        return (fuzz_seed){neural[last].data, neural[last].size};
    }
    if (index / 2 >= dd_system_count()) return (fuzz_seed){NULL, 0};
    size_t even = index - index % 2;
    if (!seeds[even].data) make_seeds(&seeds[even], &seeds[even + 1], index / 2);
    return (fuzz_seed){seeds[index].data, seeds[index].size};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!magic[0]) fuzz_seed_at(0);
    if (size == 0) return 0;
    if (data[0] == 'i') load_image(data + 1, size - 1);
    if (data[0] == 's') load_sections(data + 1, size - 1);
    return 0;
}
