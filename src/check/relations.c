/* relations.c - what the guidelines of Universal Dependencies say about relations in every
 * language: level 3
 *
 * The rules are those that its own validator applies to all languages, without the ones that it
 * only warns of or that need lists of a language's words. */
#include "check/check.h"
#include "core/memory.h"
#include "text/utf8.h"

#include <string.h>

/* A tree with its words' children. */
typedef struct tree {
    dd_check *check;
    const int32_t *heads;
    int32_t *child, *sibling; /* [n + 1] first child, next child of the same head; 0: none */
    int32_t *enter, *leave;   /* [n + 1] numbers from the first to the last of the word's subtree */
    int32_t *crossed;         /* [n + 1] of punctuation: a word to which an arc leads over it */
    bool *crossing;           /* [n + 1] the arc to the word is non-projective */
} tree;

static dd_text relation_of(const tree *t, int word)
{
    return dd_check_universal(dd_check_word(t->check, word)->cells[DD_DEPREL]);
}

/* Whether the text is one of the words of a list such as "aux cop". */
static bool is_one_of(dd_text text, const char *list)
{
    while (*list) {
        size_t size = strcspn(list, " ");
        if (size == text.size && memcmp(list, text.data, size) == 0) return true;
        list += size + (list[size] == ' ');
    }
    return false;
}

static bool has_child(const tree *t, int word, const char *relation)
{
    for (int child = t->child[word]; child; child = t->sibling[child])
        if (dd_check_equals(relation_of(t, child), relation)) return true;
    return false;
}

/* ---- relations and tags ---------------------------------------------------------------------- */

/* UPOS, or what ExtPos says the word stands for together with its dependents. */
static dd_text tag_of(const dd_check_row *row)
{
    static const char name[] = "ExtPos=";
    dd_text feats = row->cells[DD_FEATS];
    const char *at = feats.data, *end = at + feats.size;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        size_t size = (size_t)((bar ? bar : end) - at);
        if (size > sizeof name - 1 && memcmp(at, name, sizeof name - 1) == 0)
            return (dd_text){at + sizeof name - 1, size - (sizeof name - 1)};
        at += size + 1;
    }
    return row->cells[DD_UPOS];
}

/* Relations that only words of some tags have, or that words of some tags do not have. */
static const struct {
    const char *relation, *only, *never;
} fits[] = {
    {"det", "DET PRON", NULL},
    {"nummod", "NUM NOUN SYM", NULL},
    {"advmod", "ADV ADJ CCONJ DET PART SYM", NULL},
    {"expl", "PRON DET PART", NULL},
    {"aux", "AUX", NULL},
    {"cop", "AUX PRON DET SYM", NULL},
    {"punct", "PUNCT", NULL},
    {"case", NULL, "PROPN ADJ PRON DET NUM AUX"},
    {"mark", NULL, "NOUN PROPN ADJ PRON DET NUM AUX INTJ"},
    {"cc", NULL, "NOUN PROPN ADJ PRON DET NUM VERB AUX INTJ"},
    {"fixed", NULL, "PROPN"},
};

static void check_tag(const tree *t, int word)
{
    const dd_check_row *row = dd_check_word(t->check, word);
    dd_text tag = tag_of(row), relation = relation_of(t, word);
    bool fitting = true;
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        if (!dd_check_equals(relation, fits[i].relation)) continue;
        fitting = fits[i].only ? is_one_of(tag, fits[i].only) : !is_one_of(tag, fits[i].never);
        /* The first part of a word that is written apart has the tag of the whole. */
        if (dd_check_equals(relation, "advmod") && has_child(t, word, "goeswith")) fitting = true;
    }
    if (dd_check_equals(tag, "PUNCT") && !is_one_of(relation, "punct root")) fitting = false;
    if (dd_check_equals(tag, "PROPN") && has_child(t, word, "fixed"))
        dd_check_found(t->check, DD_FAULT_RELATION_UPOS, row->line, DD_UPOS,
                       "'PROPN' with a 'fixed' ('%s')", DD_QUOTE(row->cells[DD_FORM]));
    if (!fitting)
        dd_check_found(t->check, DD_FAULT_RELATION_UPOS, row->line, DD_DEPREL,
                       "'%s' as '%s' ('%s')", DD_QUOTE(tag), DD_QUOTE(row->cells[DD_DEPREL]),
                       DD_QUOTE(row->cells[DD_FORM]));
}

