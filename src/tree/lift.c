#include "tree/lift.h"

#include "core/memory.h"
#include "core/strings.h"

#include <stdlib.h>
#include <string.h>

/* ---- lifting ------------------------------------------------------------------------------ */

/* A tree with its nodes numbered so that the descendants of each are a run of numbers. */
typedef struct numbered {
    const int32_t *heads;
    int n;
    int32_t *child, *sibling; /* [n+1] first child, next child of the same head; 0: none */
    int32_t *order;           /* [n+1] heads before their children */
    int32_t *number, *size;   /* [n+1] a node's number; nodes below it, itself included */
    int32_t *next;            /* [n+1] the number for the next child */
} numbered;

enum { NUMBERED_ARRAYS = 6 };

static bool lay_out(numbered *t, dd_tree_space *space, const int32_t *heads, int n)
{
    size_t width = (size_t)n + 1;
    if (!DD_RESERVE(&space->memory, &space->capacity, NUMBERED_ARRAYS * width)) return false;
    int32_t **const arrays[NUMBERED_ARRAYS] = {&t->child,  &t->sibling, &t->order,
                                               &t->number, &t->size,    &t->next};
    for (size_t i = 0; i < NUMBERED_ARRAYS; i++) *arrays[i] = space->memory + i * width;
    t->heads = heads;
    t->n = n;
    return true;
}

/* Children from left to right, and all nodes level by level. */
static void list_children(numbered *t)
{
    for (int node = 0; node <= t->n; node++) t->child[node] = 0;
    for (int word = t->n; word >= 1; word--) {
        t->sibling[word] = t->child[t->heads[word]];
        t->child[t->heads[word]] = word;
    }
    int count = 0;
    t->order[count++] = 0;
    for (int at = 0; at < count; at++)
        for (int child = t->child[t->order[at]]; child; child = t->sibling[child])
            t->order[count++] = child;
}

static void number_nodes(numbered *t)
{
    list_children(t);
    for (int node = 0; node <= t->n; node++) t->size[node] = 1;
    for (int at = t->n; at >= 1; at--) t->size[t->heads[t->order[at]]] += t->size[t->order[at]];
    t->number[0] = 0;
    t->next[0] = 1;
    for (int at = 1; at <= t->n; at++) {
        int word = t->order[at], head = t->heads[word];
        t->number[word] = t->next[head];
        t->next[head] += t->size[word];
        t->next[word] = t->number[word] + 1;
    }
}

static bool is_projective(const numbered *t, int word)
{
    int head = t->heads[word];
    int first = word < head ? word : head, last = word < head ? head : word;
    for (int between = first + 1; between < last; between++) {
        int number = t->number[between];
        if (number < t->number[head] || number >= t->number[head] + t->size[head]) return false;
    }
    return true;
}

/* The dependent of the shortest non-projective arc; 0: there is none. */
static int shortest_nonprojective(const numbered *t)
{
    int found = 0, shortest = t->n;
    for (int word = 1; word <= t->n; word++) {
        int length = abs(word - t->heads[word]);
        if (t->heads[word] == 0 || length >= shortest || is_projective(t, word)) continue;
        found = word;
        shortest = length;
    }
    return found;
}

bool dd_lift(dd_tree_space *space, int32_t *heads, int n, uint8_t *marks)
{
    numbered t;
    if (!lay_out(&t, space, heads, n)) return false;
    for (;;) {
        number_nodes(&t);
        int word = shortest_nonprojective(&t);
        if (word == 0) return true;
        marks[word] |= DD_LIFTED;
        marks[heads[word]] |= DD_ON_PATH;
        heads[word] = heads[heads[word]];
    }
}

/* ---- labels ------------------------------------------------------------------------------- */

static const char *const scheme_names[] = {
    [DD_PSEUDO_PROJECTIVE_NONE] = "none",
    [DD_PSEUDO_PROJECTIVE_HEAD] = "head",
    [DD_PSEUDO_PROJECTIVE_PATH] = "path",
    [DD_PSEUDO_PROJECTIVE_HEAD_PATH] = "head+path",
};
enum { SCHEMES = sizeof scheme_names / sizeof *scheme_names };

const char *dd_pseudo_projective_name(dd_pseudo_projective scheme)
{
    return scheme_names[scheme];
}

int dd_pseudo_projective_find(dd_text name)
{
    for (int i = 0; i < SCHEMES; i++)
        if (dd_text_is(name, scheme_names[i])) return i;
    return -1;
}

bool dd_lift_label(dd_buffer *out, dd_pseudo_projective scheme, dd_text label, int marks,
                   dd_text head)
{
    if (scheme == DD_PSEUDO_PROJECTIVE_NONE) marks = 0;
    if (scheme == DD_PSEUDO_PROJECTIVE_HEAD) marks &= DD_LIFTED;
    bool told = (marks & DD_LIFTED) && scheme != DD_PSEUDO_PROJECTIVE_PATH;
    out->size = 0;
    return dd_buffer_append(out, label.data, label.size) && (!marks || dd_buffer_text(out, "\t")) &&
           (!(marks & DD_LIFTED) || dd_buffer_text(out, "^")) &&
           (!(marks & DD_ON_PATH) || dd_buffer_text(out, "v")) &&
           (!told || (dd_buffer_text(out, "\t") && dd_buffer_append(out, head.data, head.size)));
}

