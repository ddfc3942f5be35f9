/* check.c - the check of a file: kinds of faults, the faults found, and the steps over sentences */
#include "check/check.h"

#include "core/memory.h"
#include "text/reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- kinds of faults ------------------------------------------------------------------------ */

const dd_fault_kind dd_fault_kinds[DD_FAULT_KINDS] = {
    [DD_FAULT_BOM] = {"bom", 1, "a byte order mark at the start of the file"},
    [DD_FAULT_UTF8] = {"utf8", 1, "bytes that are not UTF-8, or a NUL"},
    [DD_FAULT_CHARACTER] = {"character", 1, "a control character or a noncharacter"},
    [DD_FAULT_NFC] = {"nfc", 1, "text that is not in Unicode's normal form NFC"},
    [DD_FAULT_CRLF] = {"crlf", 1, "a line that ends in CR LF instead of LF"},
    [DD_FAULT_TRAILING_SPACE] = {"trailing-space", 1, "white space at the end of a line"},
    [DD_FAULT_WHITE_LINE] = {"white-line", 1, "white space in a line that should be empty"},
    [DD_FAULT_EMPTY_LINE] = {"empty-line", 1, "an empty line with no sentence before it"},
    [DD_FAULT_FINAL_LINE] = {"final-line", 1, "no empty line after the last sentence"},
    [DD_FAULT_NO_WORDS] = {"no-words", 1, "comments, ranges or empty nodes without words"},
    [DD_FAULT_COMMENT_PLACE] = {"comment-place", 1, "a comment after the sentence has begun"},
    [DD_FAULT_COLUMNS] = {"columns", 1, "more or fewer than ten columns"},
    [DD_FAULT_EMPTY_CELL] = {"empty-cell", 1, "a cell without even a _"},
    [DD_FAULT_SPACE] = {"space", 1, "white space that the cell may not have"},
    [DD_FAULT_ID] = {"id", 1, "an ID that is no word, range or empty node"},
    [DD_FAULT_ID_ORDER] = {"id-order", 1, "words not numbered 1, 2, 3, ..."},
    [DD_FAULT_RANGE_BACKWARD] = {"range-backward", 1, "a range of fewer than two words"},
    [DD_FAULT_RANGE_OVERLAP] = {"range-overlap", 1, "a range that begins within another"},
    [DD_FAULT_RANGE_PLACE] = {"range-place", 1, "a range that is not before its first word"},
    [DD_FAULT_RANGE_END] = {"range-end", 1, "a range that ends beyond the last word"},
    [DD_FAULT_EMPTY_NODE_ORDER] = {"empty-node-order", 1, "an empty node out of its order"},
    [DD_FAULT_EMPTY_NODE_PLACE] = {"empty-node-place", 1,
                                   "an empty node between a range and its first word"},
    [DD_FAULT_SENT_ID_MISSING] = {"sent-id-missing", 2, "no '# sent_id'"},
    [DD_FAULT_SENT_ID_FORM] = {"sent-id-form", 2, "a '# sent_id' without a value, or with spaces"},
    [DD_FAULT_SENT_ID_SEVERAL] = {"sent-id-several", 2, "two '# sent_id' in one sentence"},
    [DD_FAULT_SENT_ID_REPEATED] = {"sent-id-repeated", 2, "a '# sent_id' that the file has twice"},
    [DD_FAULT_TEXT_MISSING] = {"text-missing", 2, "no '# text', or an empty one"},
    [DD_FAULT_TEXT_SEVERAL] = {"text-several", 2, "two '# text' in one sentence"},
    [DD_FAULT_TEXT_TOKENS] = {"text-tokens", 2, "a '# text' that does not consist of the tokens"},
    [DD_FAULT_SPACE_AFTER] = {"space-after", 2, "a SpaceAfter=No too many or too few for '# text'"},
    [DD_FAULT_SPACE_AFTER_VALUE] = {"space-after-value", 2,
                                    "SpaceAfter with a value other than No"},
    [DD_FAULT_SPACE_AFTER_PLACE] = {"space-after-place", 2, "SpaceAfter where no token ends"},
    [DD_FAULT_NEWPAR_SEVERAL] = {"newpar-several", 2, "two '# newdoc' or '# newpar'"},
    [DD_FAULT_NEWPAR_SPACE] = {"newpar-space", 2, "SpaceAfter=No at the end of a paragraph"},
    [DD_FAULT_RANGE_CELLS] = {"range-cells", 2, "a range with more than FORM, MISC and Typo=Yes"},
    [DD_FAULT_EMPTY_NODE_CELLS] = {"empty-node-cells", 2, "an empty node with HEAD or DEPREL"},
    [DD_FAULT_UPOS] = {"upos", 2, "a UPOS that is not one of the 17"},
    [DD_FAULT_FEATS_FORM] = {"feats-form", 2, "a feature that is not of the form Name=Value"},
    [DD_FAULT_FEATS_ORDER] = {"feats-order", 2, "features out of alphabetical order"},
    [DD_FAULT_FEATS_REPEATED] = {"feats-repeated", 2, "a feature twice"},
    [DD_FAULT_VALUE_ORDER] = {"value-order", 2, "values of a feature out of alphabetical order"},
    [DD_FAULT_VALUE_REPEATED] = {"value-repeated", 2, "a value of a feature twice"},
    [DD_FAULT_MISC_REPEATED] = {"misc-repeated", 2, "an attribute twice that MISC has once"},
    [DD_FAULT_HEAD_MISSING] = {"head-missing", 2, "a word without HEAD"},
    [DD_FAULT_HEAD_FORM] = {"head-form", 2, "a HEAD that is not a number"},
    [DD_FAULT_HEAD_BEYOND] = {"head-beyond", 2, "a HEAD beyond the last word"},
    [DD_FAULT_HEAD_SELF] = {"head-self", 2, "a word that is its own HEAD"},
    [DD_FAULT_HEAD_CYCLE] = {"head-cycle", 2, "words that depend on each other in a cycle"},
    [DD_FAULT_ROOT_NONE] = {"root-none", 2, "no word with HEAD 0"},
    [DD_FAULT_ROOT_SEVERAL] = {"root-several", 2, "several words with HEAD 0"},
    [DD_FAULT_ROOT_LABEL] = {"root-label", 2, "HEAD 0 with another DEPREL than root"},
    [DD_FAULT_ROOT_HEAD] = {"root-head", 2, "DEPREL root with another HEAD than 0"},
    [DD_FAULT_DEPREL_FORM] = {"deprel-form", 2, "a DEPREL of more than small letters and a colon"},
    [DD_FAULT_DEPREL_UNKNOWN] = {"deprel-unknown", 2, "a DEPREL that is not one of the 37"},
    [DD_FAULT_DEPS_FORM] = {"deps-form", 2, "DEPS that are not of the form HEAD:DEPREL"},
    [DD_FAULT_DEPS_HEAD] = {"deps-head", 2, "DEPS with a head that the sentence does not have"},
    [DD_FAULT_DEPS_SELF] = {"deps-self", 2, "DEPS with the word itself as head"},
    [DD_FAULT_DEPS_ORDER] = {"deps-order", 2, "DEPS out of the order of heads, then relations"},
    [DD_FAULT_DEPS_REPEATED] = {"deps-repeated", 2, "the same head and relation twice in DEPS"},
    [DD_FAULT_DEPS_LABEL] = {"deps-label", 2, "a relation in DEPS that UD does not allow"},
    [DD_FAULT_DEPS_ROOT] = {"deps-root", 2, "head 0 without root in DEPS, or root without 0"},
    [DD_FAULT_DEPS_REACH] = {"deps-reach", 2, "a node that cannot be reached from 0 in DEPS"},
    [DD_FAULT_DEPS_SOME] = {"deps-some", 2, "DEPS in some sentences of the file, but not in all"},
    [DD_FAULT_RELATION_UPOS] = {"relation-upos", 3, "a relation that the UPOS does not fit"},
    [DD_FAULT_RELATION_DIRECTION] = {"relation-direction", 3, "conj, flat, ... before its head"},
    [DD_FAULT_LEAF] = {"leaf", 3, "a function word with dependents that it cannot have"},
    [DD_FAULT_SUBJECTS] = {"subjects", 3, "several subjects of one word"},
    [DD_FAULT_OBJECTS] = {"objects", 3, "several direct objects of one word"},
    [DD_FAULT_OBLIQUE] = {"oblique", 3, "obl of a noun or pronoun that is no predicate"},
    [DD_FAULT_GOESWITH] = {"goeswith", 3, "parts of a word that do not make one word"},
    [DD_FAULT_PUNCT_CROSSING] = {"punct-crossing", 3, "punctuation that makes arcs cross"},
};

