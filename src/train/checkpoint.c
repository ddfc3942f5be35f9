#include "train/checkpoint.h"

#include "core/memory.h"
#include "core/newfile.h"
#include "core/sections.h"
#include "core/strings.h"
#include "text/io.h"
#include "train/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Like a model's, but another file. */
static const char magic[8] = {'\x89', 'D', 'O', 'C', '\r', '\n', '\x1A', '\n'};
enum { VERSION = 2 };

typedef struct header {
    char magic[8];
    uint32_t version;
    uint8_t reserved[4];
    uint64_t size;     /* of the whole file */
    uint64_t checksum; /* XXH3 of everything behind the header */
} header;

/* Where training stands. */
typedef struct place {
    uint64_t iterations; /* done */
    uint64_t random;     /* state of the trainer's random numbers */
    double best_uas, best_las;
} place;

/* And where in the silver file, if there is one. */
typedef struct silver_place {
    uint64_t window;
    uint64_t drawn_here, drawn; /* as in dd_silver */
    uint64_t next, random;      /* as in dd_draws */
} silver_place;

_Static_assert(sizeof(header) == 32 && sizeof(place) == 32 && sizeof(silver_place) == 40,
               "the layout of the file has no padding");

/* ---- writing ------------------------------------------------------------------------------ */

static bool put(dd_buffer *out, const void *block, size_t size)
{
    return dd_block_put(out, DD_ALIGN_NUMBERS, block, size);
}

static bool put_conditions(const dd_training *t, dd_buffer *out)
{
    dd_buffer text = {0};
    bool ok = dd_conditions_write(t, &text) && put(out, text.data, text.size);
    dd_buffer_free(&text);
    return ok;
}

/* The place, and the order in which the sentences of the window are drawn. */
static bool put_silver(const dd_silver *silver, dd_buffer *out)
{
    const silver_place at = {.window = silver->windows.at,
                             .drawn_here = silver->drawn_here,
                             .drawn = silver->drawn,
                             .next = silver->draws.next,
                             .random = silver->draws.random.state};
    return put(out, &at, sizeof at) &&
           put(out, silver->draws.order, silver->count * sizeof *silver->draws.order);
}

static bool put_all(const dd_training *t, dd_buffer *out)
{
    const place at = {.iterations = (uint64_t)t->iterations_done,
                      .random = t->trainer.random.state,
                      .best_uas = t->best_uas,
                      .best_las = t->best_las};
    const header none = {.version = VERSION};
    return dd_buffer_append(out, &none, sizeof none) && put_conditions(t, out) &&
           put(out, &at, sizeof at) && put(out, t->order, t->n_order * sizeof *t->order) &&
           put_silver(&t->silver, out) &&
           put(out, t->best ? t->best->image : "", t->best ? t->best->size : 0) &&
           t->trainer.learner->save(t->trainer.state, out);
}

dd_status dd_checkpoint_make(const dd_training *t, dd_buffer *out, dd_error *error)
{
    header h = {.version = VERSION};
    if (!put_all(t, out)) return dd_fail_memory(error);
    memcpy(h.magic, magic, sizeof magic);
    h.size = out->size;
    h.checksum = XXH3_64bits(out->data + sizeof h, out->size - sizeof h);
    memcpy(out->data, &h, sizeof h);
    return DD_OK;
}

static bool write_file(const char *path, const dd_buffer *bytes)
{
    dd_newfile target;
    if (!dd_newfile_open(&target, path)) return false;
    if (dd_write_all(target.file, bytes->data, bytes->size)) return dd_newfile_finish(&target);
    dd_newfile_drop(&target);
    return false;
}

dd_status dd_checkpoint_save(const dd_training *t, dd_error *error)
{
    dd_buffer bytes = {0};
    const char *path = t->options->checkpoint;
    dd_status status = dd_checkpoint_make(t, &bytes, error);
    if (status == DD_OK && !write_file(path, &bytes)) status = dd_fail_io(error, path, errno);
    dd_buffer_free(&bytes);
    return status;
}

void dd_checkpoint_remove(const dd_training *t)
{
    unlink(t->options->checkpoint);
}

/* ---- reading ------------------------------------------------------------------------------ */

static dd_status fail_damaged(const char *name, const char *what, dd_error *error)
{
    return dd_fail(error, DD_ERROR_MODEL, "%.200s: damaged checkpoint: %s", name, what);
}

static dd_status check_header(const char *name, dd_text bytes, dd_error *error)
{
    header h;
    if (bytes.size < sizeof h || memcmp(bytes.data, magic, sizeof magic) != 0)
        return dd_fail(error, DD_ERROR_MODEL, "%.200s: not a checkpoint", name);
    memcpy(&h, bytes.data, sizeof h);
    if (h.version != VERSION)
        return dd_fail(error, DD_ERROR_MODEL, "%.200s: a checkpoint of another version", name);
    if (h.size != bytes.size) return fail_damaged(name, "wrong size", error);
    if (h.checksum != XXH3_64bits(bytes.data + sizeof h, bytes.size - sizeof h))
        return fail_damaged(name, "wrong checksum", error);
    return DD_OK;
}

