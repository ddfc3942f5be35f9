/* Lists of tokens: patterns against the C library's, what a list may have, and what it does to the
 * pieces of a text. */
#include "segment_help.h"

#include "core/bits.h"
#include "core/random.h"
#include "segment/keep.h"

#include <regex.h>

static void decode(dd_chars *chars, dd_text text)
{
    *chars = (dd_chars){0};
    for (size_t at = 0; at < text.size;) {
        uint32_t code;
        bool broken;
        at += dd_char_decode(text.data + at, text.size - at, &code, &broken);
        assert_true(dd_chars_add(chars, code, (uint8_t)dd_char_classify(code), 0, 1));
    }
}

/* ---- patterns ---- */

/* Whether the pattern matches all of the text. */
static bool matches(const char *pattern, bool ignore_case, const char *text)
{
    dd_pattern *compiled;
    dd_chars chars;
    dd_lengths lengths = {0};
    dd_error error;
    size_t where;
    if (dd_pattern_compile(&compiled, text_of(pattern), ignore_case, &where, &error) != DD_OK)
        fail_msg("%s: byte %zu: %s", pattern, where, error.message);
    decode(&chars, text_of(text));
    dd_pattern_match(compiled, &chars, 0, chars.count, &lengths);
    bool found = dd_bits_has(lengths.bits, chars.count);
    dd_chars_free(&chars);
    dd_pattern_free(compiled);
    return found;
}

static void patterns_match_whole_tokens(void **state)
{
    static const struct {
        const char *pattern, *yes, *no;
    } rows[] = {
        {"abc", "abc", "abd"},
        {"a.c",
         "a\xC3\xA9"
         "c",
         "ac"},
        {"[ab]c", "bc", "cc"},
        {"[^ab]c", "cc", "ac"},
        {"[]a]", "]", "b"},
        {"[^]a]", "b", "]"},
        {"[a-]", "-", "b"},
        {"[\xC3\xA0-\xC3\xBF]", "\xC3\xA9", "e"},
        {"[[:upper:]x]+", "Ax\xC3\x89", "Ay"},
        {"[^[:digit:]]", "a", "\xD9\xA3"},
        {"\\d{3}", "12\xD9\xA3", "12"},
        {"\\w+", "a1_\xC3\xA9", "a-b"},
        {"[\\d.]+", "1.2", "1,2"},
        {"\\.\\*\\\\", ".*\\", "a"},
        {"a{2,3}", "aaa", "aaaa"},
        {"a{2,}", "aaaaa", "a"},
        {"(ab|c){2}", "abc", "ab"},
        {"(a?b?){3}c", "abbc", "bab"},
        {"(a{2}){2}", "aaaa", "aaa"},
        {"a{0,1}b", "b", "aab"},
        {"w/o?", "w/", "w"},
        {"[[:punct:]]+", "!?-$", "a"},
        {"[[:alnum:]]+[[:alpha:]][[:lower:]]", "1ab", "a1b"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!matches(rows[i].pattern, false, rows[i].yes)) fail_msg("%s", rows[i].pattern);
        if (matches(rows[i].pattern, false, rows[i].no)) fail_msg("%s, no", rows[i].pattern);
    }
    assert_true(matches("covid-\\d+", true, "COVID-19"));
    assert_true(matches("\xC3\xA9[a-z]", true, "\xC3\x89Q"));
    assert_true(matches("\xC3\x89[A-Z][[:lower:]]", true, "\xC3\xA9qX"));
    assert_false(matches("[^a]", true, "A"));
    assert_false(matches("covid", false, "COVID"));
}

