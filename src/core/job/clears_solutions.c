/*
 * clears_solutions: the part of the job `clears` that finds, reads, plays and writes solutions.
 *
 * Every solution that is reported has been played: for one of its queues the key presses are found
 * and pressed, and the board at the end is compared with the expected one.
 */
#include "base/memory.h"
#include "formats/document.h"
#include "formats/fumen.h"
#include "job/clears.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cover: reading solutions */

/* "#2:5" or "#3" behind a fumen; pages are counted from 1. */
static bool read_range(const char *text, size_t length, size_t pages, size_t *first, size_t *last,
                       Status *status) {
    const char *mark = memchr(text, '#', length);
    *first = 1;
    *last = pages;
    if (!mark)
        return true;
    char range[32], *end;
    snprintf(range, sizeof range, "%.*s", (int)(text + length - mark - 1), mark + 1);
    *first = *last = strtoul(range, &end, 10);
    if (*end == ':')
        *last = strtoul(end + 1, &end, 10);
    if (*end || end == range || *first < 1 || *first > *last || *last > pages ||
        strspn(range, "0123456789:") != strlen(range))
        return status_fail(status, STATUS_INPUT, "#%.20s: not pages of 1..%zu", range, pages);
    return true;
}

/* The places of the locked pieces on the pages first..last. */
static bool read_places(ClearsRun *run, const Fumen *fumen, size_t first, size_t last, Area *area,
                        Solution *solution, Status *status) {
    Grid grid;
    Board board;
    grid_init(&grid, FUMEN_WIDTH, (int)run->asked->height);
    if (!fumen_page_grid(&fumen->pages[first - 1], &grid, status))
        return status_prefix(status, "page %zu", first);
    grid_to_board(&grid, &board);
    int lines = 64 / FUMEN_WIDTH;
    if (board_highest(&board) > lines)
        return status_fail(status, STATUS_INPUT, "page %zu: higher than %d rows", first, lines);
    if (!area_init(area, &board, lines, &run->rules, status))
        return false;
    Cells filled = area->start;
    for (size_t i = first - 1; i < last; i++) {
        const FumenPage *page = &fumen->pages[i];
        if (page->placement.piece == PIECE_NONE || !page->lock)
            continue;
        if (solution->count == AREA_MAX_PIECES)
            return status_fail(status, STATUS_INPUT, "more than %d pieces", AREA_MAX_PIECES);
        Placement at = placement_canonical(page->placement);
        Cells cells = area_cells(area, filled, at);
        if (!cells)
            return status_fail(status, STATUS_INPUT,
                               "page %zu: the piece is not in the lowest %d "
                               "rows",
                               i + 1, lines);
        if (cells & filled)
            return status_fail(status, STATUS_INPUT, "page %zu: the piece is on filled cells",
                               i + 1);
        solution->places[solution->count++] = (Place){.cells = cells, .piece = at.piece};
        filled |= cells;
    }
    return solution->count > 0 || status_fail(status, STATUS_INPUT, "no locked piece");
}

static bool read_solution(ClearsRun *run, const char *text, size_t length, Status *status) {
    const char *mark = memchr(text, '#', length);
    Fumen fumen;
    if (!fumen_decode(text, mark ? (size_t)(mark - text) : length, &fumen, status))
        return false;
    Solution solution = {.count = 0};
    Area area;
    size_t first, last;
    bool ok = read_range(text, length, fumen.count, &first, &last, status) &&
              read_places(run, &fumen, first, last, &area, &solution, status);
    fumen_release(&fumen);
    if (ok && solution.count > run->queues.length)
        ok = status_fail(status, STATUS_INPUT, "%d pieces, but queues of %d", solution.count,
                         run->queues.length);
    Solutions *list = &run->solutions;
    size_t capacity = list->capacity;
    if (ok && !MEMORY_HAS_PLACE(list->items, list->count, list->capacity))
        ok = status_no_memory(status);
    if (ok && list->capacity != capacity) {
        Area *areas = realloc(run->areas, list->capacity * sizeof *areas);
        run->areas = areas ? areas : run->areas;
        ok = areas || status_no_memory(status);
    }
    if (!ok)
        return false;
    run->areas[list->count] = area;
    list->items[list->count++] = solution;
    return true;
}

