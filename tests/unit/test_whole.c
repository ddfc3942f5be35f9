/* Stretches of text that stay whole: what they are, and that finding them takes linear time. */
#include "segment_help.h"

#include "segment/keep.h"

/* ---- the tokens of a text of which every character is a token, and what is kept ---- */

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

/* Cuts at each character if `fine` is set, else only at white space. */
static void cut(const dd_chars *chars, bool fine, dd_segments *out)
{
    int start = 0;
    for (int i = 0; i < chars->count; i++) {
        bool space = chars->classes[i] == DD_CHAR_SPACE;
        bool last = i + 1 == chars->count || chars->classes[i + 1] == DD_CHAR_SPACE;
        if (!space && (fine || last)) assert_true(dd_segments_add(out, chars, NULL, start, i + 1));
        if (space || fine || last) start = i + 1;
    }
}

/* The tokens of more than one character if it was cut everywhere, with | between them. */
static void kept(const char *text, dd_buffer *out)
{
    dd_chars chars;
    dd_segments segments = {0}, spare = {0};
    decode(&chars, text_of(text));
    cut(&chars, true, &segments);
    assert_true(dd_keep_whole(&(dd_known_tokens){0}, &chars, chars.count, &segments, &spare));
    for (int i = 0; i < segments.count; i++) {
        const dd_piece *piece = &segments.pieces[i];
        if (piece->end - piece->start < 2) continue;
        assert_true(out->size == 0 || dd_buffer_append(out, "|", 1));
        for (int k = piece->start; k < piece->end; k++)
            assert_true(dd_char_append(out, chars.codes[k]));
    }
    assert_true(dd_buffer_append(out, "", 1));
    dd_segments_free(&segments);
    dd_segments_free(&spare);
    dd_chars_free(&chars);
}

static void expect(const char *text, const char *expected)
{
    dd_buffer out = {0};
    kept(text, &out);
    if (strcmp(out.data, expected) != 0) fail_msg("%s: %s, not %s", text, out.data, expected);
    dd_buffer_free(&out);
}

/* How many tokens there are if it was cut only at white space. */
static void expect_pieces(const char *text, int count)
{
    dd_chars chars;
    dd_segments segments = {0}, spare = {0};
    decode(&chars, text_of(text));
    cut(&chars, false, &segments);
    assert_true(dd_keep_whole(&(dd_known_tokens){0}, &chars, chars.count, &segments, &spare));
    assert_int_equal(segments.count, count);
    dd_segments_free(&segments);
    dd_segments_free(&spare);
    dd_chars_free(&chars);
}

static void addresses(void **state)
{
    (void)state;
    expect("https://t.co/abc123", "https://t.co/abc123");
    expect("(see https://en.wikipedia.org/wiki/Oak_(tree)).",
           "https://en.wikipedia.org/wiki/Oak_(tree)");
    expect("'http://a.org/x?q=1&r=%20#top', ftp://b.org/",
           "http://a.org/x?q=1&r=%20#top|ftp://b.org/");
    expect("<http://a.org> www.a.org! WWW.B.ORG/1", "http://a.org|www.a.org|WWW.B.ORG/1");
    expect("example.org/x1, and/or a.b/c 1/2 he.said/she", "example.org/x1");
    expect("john+news@my-site.co.uk.", "john+news@my-site.co.uk");
    expect("(foo-bar@example.com) franz371...@gmail.com",
           "foo-bar@example.com|franz371...@gmail.com");
    expect("mailto:a.b@c.de a@b @ www. ://x http:// 3:4", "a.b@c.de");
    expect_pieces("<a@b.org>; <a@b.org> (<a@b.org>,", 12);
    expect_pieces("<b>; a@b.org> <a@b.org x>;", 6);
    expect("\xE8\xA7\x81https://a.org/b\xE3\x80\x82", "https://a.org/b");
    /* a wide full stop and a comma, and what follows without a space */
    expect("https://a.org/b\xE3\x80\x82@ann https://a.org/c\xEF\xBC\x8C"
           "d",
           "https://a.org/b|@ann|https://a.org/c");
    expect("(example.com) AMAZON.CO.UK, news.example.org. Oak-Trees.pdf)(see b.html no.then no.Com "
           "@x.com",
           "example.com|news.example.org|Oak-Trees.pdf|b.html");
    expect("doi:10.1000/xyz123. 10.5/2 10.100/a (10.1145/3.4)", "10.1000/xyz123|10.1145/3.4");
}

static void names_and_tags(void **state)
{
    (void)state;
    expect("@jack_99: #NLProc2024 (#tag) #1 #100days", "@jack_99|#NLProc2024|#tag|#100days");
    expect("a@b c#d @ # @1 @x.com @ab@c", "");
    expect("@dev-team! @a- #a-b (@ann@example.social)", "@dev-team|@a|#a|@ann@example.social");
    expect("#\xE5\xBE\xAE\xE5\x8D\x9A", ""); /* without spaces a tag has no end */
}