/* A pattern over a, b and c; at most so deep. */
static void make_pattern(dd_random *random, dd_buffer *out, int depth)
{
    static const char *const atoms[] = {"a", "b", "c", ".", "[ab]", "[^a]"};
    static const char *const times[] = {"", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}"};
    uint32_t parts = 1 + dd_random_below(random, 3);
    for (uint32_t i = 0; i < parts; i++) {
        if (i > 0 && dd_random_below(random, 4) == 0) assert_true(dd_buffer_text(out, "|"));
        if (depth > 0 && dd_random_below(random, 3) == 0) {
            assert_true(dd_buffer_text(out, "("));
            make_pattern(random, out, depth - 1);
            assert_true(dd_buffer_text(out, ")"));
        } else {
            assert_true(dd_buffer_text(out, atoms[dd_random_below(random, 6)]));
        }
        assert_true(dd_buffer_text(out, times[dd_random_below(random, 10)]));
    }
}

/* The C library backtracks, and is right. */
static void compare(const char *pattern, dd_random *random)
{
    regex_t library;
    dd_buffer anchored = {0};
    assert_true(dd_buffer_printf(&anchored, "^(%s)$%c", pattern, '\0'));
    assert_int_equal(regcomp(&library, anchored.data, REG_EXTENDED | REG_NOSUB), 0);
    for (int i = 0; i < 30; i++) {
        char text[9] = "";
        int size = 1 + (int)dd_random_below(random, 8);
        for (int k = 0; k < size; k++) text[k] = (char)('a' + dd_random_below(random, 3));
        bool found = regexec(&library, text, 0, NULL, 0) == 0;
        if (matches(pattern, false, text) != found)
            fail_msg("/%s/ %s %s", pattern, found ? "matches" : "does not match", text);
    }
    regfree(&library);
    dd_buffer_free(&anchored);
}

static void patterns_agree_with_the_c_library(void **state)
{
    (void)state;
    dd_random random = {7};
    for (int i = 0; i < 2000; i++) {
        dd_buffer pattern = {0};
        make_pattern(&random, &pattern, 2);
        assert_true(dd_buffer_append(&pattern, "", 1));
        compare(pattern.data, &random);
        dd_buffer_free(&pattern);
    }
}

/* What takes others exponential time, or memory. */
static void hostile_patterns_are_refused_or_bounded(void **state)
{
    (void)state;
    dd_pattern *compiled;
    size_t where;
    assert_int_equal(dd_pattern_compile(&compiled, text_of("((((a{200}){200}){200}){200})"), false,
                                        &where, NULL),
                     DD_ERROR_FORMAT);
    char text[DD_PATTERN_LONGEST + 1] = "";
    memset(text, 'a', sizeof text - 1);
    assert_false(matches("(a*)*(a*)*(a|aa)*(a+)+b", false, text));
    assert_true(matches("(a*)*(a*)*(a|aa)*(a+)+", false, text));
}

/* ---- files ---- */

static void expect_refused(const char *lines, const char *message)
{
    dd_token_lists lists = {0};
    dd_error error = {.message = ""};
    assert_int_equal(dd_token_list_read(&lists.keep, "f", text_of(lines), &error), DD_ERROR_FORMAT);
    assert_string_equal(error.message, message);
    dd_token_lists_free(&lists);
}

