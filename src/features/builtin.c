#include "features/templates.h"

#include <string.h>

/* Made from the .templates files in this folder at build time. */
#include "builtin_templates.inc"

dd_text dd_templates_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtin_sets / sizeof *builtin_sets; i++)
        if (strcmp(builtin_sets[i].name, name) == 0)
            return (dd_text){builtin_sets[i].text, strlen(builtin_sets[i].text)};
    return (dd_text){NULL, 0};
}
