#include "segment/whole.h"

#include "segment/segmenter.h"

#include <string.h>

enum { LONGEST_SCHEME = 12, LONGEST_LOCAL = 64, LONGEST_DOMAIN = 255, LONGEST_LABEL = 63 };

/* ---- characters --------------------------------------------------------------------------- */

static uint32_t code_at(const dd_unspaced *in, int at)
{
    return at >= in->start && at < in->end ? in->chars->codes[at] : 0;
}

static uint8_t class_at(const dd_unspaced *in, int at)
{
    return at >= in->start && at < in->end ? in->chars->classes[at] : DD_CHAR_NONE;
}

static bool is_one_of(uint32_t code, const char *list)
{
    return code > 0 && code < 0x80 && strchr(list, (int)code);
}

/* Letters and digits of scripts that put spaces between words: in others a name would have no end.
 */
static bool is_word(const dd_unspaced *in, int at)
{
    uint8_t class = class_at(in, at);
    return dd_char_is_word(class) && class != DD_CHAR_IDEOGRAPH;
}

static bool is_letter(const dd_unspaced *in, int at)
{
    return is_word(in, at) && dd_char_is_letter(class_at(in, at));
}

/* Whether the characters there are these, in small letters or capitals. */
static bool has(const dd_unspaced *in, int at, const char *text)
{
    for (; *text; at++, text++)
        if (dd_char_lower(code_at(in, at)) != (uint32_t)(unsigned char)*text) return false;
    return true;
}

/* ---- addresses ---------------------------------------------------------------------------- */

/* Behind labels with points between them, at least two; `at`: there are none. */
static int domain_end(const dd_unspaced *in, int at, int *last_label)
{
    int labels = 0, end = at, i = at;
    while (i - at <= LONGEST_DOMAIN && is_word(in, i)) {
        int label = i;
        while (i - label <= LONGEST_LABEL && (is_word(in, i) || code_at(in, i) == '-')) i++;
        *last_label = label;
        labels++;
        end = i;
        if (code_at(in, i) != '.') break;
        i++;
    }
    while (end > at && code_at(in, end - 1) == '-') end--;
    return labels > 1 ? end : at;
}

/* Punctuation that does not end an address. */
static bool is_closing(const dd_unspaced *in, int at)
{
    uint8_t class = class_at(in, at);
    return class == DD_CHAR_STOP || class == DD_CHAR_ASKING || class == DD_CHAR_COMMA ||
           class == DD_CHAR_COLON || class == DD_CHAR_APOSTROPHE || class == DD_CHAR_QUOTE ||
           code_at(in, at) == '*';
}

/* Where a token that begins there must end at last. */
static int limit(const dd_unspaced *in, int start)
{
    return in->end - start < DD_MOST_TOKEN_CHARACTERS ? in->end : start + DD_MOST_TOKEN_CHARACTERS;
}

static int count_code(const dd_unspaced *in, int start, int end, uint32_t code)
{
    int count = 0;
    for (int i = start; i < end; i++) count += code_at(in, i) == code;
    return count;
}

/* Chinese and Japanese characters with their punctuation. */
static bool is_wide(const dd_unspaced *in, int at)
{
    uint32_t code = code_at(in, at);
    return class_at(in, at) == DD_CHAR_IDEOGRAPH || (code >= 0x3000 && code < 0x3040) ||
           (code >= 0xFF01 && code < 0xFFA0);
}

/* Where an address ends that began at `start`: before white space, quotes, angles and wide
 * characters, and without the punctuation behind it. A bracket belongs to it if it was opened in
 * it. */
static int address_end(const dd_unspaced *in, int start, int at)
{
    int most = limit(in, start);
    while (at < most && !is_one_of(code_at(in, at), "<>\"{}|") && !is_wide(in, at) &&
           class_at(in, at) != DD_CHAR_QUOTE)
        at++;
    int open = count_code(in, start, at, '('), closed = count_code(in, start, at, ')');
    for (; at > start; at--) {
        uint32_t code = code_at(in, at - 1);
        if (code == ')' && closed > open)
            closed--;
        else if (code != ']' && !is_closing(in, at - 1))
            break;
    }
    return at;
}