bool clears_read_solutions(ClearsRun *run, Status *status) {
    static const char separators[] = " \t\r\n,";
    const char *text = run->asked->solutions;
    if (!text)
        return status_option(status, "solutions", "missing (fumens with locked pieces)");
    if (run->asked->width != FUMEN_WIDTH)
        return status_option(status, "width", "a fumen has %d columns", FUMEN_WIDTH);
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        size_t length = strcspn(text, separators);
        if (!read_solution(run, text, length, status)) {
            status_prefix(status, "solution %zu", run->solutions.count + 1);
            return status_prefix_option(status, "solutions");
        }
        text += length;
    }
    return run->solutions.count > 0 || status_option(status, "solutions", "no fumen");
}

/* ---- finding */

/* The queues of solution number i; they are known, or found now. */
static bool cover_one(ClearsRun *run, size_t i, Status *status) {
    const Queues *queues = &run->queues;
    Solutions *list = &run->solutions;
    Solution *solution = &list->items[i];
    if (decided_next(&list->decided))
        decided_recall(&list->decided, solution->queues, queues->count);
    else {
        if (!path_serves(&run->areas[i], solution->places, solution->count, false, queues,
                         run->asked->hold, run->percent.solved, status))
            return false;
        bool any = false;
        for (size_t q = 0; q < queues->count; q++) {
            solution->queues[q / 64] |= (uint64_t)run->percent.solved[q] << (q % 64);
            any |= run->percent.solved[q];
        }
        decided_add(&list->decided, any ? solution->queues : NULL, queues->count);
    }
    for (size_t w = 0; w < list->words; w++)
        solution->served += (size_t)__builtin_popcountll(solution->queues[w]);
    return !list->decided.log.failed || status_no_memory(status);
}

static bool cover(ClearsRun *run, ClearsCut cut, Status *status) {
    Solutions *list = &run->solutions;
    list->words = (run->queues.count + 63) / 64;
    if (list->count * list->words >> 17 >= SOLUTIONS_MAX_MIB)
        return status_option(status, "patterns",
                             "the queues of %zu solutions take more than %d MiB; give fewer",
                             list->count, SOLUTIONS_MAX_MIB);
    run->complete = true;
    for (size_t i = 0; i < list->count; i++) {
        Solution *solution = &list->items[i];
        solution->queues = memory_new(list->words, sizeof *solution->queues, status);
        if (!solution->queues)
            return false;
        run->complete &= !clears_cut(cut);
        if (!run->complete)
            continue;
        if (!cover_one(run, i, status))
            return false;
        clears_report(run, i + 1, list->count);
    }
    return true;
}

typedef struct Player {
    ClearsRun *run;
    PathScratch *scratch; /* one per thread */
    Status *failures;     /* one per thread */
    size_t first;         /* solution of the round */
} Player;

enum { PLAY_ROUND = 4096 };

/* Plays the game of solutions first..last-1 of the round. */
static void play(void *context, size_t first, size_t last, unsigned worker) {
    Player *player = context;
    ClearsRun *run = player->run;
    Status *status = &player->failures[worker];
    for (size_t i = player->first + first; i < player->first + last && status->code == STATUS_OK;
         i++) {
        Solution *solution = &run->solutions.items[i];
        if (solution->served == 0)
            continue;
        solution->queue = solution_first_queue(solution);
        solution->moves = memory_new((size_t)solution->count, sizeof *solution->moves, status);
        if (solution->moves)
            solution_play(solution, clears_area(run, i), run->queues.codes[solution->queue],
                          run->queues.length, run->asked->hold, &player->scratch[worker],
                          solution->moves, status);
    }
}

static bool play_all(ClearsRun *run, Status *status) {
    unsigned threads = pool_threads(run->pool);
    Player player = {.run = run,
                     .scratch = memory_new(threads, sizeof *player.scratch, status),
                     .failures = memory_new(threads, sizeof *player.failures, status)};
    bool ok = player.scratch && player.failures;
    size_t count = run->solutions.count;
    if (ok && count <= 32)
        play(&player, 0, count, 0);
    for (; ok && count > 32 && player.first < count; player.first += PLAY_ROUND) {
        size_t left = count - player.first;
        pool_run(run->pool, left < PLAY_ROUND ? left : PLAY_ROUND, 8, play, &player);
        if (count > PLAY_ROUND)
            clears_report(run, player.first, 0);
    }
    for (unsigned t = 0; ok && t < threads; t++)
        if (player.failures[t].code != STATUS_OK) {
            *status = player.failures[t];
            ok = false;
            if (status->code == STATUS_UNMET && run->asked->resume)
                status_option(status, "resume", "has a solution that its queues cannot build");
        }
    free(player.scratch);
    free(player.failures);
    return ok;
}

