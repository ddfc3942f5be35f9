#include "options.h"

#include "cmd.h"
#include "heap.h"
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const option_reports[] = {"text", "json", NULL};
const char *const option_yes_no[] = {"no", "yes", NULL};
const char *const option_auto[] = {"auto", NULL};

/* The words still to read, and where the operands seen so far are gathered. */
typedef struct cursor {
    const command *self;
    int argc;
    char **argv;
    int next;     /* word to read */
    int operands; /* gathered at the front of argv, over words already read */
    char *target; /* the subcommand's struct of arguments */
} cursor;

enum { AGAIN = -2 /* read on; other values end the reading */ };

/* ---- rows --------------------------------------------------------------------------------- */

/* The letters that other subcommands have for the same. */
static char letter_of(const dd_setting *setting)
{
    if (strcmp(setting->name, "from") == 0) return 'f';
    return strcmp(setting->name, "threads") == 0 ? 'j' : '\0';
}

static option row_of_setting(const dd_setting *setting, size_t target)
{
    static const option_kind kinds[] = {
        [DD_SETTING_FLAG] = OPTION_FLAG,   [DD_SETTING_WHOLE] = OPTION_WHOLE,
        [DD_SETTING_REAL] = OPTION_REAL,   [DD_SETTING_CHOICE] = OPTION_CHOICE,
        [DD_SETTING_LIST] = OPTION_CHOICE, [DD_SETTING_TEXT] = OPTION_STRING,
    };
    return (option){.name = setting->name,
                    .letter = letter_of(setting),
                    .kind = kinds[setting->kind],
                    .target = target,
                    .value = setting->value,
                    .default_value =
                        setting->default_value ? setting->default_value : setting->default_note,
                    .help = setting->help,
                    .setting = setting};
}

static option row_of_parsing(const dd_parse_option *parse, size_t target, bool opposite)
{
    static const option_kind kinds[] = {
        [DD_OPTION_FLAG] = OPTION_FLAG,   [DD_OPTION_SWITCH] = OPTION_FLAG,
        [DD_OPTION_WHOLE] = OPTION_WHOLE, [DD_OPTION_CHOICE] = OPTION_CHOICE,
        [DD_OPTION_TEXT] = OPTION_STRING,
    };
    return (option){.name = opposite ? parse->no_name : parse->name,
                    .letter = parse->letter,
                    .kind = kinds[parse->kind],
                    .target = target,
                    .value = parse->value,
                    .default_value = parse->default_value,
                    .low = parse->low,
                    .high = parse->high,
                    .choices = parse->choices,
                    .help = opposite ? parse->no_help : parse->help,
                    .parse = parse,
                    .opposite = opposite};
}

/* The index-th of those that stand in the place of a row; else *index is less by their number. */
static bool setting_at(const option *row, size_t *index, option *out)
{
    const dd_setting *setting;
    for (size_t k = 0; (setting = dd_setting_at(k)); k++) {
        *out = row_of_setting(setting, row->target);
        if ((*index)-- == 0) return true;
    }
    return false;
}

static bool parsing_at(const option *row, size_t *index, option *out)
{
    const dd_parse_option *parse;
    for (size_t k = 0; (parse = dd_parse_option_at(k)); k++) {
        if (!(parse->offers & row->offers)) continue;
        for (int opposite = 0; opposite <= (parse->no_name != NULL); opposite++) {
            *out = row_of_parsing(parse, row->target, opposite);
            if ((*index)-- == 0) return true;
        }
    }
    return false;
}

bool option_at(const command *self, size_t index, option *out)
{
    for (size_t i = 0; i < self->n_options; i++) {
        const option *row = &self->options[i];
        if (row->kind == OPTION_SETTINGS) {
            if (setting_at(row, &index, out)) return true;
        } else if (row->kind == OPTION_PARSING) {
            if (parsing_at(row, &index, out)) return true;
        } else {
            *out = *row;
            if (index-- == 0) return true;
        }
    }
    return false;
}

static bool is_offered(const dd_format_info *format, option_formats formats)
{
    if (formats == FORMATS_WRITTEN) return format->is_written;
    return format->is_read && (formats == FORMATS_READ || format->format <= DD_FORMAT_CONLLX);
}

/* The index-th format that the row offers; NULL beyond the last. */
static const dd_format_info *format_at(const option *row, size_t index)
{
    const dd_format_info *format;
    for (size_t i = 0; (format = dd_format_at(i)); i++)
        if (is_offered(format, row->formats) && index-- == 0) return format;
    return NULL;
}

