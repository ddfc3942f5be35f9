#include "eval/corpus.h"

#include "core/cancel.h"
#include "core/memory.h"
#include "text/conll.h"
#include "text/rules.h"
#include "text/sentence.h"
#include "tree/tree.h"

#include <stdlib.h>
#include <string.h>

/* Reads one file; the scratch memory is shared by all its sentences. */
typedef struct loader {
    dd_eval_corpus *corpus;
    dd_vocab *vocab;
    dd_eval_rule rule;
    dd_sentence *sentence;
    dd_buffer stripped, scratch;
    dd_tree_space tree;
    dd_error *error;
} loader;

bool dd_eval_vocab_init(dd_vocab *vocab)
{
    static const char *const first[] = {
        "nsubj",    "obj",    "iobj",       "csubj",  "ccomp",    "xcomp",      "obl",
        "vocative", "expl",   "dislocated", "advcl",  "advmod",   "discourse",  "nmod",
        "appos",    "nummod", "acl",        "amod",   "conj",     "fixed",      "flat",
        "compound", "list",   "parataxis",  "orphan", "goeswith", "reparandum", "root",
        "dep",      "aux",    "cop",        "mark",   "det",      "clf",        "case",
        "cc",       "_",
    };
    for (int i = 0; i <= DD_EVAL_UNDERSCORE; i++)
        if (dd_vocab_add(vocab, (dd_text){first[i], strlen(first[i])}) != i) return false;
    return true;
}

void dd_eval_corpus_free(dd_eval_corpus *corpus)
{
    free(corpus->name);
    dd_buffer_free(&corpus->text);
    free(corpus->tokens);
    free(corpus->sentences);
    free(corpus->words);
    *corpus = (dd_eval_corpus){0};
}

/* ---- a word's columns --------------------------------------------------------------------- */

static bool number_text(loader *load, dd_text text, int32_t *out)
{
    if (!text.size) text.data = ""; /* an empty buffer has no data at all */
    *out = dd_vocab_add(load->vocab, text);
    return *out >= 0;
}

static bool number_scratch(loader *load, int32_t *out)
{
    return number_text(load, (dd_text){load->scratch.data, load->scratch.size}, out);
}

static bool number_form(loader *load, dd_text form, int32_t *out)
{
    if (load->rule == DD_EVAL_CONLLX) return number_text(load, form, out);
    load->scratch.size = 0;
    return dd_eval_lower(&load->scratch, form) && number_scratch(load, out);
}

static bool number_feats(loader *load, dd_text feats, int32_t *out)
{
    load->scratch.size = 0;
    return dd_eval_universal_feats(&load->scratch, feats) && number_scratch(load, out);
}

static bool fill_word(loader *load, dd_eval_word *word, int number, dd_text form)
{
    const dd_sentence *sentence = load->sentence;
    dd_text deprel = dd_sentence_deprel(sentence, number);
    if (load->rule == DD_EVAL_CONLL2018) deprel = dd_eval_cut_deprel(deprel);
    word->punctuation = dd_eval_is_punctuation(form);
    return number_form(load, form, &word->form) &&
           number_text(load, dd_cell(sentence, number, DD_LEMMA), &word->lemma) &&
           number_text(load, dd_cell(sentence, number, DD_UPOS), &word->upos) &&
           number_text(load, dd_cell(sentence, number, DD_XPOS), &word->xpos) &&
           number_feats(load, dd_cell(sentence, number, DD_FEATS), &word->feats) &&
           number_text(load, deprel, &word->deprel);
}

/* ---- tokens and words --------------------------------------------------------------------- */

static dd_status refuse(loader *load, uint64_t line, int column, const char *reason)
{
    return dd_fail_at(load->error, DD_ERROR_DATA, load->corpus->name, line, column, "%s", reason);
}

static uint64_t line_of(const dd_sentence *sentence, int word)
{
    return dd_word_line(sentence, word);
}