static void check_direction(const tree *t, int word)
{
    const dd_check_row *row = dd_check_word(t->check, word);
    if (word < t->heads[word] && is_one_of(relation_of(t, word), "conj fixed flat goeswith appos"))
        dd_check_found(t->check, DD_FAULT_RELATION_DIRECTION, row->line, DD_HEAD,
                       "'%s' comes before its head, word %d", DD_QUOTE(row->cells[DD_DEPREL]),
                       t->heads[word]);
}

/* ---- dependents ------------------------------------------------------------------------------ */

/* Relations of function words, and of the dependents that these may have. */
static const struct {
    const char *relation, *may_have;
} leaves[] = {
    {"case", "advmod obl goeswith fixed reparandum conj cc punct"},
    {"mark", "advmod obl goeswith fixed reparandum conj cc punct"},
    {"aux", "goeswith fixed reparandum conj cc punct"},
    {"cop", "goeswith fixed reparandum conj cc punct"},
    {"clf", "advmod obl goeswith fixed reparandum conj cc punct"},
    {"cc", "goeswith fixed reparandum conj punct"},
    {"det", "det case advmod obl clf goeswith fixed flat compound reparandum discourse parataxis "
            "conj cc punct"},
    {"fixed", "goeswith reparandum conj punct"},
    {"goeswith", ""},
    {"punct", "punct"},
};

/* Any function word may be negated, and a possessive be explained. */
static bool is_exception(const tree *t, int word, int child)
{
    const dd_check_row *up = dd_check_word(t->check, word), *row = dd_check_word(t->check, child);
    dd_text above = relation_of(t, word), relation = relation_of(t, child);
    if (!dd_check_equals(above, "punct") && dd_check_equals(relation, "advmod") &&
        is_one_of(row->cells[DD_UPOS], "PART ADV") &&
        dd_check_has(row->cells[DD_FEATS], "Polarity=Neg"))
        return true;
    /* Elsewhere the punctuation would make arcs cross itself. */
    if (t->crossing[word] && dd_check_equals(relation, "punct")) return true;
    return dd_check_equals(above, "det") && is_one_of(relation, "appos acl nmod") &&
           dd_check_has(up->cells[DD_FEATS], "Poss=Yes");
}

static void check_leaf(const tree *t, int word)
{
    dd_text relation = relation_of(t, word);
    const char *may_have = NULL;
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
        if (dd_check_equals(relation, leaves[i].relation)) may_have = leaves[i].may_have;
    for (int child = t->child[word]; may_have && child; child = t->sibling[child]) {
        const dd_check_row *row = dd_check_word(t->check, child);
        if (is_one_of(relation_of(t, child), may_have) || is_exception(t, word, child)) continue;
        dd_check_found(t->check, DD_FAULT_LEAF, row->line, DD_HEAD,
                       "'%s' depends as '%s' on word %d, whose DEPREL is '%s'",
                       DD_QUOTE(row->cells[DD_FORM]), DD_QUOTE(row->cells[DD_DEPREL]), word,
                       DD_QUOTE(relation));
    }
}

static bool is_inner_subject(const tree *t, int word)
{
    const dd_check_row *row = dd_check_word(t->check, word);
    return is_one_of(relation_of(t, word), "nsubj csubj") &&
           !is_one_of(row->cells[DD_DEPREL], "nsubj:outer csubj:outer") &&
           !dd_check_has(row->cells[DD_MISC], "Subject=Outer");
}