const char *option_choice(const option *row, size_t index)
{
    dd_system_info info;
    dd_scorer_info scorer;
    if (row->setting) return dd_setting_choice(row->setting, index);
    if (row->parse && !row->choices) return index == 0 ? row->parse->zero : NULL;
    if (row->kind == OPTION_FORMAT) {
        const dd_format_info *format = format_at(row, index);
        return format ? format->name : NULL;
    }
    if (row->kind == OPTION_SYSTEM) return dd_system_at(index, &info) ? info.name : NULL;
    if (row->kind == OPTION_SCORER) return dd_scorer_at(index, &scorer) ? scorer.name : NULL;
    for (size_t i = 0; row->choices && row->choices[i]; i++)
        if (i == index) return row->choices[i];
    return NULL;
}

/* ---- values ------------------------------------------------------------------------------- */

static int bad_choice(const char *who, const option *row, const char *value)
{
    char list[256] = "";
    suggestion nearest = suggest_for(value, strlen(value));
    const char *choice;
    for (size_t i = 0; (choice = option_choice(row, i)); i++) {
        if (i > 0) strncat(list, ", ", sizeof list - strlen(list) - 1);
        strncat(list, choice, sizeof list - strlen(list) - 1);
        suggest_consider(&nearest, choice);
    }
    if (nearest.nearest)
        return say_usage(who, "option '--%s': '%s' is not one of %s; did you mean '%s'?", row->name,
                         value, list, nearest.nearest);
    return say_usage(who, "option '--%s': '%s' is not one of %s", row->name, value, list);
}

static int set_choice(const char *who, const option *row, const char *value, char *target)
{
    const char *choice;
    size_t index = 0;
    while ((choice = option_choice(row, index)) && strcmp(choice, value) != 0) index++;
    if (!choice) return bad_choice(who, row, value);
    if (row->kind == OPTION_CHOICE)
        *(int *)(void *)target = (int)index;
    else if (row->kind == OPTION_FORMAT)
        *(int *)(void *)target = (int)format_at(row, index)->format;
    else
        *(const char **)(void *)target = choice;
    return AGAIN;
}

static int set_whole(const char *who, const option *row, const char *value, char *target)
{
    const char *word = option_choice(row, 0);
    if (word && strcmp(value, word) == 0) {
        *(int64_t *)(void *)target = 0;
        return AGAIN;
    }
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    bool digits = value[0] != '\0' && strspn(value, "+-0123456789") == strlen(value);
    if (!digits || *end || errno || number < row->low || number > row->high)
        return say_usage(
            who, "option '--%s': '%s' is not a whole number from %" PRId64 " to %" PRId64 "%s%s",
            row->name, value, row->low, row->high, word ? ", or " : "", word ? word : "");
    *(int64_t *)(void *)target = number;
    return AGAIN;
}

static int set_real(const char *who, const option *row, const char *value, char *target)
{
    char *end;
    double number = strtod(value, &end);
    /* strtod also accepts hexadecimal numbers, infinities and blanks, which are not wanted here. */
    bool digits = value[0] != '\0' && strspn(value, "+-.eE0123456789") == strlen(value);
    bool inside = number >= (double)row->low && number <= (double)row->high;
    if (!digits || *end || !inside)
        return say_usage(who, "option '--%s': '%s' is not a number from %" PRId64 " to %" PRId64,
                         row->name, value, row->low, row->high);
    *(double *)(void *)target = number;
    return AGAIN;
}

static int set_string(const char *who, const option *row, const char *value, char *target)
{
    if (!*value) return say_usage(who, "option '--%s': its value is empty", row->name);
    *(const char **)(void *)target = value;
    return AGAIN;
}

static int add_string(const char *who, const option *row, const char *value, char *target)
{
    option_list *list = (option_list *)(void *)target;
    HEAP_GROW(&list->at, &list->capacity, list->count + 1);
    return set_string(who, row, value, (char *)&list->at[list->count++]);
}

static int set_setting(const command *self, const option *row, const char *value, char *target)
{
    dd_settings *settings = *(dd_settings **)(void *)target;
    dd_error error;
    if (row->kind == OPTION_FLAG) value = "yes";
    if (dd_settings_set(settings, row->name, value, &error) == DD_OK) return AGAIN;
    return options_say_error(self, &error);
}

