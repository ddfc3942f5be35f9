#include "segment/lines.h"

/* ---- one line ----------------------------------------------------------------------------- */

enum { MOST_COUNTED = 1 << 30 /* characters; a whole corpus may be one line */ };

static void add_start(dd_line *line, int at, uint32_t code)
{
    if (at < DD_LINE_START) line->start[at] = code;
}

void dd_line_add(dd_line *line, uint32_t code, uint8_t class)
{
    if (class == DD_CHAR_SPACE) {
        line->indented = line->indented || (line->length == 0 && line->quotes == 0);
        if (line->length > 0 && !line->space) add_start(line, line->length, ' ');
        line->space = line->length > 0;
        return;
    }
    if (line->length == 0 && code == '>') {
        line->quotes += line->quotes < MOST_COUNTED;
        return;
    }
    if (line->length == 0) line->first = class;
    if (line->length >= MOST_COUNTED) {
        line->last = class;
        line->space = false;
        return;
    }
    line->words = line->words || line->space;
    bool ideograph = line->first == DD_CHAR_IDEOGRAPH;
    if (!line->words && (!ideograph || line->length == 0)) line->first_word++;
    if (line->space) line->length++;
    add_start(line, line->length++, code);
    line->last = class;
    line->space = false;
}

/* ---- kinds of lines ----------------------------------------------------------------------- */

static bool is_bullet(uint32_t code)
{
    return code == 0x2022 || code == 0x2023 || code == 0x25E6 || code == 0x2043 || code == 0x25AA ||
           code == 0x25CF || code == 0xB7;
}

static bool is_digit(uint32_t code)
{
    return code >= '0' && code <= '9';
}

static bool is_small(uint32_t code)
{
    return code >= 'a' && code <= 'z';
}

/* Behind `1`, `12`, `a` or `iv` at the beginning; 0: there is no such thing. */
static int skip_number(const uint32_t *start, int from)
{
    int at = from;
    while (at < from + 3 && is_digit(start[at])) at++;
    if (at > from) return at;
    if (is_small(start[from]) && !is_small(start[from + 1])) return from + 1;
    while (at < from + 4 && (start[at] == 'i' || start[at] == 'v' || start[at] == 'x')) at++;
    return at > from ? at : 0;
}

/* The number of an item: `1.`, `1)`, `(1)`, `a)`, `(a)`, `iv)`, `(iv)`, and a space. */
static bool is_numbered(const uint32_t *start)
{
    bool bracket = start[0] == '(';
    int at = skip_number(start, bracket);
    if (at == 0 || at + 1 >= DD_LINE_START) return false;
    bool closed = start[at] == ')' || (start[at] == '.' && !bracket && is_digit(start[0]));
    return closed && start[at + 1] == ' ';
}

/* `To: `, `Content-Transfer-Encoding: ` */
static bool is_field(const uint32_t *start)
{
    int at = 0;
    if (start[0] < 'A' || start[0] > 'Z') return false;
    while (at < DD_LINE_START - 2 &&
           (is_small(start[at]) || start[at] == '-' || (start[at] >= 'A' && start[at] <= 'Z')))
        at++;
    return start[at] == ':' && start[at + 1] == ' ';
}

static bool is_title(const uint32_t *start)
{
    int at = 0;
    while (at < 6 && start[at] == '#') at++;
    return at > 0 && start[at] == ' ';
}

/* `=====` below a title, `***` between scenes. */
static bool is_rule(const dd_line *line)
{
    uint32_t mark = line->start[0];
    if (line->length < 3 ||
        (mark != '=' && mark != '-' && mark != '*' && mark != '_' && mark != '~'))
        return false;
    for (int i = 1; i < line->length && i < DD_LINE_START; i++)
        if (line->start[i] != mark) return false;
    return true;
}

