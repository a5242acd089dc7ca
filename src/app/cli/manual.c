/*
 * manual: the manual pages and the shell completions, written from the tables of the commands, so
 * that they always match the program.
 */
#include "cli/cli.h"

#include <string.h>

/* In roff a line that starts with a dot or an apostrophe is a request and a backslash an escape. */
static void add_roff(Text *text, const char *string) {
    bool line_start = true;
    for (; *string; string++) {
        if (line_start && (*string == '.' || *string == '\''))
            text_add(text, "\\&");
        if (*string == '\\')
            text_add(text, "\\e");
        else if (*string == '-')
            text_add(text, "\\-");
        else
            text_add_char(text, *string);
        line_start = *string == '\n';
    }
}

static void add_roff_option(const Option *option, Text *text) {
    text_add(text, ".TP\n.B \\-\\-");
    add_roff(text, option->name);
    if (option->argument)
        text_format(text, " \\fI%s\\fR", option->argument);
    text_add_char(text, '\n');
    Text line = {0};
    options_describe(option, &line);
    add_roff(text, line.data ? line.data : "");
    text->failed |= line.failed;
    text_release(&line);
    if (options_shown_default(option)) {
        text_add(text, " (default ");
        add_roff(text, options_shown_default(option));
        text_add_char(text, ')');
    }
    text_add_char(text, '\n');
}

/* The body of a command: what it does, its options, its examples. */
static void add_roff_command(const Command *command, Text *text) {
    add_roff(text, command->description);
    text_add_char(text, '\n');
    Option parts[2];
    OptionTable table = cli_options(command, parts);
    for (int i = 0; i < options_count(table); i++) {
        Option row = options_row(table, i);
        add_roff_option(&row, text);
    }
    text_add(text, ".PP\nExamples:\n.nf\n");
    add_roff(text, command->examples);
    text_add(text, ".fi\n");
}

static void add_roff_exit(Text *text, const char *code, const char *meaning) {
    text_format(text, ".TP\n%s\n", code);
    add_roff(text, meaning);
    text_add_char(text, '\n');
}

/* What the exit codes mean, of one command where that is given (NULL: of the program), and the rest
 * that is the same everywhere. */
static void add_roff_end(const Command *command, Text *text) {
    text_add(text, ".SH EXIT STATUS\n");
    add_roff_exit(text, "0", "done");
    if (!command)
        add_roff_exit(text, "1", "no solution, or target not reached");
    else if (command->unmet)
        add_roff_exit(text, "1", command->unmet);
    add_roff_exit(text, "2", "bad usage or bad input");
    add_roff_exit(text, "3", "the system failed (file, database, network, memory)");
    const char *of_all = "interrupted; the page of the command says what is kept";
    const char *of_one = command && command->interrupted ? command->interrupted : "interrupted";
    add_roff_exit(text, "130", command ? of_one : of_all);
    text_add(text, ".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours unless \\-\\-color=always\n"
                   ".TP\nTETROPT_CPU\nuse at most this CPU level: baseline, avx2 or avx512\n"
                   ".SH SEE ALSO\n");
}

/* The page `tetropt-COMMAND`. */
static void manual_of_command(const Command *command, Text *text) {
    text_format(text, ".TH TETROPT-%s 1 \"\" \"tetropt " TETROPT_VERSION "\" \"User Commands\"\n",
                command->name);
    text_format(text, ".SH NAME\ntetropt\\-%s \\- ", command->name);
    add_roff(text, command->summary);
    text_format(text, "\n.SH SYNOPSIS\n.B tetropt %s\n", command->name);
    add_roff(text, command->arguments);
    text_add(text, "\n.SH DESCRIPTION\n");
    add_roff_command(command, text);
    add_roff_end(command, text);
    text_add(text, ".BR tetropt (1)\n");
}

static void manual_of_all(Text *text) {
    text_add(text,
             ".TH TETROPT 1 \"\" \"tetropt " TETROPT_VERSION "\" \"User Commands\"\n"
             ".SH NAME\ntetropt \\- solve, play and optimise Tetris\n"
             ".SH SYNOPSIS\n.B tetropt\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
             ".SH DESCRIPTION\n"
             "Finds the best arrangement of known pieces, plays them one at a time, trains the\n"
             "players and compares them. Results go to standard output, everything else to\n"
             "standard error.\n.SH COMMANDS\n");
    for (int i = 0; cli_commands[i]; i++) {
        text_format(text, ".SS \"tetropt %s ", cli_commands[i]->name);
        add_roff(text, cli_commands[i]->arguments);
        text_add(text, "\"\n");
        add_roff_command(cli_commands[i], text);
    }
    add_roff_end(NULL, text);
    for (int i = 0; cli_commands[i]; i++)
        text_format(text, ".BR tetropt\\-%s (1),\n", cli_commands[i]->name);
    text_add(text, ".BR tetropt (3)\n");
}

void cli_manual(const Command *command, Text *text) {
    if (command)
        manual_of_command(command, text);
    else
        manual_of_all(text);
}

static bool has_words(const Option *option) {
    return option->choices || option->word_at;
}

