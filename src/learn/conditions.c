/* conditions.c - what must be the same for training to go on from a checkpoint */
#include "core/strings.h"
#include "learn/checkpoint.h"
#include "learn/settings.h"

/* These do not matter, or are told by what is in their files. */
static bool is_left_out(const char *setting)
{
    static const char *const names[] = {"threads",    "checkpoint", "resume",   "silver",
                                        "start-from", "vectors",    "templates"};
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
