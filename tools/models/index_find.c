#include "models/index.h"
#include "suggest.h"

#include <string.h>

/* As far as a line has room for them. */
static void list_names(const model_list *list, const char *language, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const model_entry *entry = &list->items[i];
        if (language && (!entry->language || strcmp(entry->language, language) != 0)) continue;
        size_t size = strlen(entry->name);
        if (used + size + sizeof ", ..." > room) {
            memcpy(out + used, ", ...", sizeof ", ...");
            return;
        }
        if (used > 0) {
            memcpy(out + used, ", ", 2);
            used += 2;
        }
        memcpy(out + used, entry->name, size + 1);
        used += size;
    }
}

static void say_none(const model_list *list, const char *name, const char *where)
{
    char names[300];
    suggestion nearest = suggest_for(name, strlen(name));
    for (size_t i = 0; i < list->count; i++) suggest_consider(&nearest, list->items[i].name);
    list_names(list, NULL, names, sizeof names);
    if (list->count == 0)
        say("there is no model '%s' in %s, nor any other", name, where);
    else if (nearest.nearest)
        say("there is no model '%s' in %s; there are %s; did you mean '%s'?", name, where, names,
            nearest.nearest);
    else
        say("there is no model '%s' in %s; there are %s", name, where, names);
}

static void say_several(const model_list *list, const char *language, const char *where)
{
    char names[300];
    list_names(list, language, names, sizeof names);
    say("%s has several models of '%s': name one of %s", where, language, names);
}

const model_entry *index_find(const model_list *list, const char *name, const char *where)
{
    const model_entry *found = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
    for (size_t i = 0; i < list->count; i++) {
        const char *language = list->items[i].language;
        if (!language || strcmp(language, name) != 0) continue;
        if (found) {
            say_several(list, name, where);
            return NULL;
        }
        found = &list->items[i];
    }
    if (!found) say_none(list, name, where);
    return found;
}
