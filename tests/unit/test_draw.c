/* Drawings: no two arcs or labels in each other's way, whatever the tree; and what each format has
 * to escape. The pictures themselves are compared in tests/cli/test_draw.sh. */
#include "text_help.h"

#include "core/random.h"
#include "draw/drawing.h"
#include "draw/picture.h"

enum { MOST_WORDS = 60 };

#define LONG_WORD "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

/* ---- random trees ------------------------------------------------------------------------- */

typedef struct tree {
    int n;
    int heads[MOST_WORDS + 1];
} tree;

/* Words first..last become one subtree, each part beside its root another one below it. */
static void grow(tree *t, dd_random *random, int first, int last, int head)
{
    if (first > last) return;
    int root = first + (int)dd_random_below(random, (uint32_t)(last - first + 1));
    t->heads[root] = head;
    for (int from = first; from < root;) {
        int to = from + (int)dd_random_below(random, (uint32_t)(root - from));
        grow(t, random, from, to, root);
        from = to + 1;
    }
    for (int from = root + 1; from <= last;) {
        int to = from + (int)dd_random_below(random, (uint32_t)(last - from + 1));
        grow(t, random, from, to, root);
        from = to + 1;
    }
}

/* Any heads at all: crossing arcs, cycles, several roots, unknown heads. */
static void scatter(tree *t, dd_random *random)
{
    for (int word = 1; word <= t->n; word++) {
        do t->heads[word] = (int)dd_random_below(random, (uint32_t)t->n + 2) - 1;
        while (t->heads[word] == word);
    }
}

/* DEPS and MISC: any heads, among them nodes that there are not, and the node itself. */
static void add_deps(dd_buffer *text, dd_random *random, int n)
{
    uint32_t count = dd_random_below(random, 3);
    for (uint32_t i = 0; i < count; i++) {
        int head = 1 + (int)dd_random_below(random, (uint32_t)n);
        assert_true(dd_buffer_printf(text, dd_random_below(random, 4) ? "%s%d:conj" : "%s%d.1:dep",
                                     i ? "|" : "", head));
    }
    assert_true(dd_buffer_text(text, count ? "\t_\n" : "_\t_\n"));
}

static dd_sentence *sentence_of(const tree *t, dd_random *random)
{
    static const char *const forms[] = {"a",      "of",       "word", LONG_WORD,
                                        "日本語", "اَلخَارِجِيَّةِ", "n'",   "."};
    static const char *const labels[] = {"_", "a", "det", "nsubj:pass", "acl:relcl", "依存"};
    dd_buffer text = {0};
    int token = 0; /* where the last multiword token ends */
    for (int word = 1; word <= t->n; word++) {
        if (word > token && word + 2 <= t->n && dd_random_below(random, 5) == 0) {
            token = word + 1 + (int)dd_random_below(random, 2);
            assert_true(dd_buffer_printf(&text, "%d-%d\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n", word, token,
                                         forms[dd_random_below(random, 8)]));
        }
        assert_true(dd_buffer_printf(&text, "%d\t%s\t_\t%s\t_\t_\t", word,
                                     forms[dd_random_below(random, 8)], word % 3 ? "NOUN" : "_"));
        assert_true(t->heads[word] < 0 ? dd_buffer_text(&text, "_")
                                       : dd_buffer_printf(&text, "%d", t->heads[word]));
        assert_true(dd_buffer_printf(&text, "\t%s\t", labels[dd_random_below(random, 6)]));
        add_deps(&text, random, t->n);
        if (dd_random_below(random, 10) == 0) {
            assert_true(dd_buffer_printf(&text, "%d.1\tgone\t_\t_\t_\t_\t_\t_\t", word));
            add_deps(&text, random, t->n);
        }
    }
    assert_true(dd_buffer_append(&text, "\n", 2));
    dd_sentence *sentence = read_first(text.data, DD_FORMAT_CONLLU);
    dd_buffer_free(&text);
    return sentence;
}

/* ---- what must hold ----------------------------------------------------------------------- */

typedef struct box {
    int from, to; /* the first unit behind it */
} box;

static bool apart(box a, box b)
{
    return a.to <= b.from || b.to <= a.from;
}

static box label_box(const dd_drawn *layout, const dd_segment *segment)
{
    return (box){segment->label, segment->label + layout->ends[segment->arc].label_width};
}

