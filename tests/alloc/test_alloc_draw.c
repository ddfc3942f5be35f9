/* Drawing while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_fail.h"

#define WORD(id, head, label) id "\tword\t_\tNOUN\t_\t_\t" head "\t" label "\t_\t_\n"

/* Of the second the first differs in a head and in a label; the third has an enhanced graph, and a
 * word of more than one line. */
static const char text[] =
    "# constraint = arc 2 _ 1\n# constraint = not-arc 3 2\n# constraint = leaf 2\n"
    "# constraint = span 2 3 any\n"
    "# constraint = arc 4 obj 3\n"
    "1-2\ttoken\t_\t_\t_\t_\t_\t_\t_\t_\n" WORD("1", "2", "nsubj") WORD("2", "0", "root")
        WORD("3", "2", "obj") WORD("4", "2", "obl") "\n" WORD("1", "2", "nsubj")
            WORD("2", "0", "root") WORD("3", "4", "obj")
                WORD("4", "2", "punct") "\n"
                                        "1\twordwordwordwordwordwordwordwordwordwordword\t_\t_\t_"
                                        "\t_\t0\troot\t1.1:a|0:root\t_\n"
                                        "1.1\tword\t_\t_\t_\t_\t_\t_\t1:b\t_\n\n";

static dd_status draw(void *user, dd_error *error)
{
    const dd_draw_options *options = user;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL, *gold = NULL;
    dd_drawing *drawing = NULL;
    dd_text bytes = {text, sizeof text - 1}, out;
    dd_status status = dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_sentence_new(&gold, error);
    if (status == DD_OK) status = dd_reader_next(reader, sentence, error);
    if (status == DD_OK) status = dd_reader_next(reader, gold, error);
    if (status == DD_OK) status = dd_drawing_new(&drawing, options, error);
    if (status == DD_OK) status = dd_draw_begin(drawing, &out, error);
    if (status == DD_OK) status = dd_draw(drawing, sentence, gold, &out, error);
    if (status == DD_OK) assert_true(out.size > 100);
    if (status == DD_OK) status = dd_reader_next(reader, sentence, error);
    if (status == DD_OK) status = dd_draw(drawing, sentence, NULL, &out, error);
    dd_drawing_free(drawing);
    dd_sentence_free(gold);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
}

static void every_format(void **state)
{
    (void)state;
    for (int format = DD_DRAW_TEXT; format <= DD_DRAW_DOT; format++) {
        dd_draw_options options;
        dd_draw_options_init(&options);
        options.format = (dd_draw_format)format;
        options.colour = true;
        assert_true(alloc_fail_each(draw, &options) > 10);
    }
}

/* ---- traces ------------------------------------------------------------------------------- */

static bool look(void *user, const dd_trace_step *step)
{
    dd_trace *const *trace = user;
    return dd_trace_label(*trace, 1).size <= 8 && step->n_moves < 100;
}

static dd_status follow(void *user, dd_error *error)
{
    dd_trace_options options = {.size = sizeof options, .system = user};
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_trace *trace = NULL;
    dd_text bytes = {text, sizeof text - 1};
    dd_status status = dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_reader_next(reader, sentence, error);
    if (status == DD_OK) status = dd_trace_new(&trace, &options, error);
    if (status == DD_OK) status = dd_trace_sentence(trace, sentence, look, &trace, error);
    dd_trace_free(trace);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
}

static void traces(void **state)
{
    (void)state;
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++)
        assert_true(alloc_fail_each(follow, (void *)(uintptr_t)info.name) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format),
        cmocka_unit_test(traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
