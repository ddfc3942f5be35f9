/* table.h - the words of many documents as columns, made without entering Python
 *
 *     documents -> a row for each word -> numbers, and texts as numbers of distinct values
 *
 * A treebank has few distinct tags, and fewer lemmas than words, so that Python makes an object for
 * each value and not for each cell. This file is read by C and by cffi. */

typedef struct dp_values dp_values; /* the distinct texts of a column, numbered from 0 */

typedef struct dp_table {
    size_t rows, capacity;
    int32_t *document, *sentence, *id, *head; /* [rows] head: 0 the root, -1 unknown */
    int64_t *start, *end; /* [rows] characters in the document's text; -1: unknown; or NULL */
    int32_t *codes[10]; /* [rows] by dd_column; -1: "_", but a form is a value; NULL: not wanted */
    dp_values *values[10];
} dp_table;

/* columns: bit c says whether the texts of dd_column c are wanted; places: whether start and end
 * are. NULL: allocation failed. */
dp_table *dp_table_new(uint32_t columns, bool places);
void dp_table_free(dp_table *table);
/* Appends the words of a document, or with `only` >= 0 those of that sentence, which then is number
 * 0. `number` is the document's in the table. `text` is the running text that the document was made
 * of, in valid UTF-8, or NULL if it was read from CoNLL. On failure the table has whole documents
 * only. `cancel` ends the call with DD_INTERRUPTED. */
dd_status dp_table_add(dp_table *table, int number, const dp_document *document, int only,
                       const char *text, size_t size, dd_cancel *cancel, dd_error *error);
/* The values of a column in the order of their numbers, each with a "\n" behind it; valid until the
 * table changes. */
dd_text dp_table_values(const dp_table *table, int column);
/* A bit for each number, from the lowest bit of the first byte on: whether it is not negative.
 * Returns how many are negative. `bits` has a byte for every eight numbers, rounded up. */
size_t dp_known(const int32_t *numbers, size_t count, uint8_t *bits);
