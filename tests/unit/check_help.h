/* check_help.h - texts, and the faults that a check finds in them, for the tests of src/check */
#ifndef DODONA_TESTS_CHECK_HELP_H
#define DODONA_TESTS_CHECK_HELP_H

#include "text_help.h"

#include "check/check.h"

#include <dodona_tools.h>

/* Texts are written with / for tabs. */
static inline char *with_tabs(dd_text text)
{
    char *bytes = malloc(text.size + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < text.size; i++) bytes[i] = text.data[i] == '/' ? '\t' : text.data[i];
    bytes[text.size] = '\0';
    return bytes;
}

typedef struct found {
    dd_buffer list; /* "3 upos, 4 nfc" */
    bool kinds[DD_FAULT_KINDS];
    dd_fault last;
    char reason[512];
    int left; /* faults before it stops; -1: it does not */
} found;

static inline bool note(void *user, const dd_fault *fault)
{
    found *all = user;
    dd_fault_kind kind;
    assert_true(dd_fault_kind_at(fault->kind, &kind));
    assert_true(dd_buffer_printf(&all->list, "%s%d %s", all->list.size ? ", " : "",
                                 (int)fault->line, kind.name));
    all->kinds[fault->kind] = true;
    all->last = *fault;
    snprintf(all->reason, sizeof all->reason, "%s", fault->reason);
    assert_null(strchr(fault->reason, '\n'));
    return all->left < 0 || --all->left >= 0;
}

static inline dd_status check_text(dd_text text, int level, found *all, dd_check_report *report)
{
    char *bytes = with_tabs(text);
    dd_reader *reader;
    assert_int_equal(
        dd_reader_open_memory(&reader, "t", (dd_text){bytes, text.size}, DD_FORMAT_CONLLU, NULL),
        DD_OK);
    dd_status status = dd_check_reader(reader, level, note, all, report, NULL);
    assert_true(dd_buffer_append(&all->list, "", 1));
    dd_reader_close(reader);
    free(bytes);
    return status;
}

static inline void assert_faults(const char *text, int level, const char *want)
{
    found all = {.left = -1};
    assert_int_equal(check_text(text_of(text), level, &all, NULL), DD_OK);
    if (strcmp(all.list.data, want) != 0) print_message("%s\nlast: %s\n", text, all.reason);
    assert_string_equal(all.list.data, want);
    dd_buffer_free(&all.list);
}

/* Whether a list of faults, "3 upos, 4 nfc", has that kind. */
static inline bool names_kind(const char *faults, const char *kind)
{
    size_t size = strlen(kind);
    for (const char *at = faults; (at = strstr(at, kind)); at++)
        if (at > faults && at[-1] == ' ' && (at[size] == '\0' || at[size] == ',')) return true;
    return false;
}

#define ID   "# sent_id = s\n"
#define AB   "# text = a b\n"
#define A    "1/a/a/NOUN/_/_/2/nsubj/_/_\n"
#define B    "2/b/b/VERB/_/_/0/root/_/_\n"
#define GOOD ID AB A B "\n"

#endif
