#include "plan/cut.h"

#include "core/strings.h"

enum { BEGINNING = 8 /* bytes of a line that tell `# newdoc` and `# newpar` from all else */ };

typedef struct search {
    const dd_cutting *how;
    uint64_t at;       /* of the next byte */
    uint64_t patience; /* how far to look for a comment */
    uint64_t found;    /* the first place to cut at; 0: none yet */
    uint64_t last;     /* the last one, if the lines since were all comments; 0: else */
    char line[BEGINNING];
    size_t size; /* bytes of the line that are known, at most BEGINNING */
    bool white;  /* nothing but white space in the line so far */
    bool torn;   /* where the line began is not known */
    bool done;
} search;

static bool is_white(dd_text text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != ' ' && text.data[i] != '\t' && text.data[i] != '\r') return false;
    return true;
}

static void add_to_line(search *s, dd_text piece)
{
    size_t take = BEGINNING - s->size < piece.size ? BEGINNING - s->size : piece.size;
    if (take > 0) memcpy(s->line + s->size, piece.data, take);
    s->size += take;
    s->white = s->white && is_white(piece);
}

static bool begins_part(const search *s)
{
    dd_text line = {s->line, s->size};
    return dd_text_is(line, "# newdoc") || dd_text_is(line, "# newpar");
}

/* The line before `at` is whole. */
static void end_line(search *s)
{
    bool cut = !s->torn && (s->white || s->how->at_lines);
    if (cut && s->found == 0) s->found = s->at;
    if (s->last > 0 && begins_part(s)) {
        s->found = s->last;
        s->done = true;
    }
    if (cut)
        s->last = s->at;
    else if (s->size == 0 || s->line[0] != '#')
        s->last = 0;
    bool waits = s->how->before_comments && s->at < s->patience;
    s->done = s->done || (s->found > 0 && !waits);
    s->size = 0;
    s->white = true;
    s->torn = false;
}

static void look_through(search *s, dd_text chunk)
{
    dd_text line;
    while (!s->done && dd_text_cut_at(&chunk, '\n', &line)) {
        add_to_line(s, line);
        s->at += line.size + 1;
        end_line(s);
    }
    if (s->done) return;
    add_to_line(s, chunk);
    s->at += chunk.size;
}

static dd_status look(search *s, dd_range *range, dd_error *error)
{
    dd_status status = DD_OK;
    while (status == DD_OK && !s->done) {
        dd_text chunk;
        status = dd_range_next(range, &chunk, error);
        if (status == DD_OK) look_through(s, chunk);
    }
    return status == DD_END ? DD_OK : status;
}

dd_status dd_cut_find(const dd_cutting *cutting, uint64_t start, uint64_t *end, dd_error *error)
{
    uint64_t size = cutting->task_bytes;
    *end = cutting->bytes;
    if (cutting->bytes - start <= size) return DD_OK;
    dd_range_place place = {.offset = start + size - 1, .bytes = UINT64_MAX};
    dd_frames_locate(&cutting->frames, &place);
    search s = {.how = cutting, .at = place.offset, .white = true, .torn = true};
    s.patience = start + size + size / 4;
    dd_range *range = NULL;
    dd_status status = dd_range_open(&range, cutting->path, &place, error);
    if (status == DD_OK) status = look(&s, range, error);
    dd_range_close(range);
    if (status == DD_OK && s.found > 0) *end = s.found;
    return status;
}