/* Its FORM without spaces is left in load->stripped. */
static dd_status add_token(loader *load, dd_text form, uint64_t line)
{
    dd_eval_corpus *corpus = load->corpus;
    load->stripped.size = 0;
    if (!dd_eval_strip(&load->stripped, form)) return dd_fail_memory(load->error);
    if (!load->stripped.size)
        return refuse(load, line, DD_FORM + 1, "the FORM is empty or has only spaces");
    size_t start = corpus->text.size;
    if (!dd_buffer_append(&corpus->text, load->stripped.data, load->stripped.size) ||
        !DD_RESERVE(&corpus->tokens, &corpus->tokens_capacity, corpus->n_tokens + 1))
        return dd_fail_memory(load->error);
    corpus->tokens[corpus->n_tokens++] = (dd_eval_span){start, corpus->text.size, line};
    return DD_OK;
}

/* The head becomes an index in the corpus; `first` is that of the sentence's first word. */
static dd_status add_word(loader *load, int number, bool multiword, dd_text form, size_t first)
{
    dd_eval_corpus *corpus = load->corpus;
    if (corpus->n_words >= INT32_MAX ||
        !DD_RESERVE(&corpus->words, &corpus->words_capacity, corpus->n_words + 1))
        return dd_fail_memory(load->error);
    int head = load->sentence->heads[number];
    dd_eval_word word = {.line = line_of(load->sentence, number),
                         .head = head > 0 ? (int32_t)(first + (size_t)head - 1) : -1,
                         .child = -1,
                         .sibling = -1,
                         .sentence = (int32_t)corpus->n_sentences,
                         .multiword = multiword};
    if (corpus->n_tokens) {
        word.start = corpus->tokens[corpus->n_tokens - 1].start;
        word.end = corpus->tokens[corpus->n_tokens - 1].end;
    }
    if (!fill_word(load, &word, number, form)) return dd_fail_memory(load->error);
    corpus->words[corpus->n_words++] = word;
    return DD_OK;
}

/* ---- lines of a sentence ------------------------------------------------------------------ */

static dd_text next_piece(dd_text *rest, char delimiter)
{
    const char *end = memchr(rest->data, delimiter, rest->size);
    dd_text piece = {rest->data, end ? (size_t)(end - rest->data) : rest->size};
    size_t used = end ? piece.size + 1 : piece.size;
    *rest = (dd_text){rest->data + used, rest->size - used};
    return piece;
}

/* CoNLL 2018 sees each token's stretch of the text, so the lines of multiword tokens, which are no
 * words of the sentence, are looked up in its bytes. */
static dd_status add_lines(loader *load, size_t first_word)
{
    const dd_sentence *sentence = load->sentence;
    dd_text rest = dd_sentence_raw(sentence);
    if (dd_has_bom(sentence)) next_piece(&rest, '\xBF');
    int word = 0, within = 0; /* the last word of the multiword token that is open */
    dd_status status = DD_OK;
    for (uint64_t line = dd_sentence_line(sentence); word < sentence->n && status == DD_OK;
         line++) {
        dd_text cells = next_piece(&rest, '\n');
        if (cells.data[0] == '#') continue;
        dd_text id = next_piece(&cells, '\t'), form = next_piece(&cells, '\t');
        int first, second;
        dd_id_kind kind = dd_rule_id(id, &first, &second);
        if (kind == DD_ID_EMPTY) continue;
        if (kind == DD_ID_RANGE) {
            within = second;
            status = add_token(load, form, line);
            continue;
        }
        bool multiword = ++word <= within;
        if (!multiword) {
            status = add_token(load, form, line);
            form = (dd_text){load->stripped.data, load->stripped.size};
        }
        if (status == DD_OK) status = add_word(load, word, multiword, form, first_word);
    }
    return status;
}

static dd_status add_words(loader *load, size_t first)
{
    dd_status status = DD_OK;
    for (int word = 1; word <= load->sentence->n && status == DD_OK; word++)
        status = add_word(load, word, false, dd_cell(load->sentence, word, DD_FORM), first);
    return status;
}

/* ---- sentences ---------------------------------------------------------------------------- */

static dd_status check_heads(loader *load)
{
    const dd_sentence *sentence = load->sentence;
    for (int word = 1; word <= sentence->n; word++)
        if (sentence->heads[word] < 0)
            return refuse(load, line_of(sentence, word), DD_HEAD + 1, "not a number");
    return DD_OK;
}

