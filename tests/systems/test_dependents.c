/* What a node keeps of its dependents where arcs are taken back, against a count of all arcs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/random.h"
#include "systems/registry.h"

enum { SH, LA, RA, RE }; /* of arc-eager-nm */

static int position(const dd_config *c, int node)
{
    return dd_position_of(c, node);
}

/* The dependents of a head on one side from the outermost on, plainly; at most `room` of them. */
static int list_outermost(const dd_config *c, int head, bool left, int32_t *found, int room)
{
    int count = 0;
    for (int i = 1; i <= c->n; i++) {
        int word = left ? i : c->n + 1 - i;
        if (c->nodes[word].head != head || (word < position(c, head)) != left) continue;
        if (count < room) found[count] = word;
        count++;
    }
    return count;
}

static uint64_t labels_of(const dd_config *c, int head, bool left)
{
    uint64_t labels = 0;
    for (int word = 1; word <= c->n; word++)
        if (c->nodes[word].head == head && (word < position(c, head)) == left)
            labels |= UINT64_C(1) << (c->nodes[word].label & 63);
    return labels;
}

static void check_side(const dd_config *c, int head, bool left)
{
    const dd_node *node = &c->nodes[head];
    int32_t *found = calloc((size_t)c->n + 2, sizeof *found);
    assert_non_null(found);
    int count = list_outermost(c, head, left, found, c->n);
    const int32_t *kept = left ? node->left : node->right;
    assert_int_equal(kept[0], count > 0 ? found[0] : DD_NONE);
    assert_int_equal(kept[1], count > 1 ? found[1] : DD_NONE);
    assert_int_equal(left ? node->near_left : node->near_right,
                     count > 0 ? found[count - 1] : DD_NONE);
    assert_int_equal(left ? node->lefts : node->rights, count < UINT16_MAX ? count : UINT16_MAX);
    assert_true((left ? node->left_labels : node->right_labels) == labels_of(c, head, left));
    free(found);
}

static void check_node(const dd_config *c, int node)
{
    check_side(c, node, true);
    check_side(c, node, false);
}

static void walk_at_random(const dd_system *system, dd_random *random, int n, int labels)
{
    dd_config config = {0};
    dd_move moves[8];
    assert_true(dd_system_begin(system, &config, n, dd_random_below(random, 2)));
    for (int count; (count = dd_system_permissible(system, &config, moves)) > 0;) {
        dd_move move = moves[dd_random_below(random, (uint32_t)count)];
        int label = (int)dd_random_below(random, (uint32_t)labels);
        dd_system_apply(system, &config, move, label);
        for (int node = 0; node <= n; node++) check_node(&config, node);
    }
    dd_config_free(&config);
}

static void nodes_know_their_dependents(void **state)
{
    (void)state;
    dd_random random = {5};
    const dd_system *systems[] = {&dd_arc_eager_nm, &dd_covington_nm};
    for (int walk = 0; walk < 400; walk++)
        walk_at_random(systems[walk % 2], &random, 2 + walk % 14, walk % 3 ? 3 : 80);
}

static void apply_all(dd_config *config, const int *kinds, int count, int label)
{
    for (int i = 0; i < count; i++) {
        assert_true(dd_arc_eager_nm.rules[kinds[i]].legal(config));
        dd_system_apply(&dd_arc_eager_nm, config, (dd_move){kinds[i], 0}, label);
    }
}

/* The first word gets every other word and loses each third of these again. */
static void a_head_of_very_many_words(void **state)
{
    (void)state;
    enum { N = 600000 };
    dd_config config = {0};
    assert_true(dd_system_begin(&dd_arc_eager_nm, &config, N, false));
    apply_all(&config, (int[]){SH}, 1, 0);
    while (config.front <= N - 4) {
        apply_all(&config, (int[]){RA, RE}, 2, 1 + config.front % 7);
        apply_all(&config, (int[]){RA, LA}, 2, 8 + config.front % 50);
        apply_all(&config, (int[]){RA, RE}, 2, 1);
    }
    apply_all(&config, (int[]){RA, LA}, 2, 2);
    check_node(&config, 1);
    assert_int_equal(config.nodes[1].rights, UINT16_MAX);
    dd_config_free(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_know_their_dependents),
        cmocka_unit_test(a_head_of_very_many_words),
    };
    return cmocka_run_group_tests_name("dependents", tests, NULL, NULL);
}
