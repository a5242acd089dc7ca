/*
 * perft: counts sequences of placements. Known counts check the move generator, and nothing but
 * generating is timed. Nothing can be asked of a count that was cut, so Ctrl-C ends it at once.
 */
#include "base/clock.h"
#include "base/json_writer.h"
#include "cli/cli.h"
#include "engine/grid.h"
#include "movegen/perft.h"
#include "system/stop.h"

#include <stdio.h>

typedef struct PerftSettings {
    CliCommon common;
    CliBoard board;
    const char *pieces;
    int64_t depth;
    bool rotate180;
    int hold, rules;
} PerftSettings;

static const Option perft_rows[] = {
    {.name = "pieces",
     .kind = OPTION_TEXT,
     .offset = offsetof(PerftSettings, pieces),
     .fallback = "IOLJSZT",
     .argument = "LETTERS",
     .help = "the queue, the first piece current"},
    {.name = "depth",
     .kind = OPTION_INTEGER,
     .offset = offsetof(PerftSettings, depth),
     .min = 1,
     .max = PERFT_MAX_DEPTH,
     .argument = "N",
     .help = "pieces to place (default: the whole queue)"},
    {.name = "hold",
     .kind = OPTION_CHOICE,
     .offset = offsetof(PerftSettings, hold),
     .fallback = "off",
     .choices = "off|on",
     .argument = "WHETHER",
     .help = "a turn may use hold"},
    {.name = "rules",
     .kind = OPTION_CHOICE,
     .offset = offsetof(PerftSettings, rules),
     .fallback = "guideline",
     .choices = RULES_CHOICES,
     .argument = "NAME",
     .help = "which placements count"},
    {.name = "rotate180",
     .kind = OPTION_FLAG,
     .offset = offsetof(PerftSettings, rotate180),
     .help = "allow the plain half turn"},
    CLI_BOARD_ROWS(PerftSettings),
    CLI_COMMON_ROWS(PerftSettings),
};

static bool show(const PerftSettings *settings, int depth, const uint64_t *nodes, double seconds,
                 Status *status) {
    double rate = seconds > 0 ? (double)nodes[depth - 1] / seconds : 0;
    if (settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        jw_integer(&w, "depth", depth);
        jw_array(&w, "nodes");
        for (int i = 0; i < depth; i++)
            jw_integer(&w, NULL, (int64_t)nodes[i]);
        jw_end(&w);
        jw_put(&w, JR("seconds", seconds), JR("nodes_per_second", rate));
        return cli_print_json(&w, status);
    }
    for (int i = 0; i < depth; i++)
        printf("%2d  %llu\n", i + 1, (unsigned long long)nodes[i]);
    printf("%.3f s, %.1f million nodes/s\n", seconds, rate / 1e6);
    return true;
}

static StatusCode run_perft(CliContext *context, const void *given, Status *status) {
    const PerftSettings *settings = given;
    uint8_t pieces[PERFT_MAX_DEPTH * 2];
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    int count = pieces_parse(settings->pieces, pieces, sizeof pieces, status);
    if (count < 0) {
        status_prefix(status, "--pieces");
        return status->code;
    }
    if (count == 0) {
        status_fail(status, STATUS_INPUT, "--pieces: there are none");
        return status->code;
    }
    int depth = settings->depth ? (int)settings->depth : count;
    if (depth > count || depth > PERFT_MAX_DEPTH) {
        status_fail(status, STATUS_INPUT, "--depth: %d pieces are not enough for depth %d", count,
                    depth);
        return status->code;
    }
    Grid grid;
    if (!cli_board_read(&settings->board, &grid, status))
        return status->code;
    Board board;
    Columns columns;
    grid_to_board(&grid, &board);
    columns_from_board(&columns, &board);
    PerftTask task = {.pieces = pieces,
                      .piece_count = count,
                      .depth = depth,
                      .rules = {.set = (RuleSet)settings->rules,
                                .hold = settings->hold == 1,
                                .rotate180 = settings->rotate180,
                                .width = board.width,
                                .height = board.height}};
    uint64_t nodes[PERFT_MAX_DEPTH];
    uint64_t start = clock_now_ns();
    stop_at_once();
    perft_run(&task, &columns, nodes);
    return show(settings, depth, nodes, clock_seconds_since(start), status) ? STATUS_OK
                                                                            : status->code;
}

const Command cmd_perft = {
    .name = "perft",
    .arguments = "[OPTIONS]",
    .summary = "count the placements that can be reached",
    .description =
        "Counts the sequences of distinct placements of the first d pieces of the queue, for every "
        "d up to --depth: the check of the move generator, and its benchmark.",
    .examples = "  tetropt perft --pieces IOLJSZT --depth 5\n"
                "  tetropt perft --pieces T --board examples/cave.txt\n"
                "  tetropt perft --pieces TISZ --hold on --json\n",
    .options = CLI_TABLE(perft_rows),
    .settings_bytes = sizeof(PerftSettings),
    .run = run_perft,
};
