/* clears: from the options to an area and its queues, and to the search that was asked for. */
#include "job/clears.h"

#include "base/clock.h"
#include "base/memory.h"
#include "engine/board_text.h"
#include "formats/fumen.h"

#include <stdlib.h>
#include <string.h>

static const Option rows[] = {
    OPTION_ROW(ClearsQuestion, CHOICE, find, "find", .fallback = "percent",
               .choices = CLEARS_FIND_CHOICES, .argument = "NAME",
               .help = "what to find; on the command line the subcommand"),
    PARAMETER_INTEGER(ClearsQuestion, width, "width", "10", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH,
                      "columns"),
    PARAMETER_INTEGER(ClearsQuestion, height, "height", "20", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT,
                      "visible rows"),
    OPTION_ROW(ClearsQuestion, TEXT, board, "board", .argument = "FILE", .file = OPTION_READS,
               .help = "the field in FILE (- is standard input), top row first (default: empty)"),
    OPTION_ROW(ClearsQuestion, TEXT, fumen, "fumen", .argument = "TEXT",
               .help = "the field of a page of a fumen (v115@...)"),
    PARAMETER_INTEGER(ClearsQuestion, page, "page", "1", 1, FUMEN_MAX_PAGES, "the page of --fumen"),
    OPTION_ROW(ClearsQuestion, TEXT, patterns, "patterns", .argument = "PATTERN",
               .file = OPTION_READS_AT,
               .help = "the queues: I, [SZ], [^TI], *, *p4, *!; @FILE reads one pattern per line"),
    PARAMETER_INTEGER(ClearsQuestion, max_queues, "max-queues", "33554432", 1, PATTERN_MAX_QUEUES,
                      "reject patterns with more queues"),
    OPTION_ROW(ClearsQuestion, INTEGER, lines, "lines", .fallback = "4", .min = 1,
               .max = AREA_MAX_LINES, .argument = "N", .only = "percent|path|chance|spin",
               .help = "rows to clear, from the floor (spin: rows that may be used)"),
    OPTION_ROW(ClearsQuestion, FLAG, hold, "hold", .fallback = "on", .argument = "on|off",
               .help = "whether hold may be used"),
    OPTION_ROW(ClearsQuestion, CHOICE, drop, "drop", .fallback = "soft",
               .choices = CLEARS_DROP_CHOICES, .argument = "NAME",
               .help =
                   "soft: every reachable placement; hard: straight drops only; 180: soft, with "
                   "180-degree rotations"),
    OPTION_ROW(ClearsQuestion, TEXT, kicks, "kicks", .fallback = "srs", .argument = "NAME|FILE",
               .file = OPTION_READS_OR_NAME,
               .help = "rotation tests: srs, srs-plus (with 180-degree rotations), none, or a file "
                       "(docs/CLEARS.md)"),
    OPTION_ROW(ClearsQuestion, INTEGER, tree_depth, "tree-depth", .fallback = "3", .max = 8,
               .argument = "N", .only = "percent",
               .help = "depth of the tree of rates by first pieces"),
    OPTION_ROW(ClearsQuestion, INTEGER, failed, "failed", .fallback = "10000",
               .max = PATTERN_MAX_QUEUES, .argument = "N", .only = "percent",
               .help = "list at most this many queues that cannot clear the field"),
    OPTION_ROW(ClearsQuestion, TEXT, solutions, "solutions", .argument = "FUMENS",
               .file = OPTION_READS_AT, .only = "cover",
               .help = "fumens with locked pieces, separated by spaces; #2:5 after one "
                       "selects pages; @FILE reads them"),
    OPTION_ROW(ClearsQuestion, FLAG, minimal, "minimal", .fallback = "on", .argument = "on|off",
               .only = "path", .help = "find the smallest set of solutions that serves all queues"),
    OPTION_ROW(ClearsQuestion, FLAG, served, "served", .fallback = "off", .argument = "on|off",
               .only = "path|cover|setup|spin", .help = "list the queues of every solution"),
    OPTION_ROW(ClearsQuestion, TEXT, fill, "fill", .argument = "COLORS", .only = "setup",
               .help = "cells of these colours of the field must be filled, such as I or IO"),
    OPTION_ROW(ClearsQuestion, TEXT, margin, "margin", .argument = "COLORS", .only = "setup",
               .help = "cells of these colours may be filled"),
    OPTION_ROW(ClearsQuestion, FLAG, holes, "holes", .fallback = "on", .argument = "on|off",
               .only = "setup", .help = "whether empty cells may be left under filled ones"),
    OPTION_ROW(ClearsQuestion, INTEGER, spin_lines, "spin-lines", .fallback = "2", .max = 3,
               .argument = "N", .only = "spin", .help = "the fewest lines that the T-spin clears"),
    OPTION_ROW(ClearsQuestion, FLAG, mini, "mini", .fallback = "off", .argument = "on|off",
               .only = "spin", .help = "whether mini T-spins count"),
    OPTION_ROW(ClearsQuestion, TEXT, queue, "queue", .argument = "PIECES", .only = "chance",
               .help = "the current piece and the preview, 1 to 7 pieces"),
    OPTION_ROW(ClearsQuestion, TEXT, held, "held", .argument = "PIECE", .only = "chance",
               .help = "the held piece (default: none)"),
    OPTION_ROW(ClearsQuestion, TEXT, bag, "bag", .argument = "PIECES", .only = "chance",
               .help = "what is left in the bag after the queue (default: as if a bag began "
                       "with the held piece and the queue)"),
    PARAMETER_INTEGER(ClearsQuestion, threads, "threads", NULL, 1, POOL_MAX_THREADS,
                      "threads (default: the number of CPUs)"),
    OPTION_ROW(ClearsQuestion, REAL, seconds, "time", .max = 1e9, .argument = "SECONDS",
               .help = "end after that time with what is known; 0: no limit"),
    OPTION_ROW(ClearsQuestion, TEXT, resume, "resume", .argument = "FILE",
               .help = "continue a saved search", .file = OPTION_CONTINUES),
};