/* " solve eval ..." */
static void add_command_names(Text *text) {
    for (int i = 0; cli_commands[i]; i++)
        text_format(text, " %s", cli_commands[i]->name);
}

static void add_bash(Text *text) {
    Option parts[2];
    text_add(text, "_tetropt() {\n"
                   "  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"help");
    add_command_names(text);
    text_add(text, "\" -- \"$word\"))\n    return\n  fi\n  case \"${COMP_WORDS[1]} $last\" in\n"
                   "  'help help') COMPREPLY=($(compgen -W \"completion manual");
    add_command_names(text);
    text_add(text, "\" -- \"$word\")); return ;;\n"
                   "  'help manual') COMPREPLY=($(compgen -W \"");
    add_command_names(text);
    text_add(text, "\" -- \"$word\")); return ;;\n"
                   "  'help completion') COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$word\")); "
                   "return ;;\n");
    for (int i = 0; cli_commands[i]; i++) {
        OptionTable table = cli_options(cli_commands[i], parts);
        for (int k = 0; k < options_count(table); k++) {
            Option row = options_row(table, k);
            if (!has_words(&row))
                continue;
            text_format(text, "  '%s --%s') COMPREPLY=($(compgen -W \"", cli_commands[i]->name,
                        row.name);
            options_words(&row, ' ', text);
            text_add(text, "\" -- \"$word\")); return ;;\n");
        }
    }
    text_add(text, "  esac\n  case \"${COMP_WORDS[1]}\" in\n");
    for (int i = 0; cli_commands[i]; i++) {
        text_format(text, "  %s) COMPREPLY=($(compgen -W \"", cli_commands[i]->name);
        OptionTable table = cli_options(cli_commands[i], parts);
        for (int k = 0; k < options_count(table); k++)
            text_format(text, "%s--%s", k ? " " : "", options_row(table, k).name);
        text_add(text, "\" -- \"$word\")) ;;\n");
    }
    text_add(text, "  esac\n}\ncomplete -o default -F _tetropt tetropt\n");
}

/* Quotes for single-quoted shell strings; brackets mean something to zsh. */
static void add_plain(const char *string, Text *text) {
    for (; *string; string++)
        text_add_char(text, strchr("'[]:\"$`\\", *string) ? ' ' : *string);
}

static void add_plain_help(const Option *option, Text *text) {
    Text help = {0};
    options_purpose(option, &help);
    add_plain(help.data ? help.data : "", text);
    text->failed |= help.failed;
    text_release(&help);
}

static void add_zsh(Text *text) {
    Option parts[2];
    text_add(text, "#compdef tetropt\n_tetropt() {\n  local -a commands\n  commands=(\n");
    for (int i = 0; cli_commands[i]; i++) {
        text_format(text, "    '%s:", cli_commands[i]->name);
        add_plain(cli_commands[i]->summary, text);
        text_add(text, "'\n");
    }
    text_add(text,
             "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n"
             "  fi\n  case $words[2] in\n");
    for (int i = 0; cli_commands[i]; i++) {
        text_format(text, "  %s)\n    _arguments", cli_commands[i]->name);
        OptionTable table = cli_options(cli_commands[i], parts);
        for (int k = 0; k < options_count(table); k++) {
            Option row = options_row(table, k), *option = &row;
            text_format(text, " \\\n      '--%s[", option->name);
            add_plain_help(option, text);
            text_add_char(text, ']');
            if (has_words(option)) {
                text_add(text, ":value:(");
                options_words(option, ' ', text);
                text_add_char(text, ')');
            } else if (option->kind != OPTION_FLAG)
                text_add(text, ":value:_files");
            text_add_char(text, '\'');
        }
        text_add(text, " \\\n      '*:file:_files'\n    ;;\n");
    }
    text_add(text, "  esac\n}\n_tetropt \"$@\"\n");
}

static void add_fish(Text *text) {
    Option parts[2];
    for (int i = 0; cli_commands[i]; i++) {
        const char *name = cli_commands[i]->name;
        text_format(text, "complete -c tetropt -n __fish_use_subcommand -a %s -d '", name);
        add_plain(cli_commands[i]->summary, text);
        text_add(text, "'\n");
        OptionTable table = cli_options(cli_commands[i], parts);
        for (int k = 0; k < options_count(table); k++) {
            Option row = options_row(table, k), *option = &row;
            text_format(text, "complete -c tetropt -n '__fish_seen_subcommand_from %s' -l %s%s",
                        name, option->name, option->kind == OPTION_FLAG ? "" : " -r");
            if (has_words(option)) {
                text_add(text, " -f -a '");
                options_words(option, ' ', text);
                text_add_char(text, '\'');
            }
            text_add(text, " -d '");
            add_plain_help(option, text);
            text_add(text, "'\n");
        }
    }
}

bool cli_completion(const char *shell, Text *text, Status *status) {
    if (strcmp(shell, "bash") == 0)
        add_bash(text);
    else if (strcmp(shell, "zsh") == 0)
        add_zsh(text);
    else if (strcmp(shell, "fish") == 0)
        add_fish(text);
    else
        return status_fail(status, STATUS_INPUT, "completion: '%s' is not bash, zsh or fish",
                           shell);
    return true;
}