static bool is_object(const tree *t, int word)
{
    return dd_check_equals(relation_of(t, word), "obj");
}

static void check_single(const tree *t, int word, bool (*counts)(const tree *, int),
                         dd_fault_code code, const char *what)
{
    int first = 0, second = 0;
    for (int child = t->child[word]; child && !second; child = t->sibling[child]) {
        if (!counts(t, child)) continue;
        if (first)
            second = child;
        else
            first = child;
    }
    if (second)
        dd_check_found(t->check, code, dd_check_word(t->check, second)->line, DD_HEAD,
                       "word %d has the %ss %d and %d", word, what, first, second);
}

/* An oblique depends on a predicate. A nominal that is itself an argument or a modifier, and has
 * neither subject nor copula, is none. */
static void check_obliques(const tree *t, int head)
{
    const dd_check_row *up = dd_check_word(t->check, head);
    if (!is_one_of(up->cells[DD_UPOS], "NOUN PROPN PRON") ||
        !is_one_of(relation_of(t, head), "nsubj obj iobj obl vocative dislocated expl nmod") ||
        has_child(t, head, "cop") || has_child(t, head, "nsubj") || has_child(t, head, "csubj"))
        return;
    for (int child = t->child[head]; child; child = t->sibling[child])
        if (dd_check_equals(relation_of(t, child), "obl"))
            dd_check_found(t->check, DD_FAULT_OBLIQUE, dd_check_word(t->check, child)->line,
                           DD_DEPREL, "'obl' of word %d, which is no predicate, should be 'nmod'",
                           head);
}

/* The whole word is described at its first part. */
static void check_later_part(const tree *t, int word)
{
    const dd_check_row *row = dd_check_word(t->check, word);
    if (!dd_check_equals(row->cells[DD_UPOS], "X"))
        dd_check_found(t->check, DD_FAULT_GOESWITH, row->line, DD_UPOS,
                       "UPOS of a 'goeswith' is X, not '%s'", DD_QUOTE(row->cells[DD_UPOS]));
    static const int columns[] = {DD_LEMMA, DD_FEATS};
    for (int i = 0; i < 2; i++)
        if (!dd_rule_is_blank(row->cells[columns[i]]))
            dd_check_found(t->check, DD_FAULT_GOESWITH, row->line, columns[i],
                           "%s of a 'goeswith' is _, not '%s'", dd_column_name(columns[i]),
                           DD_QUOTE(row->cells[columns[i]]));
}

/* Parts of a word that is written apart: all that stands between the first and the last. */
static void check_goeswith(const tree *t, int word)
{
    int last = 0, count = 0;
    bool glued = dd_check_has(dd_check_word(t->check, word)->cells[DD_MISC], "SpaceAfter=No");
    for (int child = t->child[word]; child; child = t->sibling[child]) {
        if (!dd_check_equals(relation_of(t, child), "goeswith")) continue;
        check_later_part(t, child);
        if (child < word) continue; /* reported as standing before its head */
        if (glued)
            dd_check_found(t->check, DD_FAULT_GOESWITH, dd_check_word(t->check, child)->line,
                           DD_DEPREL, "no space parts the 'goeswith' from the part before it");
        glued = dd_check_has(dd_check_word(t->check, child)->cells[DD_MISC], "SpaceAfter=No");
        last = child;
        count++;
    }
    if (last && last - word != count)
        dd_check_found(t->check, DD_FAULT_GOESWITH, dd_check_word(t->check, word)->line, DD_DEPREL,
                       "other words stand between the parts of the word from %d to %d", word, last);
}

/* ---- punctuation ------------------------------------------------------------------------------
 */

static bool is_below(const tree *t, int word, int above)
{
    return t->enter[above] <= t->enter[word] && t->enter[word] <= t->leave[above];
}