/* ---- preparing */

static void free_run(void *given) {
    ClearsRun *run = given;
    free(run->percent.solved);
    solutions_release(&run->solutions);
    minimal_release(&run->minimal);
    free(run->areas);
    queues_release(&run->queues);
    pool_free(run->pool);
    question_free(run->question);
    free(run);
}

/* The wanted cells of a setup may complete rows, which no other field may. */
static bool read_page(ClearsRun *run, Status *status) {
    const char *text = run->asked->fumen;
    Fumen fumen;
    if (!fumen_decode(text, strlen(text), &fumen, status))
        return status_prefix_option(status, "fumen");
    size_t page = (size_t)run->asked->page - 1;
    bool ok = page < fumen.count || status_option(status, "page", "the fumen has %zu page%s",
                                                  fumen.count, fumen.count == 1 ? "" : "s");
    if (ok && run->grid.width != FUMEN_WIDTH)
        ok = status_option(status, "fumen", "it has %d columns, not %d", FUMEN_WIDTH,
                           run->grid.width);
    for (int y = 0; ok && y < FUMEN_ROWS; y++)
        memcpy(run->grid.cells[y], fumen.pages[page].field.cells[y], FUMEN_WIDTH);
    fumen_release(&fumen);
    return ok && (run->asked->find == FIND_SETUP || grid_check(&run->grid, status) ||
                  status_prefix_option(status, "fumen"));
}

/* The rows of a text, top first, which may be full. */
static bool read_rows(Grid *grid, const char *text, Status *status) {
    int count = 0, number = 1;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        count++;
    if (count > grid->height)
        return status_fail(status, STATUS_INPUT, "%d rows, at most %d", count, grid->height);
    for (int y = count - 1; y >= 0; y--, number++) {
        size_t length = strcspn(text, "\n");
        if (!grid_set_row(grid, y, text, length, status))
            return status_prefix(status, "line %d", number);
        text += length + (text[length] == '\n');
    }
    return true;
}

