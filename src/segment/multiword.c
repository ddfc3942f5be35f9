#include "segment/multiword.h"

#include "core/memory.h"
#include "core/strings.h"
#include "text/rules.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* ---- rules -------------------------------------------------------------------------------- */

void dd_multiword_free(dd_multiword *multiword)
{
    dd_vocab_free(&multiword->keys);
    free(multiword->actions);
    *multiword = (dd_multiword){0};
}

static bool is_word(dd_text word)
{
    return dd_rule_label(word) && !memchr(word.data, ' ', word.size);
}

bool dd_multiword_is_action(dd_text action)
{
    if (action.size == 0) return true;
    int drop = dd_rule_number(dd_text_cut(&action, '\t'));
    dd_text tail = dd_text_cut(&action, '\t');
    if (drop < 0 || drop > DD_MULTIWORD_LONGEST_KEY || (tail.size && !is_word(tail))) return false;
    int words = 1;
    while (action.size > 0) {
        if (!is_word(dd_text_cut(&action, '\t')) || ++words > DD_MULTIWORD_MOST_WORDS) return false;
    }
    return words > 1;
}

static unsigned ending(uint32_t before, uint32_t last)
{
    return (before * 67 + last) & 4095;
}

/* The characters of a key; 0 where it is too long or no UTF-8. */
static int decode_key(dd_text key, uint32_t codes[DD_MULTIWORD_LONGEST_KEY])
{
    int count = 0;
    for (size_t at = 0; at < key.size;) {
        bool broken;
        if (count == DD_MULTIWORD_LONGEST_KEY) return 0;
        at += dd_char_decode(key.data + at, key.size - at, &codes[count], &broken);
        if (broken) return 0;
        count++;
    }
    return count;
}

static dd_status add_rule(dd_multiword *multiword, dd_text key, dd_text action, dd_error *error)
{
    uint32_t codes[DD_MULTIWORD_LONGEST_KEY];
    bool whole = key.size > 0 && key.data[0] == '^';
    int length = decode_key(whole ? (dd_text){key.data + 1, key.size - 1} : key, codes);
    if (length == 0 || (!whole && length < 2) || !dd_multiword_is_action(action))
        return dd_fail(error, DD_ERROR_MODEL, "a multiword rule cannot be read");
    int id = dd_vocab_add(&multiword->keys, key);
    if (id < 0 || !DD_RESERVE(&multiword->actions, &multiword->actions_capacity, (size_t)id + 1))
        return dd_fail_memory(error);
    multiword->actions[id] = action;
    if (!whole && length > multiword->longest_ending) multiword->longest_ending = length;
    unsigned at = ending(length > 1 ? codes[length - 2] : 0, codes[length - 1]);
    multiword->endings[at / 64] |= UINT64_C(1) << at % 64;
    return DD_OK;
}

dd_status dd_multiword_map(dd_multiword *multiword, dd_text rules, dd_error *error)
{
    dd_status status = DD_OK;
    *multiword = (dd_multiword){0};
    while (rules.size > 0 && status == DD_OK) {
        dd_text action = dd_text_cut(&rules, '\n');
        dd_text key = dd_text_cut(&action, '\t');
        status = add_rule(multiword, key, action, error);
    }
    if (status != DD_OK) dd_multiword_free(multiword);
    return status;
}

/* ---- splitting ---------------------------------------------------------------------------- */

static uint32_t other_apostrophe(uint32_t code)
{
    return code == '\'' ? 0x2019 : code == 0x2019 ? '\'' : 0;
}

/* In small letters and, if `swapped` is set, with the other apostrophe. */
static uint32_t code_of(const dd_chars *chars, int at, bool swapped)
{
    uint32_t code = chars->codes[at], other = swapped ? other_apostrophe(code) : 0;
    return other ? other : dd_char_lower(code);
}

/* The rule of a token, read with the other apostrophe if `swapped` is set; -1: none. */
static int find_rule_as(const dd_multiword *multiword, const dd_chars *chars, int start, int end,
                        bool swapped)
{
    char bytes[4 * DD_MULTIWORD_LONGEST_KEY + 1] = "^";
    int starts[DD_MULTIWORD_LONGEST_KEY];
    int length = end - start, size = 1;
    uint32_t last = code_of(chars, end - 1, swapped);
    unsigned at = ending(length > 1 ? code_of(chars, end - 2, swapped) : 0, last);
    if (!(multiword->endings[at / 64] >> at % 64 & 1)) return -1;
    int shown = length < DD_MULTIWORD_LONGEST_KEY ? length : DD_MULTIWORD_LONGEST_KEY;
    for (int i = 0; i < shown; i++) {
        uint32_t code = code_of(chars, end - shown + i, swapped);
        starts[i] = size;
        size += (int)utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)bytes + size);
    }
    int rule = -1;
    if (shown == length) rule = dd_vocab_find(&multiword->keys, (dd_text){bytes, (size_t)size});
    int most = shown < multiword->longest_ending ? shown : multiword->longest_ending;
    for (int tried = most; tried >= 2 && rule < 0; tried--) {
        int from = starts[shown - tried];
        rule = dd_vocab_find(&multiword->keys, (dd_text){bytes + from, (size_t)(size - from)});
    }
    return rule;
}

