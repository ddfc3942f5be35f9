#include "segment/pattern.h"

#include "core/bits.h"
#include "core/memory.h"
#include "core/status.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum { WORDS = DD_PATTERN_POSITIONS / 64, MOST_NESTED = 20, MOST_REPEATED = 255 };

/* Positions, each as a bit. */
typedef struct set {
    uint64_t bits[WORDS];
} set;

/* From `low` to `high`. */
typedef struct range {
    uint32_t low, high;
} range;

/* What one position matches: characters of some classes or in some ranges, or all others. */
typedef struct test {
    uint32_t classes; /* bit c: dd_char_class c */
    size_t first, count;
    bool negated;
} test;

struct dd_pattern {
    test tests[DD_PATTERN_POSITIONS]; /* [positions] */
    set follow[DD_PATTERN_POSITIONS]; /* [positions] */
    set first, last;
    int positions;
    range *ranges; /* of all tests */
    size_t n_ranges, ranges_capacity;
    bool ignore_case;
};

static void add_all(set *to, const set *from)
{
    for (int i = 0; i < WORDS; i++) to->bits[i] |= from->bits[i];
}

/* ---- reading ------------------------------------------------------------------------------ */

/* A part of the pattern. */
typedef struct part {
    bool nullable; /* it also matches the empty text */
    set first, last;
} part;

typedef struct reading {
    dd_pattern *pattern;
    dd_text text;
    size_t at; /* the next byte */
    int depth; /* of brackets */
    dd_error *error;
    size_t *where;
} reading;

static dd_status fail(reading *r, size_t at, const char *why)
{
    *r->where = at;
    return dd_fail(r->error, DD_ERROR_FORMAT, "%s", why);
}

/* The next byte; 0 at the end, as the text has no NUL. */
static char peek(const reading *r)
{
    return r->at < r->text.size ? r->text.data[r->at] : '\0';
}

static uint32_t take_character(reading *r)
{
    uint32_t code;
    bool broken;
    r->at += dd_char_decode(r->text.data + r->at, r->text.size - r->at, &code, &broken);
    return code;
}

static bool add_range(reading *r, test *to, uint32_t low, uint32_t high)
{
    dd_pattern *p = r->pattern;
    if (!DD_RESERVE(&p->ranges, &p->ranges_capacity, p->n_ranges + 1)) return false;
    if (to->count == 0) to->first = p->n_ranges;
    p->ranges[p->n_ranges++] = (range){low, high};
    to->count++;
    return true;
}

#define CLASS(name) (UINT32_C(1) << DD_CHAR_##name)
#define LETTERS     (CLASS(UPPER) | CLASS(LOWER) | CLASS(LETTER) | CLASS(IDEOGRAPH) | CLASS(MARK))
#define MARKS                                                                                      \
    (CLASS(STOP) | CLASS(ASKING) | CLASS(COMMA) | CLASS(COLON) | CLASS(APOSTROPHE) |               \
     CLASS(QUOTE) | CLASS(DASH) | CLASS(OPEN) | CLASS(CLOSE) | CLASS(CONNECTOR) | CLASS(SLASH) |   \
     CLASS(PUNCTUATION))
enum { ANY_CLASS = (1 << DD_CHAR_CLASSES) - 1 };

/* `\d`, `\w`, or a character that would mean something else. */
static dd_status read_escape(reading *r, test *to, bool *is_class, uint32_t *code)
{
    size_t start = r->at++;
    char c = peek(r);
    *is_class = c == 'd' || c == 'w';
    if (c == '\0') return fail(r, start, "nothing after the backslash");
    if (*is_class) {
        to->classes |= c == 'd' ? CLASS(DIGIT) : LETTERS | CLASS(DIGIT) | CLASS(NUMBER);
        r->at++;
        return c == 'd' || add_range(r, to, '_', '_') ? DD_OK : dd_fail_memory(r->error);
    }
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return fail(r, start,
                    "a backslash must precede d, w, or a character that is no letter or digit");
    *code = take_character(r);
    return DD_OK;
}

/* `[:upper:]`, whose bracket is next. */
static dd_status read_class(reading *r, test *to)
{
    static const struct {
        const char *name;
        uint32_t classes;
    } known[] = {
        {"[:alpha:]", LETTERS},      {"[:alnum:]", LETTERS | CLASS(DIGIT) | CLASS(NUMBER)},
        {"[:upper:]", CLASS(UPPER)}, {"[:lower:]", CLASS(LOWER)},
        {"[:digit:]", CLASS(DIGIT)}, {"[:punct:]", MARKS | CLASS(CURRENCY) | CLASS(SYMBOL)},
    };
    dd_text rest = dd_text_skip(r->text, r->at);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (dd_text_begins(rest, known[i].name)) {
            to->classes |= known[i].classes;
            r->at += strlen(known[i].name);
            return DD_OK;
        }
    return fail(r, r->at,
                "unknown class; there are [:alpha:], [:alnum:], [:upper:], [:lower:], [:digit:] "
                "and [:punct:]");
}