static bool read_field(ClearsRun *run, Status *status) {
    const ClearsQuestion *asked = run->asked;
    grid_init(&run->grid, (int)asked->width, (int)asked->height);
    if (asked->board && asked->fumen)
        return status_option(status, "fumen", "cannot be combined with board");
    if (asked->fumen)
        return read_page(run, status);
    if (asked->board && asked->find == FIND_SETUP)
        return read_rows(&run->grid, asked->board, status) || status_prefix_option(status, "board");
    return !asked->board ||
           board_text_read(&run->grid, asked->board, strlen(asked->board), status) ||
           status_prefix_option(status, "board");
}

static bool read_rules(ClearsRun *run, Status *status) {
    const char *kicks = run->asked->kicks;
    run->rules = (ClearsRules){.drop = (ClearsDrop)run->asked->drop};
    if (strcmp(kicks, "srs") == 0)
        return true;
    if (strcmp(kicks, "srs-plus") == 0) {
        run->rules.kicks = &kicks_srs_plus_table;
        if (run->rules.drop == DROP_SOFT) /* its 180-degree rotations belong to it */
            run->rules.drop = DROP_180;
        return true;
    }
    run->rules.kicks = &run->kicks;
    if (strcmp(kicks, "none") == 0) {
        kicks_none(&run->kicks);
        return true;
    }
    if (!strpbrk(kicks, " \n(>#")) /* the name of a file that does not exist */
        return status_option(status, "kicks", "'%.40s' is not srs, srs-plus, none or a file",
                             kicks);
    return kicks_parse(kicks, &run->kicks, status) || status_prefix_option(status, "kicks");
}

static bool read_queues(ClearsRun *run, Status *status) {
    if (!run->asked->patterns)
        return status_option(status, "patterns", "missing (try --patterns '*p7')");
    return queues_parse(run->asked->patterns, (size_t)run->asked->max_queues, &run->queues,
                        status) ||
           status_prefix_option(status, "patterns");
}

/* False with `status`: the empty cells cannot be filled with pieces, however many there are. */
static bool check_fillable(const ClearsRun *run, const Board *board, Status *status) {
    Packer *packer = packer_new(board->width);
    if (!packer)
        return status_no_memory(status);
    PieceCounts any = 0;
    for (int p = 0; p < PIECE_COUNT; p++)
        any += 15 * COUNTS_ONE(p);
    bool possible = packer_possible(packer, board, run->area.lines, any);
    packer_free(packer);
    return possible || status_option(status, "lines",
                                     "no pieces fill the empty cells of the lowest %d rows exactly",
                                     run->area.lines);
}

/* The area that is to be filled completely. */
static bool read_area(ClearsRun *run, Status *status) {
    Board board;
    grid_to_board(&run->grid, &board);
    if (!area_init(&run->area, &board, (int)run->asked->lines, &run->rules, status))
        return false;
    run->pieces = area_pieces(&run->area);
    if (run->pieces < 0)
        return status_option(
            status, "lines", "%d rows have %d empty cells, which pieces of 4 cells cannot fill",
            run->area.lines, __builtin_popcountll(run->area.full & ~run->area.start));
    if (run->asked->find != FIND_CHANCE && run->queues.length < run->pieces)
        return status_option(status, "patterns",
                             "queues of %d pieces; %d are needed to fill %d rows",
                             run->queues.length, run->pieces, run->area.lines);
    return check_fillable(run, &board, status);
}

/* The area in which a T-spin is prepared. */
static bool read_open_area(ClearsRun *run, Status *status) {
    Board board;
    grid_to_board(&run->grid, &board);
    if (run->rules.kicks || run->rules.drop == DROP_HARD)
        return status_option(status, run->rules.kicks ? "kicks" : "drop",
                             "spins need the kicks srs and soft drops");
    return area_init(&run->area, &board, (int)run->asked->lines, &run->rules, status);
}

