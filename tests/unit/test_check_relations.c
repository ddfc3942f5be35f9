/* What the guidelines say of relations: level 3. */
#include "check_help.h"

#define C(id, upos, head, deprel) id "/a/_/" upos "/_/_/" head "/" deprel "/_/_\n"
static const struct {
    const char *text, *faults;
} cases[] = {
    {C("1", "DET", "2", "det") C("2", "NOUN", "3", "nsubj") C("3", "VERB", "0", "root"), ""},
    {C("1", "NOUN", "2", "det") C("2", "VERB", "0", "root"), "3 relation-upos"},
    {C("1", "PRON", "2", "mark") C("2", "VERB", "0", "root"), "3 relation-upos"},
    {C("1", "PUNCT", "2", "dep") C("2", "VERB", "0", "root"), "3 relation-upos"},
    {"1/a/_/NOUN/_/ExtPos=ADV/2/advmod/_/_\n" C("2", "VERB", "0", "root"), ""},
    {C("1", "PROPN", "0", "root") C("2", "ADP", "1", "fixed"), "3 relation-upos"},
    {C("1", "NOUN", "2", "conj") C("2", "NOUN", "0", "root"), "3 relation-direction"},
    {C("1", "ADP", "3", "case") C("2", "NOUN", "1", "nmod") C("3", "NOUN", "0", "root"), "4 leaf"},
    {C("1", "ADP", "3", "case") C("2", "ADP", "1", "fixed") C("3", "NOUN", "0", "root"), ""},
    {C("1", "AUX", "3", "aux") "2/a/_/PART/_/Polarity=Neg/1/advmod/_/_\n" C("3", "VERB", "0",
                                                                            "root"),
     ""},
    {C("1", "AUX", "3", "aux") C("2", "PART", "1", "advmod") C("3", "VERB", "0", "root"), "4 leaf"},
    {C("1", "NOUN", "3", "nsubj") C("2", "NOUN", "3", "nsubj") C("3", "VERB", "0", "root"),
     "4 subjects"},
    {C("1", "NOUN", "3", "nsubj:outer") C("2", "NOUN", "3", "nsubj") C("3", "VERB", "0", "root"),
     ""},
    {C("1", "VERB", "0", "root") C("2", "NOUN", "1", "obj") C("3", "NOUN", "1", "obj"),
     "5 objects"},
    {C("1", "VERB", "0", "root") C("2", "NOUN", "1", "obj") C("3", "NOUN", "2", "obl"),
     "5 oblique"},
    {C("1", "NOUN", "0", "root") C("2", "X", "1", "goeswith"), ""},
    {C("1", "NOUN", "0", "root") C("2", "NOUN", "1", "goeswith"), "4 goeswith"},
    {C("1", "NOUN", "0", "root") C("2", "ADJ", "1", "amod") C("3", "X", "1", "goeswith"),
     "3 goeswith"},
    {"1/a/_/NOUN/_/_/0/root/_/SpaceAfter=No\n" C("2", "X", "1", "goeswith"), "4 goeswith"},
    {C("1", "PUNCT", "3", "punct") C("2", "NOUN", "4", "obl") C("3", "NOUN", "4", "obl")
         C("4", "VERB", "0", "root"),
     "3 punct-crossing"},
    {C("1", "VERB", "0", "root") C("2", "NOUN", "4", "nmod") C("3", "PUNCT", "1", "punct")
         C("4", "NOUN", "1", "obj"),
     "5 punct-crossing"},
};

static void relations_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_buffer text = {0};
        /* As many tokens as there are lines, without a # text that would have to fit them. */
        assert_true(dd_buffer_printf(&text, ID "# x\n%s\n", cases[i].text) &&
                    dd_buffer_append(&text, "", 1));
        found all = {.left = -1};
        assert_int_equal(check_text(text_of(text.data), 3, &all, NULL), DD_OK);
        const char *head = "1 text-missing", *list = all.list.data;
        assert_memory_equal(list, head, strlen(head));
        list += strlen(head);
        if (list[0] == ',') list += 2;
        assert_string_equal(list, cases[i].faults);
        dd_buffer_free(&all.list);
        dd_buffer_free(&text);
    }
}

static void every_kind_has_a_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < DD_FAULT_KINDS; i++) {
        bool has = dd_fault_kinds[i].level < 3; /* see test_check.c */
        for (size_t k = 0; k < sizeof cases / sizeof *cases && !has; k++)
            has = names_kind(cases[k].faults, dd_fault_kinds[i].name);
        if (!has) fail_msg("no case of %s", dd_fault_kinds[i].name);
    }
}

/* Every word is below the one before it, and each second one is punctuation. */
static void a_long_sentence_is_checked_as_well(void **state)
{
    (void)state;
    enum { WORDS = 30000 };
    dd_buffer text = {0};
    assert_true(dd_buffer_text(&text, ID));
    for (int i = 1; i <= WORDS; i++)
        assert_true(dd_buffer_printf(&text, "%d/a/_/PUNCT/_/_/%d/%s/_/_\n", i, i - 1,
                                     i == 1 ? "root" : "punct"));
    assert_true(dd_buffer_text(&text, "\n"));
    found all = {.left = -1};
    assert_int_equal(check_text((dd_text){text.data, text.size}, 3, &all, NULL), DD_OK);
    assert_string_equal(all.list.data, "1 text-missing");
    dd_buffer_free(&all.list);
    dd_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_are_checked),
        cmocka_unit_test(every_kind_has_a_case),
        cmocka_unit_test(a_long_sentence_is_checked_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
