/* cmd_complete.c - writes shell completion from the tables of subcommands and options, so that it
 * knows all that the program knows. */
#include "cmd.h"
#include "dodona_tools.h"
#include "message.h"

#include <stdio.h>
#include <string.h>

static const char *const option_help = "show help";

/* ---- what can stand where ----------------------------------------------------------------- */

/* Of `check --only`. */
static bool takes_kinds(const option *row)
{
    return row->value && strcmp(row->value, "NAMES") == 0;
}

/* Parted by blanks; nothing for an option that takes any value. */
static void print_choices(const option *row)
{
    const char *choice;
    dd_fault_kind kind;
    for (size_t i = 0; (choice = option_choice(row, i)); i++) printf("%s%s", i ? " " : "", choice);
    for (size_t i = 0; takes_kinds(row) && dd_fault_kind_at(i, &kind); i++)
        printf("%s%s", i ? " " : "", kind.name);
}

static void print_sets(void)
{
    const char *name;
    dd_text text;
    for (size_t i = 0; dd_templates_at(i, &name, &text); i++) printf("%s%s", i ? " " : "", name);
}

static void print_commands(void)
{
    for (size_t i = 0; commands[i]; i++) printf("%s ", commands[i]->name);
    printf("help");
}

static bool takes_file(const option *row)
{
    static const char *const others[] = {"CODE", "ID",     "LOSS",          "NAMES",
                                         "TEXT", "ORIGIN", "[ADDRESS:]PORT"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(row->value, others[i]) == 0) return false;
    return row->kind == OPTION_STRING;
}

/* That is there: a name, or a file. */
static bool takes_model(const option *row)
{
    return strcmp(row->name, "model") == 0;
}

static bool shows_model(const command *self)
{
    return strcmp(self->operand, "MODEL") == 0;
}

static bool is_models(const command *self)
{
    return strcmp(self->name, "models") == 0;
}

static bool is_corpus(const command *self)
{
    return strcmp(self->name, "corpus") == 0;
}

static bool takes_sets(const command *self)
{
    return strcmp(self->operand, "SET") == 0;
}

static bool takes_shell(const command *self)
{
    return strcmp(self->operand, "SHELL") == 0;
}

/* ---- bash --------------------------------------------------------------------------------- */

static void bash_values(const command *self)
{
    option row;
    for (size_t i = 0; option_at(self, i, &row); i++) {
        if (row.kind == OPTION_FLAG) continue;
        printf("    %s:--%s", self->name, row.name);
        if (row.letter) printf(" | %s:-%c", self->name, row.letter);
        if (takes_model(&row) || takes_file(&row)) {
            printf(") %s ;;\n", takes_model(&row) ? "names=yes" : "return");
            continue;
        }
        printf(") words='");
        print_choices(&row);
        printf("' ;;\n");
    }
}

static void bash_options(const command *self)
{
    option row;
    printf("    %s) words='", self->name);
    for (size_t i = 0; option_at(self, i, &row); i++) {
        printf("--%s ", row.name);
        if (row.letter) printf("-%c ", row.letter);
    }
    printf("--help -h' ;;\n");
}

/* Words that follow `models`: what to do, and then with which models. */
static const char bash_models[] = "    models)\n"
                                  "        if ((COMP_CWORD == 2)); then words='get remove index'\n"
                                  "        elif [[ ${COMP_WORDS[2]} == remove ]]; then names=yes\n"
                                  "        else return; fi ;;\n";

/* Words that follow `corpus`: what to do, and then with which files. */
static const char corpus_actions[] = "plan run missing verify merge";

static void bash_corpus(void)
{
    printf("    corpus)\n"
           "        ((COMP_CWORD == 2)) || return\n"
           "        words='%s' ;;\n",
           corpus_actions);
}

static void bash_operands(const command *self)
{
    if (is_models(self)) printf("%s", bash_models);
    if (is_corpus(self)) bash_corpus();
    if (shows_model(self)) printf("    %s) names=yes ;;\n", self->name);
    if (self->most > 0 && !takes_sets(self) && !takes_shell(self)) return;
    printf("    %s) words='", self->name);
    if (takes_sets(self)) print_sets();
    if (takes_shell(self)) printf("bash zsh");
    printf("' ;;\n");
}

/* Models by name and, beside them, files. */
static const char bash_names[] =
    "    if [[ $names == yes ]]; then\n"
    "        words=$(\"${COMP_WORDS[0]}\" models --names 2>/dev/null)\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
    "        ((${#COMPREPLY[@]})) || return\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "        return\n"
    "    fi\n";

/* Where nothing is answered, bash completes the name of a file. It breaks words at `=`. */
static void print_bash(void)
{
    printf("# bash completion for dodona, made by 'dodona complete bash'\n"
           "_dodona()\n"
           "{\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local command=${COMP_WORDS[1]} words= names=no values=yes\n"
           "    COMPREPLY=()\n"
           "    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then\n"
           "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "    fi\n"
           "    if ((COMP_CWORD == 1)); then command=; fi\n"
           "    case $command:$prev in\n"
           "    :*) words='");
    print_commands();
    printf(" --help --version' ;;\n"
           "    help:*) words='");
    print_commands();
    printf("' ;;\n");
    for (size_t i = 0; commands[i]; i++) bash_values(commands[i]);
    printf("    *) values=no ;;\n"
           "    esac\n"
           "    if [[ $values == no && $cur == -* ]]; then\n"
           "        case $command in\n");
    for (size_t i = 0; commands[i]; i++) bash_options(commands[i]);
    printf("        esac\n"
           "    elif [[ $values == no ]]; then\n"
           "        case $command in\n");
    for (size_t i = 0; commands[i]; i++) bash_operands(commands[i]);
    printf("        *) return ;;\n"
           "        esac\n"
           "    fi\n"
           "%s"
           "    compopt +o default 2>/dev/null\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
           "}\n"
           "complete -o default -F _dodona dodona\n",
           bash_names);
}

