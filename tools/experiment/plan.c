#include "experiment/plan.h"

#include "cmd.h"
#include "experiment/treebank.h"
#include "heap.h"
#include "message.h"
#include "suggest.h"
#include "textfile.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const plan_oracles[] = {"static", "nondet", "dynamic", NULL};

enum { MAX_ITERATIONS = 1000, NAME_SIZE = 64 };

typedef enum section { SECTION_TOP, SECTION_TREEBANKS, SECTION_RUNS } section;

/* The lists of a section, views of the plan's text. */
typedef struct list {
    char *text; /* NULL: not given */
    int line;
} list;

typedef struct reader {
    plan *plan;
    const char *folder; /* in place of those in the plan; may be NULL */
    bool for_report;
    int line;
    section section;
    int section_line;
    list seeds, iterations;                         /* of the top */
    list section_folder, codes, section_iterations; /* of [treebanks] */
    list systems, oracles, losses;                  /* of [runs] */
} reader;

typedef struct key {
    const char *name;
    section section;
    size_t target; /* a list in reader */
} key;

#define AT(field) offsetof(reader, field)
static const key keys[] = {
    {"seeds", SECTION_TOP, AT(seeds)},
    {"iterations", SECTION_TOP, AT(iterations)},
    {"folder", SECTION_TREEBANKS, AT(section_folder)},
    {"codes", SECTION_TREEBANKS, AT(codes)},
    {"iterations", SECTION_TREEBANKS, AT(section_iterations)},
    {"systems", SECTION_RUNS, AT(systems)},
    {"oracles", SECTION_RUNS, AT(oracles)},
    {"losses", SECTION_RUNS, AT(losses)},
};
#undef AT
static const size_t n_keys = sizeof keys / sizeof *keys;

static int problem(const reader *r, int line, const char *format, ...) MESSAGE_FORMAT(3, 4);

static int problem(const reader *r, int line, const char *format, ...)
{
    char text[DD_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("%s:%d: %s", r->plan->path, line, text);
    return STATUS_PROBLEM;
}

/* ---- words ---- */

static char *next_word(char **rest)
{
    char *at = *rest + strspn(*rest, " \t");
    if (!*at) return NULL;
    char *end = at + strcspn(at, " \t");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return at;
}

/* A misspelt word, with the nearest of those known if there is one. */
static int unknown(const reader *r, int line, const char *what, const char *word,
                   const suggestion *nearest)
{
    if (nearest->nearest)
        return problem(r, line, "there is no %s '%s'; did you mean '%s'?", what, word,
                       nearest->nearest);
    return problem(r, line, "there is no %s '%s'", what, word);
}

static int read_number(const reader *r, int line, const char *word, uint64_t least, uint64_t most,
                       uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(word, &end, 10);
    bool digits = *word && strspn(word, "0123456789") == strlen(word);
    if (!digits || errno || number < least || number > most)
        return problem(r, line, "'%s' is not a whole number from %" PRIu64 " to %" PRIu64, word,
                       least, most);
    *out = number;
    return STATUS_OK;
}

/* ---- the top ---- */

static int read_seeds(reader *r)
{
    plan *p = r->plan;
    char *rest = r->seeds.text, *word;
    while ((word = next_word(&rest))) {
        uint64_t seed;
        if (read_number(r, r->seeds.line, word, 0, INT64_MAX, &seed) != STATUS_OK)
            return STATUS_PROBLEM;
        for (size_t i = 0; i < p->n_seeds; i++)
            if (p->seeds[i] == seed)
                return problem(r, r->seeds.line, "seed %s is there twice", word);
        HEAP_GROW(&p->seeds, &p->seeds_capacity, p->n_seeds + 1);
        p->seeds[p->n_seeds++] = seed;
    }
    return STATUS_OK;
}

static int read_iterations(const reader *r, const list *from, uint64_t *out)
{
    char *rest = from->text, *word = next_word(&rest);
    if (next_word(&rest)) return problem(r, from->line, "'iterations' is one number");
    return read_number(r, from->line, word, 1, MAX_ITERATIONS, out);
}

/* ---- [treebanks] ---- */

static bool is_code(const char *word)
{
    if (strlen(word) >= NAME_SIZE || *word == '.') return false;
    for (; *word; word++)
        if (!isalnum((unsigned char)*word) && !strchr("_.-", *word)) return false;
    return true;
}

/* Beside the plan, unless the folder is absolute. */
static char *resolve(const reader *r, const char *folder)
{
    const char *slash = strrchr(r->plan->path, '/');
    if (*folder == '/' || !slash) return heap_copy(folder, strlen(folder));
    size_t base = (size_t)(slash - r->plan->path) + 1;
    char *path = heap_zeroed(base + strlen(folder) + 1, 1);
    memcpy(path, r->plan->path, base);
    strcpy(path + base, folder);
    return path;
}

static int add_treebank(reader *r, const char *folder, const char *code, int iterations)
{
    plan *p = r->plan;
    if (!is_code(code))
        return problem(r, r->codes.line,
                       "'%s' is no name for a treebank: letters, digits, '_', '-' "
                       "and '.' only, and less than 64 of them",
                       code);
    for (size_t i = 0; i < p->n_treebanks; i++)
        if (strcmp(p->treebanks[i].code, code) == 0)
            return problem(r, r->codes.line, "treebank '%s' is there twice", code);
    plan_treebank new = {.code = heap_copy(code, strlen(code)), .iterations = iterations};
    HEAP_GROW(&p->treebanks, &p->treebanks_capacity, p->n_treebanks + 1);
    p->treebanks[p->n_treebanks++] = new;
    if (r->for_report) return STATUS_OK;
    const char *missing = treebank_find(&p->treebanks[p->n_treebanks - 1], folder);
    if (!missing) return STATUS_OK;
    return problem(r, r->codes.line, "treebank '%s': no %s.conllu or %s.conll in %s/%s", code,
                   missing, missing, folder, code);
}

static int end_treebanks(reader *r)
{
    uint64_t iterations = 0; /* the plan's, which may stand below */
    if (!r->codes.text) return problem(r, r->section_line, "[treebanks] has no 'codes'");
    if (r->section_iterations.text &&
        read_iterations(r, &r->section_iterations, &iterations) != STATUS_OK)
        return STATUS_PROBLEM;
    if (!r->folder && !r->section_folder.text)
        return problem(r, r->section_line, "[treebanks] has no 'folder'");
    char *folder =
        r->folder ? heap_copy(r->folder, strlen(r->folder)) : resolve(r, r->section_folder.text);
    char *rest = r->codes.text, *word;
    int status = STATUS_OK;
    while (status == STATUS_OK && (word = next_word(&rest)))
        status = add_treebank(r, folder, word, (int)iterations);
    free(folder);
    return status;
}

/* ---- [runs] ---- */

static int check_system(const reader *r, const char *name)
{
    suggestion nearest = suggest_for(name, strlen(name));
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++) {
        if (strcmp(info.name, name) == 0) return STATUS_OK;
        suggest_consider(&nearest, info.name);
    }
    return unknown(r, r->systems.line, "system", name, &nearest);
}

