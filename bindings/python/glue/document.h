/* document.h - what Python holds: the sentences of one text, read and parsed in one call
 *
 *     bytes -> reader -> sentences -> parser -> document
 *
 * A call works off a whole batch of texts, so that Python is entered once a batch and not once a
 * sentence or word; cffi lets other threads run meanwhile. This file is read by C and by cffi. */

typedef struct dp_document {
    dd_sentence **sentences; /* [count] */
    int count, capacity;
    uint64_t words;
} dp_document;

typedef struct dp_options {
    int format;             /* dd_format */
    bool conll;             /* with format auto: CoNLL by the file's name, and never plain text */
    dd_input_options input; /* but its format */
    dd_parse_options parse; /* what counts for one sentence */
} dp_options;

/* Texts stand one behind the other in `bytes`, each of sizes[i] bytes. Without a parser they are
 * only read. out[0..*done) are made, also if a later text fails. `name` stands in messages. The
 * sentences of all texts are parsed together, which is faster with some models. `cancel` ends the
 * call with DD_INTERRUPTED. */
dd_status dp_parse_texts(const dd_model *model, dd_parser *parser, const char *name,
                         const char *bytes, const size_t *sizes, int count,
                         const dp_options *options, dd_cancel *cancel, dp_document **out, int *done,
                         dd_error *error);
/* The same for one file; "-" is standard input. */
dd_status dp_parse_file(const dd_model *model, dd_parser *parser, const char *path,
                        const dp_options *options, dd_cancel *cancel, dp_document **out,
                        dd_error *error);
/* A document of one sentence, which it owns from then on, also on failure. */
dd_status dp_wrap(dp_document **out, dd_sentence *sentence, dd_error *error);
void dp_free(dp_document *document);

/* Tags and parses a sentence under its constraints, with a beam as in dd_parser_search. */
dd_status dp_parse_sentence(dd_parser *parser, dd_sentence *sentence, const dp_options *options,
                            dd_cancel *cancel, dd_error *error);

/* Any number of threads may look at one document at once, so nothing is written to it here: each
 * call makes something new for the caller. */

/* Numbers of the labels of a sentence's words in the model, -1: it has no such label; to be freed
 * with dp_free_labels. NULL: allocation failed. */
int32_t *dp_labels(const dd_sentence *sentence, const dd_model *model);
void dp_free_labels(int32_t *labels);
/* A column of all words, parted by tabs, in a buffer to be freed with dp_free_text; DEPREL as it is
 * in force. Its data is NULL if allocation fails. */
dd_text dp_column(const dd_sentence *sentence, int column);
void dp_free_text(dd_text text);
/* Appends all sentences as they would be written. */
dd_status dp_format(const dp_document *document, dd_buffer *out, dd_error *error);
