/* multiword_learner.c - rules for multiword tokens, from the tokens of a treebank
 *
 * What most tokens of a form are, the form is. Each ending of a multiword form gets a rule if at
 * least two forms have it and most forms that have it are split in the same way; a longer ending
 * only where it differs from a shorter one, and a whole form only where it differs from its
 * endings. */
#include "core/memory.h"
#include "core/strings.h"
#include "segment/multiword.h"
#include "text/rules.h"

#include <stdlib.h>
#include <string.h>

static int key_length(dd_text key)
{
    int length = 0;
    for (size_t i = 0; i < key.size; i++) length += ((unsigned char)key.data[i] & 0xC0) != 0x80;
    return length;
}

/* Counts of "KEY<TAB>ACTION". */
typedef struct tally {
    dd_vocab pairs;
    uint32_t *counts; /* [pairs.count] */
    size_t capacity;
} tally;

struct dd_multiword_learner {
    tally forms; /* lower-case form and action, in tokens */
    dd_buffer pair;
    dd_chars chars;
};

static void tally_free(tally *t)
{
    dd_vocab_free(&t->pairs);
    free(t->counts);
}

static bool tally_add(tally *t, dd_text pair)
{
    int known = t->pairs.count, id = dd_vocab_add(&t->pairs, pair);
    if (id < 0 || !DD_RESERVE(&t->counts, &t->capacity, (size_t)id + 1)) return false;
    if (id == known) t->counts[id] = 0;
    t->counts[id]++;
    return true;
}

dd_multiword_learner *dd_multiword_learner_new(void)
{
    return dd_calloc(1, sizeof(dd_multiword_learner));
}

void dd_multiword_learner_free(dd_multiword_learner *learner)
{
    if (!learner) return;
    tally_free(&learner->forms);
    dd_buffer_free(&learner->pair);
    dd_chars_free(&learner->chars);
    free(learner);
}

static bool decode_lower(dd_chars *chars, dd_text text)
{
    chars->count = 0;
    for (size_t at = 0; at < text.size;) {
        uint32_t code;
        bool broken;
        at += dd_char_decode(text.data + at, text.size - at, &code, &broken);
        if (!dd_chars_add(chars, dd_char_lower(code), DD_CHAR_OTHER, 0, 0)) return false;
    }
    return true;
}

/* Appends DROP<TAB>TAIL<TAB>WORD.. for a token whose lower-case characters were decoded. */
static bool append_action(dd_multiword_learner *learner, const dd_text *words, int count)
{
    const dd_chars *form = &learner->chars;
    size_t at = 0;
    int same = 0;
    while (at < words[0].size && same < form->count) {
        uint32_t code;
        bool broken;
        size_t used = dd_char_decode(words[0].data + at, words[0].size - at, &code, &broken);
        if (dd_char_lower(code) != form->codes[same]) break;
        at += used;
        same++;
    }
    dd_buffer *out = &learner->pair;
    if (!dd_buffer_printf(out, "%d", form->count - same)) return false;
    for (int i = 0; i < count; i++) {
        if (!dd_buffer_text(out, "\t")) return false;
        for (; at < words[i].size;) {
            uint32_t code;
            bool broken;
            at += dd_char_decode(words[i].data + at, words[i].size - at, &code, &broken);
            if (!dd_char_append(out, dd_char_lower(code))) return false;
        }
        at = 0;
    }
    return true;
}

bool dd_multiword_learn(dd_multiword_learner *learner, dd_text form, const dd_text *words,
                        int count)
{
    dd_buffer *pair = &learner->pair;
    pair->size = 0;
    if (!decode_lower(&learner->chars, form)) return false;
    if (learner->chars.count > DD_MULTIWORD_LONGEST_KEY) return true;
    for (int i = 0; i < learner->chars.count; i++)
        if (!dd_char_append(pair, learner->chars.codes[i])) return false;
    if (!dd_buffer_text(pair, "\t")) return false;
    size_t start = pair->size;
    if (count > 1 && !append_action(learner, words, count)) return false;
    /* An action that could not be read back, such as words with spaces, is not learnt. */
    dd_text action = {pair->data + start, pair->size - start};
    if (!dd_multiword_is_action(action)) pair->size = start;
    return tally_add(&learner->forms, (dd_text){pair->data, pair->size});
}

/* The most frequent action of each key. */
typedef struct choice {
    dd_vocab keys;
    int *pairs; /* [keys.count] the most frequent pair of the tally */
    size_t capacity;
} choice;

static void choice_free(choice *c)
{
    dd_vocab_free(&c->keys);
    free(c->pairs);
}

static dd_text key_of(const tally *t, int pair)
{
    dd_text rest = dd_vocab_text(&t->pairs, pair);
    return dd_text_cut(&rest, '\t');
}

static dd_text action_of(const tally *t, int pair)
{
    dd_text rest = dd_vocab_text(&t->pairs, pair);
    dd_text_cut(&rest, '\t');
    return rest;
}

static bool choose(choice *c, const tally *t)
{
    for (int pair = 0; pair < t->pairs.count; pair++) {
        int known = c->keys.count, key = dd_vocab_add(&c->keys, key_of(t, pair));
        if (key < 0 || !DD_RESERVE(&c->pairs, &c->capacity, (size_t)key + 1)) return false;
        if (key == known || t->counts[pair] > t->counts[c->pairs[key]]) c->pairs[key] = pair;
    }
    return true;
}