static void paths(void **state)
{
    (void)state;
    expect("/usr/local/bin/foo2, ~/x.txt ../a (C:\\Users\\me\\file.txt)",
           "/usr/local/bin/foo2|~/x.txt|../a|C:\\Users\\me\\file.txt");
    expect("and/or / /s 1/2/2024 ./ ...", "");
    expect("Lisa_resume.doc, budget_v2.1.xlsx. my__name_ (a_b)",
           "Lisa_resume.doc|budget_v2.1.xlsx|my__name|a_b");
    expect("_so_ a_ _ a.b-c", "");
    expect("src/text/io.c. (docs/a.md) a/b/c.tar.gz; src/x.7z c/o St. and/or.Then 1/2.5",
           "src/text/io.c|docs/a.md|a/b/c.tar.gz");
}

static void versions_and_hexadecimals(void **state)
{
    (void)state;
    expect("2.0.1-rc3, v1.0b2 (3.11.0a1) 1.2.3-beta.1 2.5-SNAPSHOT.",
           "2.0.1-rc3|v1.0b2|3.11.0a1|1.2.3-beta.1|2.5-SNAPSHOT");
    expect("10.30am 10.30a 2.5 3-rc1 1.5kg 2.0bar 1.2b3c", "");
    expect("0x1F, 0xdeadbeef. 0x 0xyz 10x5", "0x1F|0xdeadbeef");
}

static void emoji(void **state)
{
    (void)state;
    expect("\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD", "\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD"); /* skin tone */
    expect("\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7",
           "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"); /* family */
    expect("\xF0\x9F\x87\xB8\xF0\x9F\x87\xAA\xF0\x9F\x87\xA9\xF0\x9F\x87\xB0",
           "\xF0\x9F\x87\xB8\xF0\x9F\x87\xAA|\xF0\x9F\x87\xA9\xF0\x9F\x87\xB0"); /* two flags */
    expect("1\xEF\xB8\x8F\xE2\x83\xA3", "1\xEF\xB8\x8F\xE2\x83\xA3");            /* keycap */
    expect("\xE2\x9D\xA4\xEF\xB8\x8F", "\xE2\x9D\xA4\xEF\xB8\x8F");              /* red heart */
    expect_pieces("LOT\xE2\x98\x95\xE2\x98\x95\xE2\xAD\x90", 4); /* coffee twice, a star */
    expect_pieces("\xE2\x86\x92\xE2\x86\x92", 1);                /* arrows */
    expect("\xE2\x80\x8D\xF0\x9F\x87\xB8", "");                  /* a joiner and half a flag */
}

static void emoticons(void **state)
{
    (void)state;
    expect(":-) :) ;) :( =D :'( :-/ :P :D", ":-)|:)|;)|:(|=D|:'(|:-/|:P|:D");
    expect("happy:) nice:-).", ":)|:-)");
    expect(">:( >:-) a>:b >:x", ">:(|>:-)");
    expect("<3 <333 </3 ^_^ xD \\o/ o_O", "<3|<333|</3|^_^|xD|\\o/|o_O");
    expect("\xC2\xAF\\_(\xE3\x83\x84)_/\xC2\xAF", "\xC2\xAF\\_(\xE3\x83\x84)_/\xC2\xAF");
    expect("(note:) 10:30 a:b :Dear <30 http:/ 3:) xDrive", "");
}

static void short_forms(void **state)
{
    (void)state;
    expect("w/ w/o b/c b/cd 'n' \xE2\x80\x99n\xE2\x80\x99 w/x 'no'",
           "w/|w/o|b/c|'n'|\xE2\x80\x99n\xE2\x80\x99");
}

static void languages(void **state)
{
    (void)state;
    expect("(C/C++), g++ Notepad++ C# F#.", "C++|g++|Notepad++|C#|F#");
    expect("1++ A++ A+++ C++11 a#b ab# C#4 +", "");
}