/* `https://...`, `www....` */
static int url_end(const dd_unspaced *in, int at)
{
    int i = at;
    if (has(in, at, "www.") && is_word(in, at + 4)) return address_end(in, at, at + 4);
    while (i - at < LONGEST_SCHEME && is_letter(in, i)) i++;
    if (i - at < 2 || !has(in, i, "://") || !is_word(in, i + 3)) return at;
    return address_end(in, at, i + 3);
}

/* `10.1000/xyz123`, the number of a publication. */
static int doi_end(const dd_unspaced *in, int at)
{
    int i = at + 3;
    if (!has(in, at, "10.")) return at;
    while (i - at < LONGEST_SCHEME && class_at(in, i) == DD_CHAR_DIGIT) i++;
    bool long_enough = i - at >= 7;
    return long_enough && code_at(in, i) == '/' && is_word(in, i + 1) ? address_end(in, at, i) : at;
}

static bool is_listed(const dd_unspaced *in, int at, int end, const char *const *list)
{
    for (; *list; list++)
        if (end - at == (int)strlen(*list) && has(in, at, *list)) return true;
    return false;
}

/* `example.org/x1`: a domain of a kind that is known, and a path; `example.com`, `letter.pdf`. */
static int bare_url_end(const dd_unspaced *in, int at)
{
    static const char *const alone[] = {"com", "org", "net",  "edu",  "gov",  "pdf",  "doc", "docx",
                                        "xls", "ppt", "xlsx", "pptx", "html", "htm",  "jpg", "jpeg",
                                        "png", "gif", "zip",  "exe",  "csv",  "json", NULL};
    static const char *const known[] = {"com", "org", "net", "edu", "gov", "info", "io", "co", "uk",
                                        "eu",  "de",  "fr",  "se",  "no",  "dk",   "fi", "nl", "be",
                                        "at",  "ch",  "es",  "it",  "pt",  "pl",   "cz", "ru", "us",
                                        "ca",  "au",  "nz",  "ie",  "br",  "jp",   "cn", "tv", "me",
                                        "ly",  "gl",  "gg",  "ai",  "app", "dev",  NULL};
    int label = at, end = domain_end(in, at, &label);
    bool path = code_at(in, end) == '/' && is_word(in, end + 1);
    if (end == at) return at;
    if (path && is_listed(in, label, end, known)) return address_end(in, at, end);
    bool capital = class_at(in, label) == DD_CHAR_UPPER; /* of a word behind a full stop: `.Com` */
    bool begins = capital && class_at(in, label + 1) == DD_CHAR_LOWER;
    return !begins && is_listed(in, label, end, alone) && code_at(in, at - 1) != '@' ? end : at;
}

static int email_end(const dd_unspaced *in, int at)
{
    int i = at, label;
    if (!is_word(in, at)) return at;
    while (i - at <= LONGEST_LOCAL && (is_word(in, i) || is_one_of(code_at(in, i), "._%+-"))) i++;
    if (code_at(in, i) != '@') return at;
    int end = domain_end(in, i + 1, &label);
    return end > i + 1 ? end : at;
}

/* The brackets of `<a@b.org>`, which treebanks of other text leave with what follows. */
static int bracket_end(const dd_unspaced *in, int at)
{
    uint32_t code = code_at(in, at);
    int open = at;
    if (code != '<' && code != '>') return at;
    if (code == '>')
        for (open--; code_at(in, open) != '<'; open--)
            if (open <= in->start || at - open > LONGEST_LOCAL + LONGEST_DOMAIN) return at;
    int end = email_end(in, open + 1);
    bool closed = code == '<' ? code_at(in, end) == '>' : end == at;
    return end > open + 1 && closed ? at + 1 : at;
}

/* A hyphen between letters or digits is part of a name: `@dev-team`. */
static bool is_in_name(const dd_unspaced *in, int at, uint32_t mark)
{
    bool hyphen = mark == '@' && code_at(in, at) == '-';
    return is_word(in, at) || code_at(in, at) == '_' ||
           (hyphen && is_word(in, at - 1) && is_word(in, at + 1));
}