static void mistakes_are_refused_with_their_place(void **state)
{
    (void)state;
    expect_refused("a\n\n  /b(/", "f:3: column 6: nothing to match");
    expect_refused("/b(c/", "f:1: column 3: the bracket is not closed");
    expect_refused("/\xC3\xA9)/", "f:1: column 3: no bracket was opened");
    expect_refused("/a{3,2}/", "f:1: column 3: not {N}, {N,} or {N,M} with numbers up to 255");
    expect_refused("/a{256}/", "f:1: column 3: not {N}, {N,} or {N,M} with numbers up to 255");
    expect_refused("/a{0}/", "f:1: column 3: not {N}, {N,} or {N,M} with numbers up to 255");
    expect_refused("/+a/", "f:1: column 2: nothing to repeat");
    expect_refused("/x(a|b|)*/", "f:1: column 8: nothing to match");
    expect_refused("/a\\/", "f:1: column 3: nothing after the backslash");
    expect_refused("/a\\q/", "f:1: column 3: a backslash must precede d, w, or a character that is "
                             "no letter or digit");
    expect_refused("/[z-a]/", "f:1: column 3: the range ends before it begins");
    expect_refused("/[a-\\d]/", "f:1: column 3: the range ends before it begins");
    expect_refused("/a\n", "f:1: column 1: no slash closes the pattern; a form that begins with a "
                           "slash is written with a backslash before it");
    expect_refused("/usr/bin", "f:1: column 6: only i may follow a pattern; a form that begins "
                               "with a slash is written with a backslash before it");
    expect_refused("New York", "f:1: column 4: a token has no white space");
    expect_refused("a\xC2\xA0z", "f:1: column 2: a token has no white space");
    expect_refused("\\", "f:1: column 2: nothing after the backslash");
    expect_refused("a\nb\xFF", "f:2: column 2: invalid UTF-8 (code point beyond U+10FFFF)");
    expect_refused("/(((((((((((((((((((((a/",
                   "f:1: column 22: brackets are nested more than 20 deep");
}

static void repeat(dd_buffer *out, const char *line, int times)
{
    for (int i = 0; i < times; i++) assert_true(dd_buffer_text(out, line));
    assert_true(dd_buffer_append(out, "", 1));
}

static void expect_bound(const char *line, int most, const char *message)
{
    dd_token_lists lists = {0};
    dd_buffer text = {0};
    dd_error error = {.message = ""};
    repeat(&text, line, most);
    dd_status status = dd_token_list_read(&lists.keep, "f", text_of(text.data), &error);
    if (status != DD_OK) fail_msg("%s", error.message);
    dd_token_lists_free(&lists);
    text.size--;
    repeat(&text, line, 1);
    status = dd_token_list_read(&lists.keep, "f", text_of(text.data), &error);
    assert_int_equal(status, DD_ERROR_FORMAT);
    assert_string_equal(strrchr(error.message, ':') + 2, message);
    dd_token_lists_free(&lists);
    dd_buffer_free(&text);
}

static void lists_are_bounded(void **state)
{
    (void)state;
    expect_bound("/a/\n", DD_LIST_PATTERNS, "more than 200 patterns");
    expect_bound("/a{100}/\n", DD_LIST_POSITIONS / 100,
                 "together they have more than 2000 characters to match");
    expect_bound("0123456789012345678901234567890\n", DD_LIST_BYTES / 32, "the list is too long");
}

static void lines_are_read_and_written(void **state)
{
    (void)state;
    dd_token_lists lists = {0}, second = {0};
    dd_buffer section = {0}, again = {0};
    const char *lines = "\xEF\xBB\xBF# no\n\n  \\#1 \r\n/a b/i\t\nx\nx\n";
    assert_int_equal(dd_token_list_read(&lists.keep, "f", text_of(lines), NULL), DD_OK);
    assert_int_equal(dd_token_list_count(&lists.keep), 3);
    assert_true(dd_token_lists_write(&lists, &section));
    assert_int_equal(dd_token_lists_read(&second, (dd_text){section.data, section.size}, NULL),
                     DD_OK);
    assert_true(dd_token_lists_write(&second, &again));
    assert_int_equal(section.size, again.size);
    assert_memory_equal(section.data, again.data, section.size);
    static const char kept[] = "\\#1\n/a b/i\nx\nx\n";
    assert_memory_equal(section.data + sizeof(uint64_t), kept, sizeof kept - 1);
    for (size_t size = 0; size < section.size; size++) {
        dd_token_lists less = {0};
        dd_error error;
        assert_int_equal(dd_token_lists_read(&less, (dd_text){section.data, size}, &error),
                         DD_ERROR_MODEL);
        dd_token_lists_free(&less);
    }
    dd_token_lists_free(&lists);
    dd_token_lists_free(&second);
    dd_buffer_free(&section);
    dd_buffer_free(&again);
}

