/* Any bytes as a grid; one that is accepted gives exactly the runs that it counts. As the command
 * does, only UTF-8 without a NUL is handed to the reader, so none of the text is left out. */
#include "base/utf8.h"
#include "store/grid.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WALKED_MAX = 1000 };

static bool known(const char *command) {
    return strcmp(command, "solve") == 0 || strcmp(command, "train") == 0;
}

static bool check_value(const char *command, const char *key, const char *value, Status *status) {
    if (!command[0] || !value[0])
        abort();
    return key[0] != 'x' || status_fail(status, STATUS_INPUT, "%s: no", key);
}

static bool check(const StoreRun *run, Status *status) {
    return !store_parameter(run, "y") || status_fail(status, STATUS_INPUT, "y: no");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const ExperimentCommands commands = {known, check_value, check, NULL, NULL};
    if (!utf8_is_text((const char *)data, size))
        return 0;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    Status status = {0};
    RunGrid *grid = run_grid_parse("grid", text, &commands, &status);
    if (!grid && !status.message[0])
        abort();
    if (grid && run_grid_runs(grid) <= WALKED_MAX) {
        RunGridWalk walk = {.grid = grid, .seed = 1};
        StoreRun run;
        int64_t count = 0;
        while (run_grid_next(&walk, &run, &status))
            count++;
        if (count != run_grid_runs(grid) || count == 0)
            abort();
        run_grid_check(grid, &commands, &status);
    }
    run_grid_free(grid);
    free(text);
    return 0;
}
