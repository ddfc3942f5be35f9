#include "check/check.h"

#include "core/memory.h"
#include "text/reader.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PENDING = 1000, REASON_SIZE = 400 };

static void free_check(dd_check *check)
{
    free(check->rows);
    free(check->comments);
    free(check->words);
    free(check->empties);
    free(check->nodes);
    free(check->heads);
    free(check->id_lines);
    free(check->pending);
    free(check->codes);
    free(check->items);
    free(check->marks);
    dd_vocab_free(&check->ids);
    dd_buffer_free(&check->reasons);
    dd_tree_space_free(&check->space);
}

bool dd_check_room(dd_check *check, bool made)
{
    if (!made) check->status = DD_ERROR_MEMORY;
    return made;
}

/* ---- faults -------------------------------------------------------------------------------- */

static int by_line(const void *left, const void *right)
{
    const dd_check_pending *a = left, *b = right;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return (a->reason > b->reason) - (a->reason < b->reason); /* as they were found */
}

static void hand_out(dd_check *check)
{
    if (check->n_pending == 0) return;
    qsort(check->pending, check->n_pending, sizeof *check->pending, by_line);
    for (size_t i = 0; i < check->n_pending && check->status == DD_OK; i++) {
        const dd_check_pending *p = &check->pending[i];
        dd_fault fault = {.kind = p->code,
                          .line = p->line,
                          .column = p->column + 1,
                          .reason = check->reasons.data + p->reason};
        if (!check->fault(check->user, &fault)) check->status = DD_INTERRUPTED;
    }
    check->n_pending = check->reasons.size = 0;
}

void dd_check_found(dd_check *check, dd_fault_code code, uint64_t line, int column,
                    const char *format, ...)
{
    if (check->status != DD_OK || dd_fault_kinds[code].level > check->level) return;
    /* So that a sentence of faults only does not fill the memory with them. */
    if (check->n_pending == MOST_PENDING) hand_out(check);
    char reason[REASON_SIZE];
    va_list args;
    va_start(args, format);
    dd_format_message(reason, sizeof reason, format, args);
    va_end(args);
    size_t start = check->reasons.size;
    bool made = DD_RESERVE(&check->pending, &check->pending_capacity, check->n_pending + 1) &&
                dd_buffer_append(&check->reasons, reason, strlen(reason) + 1);
    if (!dd_check_room(check, made)) return;
    check->pending[check->n_pending++] = (dd_check_pending){line, start, column, code};
}

/* ---- the file ------------------------------------------------------------------------------ */

static void check_sentence(dd_check *check)
{
    static void (*const steps[])(dd_check *) = {
        dd_check_lines, dd_check_ids,   dd_check_comments, dd_check_cells,
        dd_check_text,  dd_check_heads, dd_check_deps,     dd_check_relations,
    };
    /* Most steps of a level are left out where it is not asked for. */
    for (size_t i = 0; i < sizeof steps / sizeof *steps && check->status == DD_OK; i++)
        steps[i](check);
    if (check->status == DD_OK) hand_out(check);
}

static dd_status check_all(dd_check *check, dd_reader *reader, dd_sentence *sentence,
                           dd_check_report *report, dd_error *error)
{
    for (;;) {
        dd_status status = dd_reader_next(reader, sentence, error);
        if (status == DD_END) return DD_OK;
        if (status != DD_OK && status != DD_ERROR_FORMAT) return status;
        check->sentence = sentence;
        check_sentence(check);
        if (check->status == DD_ERROR_MEMORY) return dd_fail_memory(error);
        if (check->n_rows > 0) report->sentences++;
        for (int i = 0; i < check->n_rows; i++) report->words += check->rows[i].kind == DD_ID_WORD;
        if (check->status == DD_INTERRUPTED)
            return dd_fail(error, DD_INTERRUPTED, "the check was stopped");
    }
}

dd_status dd_check_reader(dd_reader *reader, int level,
                          bool (*fault)(void *user, const dd_fault *fault), void *user,
                          dd_check_report *report, dd_error *error)
{
    dd_check_report own;
    if (!report) report = &own;
    *report = (dd_check_report){0};
    if (level < 1 || level > DD_CHECK_LEVELS)
        return dd_fail(error, DD_ERROR_ARGUMENT, "there is no level %d, only 1 to %d", level,
                       DD_CHECK_LEVELS);
    if (dd_reader_format(reader) != DD_FORMAT_CONLLU)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%.300s: only CoNLL-U can be checked",
                       dd_reader_name(reader));
    dd_sentence *sentence = NULL;
    dd_status status = dd_sentence_new(&sentence, error);
    if (status != DD_OK) return status;
    dd_check check = {.level = level, .fault = fault, .user = user};
    status = check_all(&check, reader, sentence, report, error);
    free_check(&check);
    dd_sentence_free(sentence);
    return status;
}