static bool find(ClearsRun *run, ClearsCut cut, Status *status) {
    const ClearsQuestion *asked = run->asked;
    SetupTask setup = {&run->area,   run->wanted,  run->margin,
                       asked->holes, &run->queues, asked->hold};
    SpinTask spin = {&run->area, (int)asked->spin_lines, asked->mini, &run->queues, asked->hold};
    switch ((ClearsFind)asked->find) {
    case FIND_PATH:
        return path_run(&run->solutions, &run->area, &run->queues, asked->hold, run->pool, cut,
                        clears_report, run, &run->complete, status);
    case FIND_SETUP:
        return setup_run(&run->solutions, &setup, cut, clears_report, run, &run->complete, status);
    case FIND_SPIN:
        return spin_run(&run->solutions, &spin, cut, clears_report, run, &run->complete, status);
    default:
        return cover(run, cut, status);
    }
}

bool clears_find_solutions(ClearsRun *run, ClearsCut cut, Status *status) {
    bool ok = find(run, cut, status);
    if (ok && run->complete && decided_next(&run->solutions.decided))
        ok = status_option(status, "resume", "has more candidates than its settings");
    ok = ok && play_all(run, status) &&
         (run->asked->find != FIND_PATH || !run->asked->minimal ||
          minimal_find(&run->solutions, cut, &run->minimal, status));
    run->minimal.proved &= run->complete; /* what was not found could make it smaller */
    return ok;
}

/* ---- writing */

void clears_solution_grid(const ClearsRun *run, size_t index, Grid *grid) {
    const Area *area = clears_area(run, index);
    const Solution *solution = &run->solutions.items[index];
    grid_init(grid, area->width, area->height);
    for (int x = 0; x < area->width; x++)
        for (int y = 0; y < area->lines; y++) {
            Cells cell = (Cells)1 << (x * area->lines + y);
            if (area->start & cell)
                grid->cells[y][x] = 'G';
            for (int i = 0; i < solution->count; i++)
                if (solution->places[i].cells & cell)
                    grid->cells[y][x] = piece_letters[solution->places[i].piece];
        }
}

/* The board at the start of a solution. */
static void start_grid(const Area *area, Grid *grid) {
    grid_init(grid, area->width, area->height);
    for (int x = 0; x < area->width; x++)
        for (int y = 0; y < area->lines; y++)
            if (area->start >> (x * area->lines + y) & 1)
                grid->cells[y][x] = 'G';
}

bool clears_solution_fumen(const ClearsRun *run, size_t index, Text *text) {
    const Solution *solution = &run->solutions.items[index];
    DecodeStep steps[AREA_MAX_PIECES];
    Status status = {.code = STATUS_OK};
    Grid grid;
    if (!solution->moves)
        return false;
    for (int i = 0; i < solution->count; i++)
        steps[i] = (DecodeStep){.move = solution->moves[i].move};
    start_grid(clears_area(run, index), &grid);
    bool ok = fumen_write_game(&grid, steps, solution->count, NULL, text, &status);
    text->failed |= status.code == STATUS_SYSTEM;
    return ok;
}

void clears_solution_pieces(const Solution *solution, char letters[AREA_MAX_PIECES + 1]) {
    int count = 0;
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int i = 0; i < solution->count; i++)
            if (solution->places[i].piece == p)
                letters[count++] = piece_letters[p];
    letters[count] = 0;
}

bool clears_is_minimal(const ClearsRun *run, size_t index) {
    for (size_t i = 0; i < run->minimal.count; i++)
        if (run->minimal.items[i] == index)
            return true;
    return false;
}