static int check_oracle(const reader *r, const char *name, int *oracle)
{
    suggestion nearest = suggest_for(name, strlen(name));
    for (*oracle = 0; plan_oracles[*oracle]; ++*oracle) {
        if (strcmp(plan_oracles[*oracle], name) == 0) return STATUS_OK;
        suggest_consider(&nearest, plan_oracles[*oracle]);
    }
    return unknown(r, r->oracles.line, "oracle", name, &nearest);
}

/* The library knows which systems have which losses. */
static int check_loss(const reader *r, const char *system, const char *loss)
{
    dd_oracle_options options = {.system = system, .loss = loss};
    dd_oracle *oracle = NULL;
    dd_error error;
    if (dd_oracle_new(&oracle, &options, &error) != DD_OK)
        return problem(r, r->losses.line, "%s", error.message);
    dd_oracle_free(oracle);
    return STATUS_OK;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int add_setup(reader *r, const char *system, int oracle, const char *loss)
{
    plan *p = r->plan;
    for (size_t i = 0; i < p->n_setups; i++)
        if (strcmp(p->setups[i].system, system) == 0 && p->setups[i].oracle == oracle &&
            same_text(p->setups[i].loss, loss))
            return problem(r, r->systems.line, "%s with the %s oracle is there twice", system,
                           plan_oracles[oracle]);
    if (loss && check_loss(r, system, loss) != STATUS_OK) return STATUS_PROBLEM;
    HEAP_GROW(&p->setups, &p->setups_capacity, p->n_setups + 1);
    p->setups[p->n_setups++] = (plan_setup){.system = heap_copy(system, strlen(system)),
                                            .oracle = oracle,
                                            .loss = loss ? heap_copy(loss, strlen(loss)) : NULL};
    return STATUS_OK;
}

/* Every loss of a list; the static oracle asks for none. */
static int add_losses(reader *r, const char *system, int oracle)
{
    if (!r->losses.text || oracle == DD_ORACLE_STATIC) return add_setup(r, system, oracle, NULL);
    char *copy = heap_copy(r->losses.text, strlen(r->losses.text)), *rest = copy, *word;
    int status = STATUS_OK;
    while (status == STATUS_OK && (word = next_word(&rest)))
        status = add_setup(r, system, oracle, word);
    free(copy);
    return status;
}

static int add_oracles(reader *r, const char *system)
{
    char *copy = heap_copy(r->oracles.text, strlen(r->oracles.text)), *rest = copy, *word;
    int status = check_system(r, system), oracle;
    while (status == STATUS_OK && (word = next_word(&rest))) {
        status = check_oracle(r, word, &oracle);
        if (status == STATUS_OK) status = add_losses(r, system, oracle);
    }
    free(copy);
    return status;
}

static int end_runs(reader *r)
{
    if (!r->systems.text) return problem(r, r->section_line, "[runs] has no 'systems'");
    if (!r->oracles.text) return problem(r, r->section_line, "[runs] has no 'oracles'");
    char *rest = r->systems.text, *word;
    int status = STATUS_OK;
    while (status == STATUS_OK && (word = next_word(&rest))) status = add_oracles(r, word);
    return status;
}

/* ---- lines ---- */

static int end_section(reader *r)
{
    int status = r->section == SECTION_TREEBANKS ? end_treebanks(r)
                 : r->section == SECTION_RUNS    ? end_runs(r)
                                                 : STATUS_OK;
    for (size_t i = 0; i < n_keys; i++)
        if (keys[i].section != SECTION_TOP)
            *(list *)(void *)((char *)r + keys[i].target) = (list){0};
    return status;
}

static int begin_section(reader *r, const char *line)
{
    int status = end_section(r);
    if (status != STATUS_OK) return status;
    r->section_line = r->line;
    if (strcmp(line, "[treebanks]") == 0)
        r->section = SECTION_TREEBANKS;
    else if (strcmp(line, "[runs]") == 0)
        r->section = SECTION_RUNS;
    else
        return problem(r, r->line, "'%s' is neither [treebanks] nor [runs]", line);
    return STATUS_OK;
}

static int set_key(reader *r, const char *name, char *value)
{
    suggestion nearest = suggest_for(name, strlen(name));
    for (size_t i = 0; i < n_keys; i++) {
        if (keys[i].section != r->section) continue;
        suggest_consider(&nearest, keys[i].name);
        if (strcmp(keys[i].name, name) != 0) continue;
        list *target = (list *)(void *)((char *)r + keys[i].target);
        if (target->text) return problem(r, r->line, "'%s' is there twice in its section", name);
        *target = (list){value, r->line};
        return STATUS_OK;
    }
    return unknown(r, r->line, "key", name, &nearest);
}

static void trim_end(char *text)
{
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\r", text[size - 1])) text[--size] = '\0';
}

static int read_line(reader *r, char *line)
{
    line[strcspn(line, "#")] = '\0';
    trim_end(line);
    line += strspn(line, " \t");
    if (!*line) return STATUS_OK;
    if (*line == '[') return begin_section(r, line);
    char *equals = strchr(line, '=');
    if (!equals) return problem(r, r->line, "'%s' is neither [SECTION] nor KEY = VALUES", line);
    *equals = '\0';
    trim_end(line);
    char *value = equals + 1 + strspn(equals + 1, " \t");
    if (!*value) return problem(r, r->line, "'%s' has no value", line);
    return set_key(r, line, value);
}

static int read_lines(reader *r, char *text)
{
    int status = STATUS_OK;
    for (char *line = text, *next; line && status == STATUS_OK; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        r->line++;
        status = read_line(r, line);
    }
    return status == STATUS_OK ? end_section(r) : status;
}

static int settle(reader *r)
{
    static char one[] = "1", ten[] = "10";
    plan *p = r->plan;
    uint64_t iterations;
    if (!r->seeds.text) r->seeds.text = one;
    if (!r->iterations.text) r->iterations.text = ten;
    if (read_seeds(r) != STATUS_OK || read_iterations(r, &r->iterations, &iterations) != STATUS_OK)
        return STATUS_PROBLEM;
    for (size_t i = 0; i < p->n_treebanks; i++)
        if (p->treebanks[i].iterations == 0) p->treebanks[i].iterations = (int)iterations;
    if (p->n_treebanks == 0) return problem(r, r->line, "the plan has no [treebanks]");
    if (p->n_setups == 0) return problem(r, r->line, "the plan has no [runs]");
    return STATUS_OK;
}

int plan_read(plan *p, const char *path, const char *folder, bool for_report)
{
    *p = (plan){.path = heap_copy(path, strlen(path))};
    reader r = {.plan = p, .folder = folder, .for_report = for_report};
    char *text = textfile_read(path);
    if (!text) {
        say("%s: %s", path, strerror(errno));
        return STATUS_PROBLEM;
    }
    int status = read_lines(&r, text);
    if (status == STATUS_OK) status = settle(&r);
    free(text);
    return status;
}

void plan_free(plan *p)
{
    for (size_t i = 0; i < p->n_treebanks; i++) treebank_free(&p->treebanks[i]);
    for (size_t i = 0; i < p->n_setups; i++) {
        free(p->setups[i].system);
        free(p->setups[i].loss);
    }
    free(p->seeds);
    free(p->treebanks);
    free(p->setups);
    free(p->path);
}

void setup_oracle_name(const plan_setup *s, char name[SETUP_NAME_SIZE])
{
    snprintf(name, SETUP_NAME_SIZE, "%s%s%s", plan_oracles[s->oracle], s->loss ? " " : "",
             s->loss ? s->loss : "");
}
