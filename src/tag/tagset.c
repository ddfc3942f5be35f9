#include "tag/tagset.h"

#include "core/memory.h"
#include "core/strings.h"
#include "text/rules.h"

#include <stdlib.h>
#include <string.h>

/* What is needed only while a tagset is made. A name begins with the kind of the part, so that an
 * UPOS is no FEATS of the same spelling. */
typedef struct maker {
    dd_tagset *set;
    dd_vocab parts, heads, bundles;
    dd_buffer name;
} maker;

void dd_tagset_free(dd_tagset *tagset)
{
    free(tagset->tags);
    free(tagset->head_parts);
    free(tagset->bundle_starts);
    free(tagset->bundle_parts);
    *tagset = (dd_tagset){0};
}

static bool find_part(maker *m, char kind, dd_text text, uint32_t *part)
{
    m->name.size = 0;
    if (!dd_buffer_append(&m->name, &kind, 1) || !dd_buffer_append(&m->name, text.data, text.size))
        return false;
    int id = dd_vocab_add(&m->parts, (dd_text){m->name.data, m->name.size});
    *part = (uint32_t)id;
    return id >= 0;
}

static bool add_head(maker *m, dd_text upos, dd_text both, uint32_t *head)
{
    dd_tagset *set = m->set;
    int id = dd_vocab_add(&m->heads, both);
    if (id < 0) return false;
    *head = (uint32_t)id;
    if (id < set->heads) return true;
    size_t need = ((size_t)id + 1) * DD_HEAD_PARTS;
    if (!DD_RESERVE(&set->head_parts, &set->head_parts_capacity, need)) return false;
    set->heads++;
    uint32_t *parts = set->head_parts + (size_t)id * DD_HEAD_PARTS;
    return find_part(m, 'U', upos, &parts[0]) && find_part(m, 'X', both, &parts[1]);
}

static bool add_bundle_part(maker *m, char kind, dd_text text)
{
    dd_tagset *set = m->set;
    uint32_t *end = &set->bundle_starts[set->bundles];
    if (!DD_RESERVE(&set->bundle_parts, &set->bundle_parts_capacity, (size_t)*end + 1))
        return false;
    if (!find_part(m, kind, text, &set->bundle_parts[*end])) return false;
    ++*end;
    return true;
}

static bool add_bundle(maker *m, dd_text feats, uint32_t *bundle)
{
    dd_tagset *set = m->set;
    int id = dd_vocab_add(&m->bundles, feats);
    if (id < 0) return false;
    *bundle = (uint32_t)id;
    if (id < set->bundles) return true;
    if (!DD_RESERVE(&set->bundle_starts, &set->bundle_starts_capacity, (size_t)id + 2))
        return false;
    if (id == 0) set->bundle_starts[0] = 0;
    set->bundles++;
    set->bundle_starts[id + 1] = set->bundle_starts[id];
    if (!add_bundle_part(m, 'F', feats)) return false;
    for (const char *at = feats.data, *end = at + feats.size; at <= end;) {
        const char *bar = at < end ? memchr(at, '|', (size_t)(end - at)) : NULL;
        if (!bar) bar = end;
        if (!add_bundle_part(m, 'A', (dd_text){at, (size_t)(bar - at)})) return false;
        at = bar + 1;
    }
    return true;
}

int dd_tagset_features(dd_text feats)
{
    int features = 1;
    for (size_t i = 0; i < feats.size; i++) features += feats.data[i] == '|';
    return features;
}

static bool is_tag(const dd_tag *tag, dd_format format)
{
    if (dd_tagset_features(tag->cells[2]) > DD_MAX_FEATURES) return false;
    for (int i = 0; i < 3; i++)
        if (dd_rule_cell(tag->cells[i], DD_UPOS + i, format)) return false;
    return true;
}

static bool add_tag(maker *m, const dd_tag *tag)
{
    dd_tagset *set = m->set;
    if (!DD_RESERVE(&set->tags, &set->tags_capacity, (size_t)set->count + 1)) return false;
    dd_tag *added = &set->tags[set->count++];
    *added = *tag;
    dd_text both = {tag->cells[0].data, tag->cells[0].size + 1 + tag->cells[1].size};
    return add_head(m, tag->cells[0], both, &added->head) &&
           add_bundle(m, tag->cells[2], &added->bundle);
}

static dd_status read_lines(maker *m, dd_text lines, dd_format format, dd_error *error)
{
    while (lines.size > 0) {
        dd_tag tag;
        if (m->set->count == DD_MAX_TAGS || !dd_text_cut_at(&lines, '\t', &tag.cells[0]) ||
            !dd_text_cut_at(&lines, '\t', &tag.cells[1]) ||
            !dd_text_cut_at(&lines, '\n', &tag.cells[2]) || !is_tag(&tag, format))
            return dd_fail(error, DD_ERROR_MODEL, "the tagger's list of tags is damaged");
        if (!add_tag(m, &tag)) return dd_fail_memory(error);
    }
    return DD_OK;
}

dd_status dd_tagset_make(dd_tagset *tagset, dd_text lines, dd_format format, dd_error *error)
{
    maker m = {.set = tagset};
    *tagset = (dd_tagset){0};
    dd_status status = read_lines(&m, lines, format, error);
    tagset->parts = m.parts.count;
    dd_vocab_free(&m.parts);
    dd_vocab_free(&m.heads);
    dd_vocab_free(&m.bundles);
    dd_buffer_free(&m.name);
    if (status != DD_OK) dd_tagset_free(tagset);
    return status;
}
