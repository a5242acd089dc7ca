/* Any bytes as a configuration file, for commands with options of every kind: refused with a
 * message that names the file, or the settings are inside their bounds. */
#include "cli/config.h"
#include "temporary.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Settings {
    bool steps;
    int64_t n;
    double share;
    const char *pieces;
    int randomizer;
    OptionList keys;
} Settings;

static const Option rows[] = {
    {.name = "steps", .kind = OPTION_FLAG, .offset = offsetof(Settings, steps)},
    {.name = "n", .kind = OPTION_INTEGER, .offset = offsetof(Settings, n), .min = 1, .max = 99},
    {.name = "share", .kind = OPTION_REAL, .offset = offsetof(Settings, share), .max = 1},
    {.name = "pieces", .kind = OPTION_TEXT, .offset = offsetof(Settings, pieces)},
    {.name = "randomizer",
     .kind = OPTION_CHOICE,
     .offset = offsetof(Settings, randomizer),
     .choices = "bag|uniform"},
    {.name = "key-hold", .kind = OPTION_LIST, .offset = offsetof(Settings, keys)},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const Command commands[] = {
    {.name = "pieces", .options = {rows, ROWS}, .settings_bytes = sizeof(Settings)},
    {.name = "eval", .options = {rows, 1}, .settings_bytes = sizeof(Settings)},
};

/* What config.c asks of the program. */
const Command *cli_find_command(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

const char *cli_path_name(const char *path) {
    return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = temporary_file(data, size);
    Settings settings = {.n = 1};
    OptionsGiven given = {0};
    Status status = {0};
    char *values = config_read(path, &commands[0], &settings, &given, &status);
    if (!values && (status.code != STATUS_INPUT || !strstr(status.message, path)))
        abort();
    if (values) {
        size_t bytes = settings.pieces ? strlen(settings.pieces) : 0;
        for (int i = 0; i < settings.keys.count; i++)
            bytes += strlen(settings.keys.items[i]);
        if (bytes > size || settings.n < 1 || settings.n > 99 || !(settings.share >= 0) ||
            settings.share > 1 || settings.randomizer < 0 || settings.randomizer > 1)
            abort();
    }
    free(values);
    unlink(path);
    return 0;
}