/* `@name`, `@name@example.social`, `#tag`; a tag has a letter, else it is a number. */
static int name_end(const dd_unspaced *in, int at)
{
    uint32_t mark = code_at(in, at);
    bool letter = false;
    int i = at + 1, label;
    if (mark != '@' && mark != '#') return at;
    for (; i < limit(in, at) && is_in_name(in, i, mark); i++) letter = letter || is_letter(in, i);
    if (!letter) return at;
    if (code_at(in, i) == '@') {
        int end = mark == '@' ? domain_end(in, i + 1, &label) : at;
        return end > i + 1 ? end : at;
    }
    bool domain = mark == '@' && code_at(in, i) == '.' && is_word(in, i + 1);
    return domain ? at : i;
}

/* ---- files -------------------------------------------------------------------------------- */

static bool is_in_path(const dd_unspaced *in, int at)
{
    return is_word(in, at) || is_one_of(code_at(in, at), "/\\._-+~");
}

/* `/usr/bin/x`, `~/x`, `../x`, `C:\x`, at the beginning of a stretch. */
static int path_end(const dd_unspaced *in, int at)
{
    int i = at, folders = 0;
    bool drive = is_letter(in, at) && has(in, at + 1, ":\\");
    bool here = has(in, at, "~/") || has(in, at, "./") || has(in, at, "../");
    if (drive) i += 3;
    if (!drive && !here && code_at(in, at) != '/') return at;
    for (; i < limit(in, at) && is_in_path(in, i); i++)
        folders += is_one_of(code_at(in, i), "/\\") && is_word(in, i + 1);
    while (i > at && is_closing(in, i - 1)) i--;
    return folders >= (drive || here ? 1 : 2) || (drive && i > at + 3) ? i : at;
}

/* `.md`, `.c`, `.mp3` at the end of a name. */
static bool is_ending(const dd_unspaced *in, int at, int end)
{
    if (end - at < 2 || end - at > 5 || !is_letter(in, at + 1)) return false;
    for (int i = at + 1; i < end; i++)
        if (class_at(in, i) != DD_CHAR_LOWER && class_at(in, i) != DD_CHAR_DIGIT) return false;
    return true;
}

/* `src/main.c`: names between slashes, the last with an ending; `and/or` has none. */
static int inner_path_end(const dd_unspaced *in, int at)
{
    int i = at, slash = at, stop = at;
    if (!is_word(in, at) || is_in_path(in, at - 1)) return at;
    for (; i - at <= LONGEST_DOMAIN && is_in_path(in, i) && code_at(in, i) != '\\'; i++) {
        if (code_at(in, i) == '/') slash = i;
        if (code_at(in, i) == '.' && is_word(in, i + 1)) stop = i;
    }
    while (i > at && is_closing(in, i - 1)) i--;
    return slash > at && stop > slash + 1 && is_ending(in, stop, i) ? i : at;
}

static bool is_in_joined(const dd_unspaced *in, int at)
{
    bool inner = is_one_of(code_at(in, at), ".-") && is_word(in, at - 1) && is_word(in, at + 1);
    return inner || is_word(in, at) || code_at(in, at) == '_';
}

/* `my_letter.doc`: words that an underscore joins. */
static int joined_end(const dd_unspaced *in, int at)
{
    bool joined = false;
    int i = at;
    if (!is_word(in, at)) return at;
    for (; i - at <= LONGEST_DOMAIN && is_in_joined(in, i); i++)
        joined = joined || (code_at(in, i) == '_' && is_word(in, i + 1));
    while (code_at(in, i - 1) == '_') i--;
    return joined ? i : at;
}

/* ---- short forms -------------------------------------------------------------------------- */

/* `w/`, `w/o`, `b/c`, `'n'`, alone between white space. */
static int short_end(const dd_unspaced *in, int at)
{
    int size = in->end - at;
    uint32_t first = code_at(in, at), third = code_at(in, at + 2);
    bool quoted =
        (first == '\'' || first == 0x2018 || first == 0x2019) && (third == '\'' || third == 0x2019);
    if (size == 2 && has(in, at, "w/")) return in->end;
    if (size == 3 && (has(in, at, "w/o") || has(in, at, "b/c"))) return in->end;
    return size == 3 && quoted && has(in, at + 1, "n") ? in->end : at;
}