/* What a segment takes of its level. */
static box segment_box(const dd_drawn *layout, const dd_segment *segment)
{
    if (dd_is_stem(&layout->ends[segment->arc])) {
        box label = label_box(layout, segment);
        if (label.from < label.to) return label;
    }
    return (box){segment->left, segment->right + layout->metrics->thickness};
}

static void check_slots(const dd_drawn *layout, const dd_drawn_row *row)
{
    for (int word = row->first; word <= row->last; word++) {
        const dd_slot *slot = &layout->slots[word];
        assert_true(slot->x >= 0 && slot->x + slot->width <= row->width);
        if (word > row->first)
            assert_true(slot[-1].x + slot[-1].width + layout->metrics->word_gap <= slot->x);
    }
    assert_true(row->width <= layout->width);
}

/* A token has room for its form, and is whole if it can be. */
static void check_tokens(const dd_drawn *layout)
{
    const dd_picture *picture = layout->picture;
    for (int i = 0; i < picture->n_spans; i++) {
        const dd_drawn_span *token = &picture->spans[i];
        const dd_slot *first = &layout->slots[token->first], *last = &layout->slots[token->last];
        assert_int_equal(token->level, 1);
        if (first->row != last->row) {
            assert_int_equal(layout->rows[first->row].first, token->first);
            continue;
        }
        int label = layout->metrics->label_width(dd_picture_text(picture, token->label));
        assert_true(last->x + last->width - first->x >= label + 2 * layout->metrics->thickness);
    }
}

static void check_segment(const dd_drawn *layout, const dd_drawn_row *row,
                          const dd_segment *segment)
{
    const dd_arc_ends *ends = &layout->ends[segment->arc];
    box label = label_box(layout, segment), whole = segment_box(layout, segment);
    assert_true(segment->level >= 1 && segment->level <= row->levels[ends->side]);
    assert_int_equal(segment->open_left, ends->left < row->first);
    assert_int_equal(segment->open_right, ends->right > row->last);
    assert_true(whole.from >= 0 && whole.to <= row->width + layout->metrics->thickness);
    if (dd_is_stem(ends)) {
        const dd_slot *slot = &layout->slots[ends->left];
        assert_true(label.from >= slot->x && label.to <= slot->x + slot->width);
    } else if (label.from < label.to) {
        assert_true(label.from >= segment->left + layout->metrics->label_side - 1);
        assert_true(label.to <= whole.to - layout->metrics->label_side + 1);
    }
}

static int side_of(const dd_drawn *layout, const dd_segment *segment)
{
    return layout->ends[segment->arc].side;
}

/* Neither lines nor labels of one level meet. */
static void check_pair(const dd_drawn *layout, const dd_segment *a, const dd_segment *b)
{
    if (a->level != b->level || side_of(layout, a) != side_of(layout, b)) return;
    assert_true(apart(segment_box(layout, a), segment_box(layout, b)));
    assert_true(apart(label_box(layout, a), label_box(layout, b)));
}

/* In a projective tree no leg comes down through a label, or through another arc at all. */
static void check_crossing(const dd_drawn *layout, const dd_segment *low, const dd_segment *high)
{
    if (side_of(layout, low) == DD_BELOW || side_of(layout, high) == DD_BELOW) return;
    if (high->level <= low->level || dd_is_stem(&layout->ends[low->arc])) return;
    bool left = !high->open_left && high->left >= low->left && high->left <= low->right;
    bool right = !high->open_right && high->right >= low->left && high->right <= low->right;
    assert_false(left || right);
}

static void check_ports(const dd_drawn *layout)
{
    for (int a = 0; a < layout->picture->n_arcs; a++) {
        const dd_arc_ends *one = &layout->ends[a];
        for (int b = 0; b < a; b++) {
            const dd_arc_ends *other = &layout->ends[b];
            if (one->side != other->side) continue;
            assert_false(one->left == other->left && one->left_port == other->left_port);
            assert_false(one->right == other->right && one->right_port == other->right_port);
            assert_false(one->left == other->right && one->left_port == other->right_port);
        }
    }
}

