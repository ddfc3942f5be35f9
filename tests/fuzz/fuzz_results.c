/* Results of experiments: whatever the line, it is read or refused with a reason, and what is read
 * is written and read again as the same. */
#include "fuzz.h"

#include "experiment/result.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

static char code[] = "aa", system_name[] = "covington-nm", loss[] = "lower";
static char settings[] = "width=16";
static uint64_t seeds[] = {1, 7};
static plan_treebank treebanks[] = {{.code = code, .iterations = 2}};
static plan_setup setups[] = {{.system = system_name, .oracle = PLAN_DYNAMIC},
                              {.system = system_name, .oracle = PLAN_DYNAMIC, .loss = loss}};
static const plan small = {.settings = settings,
                           .seeds = seeds,
                           .n_seeds = 2,
                           .treebanks = treebanks,
                           .n_treebanks = 1,
                           .setups = setups,
                           .n_setups = 2};

static void write_and_read(run_key key, const result *first)
{
    char reason[RESULT_REASON_SIZE];
    output once, twice;
    result second;
    run_key same;
    output_keep(&once);
    result_write(&once, &small, key, first);
    require(once.status == DD_OK && once.data[once.size - 1] == '\n');
    require(result_read(&second, &same, &small, once.data, once.size - 1, reason) ==
            RESULT_OF_PLAN);
    require(plan_index(&small, key) == plan_index(&small, same));
    output_keep(&twice);
    result_write(&twice, &small, same, &second);
    require(once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
    output_close(&once);
    output_close(&twice);
    result_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char reason[RESULT_REASON_SIZE] = "";
    result made;
    run_key key;
    result_fit fit = result_read(&made, &key, &small, (const char *)data, size, reason);
    if (fit == RESULT_BAD) require(reason[0] != '\0');
    if (fit != RESULT_OF_PLAN) return 0;
    write_and_read(key, &made);
    result_free(&made);
    return 0;
}

/* ---- seeds, made by the writer itself ---- */

static curve_point curve[] = {{50, 40.5}, {60.25, 50}};
static dd_sentence_score sentences[] = {{10, 8, 7}, {5, 5, 5}};

static fuzz_seed make(output *line, const result *r, run_key key)
{
    if (!line->data) result_write(line, &small, key, r);
    require(line->status == DD_OK);
    return (fuzz_seed){line->data, line->size - 1};
}

fuzz_seed fuzz_seed_at(size_t index)
{
    static output lines[3]; /* each is written once */
    static char failure[] = "no \"luck\"\n\xC3\xA9";
    result whole = {.version = "0.1.0",
                    .best_iteration = 2,
                    .data = {.sentences = 9, .words = 90, .hash = "xxh3:0"},
                    .dev = {60, 50, 40},
                    .test = {61, 51, 41},
                    .curve = curve,
                    .n_curve = 2,
                    .has_breaks = true,
                    .breaks = {20, 10, 5, 1},
                    .sentences = sentences,
                    .n_sentences = 2,
                    .expense = {1, 1, 0.5, 1000, 2000, 50}};
    const result failed = {.version = "0.1.0", .failed = failure};
    switch (index) {
    case 0: return make(&lines[0], &whole, (run_key){0, 0, 1});
    case 1: whole.has_breaks = false; return make(&lines[1], &whole, (run_key){1, 0, 0});
    case 2: return make(&lines[2], &failed, (run_key){0, 0, 0});
    default: return (fuzz_seed){NULL, 0};
    }
}
