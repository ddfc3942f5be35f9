/* emoji.c - emoji and emoticons, which are one token each (Unicode Technical Standard 51) */
#include "segment/whole.h"

#include <string.h>

static uint32_t code_at(const dd_unspaced *in, int at)
{
    return at >= in->start && at < in->end ? in->chars->codes[at] : 0;
}

/* ---- emoji -------------------------------------------------------------------------------- */

enum {
    JOINER = 0x200D,
    KEYCAP = 0x20E3,
    AS_TEXT = 0xFE0E,
    AS_EMOJI = 0xFE0F,
    FIRST_TONE = 0x1F3FB,
    LAST_TONE = 0x1F3FF,
    FIRST_FLAG = 0x1F1E6,
    LAST_FLAG = 0x1F1FF,
    FIRST_TAG = 0xE0020,
    LAST_TAG = 0xE007F,
};

static bool is_between(uint32_t code, uint32_t low, uint32_t high)
{
    return code >= low && code <= high;
}

/* The older ones with the property Emoji_Presentation, such as those of coffee and of a star. */
static bool is_old_picture(uint32_t code)
{
    static const uint16_t ranges[][2] = {
        {0x231A, 0x231B}, {0x23E9, 0x23EC}, {0x23F0, 0x23F0}, {0x23F3, 0x23F3}, {0x25FD, 0x25FE},
        {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267F, 0x267F}, {0x2693, 0x2693}, {0x26A1, 0x26A1},
        {0x26AA, 0x26AB}, {0x26BD, 0x26BE}, {0x26C4, 0x26C5}, {0x26CE, 0x26CE}, {0x26D4, 0x26D4},
        {0x26EA, 0x26EA}, {0x26F2, 0x26F3}, {0x26F5, 0x26F5}, {0x26FA, 0x26FA}, {0x26FD, 0x26FD},
        {0x2705, 0x2705}, {0x270A, 0x270B}, {0x2728, 0x2728}, {0x274C, 0x274C}, {0x274E, 0x274E},
        {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797}, {0x27B0, 0x27B0}, {0x27BF, 0x27BF},
        {0x2B1B, 0x2B1C}, {0x2B50, 0x2B50}, {0x2B55, 0x2B55}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (is_between(code, ranges[i][0], ranges[i][1])) return true;
    return false;
}

/* Characters that are shown as pictures whatever follows. */
static bool is_picture(uint32_t code)
{
    if (is_between(code, 0x2190, 0x2BFF)) return is_old_picture(code);
    return is_between(code, 0x1F000, 0x1FAFF) && !is_between(code, FIRST_FLAG, LAST_FLAG);
}

/* Characters that can be: arrows, signs, dingbats. */
static bool may_be_picture(uint32_t code)
{
    return is_between(code, 0x2190, 0x2BFF) || code == 0xA9 || code == 0xAE || code == 0x203C ||
           code == 0x2049 || code == 0x2122 || code == 0x2139 || code == 0x3030 || code == 0x303D;
}

/* One picture with what changes its looks; `at`: there is none. */
static int picture_end(const dd_unspaced *in, int at)
{
    uint32_t code = code_at(in, at), next = code_at(in, at + 1);
    bool changed = next == AS_EMOJI || next == JOINER || is_between(next, FIRST_TONE, LAST_TONE);
    if (!is_picture(code) && !(may_be_picture(code) && changed)) return at;
    int end = at + 1;
    if (code_at(in, end) == AS_EMOJI || code_at(in, end) == AS_TEXT) end++;
    if (is_between(code_at(in, end), FIRST_TONE, LAST_TONE)) end++;
    while (is_between(code_at(in, end), FIRST_TAG, LAST_TAG)) end++;
    return end;
}

static int keycap_end(const dd_unspaced *in, int at)
{
    uint32_t code = code_at(in, at);
    if (code != '#' && code != '*' && !is_between(code, '0', '9')) return at;
    int end = at + 1 + (code_at(in, at + 1) == AS_EMOJI);
    return code_at(in, end) == KEYCAP ? end + 1 : at;
}

int dd_emoji_end(const dd_unspaced *in, int at)
{
    if (is_between(code_at(in, at), FIRST_FLAG, LAST_FLAG))
        return at + 1 + is_between(code_at(in, at + 1), FIRST_FLAG, LAST_FLAG);
    int end = keycap_end(in, at);
    if (end > at) return end;
    end = picture_end(in, at);
    while (end > at && code_at(in, end) == JOINER) {
        int next = picture_end(in, end + 1);
        if (next == end + 1) break;
        end = next;
    }
    return end;
}

/* ---- emoticons ---------------------------------------------------------------------------- */

static bool is_one_of(uint32_t code, const char *list)
{
    return code > 0 && code < 0x80 && strchr(list, (int)code);
}

static bool is_word(const dd_unspaced *in, int at)
{
    return at >= in->start && at < in->end && dd_char_is_word(in->chars->classes[at]);
}

/* Whether the stretch may continue so after an emoticon: with another, or with punctuation. */
static bool may_follow(const dd_unspaced *in, int at)
{
    return at >= in->end || (!is_word(in, at) && !is_one_of(code_at(in, at), "/\\@#$%&"));
}

static bool is_open_before(const dd_unspaced *in, int at)
{
    int depth = 0;
    for (int i = at - 1; i >= in->start && at - i < 64; i--)
        depth += (code_at(in, i) == '(') - (code_at(in, i) == ')');
    return depth > 0;
}

/* Eyes, a nose if there is one, and a mouth: `:-)`, `;D`, `:'(`. */
static int face_end(const dd_unspaced *in, int at)
{
    if (code_at(in, at) == '>' && at == in->start && is_one_of(code_at(in, at + 1), ":;")) {
        int end = face_end(in, at + 1);
        return end > at + 1 ? end : at;
    }
    if (!is_one_of(code_at(in, at), ":;=")) return at;
    int end = at + 1;
    if (code_at(in, end) == '\'') end++;
    bool nose =
        is_one_of(code_at(in, end), "-^o") && is_one_of(code_at(in, end + 1), ")(DPp[]|/\\*");
    end += nose;
    uint32_t mouth = code_at(in, end);
    if (mouth == ')' && is_open_before(in, at)) return at;
    bool alone = at == in->start;
    if (is_one_of(mouth, ")(")) {
        if (is_word(in, at - 1) && in->chars->classes[at - 1] == DD_CHAR_DIGIT) return at;
        while (code_at(in, end) == mouth) end++;
        return may_follow(in, end) ? end : at;
    }
    if (!alone || !is_one_of(mouth, nose ? "DPpO[]|/\\*" : "DPpO*|/\\]")) return at;
    return may_follow(in, end + 1) && code_at(in, end + 1) != mouth ? end + 1 : at;
}

/* Those that are not made so, longest first; they stand alone or before punctuation. */
static int listed_end(const dd_unspaced *in, int at)
{
    static const char *const list[] = {"\\_(\x01)_/", "</3", "<3",  "^_^", "^^",
                                       "-_-",         "o_O", "O_o", "o_o", "T_T",
                                       ">_<",         ">.<", "xD",  "XD",  "\\o/"};
    if (at > in->start) return at;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        int end = at + (i == 0);
        const char *c = list[i];
        if (i == 0 && code_at(in, at) != 0xAF) continue;
        while (*c && (code_at(in, end) == (uint32_t)(unsigned char)*c ||
                      (*c == '\x01' && code_at(in, end) == 0x30C4)))
            c++, end++;
        if (*c) continue;
        if (i == 0) return code_at(in, end) == 0xAF ? end + 1 : at;
        while (list[i][0] == '<' && code_at(in, end) == '3') end++;
        if (may_follow(in, end)) return end;
    }
    return at;
}

int dd_emoticon_end(const dd_unspaced *in, int at)
{
    int end = face_end(in, at);
    return end > at ? end : listed_end(in, at);
}

bool dd_is_picture(dd_text form)
{
    enum { LONGEST = 40 };
    uint32_t codes[LONGEST + 1] = {0};
    uint8_t classes[LONGEST + 1] = {0};
    dd_chars chars = {.codes = codes, .classes = classes};
    for (size_t at = 0; at < form.size; chars.count++) {
        bool broken;
        if (chars.count == LONGEST) return false;
        at += dd_char_decode(form.data + at, form.size - at, &codes[chars.count], &broken);
        classes[chars.count] = (uint8_t)dd_char_classify(codes[chars.count]);
    }
    dd_unspaced in = {&chars, 0, chars.count};
    return chars.count > 0 &&
           (dd_emoji_end(&in, 0) == chars.count || dd_emoticon_end(&in, 0) == chars.count);
}
