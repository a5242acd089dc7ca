/* config: one pass over the form of the file, one that sets the options. */
#include "cli/config.h"

#include "cli/cli.h"
#include "system/file.h"
#include "system/sections.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONFIG_LIMIT = 1 << 20,
    CONFIG_LINE_LIMIT =
        190 /* inih is built for lines of 200 bytes and would truncate longer ones */
};

typedef struct Reader {
    CliContext *context;
    const char *subcommand;
    Status *status;
} Reader;

/* A value for something else is checked and dropped, so that a mistake is found at once. */
static bool check_value(const Command *command, const char *name, const char *value,
                        Status *status) {
    CliContext context;
    bool ok = cli_context_init(&context, command, status) && cli_set(&context, name, value, status);
    cli_context_release(&context);
    return ok;
}

static bool is_for_us(const Reader *reader, const Command *command, const char *name) {
    Option parts[2];
    OptionTable table = cli_options(command, parts);
    int index = options_find(table, name);
    bool ours = command == reader->context->command;
    if (!ours || index < 0 || !reader->subcommand)
        return ours;
    Option row = options_row(table, index);
    return options_is_for(&row, reader->subcommand);
}

/* Called for every "name = value"; 0 marks the line as wrong. Only the first error is kept. */
static int on_value(void *user, const char *section, const char *name, const char *value) {
    Reader *reader = user;
    if (reader->status->code != STATUS_OK)
        return 0;
    const Command *command = cli_find_command(section);
    if (!command)
        return status_fail(reader->status, STATUS_INPUT, "[%s]: unknown command", section);
    if (strcmp(name, "config") == 0 || strcmp(name, "help") == 0)
        return status_fail(reader->status, STATUS_INPUT, "%s: only for the command line", name);
    if (!*value)
        return status_option(reader->status, name, "requires a value");
    return is_for_us(reader, command, name) ? cli_set(reader->context, name, value, reader->status)
                                            : check_value(command, name, value, reader->status);
}

/* For the first pass, which only checks the form. */
static int on_any(void *user, const char *section, const char *name, const char *value) {
    (void)user, (void)section, (void)name, (void)value;
    return 1;
}

static bool lines_are_short(const char *text, Status *status) {
    int number = 1;
    for (const char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n");
        if (length > CONFIG_LINE_LIMIT)
            return status_fail(status, STATUS_INPUT, "line %d is longer than %d bytes", number,
                               CONFIG_LINE_LIMIT);
        line += length + (line[length] == '\n');
    }
    return true;
}

/* on_value checks the sections that have keys; this one checks the empty ones too. */
static bool sections_are_known(const char *text, const char *path, Status *status) {
    Section section;
    for (int line = 0; sections_next(&text, &line, &section);)
        if (!cli_find_command(section.name))
            return status_fail(status, STATUS_INPUT, "%s:%d: [%s]: unknown command", path,
                               section.line, section.name);
    return true;
}

/* Reads the text of a file. */
static bool read_text(Reader *reader, const char *text, size_t length, const char *path) {
    Status *status = reader->status;
    if (strlen(text) != length) /* inih would take it for the end of the text */
        return status_fail(status, STATUS_INPUT, "%s: contains a NUL byte", path);
    if (!lines_are_short(text, status))
        return status_prefix(status, "%s", path);
    int line = ini_parse_string(text, on_any, NULL);
    if (line != 0)
        return status_fail(status, STATUS_INPUT, "%s:%d: not of the form [section] or name = value",
                           path, line);
    line = ini_parse_string(text, on_value, reader);
    if (line != 0)
        return status_prefix(status, "%s:%d", path, line);
    return sections_are_known(text, path, status);
}

bool config_read(const char *path, const char *subcommand, CliContext *context, Status *status) {
    size_t length;
    char *text = file_read(path, CONFIG_LIMIT, &length, status);
    if (!text)
        return false;
    Reader reader = {context, subcommand, status};
    bool ok = read_text(&reader, text, length, cli_path_name(path));
    free(text);
    return ok;
}