dd_line_kind dd_line_kind_of(const dd_line *line, bool ended)
{
    const uint32_t *start = line->start;
    bool marked = line->words; /* something follows the first word */
    if (line->quotes > 0 && line->length == 0) return ended ? DD_LINE_QUOTE : DD_LINE_UNKNOWN;
    if (is_bullet(start[0]) || start[0] == '|') return DD_LINE_BULLET;
    if (start[0] == '`' && start[1] == '`' && start[2] == '`') return DD_LINE_FENCE;
    if (ended && is_rule(line)) return DD_LINE_TITLE;
    if (ended && line->length == 2 && start[0] == '-' && start[1] == '-') return DD_LINE_SIGNATURE;
    if (!ended && !marked && line->length < DD_LINE_START) return DD_LINE_UNKNOWN;
    if (!marked) return DD_LINE_TEXT;
    if ((start[0] == '-' || start[0] == '*' || start[0] == '+' || start[0] == 0x2013) &&
        start[1] == ' ')
        return DD_LINE_ITEM;
    if (is_title(start)) return DD_LINE_TITLE;
    if (is_field(start)) return DD_LINE_FIELD;
    return is_numbered(start) ? DD_LINE_ITEM : DD_LINE_TEXT;
}

/* ---- where paragraphs begin in wrapped text ----------------------------------------------- */

enum {
    SHORT = 40,    /* characters: text is seldom wrapped so narrowly */
    GREETING = 25, /* characters */
};

static bool ends_open(const dd_line *line)
{
    return line->last == DD_CHAR_CLOSE || dd_char_is_word(line->last);
}

static bool ends_sentence(const dd_line *line)
{
    return line->last == DD_CHAR_STOP || line->last == DD_CHAR_ASKING ||
           line->last == DD_CHAR_QUOTE || line->last == DD_CHAR_CLOSE;
}

/* A short first line without a full stop, before one that may begin a sentence; `Dear all,` or
 * `Best regards,`, if it is shorter yet. */
static bool is_heading(const dd_line *line, const dd_line *next)
{
    bool capital = line->first == DD_CHAR_UPPER || line->first == DD_CHAR_DIGIT;
    bool begins = next->first == DD_CHAR_UPPER || next->first == DD_CHAR_DIGIT ||
                  next->first == DD_CHAR_QUOTE;
    bool short_enough = line->last == DD_CHAR_COMMA ? line->length <= GREETING
                                                    : line->length <= SHORT && ends_open(line);
    return capital && begins && short_enough;
}

bool dd_line_begins(dd_line_kind kind, const dd_line *line, dd_line_kind block,
                    const dd_line *before, bool first)
{
    if (kind != DD_LINE_UNKNOWN && line->quotes != before->quotes) return true;
    switch (kind) {
    case DD_LINE_UNKNOWN: return false;
    case DD_LINE_BULLET:
    case DD_LINE_QUOTE:
    case DD_LINE_TITLE:
    case DD_LINE_FENCE:
    case DD_LINE_SIGNATURE: return true;
    case DD_LINE_FIELD:
    case DD_LINE_ITEM:
        /* In a long line that runs on it may be a dash or the last number of a sentence. */
        if (block == kind || (kind == DD_LINE_FIELD && first) || before->length <= SHORT ||
            !ends_open(before))
            return true;
        break;
    case DD_LINE_TEXT: break;
    }
    if (block == DD_LINE_FENCE || block == DD_LINE_SIGNATURE || block == DD_LINE_TITLE) return true;
    if (block == DD_LINE_TEXT && line->indented && ends_sentence(before)) return true;
    return first && block == DD_LINE_TEXT && is_heading(before, line);
}

dd_line_kind dd_line_block(dd_line_kind kind, dd_line_kind block)
{
    if (block == DD_LINE_FENCE) return kind == DD_LINE_FENCE ? DD_LINE_TITLE : block;
    return block == DD_LINE_SIGNATURE ? block : kind;
}

/* ---- is text wrapped? --------------------------------------------------------------------- */

/* What follows a line break. */
enum { SMALL_LETTER, NEW_SENTENCE, OTHER };

static int bounded(int length)
{
    return length <= DD_LINES_WIDEST ? length : DD_LINES_WIDEST + 1;
}

/* Notes a line break inside a block of lines. Items and the like tell nothing, because they begin
 * paragraphs in any case. */
