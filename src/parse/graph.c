#include "parse/graph.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

void dd_graph_search_free(dd_graph_search *search)
{
    free(search->scores);
    free(search->heads);
    dd_max_tree_free(&search->tree);
    *search = (dd_graph_search){0};
}

static bool reserve(dd_graph_search *s, int n)
{
    size_t nodes = (size_t)n + 1;
    return n <= DD_MAX_TREE_WORDS && DD_RESERVE(&s->scores, &s->scores_capacity, nodes * nodes) &&
           DD_RESERVE(&s->heads, &s->heads_capacity, nodes);
}

static int32_t *scores_of(const dd_graph_search *s, int n, int dependent)
{
    return s->scores + (size_t)dependent * ((size_t)n + 1);
}

static int32_t bounded(int32_t score)
{
    if (score > DD_MAX_ARC_SCORE) return DD_MAX_ARC_SCORE;
    return score < -DD_MAX_ARC_SCORE ? -DD_MAX_ARC_SCORE : score;
}

/* The given move for the word in front, with its best class. */
static dd_choice choose(const dd_decoder *decoder, int move)
{
    dd_class_list list = dd_decoder_classes(decoder, move);
    const int32_t *scores = dd_decoder_scores(decoder, move);
    int id = list.first + decoder->inventory->kernels->largest(scores + list.first, list.count);
    return (dd_choice){.move = move, .class_id = id, .score = bounded(scores[id])};
}

/* Fills in the row of the word in front. */
static dd_choice take_scores(dd_graph_search *s, const dd_decoder *decoder)
{
    int32_t *row = scores_of(s, decoder->config.n, decoder->config.front);
    dd_choice best = {.move = DD_NONE};
    for (int head = 0; head <= decoder->config.n; head++) row[head] = DD_NO_SCORE;
    for (int m = 0; m < decoder->view.n_moves; m++) {
        dd_choice here = choose(decoder, m);
        row[decoder->view.arcs[m].head] = here.score;
        if (best.move == DD_NONE || here.score > best.score) best = here;
    }
    return best;
}

/* Gives all words the heads that score best. */
static bool score_all(dd_graph_search *s, dd_decoder *decoder, const dd_graph_scorer *scorer)
{
    while (dd_decoder_ready(decoder)) {
        if (!scorer->score(scorer->user, decoder)) return false;
        dd_decoder_apply(decoder, take_scores(s, decoder));
    }
    return true;
}

/* Leaves the decoder the one move that gives the word in front its head. */
static void keep_move(dd_decoder *decoder, int head)
{
    dd_view *view = &decoder->view;
    int m = 0;
    while (view->arcs[m].head != head) m++;
    view->moves[0] = view->moves[m];
    view->arcs[0] = view->arcs[m];
    view->n_moves = 1;
}

/* Gives a word the head that it has in the tree where another one scored best. */
static bool change_head(const dd_graph_search *s, dd_decoder *decoder,
                        const dd_graph_scorer *scorer, int word)
{
    decoder->config.front = word;
    dd_decoder_ready(decoder);
    keep_move(decoder, s->heads[word]);
    if (!scorer->score(scorer->user, decoder)) return false;
    dd_decoder_apply(decoder, choose(decoder, 0));
    return true;
}

static float margin_of(const dd_graph_search *s, int n, int word, double unit)
{
    const int32_t *row = scores_of(s, n, word);
    int32_t other = DD_NO_SCORE;
    for (int head = 0; head <= n; head++)
        if (head != s->heads[word] && row[head] > other) other = row[head];
    if (other == DD_NO_SCORE) return INFINITY;
    return (float)(((double)row[s->heads[word]] - (double)other) * unit);
}

static bool find_tree(dd_graph_search *s, const dd_config *config)
{
    for (int head = 0; head <= config->n; head++) s->scores[head] = DD_NO_SCORE;
    return dd_max_tree_find(&s->tree, s->scores, config->n, config->single_root, s->heads) ==
           DD_MAX_TREE_FOUND;
}

bool dd_graph_search_run(dd_graph_search *s, dd_decoder *decoder, const dd_graph_scorer *scorer,
                         float *margins, int64_t *sum)
{
    dd_config *config = &decoder->config;
    int n = config->n;
    *sum = 0;
    if (!reserve(s, n) || !score_all(s, decoder, scorer) || !find_tree(s, config)) return false;
    for (int word = 1; word <= n; word++) {
        if (s->heads[word] != config->nodes[word].head && !change_head(s, decoder, scorer, word))
            return false;
        margins[word] = margin_of(s, n, word, scorer->unit);
        *sum += scores_of(s, n, word)[s->heads[word]];
    }
    config->front = n + 1;
    return true;
}