/* `C++`, `g++`, `C#`; `A++` is a grade. */
static int language_end(const dd_unspaced *in, int at)
{
    int i = at;
    while (i - at < LONGEST_SCHEME && is_letter(in, i)) i++;
    bool grade = i == at + 1 && has(in, at, "a");
    if (i > at && !grade && has(in, i, "++") && code_at(in, i + 2) != '+')
        i += 2;
    else if (i == at + 1 && class_at(in, at) == DD_CHAR_UPPER && code_at(in, i) == '#')
        i++;
    else
        return at;
    return is_word(in, i) ? at : i;
}

/* ---- numbers ------------------------------------------------------------------------------ */

static int digits_end(const dd_unspaced *in, int at)
{
    while (class_at(in, at) == DD_CHAR_DIGIT) at++;
    return at;
}

enum { MOST_POINTS = 8 };

/* `2.0.1-rc3`, `v1.0b2`, `1.2-beta.1`: numbers with points between them, and a name. */
static int version_end(const dd_unspaced *in, int at)
{
    static const char *const names[] = {"alpha", "beta",     "dev",   "post", "pre",
                                        "rc",    "snapshot", "final", "a",    "b"};
    int i = digits_end(in, at + (has(in, at, "v") ? 1 : 0)), points = 0;
    while (points <= MOST_POINTS && code_at(in, i) == '.' && class_at(in, i + 1) == DD_CHAR_DIGIT) {
        i = digits_end(in, i + 1);
        points++;
    }
    if (points == 0 || points > MOST_POINTS) return at;
    if (is_one_of(code_at(in, i), "-+_.")) i++;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        int end = i + (int)strlen(names[n]);
        if (!has(in, i, names[n])) continue;
        if (is_one_of(code_at(in, end), ".-") && class_at(in, end + 1) == DD_CHAR_DIGIT) end++;
        int last = digits_end(in, end);
        bool numbered = last > end || strlen(names[n]) > 2;
        if (numbered && !is_word(in, last)) return last;
    }
    return at;
}

/* `0x1F` */
static int hexadecimal_end(const dd_unspaced *in, int at)
{
    int i = at + 2;
    if (!has(in, at, "0x")) return at;
    while (i < limit(in, at) && is_one_of(code_at(in, i), "0123456789abcdefABCDEF")) i++;
    return i > at + 2 && !is_word(in, i) ? i : at;
}

/* ---- all of them -------------------------------------------------------------------------- */

static int find_end(const dd_unspaced *in, int at)
{
    int end = dd_emoji_end(in, at);
    if (end > at) return end;
    if (at == in->start) end = short_end(in, at);
    if (end == at && (at == in->start || class_at(in, at - 1) == DD_CHAR_OPEN))
        end = path_end(in, at);
    if (end == at) end = dd_emoticon_end(in, at);
    if (end == at) end = bracket_end(in, at);
    if (end > at || is_word(in, at - 1)) return end;
    end = url_end(in, at);
    if (end == at) end = email_end(in, at);
    if (end == at) end = bare_url_end(in, at);
    if (end == at) end = doi_end(in, at);
    if (end == at) end = inner_path_end(in, at);
    if (end == at) end = version_end(in, at);
    if (end == at) end = hexadecimal_end(in, at);
    if (end == at) end = language_end(in, at);
    if (end == at) end = joined_end(in, at);
    return end == at ? name_end(in, at) : end;
}

int dd_whole_end(const dd_unspaced *in, int at)
{
    int end = find_end(in, at), most = limit(in, at);
    return end < most ? end : most;
}

bool dd_whole_is_likely(const dd_unspaced *in)
{
    for (int i = in->start; i < in->end; i++) {
        uint32_t code = in->chars->codes[i];
        if (code >= 0x2190 || code == 0xAF || code == 0x20E3 || code == 0x2019 ||
            is_one_of(code, "/\\@#:;=<>^_'"))
            return true;
        if (has(in, i, "www.") || has(in, i, "xd") || has(in, i, "++") || has(in, i, "0x"))
            return true;
        if (code == '.' && is_word(in, i - 1) && is_word(in, i + 1)) return true;
    }
    return false;
}
