#include "cmd.h"
#include "experiment/plan_reader.h"
#include "heap.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- folders of treebanks -------------------------------------------------------------------- */

static const char *const endings[] = {".conllu",     ".conll",    ".conllx",    ".conllu.gz",
                                      ".conllu.zst", ".conll.gz", ".conllx.gz", ".conll.zst",
                                      ".conllx.zst", NULL};

static char *join(const char *folder, const char *code, const char *set, const char *ending)
{
    int size = snprintf(NULL, 0, "%s/%s/%s%s", folder, code, set, ending);
    char *path = heap_zeroed((size_t)size + 1, 1);
    snprintf(path, (size_t)size + 1, "%s/%s/%s%s", folder, code, set, ending);
    return path;
}

/* The first file that is there, or NULL. */
static char *find(const char *folder, const char *code, const char *set, bool *conllx,
                  uint64_t *bytes)
{
    struct stat is;
    for (size_t i = 0; endings[i]; i++) {
        char *path = join(folder, code, set, endings[i]);
        if (stat(path, &is) == 0 && S_ISREG(is.st_mode)) {
            *conllx = strncmp(endings[i], ".conllu", strlen(".conllu")) != 0;
            *bytes = (uint64_t)is.st_size;
            return path;
        }
        free(path);
    }
    return NULL;
}

const char *treebank_find(plan_treebank *t, const char *folder)
{
    uint64_t bytes;
    t->dev = find(folder, t->code, "dev", &t->conllx, &bytes);
    t->test = find(folder, t->code, "test", &t->conllx, &bytes);
    t->train = find(folder, t->code, "train", &t->conllx, &t->bytes);
    return !t->train ? "train" : !t->dev ? "dev" : !t->test ? "test" : NULL;
}

void treebank_free(plan_treebank *t)
{
    free(t->code);
    free(t->train);
    free(t->dev);
    free(t->test);
}

/* ---- sections -------------------------------------------------------------------------------- */

enum { MAX_ITERATIONS = 1000, NAME_SIZE = 64 };
/* What JSON, as most read it, holds without loss. */
static const uint64_t MAX_SEED = UINT64_C(1) << 53;
static const uint64_t MAX_BYTES = UINT32_MAX;

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

static int read_number(const plan_reader *r, int line, const char *word, uint64_t least,
                       uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(word, &end, 10);
    bool digits = *word && strspn(word, "0123456789") == strlen(word);
    if (!digits || errno || number < least || number > most)
        return plan_problem(r, line, "'%s' is not a whole number from %" PRIu64 " to %" PRIu64,
                            word, least, most);
    *out = number;
    return STATUS_OK;
}

static int read_only_number(const plan_reader *r, const char *key, const plan_list *from,
                            uint64_t most, uint64_t *out)
{
    char *rest = from->text, *word = next_word(&rest);
    if (next_word(&rest)) return plan_problem(r, from->line, "'%s' takes one number", key);
    return read_number(r, from->line, word, 1, most, out);
}

