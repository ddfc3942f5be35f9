#include "segment/keep.h"

#include "core/memory.h"

/* ---- tokens that stay whole --------------------------------------------------------------- */

typedef struct found {
    int end;
    bool listed;
    bool abbreviation; /* no sentence ends after it */
} found;

/* The longest listed token that begins there. */
static found find_listed(const dd_known_tokens *known, const dd_unspaced *in, int at)
{
    found best = {.end = at};
    for (int i = 0; i < DD_KNOWN_LISTS; i++) {
        const dd_token_lists *lists = known->lists[i];
        if (!lists) continue;
        int end = dd_token_list_end(&lists->keep, in, at);
        int stop = dd_abbreviation_end(&lists->abbreviations, in, at);
        if (end > best.end) best = (found){end, true, false};
        if (stop > best.end || (stop == best.end && stop > at)) best = (found){stop, true, true};
    }
    return best;
}

static bool is_empty(const dd_known_tokens *known)
{
    return !known->lists[0] && !known->lists[1];
}

/* ---- pieces ------------------------------------------------------------------------------- */

/* The pieces that are left, and those that are made of them. */
typedef struct keeping {
    const dd_known_tokens *known;
    const dd_segments *from;
    dd_segments *to;
    int next; /* piece of `from` that is not in `to` yet, or only in part */
    int here; /* piece of `from` that was looked at last */
    int done; /* characters before it are in `to` */
    bool abbreviations;
} keeping;

static bool add(keeping *k, dd_piece piece, uint8_t ends)
{
    dd_segments *to = k->to;
    size_t at = (size_t)to->count;
    k->done = piece.end;
    if (piece.start == piece.end) return true;
    if (!DD_RESERVE(&to->pieces, &to->pieces_capacity, at + 1) ||
        !DD_RESERVE(&to->ends, &to->ends_capacity, at + 1))
        return false;
    to->pieces[at] = piece;
    to->ends[at] = ends;
    to->count++;
    return true;
}

/* Takes over the pieces up to the character `to`, which may lie in one. */
static bool copy_to(keeping *k, int to)
{
    while (k->done < to) {
        const dd_piece *piece = &k->from->pieces[k->next];
        int start = piece->start > k->done ? piece->start : k->done;
        if (start >= to) break;
        bool whole = piece->end <= to;
        dd_piece copy = {.start = start, .end = whole ? piece->end : to};
        if (!add(k, copy, whole ? k->from->ends[k->next] : 0)) return false;
        k->next += whole;
    }
    return true;
}

/* Makes one piece of the characters from `start` on. */
static bool join(keeping *k, int start, const found *what)
{
    uint8_t ends = 0;
    dd_piece piece = {.start = start,
                      .end = what->end,
                      .listed = what->listed,
                      .abbreviation = what->abbreviation};
    while (k->next < k->from->count && k->from->pieces[k->next].end <= what->end)
        ends = k->from->pieces[k->next].end == what->end && k->from->ends[k->next], k->next++;
    k->abbreviations |= what->abbreviation;
    return add(k, piece, ends);
}

/* Whether the characters are a part of a piece, and not all of it. */
static bool is_part(keeping *k, int start, int end)
{
    while (k->from->pieces[k->here].end <= start) k->here++;
    const dd_piece *piece = &k->from->pieces[k->here];
    int first = piece->start > k->done ? piece->start : k->done;
    return end <= piece->end && end - start < piece->end - first;
}

/* No sentence ends after the bracket of `Ann <a@b.org> wrote`: a small letter follows. */
static bool runs_on(const dd_unspaced *in, int at, int end)
{
    const dd_chars *chars = in->chars;
    int next = in->end;
    if (chars->codes[at] != '>' || end != at + 1 || end != in->end) return false;
    while (next < chars->count && chars->classes[next] == DD_CHAR_SPACE) next++;
    return next < chars->count && chars->classes[next] == DD_CHAR_LOWER;
}

static found find(keeping *k, const dd_unspaced *in, int at, bool likely)
{
    found known = find_listed(k->known, in, at);
    if (known.end > at && !is_part(k, at, known.end)) return known;
    int end = likely ? dd_whole_end(in, at) : at;
    return (found){.end = end, .abbreviation = end > at && runs_on(in, at, end)};
}

