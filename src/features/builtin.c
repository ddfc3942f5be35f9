#include "features/templates.h"

#include <string.h>

/* Made from the .templates files in this folder at build time. */
#include "builtin_templates.inc"

bool dd_templates_at(size_t index, const char **name, dd_text *text)
{
    if (index >= sizeof builtin_sets / sizeof *builtin_sets) return false;
    *name = builtin_sets[index].name;
    *text = (dd_text){builtin_sets[index].text, strlen(builtin_sets[index].text)};
    return true;
}

dd_text dd_templates_builtin(const char *wanted)
{
    const char *name;
    dd_text text;
    for (size_t i = 0; dd_templates_at(i, &name, &text); i++)
        if (strcmp(name, wanted) == 0) return text;
    return (dd_text){NULL, 0};
}
