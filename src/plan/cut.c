#include "plan/plan.h"

#include "core/strings.h"
#include "text/utf8.h"

#include <string.h>

enum { BEGINNING = 8 /* bytes of a line that identify `# newdoc` and `# newpar` */ };

typedef struct search {
    const dd_cutting *how;
    uint64_t at;       /* of the next byte */
    uint64_t patience; /* how far to look for a comment */
    uint64_t found;    /* the first place to cut at; 0: none yet */
    uint64_t last;     /* the last one, if the lines since were all comments; 0: else */
    char line[BEGINNING];
    size_t size; /* bytes of the line that are known, at most BEGINNING */
    bool white;  /* nothing but white space in the line so far */
    bool torn;   /* the beginning of the line is not known */
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

/* Called when the line before `at` is complete. */
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

/* ---- measuring a part --------------------------------------------------------------------- */

enum { LONGEST_CHARACTER = 4 /* bytes */ };

typedef struct pass {
    dd_measure *out;
    dd_checksum sum;
    bool white; /* nothing but white space in the line so far */
    char kept[2 * LONGEST_CHARACTER];
    size_t size; /* bytes kept, which may not be a whole character */
} pass;

/* Whether the byte begins neither white space of Unicode nor a byte order mark. */
static bool is_surely_visible(unsigned char byte)
{
    return (byte > ' ' && byte < 0x7F) || (byte >= 0xC3 && byte <= 0xE0) ||
           (byte >= 0xE4 && byte <= 0xEE) || (byte >= 0xF0 && byte <= 0xF4);
}

static void count_lines(pass *p, dd_text chunk)
{
    for (size_t i = 0; i < chunk.size; i++) {
        char c = chunk.data[i];
        if (c == '\n') {
            p->out->lines++;
            p->out->blocks += p->white;
            p->white = true;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            p->white = false;
            p->out->visible = p->out->visible || is_surely_visible((unsigned char)c);
        }
    }
}

/* Characters of the bytes; all but the last `spare` bytes may begin one. Returns the bytes used. */
static size_t decode(pass *p, dd_text bytes, size_t spare)
{
    size_t used = 0;
    while (used + spare < bytes.size) {
        uint32_t code;
        bool broken;
        used += dd_char_decode(bytes.data + used, bytes.size - used, &code, &broken);
        p->out->characters++;
    }
    return used;
}

static void keep(pass *p, dd_text bytes)
{
    memcpy(p->kept + p->size, bytes.data, bytes.size);
    p->size += bytes.size;
}

static void drop_kept(pass *p, size_t used)
{
    memmove(p->kept, p->kept + used, p->size - used);
    p->size -= used;
}

/* A character may lie in two chunks, or more where these are tiny. */
static void count_characters(pass *p, dd_text chunk)
{
    enum { SPARE = LONGEST_CHARACTER - 1 };
    while (p->size > 0 && chunk.size > 0) {
        size_t old = p->size, room = sizeof p->kept - old;
        size_t take = chunk.size < room ? chunk.size : room;
        keep(p, (dd_text){chunk.data, take});
        size_t used = decode(p, (dd_text){p->kept, p->size}, SPARE);
        if (used < old) { /* the chunk is used up */
            drop_kept(p, used);
            return;
        }
        chunk = (dd_text){chunk.data + (used - old), chunk.size - (used - old)};
        p->size = 0;
    }
    size_t used = decode(p, chunk, SPARE);
    keep(p, (dd_text){chunk.data + used, chunk.size - used});
}

static dd_status take_all(pass *p, dd_range *range, dd_error *error)
{
    dd_text chunk;
    dd_status status;
    while ((status = dd_range_next(range, &chunk, error)) == DD_OK) {
        dd_checksum_add(&p->sum, chunk);
        count_lines(p, chunk);
        count_characters(p, chunk);
    }
    decode(p, (dd_text){p->kept, p->size}, 0);
    return status == DD_END ? DD_OK : status;
}

dd_status dd_measure_add(dd_measure *measure, const char *path, const dd_range_place *place,
                         dd_error *error)
{
    pass p = {.out = measure, .white = true};
    dd_range *range = NULL;
    measure->visible = false;
    dd_status status = dd_range_open(&range, path, place, error);
    if (status == DD_OK && !dd_checksum_start(&p.sum)) status = dd_fail_memory(error);
    if (status == DD_OK) {
        status = take_all(&p, range, error);
        dd_checksum_end(&p.sum, measure->checksum);
    }
    dd_range_close(range);
    return status;
}