void dd_unlift_free(dd_unlift *unlift)
{
    dd_vocab_free(&unlift->names);
    free(unlift->codes);
    *unlift = (dd_unlift){0};
}

/* Cuts the part up to the next tab off; an empty text when nothing is left. */
static dd_text next_part(dd_text *rest)
{
    if (rest->size == 0) return (dd_text){"", 0};
    const char *tab = memchr(rest->data, '\t', rest->size);
    dd_text part = {rest->data, tab ? (size_t)(tab - rest->data) : rest->size};
    size_t used = tab ? part.size + 1 : part.size;
    *rest = (dd_text){rest->data + used, rest->size - used};
    return part;
}

static bool take_apart(dd_unlift *unlift, dd_text text, dd_lift_code *code)
{
    dd_text label = next_part(&text), marks = next_part(&text), head = next_part(&text);
    *code = (dd_lift_code){.label = dd_vocab_add(&unlift->names, label), .head = -1};
    for (size_t i = 0; i < marks.size; i++)
        code->marks |= marks.data[i] == '^' ? DD_LIFTED : DD_ON_PATH;
    if (head.size) code->head = dd_vocab_add(&unlift->names, head);
    return code->label >= 0 && (head.size == 0 || code->head >= 0);
}

bool dd_unlift_set(dd_unlift *unlift, dd_pseudo_projective scheme, const dd_vocab *labels)
{
    unlift->scheme = scheme;
    unlift->codes = dd_calloc((size_t)labels->count, sizeof *unlift->codes);
    if (!unlift->codes) return false;
    for (int id = 0; id < labels->count; id++)
        if (!take_apart(unlift, dd_vocab_text(labels, id), &unlift->codes[id])) return false;
    return true;
}

/* ---- putting arcs back -------------------------------------------------------------------- */

/* What the former head of a lifted word must look like. */
enum { ALONG_PATH = 1, LABEL = 2, PATH_ENDS = 4, MOST_SEARCHES = 3 };

/* One after the other until something is found; 0 ends the list. Where the marks of a parsed tree
 * do not agree, head+path tries again with less. */
static const int searches[SCHEMES][MOST_SEARCHES + 1] = {
    [DD_PSEUDO_PROJECTIVE_HEAD] = {LABEL},
    [DD_PSEUDO_PROJECTIVE_PATH] = {ALONG_PATH | PATH_ENDS},
    [DD_PSEUDO_PROJECTIVE_HEAD_PATH] = {ALONG_PATH | LABEL | PATH_ENDS, ALONG_PATH | LABEL, LABEL},
};

typedef struct undoing {
    const dd_unlift *unlift;
    const int32_t *labels; /* [n+1] of the lifted tree */
    numbered tree;
    int32_t *queue; /* [n+1] */
} undoing;

static const dd_lift_code *code_of(const undoing *u, int word)
{
    return &u->unlift->codes[u->labels[word]];
}

static bool path_ends(const undoing *u, int node, int except)
{
    for (int child = u->tree.child[node]; child; child = u->tree.sibling[child])
        if (child != except && (code_of(u, child)->marks & DD_ON_PATH)) return false;
    return true;
}

/* Breadth-first below the head of a lifted word, but not below the word itself; 0: not found. */
static int search(const undoing *u, int word, int wanted)
{
    int count = 0;
    u->queue[count++] = u->tree.heads[word];
    for (int at = 0; at < count; at++) {
        for (int child = u->tree.child[u->queue[at]]; child; child = u->tree.sibling[child]) {
            const dd_lift_code *code = code_of(u, child);
            if (child == word || ((wanted & ALONG_PATH) && !(code->marks & DD_ON_PATH))) continue;
            bool right_label = !(wanted & LABEL) || code->label == code_of(u, word)->head;
            if (right_label && (!(wanted & PATH_ENDS) || path_ends(u, child, word))) return child;
            u->queue[count++] = child;
        }
    }
    return 0;
}

static int former_head(const undoing *u, int word)
{
    const int *wanted = searches[u->unlift->scheme];
    int head = 0;
    while (*wanted && head == 0) head = search(u, word, *wanted++);
    return head;
}

/* Words nearer to the root first, as arcs lifted later and higher hide the others. */
bool dd_unlift_apply(const dd_unlift *unlift, dd_tree_space *space, int32_t *heads, int32_t *labels,
                     int n)
{
    if (unlift->scheme == DD_PSEUDO_PROJECTIVE_NONE) return true;
    undoing u = {.unlift = unlift, .labels = labels};
    if (!lay_out(&u.tree, space, heads, n)) return false;
    u.queue = u.tree.next;
    int32_t *lifted = u.tree.number;
    int count = 0;
    list_children(&u.tree);
    for (int at = 1; at <= n; at++)
        if (code_of(&u, u.tree.order[at])->marks & DD_LIFTED) lifted[count++] = u.tree.order[at];
    for (int at = 0; at < count; at++) {
        int head = former_head(&u, lifted[at]);
        if (head == 0) continue;
        heads[lifted[at]] = head;
        list_children(&u.tree);
    }
    for (int word = 1; word <= n; word++) labels[word] = code_of(&u, word)->label;
    return true;
}
