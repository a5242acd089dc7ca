/*
 * main: finds the command, fills its settings (defaults, then --config, then the command line),
 * runs it and turns its Status into one line and an exit code.
 */
#include "base/cpu.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/files.h"
#include "cli/menu.h"
#include "system/file.h"
#include "system/ranks.h"
#include "system/stop.h"
#include "term/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 1 << 19, PAGE_BYTES = 4096 };

#define ADDRESS(name_) &cmd_##name_,
const Command *const cli_commands[] = {COMMAND_LIST(ADDRESS) NULL};

/* One line at most: of several failures the first. A lost output is one, too. */
static StatusCode complain(const Status *status, StatusCode code) {
    int error = errno; /* of an earlier write, where that failed */
    bool flushed = fflush(stdout) == 0, lost = !flushed || ferror(stdout);
    error = !flushed ? errno : error ? error : EIO;
    if (status->message[0])
        fprintf(stderr, "tetropt: %s%s\n", status->option ? "--" : "", status->message);
    else if (lost)
        fprintf(stderr, "tetropt: standard output: %s\n", strerror(error));
    return lost && !status->message[0] ? STATUS_SYSTEM : code;
}

static StatusCode print_help(const Command *command, Status *status) {
    Text text = {0};
    cli_command_help(command, &text);
    cli_print_text(&text, status);
    return status->code;
}

static bool set_option(void *context, const char *name, const char *value, Status *status) {
    return cli_set(context, name, value, status);
}

static bool parse(CliContext *context, int count, char **arguments, Status *status) {
    Option parts[2];
    return options_parse(cli_options(context->command, parts), count, arguments, set_option,
                         context, &context->words, status);
}

/* The command line was read once, to find the file that it names. It overrides the file, so it is
 * read again: defaults, the file, the command line. */
static bool read_config(CliContext *context, int count, char **arguments, Status *status) {
    const CliCommon *common = context->settings->values;
    CliContext fresh;
    bool ok = cli_context_init(&fresh, context->command, status) &&
              config_read(common->config, context->words.count > 0 ? context->words.items[0] : NULL,
                          &fresh, status) &&
              parse(&fresh, count, arguments, status);
    CliContext old = ok ? *context : fresh;
    if (ok)
        *context = fresh;
    cli_context_release(&old);
    return ok;
}

static StatusCode run_with(CliContext *context, int count, char **arguments, Status *status) {
    const Command *command = context->command;
    if (!parse(context, count, arguments, status)) {
        /* All processes that mpirun started find the same; the first one prints it. */
        if (ranks_launched().index > 0)
            *status = (Status){.code = STATUS_OK};
        return status->code;
    }
    const CliCommon *common = context->settings->values; /* every settings struct begins with it */
    if (common->help)
        return print_help(command, status);
    /* The file may have options of several subcommands. */
    if (context->words.count > 0 &&
        !question_only(context->settings, context->words.items[0], status))
        return status->code;
    if (common->config && !read_config(context, count, arguments, status))
        return status->code;
    /* A command that several processes may share checks its files once they are connected. */
    if (!command->takes_ranks &&
        (!cli_one_process(command->name, status) || !cli_files_check(context, NULL, 0, status)))
        return status->code;
    return command->run(context, context->settings->values, status);
}

static StatusCode run_command(const Command *command, int count, char **arguments, Status *status) {
    CliContext context;
    StatusCode code = cli_context_init(&context, command, status)
                          ? run_with(&context, count, arguments, status)
                          : status->code;
    cli_context_release(&context);
    return code;
}

/* The page of one command, or that of the program. */
static void manual(const char *topic, Text *text, Status *status) {
    const Command *command = topic ? cli_find_command(topic) : NULL;
    if (topic && !command)
        status_fail(status, STATUS_INPUT, "manual: unknown command '%s'", topic);
    else
        cli_manual(command, text);
}

/* Fails when more than `most` words stand behind `what`. */
static bool words_at_most(const char *what, int most, int count, char **arguments, Status *status) {
    return count <= most ||
           status_fail(status, STATUS_INPUT, "%s: unexpected argument '%s'", what, arguments[most]);
}

static StatusCode help(int count, char **arguments, Status *status) {
    bool two = count > 0 &&
               (strcmp(arguments[0], "manual") == 0 || strcmp(arguments[0], "completion") == 0);
    if (!words_at_most("help", two ? 2 : 1, count, arguments, status))
        return status->code;
    Text text = {0};
    const char *topic = count > 0 ? arguments[0] : NULL;
    if (topic && (strcmp(topic, "--help") == 0 || strcmp(topic, "-h") == 0))
        topic = NULL;
    const Command *command = topic ? cli_find_command(topic) : NULL;
    if (!topic)
        cli_overview(&text);
    else if (command)
        cli_command_help(command, &text);
    else if (strcmp(topic, "manual") == 0)
        manual(count > 1 ? arguments[1] : NULL, &text, status);
    else if (strcmp(topic, "completion") == 0)
        cli_completion(count > 1 ? arguments[1] : "", &text, status);
    else
        status_fail(status, STATUS_INPUT, "help: unknown command '%s'", topic);
    cli_print_text(&text, status);
    return status->code;
}

/* A menu where there is a terminal that can show one. */
static StatusCode without_command(Status *status) {
    StatusCode code;
    if (terminal_available() && menu_run(run_command, &code, status))
        return code;
    if (status->code == STATUS_SYSTEM)
        return status->code;
    *status = (Status){.code = STATUS_OK};
    Text text = {0};
    cli_overview(&text);
    bool ok = !text.failed || status_no_memory(status);
    if (ok)
        fputs(text.data, stderr);
    text_release(&text);
    return ok ? STATUS_INPUT : status->code;
}

static StatusCode dispatch(int count, char **arguments, Status *status) {
    if (count < 2)
        return without_command(status);
    const char *name = arguments[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(count - 2, arguments + 2, status);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        if (words_at_most(name, 0, count - 2, arguments + 2, status))
            puts("tetropt " TETROPT_VERSION);
        return status->code;
    }
    const Command *command = cli_find_command(name);
    if (!command) {
        Similar similar = similar_to(name);
        char hint[SIMILAR_HINT_BYTES];
        for (int i = 0; cli_commands[i]; i++)
            similar_try(&similar, cli_commands[i]->name);
        similar_hint(&similar, hint);
        status_fail(status, STATUS_INPUT, "%s: unknown command%s", name,
                    *hint ? hint : " (see tetropt help)");
        return status->code;
    }
    return run_command(command, count - 2, arguments + 2, status);
}

/* When standard input, output or error is closed, the next file opened would take its number and
 * get what was meant for it. Each is held by something that fails when it is used. */
static void hold_standard_descriptors(void) {
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0)
            (void)open("/dev/null", modes[i]);
}

/* A stack that cannot grow any more kills the process. Under a limit of memory (ulimit -v) it takes
 * its room now, while there is nothing to lose. */
static void grow_stack(void) {
    volatile char room[STACK_BYTES];
    for (size_t i = sizeof room; i > PAGE_BYTES; i -= PAGE_BYTES) /* it grows downwards */
        room[i - 1] = 0;
    room[0] = 0;
}

int main(int count, char **arguments) {
    grow_stack();
    hold_standard_descriptors();
    stop_install();
    Status status = {.code = STATUS_OK};
    StatusCode code = cpu_check(&status) ? dispatch(count, arguments, &status) : status.code;
    return (int)complain(&status, code);
}