static dd_status check_conditions(const dd_training *t, const char *name, dd_text then,
                                  dd_error *error)
{
    dd_buffer now = {0};
    dd_status status = DD_ERROR_MEMORY;
    if (dd_conditions_write(t, &now))
        status = dd_conditions_compare(name, then, (dd_text){now.data, now.size}, error);
    else
        dd_fail_memory(error);
    dd_buffer_free(&now);
    return status;
}

static bool is_sane(const dd_training *t, const place *at, size_t best)
{
    bool has_best = best > 0;
    return at->iterations >= 1 && at->iterations <= (uint64_t)t->options->iterations &&
           isfinite(at->best_uas) && isfinite(at->best_las) && has_best == (t->dev != NULL) &&
           (!has_best || (at->best_las >= 0 && at->best_uas >= 0));
}

/* Whether a list has each of the numbers below `most` that are wanted (NULL: all) once, and no
 * other. DD_ERROR_MEMORY, or DD_OK. */
static dd_status check_order(const uint32_t *order, size_t count, const uint32_t *wanted,
                             size_t n_wanted, size_t most, bool *fits, dd_error *error)
{
    uint8_t *missing = dd_calloc(most, 1);
    if (!missing) return dd_fail_memory(error);
    for (size_t i = 0; i < n_wanted; i++) missing[wanted ? wanted[i] : i] = 1;
    *fits = count == n_wanted;
    for (size_t i = 0; i < count && *fits; i++) {
        *fits = order[i] < most && missing[order[i]];
        if (*fits) missing[order[i]] = 0;
    }
    free(missing);
    return DD_OK;
}

/* The items that training goes through, in another order. */
static dd_status take_order(dd_training *t, const char *name, const uint32_t *order, size_t count,
                            dd_error *error)
{
    bool fits = false;
    dd_status status =
        check_order(order, count, t->order, t->n_order, t->corpus->count, &fits, error);
    if (status != DD_OK) return status;
    if (!fits) return fail_damaged(name, "wrong order", error);
    memcpy(t->order, order, count * sizeof *order);
    return DD_OK;
}

static dd_status take_best(dd_training *t, const char *name, dd_text best, dd_error *error)
{
    if (best.size == 0) return DD_OK;
    size_t room = (best.size + DD_ALIGN_LINES - 1) / DD_ALIGN_LINES * DD_ALIGN_LINES;
    char *image = aligned_alloc(DD_ALIGN_LINES, room);
    if (!image) return dd_fail_memory(error);
    memcpy(image, best.data, best.size);
    dd_model_free(t->best);
    t->best = NULL;
    return dd_model_from_image(&t->best, name, image, best.size, DD_IMAGE_ALLOCATED, error);
}

static void take_place(dd_training *t, const place *at)
{
    t->iterations_done = (int)at->iterations;
    t->trainer.random.state = at->random;
    t->best_uas = at->best_uas;
    t->best_las = at->best_las;
}

static dd_status take_silver(dd_training *t, const char *name, const silver_place *at,
                             const uint32_t *order, size_t count, dd_error *error)
{
    dd_silver *silver = &t->silver;
    if (!t->options->silver) return DD_OK;
    if (at->window >= silver->windows.count) return fail_damaged(name, "wrong window", error);
    dd_status status = dd_training_seek_silver(t, (size_t)at->window, error);
    if (status != DD_OK) return status;
    bool fits = false;
    status = check_order(order, count, NULL, silver->count, silver->count, &fits, error);
    if (status != DD_OK) return status;
    bool too_many = silver->windows.count > 1 && at->drawn_here > count;
    if (!fits || at->next > count || too_many)
        return fail_damaged(name, "wrong order of silver trees", error);
    memcpy(silver->draws.order, order, count * sizeof *order);
    silver->draws.next = (size_t)at->next;
    silver->draws.random.state = at->random;
    silver->drawn_here = at->drawn_here;
    silver->drawn = at->drawn;
    return DD_OK;
}

dd_status dd_checkpoint_take(dd_training *t, const char *name, dd_text bytes, dd_error *error)
{
    dd_status status = check_header(name, bytes, error);
    if (status != DD_OK) return status;
    dd_cursor rest = {.rest = {bytes.data + sizeof(header), bytes.size - sizeof(header)},
                      .alignment = DD_ALIGN_NUMBERS};
    size_t places, silver_places, count, n_draws;
    dd_text conditions = dd_cursor_text(&rest);
    const place *at = dd_cursor_block(&rest, sizeof *at, &places);
    const uint32_t *order = dd_cursor_block(&rest, sizeof *order, &count);
    const silver_place *silver = dd_cursor_block(&rest, sizeof *silver, &silver_places);
    const uint32_t *draws = dd_cursor_block(&rest, sizeof *draws, &n_draws);
    dd_text best = dd_cursor_text(&rest);
    if (rest.failed) return fail_damaged(name, "it is cut short", error);
    status = check_conditions(t, name, conditions, error);
    if (status != DD_OK) return status;
    if (places != 1 || silver_places != 1 || !is_sane(t, at, best.size))
        return fail_damaged(name, "wrong place", error);
    status = take_order(t, name, order, count, error);
    if (status == DD_OK && !t->trainer.learner->restore(t->trainer.state, &rest))
        status = fail_damaged(name, "wrong weights", error);
    if (status == DD_OK) status = take_best(t, name, best, error);
    if (status == DD_OK) take_place(t, at);
    return status == DD_OK ? take_silver(t, name, silver, draws, n_draws, error) : status;
}