bool dd_fault_kind_at(size_t index, dd_fault_kind *out)
{
    if (index >= DD_FAULT_KINDS) return false;
    *out = dd_fault_kinds[index];
    return true;
}

static bool is_among(dd_text text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == text.size && memcmp(words[i], text.data, text.size) == 0)
            return true;
    return false;
}

bool dd_is_universal_tag(dd_text tag)
{
    static const char *const tags[] = {"ADJ",   "ADP",   "ADV", "AUX",  "CCONJ", "DET",
                                       "INTJ",  "NOUN",  "NUM", "PART", "PRON",  "PROPN",
                                       "PUNCT", "SCONJ", "SYM", "VERB", "X"};
    return is_among(tag, tags, sizeof tags / sizeof *tags);
}

bool dd_is_universal_relation(dd_text relation)
{
    static const char *const relations[] = {
        "acl",      "advcl", "advmod",    "amod",       "appos", "aux",        "case",
        "cc",       "ccomp", "clf",       "compound",   "conj",  "cop",        "csubj",
        "dep",      "det",   "discourse", "dislocated", "expl",  "fixed",      "flat",
        "goeswith", "iobj",  "list",      "mark",       "nmod",  "nsubj",      "nummod",
        "obj",      "obl",   "orphan",    "parataxis",  "punct", "reparandum", "root",
        "vocative", "xcomp",
    };
    return is_among(relation, relations, sizeof relations / sizeof *relations);
}

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
    /* A limit, so that a very bad sentence does not fill the memory with faults. */
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
    /* Steps of levels that are not asked for are mostly skipped. */
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
