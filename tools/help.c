#include "cmd.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, OPTION_COLUMN = 26, COMMAND_COLUMN = 13 };

/* Words filled into lines from column `indent` on, where the line stands already; a blank line
 * parts the paragraphs. */
static void fill(const char *text, int indent)
{
    int column = indent;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        int size = (int)strcspn(text, " \n");
        if (size == 0) {
            printf("\n\n%*s", indent, "");
            column = indent;
            text++;
            continue;
        }
        if (column > indent && column + 1 + size >= WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        column += printf("%s%.*s", column > indent ? " " : "", size, text);
        text += size;
    }
    putchar('\n');
}

/* Appends to the text in `out`, as far as there is room. */
static void append(char *out, size_t room, const char *before, const char *text)
{
    size_t used = strlen(out);
    snprintf(out + used, room - used, "%s%s", before, text);
}

/* "1 to 1000"; nothing where there is no upper bound. */
static void print_bounds(const option *row, char out[64])
{
    const dd_setting *setting = row->setting;
    out[0] = '\0';
    if (row->kind != OPTION_REAL && row->kind != OPTION_WHOLE) return;
    if (setting && setting->high < INFINITY)
        snprintf(out, 64, "%.15g to %.15g", setting->low, setting->high);
    else if (!setting && row->high < INT64_MAX)
        snprintf(out, 64, "%" PRId64 " to %" PRId64, row->low, row->high);
}

/* The help of the row, its choices or bounds, and its default. */
static void describe(const option *row, char *out, size_t room)
{
    char bounds[64];
    const char *choice, *before = " (";
    snprintf(out, room, "%s", row->help);
    print_bounds(row, bounds);
    if (bounds[0]) {
        append(out, room, before, bounds);
        before = ", ";
    }
    for (size_t i = 0; row->kind != OPTION_SYSTEM && (choice = option_choice(row, i)); i++) {
        append(out, room, before, choice);
        before = ", ";
    }
    if (before[0] == ',') append(out, room, ")", "");
    if (row->default_value && row->kind != OPTION_FLAG) {
        append(out, room, " [", row->default_value);
        append(out, room, "]", "");
    }
    if (row->required) append(out, room, " ", "(required)");
}

static void print_option(const option *row)
{
    char text[1024];
    char letter[] = "    ";
    if (row->letter) memcpy(letter, (char[]){'-', row->letter, ',', ' '}, 4);
    int column = printf("  %s--%s", letter, row->name);
    if (row->value) column += printf(" %s", row->value);
    if (column + 2 > OPTION_COLUMN) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", OPTION_COLUMN - column, "");
    describe(row, text, sizeof text);
    fill(text, OPTION_COLUMN);
}

void help_command(const command *self)
{
    static const option help = {.name = "help", .letter = 'h', .help = "show this help"};
    int column = printf("Usage: dodona %s ", self->name);
    fill(self->usage, column);
    putchar('\n');
    fill(self->text ? self->text : self->summary, 0);
    printf("\nOptions, defaults in brackets:\n");
    option row;
    for (size_t i = 0; option_at(self, i, &row); i++) print_option(&row);
    print_option(&help);
    if (self->least == 0 && self->most > 0 && strcmp(self->operand, "FILE") == 0)
        printf("\nNo %s, or '-', reads standard input.\n", self->operand);
}

void help_program(void)
{
    printf("Usage: dodona SUBCOMMAND [OPTION]... [FILE]...\n\n"
           "Transition-based dependency parsing with dynamic oracles.\n\n"
           "Subcommands:\n");
    for (size_t i = 0; commands[i]; i++) {
        printf("  %-*s", COMMAND_COLUMN - 2, commands[i]->name);
        fill(commands[i]->summary, COMMAND_COLUMN);
    }
    printf("\n'dodona SUBCOMMAND --help' or 'dodona help SUBCOMMAND' shows more;\n"
           "'dodona --version' prints the version. Files compressed with gzip or Zstandard\n"
           "can be read directly; '-' is standard input.\n\n"
           "Exit status: 0 success, 1 a problem in the data or model, 2 wrong usage,\n"
           "130 interrupted.\n");
}
