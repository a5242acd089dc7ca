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

/* What cli.c asks of the program. */
const Command *const cli_commands[] = {&commands[0], &commands[1], NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = temporary_file(data, size);
    CliContext context;
    Status status = {0};
    if (!cli_context_init(&context, &commands[0], &status))
        abort();
    Settings *settings = context.settings->values;
    bool ok = config_read(path, NULL, &context, &status);
    if (!ok && (status.code != STATUS_INPUT || !strstr(status.message, path)))
        abort();
    if (ok) {
        size_t bytes = settings->pieces ? strlen(settings->pieces) : 0;
        for (int i = 0; i < settings->keys.count; i++)
            bytes += strlen(settings->keys.items[i]);
        if (bytes > size || settings->n < 0 || settings->n > 99 || !(settings->share >= 0) ||
            settings->share > 1 || settings->randomizer < 0 || settings->randomizer > 1)
            abort();
    }
    cli_context_release(&context);
    unlink(path);
    return 0;
}