static void note_break(dd_lines *lines)
{
    const dd_line *before = &lines->before, *line = &lines->line;
    dd_line_kind above = dd_line_kind_of(before, true);
    if (dd_line_kind_of(line, true) != DD_LINE_TEXT || line->quotes || before->quotes ||
        above == DD_LINE_FENCE || above == DD_LINE_SIGNATURE || above == DD_LINE_TITLE)
        return;
    int what = line->first == DD_CHAR_LOWER                            ? SMALL_LETTER
               : line->first == DD_CHAR_UPPER && ends_sentence(before) ? NEW_SENTENCE
                                                                       : OTHER;
    /* A single word is one of a list, whatever its first letter. */
    if (what == SMALL_LETTER && !before->words) what = OTHER;
    lines->breaks[line->indented][what][bounded(before->length + 1 + line->first_word)]++;
}

/* The length that one line of twenty exceeds: a few long ones, such as addresses, do not count. */
static int width_of(const dd_lines *lines)
{
    int longer = 0, length = DD_LINES_WIDEST + 1;
    while (length > 0 && (longer += lines->lengths[length]) <= lines->count / 20) length--;
    return length;
}

/* Line breaks before lines that are indented, or not. */
static int count_breaks(const dd_lines *lines, bool indented)
{
    int count = 0;
    for (int what = 0; what < 3; what++)
        for (int size = 0; size <= DD_LINES_WIDEST + 1; size++)
            count += lines->breaks[indented][what][size];
    return count;
}

/* Above 0: the text is wrapped; below 0: its lines are paragraphs. */
static int weigh(const dd_lines *lines)
{
    /* if the next word had no room, and if it had some */
    static const int full[] = {[SMALL_LETTER] = 2, [NEW_SENTENCE] = -1, [OTHER] = 1};
    static const int loose[] = {[SMALL_LETTER] = -1, [NEW_SENTENCE] = -3, [OTHER] = -2};
    int width = width_of(lines), sum = 0, early = 0;
    /* If only some lines are indented, a paragraph begins there, which tells nothing. */
    bool indented = count_breaks(lines, false) == 0;
    bool caseless = lines->small_letters > 2 && lines->capitals * 20 < lines->small_letters;
    if (width > DD_LINES_WIDEST) return -1;
    if (width < SHORT) width = SHORT;
    for (int what = 0; what < 3; what++) {
        for (int size = 0; size <= DD_LINES_WIDEST + 1; size++) {
            bool is_full = size * 10 > width * 8;
            int breaks = lines->breaks[indented][what][size];
            int as = what == SMALL_LETTER && caseless ? OTHER : what;
            sum += breaks * (is_full ? full[as] : loose[as]);
            if (as == SMALL_LETTER && !is_full) early += breaks;
        }
    }
    return sum + (early > 0); /* a single line may be broken early, within a sentence */
}

bool dd_lines_tell(const dd_lines *lines)
{
    return count_breaks(lines, false) + count_breaks(lines, true) > 0;
}

static void end_line(dd_lines *lines)
{
    bool empty = lines->line.length == 0;
    if (!empty) {
        lines->lengths[bounded(lines->line.length)]++;
        lines->count++;
        lines->capitals += lines->line.first == DD_CHAR_UPPER;
        lines->small_letters += lines->line.first == DD_CHAR_LOWER;
        if (lines->before.length > 0) note_break(lines);
    }
    lines->before = lines->line;
    lines->line = (dd_line){0};
    /* Whoever wraps text ends paragraphs so; there is no need to see more of it. */
    if (empty && dd_lines_tell(lines) && weigh(lines) >= 0) lines->found = DD_PARAGRAPHS_BLANK;
}

static void decide(dd_lines *lines)
{
    lines->found = weigh(lines) < 0 ? DD_PARAGRAPHS_LINE : DD_PARAGRAPHS_BLANK;
}

void dd_lines_add(dd_lines *lines, uint32_t code, uint8_t class)
{
    if (lines->found != DD_PARAGRAPHS_AUTO) return;
    bool paired = code == '\n' && lines->after_return;
    lines->after_return = code == '\r';
    if (dd_char_ends_line(code)) {
        if (!paired) end_line(lines);
    } else {
        dd_line_add(&lines->line, code, class);
    }
    if (++lines->characters >= DD_LINES_MOST && lines->found == DD_PARAGRAPHS_AUTO) decide(lines);
}

void dd_lines_end(dd_lines *lines)
{
    if (lines->found != DD_PARAGRAPHS_AUTO) return;
    end_line(lines);
    if (lines->found == DD_PARAGRAPHS_AUTO) decide(lines);
}
