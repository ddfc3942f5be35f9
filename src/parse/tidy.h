/* tidy.h - enforces rules of Universal Dependencies that the model alone might break
 *
 *     UPOS -> leaves that are wished for -> search -> tree -> labels of rivals -> tidy tree
 *
 * Punctuation has no dependents: such words are leaves (constraints/conflict.c), unless there are
 * no others. No word has two subjects, or two objects: where the tree has them, all but the one
 * whose label leads by most take the best label that makes no such pair. */
#ifndef DODONA_PARSE_TIDY_H
#define DODONA_PARSE_TIDY_H

#include "model/model.h"
#include "parse/decode.h"

/* What only one dependent of a word may be. Subjects are nsubj and csubj; those of the clause that
 * has another clause for its predicate, nsubj:outer and csubj:outer, are told apart from them. */
typedef enum dd_role {
    DD_ROLE_OTHER = 0,
    DD_ROLE_SUBJECT,
    DD_ROLE_OUTER_SUBJECT,
    DD_ROLE_OBJECT,
    DD_ROLES,
} dd_role;

/* One thread's workspace. */
typedef struct dd_tidier {
    const dd_model *model;
    dd_ticker *ticker;      /* NULL: relabelling is not cancelled */
    int n_labels;           /* of finished trees, as dd_model_label numbers them */
    dd_role *roles;         /* [n_labels] */
    bool *wished, *granted; /* [n + 1] for dd_constraints_set_wishing */

    /* Rivals: the dependents of a node that have the same role. */
    int32_t *last[DD_ROLES]; /* [n + 1] by node: the last of them; 0: there is none */
    int32_t *before;         /* [n + 1] the rival before a word; 0: there is none */
    int32_t *row_of;         /* [n + 1] of a rival: its row in scores; DD_NONE: it has none */
    int32_t *parsed_heads;   /* [n + 1] before lifted arcs were put back */
    int32_t *scores;         /* [n_rows][n_labels] of the labels it could have; INT32_MIN: not */
    int n_rows;
    dd_gold gold;       /* the tree, */
    dd_decoder decoder; /* and the way to it */
    int32_t *numbers;   /* holds the arrays by node */
    size_t wished_capacity, granted_capacity, numbers_capacity, scores_capacity;
} dd_tidier; /* {0} is valid to be freed */

/* False if allocation fails. */
bool dd_tidier_start(dd_tidier *tidier, const dd_model *model);
void dd_tidier_free(dd_tidier *tidier);
/* Finds the punctuation: how many words are to be leaves; 0 also if there are no others,
 * and -1 if allocation fails. */
int dd_tidier_wish(dd_tidier *tidier, const dd_sentence *sentence);

/* Changes the labels of rivals in a finished tree, unless constraints (NULL: none) require them.
 * The tree was taken from the configuration, of a sentence that is prepared under the number in the
 * scorer's space. False if allocation fails, or the call is cancelled. */
bool dd_tidier_relabel(dd_tidier *tidier, void *space, int sentence, const dd_config *config,
                       const dd_constraints *constraints, const int32_t *heads, int32_t *labels);

#endif