/* A treebank often has only one of the two apostrophes, or one of them in few words. */
static int find_rule(const dd_multiword *multiword, const dd_chars *chars, int start, int end)
{
    int rule = find_rule_as(multiword, chars, start, end, false);
    for (int at = start; at < end && rule < 0; at++)
        if (other_apostrophe(chars->codes[at]))
            return find_rule_as(multiword, chars, start, end, true);
    return rule;
}

/* In which case the characters that a rule adds are written. */
typedef enum added_case { AS_TOLD, AS_DROPPED, UPPER } added_case;

/* Added is the rule's TAIL<TAB>WORD..; dropped are the last characters of the token. */
static added_case case_of_added(dd_text added, const dd_chars *chars, int from, int end)
{
    int at = from;
    bool upper = end > from;
    for (size_t i = 0; i < added.size;) {
        uint32_t code;
        bool broken;
        i += dd_char_decode(added.data + i, added.size - i, &code, &broken);
        if (code == '\t') continue;
        if (at < end &&
            (code_of(chars, at, false) == code || other_apostrophe(chars->codes[at]) == code))
            at++;
        else
            at = end + 1;
    }
    if (at == end) return AS_DROPPED;
    for (at = from; at < end; at++) upper = upper && chars->classes[at] == DD_CHAR_UPPER;
    return upper ? UPPER : AS_TOLD;
}

/* Appends a word of the rule; `from` is the dropped character that stands for its first. */
static bool append_added(dd_buffer *words, dd_text word, added_case how, const dd_chars *chars,
                         int *from)
{
    for (size_t i = 0; i < word.size;) {
        uint32_t code;
        bool broken;
        i += dd_char_decode(word.data + i, word.size - i, &code, &broken);
        if (how == AS_DROPPED) code = chars->codes[(*from)++];
        if (how == UPPER) code = (uint32_t)utf8proc_toupper((utf8proc_int32_t)code);
        if (!dd_char_append(words, code)) return false;
    }
    return true;
}

static int count_tabs(dd_text text)
{
    int count = 0;
    for (size_t i = 0; i < text.size; i++) count += text.data[i] == '\t';
    return count;
}

/* The first word of a token that ends in a clitic may end in another: she'd've. Returns how many
 * words of it are appended, 0: it is one word; -1 if allocation fails. */
static int split_again(const dd_multiword *multiword, const dd_chars *chars, int start, int end,
                       int most, dd_buffer *words, size_t *sizes)
{
    if (chars->classes[end] != DD_CHAR_APOSTROPHE) return 0;
    size_t before = words->size;
    int count = dd_multiword_split(multiword, chars, start, end, words, sizes);
    if (count > 1 && count <= most) return count;
    words->size = before;
    return count < 0 ? -1 : 0;
}

int dd_multiword_split(const dd_multiword *multiword, const dd_chars *chars, int start, int end,
                       dd_buffer *words, size_t sizes[DD_MULTIWORD_MOST_WORDS])
{
    if (multiword->keys.count == 0) return 1;
    int rule = find_rule(multiword, chars, start, end);
    if (rule < 0 || multiword->actions[rule].size == 0) return 1;
    dd_text rest = multiword->actions[rule];
    int from = end - dd_rule_number(dd_text_cut(&rest, '\t'));
    if (from < start || (from == start && rest.data[0] == '\t')) return 1;
    added_case how = case_of_added(rest, chars, from, end);
    int count = 0;
    int most = DD_MULTIWORD_MOST_WORDS - count_tabs(rest);
    if (rest.data[0] == '\t')
        count = split_again(multiword, chars, start, from, most, words, sizes);
    if (count < 0) return -1;
    size_t begin = words->size;
    for (int i = start; i < from && count == 0; i++)
        if (!dd_char_append(words, chars->codes[i])) return -1;
    if (count > 0) dd_text_cut(&rest, '\t'); /* what is added to the first word: nothing */
    do {
        if (!append_added(words, dd_text_cut(&rest, '\t'), how, chars, &from)) return -1;
        sizes[count++] = words->size - begin;
        begin = words->size;
    } while (rest.size > 0);
    return count;
}
