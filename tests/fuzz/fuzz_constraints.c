/* Constraints in comments: whatever they say, they are refused with a reason or a tree satisfies
 * them, with and without the single-root rule. */
#include "fuzz.h"

#include "constraints/constraints.h"
#include "core/random.h"
#include "systems/registry.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

static void make_inventory(dd_inventory *inventory)
{
    *inventory = (dd_inventory){0};
    require(dd_inventory_see(inventory, (dd_text){"root", 4}, DD_SEEN_ROOT) == 0);
    require(dd_inventory_see(inventory, (dd_text){"obj", 3}, DD_SEEN_LEFT) == 1);
    require(dd_inventory_close(inventory, dd_system_find("arc-eager"), NULL) == DD_OK);
}

static void follow(const dd_constraints *constraints, dd_random *random)
{
    const dd_system *system = constraints->system;
    dd_config c = {0};
    int32_t *heads = calloc((size_t)constraints->n + 1, sizeof *heads);
    require(heads && dd_system_begin(system, &c, constraints->n, constraints->single_root));
    while (!system->final(&c)) {
        dd_move moves[8];
        int count = dd_system_permissible(system, &c, moves);
        count = dd_constraints_filter(constraints, &c, moves, count);
        require(count > 0);
        dd_move move = moves[dd_random_below(random, (uint32_t)count)];
        dd_constraints_follow(constraints, &c, move);
        dd_system_apply(system, &c, move, 0);
    }
    for (int word = 1; word <= c.n; word++) heads[word] = c.nodes[word].head;
    require(dd_constraints_hold(constraints, heads));
    free(heads);
    dd_config_free(&c);
}

static void obey(dd_constraints *constraints, const dd_sentence *sentence,
                 const dd_inventory *inventory)
{
    dd_random random = {1};
    for (int single_root = 0; single_root <= 1; single_root++) {
        dd_error error = {.status = DD_OK};
        dd_status status =
            dd_constraints_set(constraints, sentence, inventory, single_root, &error);
        require(status == DD_OK || (status == DD_ERROR_DATA && error.line > 0 && error.message[0]));
        if (status == DD_OK) follow(constraints, &random);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_inventory inventory;
    dd_constraints constraints = {0};
    dd_text bytes = {(const char *)data, size};
    make_inventory(&inventory);
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    if (dd_reader_open_memory(&reader, "fuzz", bytes, DD_FORMAT_CONLLU, NULL) == DD_OK) {
        dd_status status = DD_OK;
        while (status == DD_OK || status == DD_ERROR_FORMAT) {
            status = dd_reader_next(reader, sentence, NULL);
            if (status == DD_OK && dd_constraint_count(sentence) > 0)
                obey(&constraints, sentence, &inventory);
        }
        dd_reader_close(reader);
    }
    dd_constraints_free(&constraints);
    dd_inventory_free(&inventory);
    dd_sentence_free(sentence);
    return 0;
}

#define WORD(id) id "\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"
static const char arcs[] =
    "# constraint = arc 2 obj 1\n# constraint = arc 0 _ 4\n"
    "# constraint = arc 4 _ 5\n" WORD("1") WORD("2") WORD("3") WORD("4") WORD("5") "\n";
static const char spans[] = "# constraint = span 1 2 root\n# constraint = span 3 5 none\n"
                            "# constraint = arc 6 _ 2\n" WORD("1") WORD("2-3") WORD("2") WORD("3")
                                WORD("4") WORD("5") WORD("6") "\n";
static const char forbidden[] =
    "# constraint = not-arc 0 1\n# constraint = not-arc 3 2\n"
    "# constraint = span 2 3 any\n" WORD("1") WORD("2") WORD("3") WORD("4") "\n";

static const char leaves[] =
    "# constraint = leaf 2\n# constraint = leaf 5\n" WORD("1") WORD("2") WORD("3") WORD("4")
        WORD("5") "\n# constraint = leaf 3\n# constraint = span 2 4 root\n"
                  "# constraint = arc 2 _ 4\n" WORD("1") WORD("2") WORD("3") WORD("4") "\n";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {{arcs, sizeof arcs - 1},
                                      {spans, sizeof spans - 1},
                                      {forbidden, sizeof forbidden - 1},
                                      {leaves, sizeof leaves - 1}};
    return index < sizeof seeds / sizeof *seeds ? seeds[index] : (fuzz_seed){NULL, 0};
}