static void check_layout(const dd_drawn *layout, bool projective)
{
    int next = 1, segments = 0;
    check_ports(layout);
    check_tokens(layout);
    for (int r = 0; r < layout->n_rows; r++) {
        const dd_drawn_row *row = &layout->rows[r];
        assert_int_equal(row->first, next);
        next = row->last + 1;
        check_slots(layout, row);
        if (layout->most && row->last > row->first) assert_true(row->width <= layout->most);
        assert_int_equal(row->segments, segments);
        segments += row->n_segments;
        for (int s = row->segments; s < segments; s++) {
            check_segment(layout, row, &layout->segments[s]);
            for (int t = row->segments; t < segments; t++) {
                if (t < s) check_pair(layout, &layout->segments[s], &layout->segments[t]);
                if (projective && t != s)
                    check_crossing(layout, &layout->segments[s], &layout->segments[t]);
            }
        }
    }
    assert_int_equal(next, layout->picture->n + 1);
    assert_int_equal(segments, layout->n_segments);
}

static void check_tree(const tree *t, const tree *gold, dd_random *random, bool projective)
{
    static const int widths[2][3] = {{0, 40, 100}, {0, 300, 1000}};
    dd_draw_options options;
    dd_draw_options_init(&options);
    dd_sentence *sentence = sentence_of(t, random),
                *right = gold ? sentence_of(gold, random) : NULL;
    dd_picture picture = {0};
    dd_drawn layout = {0};
    assert_int_equal(dd_picture_set(&picture, &options, sentence, right, NULL), DD_OK);
    for (int i = 0; i < 6; i++) {
        const dd_metrics *metrics = i < 3 ? &dd_text_metrics : &dd_svg_metrics;
        assert_true(dd_drawn_set(&layout, &picture, metrics, widths[i / 3][i % 3]));
        check_layout(&layout, projective);
    }
    dd_drawn_free(&layout);
    dd_picture_free(&picture);
    dd_sentence_free(sentence);
    dd_sentence_free(right);
}

static void projective_trees(void **state)
{
    (void)state;
    dd_random random = {1};
    for (int round = 0; round < 300; round++) {
        tree t = {.n = 1 + (int)dd_random_below(&random, MOST_WORDS)};
        grow(&t, &random, 1, t.n, 0);
        check_tree(&t, NULL, &random, true);
    }
}

static void any_heads(void **state)
{
    (void)state;
    dd_random random = {2};
    for (int round = 0; round < 300; round++) {
        tree t = {.n = 1 + (int)dd_random_below(&random, MOST_WORDS)};
        tree gold = t;
        scatter(&t, &random);
        grow(&gold, &random, 1, gold.n, 0);
        check_tree(&t, round % 2 ? &gold : NULL, &random, false);
    }
}

/* ---- measures ----------------------------------------------------------------------------- */

static void columns(void **state)
{
    (void)state;
    assert_int_equal(dd_text_columns(text_of("")), 0);
    assert_int_equal(dd_text_columns(text_of("abc")), 3);
    assert_int_equal(dd_text_columns(text_of("日本")), 4);
    assert_int_equal(dd_text_columns(text_of("e\u0301te\u0301")), 3);
    assert_int_equal(dd_text_columns(text_of("اَلخَطَرِ")), 5);
    assert_true(dd_text_direction(text_of("اَلخَطَرِ 12")) > 0);
    assert_true(dd_text_direction(text_of("abc")) < 0);
    assert_int_equal(dd_text_direction(text_of("12 .")), 0);
    assert_true(dd_text_pixels(text_of("mmm"), 10) > dd_text_pixels(text_of("iii"), 10));
}

static void printable(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        int most;
    } cases[] = {
        {"plain", "plain", 10},
        {"a\tb\x1b[2Jc\x7f", "a�b�[2Jc�", 20},
        {"\xC2\x85\u202e\u2066\u200f\u2028\ufdd0\uffff", "�������", 20},
        {"نمی\u200cخواهم", "نمی\u200cخواهم", 20},
        {"abcdef", "abc…", 4},
        {"日本語", "日…", 4},
        {"e\u0301e\u0301e\u0301", "e\u0301…", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_buffer out = {0};
        assert_true(dd_text_printable(&out, text_of(cases[i].text), cases[i].most));
        assert_text(((dd_text){out.data, out.size}), cases[i].expected);
        dd_buffer_free(&out);
    }
}

/* ---- the interface ------------------------------------------------------------------------ */

