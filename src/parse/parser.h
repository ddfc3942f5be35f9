/* parser.h - inside a parser
 *
 *     batch (search.c) -> annotation (parser.c) -> constraints, tidiness (search.c)
 *         -> greedy.c, beam.c or graph.c -> trees (greedy.c) -> sentence (parser.c) */
#ifndef DODONA_PARSE_PARSER_H
#define DODONA_PARSE_PARSER_H

#include "model/model.h"
#include "parse/beam.h"
#include "parse/graph.h"
#include "parse/tidy.h"

/* One of the trees that a parse found. */
typedef struct dd_parsed_tree {
    int64_t score;        /* of the derivation */
    const float *margins; /* [n + 1] of the transition that attached each word */
    uint64_t hash;
} dd_parsed_tree;

struct dd_parser {
    const dd_model *model;
    void *space; /* the scorer's */
    dd_tagger_space *tagger;
    dd_lemmatizer_space *lemmatizer;
    dd_decoder decoder;
    dd_beam beam;
    dd_graph_search graph;
    dd_constraints constraints; /* of the sentence parsed last that had some */
    dd_cancel *cancel;          /* as it was set */
    dd_ticker ticker;           /* of the call in hand */
    dd_tidy tidy;               /* as it was set */
    bool tidies;                /* what that means for the sentences in hand */
    dd_tidier tidier;
    int n;                   /* words of the sentence parsed last */
    int n_trees;             /* trees found in it, the best first, no two the same */
    dd_parsed_tree *trees;   /* [n_trees] */
    int32_t *heads, *labels; /* [n_trees][n + 1] the trees; see dd_model_label */
    dd_tree_space tree_space;
    size_t trees_capacity, heads_capacity, labels_capacity;
    float *margins; /* [n + 1] of the greedy parse */
    size_t margins_capacity;
    dd_buffer text;   /* of a tree, while several are listed */
    uint32_t present; /* bit c: column c was not `_` in some word parsed so far */
};

/* Scores the configurations of at most DD_SCORED_TOGETHER decoders in a workspace of the model's
 * scorer, in which their sentences were prepared. False if allocation fails. */
bool dd_model_score(const dd_model *model, void *space, dd_decoder *const *decoders, int count);
/* The same for one decoder. With best_only only the scores of the best classes are valid
 * (dd_view.best_only). */
bool dd_model_score_one(const dd_model *model, void *space, dd_decoder *decoder, bool best_only);
/* Chooses the next transition by the model's scores. With best_only the scores of other classes are
 * not valid afterwards (dd_view.best_only). False if allocation fails. */
bool dd_model_choose(const dd_model *model, void *space, dd_decoder *decoder, bool best_only,
                     dd_choice *choice);
/* The tree of a final configuration, with lifted arcs put back unless that breaks constraints; see
 * dd_model_label for its labels. False if allocation fails. */
bool dd_model_take_tree(const dd_model *model, dd_tree_space *space, const dd_config *config,
                        const dd_constraints *constraints, int32_t *heads, int32_t *labels);
/* dd_parser_annotate for several at once, which can be faster; *count becomes the number of those
 * before the first that failed. */
enum { DD_ANNOTATED_TOGETHER = 64 /* at most */ };
dd_status dd_parser_annotate_all(dd_parser *parser, dd_sentence *const *sentences, size_t *count,
                                 bool replace, dd_error *error);

/* Makes sentences ready to be parsed: one of them after the other, by its number. False if
 * allocation fails. */
bool dd_parser_prepare(dd_parser *parser, const dd_sentence *const *sentences, size_t count);
/* Parses a sentence that was prepared under that number and has n words, under constraints unless
 * they are NULL, and keeps at most `trees` trees. False if allocation fails or the call is
 * cancelled. */
bool dd_parser_run(dd_parser *parser, int number, int n, const dd_constraints *constraints,
                   int beam, int trees);
/* The same, after checking what dd_parser_search checks. */
dd_status dd_parser_run_checked(dd_parser *parser, int number, const dd_sentence *sentence,
                                int beam, int trees, dd_error *error);
/* Begins a call of the public interface, which can be cancelled from now on. */
void dd_parser_begin_call(dd_parser *parser);
/* The options in the library's own struct; see core/options.h. */
dd_status dd_parse_options_take(dd_parse_options *how, const dd_parse_options *options,
                                dd_error *error);
/* Heads of a tree that was found, [n + 1]. */
static inline int32_t *dd_parser_heads(const dd_parser *parser, int tree)
{
    return parser->heads + (size_t)tree * ((size_t)parser->n + 1);
}

/* Room for trees of n words. */
bool dd_parser_reserve(dd_parser *parser, int n, int trees);

/* The most words that are parsed at once (pieces.c); wanted 0: the system's own limit. */
int dd_model_max_words(const dd_model *model, int wanted);
/* Parses a sentence without constraints in pieces of at most so many words. False if allocation
 * fails or the call is cancelled. */
bool dd_parser_run_pieces(dd_parser *parser, const dd_sentence *sentence, int most, int beam);

#endif