/* ---- pieces ---- */

/* Cuts the text at `|`, which it leaves out, and where white space is; every piece ends a sentence.
 */
static void cut(dd_chars *chars, const char *marked, dd_segments *out)
{
    char text[2000] = "";
    size_t size = 0;
    for (const char *c = marked; *c; c++)
        if (*c != '|') text[size++] = *c;
    decode(chars, text_of(text));
    int at = 0, start = 0;
    for (const char *c = marked;; c++) {
        if (*c && *c != '|' && *c != ' ') {
            at += ((unsigned char)*c & 0xC0) != 0x80;
            continue;
        }
        if (at > start) assert_true(dd_segments_add(out, chars, NULL, start, at));
        at += *c == ' ';
        start = at;
        if (!*c) break;
    }
    for (int i = 0; i < out->count; i++) out->ends[i] = 1;
}

/* As `cut` takes it, but * behind listed pieces, and _ behind those that end no sentence. */
static void show(const dd_chars *chars, const dd_segments *segments, dd_buffer *out)
{
    for (int i = 0; i < segments->count; i++) {
        const dd_piece *piece = &segments->pieces[i];
        bool space = piece->start > 0 && chars->classes[piece->start - 1] == DD_CHAR_SPACE;
        if (i > 0) assert_true(dd_buffer_text(out, space ? " " : "|"));
        for (int k = piece->start; k < piece->end; k++)
            assert_true(dd_char_append(out, chars->codes[k]));
        if (piece->listed) assert_true(dd_buffer_text(out, "*"));
        if (!segments->ends[i]) assert_true(dd_buffer_text(out, "_"));
    }
    assert_true(dd_buffer_append(out, "", 1));
}

static void expect(const char *keep, const char *abbreviations, const char *pieces,
                   const char *expected)
{
    dd_token_lists lists = {0};
    dd_known_tokens known = {{NULL, &lists}};
    dd_chars chars;
    dd_segments segments = {0}, spare = {0};
    dd_buffer out = {0};
    assert_int_equal(dd_token_list_read(&lists.keep, "k", text_of(keep), NULL), DD_OK);
    assert_int_equal(dd_token_list_read(&lists.abbreviations, "a", text_of(abbreviations), NULL),
                     DD_OK);
    cut(&chars, pieces, &segments);
    assert_true(dd_keep_whole(&known, &chars, chars.count, &segments, &spare));
    show(&chars, &segments, &out);
    if (strcmp(out.data, expected) != 0) fail_msg("%s: %s, not %s", pieces, out.data, expected);
    dd_buffer_free(&out);
    dd_segments_free(&segments);
    dd_segments_free(&spare);
    dd_chars_free(&chars);
    dd_token_lists_free(&lists);
}

static void listed_tokens_are_joined(void **state)
{
    (void)state;
    expect("C++\nU.S.\n", "", "C|+|+ in U|.|S|.|,", "C++* in U.S.*|,");
    expect("a-b\na-b-c\n", "", "a|-|b|-|c", "a-b-c*");
    expect("cannot", "", "I cannot can|not", "I cannot* cannot*");
    expect("/\\w+n't/", "", "do|n't", "don't*");
    expect("a/b", "", "(|a|/|b)", "(|a/b*_|)");
}

static void they_begin_and_end_at_the_edge_of_a_word(void **state)
{
    (void)state;
    expect("US\nU.S.\n", "", "U|SA U|.|S|.|A|. AU|S", "U|SA U|.|S|.|A|. AU|S");
    expect("\xE4\xB8\xAD\xE5\x9B\xBD", "", "\xE5\x9C\xA8|\xE4\xB8\xAD|\xE5\x9B\xBD|\xE4\xBA\xBA",
           "\xE5\x9C\xA8|\xE4\xB8\xAD\xE5\x9B\xBD*|\xE4\xBA\xBA");
    expect("$", "", "$|5", "$*|5");
}

