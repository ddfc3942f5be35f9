/* parser.h - inside a parser */
#ifndef DODONA_PARSE_PARSER_H
#define DODONA_PARSE_PARSER_H

#include "model/model.h"
#include "parse/decode.h"

struct dd_parser {
    const dd_model *model;
    void *space; /* the scorer's */
    dd_decoder decoder;
    dd_constraints constraints; /* of the sentence parsed last that had some */
    dd_tokens tokens;
    int32_t *heads, *labels; /* [n + 1] the tree after a parse; see dd_model_label */
    dd_tree_space tree_space;
    size_t heads_capacity, labels_capacity;
    float *margins; /* [n + 1] of the transition that attached each word */
    size_t margins_capacity;
    uint32_t present; /* bit c: column c was not `_` in some word parsed so far */
};

/* The way on from the decoder's configuration, by the model's scores. False when memory is out. */
bool dd_model_choose(const dd_model *model, void *space, dd_decoder *decoder,
                     const dd_tokens *tokens, dd_choice *choice);
/* The tree of a final configuration, with lifted arcs put back unless that breaks constraints; see
 * dd_model_label for its labels. False when memory is out. */
bool dd_model_take_tree(const dd_model *model, dd_tree_space *space, const dd_config *config,
                        const dd_constraints *constraints, int32_t *heads, int32_t *labels);
/* Parses words that are hashed already, under constraints unless they are NULL. False when memory
 * is out. */
bool dd_parser_run(dd_parser *parser, const dd_tokens *tokens, const dd_constraints *constraints);

#endif
