#include "cli/config.h"

#include "cli/cli.h"
#include "system/file.h"
#include "system/sections.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONFIG_LIMIT = 1 << 20,
    CONFIG_LINE_LIMIT = 190 /* inih is built for lines of 200 bytes and would cut longer ones */
};

typedef struct Reader {
    const Command *command;
    void *settings;
    OptionsGiven *given;
    char *values; /* where the values are copied to; twice as large as the file, so they all fit */
    size_t used;
    Status *status;
} Reader;

/* A value for another command is checked and forgotten: a slip should not wait for its day. */
static bool check_value(const Command *command, const char *name, const char *value,
                        Status *status) {
    void *settings = calloc(1, command->settings_bytes);
    bool ok = settings ? options_set(command->options, settings, name, value, status)
                       : status_no_memory(status);
    free(settings);
    return ok;
}

static bool take_value(Reader *reader, const char *name, const char *value) {
    OptionTable options = reader->command->options;
    char *copy = reader->values + reader->used;
    memcpy(copy, value, strlen(value) + 1);
    reader->used += strlen(value) + 1;
    if (!options_set(options, reader->settings, name, copy, reader->status))
        return false;
    options_mark(options, reader->given, name);
    return true;
}

/* Called for every "name = value"; 0 marks the line as wrong. Only the first complaint is kept. */
static int on_value(void *user, const char *section, const char *name, const char *value) {
    Reader *reader = user;
    if (reader->status->code != STATUS_OK)
        return 0;
    const Command *command = cli_find_command(section);
    if (!command)
        return status_fail(reader->status, STATUS_INPUT, "[%s]: there is no such command", section);
    if (strcmp(name, "config") == 0 || strcmp(name, "help") == 0)
        return status_fail(reader->status, STATUS_INPUT, "%s: only for the command line", name);
    if (command != reader->command)
        return check_value(command, name, value, reader->status);
    return take_value(reader, name, value);
}

/* For the first pass, which looks at the form alone. */
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

/* Sections with keys are looked at with these; here also those without. */
static bool sections_are_known(const char *text, const char *path, Status *status) {
    Section section;
    for (int line = 0; sections_next(&text, &line, &section);)
        if (!cli_find_command(section.name))
            return status_fail(status, STATUS_INPUT, "%s:%d: [%s]: there is no such command", path,
                               section.line, section.name);
    return true;
}

/* Reads the text of a file; the values go to reader->values. */
static bool read_text(Reader *reader, const char *text, size_t length, const char *path) {
    Status *status = reader->status;
    if (strlen(text) != length) /* inih would take it for the end */
        return status_fail(status, STATUS_INPUT, "%s: has a NUL in it", path);
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

char *config_read(const char *path, const Command *command, void *settings, OptionsGiven *given,
                  Status *status) {
    size_t length;
    char *text = file_read(path, CONFIG_LIMIT, &length, status);
    if (!text)
        return NULL;
    char *values = malloc(2 * length + 1);
    Reader reader = {command, settings, given, values, 0, status};
    bool ok =
        values ? read_text(&reader, text, length, cli_path_name(path)) : status_no_memory(status);
    free(text);
    if (ok)
        return values;
    free(values);
    return NULL;
}
