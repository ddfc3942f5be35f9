#include "train/corpus.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/sentence.h"

#include <stdlib.h>
#include <string.h>

/* ---- lifting ------------------------------------------------------------------------------ */

/* A tree that is being lifted. */
typedef struct lifting {
    dd_pseudo_projective scheme;
    dd_tree_space space;
    int32_t *heads, *labels; /* [n + 1] */
    uint8_t *marks;          /* [n + 1] */
    size_t heads_capacity, labels_capacity, marks_capacity;
    dd_buffer label;
} lifting;

static dd_text label_text(const dd_corpus *corpus, int label)
{
    return label == DD_NONE ? (dd_text){"_", 1} : dd_vocab_text(&corpus->labels, label);
}

/* In a treebank with labels, a missing one stays missing. */
static bool lift_labels(dd_corpus *corpus, lifting *l, const dd_gold *gold)
{
    for (int word = 1; word <= gold->n; word++) {
        l->labels[word] = gold->labels[word];
        if (!l->marks[word] || (l->labels[word] == DD_NONE && corpus->labelled)) continue;
        dd_text label = label_text(corpus, gold->labels[word]), head = {"", 0};
        if (l->marks[word] & DD_LIFTED) head = label_text(corpus, gold->labels[gold->heads[word]]);
        if (!dd_lift_label(&l->label, l->scheme, label, l->marks[word], head)) return false;
        l->labels[word] = dd_vocab_add(&corpus->labels, (dd_text){l->label.data, l->label.size});
        if (l->labels[word] < 0) return false;
    }
    return true;
}

static bool lift_item(dd_corpus *corpus, lifting *l, dd_gold *gold)
{
    size_t nodes = (size_t)gold->n + 1;
    if (!DD_RESERVE(&l->heads, &l->heads_capacity, nodes) ||
        !DD_RESERVE(&l->labels, &l->labels_capacity, nodes) ||
        !DD_RESERVE(&l->marks, &l->marks_capacity, nodes))
        return false;
    memcpy(l->heads, gold->heads, nodes * sizeof *l->heads);
    memset(l->marks, 0, nodes * sizeof *l->marks);
    l->labels[0] = -1;
    if (!dd_lift(&l->space, l->heads, gold->n, l->marks) || !lift_labels(corpus, l, gold) ||
        !dd_gold_set(gold, l->heads, l->labels, gold->n))
        return false;
    dd_tree_space_free(&gold->space);
    corpus->lifted++;
    return true;
}

dd_status dd_corpus_lift(dd_corpus *corpus, const dd_system *system, bool single_root,
                         dd_pseudo_projective scheme, dd_error *error)
{
    lifting l = {.scheme = scheme};
    bool ok = true;
    for (size_t i = 0; i < corpus->count && ok; i++) {
        dd_gold *gold = &corpus->items[i].gold;
        if (!gold->projective && gold->unknown == 0 && !gold->soft &&
            system->oracle.refuses(gold, single_root))
            ok = lift_item(corpus, &l, gold);
    }
    dd_tree_space_free(&l.space);
    free(l.heads);
    free(l.labels);
    free(l.marks);
    dd_buffer_free(&l.label);
    return ok ? DD_OK : dd_fail_memory(error);
}

/* ---- parts -------------------------------------------------------------------------------- */

/* A tree that is being cut down. */
typedef struct parting {
    const dd_train_options *options;
    const dd_system *system;
    bool single_root;
    dd_loss_space space;
    int32_t *heads, *labels; /* [n + 1] of the part */
    size_t heads_capacity, labels_capacity;
} parting;

static int drop_labels(parting *p, const dd_gold *gold)
{
    int dropped = 0;
    p->heads[0] = p->labels[0] = DD_NONE;
    for (int word = 1; word <= gold->n; word++) {
        bool drop = p->heads[word] != gold->heads[word];
        p->labels[word] = drop ? DD_NONE : gold->labels[word];
        dropped += drop;
    }
    return dropped;
}

static bool keep_part(dd_corpus *corpus, parting *p, dd_item *item, const char *reason)
{
    dd_gold *gold = &item->gold;
    const dd_train_options *options = p->options;
    size_t nodes = (size_t)gold->n + 1;
    if (!DD_RESERVE(&p->heads, &p->heads_capacity, nodes) ||
        !DD_RESERVE(&p->labels, &p->labels_capacity, nodes) ||
        !p->system->oracle.keep(&p->space, gold, p->single_root, p->heads))
        return false;
    int dropped = drop_labels(p, gold);
    if (!dd_gold_set(gold, p->heads, p->labels, gold->n)) return false;
    dd_tree_space_free(&gold->space);
    corpus->in_part++;
    corpus->arcs_left_out += (uint64_t)dropped;
    if (options->in_part)
        options->in_part(options->user, item->file, dd_sentence_line(item->sentence),
                         dd_sentence_id(item->sentence), reason, dropped);
    return true;
}

dd_status dd_corpus_keep_parts(dd_corpus *corpus, const dd_system *system, bool single_root,
                               int whole, const dd_train_options *options, dd_error *error)
{
    parting p = {.options = options, .system = system, .single_root = single_root};
    bool ok = true;
    for (size_t i = 0; i < corpus->count && ok; i++) {
        const dd_gold *gold = &corpus->items[i].gold;
        const char *reason = gold->soft ? NULL : system->oracle.refuses(gold, single_root);
        if (reason && gold->n <= whole)
            corpus->whole++;
        else if (reason)
            ok = keep_part(corpus, &p, &corpus->items[i], reason);
    }
    dd_loss_space_free(&p.space);
    free(p.heads);
    free(p.labels);
    return ok ? DD_OK : dd_fail_memory(error);
}
