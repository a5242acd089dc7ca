/* pieces: prints a piece sequence; with a seed, the one that `solve --n` draws from it. */
#include "base/json_writer.h"
#include "cli/cli.h"
#include "engine/randomizer.h"

#include <stdio.h>

typedef struct PiecesSettings {
    CliCommon common;
    int64_t count, seed;
    int randomizer, format;
} PiecesSettings;

typedef enum PiecesFormat { FORMAT_LETTERS, FORMAT_CSV } PiecesFormat;

static const Option pieces_rows[] = {
    PARAMETER_INTEGER(PiecesSettings, count, "n", "21", 1, 1000000, "number of pieces"),
    OPTION_ROW(PiecesSettings, CHOICE, randomizer, "randomizer", .fallback = "bag",
               .choices = RANDOMIZER_DRAWN, .argument = "NAME", .help = "how to draw them"),
    PARAMETER_INTEGER(PiecesSettings, seed, "seed", NULL, 0, 9.2e18,
                      "seed; drawn and printed when not given"),
    OPTION_ROW(PiecesSettings, CHOICE, format, "format", .fallback = "letters",
               .choices = "letters|csv", .argument = "FORMAT",
               .help = "letters, or the names I,RS,LG,T,RG,LS,Sq"),
    OPTIONS_INCLUDE(PiecesSettings, common, cli_common_options),
};

static void add_pieces(const PiecesSettings *settings, uint64_t seed, Text *text) {
    Randomizer randomizer;
    randomizer_init(&randomizer, (RandomizerKind)settings->randomizer, seed, 0);
    for (int64_t i = 0; i < settings->count; i++) {
        Piece piece = randomizer_next(&randomizer);
        if (settings->format == FORMAT_LETTERS)
            text_add_char(text, piece_letters[piece]);
        else
            text_format(text, "%s%s", i ? "," : "", pieces_csv_name(piece));
    }
}

static StatusCode run_pieces(CliContext *context, const void *given, Status *status) {
    const PiecesSettings *settings = given;
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    uint64_t seed = cli_seed(context, settings->seed);
    Text text = {0};
    add_pieces(settings, seed, &text);
    if (text.failed)
        status_no_memory(status);
    else if (settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        jw_put(&w, JS("pieces", text.data), JI("seed", (int64_t)seed), JI("n", settings->count));
        cli_print_json(&w, status);
    } else {
        puts(text.data);
        if (!cli_given(context, "seed") && !settings->common.quiet)
            fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    }
    text_release(&text);
    return status->code;
}

const Command cmd_pieces = {
    .name = "pieces",
    .arguments = "[OPTIONS]",
    .summary = "write a piece sequence",
    .description =
        "Draws pieces and prints them on one line. The same seed gives the same sequence.",
    .examples = "  tetropt pieces --n 21 --seed 7\n"
                "  tetropt pieces --n 10 --randomizer uniform --seed 7 --format csv\n",
    .options = OPTIONS_TABLE(pieces_rows),
    .settings_bytes = sizeof(PiecesSettings),
    .run = run_pieces,
};