/* A class, or a character that begins no range. */
static dd_status read_item(reading *r, test *to, bool *is_class, uint32_t *code)
{
    *is_class = dd_text_begins(dd_text_skip(r->text, r->at), "[:");
    if (*is_class) return read_class(r, to);
    if (peek(r) == '\\') return read_escape(r, to, is_class, code);
    *code = take_character(r);
    return DD_OK;
}

/* `a`, `a-z`, `\d` or `[:digit:]` in a list. */
static dd_status read_items(reading *r, test *to)
{
    size_t start = r->at;
    uint32_t low = 0, high = 0;
    bool is_class;
    dd_status status = read_item(r, to, &is_class, &low);
    if (status != DD_OK || is_class) return status;
    high = low;
    bool continues = peek(r) == '-' && r->at + 1 < r->text.size && r->text.data[r->at + 1] != ']';
    if (continues) {
        r->at++;
        status = read_item(r, to, &is_class, &high);
        if (status != DD_OK) return status;
        if (is_class || high < low) return fail(r, start, "the range ends before it begins");
    }
    return add_range(r, to, low, high) ? DD_OK : dd_fail_memory(r->error);
}

/* `[..]`; a closing bracket that comes first is one of the characters, as elsewhere. */
static dd_status read_list(reading *r, test *to)
{
    size_t start = r->at++;
    dd_status status = DD_OK;
    to->negated = peek(r) == '^';
    r->at += to->negated;
    for (bool first = true; status == DD_OK && (first || peek(r) != ']'); first = false) {
        if (r->at == r->text.size) return fail(r, start, "the bracket is not closed");
        status = read_items(r, to);
    }
    r->at++;
    return status;
}

/* One character to match, whose test is new. */
static dd_status read_test(reading *r, test *to)
{
    char c = peek(r);
    uint32_t code;
    bool is_class = false;
    if (c == '[') return read_list(r, to);
    if (c == '.') {
        to->classes = ANY_CLASS;
        r->at++;
        return DD_OK;
    }
    if (c == '^' || c == '$')
        return fail(r, r->at,
                    "a pattern matches whole tokens; '^' and '$' as such need a backslash");
    if (c == '\\') {
        dd_status status = read_escape(r, to, &is_class, &code);
        if (status != DD_OK || is_class) return status;
    } else {
        code = take_character(r);
    }
    return add_range(r, to, code, code) ? DD_OK : dd_fail_memory(r->error);
}

static dd_status read_position(reading *r, part *out)
{
    dd_pattern *p = r->pattern;
    test made = {0};
    size_t start = r->at;
    if (p->positions == DD_PATTERN_POSITIONS)
        return fail(r, start, "the pattern is too large: it has more than 256 characters to match");
    dd_status status = read_test(r, &made);
    if (status != DD_OK) return status;
    if (p->ignore_case && made.classes & (CLASS(UPPER) | CLASS(LOWER)))
        made.classes |= CLASS(UPPER) | CLASS(LOWER);
    *out = (part){0};
    dd_bits_add(out->first.bits, p->positions);
    out->last = out->first;
    p->tests[p->positions++] = made;
    return DD_OK;
}

/* ---- joining parts ------------------------------------------------------------------------ */

/* A match may continue from the end of one part at the beginning of the other. */
static void connect_sets(dd_pattern *p, const set *last, const set *first)
{
    for (int i = 0; i < p->positions; i++)
        if (dd_bits_has(last->bits, i)) add_all(&p->follow[i], first);
}

static void append(dd_pattern *p, part *to, const part *next)
{
    connect_sets(p, &to->last, &next->first);
    if (to->nullable) add_all(&to->first, &next->first);
    set last = next->last;
    if (next->nullable) add_all(&last, &to->last);
    to->last = last;
    to->nullable = to->nullable && next->nullable;
}

static dd_status read_alternatives(reading *r, part *out);

static dd_status read_atom(reading *r, part *out)
{
    size_t start = r->at;
    char c = peek(r);
    if (c == '*' || c == '+' || c == '?' || c == '{') return fail(r, start, "nothing to repeat");
    if (c != '(') return read_position(r, out);
    if (++r->depth > MOST_NESTED) return fail(r, start, "brackets are nested more than 20 deep");
    r->at++;
    dd_status status = read_alternatives(r, out);
    if (status != DD_OK) return status;
    if (peek(r) != ')') return fail(r, start, "the bracket is not closed");
    r->at++;
    r->depth--;
    return DD_OK;
}

static bool take_number(reading *r, int *out)
{
    size_t start = r->at;
    *out = 0;
    for (; peek(r) >= '0' && peek(r) <= '9' && *out <= MOST_REPEATED; r->at++)
        *out = 10 * *out + (peek(r) - '0');
    return r->at > start && *out <= MOST_REPEATED;
}

/* `{2}`, `{2,}` or `{2,4}`; most -1: any number. */
static dd_status read_bounds(reading *r, int *least, int *most)
{
    size_t start = r->at++;
    bool ok = take_number(r, least);
    *most = *least;
    if (ok && peek(r) == ',') {
        r->at++;
        *most = -1;
        if (peek(r) != '}') ok = take_number(r, most) && *most >= *least;
    }
    if (!ok || peek(r) != '}' || *most == 0)
        return fail(r, start, "not {N}, {N,} or {N,M} with numbers up to 255");
    r->at++;
    return DD_OK;
}

