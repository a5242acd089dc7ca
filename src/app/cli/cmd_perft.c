/*
 * perft: counts sequences of placements. Known counts check the move generator, and nothing but
 * generating is timed.
 */
#include "base/clock.h"
#include "base/json_writer.h"
#include "base/units.h"
#include "cli/progress.h"
#include "engine/board_text.h"
#include "job/board.h"
#include "movegen/perft.h"
#include "system/file.h"
#include "system/stop.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOARD_FILE_LIMIT = 1 << 16 };

typedef struct PerftSettings {
    CliCommon common;
    BoardOptions board;
    const char *pieces;
    int64_t depth;
    bool rotate180;
    int hold, rules, kicks, spins;
} PerftSettings;

static const Option perft_rows[] = {
    OPTION_ROW(PerftSettings, TEXT, pieces, "pieces", .fallback = "IOLJSZT", .argument = "LETTERS",
               .help = "the queue, the first piece current"),
    PARAMETER_INTEGER(PerftSettings, depth, "depth", NULL, 1, PERFT_MAX_DEPTH,
                      "pieces to place (default: the whole queue)"),
    OPTION_ROW(PerftSettings, CHOICE, hold, "hold", .fallback = "off", .choices = "off|on",
               .argument = "on|off", .help = "whether hold may be used"),
    OPTION_ROW(PerftSettings, CHOICE, rules, "rules", .fallback = "guideline",
               .choices = RULES_CHOICES, .argument = "NAME", .help = "which placements count"),
    OPTION_ROW(PerftSettings, FLAG, rotate180, "rotate180",
               .help = "allow 180-degree rotations without kicks"),
    OPTION_ROW(PerftSettings, CHOICE, kicks, "kicks", .fallback = "srs", .choices = KICKS_CHOICES,
               .argument = "NAME", .help = "kicks; srs-plus has 180-degree rotations"),
    OPTION_ROW(PerftSettings, CHOICE, spins, "spins", .choices = SPINS_CHOICES, .argument = "NAME",
               .help = "count the spin labels of T or of every piece (default: cells only)"),
    OPTIONS_INCLUDE(PerftSettings, board, board_options),
    OPTIONS_INCLUDE(PerftSettings, common, cli_common_options),
};

/* The board at the start; `board->board` is the path of a file here. */
static bool read_board(const BoardOptions *board, Grid *grid, Status *status) {
    if (!board->board || board->fumen)
        return board_options_read(board, grid, status);
    size_t length;
    char *text = file_read(board->board, BOARD_FILE_LIMIT, &length, status);
    if (!text)
        return false;
    grid_init(grid, (int)board->width, (int)board->height);
    bool ok = board_text_read(grid, text, length, status);
    free(text);
    return ok || status_prefix(status, "%s", cli_path_name(board->board));
}

typedef struct Reporter {
    ProgressLine line;
    const uint64_t *nodes;
    int depth;
} Reporter;

static void on_progress(void *context, const Progress *state) {
    Reporter *reporter = context;
    if (!progress_due(&reporter->line))
        return;
    double leaves = (double)reporter->nodes[reporter->depth - 1];
    char what[80];
    snprintf(what, sizeof what, "%s nodes, %s", units_count(leaves).text,
             units_rate(leaves / clock_seconds_since(reporter->line.start_ns)).text);
    progress_show(&reporter->line, (double)state->done / (double)state->total, what);
}

static StatusCode run_perft(CliContext *context, const void *given, Status *status) {
    const PerftSettings *settings = given;
    uint8_t pieces[PERFT_MAX_DEPTH * 2];
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    int count = pieces_parse(settings->pieces, pieces, sizeof pieces, status);
    int depth = settings->depth ? (int)settings->depth : count;
    Grid grid;
    if (count < 0)
        status_prefix_option(status, "pieces");
    else if (count == 0)
        status_option(status, "pieces", "there are none");
    else if (depth > count || depth > PERFT_MAX_DEPTH)
        status_option(status, "depth", "%d pieces are not enough for depth %d", count, depth);
    else
        read_board(&settings->board, &grid, status);
    if (status->code != STATUS_OK)
        return status->code;
    if (settings->rules == RULES_DROP && (settings->kicks != KICKS_SRS || settings->spins == 1)) {
        status_fail(status, STATUS_INPUT, "kicks and spins: not used by the rules drop");
        return status->code;
    }
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
                                .height = board.height,
                                .kicks = (KickKind)settings->kicks,
                                .all_spin = settings->spins == 1},
                      .labels = cli_given(context, "spins")};
    uint64_t nodes[PERFT_MAX_DEPTH];
    Reporter reporter = {.nodes = nodes, .depth = depth};
    progress_init(&reporter.line, &settings->common, 0, 0, false);
    ProgressWatch watch = {stop_flag(), on_progress, &reporter};
    task.watch = &watch;
    bool complete = perft_run(&task, &columns, nodes);
    double seconds = clock_seconds_since(reporter.line.start_ns);
    progress_end(&reporter.line);
    progress_release(&reporter.line);
    if (!complete) {
        cli_interrupted(context, NULL);
        return STATUS_INTERRUPTED;
    }
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
        cli_print_json(&w, status);
        return status->code;
    }
    for (int i = 0; i < depth; i++)
        printf("%2d  %llu\n", i + 1, (unsigned long long)nodes[i]);
    printf("%s, %s\n", units_time(seconds).text, units_rate(rate).text);
    return STATUS_OK;
}

const Command cmd_perft = {
    .name = "perft",
    .arguments = "[OPTIONS]",
    .summary = "count the placements that can be reached",
    .description =
        "Counts the sequences of distinct placements of the first d pieces of the queue, for every "
        "d up to --depth. The counts check the move generator, and the rate measures it.",
    .interrupted = "interrupted; nothing is kept, because an incomplete count means nothing",
    .examples = "  tetropt perft --pieces IOLJSZT --depth 5\n"
                "  tetropt perft --pieces T --board examples/cave.txt\n"
                "  tetropt perft --pieces TISZ --hold on --json\n",
    .options = OPTIONS_TABLE(perft_rows),
    .settings_bytes = sizeof(PerftSettings),
    .run = run_perft,
};