static void draw_all(const char *text, const char *gold_text, dd_status expected,
                     const char *message)
{
    dd_sentence *sentence = read_first(text, DD_FORMAT_CONLLU);
    dd_sentence *gold = gold_text ? read_first(gold_text, DD_FORMAT_CONLLU) : NULL;
    for (int format = DD_DRAW_TEXT; format <= DD_DRAW_DOT; format++) {
        dd_draw_options options;
        dd_draw_options_init(&options);
        options.format = (dd_draw_format)format;
        dd_drawing *drawing;
        dd_text out;
        dd_error error = {.message = ""};
        assert_int_equal(dd_drawing_new(&drawing, &options, &error), DD_OK);
        assert_int_equal(dd_draw(drawing, sentence, gold, &out, &error), expected);
        if (message) assert_non_null(strstr(error.message, message));
        dd_drawing_free(drawing);
    }
    dd_sentence_free(sentence);
    dd_sentence_free(gold);
}

#define LINE(id, form, head) id "\t" form "\t_\t_\t_\t_\t" head "\tdep\t_\t_\n"

static void refused(void **state)
{
    (void)state;
    draw_all(LINE("1", "a", "0") "\n", LINE("1", "a", "0") "\n", DD_OK, NULL);
    draw_all(LINE("1", "a", "1") "\n", NULL, DD_ERROR_DATA, "word 1 is its own head");
    draw_all(LINE("1", "a", "0") "\n", LINE("1", "b", "0") "\n", DD_ERROR_DATA,
             "word 1 differs from the gold sentence's");
    draw_all(LINE("1", "a", "0") "\n", LINE("1", "a", "0") LINE("2", "b", "1") "\n", DD_ERROR_DATA,
             "1 words, but 2 in the gold sentence");
    draw_all("# constraint = arc 7 _ 1\n" LINE("1", "a", "0") "\n", NULL, DD_ERROR_DATA,
             "constraint 'arc 7 _ 1': there is no such word");
    draw_all("# constraint = nonsense\n" LINE("1", "a", "0") "\n", NULL, DD_ERROR_DATA,
             "constraint 'nonsense'");
    draw_all("# constraint = span 1 1 any\n# constraint = span 1 1 any\n" LINE("1", "a", "0") "\n",
             NULL, DD_OK, NULL);
}

static void bad_options(void **state)
{
    (void)state;
    dd_draw_options wrong[] = {
        {.format = (dd_draw_format)99},        {.format = DD_DRAW_TEXT, .width = 39},
        {.format = DD_DRAW_SVG, .width = 299}, {.width = -1},
        {.width = DD_DRAW_MAX_WIDTH + 1},      {.direction = (dd_draw_direction)3},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dd_drawing *drawing;
        wrong[i].size = sizeof wrong[i];
        assert_int_equal(dd_drawing_new(&drawing, &wrong[i], NULL), DD_ERROR_ARGUMENT);
    }
    dd_drawing_free(NULL);
}

/* The longest that is drawn, as a star: every arc passes over all rows in between. */
static void long_sentences(void **state)
{
    (void)state;
    for (int n = 300; n <= DD_DRAW_MAX_WORDS + 1; n = n == 300 ? 1000 : DD_DRAW_MAX_WORDS + 1) {
        dd_buffer text = {0};
        for (int word = 1; word <= n; word++)
            assert_true(
                dd_buffer_printf(&text, "%d\tw\t_\t_\t_\t_\t%d\tdep\t_\t_\n", word, word > 1));
        assert_true(dd_buffer_append(&text, "\n", 2));
        dd_sentence *sentence = read_first(text.data, DD_FORMAT_CONLLU);
        dd_drawing *drawing;
        dd_text out;
        assert_int_equal(dd_drawing_new(&drawing, NULL, NULL), DD_OK);
        assert_int_equal(dd_draw(drawing, sentence, NULL, &out, NULL),
                         n > DD_DRAW_MAX_WORDS ? DD_ERROR_DATA : DD_OK);
        if (n == 300) assert_true(out.size < 4 << 20);
        dd_drawing_free(drawing);
        dd_sentence_free(sentence);
        dd_buffer_free(&text);
        if (n > DD_DRAW_MAX_WORDS) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projective_trees), cmocka_unit_test(any_heads),
        cmocka_unit_test(columns),          cmocka_unit_test(printable),
        cmocka_unit_test(refused),          cmocka_unit_test(bad_options),
        cmocka_unit_test(long_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
