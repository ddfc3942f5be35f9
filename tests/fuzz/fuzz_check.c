/* Checks: whatever the bytes, faults have lines of the file and reasons, and what a reader refuses
 * has one. */
#include "fuzz.h"

#include "check/check.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

typedef struct seen {
    uint64_t lines;    /* of the file */
    uint64_t faults;   /* of levels 1 and 2 */
    uint64_t all_left; /* faults before it stops */
} seen;

static bool note(void *user, const dd_fault *fault)
{
    seen *s = user;
    dd_fault_kind kind;
    require(dd_fault_kind_at(fault->kind, &kind));
    require(fault->line >= 1 && fault->line <= s->lines && fault->column <= DD_COLUMNS);
    dd_text reason = {fault->reason, strlen(fault->reason)};
    require(reason.size > 0 && dd_utf8_check(reason) == reason.size);
    require(!memchr(reason.data, '\n', reason.size));
    if (kind.level <= 2) s->faults++;
    return s->all_left == 0 || --s->all_left > 0;
}

static uint64_t count_lines(dd_text bytes)
{
    uint64_t lines = 1;
    for (size_t i = 0; i < bytes.size; i++) lines += bytes.data[i] == '\n';
    return lines;
}

/* Whether a reader takes all of it; packed bytes may be anything. */
static bool is_read(dd_text bytes, bool *whole)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_status status;
    bool good = true;
    require(dd_reader_open_memory(&reader, "fuzz", bytes, DD_FORMAT_CONLLU, NULL) == DD_OK);
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    while ((status = dd_reader_next(reader, sentence, NULL)) == DD_OK || status == DD_ERROR_FORMAT)
        good = good && status == DD_OK;
    *whole = status == DD_END;
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return good;
}

static dd_status check(dd_text bytes, seen *s, dd_check_report *report)
{
    dd_reader *reader;
    require(dd_reader_open_memory(&reader, "fuzz", bytes, DD_FORMAT_CONLLU, NULL) == DD_OK);
    dd_status status = dd_check_reader(reader, DD_CHECK_LEVELS, note, s, report, NULL);
    dd_reader_close(reader);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dd_text bytes = {(const char *)data, size};
    bool whole, good = is_read(bytes, &whole);
    seen all = {.lines = whole ? count_lines(bytes) : UINT64_MAX};
    dd_check_report report;
    dd_status status = check(bytes, &all, &report);
    require(whole ? status == DD_OK : status == DD_ERROR_IO);
    require(good || all.faults > 0);
    if (all.faults < 2) return 0;
    seen first = {.lines = all.lines, .all_left = 1};
    require(check(bytes, &first, NULL) == DD_INTERRUPTED);
    return 0;
}

static const char clean[] =
    "# newdoc id = d\n# newpar\n# sent_id = a\n# text = \xC3\xA9t\xC3\xA9 don't\n"
    "0.1\tx\t_\tVERB\t_\t_\t_\t_\t0:root\t_\n"
    "1\t\xC3\xA9t\xC3\xA9\tx y\tNOUN\tN\tAbc=B,C|C[d]=D\t2\tnsubj\t2:nsubj\tGloss=1\n"
    "2-3\tdon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n"
    "2\tdo\tdo\tVERB\tV\t_\t0\troot\t0:root|1:obl:\xC3\xA0_b:gen\t_\n"
    "2.1\ty\t_\t_\t_\t_\t_\t_\t2:dep\t_\n"
    "3\tn't\tnot\tPART\t_\tPolarity=Neg\t2\tadvmod\t2:advmod\ta|b\n"
    "\n"
    "# sent_id = b\n# text = a\xCC\x81 b, c\n"
    "1\ta\xCC\x81\ta\tADP\t_\t_\t3\tcase\t3:case\t_\n"
    "2\tb\tb\tADP\t_\t_\t1\tfixed\t1:fixed\tSpaceAfter=No\n"
    "3\t,\t,\tPUNCT\t_\t_\t4\tpunct\t4:punct\t_\n"
    "4\tc\tc\tVERB\t_\t_\t0\troot\t0:root\t_\n"
    "\n";
static const char crossing[] = "# sent_id = c\n1\ta\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
                               "2\tb\t_\tPUNCT\t_\t_\t5\tpunct\t_\t_\n"
                               "3\tc\t_\tVERB\t_\t_\t4\tgoeswith\t_\t_\n"
                               "4\td\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
                               "5\te\t_\tNOUN\t_\t_\t1\tobl\t_\t_\n\n";
static const char dos[] = "\xEF\xBB\xBF# c\r\n1\ta\t_\t_\t_\t_\t2\tx\t_\t_\r\n\r\n"
                          "1\tb\t_\t_\t_\t_\t2\tx\t_\t_\r\n2\tc\t_\t_\t_\t_\t1\ty\t_\t_";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {
        {clean, sizeof clean - 1}, {crossing, sizeof crossing - 1}, {dos, sizeof dos - 1}};
    return index < sizeof seeds / sizeof *seeds ? seeds[index] : (fuzz_seed){NULL, 0};
}