/* ---- zsh ---------------------------------------------------------------------------------- */

/* Text within single quotes, in brackets of _arguments or before the colon of _describe. */
static void zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) putchar('\\');
        if (*text == '\'')
            printf("'\\''");
        else
            putchar(*text);
    }
}

static void zsh_option(const option *row)
{
    bool flag = row->kind == OPTION_FLAG;
    printf("      ");
    if (row->letter)
        printf("'(-%c --%s)'{-%c,--%s%s}'", row->letter, row->name, row->letter, row->name,
               flag ? "" : "=");
    else
        printf("'--%s%s", row->name, flag ? "" : "=");
    printf("[");
    zsh_text(row->help);
    printf("]");
    if (!flag) {
        printf(":%s:", row->value);
        if (takes_model(row)) {
            printf("_dodona_models");
        } else if (takes_file(row)) {
            printf("_files");
        } else if (option_choice(row, 0) || takes_kinds(row)) {
            printf("(");
            print_choices(row);
            printf(")");
        } else {
            printf(" ");
        }
    }
    printf("' \\\n");
}

static void zsh_operands(const command *self)
{
    if (self->most == 0) {
        printf("      && return\n");
        return;
    }
    if (is_models(self)) printf("      '1:ACTION:(get remove index)' \\\n");
    if (is_corpus(self)) printf("      '1:ACTION:(%s)' \\\n", corpus_actions);
    printf("      '*:%s:", is_corpus(self) ? "FILE" : self->operand);
    if (is_models(self) || shows_model(self)) {
        printf("_dodona_models");
    } else if (takes_sets(self) || takes_shell(self)) {
        printf("(");
        if (takes_sets(self)) print_sets();
        if (takes_shell(self)) printf("bash zsh");
        printf(")");
    } else {
        printf("_files");
    }
    printf("' && return\n");
}

static void print_zsh(void)
{
    printf("#compdef dodona\n"
           "# zsh completion for dodona, made by 'dodona complete zsh'\n"
           "_dodona_models() {\n"
           "  local -a names\n"
           "  names=(${(f)\"$(_call_program models dodona models --names 2>/dev/null)\"})\n"
           "  _alternative 'models:model:compadd -a names' 'files:file:_files'\n"
           "}\n"
           "_dodona() {\n"
           "  local curcontext=\"$curcontext\" state line\n"
           "  local -a subcommands\n"
           "  subcommands=(\n");
    for (size_t i = 0; commands[i]; i++) {
        printf("    '%s:", commands[i]->name);
        zsh_text(commands[i]->summary);
        printf("'\n");
    }
    printf("    'help:%s'\n"
           "  )\n"
           "  _arguments -C '(-h --help)'{-h,--help}'[%s]' '--version[show the version]' \\\n"
           "    '1: :->subcommand' '*:: :->arguments' && return\n"
           "  case $state in\n"
           "  subcommand) _describe -t subcommands subcommand subcommands && return ;;\n"
           "  arguments)\n"
           "    curcontext=\"${curcontext%%:*:*}:dodona-$line[1]:\"\n"
           "    case $line[1] in\n"
           "    help) _describe -t subcommands subcommand subcommands && return ;;\n",
           option_help, option_help);
    option row;
    for (size_t i = 0; commands[i]; i++) {
        printf("    %s) _arguments \\\n", commands[i]->name);
        for (size_t k = 0; option_at(commands[i], k, &row); k++) zsh_option(&row);
        printf("      '(-h --help)'{-h,--help}'[%s]' \\\n", option_help);
        zsh_operands(commands[i]);
        printf("      ;;\n");
    }
    printf("    esac ;;\n"
           "  esac\n"
           "  return 1\n"
           "}\n"
           "_dodona \"$@\"\n");
}

/* ---- the subcommand ----------------------------------------------------------------------- */

static int run(const command *self, int argc, char **argv)
{
    operands shells;
    int status = options_read(self, argc, argv, NULL, &shells);
    if (status != OPTIONS_GO) return status;
    if (strcmp(shells.at[0], "bash") == 0)
        print_bash();
    else if (strcmp(shells.at[0], "zsh") == 0)
        print_zsh();
    else
        return say_usage(self->name, "there is no completion for '%s', only for bash and zsh",
                         shells.at[0]);
    return STATUS_OK;
}

const command cmd_complete = {
    .name = "complete",
    .usage = "bash|zsh",
    .summary = "write completion for a shell",
    .text = "Write a script that completes subcommands, options and their values in bash or zsh. "
            "It is installed with the program; for a program that is not installed:\n"
            "bash: source <(dodona complete bash)\n"
            "zsh: dodona complete zsh >DIRECTORY-IN-FPATH/_dodona",
    .operand = "SHELL",
    .least = 1,
    .most = 1,
    .run = run,
};
