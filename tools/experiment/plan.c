#include "experiment/plan.h"

#include "cmd.h"
#include "experiment/plan_reader.h"
#include "heap.h"
#include "textfile.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const plan_oracles[] = {"static", "nondet", "dynamic", NULL};

typedef struct key {
    const char *name;
    plan_section section;
    size_t target; /* a plan_list in plan_reader */
} key;

#define AT(field) offsetof(plan_reader, field)
static const key keys[] = {
    {"seeds", SECTION_TOP, AT(seeds)},
    {"iterations", SECTION_TOP, AT(iterations)},
    {"parser-bytes", SECTION_TOP, AT(parser_bytes)},
    {"settings", SECTION_TOP, AT(settings)},
    {"folder", SECTION_TREEBANKS, AT(section_folder)},
    {"codes", SECTION_TREEBANKS, AT(codes)},
    {"iterations", SECTION_TREEBANKS, AT(section_iterations)},
    {"systems", SECTION_RUNS, AT(systems)},
    {"oracles", SECTION_RUNS, AT(oracles)},
    {"losses", SECTION_RUNS, AT(losses)},
};
#undef AT
static const size_t n_keys = sizeof keys / sizeof *keys;

int plan_problem(const plan_reader *r, int line, const char *format, ...)
{
    char text[DD_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    message_format(text, sizeof text, format, args);
    va_end(args);
    say("%s:%d: %s", r->plan->path, line, text);
    return STATUS_PROBLEM;
}

int plan_unknown(const plan_reader *r, int line, const char *what, const char *word,
                 const suggestion *nearest)
{
    if (nearest->nearest)
        return plan_problem(r, line, "there is no %s '%s'; did you mean '%s'?", what, word,
                            nearest->nearest);
    return plan_problem(r, line, "there is no %s '%s'", what, word);
}

/* ---- lines ---- */

static int end_section(plan_reader *r)
{
    int status = r->section == SECTION_TREEBANKS ? plan_end_treebanks(r)
                 : r->section == SECTION_RUNS    ? plan_end_runs(r)
                                                 : STATUS_OK;
    for (size_t i = 0; i < n_keys; i++)
        if (keys[i].section != SECTION_TOP)
            *(plan_list *)(void *)((char *)r + keys[i].target) = (plan_list){0};
    return status;
}

static int begin_section(plan_reader *r, const char *line)
{
    int status = end_section(r);
    if (status != STATUS_OK) return status;
    r->section_line = r->line;
    if (strcmp(line, "[treebanks]") == 0)
        r->section = SECTION_TREEBANKS;
    else if (strcmp(line, "[runs]") == 0)
        r->section = SECTION_RUNS;
    else
        return plan_problem(r, r->line, "'%s' is neither [treebanks] nor [runs]", line);
    return STATUS_OK;
}

static int set_key(plan_reader *r, const char *name, char *value)
{
    suggestion nearest = suggest_for(name, strlen(name));
    for (size_t i = 0; i < n_keys; i++) {
        if (keys[i].section != r->section) continue;
        suggest_consider(&nearest, keys[i].name);
        if (strcmp(keys[i].name, name) != 0) continue;
        plan_list *target = (plan_list *)(void *)((char *)r + keys[i].target);
        if (target->text)
            return plan_problem(r, r->line, "'%s' appears twice in its section", name);
        *target = (plan_list){value, r->line};
        return STATUS_OK;
    }
    return plan_unknown(r, r->line, "key", name, &nearest);
}

static void trim_end(char *text)
{
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\r", text[size - 1])) text[--size] = '\0';
}

static int read_line(plan_reader *r, char *line)
{
    line[strcspn(line, "#")] = '\0';
    trim_end(line);
    line += strspn(line, " \t");
    if (!*line) return STATUS_OK;
    if (*line == '[') return begin_section(r, line);
    char *equals = strchr(line, '=');
    if (!equals)
        return plan_problem(r, r->line, "'%s' is neither [SECTION] nor KEY = VALUES", line);
    *equals = '\0';
    trim_end(line);
    char *value = equals + 1 + strspn(equals + 1, " \t");
    if (!*value) return plan_problem(r, r->line, "'%s' has no value", line);
    return set_key(r, line, value);
}

static int read_lines(plan_reader *r, char *text)
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

int plan_read(plan *p, const char *path, const char *folder, bool for_report)
{
    *p = (plan){.path = heap_copy(path, strlen(path))};
    plan_reader r = {.plan = p, .folder = folder, .for_report = for_report};
    char *text = textfile_read(path);
    if (!text) {
        say("%s: %s", path, strerror(errno));
        return STATUS_PROBLEM;
    }
    int status = read_lines(&r, text);
    if (status == STATUS_OK) status = plan_end_top(&r);
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
    free(p->settings);
}

void setup_oracle_name(const plan_setup *s, char name[SETUP_NAME_SIZE])
{
    snprintf(name, SETUP_NAME_SIZE, "%s%s%s", plan_oracles[s->oracle], s->loss ? " " : "",
             s->loss ? s->loss : "");
}