/* A limit, because time is quadratic; no sentence of a treebank reaches it. */
enum { LONGEST = 10000 };

/* Notes punctuation inside an arc that has its own head outside of it, where the arc's head is not
 * above it. Punctuation whose head lies inside as well is there because of that one. */
static void find_crossed(const tree *t, int word)
{
    int head = t->heads[word], low = word < head ? word : head, high = word < head ? head : word;
    for (int at = low + 1; at < high; at++) {
        bool inside = t->heads[at] >= low && t->heads[at] <= high;
        if (!inside && dd_check_equals(relation_of(t, at), "punct") && !is_below(t, at, head))
            t->crossed[at] = word;
    }
}

static void check_punctuation(const tree *t)
{
    int n = t->check->n;
    for (int word = 1; word <= n; word++)
        if (t->crossing[word] && n <= LONGEST) find_crossed(t, word);
    for (int word = 1; word <= n; word++) {
        uint64_t line = dd_check_word(t->check, word)->line;
        if (t->crossing[word] && dd_check_equals(relation_of(t, word), "punct"))
            dd_check_found(t->check, DD_FAULT_PUNCT_CROSSING, line, DD_HEAD,
                           "words between punctuation and its head, word %d, do not depend on it",
                           t->heads[word]);
        if (t->crossed[word])
            dd_check_found(t->check, DD_FAULT_PUNCT_CROSSING, line, DD_HEAD,
                           "punctuation crosses the arc from word %d to word %d",
                           t->heads[t->crossed[word]], t->crossed[word]);
    }
}

/* ---- the tree ---------------------------------------------------------------------------------
 */

/* Numbers the words so that each subtree is a range of numbers. */
static void number_words(tree *t)
{
    int word = 0, count = 0;
    t->enter[0] = count++;
    while (word >= 0) {
        int next = t->child[word];
        /* Back up until a subtree is left to walk. */
        while (next == 0 && word >= 0) {
            t->leave[word] = count - 1;
            next = word > 0 ? t->sibling[word] : 0;
            word = word > 0 ? t->heads[word] : -1;
        }
        if (word < 0) break;
        word = next;
        t->enter[word] = count++;
    }
}

static bool lay_out(tree *t)
{
    dd_check *check = t->check;
    size_t width = (size_t)check->n + 1;
    size_t need = 5 * width + width * sizeof(bool) / sizeof(int32_t) + 1;
    int arcs;
    if (!dd_check_room(check, DD_RESERVE(&check->marks, &check->marks_capacity, need)))
        return false;
    t->heads = check->heads;
    t->child = check->marks;
    t->sibling = t->child + width;
    t->enter = t->sibling + width;
    t->leave = t->enter + width;
    t->crossed = t->leave + width;
    t->crossing = (bool *)(t->crossed + width);
    memset(t->child, 0, width * sizeof *t->child);
    memset(t->crossed, 0, width * sizeof *t->crossed);
    for (int word = check->n; word >= 1; word--) {
        t->sibling[word] = t->child[t->heads[word]];
        t->child[t->heads[word]] = word;
    }
    number_words(t);
    memset(t->crossing, 0, width * sizeof *t->crossing);
    return dd_check_room(check, dd_tree_mark_nonprojective(&check->space, check->heads, check->n,
                                                           t->crossing, &arcs));
}

void dd_check_relations(dd_check *check)
{
    tree t = {.check = check};
    if (check->level < 3 || !check->is_tree || !lay_out(&t)) return;
    for (int word = 1; word <= check->n && check->status == DD_OK; word++) {
        check_tag(&t, word);
        check_direction(&t, word);
        check_leaf(&t, word);
        check_single(&t, word, is_inner_subject, DD_FAULT_SUBJECTS, "subject");
        check_single(&t, word, is_object, DD_FAULT_OBJECTS, "object");
        check_obliques(&t, word);
        check_goeswith(&t, word);
    }
    check_punctuation(&t);
}