/* What the search of the question needs. */
static bool read_search(ClearsRun *run, Status *status) {
    switch ((ClearsFind)run->asked->find) {
    case FIND_COVER:
        return clears_read_solutions(run, status);
    case FIND_SETUP:
        return clears_read_wanted(run, status);
    case FIND_SPIN:
        return read_open_area(run, status);
    case FIND_CHANCE:
        return read_area(run, status) && clears_read_chance(run, status);
    default:
        return read_area(run, status);
    }
}

static bool prepare_run(ClearsRun *run, Status *status) {
    const ClearsQuestion *asked = run->asked;
    char find[16];
    options_choice_word(CLEARS_FIND_CHOICES, asked->find, find, sizeof find);
    if (!asked->resume && !question_only(run->question, find, status)) /* a state has all */
        return false;
    if (asked->find == FIND_CHANCE && asked->patterns)
        return status_option(status, "patterns", "not for chance, which takes queue");
    if (asked->find == FIND_COVER && (asked->board || asked->fumen))
        return status_option(status, asked->board ? "board" : "fumen",
                             "cover takes its fields from solutions");
    if (asked->find == FIND_CHANCE && asked->resume)
        return status_option(status, "resume", CLEARS_CHANCE_IS_SHORT);
    if (!read_field(run, status) || !read_rules(run, status) ||
        (asked->find != FIND_CHANCE && !read_queues(run, status)) || !read_search(run, status))
        return false;
    run->percent.solved = memory_new(run->queues.count + 1, 1, status);
    if (!run->percent.solved || (asked->resume && !clears_read_state(run, status)))
        return false;
    run->pool = pool_new(asked->threads > 0 ? (unsigned)asked->threads : pool_processors(), status);
    return run->pool != NULL;
}

static void *prepare(const Question *question, Status *status) {
    ClearsRun *run = memory_new(1, sizeof *run, status);
    if (!run)
        return NULL;
    run->question = question_copy(question, status);
    if (run->question && clears_restore(run->question, status)) {
        run->asked = run->question->values;
        if (prepare_run(run, status))
            return run;
    }
    free_run(run);
    return NULL;
}

/* ---- running */

static bool is_over(void *context) {
    const ClearsRun *run = context;
    return (run->watch && run->watch->stop && atomic_load(run->watch->stop)) ||
           (run->asked->seconds > 0 && clock_seconds_since(run->start_ns) >= run->asked->seconds);
}

void clears_report(void *context, size_t done, size_t total) {
    const ClearsRun *run = context;
    Progress progress = {.done = done, .total = total};
    if (run->watch && run->watch->report)
        run->watch->report(run->watch->context, &progress);
}

/* Boards of the graph, before the first queue is decided. */
static void report_boards(void *context, size_t done, size_t total, int placed) {
    const ClearsRun *run = context;
    Progress progress = {.done = done, .total = total, .generation = (uint64_t)placed + 1};
    if (run->watch && run->watch->report)
        run->watch->report(run->watch->context, &progress);
}

static bool run_clears(void *given, const ProgressWatch *watch, Status *status) {
    ClearsRun *run = given;
    run->watch = watch;
    run->start_ns = clock_now_ns();
    ClearsCut cut = {is_over, run, report_boards};
    bool ok;
    if (run->asked->find == FIND_PERCENT)
        ok = percent_run(&run->percent, &run->area, &run->queues, run->asked->hold, run->pool, cut,
                         clears_report, run, status);
    else if (run->asked->find == FIND_CHANCE)
        ok = chance_run(&run->chance, &run->chance_task, cut, clears_report, run, &run->complete,
                        status);
    else
        ok = clears_find_solutions(run, cut, status);
    run->seconds = clock_seconds_since(run->start_ns);
    run->watch = NULL;
    return ok;
}

bool clears_complete(const ClearsRun *run) {
    return run->asked->find == FIND_PERCENT ? run->percent.known == run->queues.count
                                            : run->complete;
}

const Job clears_job = {
    .name = "clears",
    .options = OPTIONS_TABLE(rows),
    .question_bytes = sizeof(ClearsQuestion),
    .prepare = prepare,
    .run = run_clears,
    .write = clears_write,
    .write_times = clears_write_times,
    .write_state = clears_write_state,
    .free_run = free_run,
};
