/* cli: what several commands need: settings, words, colours, piece files, printing. */
#include "cli/cli.h"

#include "base/rng.h"
#include "engine/randomizer.h"
#include "io/question_files.h"
#include "system/file.h"
#include "system/ranks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PIECES_FILE_LIMIT = 8 << 20 };

static const Option common_rows[] = {
    OPTION_ROW(CliCommon, FLAG, json, "json",
               .help = "print JSON and nothing else on standard output"),
    OPTION_ROW(CliCommon, FLAG, quiet, "quiet", .help = "suppress progress and diagnostics"),
    OPTION_ROW(CliCommon, CHOICE, color, "color", .fallback = "auto",
               .choices = "auto|always|never", .argument = "WHEN", .help = "colours"),
    OPTION_ROW(CliCommon, TEXT, config, "config", .argument = "FILE", .file = OPTION_READS,
               .help = "read options from an INI file, one section per command"),
    OPTION_ROW(CliCommon, FLAG, help, "help", .help = "print this"),
};

const OptionTable cli_common_options = OPTIONS_TABLE(common_rows);

const Command *cli_find_command(const char *name) {
    for (int i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

bool cli_context_init(CliContext *context, const Command *command, Status *status) {
    *context = (CliContext){.command = command};
    context->settings = question_new(command->options, command->settings_bytes, status);
    if (command->question)
        context->question = job_question(command->question, status);
    return context->settings && (context->question || !command->question);
}

void cli_context_release(CliContext *context) {
    question_free(context->settings);
    question_free(context->question);
}

bool cli_set(CliContext *context, const char *name, const char *value, Status *status) {
    const Command *command = context->command;
    if (context->question && options_find(command->options, name) < 0) {
        if (!job_knows(command->question, name))
            return job_unknown(command->question, command->options, name, status);
        return job_set(command->question, context->question, name, value, status);
    }
    return question_set(context->settings, name, value, status);
}

OptionTable cli_options(const Command *command, Option parts[2]) {
    parts[0] = (Option){.name = "", .kind = OPTION_INCLUDE, .table = &command->options};
    if (command->question)
        parts[1] =
            (Option){.name = "", .kind = OPTION_INCLUDE, .table = &command->question->options};
    return (OptionTable){parts, command->question ? 2 : 1};
}

void *cli_prepare(CliContext *context, Status *status) {
    if (!question_read_files(context->question, status))
        return NULL;
    void *run = context->command->question->prepare(context->question, status);
    if (!run)
        question_name_file(context->question, status);
    return run;
}

const char *cli_path_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool cli_words_at_most(const CliContext *context, int most, Status *status) {
    if (context->words.count <= most)
        return true;
    return status_fail(status, STATUS_INPUT, "%s: unexpected argument '%s' (see --help)",
                       context->command->name, context->words.items[most]);
}

bool cli_given(const CliContext *context, const char *option) {
    return question_given(context->settings, option) ||
           (context->question && question_given(context->question, option));
}

bool cli_one_process(const char *what, Status *status) {
    Exchange ranks = ranks_launched();
    if (ranks.count == 1)
        return true;
    if (ranks.index == 0)
        status_fail(status, STATUS_INPUT,
                    "%s: mpirun started %d processes that would all do the same", what,
                    ranks.count);
    return false;
}

uint64_t cli_seed(const CliContext *context, int64_t given) {
    return cli_given(context, "seed") ? (uint64_t)given : rng_entropy();
}

void cli_interrupted(const CliContext *context, const char *format, ...) {
    if (cli_given(context, "quiet"))
        return;
    fprintf(stderr, "%s", context->command->interrupted);
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        fputs("; continue: ", stderr);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
    }
    fputc('\n', stderr);
}

bool cli_use_color(const CliCommon *common, int descriptor) {
    if (common->color != COLOR_AUTO)
        return common->color == COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR");
    return isatty(descriptor) && !(no_color && *no_color);
}

const char *cli_plural(int64_t count) {
    return count == 1 ? "" : "s";
}

bool cli_print_text(Text *text, Status *status) {
    bool ok = !text->failed;
    if (ok)
        fputs(text->data ? text->data : "", stdout);
    text_release(text);
    return ok || status_no_memory(status);
}

StatusCode cli_print_list(const CliContext *context, void (*list)(Text *text), Status *status) {
    Text text = {0};
    if (cli_given(context, "json")) {
        status_option(status, "json", "cannot be combined with --list");
        return status->code;
    }
    list(&text);
    return cli_print_text(&text, status) ? STATUS_OK : status->code;
}

bool cli_print_line(Text *text, Status *status) {
    text_add_char(text, '\n');
    return cli_print_text(text, status);
}

bool cli_print_json(JsonWriter *w, Status *status) {
    jw_end(w);
    return cli_print_line(w->text, status);
}

int cli_read_pieces(const char *path, uint8_t *pieces, size_t capacity, Status *status) {
    size_t length;
    char *text = file_read(path, PIECES_FILE_LIMIT, &length, status);
    if (!text)
        return -1;
    int count = -1;
    if (strlen(text) == length)
        count = pieces_parse(text, pieces, capacity, status);
    else /* the rest would be dropped silently */
        status_fail(status, STATUS_INPUT, "has a NUL in it");
    free(text);
    if (count < 0)
        status_prefix(status, "%s", cli_path_name(path));
    return count;
}

int cli_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void cli_command_help(const Command *command, Text *text) {
    Text usage = {0};
    text_format(&usage, "Usage: tetropt %s %s", command->name, command->arguments);
    text_wrap(text, usage.data ? usage.data : "", 8, TEXT_COLUMNS);
    text_add(text, "\n\n");
    text->failed |= usage.failed;
    text_release(&usage);
    text_wrap(text, command->description, 0, TEXT_COLUMNS);
    text_add(text, "\n\nOptions (default in parentheses):\n");
    Option parts[2];
    options_help(cli_options(command, parts), "--", text);
    text_format(text, "\nExamples:\n%s", command->examples);
}

void cli_overview(Text *text) {
    text_add(text, "tetropt " TETROPT_VERSION ": solve, play and optimise Tetris\n\n"
                   "Usage: tetropt COMMAND [OPTIONS]\n\nCommands:\n");
    for (int i = 0; cli_commands[i]; i++)
        text_format(text, "  %-12s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    text_add(text,
             "\n`tetropt COMMAND --help` explains a command, with examples; `tetropt --version`\n"
             "prints the version.\n"
             "Exit codes: 0 done, 1 no solution or target not reached, 2 bad usage or input,\n"
             "3 system error, 130 interrupted.\n");
}
