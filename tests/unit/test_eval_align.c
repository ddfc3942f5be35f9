/* Alignment by characters: hand-made cases, and random files against slow, obvious judges. */
#include "eval_text.h"

#include "core/random.h"
#include "eval/corpus.h"

/* Words as "a" or, for a multiword token, "abc=a+b+c"; several parted by spaces. */
static void add_words(dd_buffer *out, const char *list)
{
    char copy[512], *rest = copy;
    int id = 1;
    assert_true((size_t)snprintf(copy, sizeof copy, "%s", list) < sizeof copy);
    for (char *token; (token = strtok_r(rest, " ", &rest));) {
        char *parts = strchr(token, '=');
        if (parts) {
            int last = id;
            *parts++ = '\0';
            for (const char *at = parts; *at; at++) last += *at == '+';
            assert_true(dd_buffer_printf(out, "%d-%d %s\n", id, last, token));
        } else {
            parts = token;
        }
        for (char *word; (word = strtok_r(parts, "+", &parts)); id++)
            assert_true(dd_buffer_printf(out, "%d %s _ _ _ _ %d dep\n", id, word, id > 1));
    }
    assert_true(dd_buffer_text(out, "\n"));
    assert_true(dd_buffer_append(out, "", 1));
}

typedef struct aligned {
    dd_vocab vocab;
    dd_eval_corpus gold, system;
    dd_eval_alignment alignment;
} aligned;

static void read_words(dd_eval_corpus *corpus, dd_vocab *vocab, const char *list)
{
    dd_buffer compact = {0}, text = {0};
    add_words(&compact, list);
    eval_text(&text, compact.data);
    dd_reader *reader = eval_reader("words", &text, DD_FORMAT_CONLLU);
    dd_error error;
    dd_eval_options how;
    dd_eval_options_init(&how);
    assert_int_equal(dd_eval_corpus_read(corpus, vocab, reader, &how, &error), DD_OK);
    dd_reader_close(reader);
    dd_buffer_free(&compact);
    dd_buffer_free(&text);
}

static void align(aligned *out, const char *gold, const char *system)
{
    *out = (aligned){0};
    assert_true(dd_eval_vocab_init(&out->vocab));
    read_words(&out->gold, &out->vocab, gold);
    read_words(&out->system, &out->vocab, system);
    assert_int_equal(dd_eval_align(&out->alignment, &out->gold, &out->system, NULL), DD_OK);
}

static void aligned_free(aligned *all)
{
    dd_vocab_free(&all->vocab);
    dd_eval_corpus_free(&all->gold);
    dd_eval_corpus_free(&all->system);
    dd_eval_alignment_free(&all->alignment);
}

/* The system's word of each gold word, 1-based, as text: "1 2 - 3". */
static void expect(const char *gold, const char *system, const char *want)
{
    aligned all;
    char got[128] = "";
    size_t size = 0;
    align(&all, gold, system);
    for (size_t i = 0; i < all.gold.n_words; i++) {
        int partner = all.alignment.system_of[i];
        const char *space = i ? " " : "";
        size += (size_t)(partner < 0
                             ? snprintf(got + size, sizeof got - size, "%s-", space)
                             : snprintf(got + size, sizeof got - size, "%s%d", space, partner + 1));
    }
    assert_string_equal(got, want);
    aligned_free(&all);
}

static void plain_words_align_by_their_stretch(void **state)
{
    (void)state;
    expect("a b c", "a b c", "1 2 3");
    expect("ab c", "a b c", "- 3");
    expect("a bc d", "ab c d", "- - 3");
    expect("aa a", "a aa", "- -");
    expect("abcd e", "a b c d e", "- 5");
}

static void multiword_tokens_align_by_their_forms(void **state)
{
    (void)state;
    expect("del=de+el mar", "del mar", "- - 2");
    expect("del=de+el mar", "de l mar", "1 - 3");
    expect("del=DE+el mar", "del=de+EL mar", "1 2 3");
    expect("abc=a+b+c", "a b c", "1 2 3");
    expect("abc=a+b+c de=d+e", "a bcd=b+c+d e", "1 2 3 4 5");
    expect("x abc=q+r y", "x abc=r+q y", "1 - 2 4"); /* of two equal ways, the gold word is left */
    expect("ab=a+b cd=q+d", "ab=b+a cd=d+q", "- 1 - 3");
    expect("a bcd=q+r", "ab cd", "- - -");
    expect("ab=a+b c", "a bc", "1 - -");
    expect("ab=x+abcde cde", "abcde", "- - -");          /* what sticks out stays out */
    expect("ab=x+y cd=a+d", "ab=a+b cd=c+d", "- - - 4"); /* tokens that only touch */
    expect("x\u00A0y", "xy=xy+z", "1");                  /* spaces count within tokens only */
    expect("xy=x\u00A0y+z", "xy=xy+z", "- 2");
}

/* Plain words that begin before a multiword token stay out of its region, but one only: this is
 * what the official evaluation does, and it is kept because its numbers are to be met. */
static void the_second_word_before_a_multiword_token_goes_in(void **state)
{
    (void)state;
    expect("abc de=b+d", "a b c de", "- 2 -");
    expect("abc de=a+d", "a b c de", "- - -");
}

