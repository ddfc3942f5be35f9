/* auto_model.h - '-m auto': for each file the model of its language
 *
 *     the first words of the file (sample.h) -> dd_catalogue_pick -> a model, which is loaded once
 */
#ifndef TOOLS_AUTO_MODEL_H
#define TOOLS_AUTO_MODEL_H

#include "dodona_tools.h"

#include <stdbool.h>

/* Whether the user asked for it, by the option or, if that is NULL, by $DODONA_MODEL. */
bool auto_model_wanted(const char *wanted);

typedef struct auto_model {
    char *path;
    dd_model *model;
} auto_model;

typedef struct auto_models {
    dd_catalogue *catalogue;
    auto_model *loaded; /* [count] */
    size_t count, capacity;
    const char *output; /* of the program, which no model may be */
    bool quiet;
} auto_models; /* {0} is valid to free */

/* Reports errors, like all functions here; returns the exit status. */
int auto_models_open(auto_models *all, const char *output, bool quiet);
void auto_models_free(auto_models *all);

/* A file, or standard input, whose beginning has to be kept to be read twice. */
typedef struct auto_input {
    dd_input from;
    char *kept; /* [size] NULL: it is a file */
    size_t size, given;
} auto_input;

int auto_input_open(auto_input *in, const char *path);
void auto_input_free(auto_input *in);

/* The model, owned by `all`, of the language of the input, which can then be read from its
 * beginning. A note says which it is. An input without any words gets the default model. */
int auto_models_pick(auto_models *all, const auto_input *in, const dd_input_options *how,
                     const dd_model **out);

#endif
