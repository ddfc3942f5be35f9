/* layout.h - from the values that templates name to groups of templates that are hashed together */
#ifndef DODONA_FEATURES_LAYOUT_H
#define DODONA_FEATURES_LAYOUT_H

#include "features/templates.h"

/* Templates as they were read. */
typedef struct dd_template_items {
    int n_items;
    int first[DD_MAX_TEMPLATES + 1];                 /* items of the i-th template start here */
    uint16_t items[DD_MAX_TEMPLATES * DD_MAX_ITEMS]; /* indices in values */
} dd_template_items;

/* Orders the values and lays out both kinds of templates. */
void dd_templates_lay_out(dd_templates *set, dd_template_items *read, int n_templates);

#endif