static void pictures_are_told_from_words(void **state)
{
    (void)state;
    static const char *const yes[] = {"xD", ":-)", "<3", "\xF0\x9F\x91\x8D",
                                      "8\xEF\xB8\x8F\xE2\x83\xA3"};
    static const char *const no[] = {"", "a", "x", ".", ":", "8", "xD.", "http://x.org", "\xFF"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(dd_is_picture(text_of(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_false(dd_is_picture(text_of(no[i])));
}

/* ---- pieces and sentence ends ---- */

static void pieces_are_joined_and_cut_at_the_edges(void **state)
{
    (void)state;
    dd_chars chars;
    dd_segments segments = {0}, spare = {0};
    decode(&chars, text_of("great\xF0\x9F\x91\x8D (a@b.org)! x"));
    cut(&chars, false, &segments);
    segments.ends[0] = segments.ends[1] = segments.ends[2] = 1;
    assert_true(dd_keep_whole(&(dd_known_tokens){0}, &chars, chars.count, &segments, &spare));
    static const int expected[][3] = {{0, 5, 0},  {5, 6, 1},   {7, 8, 0},
                                      {8, 15, 0}, {15, 17, 1}, {18, 19, 1}};
    assert_int_equal(segments.count, 6);
    for (int i = 0; i < segments.count; i++) {
        assert_int_equal(segments.pieces[i].start, expected[i][0]);
        assert_int_equal(segments.pieces[i].end, expected[i][1]);
        assert_int_equal(segments.ends[i], expected[i][2]);
    }
    dd_segments_free(&segments);
    dd_segments_free(&spare);
    dd_chars_free(&chars);
}

/* Behind `> ` comes a small letter, and then a capital. */
static void no_sentence_ends_before_wrote(void **state)
{
    (void)state;
    dd_chars chars;
    dd_segments segments = {0}, spare = {0};
    decode(&chars, text_of("Ann <a@b.org> wrote <a@b.org> Yes"));
    cut(&chars, true, &segments);
    memset(segments.ends, 1, (size_t)segments.count);
    assert_true(dd_keep_whole(&(dd_known_tokens){0}, &chars, chars.count, &segments, &spare));
    int brackets = 0;
    for (int i = 0; i < segments.count; i++)
        if (chars.codes[segments.pieces[i].start] == '>')
            assert_int_equal(segments.ends[i], brackets++);
    assert_int_equal(brackets, 2);
    dd_segments_free(&segments);
    dd_segments_free(&spare);
    dd_chars_free(&chars);
}

/* Cut everywhere and ended behind the character `at`: where does the sentence end? */
static int end_behind(const char *text, int at)
{
    dd_chars chars;
    dd_segments segments = {0};
    int found = -1;
    decode(&chars, text_of(text));
    cut(&chars, true, &segments);
    for (int i = 0; i < segments.count; i++) segments.ends[i] = segments.pieces[i].end == at;
    dd_keep_marks(&chars, chars.count, &segments);
    for (int i = 0; i < segments.count; i++)
        if (segments.ends[i]) {
            assert_int_equal(found, -1);
            found = segments.pieces[i].end;
        }
    dd_segments_free(&segments);
    dd_chars_free(&chars);
    return found;
}

static void sentences_end_behind_their_marks(void **state)
{
    (void)state;
    assert_int_equal(end_behind("No!!! He", 3), 5);
    assert_int_equal(end_behind("No.\") He", 3), 5);
    assert_int_equal(end_behind("No?''", 3), 5);
    assert_int_equal(end_behind("No. \"He", 3), 3);
    assert_int_equal(end_behind("No.\"He", 3), 3); /* it may open a quotation */
    assert_int_equal(end_behind("No He", 2), 2);
    assert_int_equal(end_behind("No-he", 3), -1); /* no white space follows */
    assert_int_equal(end_behind("No,he", 3), -1);
    assert_int_equal(end_behind("No3He", 3), 3);
    assert_int_equal(end_behind("$5-$10", 2), -1);
    assert_int_equal(end_behind("No.He", 3), 3);
    assert_int_equal(end_behind("\xE5\xAD\xB8\xE4\xB8\x80", 1), 1);
    assert_int_equal(end_behind("No!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!! He", 3), 3);
}

/* Half a million characters in one run, of which nearly everything begins: if that took quadratic
 * time, nobody would wait for it. Every character is in one piece. */
static void long_runs_take_linear_time(void **state)
{
    (void)state;
    static const char *const parts[] = {"a@",
                                        "http://",
                                        "www.",
                                        "(",
                                        ":",
                                        "a.",
                                        "@",
                                        "#",
                                        "/a",
                                        "\\",
                                        "\xF0\x9F\x87\xB8",
                                        "\xE2\x80\x8D",
                                        "\xFF",
                                        "1\xEF\xB8\x8F",
                                        "x'd",
                                        "1.",
                                        "1.b",
                                        "a/",
                                        "a/b.",
                                        "0x"};
    enum { SIZE = 1 << 19 };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        dd_buffer text = {0};
        dd_chars chars;
        dd_segments segments = {0}, spare = {0};
        while (text.size < SIZE) assert_true(dd_buffer_text(&text, parts[i]));
        decode(&chars, (dd_text){text.data, text.size});
        cut(&chars, i % 2, &segments);
        assert_true(dd_keep_whole(&(dd_known_tokens){0}, &chars, chars.count, &segments, &spare));
        int at = 0;
        for (int k = 0; k < segments.count; k++) {
            assert_int_equal(segments.pieces[k].start, at);
            at = segments.pieces[k].end;
        }
        assert_int_equal(at, chars.count);
        dd_segments_free(&segments);
        dd_segments_free(&spare);
        dd_chars_free(&chars);
        dd_buffer_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses),
        cmocka_unit_test(names_and_tags),
        cmocka_unit_test(paths),
        cmocka_unit_test(versions_and_hexadecimals),
        cmocka_unit_test(languages),
        cmocka_unit_test(no_sentence_ends_before_wrote),
        cmocka_unit_test(sentences_end_behind_their_marks),
        cmocka_unit_test(emoji),
        cmocka_unit_test(emoticons),
        cmocka_unit_test(short_forms),
        cmocka_unit_test(pictures_are_told_from_words),
        cmocka_unit_test(pieces_are_joined_and_cut_at_the_edges),
        cmocka_unit_test(long_runs_take_linear_time),
    };
    return cmocka_run_group_tests_name("whole", tests, NULL, NULL);
}
