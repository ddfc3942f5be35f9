/* tag_gold.c - the tags of the training data, as a tagger knows them */
#include "tag/tag_gold.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_tag_gold_free(dd_tag_gold *g)
{
    dd_vocab_free(&g->names);
    dd_buffer_free(&g->name);
    dd_buffer_free(&g->head);
    free(g->tags);
    free(g->all);
    dd_tagset_free(&g->tagger.tagset);
}

/* The word's tag as a line. False if allocation fails. */
static bool write_name(dd_tag_gold *g, const dd_sentence *sentence, int word)
{
    g->name.size = 0;
    for (int column = DD_UPOS; column <= DD_FEATS; column++) {
        dd_text cell = dd_cell(sentence, word, column);
        if (!dd_buffer_append(&g->name, cell.data, cell.size) ||
            !dd_buffer_append(&g->name, column == DD_FEATS ? "\n" : "\t", 1))
            return false;
    }
    return true;
}

/* The word's tag, added if new; -1 if allocation fails. */
static int name_tag(dd_tag_gold *g, const dd_sentence *sentence, int word)
{
    if (!write_name(g, sentence, word)) return -1;
    return dd_vocab_add(&g->names, (dd_text){g->name.data, g->name.size});
}

int dd_tag_gold_find(dd_tag_gold *g, const dd_sentence *sentence, int word)
{
    if (!write_name(g, sentence, word)) return DD_TAG_NO_MEMORY;
    int tag = dd_vocab_find(&g->names, (dd_text){g->name.data, g->name.size});
    return tag < 0 ? DD_NO_TAG : tag;
}

static dd_status name_tags(dd_tag_gold *g, dd_error *error)
{
    size_t words = 0, at = 0;
    for (size_t s = 0; s < g->count; s++) words += (size_t)g->sentences[s]->n;
    if (words == 0) return dd_fail(error, DD_ERROR_DATA, "no words to train a tagger on");
    g->tags = dd_calloc(g->count, sizeof *g->tags);
    g->all = dd_calloc(words, sizeof *g->all);
    if (!g->tags || !g->all) return dd_fail_memory(error);
    for (size_t s = 0; s < g->count; s++) {
        g->tags[s] = g->all + at;
        for (int word = 1; word <= g->sentences[s]->n; word++) {
            int tag = name_tag(g, g->sentences[s], word);
            if (tag < 0) return dd_fail_memory(error);
            if (tag >= DD_MAX_TAGS)
                return dd_fail(error, DD_ERROR_DATA, "more than %d different tags", DD_MAX_TAGS);
            g->all[at++] = (uint16_t)tag;
        }
    }
    return DD_OK;
}

/* One sentence in CoNLL-X is enough for tags that CoNLL-U may not be able to hold. */
static dd_format format_of(const dd_tag_gold *g)
{
    for (size_t s = 0; s < g->count; s++)
        if (g->sentences[s]->format == DD_FORMAT_CONLLX) return DD_FORMAT_CONLLX;
    return DD_FORMAT_CONLLU;
}

/* Tags and lexicon as in the section; training reads them as tagging will. */
static dd_status write_head(dd_tag_gold *g, bool endings, dd_error *error)
{
    const uint32_t numbers[2] = {DD_TAGGER_VERSION, format_of(g) == DD_FORMAT_CONLLX};
    dd_text lines = {g->names.bytes, g->names.bytes_size};
    dd_tagset tagset;
    if (!dd_block_put(&g->head, DD_ALIGN_NUMBERS, numbers, sizeof numbers) ||
        !dd_block_put(&g->head, DD_ALIGN_NUMBERS, lines.data, lines.size))
        return dd_fail_memory(error);
    dd_status status = dd_tagset_make(&tagset, lines, format_of(g), error);
    if (status != DD_OK) return status;
    status = dd_lexicon_write(g->sentences, g->count, g->tags, &tagset, endings, &g->head, error);
    dd_tagset_free(&tagset);
    return status;
}

dd_status dd_tag_gold_set(dd_tag_gold *g, dd_sentence *const *sentences, size_t count, bool endings,
                          dd_error *error)
{
    g->sentences = sentences;
    g->count = count;
    dd_status status = name_tags(g, error);
    if (status == DD_OK) status = write_head(g, endings, error);
    dd_cursor head = {{g->head.data, g->head.size}, DD_ALIGN_NUMBERS, false};
    return status == DD_OK ? dd_tagger_map_tags(&g->tagger, &head, error) : status;
}
