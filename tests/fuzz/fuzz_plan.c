/* Plans: whatever the text, a plan is read or refused, and what is read can be written again. */
#include "fuzz.h"

#include "core/memory.h"
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

/* Options may stand in another order, so that only what is written is compared. */
static void write_twice(dd_plan *plan)
{
    dd_buffer first = {0}, second = {0};
    dd_plan *again = dd_calloc(1, sizeof *again);
    require(again && dd_plan_format(plan, &first, NULL) == DD_OK);
    require(dd_plan_parse(again, "again", (dd_text){first.data, first.size}, NULL) == DD_OK);
    require(dd_plan_format(again, &second, NULL) == DD_OK);
    require(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    dd_buffer_free(&first);
    dd_buffer_free(&second);
    dd_plan_close(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dd_error error = {.status = DD_OK};
    dd_plan *plan = dd_calloc(1, sizeof *plan);
    require(plan);
    dd_status status = dd_plan_parse(plan, "fuzz", (dd_text){(const char *)data, size}, &error);
    if (status == DD_OK)
        write_twice(plan);
    else
        require(status == DD_ERROR_DATA && memcmp(error.message, "fuzz:", 5) == 0);
    dd_plan_close(plan);
    return 0;
}

static const char whole[] =
    "dodona plan\t2\nprogram\t0.1.0\n"
    "model\t28841216\t0123456789abcdef0123456789abcdef\t/models/english.dodona\n"
    "option\tbeam\t8\noption\tjson\t1\n"
    "input\ttext\tblank\t9000\ta b.txt\ta_b\t/texts/a b.txt\n"
    "task\tplain\t0\t5000\t0\t0\t0\t0\t0\t0123456789abcdef0123456789abcdef\n"
    "task\tplain\t5000\t4000\t70\t4990\t5\t0\t0\tfedcba9876543210fedcba9876543210\n"
    "input\tconllu\tauto\t400\t\t\t/texts/c.conllu.zst\n"
    "task\tframes\t100\t300\t9\t0\t3\t50\t20\tfedcba9876543210fedcba9876543210\n"
    "end\t3\n";
static const char small[] =
    "dodona plan\t2\nmodel\t1\t0123456789abcdef0123456789abcdef\tm\nend\t0\n";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {{whole, sizeof whole - 1}, {small, sizeof small - 1}};
    return index < 2 ? seeds[index] : (fuzz_seed){NULL, 0};
}