static void parts_of_a_token_are_left(void **state)
{
    (void)state;
    expect("mail", "vol.", "e-mail mail-order vol.-wise", "e-mail mail-order vol.-wise");
    expect("mail-x", "", "mail|-x-y|z", "mail-x*_|-y|z");
}

static void lists_come_before_other_rules(void **state)
{
    (void)state;
    expect("@a", "", "@|a @|ab", "@a* @ab");
    expect("\\#1", "", "#|1 :|)", "#1* :)");
}

static void no_sentence_ends_behind_an_abbreviation(void **state)
{
    (void)state;
    expect("", "Dr.\nvol", "Dr. X vol|. Y vol Z", "Dr.*_ X vol.*_ Y vol Z");
    expect("", "etc\n/[a-z]\\.[a-z]/i", "etc|...| e.|g|. Z.|B", "etc|... e.g.*_ Z.|B");
    expect("Dr.", "Dr.", "Dr|.", "Dr.*_");
    expect("", "p", "p|.|)| A", "p.*_|) A");
}

/* A thousand of them in a row. */
static void sentences_stay_bounded(void **state)
{
    (void)state;
    dd_token_lists lists = {0};
    dd_known_tokens known = {{&lists, NULL}};
    dd_chars chars = {0};
    dd_segments segments = {0}, spare = {0};
    enum { COUNT = 2500 };
    assert_int_equal(dd_token_list_read(&lists.abbreviations, "a", text_of("a."), NULL), DD_OK);
    for (int i = 0; i < COUNT; i++)
        for (const char *c = "a. "; *c; c++)
            assert_true(
                dd_chars_add(&chars, (uint32_t)*c, (uint8_t)dd_char_classify((uint32_t)*c), 0, 1));
    for (int i = 0; i < COUNT; i++)
        assert_true(dd_segments_add(&segments, &chars, NULL, 3 * i, 3 * i + 2));
    assert_true(dd_keep_whole(&known, &chars, chars.count, &segments, &spare));
    for (int i = 0; i < COUNT; i++) assert_int_equal(segments.ends[i], i % 1000 == 999);
    dd_segments_free(&segments);
    dd_segments_free(&spare);
    dd_chars_free(&chars);
    dd_token_lists_free(&lists);
}

static void given_tokens_are_marked(void **state)
{
    (void)state;
    dd_token_lists lists = {0};
    dd_known_tokens known = {{&lists, NULL}};
    dd_chars chars;
    dd_segments segments = {0};
    dd_buffer out = {0};
    assert_int_equal(dd_token_list_read(&lists.keep, "k", text_of("can't"), NULL), DD_OK);
    cut(&chars, "can't don't can't,", &segments);
    dd_keep_mark(&known, &chars, &segments);
    show(&chars, &segments, &out);
    assert_string_equal(out.data, "can't* don't can't,");
    dd_buffer_free(&out);
    dd_segments_free(&segments);
    dd_chars_free(&chars);
    dd_token_lists_free(&lists);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_whole_tokens),
        cmocka_unit_test(patterns_agree_with_the_c_library),
        cmocka_unit_test(hostile_patterns_are_refused_or_bounded),
        cmocka_unit_test(mistakes_are_refused_with_their_place),
        cmocka_unit_test(lists_are_bounded),
        cmocka_unit_test(lines_are_read_and_written),
        cmocka_unit_test(listed_tokens_are_joined),
        cmocka_unit_test(they_begin_and_end_at_the_edge_of_a_word),
        cmocka_unit_test(parts_of_a_token_are_left),
        cmocka_unit_test(lists_come_before_other_rules),
        cmocka_unit_test(no_sentence_ends_behind_an_abbreviation),
        cmocka_unit_test(sentences_stay_bounded),
        cmocka_unit_test(given_tokens_are_marked),
    };
    return cmocka_run_group_tests_name("token lists", tests, NULL, NULL);
}