static dd_status check_tree(loader *load)
{
    const dd_sentence *sentence = load->sentence;
    dd_tree_fault fault;
    int at;
    if (!dd_tree_check(&load->tree, sentence->heads, sentence->n, &fault, &at))
        return dd_fail_memory(load->error);
    if (fault != DD_TREE_OK)
        return refuse(load, line_of(sentence, at > 0 ? at : 1), 0, dd_tree_fault_text(fault));
    bool root = false;
    for (int word = 1; word <= sentence->n; word++) {
        if (sentence->heads[word] != 0) continue;
        if (root) return refuse(load, line_of(sentence, word), DD_HEAD + 1, "a second root");
        root = true;
    }
    return DD_OK;
}

/* Nothing else tells that a file was cut off between two words. */
static dd_status check_end(loader *load)
{
    const dd_sentence *sentence = load->sentence;
    dd_text raw = dd_sentence_raw(sentence);
    const char *end = raw.data + raw.size;
    size_t size = raw.size;
    if (size >= 2 && memcmp(end - 2, "\n\n", 2) == 0) return DD_OK;
    if (size >= 3 && memcmp(end - 3, "\n\r\n", 3) == 0) return DD_OK;
    return refuse(load, line_of(sentence, sentence->n), 0, "no blank line after the last sentence");
}

static dd_status check_sentence(loader *load)
{
    dd_status status = check_heads(load);
    if (status != DD_OK || load->rule == DD_EVAL_CONLLX) return status;
    status = check_tree(load);
    return status == DD_OK ? check_end(load) : status;
}

static dd_status add_sentence(loader *load)
{
    dd_eval_corpus *corpus = load->corpus;
    size_t start = corpus->text.size, first = corpus->n_words;
    dd_status status = check_sentence(load);
    if (status != DD_OK) return status;
    status = load->rule == DD_EVAL_CONLLX ? add_words(load, first) : add_lines(load, first);
    if (status != DD_OK) return status;
    if (!DD_RESERVE(&corpus->sentences, &corpus->sentences_capacity, corpus->n_sentences + 1))
        return dd_fail_memory(load->error);
    corpus->sentences[corpus->n_sentences++] =
        (dd_eval_span){start, corpus->text.size, dd_sentence_line(load->sentence)};
    return DD_OK;
}

/* Backwards, so that each list comes out in the order of the words. */
static void link_functional_children(dd_eval_corpus *corpus)
{
    for (size_t i = corpus->n_words; i-- > 0;) {
        dd_eval_word *word = &corpus->words[i];
        if (word->head < 0 || !dd_eval_is_functional(word)) continue;
        word->sibling = corpus->words[word->head].child;
        corpus->words[word->head].child = (int32_t)i;
    }
}

dd_status dd_eval_ask(const dd_eval_options *how, dd_error *error)
{
    if (!how->cancel || !dd_cancel_is_due(how->cancel)) return DD_OK;
    return dd_fail_cancelled(error);
}

dd_status dd_eval_corpus_read(dd_eval_corpus *corpus, dd_vocab *vocab, dd_reader *reader,
                              const dd_eval_options *how, dd_error *error)
{
    loader load = {.corpus = corpus, .vocab = vocab, .rule = how->rule, .error = error};
    const char *name = dd_reader_name(reader);
    corpus->name = dd_copy_text(name, strlen(name));
    dd_status status =
        corpus->name ? dd_sentence_new(&load.sentence, error) : dd_fail_memory(error);
    while (status == DD_OK) {
        status = dd_reader_next(reader, load.sentence, error);
        if (status == DD_OK) status = add_sentence(&load);
        if (status == DD_OK && corpus->n_sentences % DD_SENTENCES_PER_ASKING == 0)
            status = dd_eval_ask(how, error);
    }
    if (status == DD_END) link_functional_children(corpus); /* otherwise heads may be missing */
    dd_sentence_free(load.sentence);
    dd_buffer_free(&load.stripped);
    dd_buffer_free(&load.scratch);
    dd_tree_space_free(&load.tree);
    return status == DD_END ? DD_OK : status;
}
