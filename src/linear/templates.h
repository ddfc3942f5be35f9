/* templates.h - feature templates: data, read once from text into a small program
 *
 * A template is a line of items, and stands for one feature: the values of its items together.
 *
 *     S0.form B0.upos          word on top of the stack, tag at the front of the buffer
 *     S0.l1.label S0.h.upos    label of S0's leftmost dependent, tag of S0's head
 *     B0.prev.upos             tag of the word before B0 in the sentence
 *     H.form D.form            of a move: the head and the dependent of the arc it would build
 *     S0.feats:Case            one named feature of the FEATS column
 *     dist(S0,B0)              distance in words, in steps
 *
 * The program computes each node (S0, S0.l1, ..) and each value (S0.form, ..) once a configuration,
 * whatever the number of templates that use it:
 *
 *     configuration -> nodes[] -> values[] -> one 32-bit key a template
 */
#ifndef DODONA_LINEAR_TEMPLATES_H
#define DODONA_LINEAR_TEMPLATES_H

#include "kernels/kernels.h"

#include <dodona.h>

enum {
    DD_MAX_NODES = 250,   /* distinct nodes in a set */
    DD_MAX_VALUES = 1000, /* distinct values in a set */
    DD_MAX_TOKEN_COLUMNS = 64,
    DD_VALUE_GROUP = 8, /* the columns of words are copied in groups of this */
    DD_MAX_PLACES = DD_MAX_NODES * DD_MAX_TOKEN_COLUMNS + DD_MAX_VALUES,
};

typedef enum dd_node_step {
    DD_STEP_STACK = 0,      /* S<index>: no parent */
    DD_STEP_BUFFER,         /* B<index> or R<index>: no parent */
    DD_STEP_FOCUS,          /* L<index>: Covington's left focus word and the words before it */
    DD_STEP_WAITING,        /* W<index>: headless words before that, the nearest first */
    DD_STEP_FIRST_OUTSIDE,  /* CL: first word between L0 and R0 with no head in L0..R0 */
    DD_STEP_LAST_OUTSIDE,   /* CR: last such word */
    DD_STEP_MOVE_HEAD,      /* H: head of the arc that a move would build */
    DD_STEP_MOVE_DEPENDENT, /* D: its dependent */
    DD_STEP_HEAD,           /* h */
    DD_STEP_LEFT,           /* l1, l2: leftmost dependent, the one next to it */
    DD_STEP_RIGHT,          /* r1, r2: rightmost dependent, the one next to it */
    DD_STEP_NEAR_LEFT,      /* ln: nearest left dependent */
    DD_STEP_NEAR_RIGHT,     /* rn: nearest right dependent */
    DD_STEP_PREVIOUS,       /* prev: the word before it in the sentence */
    DD_STEP_NEXT,           /* next: the word behind it in the sentence */
} dd_node_step;

typedef struct dd_node_rule {
    uint8_t step;   /* dd_node_step */
    uint8_t index;  /* of the stack or buffer; 0 or 1 for l1, l2, r1, r2 */
    uint8_t parent; /* the node that the step starts from */
    uint8_t moving; /* it starts from H or D, so it differs from move to move */
} dd_node_rule;

typedef enum dd_value_kind {
    DD_VALUE_TOKEN = 0,   /* a column of the word: form, lemma, upos, xpos, feats, feats:Name */
    DD_VALUE_LABEL,       /* label of its arc, if it has a head */
    DD_VALUE_LEFTS,       /* number of left dependents */
    DD_VALUE_RIGHTS,      /* number of right dependents */
    DD_VALUE_LEFT_LABELS, /* set of labels of left dependents */
    DD_VALUE_RIGHT_LABELS,
    DD_VALUE_PLACE,    /* of H in the spine it stands in, from the top */
    DD_VALUE_REST,     /* nodes of the spine below H */
    DD_VALUE_DISTANCE, /* between two nodes */
} dd_value_kind;

typedef struct dd_value_rule {
    uint8_t kind;   /* dd_value_kind */
    uint8_t node;   /* index in nodes */
    uint8_t column; /* DD_VALUE_TOKEN: index in columns */
    uint8_t other;  /* DD_VALUE_DISTANCE: the second node */
    uint8_t moving; /* a node of it is */
} dd_value_rule;

/* A value that every word has from the start. */
typedef struct dd_token_column {
    dd_column column;
    dd_text feature; /* of FEATS: the name to look for; empty: the whole column */
} dd_token_column;

/* Templates laid out in lanes, DD_KEY_LANES of them a group, so that those of a group are hashed
 * side by side: a key is the sum of the template's values, each times a factor of its own. */
typedef struct dd_layout {
    int n_templates, n_groups;
    dd_lane_set lanes;                    /* those that hold a template */
    dd_lane_set all_groups;               /* all lanes of all groups */
    uint16_t templates[DD_MAX_TEMPLATES]; /* [lane] the template's place in the text, from 0 */
    dd_terms settled;                     /* of values that are the same for all moves */
    dd_terms moving;
    dd_lane_set without_node[DD_MAX_NODES];   /* templates that the node's absence leaves out */
    dd_lane_set without_value[DD_MAX_VALUES]; /* the same for values: labels of headless words */
} dd_layout;

typedef struct dd_templates {
    char *text; /* what was read; features in columns point into it */
    size_t text_size;
    int n_nodes, n_values, n_columns;
    int n_settled_nodes;  /* the first nodes, those that are the same for all moves */
    int n_settled;        /* the same for values */
    int stride;           /* columns of a word, filled up to a group of values */
    int n_words;          /* the first values, those that are columns of words */
    int n_templates;      /* features of the configuration */
    int n_move_templates; /* features of each move that builds an arc: templates with H or D */
    dd_node_rule nodes[DD_MAX_NODES];
    dd_value_rule values[DD_MAX_VALUES];
    dd_token_column columns[DD_MAX_TOKEN_COLUMNS];
    dd_layout of_configuration, of_moves;
    const dd_kernels *kernels;
} dd_templates;

/* Where the i-th value stands in dd_extraction.values: first the columns of all nodes, then the
 * other values. */
static inline int dd_value_place(const dd_templates *templates, int i)
{
    dd_value_rule rule = templates->values[i];
    if (rule.kind == DD_VALUE_TOKEN) return rule.node * templates->stride + rule.column;
    return templates->n_nodes * templates->stride + i - templates->n_words;
}

/* Reads templates; `name` stands in messages. The text is copied. */
dd_status dd_templates_parse(dd_templates **out, const char *name, dd_text text, dd_error *error);
void dd_templates_free(dd_templates *templates);
/* Templates of both kinds. */
static inline int dd_templates_count(const dd_templates *templates)
{
    return templates->n_templates + templates->n_move_templates;
}

/* The text of a built-in set, or {NULL, 0}. */
dd_text dd_templates_builtin(const char *name);

/* ---- template_layout.c ----------------------------------------------------------------------- */

/* Templates as they were read. */
typedef struct dd_template_items {
    int n_items;
    int first[DD_MAX_TEMPLATES + 1];                 /* items of the i-th template start here */
    uint16_t items[DD_MAX_TEMPLATES * DD_MAX_ITEMS]; /* indices in values */
} dd_template_items;

/* Orders the values and lays out both kinds of templates. */
void dd_templates_lay_out(dd_templates *set, dd_template_items *read, int n_templates);

#endif
