/* Each kind of fault where it is, and nothing where there is none. */
#include "check_help.h"

static const struct {
    const char *text;
    const char *faults; /* of levels 1 and 2 */
} cases[] = {
    {"", ""},
    {GOOD, ""},
    /* lines and characters */
    {"\xEF\xBB\xBF" GOOD, "1 bom"},
    {ID AB "1/a\xFF/a/NOUN/_/_/2/nsubj/_/_\n" B "\n", "3 utf8, 3 text-tokens"},
    {ID "# text = a\xCC\x81 b\n"
        "1/a\xCC\x81/a/NOUN/_/_/2/nsubj/_/_\n" B "\n",
     "2 nfc, 3 nfc"},
    {ID AB A "2/b/b\x07/VERB/_/_/0/root/_/_\n\n", "4 character"},
    {ID "# x \xEF\xBF\xBD\xEF\xBF\xBD\n" AB A B "\n", "2 character"},
    {ID "# x \xEF\xBB\xBF\n" AB A B "\n", "2 character"},
    {ID "# x \xE2\x80\xA8y\n" AB A B "\n", "2 character"},
    {ID "# x \xEF\xBF\xBE\n" AB A B "\n", "2 character"},
    {"# sent_id = s\r\n" AB A B "\n", "1 crlf"},
    {ID "# text = a b \n" A B "\n", "2 trailing-space"},
    {ID "# x\xC2\xA0\n" AB A B "\n", "2 trailing-space"},
    {ID AB A "2/b/b/VERB/_/_/0/root/_/X=y \n\n", "4 trailing-space"},
    {ID AB A B " \n", "5 white-line"},
    {"\n" GOOD, "1 empty-line"},
    {GOOD "\n", "6 empty-line"},
    {ID AB A B, "4 final-line"},
    {ID AB A "2/b/b/VERB/_/_/0/root/_/_", "4 final-line"},
    {ID AB "\n", "1 no-words"},
    {ID AB "0.1/a/a/NOUN/_/_/_/_/_/_\n\n", "1 no-words"},
    {ID AB A "# late\n" B "\n", "4 comment-place"},
    {ID AB A "2/b/b/VERB/_/_/0/root/_\n\n", "4 columns"},
    {ID AB A "2/b/b/VERB/_/_/0/root/_/_/\n\n", "4 columns"},
    {ID AB A "word\n\n", "4 columns"},
    {ID AB A "2/b//VERB/_/_/0/root/_/_\n\n", "4 empty-cell"},
    {ID AB A "/b/b/VERB/_/_/0/root/_/_\n\n", "4 empty-cell"},
    {ID AB A "2/b/b/VERB/x y/_/0/root/_/_\n\n", "4 space"},
    {ID AB A "2/b/ b/VERB/_/_/0/root/_/_\n\n", "4 space"},
    {ID AB A "2/b/b /VERB/_/_/0/root/_/_\n\n", "4 space"},
    {ID AB A "2/b/b  c/VERB/_/_/0/root/_/_\n\n", "4 space"},
    {ID AB A "2/b/b\xC2\xA0\xC2\xA0"
             "c/VERB/_/_/0/root/_/_\n\n",
     "4 space"},
    {ID "# text = a b\n1-2/a b/_/_/_/_/_/_/_/_\n" A B "\n", "3 space"},
    {ID "# text = a b c\n" A "2/b c/b c/VERB/_/_/0/root/_/X=y z\n\n", ""},
    /* IDs */
    {ID AB A "two/b/b/VERB/_/_/0/root/_/_\n\n", "4 id"},
    {ID AB A "02/b/b/VERB/_/_/0/root/_/_\n\n", "4 id"},
    {ID AB A "3/b/b/VERB/_/_/0/root/_/_\n\n", "4 id-order"},
    {ID AB A A B "\n", "4 id-order"},
    {ID AB "2147483647/a/a/NOUN/_/_/2/nsubj/_/_\n2147483648/b/b/VERB/_/_/0/root/_/_\n\n",
     "3 id-order, 4 id-order"},
    {ID AB "2-1/ab/_/_/_/_/_/_/_/_\n" A B "\n", "3 range-backward"},
    {ID AB "1-1/ab/_/_/_/_/_/_/_/_\n" A B "\n", "3 range-backward"},
    {ID AB "1-2/ab/_/_/_/_/_/_/_/_\n" A "2-3/bc/_/_/_/_/_/_/_/_\n" B "\n", "5 range-overlap"},
    {ID AB A "1-2/ab/_/_/_/_/_/_/_/_\n" B "\n", "4 range-place"},
    {ID AB A "2-3/bc/_/_/_/_/_/_/_/_\n" B "\n", "4 range-end"},
    {ID AB A "1.2/c/c/VERB/_/_/_/_/0:root/_\n" B "\n", "4 empty-node-order"},
    {ID AB A "0.1/c/c/VERB/_/_/_/_/0:root/_\n" B "\n", "4 empty-node-order"},
    {ID "# text = ab\n1-2/ab/_/_/_/_/_/_/_/_\n0.1/c/c/VERB/_/_/_/_/0:root/_\n"
        "1/a/a/NOUN/_/_/2/nsubj/0.1:dep/_\n2/b/b/VERB/_/_/0/root/0:root/_\n\n",
     "4 empty-node-place"},
    /* comments and text */
    {AB A B "\n", "1 sent-id-missing"},
    {"# sent_id s\n" AB A B "\n", "1 sent-id-form"},
    {"# sent_id =\n" AB A B "\n", "1 sent-id-form"},
    {"# sent_id = a b\n" AB A B "\n", "1 sent-id-form"},
    {"# sent_identity = x\n#sent_id=a\n" AB A B "\n", ""},
    {ID "# sent_id = t\n" AB A B "\n", "2 sent-id-several"},
    {GOOD GOOD, "6 sent-id-repeated"},
    {ID A B "\n", "1 text-missing"},
    {ID "# text =\n" A B "\n", "2 text-missing"},
    {ID AB AB A B "\n", "3 text-several"},
    {ID "# text = a c\n" A B "\n", "4 text-tokens"},
    {ID "# text = a\n" A B "\n", "4 text-tokens"},
    {ID "# text = a b c\n" A B "\n", "2 text-tokens"},
    {ID "# text = ab\n" A B "\n", "3 space-after"},
    {ID AB "1/a/a/NOUN/_/_/2/nsubj/_/SpaceAfter=No\n" B "\n", "3 space-after"},
    {ID "# text = ab\n1/a/a/NOUN/_/_/2/nsubj/_/X=y|SpaceAfter=No\n" B "\n", ""},
    {ID "# text = a  b\n" A B "\n", ""},
    {ID AB "1/a/a/NOUN/_/_/2/nsubj/_/SpaceAfter=Yes\n" B "\n", "3 space-after-value"},
    {ID "# text = ab\n1-2/ab/_/_/_/_/_/_/_/_\n1/a/a/NOUN/_/_/2/nsubj/_/SpaceAfter=No\n" B "\n",
     "4 space-after-place"},
    {ID "# newpar\n# newpar id = 2\n" AB A B "\n", "3 newpar-several"},
    {ID AB A "2/b/b/VERB/_/_/0/root/_/SpaceAfter=No\n\n# newpar\n# sent_id = t\n" AB A B "\n",
     "6 newpar-space"},
    /* cells */
    {ID "# text = ab\n1-2/ab/ab/_/_/Typo=Yes/_/_/_/_\n" A B "\n", "3 range-cells"},
    {ID "# text = ab\n1-2/ab/_/_/_/A=B/_/_/_/_\n" A B "\n", "3 range-cells"},
    {ID AB "0.1/c/c/VERB/_/_/2/_/0:root/_\n1/a/a/NOUN/_/_/2/nsubj/0.1:dep/_\n"
           "2/b/b/VERB/_/_/0/root/0:root/_\n\n",
     "3 empty-node-cells"},
    {ID AB "1/a/a/N/_/_/2/nsubj/_/_\n" B "\n", "3 upos"},
    {ID AB "1/a/a/_/_/_/2/nsubj/_/_\n" B "\n", "3 upos"},
    {ID AB "1/a/a/NOUN/_/case=Nom/2/nsubj/_/_\n" B "\n", "3 feats-form"},
    {ID AB "1/a/a/NOUN/_/Case/2/nsubj/_/_\n" B "\n", "3 feats-form"},
    {ID AB "1/a/a/NOUN/_/Case=nom/2/nsubj/_/_\n" B "\n", "3 feats-form"},
    {ID AB "1/a/a/NOUN/_/A[b=C/2/nsubj/_/_\n" B "\n", "3 feats-form"},
    {ID AB "1/a/a/NOUN/_/Abc=D1|Number=Sing|Number[psor]=Plur,Sing/2/nsubj/_/_\n" B "\n", ""},
    {ID AB "1/a/a/NOUN/_/Number=Sing|Case=Nom/2/nsubj/_/_\n" B "\n", "3 feats-order"},
    {ID AB "1/a/a/NOUN/_/NumType=Card|Number=Sing/2/nsubj/_/_\n" B "\n", "3 feats-order"},
    {ID AB "1/a/a/NOUN/_/Case=Acc|Case=Nom/2/nsubj/_/_\n" B "\n", "3 feats-repeated"},
    {ID AB "1/a/a/NOUN/_/Case=Nom|Abc=D|Case=Acc/2/nsubj/_/_\n" B "\n",
     "3 feats-order, 3 feats-repeated"},
    {ID AB "1/a/a/NOUN/_/Case=Nom,Acc/2/nsubj/_/_\n" B "\n", "3 value-order"},
    {ID AB "1/a/a/NOUN/_/Case=Nom,Nom/2/nsubj/_/_\n" B "\n", "3 value-repeated"},
    {ID AB "1/a/a/NOUN/_/_/2/nsubj/_/Gloss=x|Gloss=y\n" B "\n", "3 misc-repeated"},
    {ID AB "1/a/a/NOUN/_/_/2/nsubj/_/X=1|X=2|y\n" B "\n", ""},
    /* heads */
    {ID AB "1/a/a/NOUN/_/_/_/_/_/_\n2/b/b/VERB/_/_/_/_/_/_\n\n", "3 head-missing, 4 head-missing"},
    {ID AB "1/a/a/NOUN/_/_/x/nsubj/_/_\n" B "\n", "3 head-form"},
    {ID AB "1/a/a/NOUN/_/_/3/nsubj/_/_\n" B "\n", "3 head-beyond"},
    {ID AB "1/a/a/NOUN/_/_/1/nsubj/_/_\n" B "\n", "3 head-self"},
    {ID "# text = a b c\n1/a/a/NOUN/_/_/2/nsubj/_/_\n2/b/b/VERB/_/_/1/obj/_/_\n"
        "3/c/c/VERB/_/_/0/root/_/_\n\n",
     "3 head-cycle"},
    {ID AB "1/a/a/NOUN/_/_/2/nsubj/_/_\n2/b/b/VERB/_/_/1/obj/_/_\n\n", "3 root-none, 3 head-cycle"},
    {ID AB "1/a/a/NOUN/_/_/0/root/_/_\n" B "\n", "4 root-several"},
    {ID AB A "2/b/b/VERB/_/_/0/dep/_/_\n\n", "4 root-label"},
    {ID AB "1/a/a/NOUN/_/_/2/root/_/_\n" B "\n", "3 root-head"},
    {ID AB "1/a/a/NOUN/_/_/2/Nsubj/_/_\n" B "\n", "3 deprel-form"},
    {ID AB "1/a/a/NOUN/_/_/2/nsubj:/_/_\n" B "\n", "3 deprel-form"},
    {ID AB "1/a/a/NOUN/_/_/2/nsubj:a:b/_/_\n" B "\n", "3 deprel-form"},
    {ID AB "1/a/a/NOUN/_/_/2/_/_/_\n" B "\n", "3 deprel-form"},
    {ID AB "1/a/a/NOUN/_/_/2/subject/_/_\n" B "\n", "3 deprel-unknown"},
    {ID AB "1/a/a/NOUN/_/_/2/nsubj:pass/_/_\n" B "\n", ""},
/* DEPS; words a and b, with a node 1.1 in between */
#define DEPS(a, n, b)                                                                              \
    ID AB "1/a/a/NOUN/_/_/2/nsubj/" a "/_\n1.1/c/c/_/_/_/_/_/" n "/_\n2/b/b/VERB/_/_/0/root/" b    \
          "/_\n\n"
    {DEPS("2:nsubj", "2:dep", "0:root"), ""},
    {DEPS("1.1:nsubj|2:nsubj", "2:obl:\xC3\xA0_c\xC3\xB4t\xC3\xA9:gen", "0:root|1.1:ref"), ""},
    {DEPS("2", "2:dep", "0:root"), "3 deps-form"},
    {DEPS("1-2:dep", "2:dep", "0:root"), "3 deps-form"},
    {DEPS("3:nsubj", "2:dep", "0:root"), "3 deps-head"},
    {DEPS("1.2:nsubj", "2:dep", "0:root"), "3 deps-head"},
    {DEPS("2.1:nsubj", "2:dep", "0:root"), "3 deps-head"},
    {DEPS("2:nsubj", "1.1:dep|2:dep", "0:root"), "4 deps-self"},
    {DEPS("1:nsubj|2:nsubj", "2:dep", "0:root"), "3 deps-self"},
    {DEPS("2:nsubj|1.1:dep", "2:dep", "0:root"), "3 deps-order"},
    {DEPS("2:obj|2:nsubj", "2:dep", "0:root"), "3 deps-order"},
    {DEPS("2:nsubj|2:nsubj", "2:dep", "0:root"), "3 deps-repeated"},
    {DEPS("2:Nsubj", "2:dep", "0:root"), "3 deps-label"},
    {DEPS("2:subject", "2:dep", "0:root"), "3 deps-label"},
    {DEPS("2:obl:_x", "2:dep", "0:root"), "3 deps-label"},
    {DEPS("2:obl:a:b:c:d", "2:dep", "0:root"), "3 deps-label"},
    {DEPS("0:nsubj", "2:dep", "0:root"), "3 deps-root"},
    {DEPS("2:root", "2:dep", "0:root"), "3 deps-root"},
    {DEPS("1.1:nsubj", "1:dep", "0:root"), "3 deps-reach"},
    {DEPS("_", "2:dep", "0:root"), "3 deps-reach"},
    {DEPS("2:nsubj", "2:dep", "0:root") "# sent_id = t\n" AB A B "\n"
                                        "# sent_id = u\n" AB A B "\n",
     "9 deps-some"},
};