static bool keep_stretch(keeping *k, const dd_unspaced *in)
{
    bool likely = dd_whole_is_likely(in), any = likely || !is_empty(k->known);
    k->done = in->start;
    for (int at = in->start; any && at < in->end;) {
        found whole = find(k, in, at, likely);
        if (whole.end > at && (!copy_to(k, at) || !join(k, at, &whole))) return false;
        at = whole.end > at ? whole.end : at + 1;
    }
    return copy_to(k, in->end);
}

/* Removes the sentence ends after abbreviations; a sentence that becomes too long by that is ended
 * at the limit. */
static void join_sentences(dd_segments *segments)
{
    for (int at = 0, start = 0; at < segments->count; at++) {
        if (segments->pieces[at].abbreviation) segments->ends[at] = 0;
        if (at + 1 - start >= DD_MOST_SENTENCE_TOKENS) segments->ends[at] = 1;
        if (segments->ends[at]) start = at + 1;
    }
}

/* ---- marks after a sentence ----------------------------------------------------------------- */

/* Marks that close what stands before them. */
static bool is_closing(uint8_t class)
{
    return class == DD_CHAR_STOP || class == DD_CHAR_ASKING || class == DD_CHAR_COMMA ||
           class == DD_CHAR_APOSTROPHE || class == DD_CHAR_QUOTE || class == DD_CHAR_CLOSE;
}

/* The piece with the last mark before white space, if only marks follow the piece `at`; else `at`.
 * Looks at a few marks only, so that the time is linear. */
static int last_mark(const dd_chars *chars, int size, const dd_segments *segments, int at)
{
    enum { MARKS = 32 };
    int behind = segments->pieces[at].end, end = behind, last = at;
    while (end < size && end - behind < MARKS && is_closing(chars->classes[end])) end++;
    if (end < size && chars->classes[end] != DD_CHAR_SPACE) return at;
    while (last + 1 < segments->count && segments->pieces[last + 1].end <= end) last++;
    return last;
}

/* Whether a sentence may end before what follows without white space: not behind a letter, a digit,
 * a comma or a dash, but before a capital or a bracket, and in Chinese and the like. */
static bool may_end(const dd_chars *chars, int size, const dd_piece *piece)
{
    uint8_t last = chars->classes[piece->end - 1], next = chars->classes[piece->end];
    if (piece->end >= size || next == DD_CHAR_SPACE || next == DD_CHAR_UPPER ||
        next == DD_CHAR_OPEN)
        return true;
    return last != DD_CHAR_UPPER && last != DD_CHAR_LOWER && last != DD_CHAR_DIGIT &&
           last != DD_CHAR_COMMA && last != DD_CHAR_DASH && last != DD_CHAR_SLASH &&
           last != DD_CHAR_CURRENCY && last != DD_CHAR_OPEN;
}

void dd_keep_marks(const dd_chars *chars, int size, dd_segments *segments)
{
    for (int at = 0, start = 0; at < segments->count; at++) {
        if (!segments->ends[at]) continue;
        if (!may_end(chars, size, &segments->pieces[at]) && at - start < DD_MOST_SENTENCE_TOKENS) {
            segments->ends[at] = 0;
            continue;
        }
        int last = last_mark(chars, size, segments, at);
        if (last > at && last - start < DD_MOST_SENTENCE_TOKENS) {
            segments->ends[at] = 0;
            segments->ends[last] = 1;
        } else {
            start = at + 1;
        }
    }
}

bool dd_keep_whole(const dd_known_tokens *known, const dd_chars *chars, int size,
                   dd_segments *segments, dd_segments *spare)
{
    keeping k = {.known = known, .from = segments, .to = spare};
    spare->count = 0;
    for (int at = 0; at < size;) {
        dd_unspaced in = {chars, at, at};
        while (in.end < size && chars->classes[in.end] != DD_CHAR_SPACE) in.end++;
        if (in.end > at && !keep_stretch(&k, &in)) return false;
        at = in.end + 1;
    }
    dd_segments made = *spare;
    *spare = *segments;
    *segments = made;
    if (k.abbreviations) join_sentences(segments);
    return true;
}

void dd_keep_mark(const dd_known_tokens *known, const dd_chars *chars, dd_segments *segments)
{
    for (int i = 0; i < segments->count && !is_empty(known); i++) {
        dd_piece *piece = &segments->pieces[i];
        dd_unspaced in = {chars, piece->start, piece->end};
        piece->listed = find_listed(known, &in, piece->start).end == piece->end;
    }
}
