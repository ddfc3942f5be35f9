/* pick.c - picks a model by the language of a text
 *
 *     profiles of the models, in files or in memory -> segment/language.h -> one of them */
#include "core/memory.h"
#include "core/status.h"
#include "core/strings.h"
#include "model/model.h"

#include <dodona_tools.h>
#include <stdlib.h>

/* The profiles, copied from the models that have one. */
typedef struct candidates {
    dd_known_language *at; /* [count] views of the texts */
    dd_buffer *facts;      /* [count] */
    dd_buffer *profiles;
    size_t count;
} candidates;

static void free_candidates(candidates *all, size_t allocated)
{
    for (size_t i = 0; i < allocated; i++) {
        if (all->facts) dd_buffer_free(&all->facts[i]);
        if (all->profiles) dd_buffer_free(&all->profiles[i]);
    }
    free(all->at);
    free(all->facts);
    free(all->profiles);
}

/* Models that cannot be read, or have no profile, are left out. */
static dd_status read_candidate(candidates *all, const char *path, dd_error *error)
{
    bool there = false;
    dd_buffer *facts = &all->facts[all->count], *profile = &all->profiles[all->count];
    dd_known_language *one = &all->at[all->count];
    facts->size = profile->size = 0;
    dd_status status = dd_model_read_section(profile, path, DD_LANGUAGE, &there, error);
    if (status == DD_OK && there) status = dd_model_read_facts(facts, path, error);
    if (status == DD_ERROR_MEMORY) return status;
    if (status != DD_OK || !there) return DD_OK;
    one->language = dd_facts_find((dd_text){facts->data, facts->size}, "language");
    dd_text section = {profile->data, profile->size};
    if (one->language.data && dd_profile_map(&one->profile, section, NULL) == DD_OK) all->count++;
    return DD_OK;
}

static size_t count_models(const dd_catalogue *c)
{
    size_t count = 0;
    while (dd_catalogue_at(c, count)) count++;
    return count;
}

static dd_status read_candidates(candidates *all, const dd_catalogue *c, dd_error *error)
{
    size_t most = count_models(c);
    all->at = dd_calloc(most, sizeof *all->at);
    all->facts = dd_calloc(most, sizeof *all->facts);
    all->profiles = dd_calloc(most, sizeof *all->profiles);
    if (!all->at || !all->facts || !all->profiles) return dd_fail_memory(error);
    dd_status status = DD_OK;
    for (size_t i = 0; i < most && status == DD_OK; i++)
        status = read_candidate(all, dd_catalogue_at(c, i)->path, error);
    return status;
}

static dd_status find_by_language(const dd_catalogue *c, dd_text language,
                                  const dd_catalogue_model **out, dd_error *error)
{
    char *name = dd_copy_text(language.data, language.size);
    if (!name) return dd_fail_memory(error);
    dd_status status = dd_catalogue_find(c, name, out, error);
    free(name);
    return status;
}

dd_status dd_catalogue_pick(const dd_catalogue *c, dd_text text, const dd_catalogue_model **out,
                            dd_error *error)
{
    candidates all = {0};
    size_t picked = 0;
    dd_status status = read_candidates(&all, c, error);
    if (status == DD_OK) status = dd_language_pick(all.at, all.count, text, &picked, error);
    if (status == DD_OK) status = find_by_language(c, all.at[picked].language, out, error);
    free_candidates(&all, count_models(c));
    return status;
}

/* Candidates are numbered without models that have no profile; the models are not. */
static size_t number_of(const dd_model *const *models, size_t candidate)
{
    size_t i = 0;
    while (models[i]->profile.count == 0 || candidate-- > 0) i++;
    return i;
}

dd_status dd_model_pick(const dd_model *const *models, size_t count, dd_text text, size_t *out,
                        dd_error *error)
{
    dd_known_language *all = dd_calloc(count + 1, sizeof *all);
    size_t n = 0, picked = 0;
    if (!all) return dd_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        if (models[i]->profile.count > 0)
            all[n++] =
                (dd_known_language){dd_model_find_fact(models[i], "language"), models[i]->profile};
    dd_status status = dd_language_pick(all, n, text, &picked, error);
    /* The first of several models of one language. */
    for (size_t i = 0; i < picked && status == DD_OK; i++)
        if (dd_text_same(all[i].language, all[picked].language)) picked = i;
    if (status == DD_OK) *out = number_of(models, picked);
    free(all);
    return status;
}