static void every_fault_is_found_where_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_faults(cases[i].text, 2, cases[i].faults);
}

static void every_kind_has_a_case(void **state)
{
    (void)state;
    dd_fault_kind kind;
    for (size_t i = 0; dd_fault_kind_at(i, &kind); i++) {
        bool has = kind.level == 3; /* see test_check_relations.c */
        for (size_t k = 0; k < sizeof cases / sizeof *cases && !has; k++)
            has = names_kind(cases[k].faults, kind.name);
        if (!has) fail_msg("no case of %s", kind.name);
        assert_true(kind.level >= 1 && kind.level <= DD_CHECK_LEVELS && kind.summary[0]);
        if (i > 0) assert_true(kind.level >= dd_fault_kinds[i - 1].level);
    }
    assert_false(dd_fault_kind_at(DD_FAULT_KINDS, &kind));
}

static void a_level_has_the_faults_of_those_below(void **state)
{
    (void)state;
    static const char text[] = ID "# text = a b \n1/a/a/N/_/_/2/advmod/_/_\n" B "\n";
    assert_faults(text, 1, "2 trailing-space");
    assert_faults(text, 2, "2 trailing-space, 3 upos");
    assert_faults(text, 3, "2 trailing-space, 3 upos, 3 relation-upos");
}

