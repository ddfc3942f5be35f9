/* pieces.c - a sentence that is too long to be parsed at once: cut, parsed piece by piece, joined
 *
 * Some systems take time quadratic in the length of a sentence, so a very long sentence would block
 * the parser. The pieces are parsed as separate sentences; then the words that depend on 0 in later
 * pieces are attached to the root of the first, so that there is one tree, projective if the pieces
 * are. */
#include "core/memory.h"
#include "core/status.h"
#include "parse/parser.h"
#include "segment/chars.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int dd_model_max_words(const dd_model *model, int wanted)
{
    if (!model->system) return INT_MAX;
    if (wanted > 0) return wanted;
    return model->system->search.max_words ? model->system->search.max_words : INT_MAX;
}

/* ---- where to cut ------------------------------------------------------------------------- */

typedef enum place { ANYWHERE, BEHIND_PUNCTUATION, BEHIND_STOP } place;

/* How good it is to cut behind the word. */
static place judge_place(const dd_sentence *sentence, int word)
{
    dd_text form = dd_cell(sentence, word, DD_FORM);
    place best = BEHIND_PUNCTUATION;
    for (size_t at = 0; at < form.size;) {
        uint32_t code;
        bool broken = false;
        at += dd_char_decode(form.data + at, form.size - at, &code, &broken);
        dd_char_class class = dd_char_classify(code);
        if (class < DD_CHAR_STOP || class > DD_CHAR_PUNCTUATION || class == DD_CHAR_OPEN)
            return ANYWHERE;
        if (class == DD_CHAR_STOP || class == DD_CHAR_ASKING) best = BEHIND_STOP;
    }
    return best;
}

/* The last word of the piece that starts at a word: the best place in its second half, of several
 * the last. */
static int end_of_piece(const dd_sentence *sentence, int first, int most)
{
    if (sentence->n - first < most) return sentence->n;
    int last = first + most - 1, best = last;
    place found = ANYWHERE;
    for (int word = last; word >= first + most / 2 && found < BEHIND_STOP; word--) {
        place here = judge_place(sentence, word);
        if (here <= found) continue;
        found = here;
        best = word;
    }
    return best;
}

/* ---- joining ------------------------------------------------------------------------------ */

typedef struct joined {
    int n;
    int32_t *heads, *labels; /* [n + 1]; label DD_NONE: of an arc that joins pieces */
    float *margins;          /* [n + 1] */
    int64_t score;
    int root; /* of the first piece */
} joined;

/* The tree that the parser found for the words behind `offset`. */
static void add_piece(joined *j, const dd_parser *parser, int offset)
{
    const dd_parsed_tree *tree = &parser->trees[0];
    j->score += tree->score;
    for (int word = 1; word <= parser->n; word++) {
        int head = parser->heads[word], at = offset + word;
        bool joins = head == 0 && offset > 0;
        if (head == 0 && j->root == 0) j->root = at;
        j->heads[at] = joins ? j->root : head == 0 ? 0 : head + offset;
        j->labels[at] = joins ? DD_NONE : parser->labels[word];
        j->margins[at] = tree->margins[word];
    }
}

/* A label that some arc between words can have. */
static int any_label(const dd_model *model)
{
    int label = 0;
    while (!(model->inventory.seen[label] & (DD_SEEN_LEFT | DD_SEEN_RIGHT))) label++;
    bool lifted = model->unlift.scheme != DD_PSEUDO_PROJECTIVE_NONE;
    return lifted ? model->unlift.codes[label].label : label;
}

static size_t count_labels(const dd_model *model)
{
    bool lifted = model->unlift.scheme != DD_PSEUDO_PROJECTIVE_NONE;
    return (size_t)(lifted ? model->unlift.names.count : model->inventory.labels.count);
}

/* The most frequent label of arcs to the right into words that are heads themselves, as the roots
 * of pieces are. */
static int usual_label(const joined *j, int best, int32_t *counts, bool *is_head)
{
    for (int word = 1; word <= j->n; word++) is_head[j->heads[word]] = true;
    for (int word = 1; word <= j->n; word++) {
        int label = j->labels[word], head = j->heads[word];
        if (label == DD_NONE || head == 0 || head > word || !is_head[word]) continue;
        if (++counts[label] > counts[best]) best = label;
    }
    return best;
}

/* The label of arcs between pieces: as Universal Dependencies have it for sentences side by side,
 * if the model knows that. -1: allocation failed. */
static int joining_label(const joined *j, const dd_model *model)
{
    static const char known[] = "parataxis";
    int label = dd_model_find_label(model, (dd_text){known, sizeof known - 1});
    if (label >= 0) return label;
    int32_t *counts = dd_calloc(count_labels(model), sizeof *counts);
    bool *is_head = dd_calloc((size_t)j->n + 1, sizeof *is_head);
    if (counts && is_head) label = usual_label(j, any_label(model), counts, is_head);
    free(counts);
    free(is_head);
    return label;
}

/* As if the parser had found the tree at once. */
static bool keep_tree(dd_parser *parser, const joined *j)
{
    size_t nodes = (size_t)j->n + 1;
    int label = joining_label(j, parser->model);
    parser->n_trees = 0;
    parser->n = j->n;
    if (label < 0 || !dd_parser_reserve(parser, j->n, 1)) return false;
    for (size_t word = 1; word < nodes; word++)
        if (j->labels[word] == DD_NONE) j->labels[word] = label;
    memcpy(parser->heads, j->heads, nodes * sizeof *parser->heads);
    memcpy(parser->labels, j->labels, nodes * sizeof *parser->labels);
    memcpy(parser->margins, j->margins, nodes * sizeof *parser->margins);
    parser->trees[0] = (dd_parsed_tree){.score = j->score, .margins = parser->margins};
    parser->n_trees = 1;
    return true;
}

static bool parse_pieces(dd_parser *parser, const dd_sentence *sentence, int most, int beam,
                         joined *j)
{
    for (int first = 1, last; first <= sentence->n; first = last + 1) {
        last = end_of_piece(sentence, first, most);
        dd_sentence part = dd_sentence_part(sentence, first, last);
        const dd_sentence *one = &part;
        if (!dd_parser_prepare(parser, &one, 1) ||
            dd_parser_run_checked(parser, 0, one, beam, 1, NULL) != DD_OK)
            return false;
        add_piece(j, parser, first - 1);
    }
    return true;
}

bool dd_parser_run_pieces(dd_parser *parser, const dd_sentence *sentence, int most, int beam)
{
    size_t nodes = (size_t)sentence->n + 1;
    joined j = {.n = sentence->n,
                .heads = dd_calloc(nodes, sizeof *j.heads),
                .labels = dd_calloc(nodes, sizeof *j.labels),
                .margins = dd_calloc(nodes, sizeof *j.margins)};
    bool ok = j.heads && j.labels && j.margins && parse_pieces(parser, sentence, most, beam, &j) &&
              keep_tree(parser, &j);
    free(j.heads);
    free(j.labels);
    free(j.margins);
    return ok;
}