static void write_moves(const Solution *solution, JsonWriter *json) {
    jw_array(json, "moves");
    for (int i = 0; i < solution->count; i++) {
        const SolutionMove *move = &solution->moves[i];
        Placement at = move->move.placement;
        document_write_piece((jw_object(json, NULL), json), "piece", (Piece)at.piece);
        jw_put(json, JS("rotation", rotation_names[at.rotation]), JI("x", at.x), JI("y", at.y),
               JB("hold", move->move.hold));
        jw_array(json, "keys");
        for (int k = 0; k < move->keys_count; k++)
            jw_string(json, NULL, key_names[move->keys[k]]);
        jw_end(json);
        jw_end(json);
    }
    jw_end(json);
}

static void write_served(const ClearsRun *run, const Solution *solution, JsonWriter *json) {
    jw_array(json, "served");
    for (size_t q = 0; q < run->queues.count; q++) {
        char letters[PATTERN_MAX_PIECES + 1];
        if (!(solution->queues[q / 64] >> (q % 64) & 1))
            continue;
        queue_letters(run->queues.codes[q], run->queues.length, letters);
        jw_string(json, NULL, letters);
    }
    jw_end(json);
}

/* The board after the last piece, and what the T-spin did. */
static void write_left(const ClearsRun *run, size_t index, JsonWriter *json) {
    const Solution *solution = &run->solutions.items[index];
    Grid grid;
    start_grid(clears_area(run, index), &grid);
    for (int i = 0; i < solution->count && solution->moves; i++)
        grid_lock(&grid, solution->moves[i].move.placement, NULL);
    document_write_board(json, "left", &grid);
    if (run->asked->find != FIND_SPIN)
        return;
    jw_put(json, JS("spin", spin_names[solution->spin]),
           JI("cleared", spin_lines(&run->area, solution)));
}

void clears_write_solution(const ClearsRun *run, size_t index, JsonWriter *json) {
    const Solution *solution = &run->solutions.items[index];
    char letters[AREA_MAX_PIECES + 1], queue[PATTERN_MAX_PIECES + 1];
    Text fumen = {0};
    Grid grid;
    clears_solution_pieces(solution, letters);
    clears_solution_grid(run, index, &grid);
    jw_put(json, JI("covered", (int64_t)solution->served), JI("queues", (int64_t)run->queues.count),
           JS("pieces", letters));
    if (run->asked->find == FIND_PATH && run->asked->minimal)
        jw_bool(json, "minimal", clears_is_minimal(run, index));
    document_write_board(json, "field", &grid);
    if (run->asked->find == FIND_SETUP || run->asked->find == FIND_SPIN)
        write_left(run, index, json);
    if (solution->moves) {
        queue_letters(run->queues.codes[solution->queue], run->queues.length, queue);
        jw_string(json, "queue", queue);
        bool drawn = clears_solution_fumen(run, index, &fumen);
        jw_string(json, "fumen", drawn ? fumen.data : NULL);
        json->text->failed |= fumen.failed;
        write_moves(solution, json);
    }
    if (run->asked->served)
        write_served(run, solution, json);
    text_release(&fumen);
}

void clears_write_solutions(const ClearsRun *run, JsonWriter *json) {
    const Solutions *list = &run->solutions;
    size_t queues = run->queues.count, any = solutions_served(list, false, queues);
    jw_put(json, JI("queues", (int64_t)queues), JB("complete", run->complete));
    if (run->asked->find == FIND_COVER)
        jw_put(json, JI("or", (int64_t)any),
               JI("and", (int64_t)solutions_served(list, true, queues)));
    else
        jw_put(json, JI("solvable", (int64_t)any), JI("lines", run->area.lines));
    if (run->asked->find == FIND_PATH)
        jw_integer(json, "pieces", run->pieces);
    if (run->asked->find == FIND_PATH && run->asked->minimal) {
        jw_object(json, "minimal");
        jw_put(json, JI("count", (int64_t)run->minimal.count), JB("proved", run->minimal.proved));
        jw_array(json, "solutions");
        for (size_t i = 0; i < run->minimal.count; i++)
            jw_integer(json, NULL, run->minimal.items[i]);
        jw_end(json);
        jw_end(json);
    }
    jw_array(json, "solutions");
    for (size_t i = 0; i < list->count; i++) {
        jw_object(json, NULL);
        clears_write_solution(run, i, json);
        jw_end(json);
    }
    jw_end(json);
}