static void a_nul_is_a_fault_and_no_end(void **state)
{
    (void)state;
    static const char text[] = ID AB "1/a/a\0/NOUN/_/_/2/nsubj/_/_\n" B "\n" GOOD;
    found all = {.left = -1};
    assert_int_equal(check_text((dd_text){text, sizeof text - 1}, 2, &all, NULL), DD_OK);
    assert_string_equal(all.list.data, "3 utf8, 6 sent-id-repeated");
    dd_buffer_free(&all.list);
}

static void the_check_stops_when_it_is_told_to(void **state)
{
    (void)state;
    found all = {.left = 1};
    dd_check_report report;
    static const char text[] = ID ID ID ID AB A B "\n" GOOD;
    assert_int_equal(check_text(text_of(text), 2, &all, &report), DD_INTERRUPTED);
    assert_string_equal(all.list.data, "2 sent-id-several, 3 sent-id-several");
    assert_int_equal(report.sentences, 1);
    dd_buffer_free(&all.list);
}

static void sentences_and_words_are_counted(void **state)
{
    (void)state;
    found all = {.left = -1};
    dd_check_report report;
    assert_int_equal(check_text(text_of(GOOD "# only\n\n" A "\n"), 2, &all, &report), DD_OK);
    assert_int_equal(report.sentences, 2);
    assert_int_equal(report.words, 3);
    dd_buffer_free(&all.list);
}