static dd_status read_file(int file, const char *path, char **out, size_t *size, dd_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0) return dd_fail_io(error, path, errno);
    if (!S_ISREG(facts.st_mode)) return dd_fail(error, DD_ERROR_IO, "%.300s: not a file", path);
    size_t whole = (size_t)facts.st_size;
    *out = dd_calloc(whole, 1);
    if (!*out) return dd_fail_memory(error);
    while (*size < whole) {
        ssize_t got = read(file, *out + *size, whole - *size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return dd_fail_io(error, path, errno);
        if (got == 0) break;
        *size += (size_t)got;
    }
    return DD_OK;
}

dd_status dd_checkpoint_load(dd_training *t, dd_error *error)
{
    const char *path = t->options->checkpoint;
    char *bytes = NULL;
    size_t size = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return dd_fail_io(error, path, errno);
    dd_status status = read_file(file, path, &bytes, &size, error);
    close(file);
    if (status == DD_OK) status = dd_checkpoint_take(t, path, (dd_text){bytes, size}, error);
    free(bytes);
    return status;
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* These do not matter, or are told by what is in their files. */
static bool is_left_out(const char *setting)
{
    static const char *const names[] = {"threads",   "checkpoint",  "resume",
                                        "silver",    "start-from",  "vectors",
                                        "templates", "keep-tokens", "abbreviations"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], setting) == 0) return true;
    return false;
}

/* A value may have line ends, which would look like another condition. */
static bool write_setting(const char *name, const char *value, dd_buffer *out)
{
    size_t start = out->size;
    if (!dd_buffer_printf(out, "%s\t%s", name, value ? value : "not set")) return false;
    for (size_t i = start; i < out->size; i++)
        if (out->data[i] == '\n') out->data[i] = ' ';
    return dd_buffer_text(out, "\n");
}

static bool write_settings(const dd_settings *settings, dd_buffer *out)
{
    for (size_t i = 0; i < dd_setting_count(); i++) {
        const char *name = dd_setting_rows[i].is.name;
        if (!is_left_out(name) && !write_setting(name, dd_settings_text(settings, i), out))
            return false;
    }
    return true;
}

static bool write_hash(const char *what, bool is_there, uint64_t hash, dd_buffer *out)
{
    return is_there ? dd_buffer_printf(out, "%s\t%016llx\n", what, (unsigned long long)hash)
                    : dd_buffer_printf(out, "%s\tnone\n", what);
}

static uint64_t digest(const XXH3_state_t *state)
{
    return state ? XXH3_64bits_digest(state) : 0;
}

bool dd_conditions_write(const dd_training *t, dd_buffer *out)
{
    const dd_learner *learner = t->trainer.learner;
    const dd_model *start = t->start;
    return dd_buffer_text(out, "version\t" DODONA_VERSION "\n") &&
           write_settings(t->options->settings, out) &&
           dd_buffer_printf(out, "system\t%s\n", t->system->name) &&
           write_hash("training data", true, digest(t->corpus->hash), out) &&
           write_hash("dev data", t->dev, t->dev ? digest(t->dev->hash) : 0, out) &&
           write_hash("silver trees", t->options->silver, digest(t->silver.hash), out) &&
           write_hash("weights to start from", start,
                      start ? XXH3_64bits(start->image, start->size) : 0, out) &&
           (!learner->write_conditions || learner->write_conditions(t->trainer.state, out));
}

/* Values of files are hashes, which say nothing to anybody. */
static dd_status fail_condition(const char *name, dd_text what, dd_text then, dd_text now,
                                dd_error *error)
{
    bool is_file = memchr(what.data, ' ', what.size) != NULL;
    if (is_file)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%.200s: was made with different %s", name,
                       dd_quote_text(what).text);
    return dd_fail(error, DD_ERROR_ARGUMENT, "%.200s: was made with %s %s, not %s", name,
                   dd_quote_text(what).text, dd_quote_text(then).text, dd_quote_text(now).text);
}

dd_status dd_conditions_compare(const char *name, dd_text then, dd_text now, dd_error *error)
{
    while (then.size > 0 && now.size > 0) {
        dd_text old_value = dd_text_cut(&then, '\n'), value = dd_text_cut(&now, '\n');
        dd_text old_what = dd_text_cut(&old_value, '\t'), what = dd_text_cut(&value, '\t');
        if (!dd_text_same(old_what, what)) break;
        if (!dd_text_same(old_value, value))
            return fail_condition(name, what, old_value, value, error);
    }
    if (then.size == 0 && now.size == 0) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "%.200s: was made with other settings", name);
}