static dd_status read_times(reading *r, int *least, int *most)
{
    char c = peek(r);
    *least = *most = 1;
    if (c == '{') return read_bounds(r, least, most);
    if (c != '*' && c != '+' && c != '?') return DD_OK;
    *least = c == '+';
    *most = c == '?' ? 1 : -1;
    r->at++;
    return DD_OK;
}

/* Repeats an atom. Each repetition has positions of its own, for which the atom's text is read
 * again. */
static dd_status read_repeated(reading *r, part *out)
{
    size_t start = r->at;
    int least, most;
    dd_status status = read_atom(r, out);
    if (status == DD_OK) status = read_times(r, &least, &most);
    if (status != DD_OK) return status;
    size_t end = r->at;
    bool endless = most < 0;
    int times = endless ? (least > 0 ? least : 1) : most;
    part next = *out;
    if (least == 0) out->nullable = true;
    for (int i = 1; i < times && status == DD_OK; i++) {
        r->at = start;
        status = read_atom(r, &next);
        if (status != DD_OK) break;
        if (i >= least) next.nullable = true;
        append(r->pattern, out, &next);
    }
    if (status == DD_OK && endless) connect_sets(r->pattern, &next.last, &next.first);
    r->at = end;
    return status;
}

static bool ends_alternative(char c)
{
    return c == '\0' || c == '|' || c == ')';
}

static dd_status read_sequence(reading *r, part *out)
{
    *out = (part){.nullable = true};
    if (ends_alternative(peek(r))) return fail(r, r->at, "nothing to match");
    while (!ends_alternative(peek(r))) {
        part next;
        dd_status status = read_repeated(r, &next);
        if (status != DD_OK) return status;
        append(r->pattern, out, &next);
    }
    return DD_OK;
}

static dd_status read_alternatives(reading *r, part *out)
{
    dd_status status = read_sequence(r, out);
    while (status == DD_OK && peek(r) == '|') {
        part other;
        r->at++;
        status = read_sequence(r, &other);
        if (status != DD_OK) break;
        add_all(&out->first, &other.first);
        add_all(&out->last, &other.last);
        out->nullable = out->nullable || other.nullable;
    }
    return status;
}

static dd_status compile(dd_pattern *p, dd_text text, size_t *where, dd_error *error)
{
    reading r = {.pattern = p, .text = text, .error = error, .where = where};
    part all;
    if (text.size > DD_PATTERN_BYTES) return fail(&r, 0, "the pattern is longer than 256 bytes");
    dd_status status = read_alternatives(&r, &all);
    if (status == DD_OK && r.at < text.size) status = fail(&r, r.at, "no bracket was opened");
    if (status != DD_OK) return status;
    p->first = all.first;
    p->last = all.last;
    return DD_OK;
}

dd_status dd_pattern_compile(dd_pattern **out, dd_text text, bool ignore_case, size_t *where,
                             dd_error *error)
{
    dd_pattern *made = dd_calloc(1, sizeof *made);
    if (!made) return dd_fail_memory(error);
    made->ignore_case = ignore_case;
    dd_status status = compile(made, text, where, error);
    if (status == DD_OK)
        *out = made;
    else
        dd_pattern_free(made);
    return status;
}

void dd_pattern_free(dd_pattern *pattern)
{
    if (!pattern) return;
    free(pattern->ranges);
    free(pattern);
}

int dd_pattern_positions(const dd_pattern *pattern)
{
    return pattern->positions;
}

/* ---- matching ----------------------------------------------------------------------------- */

static bool is_in(const range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].low && code <= ranges[i].high) return true;
    return false;
}

static bool matches(const dd_pattern *p, const test *t, uint32_t code, uint8_t class)
{
    const range *ranges = p->ranges + t->first;
    bool found = t->classes >> class & 1;
    found = found || is_in(ranges, t->count, code);
    if (!found && p->ignore_case && t->count > 0)
        found = is_in(ranges, t->count, dd_char_lower(code)) ||
                is_in(ranges, t->count, (uint32_t)utf8proc_toupper((utf8proc_int32_t)code));
    return found != t->negated;
}

void dd_pattern_match(const dd_pattern *pattern, const dd_chars *chars, int at, int end,
                      dd_lengths *lengths)
{
    set now = pattern->first;
    if (end - at > DD_PATTERN_LONGEST) end = at + DD_PATTERN_LONGEST;
    for (int i = at; i < end; i++) {
        set next = {0};
        bool alive = false;
        for (int word = 0; word < WORDS; word++)
            for (uint64_t left = now.bits[word]; left; left &= left - 1) {
                int position = 64 * word + dd_bits_lowest(left);
                if (!matches(pattern, &pattern->tests[position], chars->codes[i],
                             chars->classes[i]))
                    continue;
                if (dd_bits_has(pattern->last.bits, position))
                    dd_bits_add(lengths->bits, i + 1 - at);
                add_all(&next, &pattern->follow[position]);
                alive = true;
            }
        if (!alive) return;
        now = next;
    }
}