static void faults_say_where_and_why(void **state)
{
    (void)state;
    found all = {.left = -1};
    assert_int_equal(check_text(text_of(DEPS("2:obj|1.1:dep", "2:dep", "0:root")), 2, &all, NULL),
                     DD_OK);
    assert_int_equal(all.last.line, 3);
    assert_int_equal(all.last.column, DD_DEPS + 1);
    assert_string_equal(all.reason,
                        "DEPS '2:obj|1.1:dep' are not in the order of their heads, then relations");
    dd_buffer_free(&all.list);
}

/* More than are held back to be sorted, in one sentence. */
static void any_number_of_faults_is_reported(void **state)
{
    (void)state;
    enum { LINES = 5000 };
    dd_buffer text = {0};
    assert_true(dd_buffer_text(&text, ID));
    for (int i = 0; i < LINES; i++) assert_true(dd_buffer_text(&text, "x\n"));
    assert_true(dd_buffer_text(&text, "\n"));
    found all = {.left = -1};
    assert_int_equal(check_text((dd_text){text.data, text.size}, 1, &all, NULL), DD_OK);
    size_t count = 0;
    for (const char *at = all.list.data; (at = strstr(at, "columns")); at++) count++;
    assert_int_equal(count, LINES);
    assert_int_equal(all.last.line, LINES + 1);
    dd_buffer_free(&all.list);
    dd_buffer_free(&text);
}

static void what_cannot_be_checked_is_refused(void **state)
{
    (void)state;
    dd_reader *reader;
    dd_error error;
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of("x"), DD_FORMAT_CONLLX, NULL),
                     DD_OK);
    assert_int_equal(dd_check_reader(reader, 2, note, NULL, NULL, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "t: only CoNLL-U can be checked");
    assert_int_equal(dd_check_reader(reader, 4, note, NULL, NULL, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "there is no level 4, only 1 to 3");
    assert_int_equal(dd_check_reader(reader, 0, note, NULL, NULL, &error), DD_ERROR_ARGUMENT);
    dd_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_found_where_it_is),
        cmocka_unit_test(every_kind_has_a_case),
        cmocka_unit_test(a_level_has_the_faults_of_those_below),
        cmocka_unit_test(a_nul_is_a_fault_and_no_end),
        cmocka_unit_test(the_check_stops_when_it_is_told_to),
        cmocka_unit_test(sentences_and_words_are_counted),
        cmocka_unit_test(faults_say_where_and_why),
        cmocka_unit_test(any_number_of_faults_is_reported),
        cmocka_unit_test(what_cannot_be_checked_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