/* A switch that was set before is set to the same. */
static int set_parsing(const char *who, const option *row, const char *value, char *target)
{
    const dd_parse_option *parse = row->parse;
    parsing *to = (parsing *)(void *)target;
    int64_t wanted = parse->no_name ? (row->opposite ? DD_TIDY_NO : DD_TIDY_YES) : 1;
    if (parse->kind == DD_OPTION_WHOLE) {
        int status = set_whole(who, row, value, (char *)&wanted);
        if (status != AGAIN) return status;
    } else if (parse->kind == DD_OPTION_CHOICE) {
        int index = 0;
        int status = set_choice(who, row, value, (char *)&index);
        if (status != AGAIN) return status;
        wanted = index;
    }
    dd_error error;
    to->decides = to->decides || parse->stage != DD_STAGE_RUN;
    if (parse->kind == DD_OPTION_TEXT)
        return dd_parse_option_set_text(parse, value, &to->input, &to->how, &error) == DD_OK
                   ? AGAIN
                   : say_usage(who, "option '--%s': %s", row->name, error.message);
    int before = dd_parse_option_get(parse, &to->input, &to->how);
    if (parse->kind == DD_OPTION_SWITCH && before != 0 && before != wanted)
        return say_usage(who, "options '--%s' and '--%s' cannot be combined", parse->name,
                         parse->no_name);
    if (dd_parse_option_set(parse, (int)wanted, &to->input, &to->how, &error) == DD_OK)
        return AGAIN;
    return say_error(&error);
}

static void clear_parsing(parsing *how)
{
    dd_input_options_init(&how->input);
    dd_parse_options_init(&how->how);
    how->decides = false;
}

static int set_value(const command *self, const option *row, const char *value, char *target)
{
    const char *who = self->name;
    if (row->setting) return set_setting(self, row, value, target);
    if (row->parse) return set_parsing(who, row, value, target);
    switch (row->kind) {
    case OPTION_FLAG: *(bool *)(void *)target = true; return AGAIN;
    case OPTION_WHOLE: return set_whole(who, row, value, target);
    case OPTION_REAL: return set_real(who, row, value, target);
    case OPTION_STRING: return set_string(who, row, value, target);
    case OPTION_STRINGS: return add_string(who, row, value, target);
    case OPTION_CHOICE:
    case OPTION_FORMAT:
    case OPTION_SYSTEM:
    case OPTION_SCORER: return set_choice(who, row, value, target);
    case OPTION_SETTINGS:
    case OPTION_PARSING: break;
    }
    return AGAIN;
}

static void clear_value(const option *row, char *target)
{
    switch (row->kind) {
    case OPTION_FLAG: *(bool *)(void *)target = false; break;
    case OPTION_WHOLE: *(int64_t *)(void *)target = 0; break;
    case OPTION_REAL: *(double *)(void *)target = 0; break;
    case OPTION_CHOICE:
    case OPTION_FORMAT: *(int *)(void *)target = 0; break;
    case OPTION_STRING:
    case OPTION_SYSTEM:
    case OPTION_SCORER: *(const char **)(void *)target = NULL; break;
    case OPTION_STRINGS: *(option_list *)(void *)target = (option_list){0}; break;
    case OPTION_SETTINGS: break; /* they have their defaults */
    case OPTION_PARSING: clear_parsing((parsing *)(void *)target); break;
    }
}

/* Defaults go through the same check as the user's words, so a wrong one cannot hide. */
static int set_defaults(const command *self, char *target)
{
    int status = AGAIN;
    for (size_t i = 0; i < self->n_options && status == AGAIN; i++) {
        const option *row = &self->options[i];
        clear_value(row, target + row->target);
        if (row->default_value)
            status = set_value(self, row, row->default_value, target + row->target);
    }
    return status;
}

/* ---- the user's words --------------------------------------------------------------------- */

static bool find_long(const command *self, const char *name, size_t size, option *out)
{
    for (size_t i = 0; option_at(self, i, out); i++)
        if (strlen(out->name) == size && memcmp(out->name, name, size) == 0) return true;
    return false;
}

static bool find_letter(const command *self, char letter, option *out)
{
    for (size_t i = 0; option_at(self, i, out); i++)
        if (out->letter == letter) return true;
    return false;
}

/* Whether it says how text is read, and models keep it: lists of tokens. */
static bool is_of_models(const char *name, size_t size)
{
    const dd_parse_option *parse;
    const dd_setting *setting;
    for (size_t i = 0; (parse = dd_parse_option_at(i)); i++) {
        if (parse->stage != DD_STAGE_READ || strlen(parse->name) != size ||
            memcmp(parse->name, name, size) != 0)
            continue;
        for (size_t k = 0; (setting = dd_setting_at(k)); k++)
            if (strcmp(setting->name, parse->name) == 0) return true;
    }
    return false;
}