static int read_iterations(const plan_reader *r, const plan_list *from, uint64_t *out)
{
    return read_only_number(r, "iterations", from, MAX_ITERATIONS, out);
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
static char *resolve(const plan_reader *r, const char *folder)
{
    const char *slash = strrchr(r->plan->path, '/');
    if (*folder == '/' || !slash) return heap_copy(folder, strlen(folder));
    size_t base = (size_t)(slash - r->plan->path) + 1;
    char *path = heap_zeroed(base + strlen(folder) + 1, 1);
    memcpy(path, r->plan->path, base);
    strcpy(path + base, folder);
    return path;
}

static int add_treebank(plan_reader *r, const char *folder, const char *code, int iterations)
{
    plan *p = r->plan;
    if (!is_code(code))
        return plan_problem(r, r->codes.line,
                            "'%s' cannot name a treebank: only letters, digits, '_', '-' and '.', "
                            "fewer than 64 of them",
                            code);
    for (size_t i = 0; i < p->n_treebanks; i++)
        if (strcmp(p->treebanks[i].code, code) == 0)
            return plan_problem(r, r->codes.line, "treebank '%s' appears twice", code);
    plan_treebank new = {.code = heap_copy(code, strlen(code)), .iterations = iterations};
    HEAP_GROW(&p->treebanks, &p->treebanks_capacity, p->n_treebanks + 1);
    p->treebanks[p->n_treebanks++] = new;
    if (r->for_report) return STATUS_OK;
    const char *missing = treebank_find(&p->treebanks[p->n_treebanks - 1], folder);
    if (!missing) return STATUS_OK;
    return plan_problem(r, r->codes.line, "treebank '%s': no %s.conllu or %s.conll in %s/%s", code,
                        missing, missing, folder, code);
}

int plan_end_treebanks(plan_reader *r)
{
    uint64_t iterations = 0; /* the plan's, which may stand below */
    if (!r->codes.text) return plan_problem(r, r->section_line, "[treebanks] has no 'codes'");
    if (r->section_iterations.text &&
        read_iterations(r, &r->section_iterations, &iterations) != STATUS_OK)
        return STATUS_PROBLEM;
    if (!r->folder && !r->section_folder.text)
        return plan_problem(r, r->section_line, "[treebanks] has no 'folder'");
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

static int check_system(const plan_reader *r, const char *name)
{
    suggestion nearest = suggest_for(name, strlen(name));
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++) {
        if (strcmp(info.name, name) == 0) return STATUS_OK;
        suggest_consider(&nearest, info.name);
    }
    return plan_unknown(r, r->systems.line, "system", name, &nearest);
}

static int check_oracle(const plan_reader *r, const char *name, int *oracle)
{
    suggestion nearest = suggest_for(name, strlen(name));
    for (*oracle = 0; plan_oracles[*oracle]; ++*oracle) {
        if (strcmp(plan_oracles[*oracle], name) == 0) return STATUS_OK;
        suggest_consider(&nearest, plan_oracles[*oracle]);
    }
    return plan_unknown(r, r->oracles.line, "oracle", name, &nearest);
}

/* The library knows which systems have which losses. */
static int check_loss(const plan_reader *r, const char *system, const char *loss)
{
    dd_oracle_options options;
    dd_oracle *oracle = NULL;
    dd_error error;
    dd_oracle_options_init(&options);
    options.system = system;
    options.loss = loss;
    if (dd_oracle_new(&oracle, &options, &error) != DD_OK)
        return plan_problem(r, r->losses.line, "%s", error.message);
    dd_oracle_free(oracle);
    return STATUS_OK;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int add_setup(plan_reader *r, const char *system, int oracle, const char *loss)
{
    plan *p = r->plan;
    for (size_t i = 0; i < p->n_setups; i++)
        if (strcmp(p->setups[i].system, system) == 0 && p->setups[i].oracle == oracle &&
            same_text(p->setups[i].loss, loss))
            return plan_problem(r, r->systems.line, "%s with the %s oracle appears twice", system,
                                plan_oracles[oracle]);
    if (loss && check_loss(r, system, loss) != STATUS_OK) return STATUS_PROBLEM;
    HEAP_GROW(&p->setups, &p->setups_capacity, p->n_setups + 1);
    p->setups[p->n_setups++] = (plan_setup){.system = heap_copy(system, strlen(system)),
                                            .oracle = oracle,
                                            .loss = loss ? heap_copy(loss, strlen(loss)) : NULL};
    return STATUS_OK;
}

/* Every loss of a list; the static oracle asks for none. */
static int add_losses(plan_reader *r, const char *system, int oracle)
{
    if (!r->losses.text || oracle == PLAN_STATIC) return add_setup(r, system, oracle, NULL);
    char *copy = heap_copy(r->losses.text, strlen(r->losses.text)), *rest = copy, *word;
    int status = STATUS_OK;
    while (status == STATUS_OK && (word = next_word(&rest)))
        status = add_setup(r, system, oracle, word);
    free(copy);
    return status;
}

static int add_oracles(plan_reader *r, const char *system)
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

int plan_end_runs(plan_reader *r)
{
    if (!r->systems.text) return plan_problem(r, r->section_line, "[runs] has no 'systems'");
    if (!r->oracles.text) return plan_problem(r, r->section_line, "[runs] has no 'oracles'");
    char *rest = r->systems.text, *word;
    int status = STATUS_OK;
    while (status == STATUS_OK && (word = next_word(&rest))) status = add_oracles(r, word);
    return status;
}

/* ---- the top, when all else is known ---- */

static int read_seeds(plan_reader *r)
{
    plan *p = r->plan;
    char *rest = r->seeds.text, *word;
    while ((word = next_word(&rest))) {
        uint64_t seed;
        if (read_number(r, r->seeds.line, word, 0, MAX_SEED, &seed) != STATUS_OK)
            return STATUS_PROBLEM;
        for (size_t i = 0; i < p->n_seeds; i++)
            if (p->seeds[i] == seed)
                return plan_problem(r, r->seeds.line, "seed %s appears twice", word);
        HEAP_GROW(&p->seeds, &p->seeds_capacity, p->n_seeds + 1);
        p->seeds[p->n_seeds++] = seed;
    }
    return STATUS_OK;
}

/* What the plan says elsewhere, for each run. */
static bool is_named_elsewhere(const char *name)
{
    static const char *const names[] = {"system", "oracle",       "loss",      "seed",
                                        "from",   "parser-bytes", "iterations"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static int add_setting(plan_reader *r, char *word)
{
    plan *p = r->plan;
    size_t used = strlen(p->settings), size = strlen(word);
    char *equals = strchr(word, '=');
    if (!equals)
        return plan_problem(r, r->settings.line, "'%s' is not of the form NAME=VALUE", word);
    *equals = '\0';
    if (is_named_elsewhere(word))
        return plan_problem(r, r->settings.line, "'%s' has a key of its own in plans", word);
    *equals = '=';
    char *joined = heap_zeroed(used + size + 2, 1);
    memcpy(joined, p->settings, used);
    if (used) joined[used++] = ' ';
    memcpy(joined + used, word, size);
    free(p->settings);
    p->settings = joined;
    return STATUS_OK;
}

dd_status plan_set(const plan *p, dd_settings *settings, dd_error *error)
{
    char *text = heap_copy(p->settings, strlen(p->settings)), *rest = text, *word;
    dd_status status = DD_OK;
    while (status == DD_OK && (word = next_word(&rest))) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        status = dd_settings_set(settings, word, equals + 1, error);
    }
    free(text);
    return status;
}

static int read_settings(plan_reader *r)
{
    char *rest = r->settings.text, *word;
    dd_settings *settings = NULL;
    dd_error error;
    int status = STATUS_OK;
    r->plan->settings = heap_copy("", 0);
    while (rest && status == STATUS_OK && (word = next_word(&rest))) status = add_setting(r, word);
    if (status != STATUS_OK) return status;
    if (dd_settings_new(&settings, &error) != DD_OK || plan_set(r->plan, settings, &error) != DD_OK)
        status = plan_problem(r, r->settings.line, "%s", error.message);
    dd_settings_free(settings);
    return status;
}

int plan_end_top(plan_reader *r)
{
    static char one[] = "1", ten[] = "10";
    plan *p = r->plan;
    uint64_t iterations;
    if (!r->seeds.text) r->seeds.text = one;
    if (!r->iterations.text) r->iterations.text = ten;
    if (read_settings(r) != STATUS_OK || read_seeds(r) != STATUS_OK ||
        read_iterations(r, &r->iterations, &iterations) != STATUS_OK)
        return STATUS_PROBLEM;
    if (r->parser_bytes.text && read_only_number(r, "parser-bytes", &r->parser_bytes, MAX_BYTES,
                                                 &p->parser_bytes) != STATUS_OK)
        return STATUS_PROBLEM;
    for (size_t i = 0; i < p->n_treebanks; i++)
        if (p->treebanks[i].iterations == 0) p->treebanks[i].iterations = (int)iterations;
    if (p->n_treebanks == 0) return plan_problem(r, r->line, "the plan has no [treebanks]");
    if (p->n_setups == 0) return plan_problem(r, r->line, "the plan has no [runs]");
    return STATUS_OK;
}