/* ---- random files ---- */

enum { CHARACTERS = 24, ROUNDS = 3000 };

/* Cuts the characters into words, and joins some runs of words to multiword tokens whose words are
 * those pieces. All characters differ, so a FORM tells its place. ends[i]: end of a word or 0. */
static void cut_at_random(dd_random *random, char *list, int *ends)
{
    int word = 0; /* start */
    char token[4 * CHARACTERS + 1] = "", parts[5 * CHARACTERS + 1] = "";
    *list = '\0';
    for (int at = 1; at <= CHARACTERS; at++) {
        bool cut = at == CHARACTERS || dd_random_below(random, 3) == 0;
        ends[word] = cut ? at : 0;
        if (!cut) continue;
        for (int i = word; i < at; i++) {
            size_t used = strlen(token);
            snprintf(token + used, sizeof token - used, "\xE4\xB8%c", 0x80 + i);
            used = strlen(parts);
            snprintf(parts + used, sizeof parts - used, "%s\xE4\xB8%c",
                     i == word && used ? "+" : "", 0x80 + i);
        }
        word = at;
        if (at < CHARACTERS && dd_random_below(random, 3) == 0) continue;
        strcat(strcat(list, token), strchr(parts, '+') ? "=" : " ");
        if (strchr(parts, '+')) strcat(strcat(list, parts), " ");
        token[0] = parts[0] = '\0';
    }
}

static int start_of(const int *ends, size_t word)
{
    int at = 0;
    while (word-- > 0) at = ends[at];
    return at;
}

/* Judge: with all characters different, two words are the same just if their pieces are. */
static void random_cuts_align_where_pieces_are_equal(void **state)
{
    (void)state;
    dd_random random = {7};
    for (int round = 0; round < ROUNDS; round++) {
        char gold[512], system[512];
        int left[CHARACTERS + 1] = {0}, right[CHARACTERS + 1] = {0};
        cut_at_random(&random, gold, left);
        cut_at_random(&random, system, right);
        aligned all;
        align(&all, gold, system);
        size_t same = 0;
        for (int at = 0; at < CHARACTERS; at++) same += left[at] && left[at] == right[at];
        assert_int_equal(all.alignment.matched, same);
        for (size_t i = 0; i < all.gold.n_words; i++) {
            int partner = all.alignment.system_of[i];
            if (partner < 0) continue;
            assert_int_equal(start_of(left, i), start_of(right, (size_t)partner));
            assert_int_equal(all.alignment.gold_of[partner], i);
        }
        aligned_free(&all);
    }
}

/* Judge: tries every way. */
static int longest_common(const char *left, const char *right)
{
    if (!*left || !*right) return 0;
    int skip_left = longest_common(left + 1, right), skip_right = longest_common(left, right + 1);
    int best = skip_left > skip_right ? skip_left : skip_right;
    int both = *left == *right ? 1 + longest_common(left + 1, right + 1) : 0;
    return both > best ? both : best;
}

static void letters_at_random(dd_random *random, char *letters, char *list)
{
    int count = 2 + (int)dd_random_below(random, 6);
    strcpy(list, "token=");
    for (int i = 0; i < count; i++) {
        letters[i] = (char)('a' + dd_random_below(random, 3));
        char part[3] = {letters[i], i + 1 < count ? '+' : '\0', '\0'};
        strcat(list, part);
    }
    letters[count] = '\0';
}

static void random_multiword_tokens_align_as_many_words_as_possible(void **state)
{
    (void)state;
    dd_random random = {11};
    for (int round = 0; round < ROUNDS; round++) {
        char gold[64], system[64], left[16], right[16];
        letters_at_random(&random, left, gold);
        letters_at_random(&random, right, system);
        aligned all;
        align(&all, gold, system);
        assert_int_equal(all.alignment.matched, longest_common(left, right));
        int last = -1;
        for (size_t i = 0; i < all.gold.n_words; i++) {
            int partner = all.alignment.system_of[i];
            if (partner < 0) continue;
            assert_true(partner > last);
            assert_int_equal(left[i], right[partner]);
            last = partner;
        }
        aligned_free(&all);
    }
}

/* Multiword tokens that overlap from one end of the file to the other make one large region. */
static void a_long_chain_of_multiword_tokens_is_one_region(void **state)
{
    (void)state;
    enum { TOKENS = 60 };
    char gold[512] = "", system[512] = "ab=a+b ";
    for (int i = 0; i < TOKENS / 2; i++) {
        strcat(gold, "abc=a+bc ");
        strcat(system, i + 1 < TOKENS / 2 ? "cab=c+ab " : "c");
    }
    aligned all;
    align(&all, gold, system);
    assert_int_equal(all.gold.n_words, TOKENS);
    assert_int_equal(all.alignment.matched, 1);
    aligned_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_words_align_by_their_stretch),
        cmocka_unit_test(multiword_tokens_align_by_their_forms),
        cmocka_unit_test(the_second_word_before_a_multiword_token_goes_in),
        cmocka_unit_test(random_cuts_align_where_pieces_are_equal),
        cmocka_unit_test(random_multiword_tokens_align_as_many_words_as_possible),
        cmocka_unit_test(a_long_chain_of_multiword_tokens_is_one_region),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
