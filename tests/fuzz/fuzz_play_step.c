/* Any bytes as the lines that `play --step` reads: refused with the number of the line, or a game
 * that ends or is left, whose replay plays again to the same end. The first byte chooses the rules,
 * the size and whether JSON is printed. */
#include "cli/play_step.h"
#include "formats/replay.h"
#include "system/file.h"
#include "temporary.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { PIECES_MAX = 200, SEED = 1 };

/* What cli.c asks of the program. */
const Command *const cli_commands[] = {NULL};

static PlaySettings settings;
static Keymap keymap;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    Status status = {0};
    options_defaults(keymap_options, &settings.keys);
    settings.keys.keys[ACTION_DROP] = "space,x"; /* a space is between words */
    /* What is printed is for nobody; the fuzzer speaks on standard error. */
    if (!keymap_init(&keymap, &settings.keys, &status) || !freopen("/dev/null", "w", stdout))
        abort();
    return 0;
}

static LiveSetup setup_of(uint8_t choice) {
    LiveSetup setup = {.rules = {.set = choice & 1 ? RULES_DROP : RULES_GUIDELINE,
                                 .scoring = SCORING_GUIDELINE,
                                 .hold = choice & 2,
                                 .width = choice & 4 ? 4 : 10,
                                 .height = choice & 8 ? 4 : 20},
                       .max_pieces = PIECES_MAX,
                       .max_lines = choice & 16 ? 2 : INT64_MAX};
    randomizer_init(&setup.randomizer, RANDOMIZER_BAG, SEED, 0);
    return setup;
}

static void check_replay(const char *path) {
    Status status = {0};
    size_t length;
    char *text = file_read(path, 1 << 26, &length, &status);
    Replay replay;
    if (!text || !replay_read(&replay, text, length, &status) ||
        !replay_play(&replay, true, NULL, NULL, &status))
        abort();
    replay_release(&replay);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    FILE *lines = fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r");
    const char *path = temporary_file(data, 0);
    LiveSetup setup = setup_of(data[0]);
    PlayStep step = {
        .settings = &settings, .keymap = &keymap, .mode = "fuzz", .next_count = 3, .seed = SEED};
    Status status = {0};
    if (!lines)
        abort();
    settings.common.json = data[0] & 32;
    settings.save = path;
    FILE *real = stdin;
    stdin = lines;
    StatusCode code = play_step_run(&step, &setup, &status);
    stdin = real;
    fclose(lines);
    const uint8_t *end = memchr(data + 1, '\n', size - 1);
    size_t first = end ? (size_t)(end - data) - 1 : size - 1;
    if (code == STATUS_OK) {
        check_replay(path);
        if (first > 0 && memchr(data + 1, '\0', first))
            abort();
    } else if (code != STATUS_INPUT || !strstr(status.message, "standard input:"))
        abort();
    unlink(path);
    return 0;
}