/* `word` is as written; what follows its dashes, up to any '=', is compared. */
static int unknown_option(const command *self, const char *word)
{
    const char *name = word + strspn(word, "-");
    size_t size = strcspn(name, "=");
    suggestion nearest = suggest_for(name, size);
    option row;
    suggest_consider(&nearest, "help");
    for (size_t i = 0; option_at(self, i, &row); i++) suggest_consider(&nearest, row.name);
    int written = (int)(name - word + (ptrdiff_t)size);
    if (is_of_models(name, size))
        return say_usage(self->name,
                         "'%.*s' is an option of 'dodona parse', and of 'dodona train', whose "
                         "model keeps it; see 'dodona %s --help'",
                         written, word, self->name);
    if (nearest.nearest && size > 1)
        return say_usage(self->name, "unknown option '%.*s'; did you mean '--%s'?", written, word,
                         nearest.nearest);
    return say_usage(self->name, "unknown option '%.*s'; see 'dodona %s --help'", written, word,
                     self->name);
}

/* `attached` is what follows '=', NULL if there is none. */
static int take_option(cursor *at, const option *row, const char *attached)
{
    const char *name = at->self->name;
    const char *value = attached;
    if (row->kind == OPTION_FLAG && attached)
        return say_usage(name, "option '--%s' takes no value", row->name);
    if (row->kind != OPTION_FLAG && !value) {
        if (at->next == at->argc)
            return say_usage(name, "option '--%s' needs a value: %s", row->name, row->value);
        value = at->argv[at->next++];
    }
    return set_value(at->self, row, value, at->target + row->target);
}

static int read_word(cursor *at)
{
    char *word = at->argv[at->next++];
    if (word[0] != '-' || word[1] == '\0') {
        at->argv[at->operands++] = word;
        return AGAIN;
    }
    if (strcmp(word, "--") == 0) {
        while (at->next < at->argc) at->argv[at->operands++] = at->argv[at->next++];
        return AGAIN;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help_command(at->self);
        return STATUS_OK;
    }
    bool is_long = word[1] == '-';
    size_t size = strcspn(word + 2, "=");
    option row;
    bool found = is_long ? find_long(at->self, word + 2, size, &row)
                         : word[2] == '\0' && find_letter(at->self, word[1], &row);
    if (!found) return unknown_option(at->self, word);
    return take_option(at, &row, is_long && word[2 + size] == '=' ? word + 3 + size : NULL);
}

static int check_required(const cursor *at)
{
    for (size_t i = 0; i < at->self->n_options; i++) {
        const option *row = &at->self->options[i];
        if (!row->required || *(const char **)(void *)(at->target + row->target)) continue;
        return say_usage(at->self->name, "option '--%s %s' is missing", row->name, row->value);
    }
    return AGAIN;
}

static int check_operands(const cursor *at)
{
    const command *self = at->self;
    size_t count = (size_t)at->operands;
    if (count < self->least)
        return say_usage(self->name, "%s is missing; usage: dodona %s %s", self->operand,
                         self->name, self->usage);
    if (count > self->most)
        return say_usage(self->name, "unexpected operand '%s'; usage: dodona %s %s",
                         at->argv[self->most], self->name, self->usage);
    return AGAIN;
}

int options_read(const command *self, int argc, char **argv, void *arguments, operands *files)
{
    static const char *const standard_input[] = {"-"};
    cursor at = {.self = self, .argc = argc, .argv = argv, .target = arguments};
    int status = set_defaults(self, arguments);
    while (status == AGAIN && at.next < argc) status = read_word(&at);
    if (status == AGAIN) status = check_required(&at);
    if (status == AGAIN) status = check_operands(&at);
    if (status != AGAIN) return status;
    *files = (operands){(const char *const *)argv, (size_t)at.operands};
    if (files->count == 0 && self->most > 0) *files = (operands){standard_input, 1};
    return OPTIONS_GO;
}

int options_say_error(const command *self, const dd_error *error)
{
    const dd_setting *setting;
    for (size_t i = 0; error->status == DD_ERROR_ARGUMENT && (setting = dd_setting_at(i)); i++) {
        size_t size = strlen(setting->name);
        if (strncmp(error->message, setting->name, size) != 0) continue;
        if (strncmp(error->message + size, ": ", 2) != 0) continue;
        return say_usage(self->name, "option '--%s': %s", setting->name, error->message + size + 2);
    }
    return say_error(error);
}