/* The ending of so many characters. */
static dd_text ending_of(dd_text text, int characters)
{
    size_t at = text.size;
    while (at > 0 && characters > 0) characters -= ((unsigned char)text.data[--at] & 0xC0) != 0x80;
    return (dd_text){text.data + at, text.size - at};
}

enum { CONTEXT = 4 /* characters before what a rule takes off */ };

/* Endings of all forms that are several words, which may get rules. */
static bool collect_endings(const choice *forms, const tally *t, dd_vocab *endings)
{
    for (int form = 0; form < forms->keys.count; form++) {
        dd_text key = dd_vocab_text(&forms->keys, form), action = action_of(t, forms->pairs[form]);
        if (action.size == 0) continue;
        int drop = dd_rule_number(dd_text_cut(&action, '\t')), length = key_length(key);
        for (int n = drop < 2 ? 2 : drop; n <= drop + CONTEXT && n <= length; n++) {
            dd_text end = ending_of(key, n);
            /* ^ is the mark of whole forms. */
            if (end.data[0] != '^' && dd_vocab_add(endings, end) < 0) return false;
        }
    }
    return true;
}

/* Counts the actions of the forms with each ending; every form counts once. */
static bool count_endings(const choice *forms, const tally *t, const dd_vocab *endings, tally *out,
                          dd_buffer *pair)
{
    for (int form = 0; form < forms->keys.count; form++) {
        dd_text key = dd_vocab_text(&forms->keys, form), action = action_of(t, forms->pairs[form]);
        int length = key_length(key);
        for (int n = 2; n <= length; n++) {
            dd_text end = ending_of(key, n);
            if (dd_vocab_find(endings, end) < 0) continue;
            pair->size = 0;
            if (!dd_buffer_append(pair, end.data, end.size) || !dd_buffer_text(pair, "\t") ||
                !dd_buffer_append(pair, action.data, action.size) ||
                !tally_add(out, (dd_text){pair->data, pair->size}))
                return false;
        }
    }
    return true;
}

/* The action that the rules so far give for a form, without the rule of the whole form. */
static dd_text expected(const dd_multiword *rules, dd_text key, int longest)
{
    int length = key_length(key);
    for (int n = length < longest ? length : longest; n >= 2; n--) {
        int rule = dd_vocab_find(&rules->keys, ending_of(key, n));
        if (rule >= 0) return rules->actions[rule];
    }
    return (dd_text){"", 0};
}

static bool write_rule(dd_multiword *rules, dd_buffer *out, const char *mark, dd_text key,
                       dd_text action)
{
    int id = dd_vocab_add(&rules->keys, key);
    if (id < 0 || !DD_RESERVE(&rules->actions, &rules->actions_capacity, (size_t)id + 1))
        return false;
    rules->actions[id] = action;
    return dd_buffer_text(out, mark) && dd_buffer_append(out, key.data, key.size) &&
           dd_buffer_text(out, "\t") && dd_buffer_append(out, action.data, action.size) &&
           dd_buffer_text(out, "\n");
}

/* Shorter endings first; a longer one only where it says something else. One form alone is no
 * evidence of an ending. */
static bool write_endings(const choice *endings, const tally *t, dd_multiword *rules,
                          dd_buffer *out)
{
    for (int length = 2; length <= DD_MULTIWORD_LONGEST_KEY; length++) {
        for (int i = 0; i < endings->keys.count; i++) {
            dd_text key = dd_vocab_text(&endings->keys, i);
            if (key_length(key) != length) continue;
            dd_text action = action_of(t, endings->pairs[i]);
            if (action.size > 0 && t->counts[endings->pairs[i]] < 2) continue;
            if (dd_text_same(action, expected(rules, key, length - 1))) continue;
            if (!write_rule(rules, out, "", key, action)) return false;
        }
    }
    return true;
}

static bool write_forms(const choice *forms, const tally *t, const dd_multiword *endings,
                        dd_buffer *out)
{
    dd_multiword whole = {0};
    bool ok = true;
    for (int i = 0; i < forms->keys.count && ok; i++) {
        dd_text key = dd_vocab_text(&forms->keys, i), action = action_of(t, forms->pairs[i]);
        if (!dd_text_same(action, expected(endings, key, DD_MULTIWORD_LONGEST_KEY)))
            ok = write_rule(&whole, out, "^", key, action);
    }
    dd_multiword_free(&whole);
    return ok;
}

bool dd_multiword_write(dd_multiword_learner *learner, dd_buffer *rules)
{
    choice forms = {0}, kept = {0};
    tally counts = {0};
    dd_vocab endings = {0};
    dd_multiword made = {0};
    bool ok = choose(&forms, &learner->forms) &&
              collect_endings(&forms, &learner->forms, &endings) &&
              count_endings(&forms, &learner->forms, &endings, &counts, &learner->pair) &&
              choose(&kept, &counts) && write_endings(&kept, &counts, &made, rules) &&
              write_forms(&forms, &learner->forms, &made, rules);
    choice_free(&forms);
    choice_free(&kept);
    tally_free(&counts);
    dd_vocab_free(&endings);
    dd_multiword_free(&made);
    return ok;
}
