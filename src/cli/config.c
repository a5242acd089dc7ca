#include "cli/config.h"

#include "base/file.h"
#include "cli/cli.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONFIG_LIMIT = 1 << 20,
    CONFIG_LINE_LIMIT = 190 /* inih is built for lines of 200 bytes and would cut longer ones */
};

typedef struct Reader {
    const char *command;
    OptionTable options;
    void *settings;
    OptionsGiven *given;
    char *values; /* where the values are copied to; as large as the file, so they all fit */
    size_t used;
    Status *status;
} Reader;

static bool is_command(const char *name) {
    for (int i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return true;
    return false;
}

/* Called for every "name = value"; 0 marks the line as wrong. Only the first complaint is kept. */
static int on_value(void *user, const char *section, const char *name, const char *value) {
    Reader *reader = user;
    if (reader->status->code != STATUS_OK)
        return 0;
    if (!*section || !is_command(section)) {
        status_fail(reader->status, STATUS_INPUT, "[%s]: no section of a command", section);
        return 0;
    }
    if (strcmp(section, reader->command) != 0)
        return 1;
    char *copy = reader->values + reader->used;
    memcpy(copy, value, strlen(value) + 1);
    reader->used += strlen(value) + 1;
    if (!options_set(reader->options, reader->settings, name, copy, reader->status))
        return 0;
    const Option *option = options_find(reader->options, name);
    reader->given->rows |= (uint64_t)1 << (option - reader->options.rows);
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

char *config_read(const char *path, const char *command, OptionTable options, void *settings,
                  OptionsGiven *given, Status *status) {
    size_t length;
    char *text = file_read(path, CONFIG_LIMIT, &length, status);
    if (!text)
        return NULL;
    if (!lines_are_short(text, status)) {
        status_prefix(status, "%s", path);
        free(text);
        return NULL;
    }
    char *values = malloc(2 * length + 1);
    if (!values) {
        status_no_memory(status);
        free(text);
        return NULL;
    }
    Reader reader = {command, options, settings, given, values, 0, status};
    int line = ini_parse_string(text, on_value, &reader);
    free(text);
    if (line == 0)
        return values;
    if (status->code == STATUS_OK)
        status_fail(status, STATUS_INPUT, "not of the form [section] or name = value");
    status_prefix(status, "%s:%d", path, line);
    free(values);
    return NULL;
}
