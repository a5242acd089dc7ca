/* play_step: reads a line, plays its keys or its placement number, prints the board. */
#include "cli/play_step.h"

#include "base/memory.h"
#include "cli/live_game.h"
#include "eval/features.h"
#include "formats/document.h"
#include "movegen/reach.h"
#include "player/nectar.h"
#include "system/file.h"
#include "system/stop.h"
#include "term/board_view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 4096, MOVES_ACROSS = 4 };

typedef struct StepWork {
    const PlayStep *step;
    Live live;
    LiveRecord record;
    Placement moves[REACH_MAX];
    int move_count;
    uint8_t listed; /* the piece whose moves these are */
    int line;       /* of standard input */
    bool quit;
} StepWork;

static const char *const nectar_names[] = {"weights", "skyline", "hybrid"};
enum { NECTARS = sizeof nectar_names / sizeof *nectar_names };

/* ---- showing */

static void list_moves(StepWork *work) {
    const Game *game = &work->live.game;
    Columns columns;
    columns_from_board(&columns, &game->board);
    work->listed = game->current;
    work->move_count =
        game->rules.set == RULES_DROP
            ? drop_list(&columns, (Piece)game->current, work->moves)
            : reach_list(&columns, (Piece)game->current, rules_moves(&game->rules), work->moves);
}

static void show_board(const StepWork *work, Text *text) {
    const Live *live = &work->live;
    const Game *game = &live->game;
    Grid grid = live->grid;
    for (int y = 0; y < grid_rows(&grid); y++) /* what lies there in small letters */
        for (int x = 0; x < grid.width; x++)
            if (grid.cells[y][x] >= 'A' && grid.cells[y][x] <= 'Z')
                grid.cells[y][x] = (char)(grid.cells[y][x] - 'A' + 'a');
    grid_mark(&grid, (Placement){game->current, game->rotation, game->x, game->y, SPIN_NONE},
              piece_letters[game->current]);
    board_view_draw(&grid, grid_highest(&grid),
                    cli_use_color(&work->step->settings->common, STDOUT_FILENO), text);
}

static void show_turn(const StepWork *work, Text *text) {
    const Game *game = &work->live.game;
    text_add_char(text, '\n');
    show_board(work, text);
    text_format(text, "piece %c", piece_letters[game->current]);
    if (game->rules.hold)
        text_format(text, ", hold %c%s", game->hold == PIECE_NONE ? '-' : piece_letters[game->hold],
                    game->hold_used ? " (used)" : "");
    if (work->step->next_count > 0)
        text_add(text, ", next ");
    for (int i = 0; i < work->step->next_count && game_next(game, i) != PIECE_NONE; i++)
        text_add_char(text, piece_letters[game_next(game, i)]);
    text_format(text, "; score %lld, %lld lines, level %lld\n%d moves:\n", (long long)game->score,
                (long long)game->lines, (long long)live_level(&work->live), work->move_count);
    for (int i = 0; i < work->move_count; i++) {
        const Placement *at = &work->moves[i];
        char move[40];
        snprintf(move, sizeof move, "%d: %s x=%d y=%d", i + 1, rotation_names[at->rotation], at->x,
                 at->y);
        bool last = i % MOVES_ACROSS == MOVES_ACROSS - 1 || i == work->move_count - 1;
        text_format(text, last ? "  %s\n" : "  %-21s", move);
    }
}

/* What the lock was: its features and the nectars of the board it left. */
typedef struct LockView {
    Features features;
    double nectars[NECTARS];
} LockView;

static LockView look_at_lock(const StepWork *work, const Columns *before) {
    LockView view;
    Columns after = *before;
    features_of_placement(&after, work->live.last.placement, &view.features);
    NectarView nectar = nectar_look(&after, LOWEST_ROW);
    for (int i = 0; i < NECTARS; i++)
        view.nectars[i] =
            nectar_of((NectarKind)i, &nectar_default_weights, &nectar, work->live.game.lines);
    return view;
}

static void show_lock(const StepWork *work, const LockView *view, Text *text) {
    const LiveLock *last = &work->live.last;
    const Placement *at = &last->placement;
    text_format(text, "locked %c %s x=%d y=%d%s: %d line%s, %lld points\nfeatures:",
                piece_letters[at->piece], rotation_names[at->rotation], at->x, at->y,
                last->held ? " after hold" : "", last->lines, cli_plural(last->lines),
                (long long)last->points);
    for (int i = 0; i < FEATURE_COUNT; i++)
        text_format(text, " %s %g", feature_names[i], features_value(&view->features, (Feature)i));
    text_add(text, "\nnectar:");
    for (int i = 0; i < NECTARS; i++)
        text_format(text, " %s %.6g", nectar_names[i], view->nectars[i]);
    text_add_char(text, '\n');
}

static void write_lock(JsonWriter *w, const StepWork *work, const LockView *view) {
    const LiveLock *last = &work->live.last;
    const Placement *at = &last->placement;
    jw_stringn(w, "piece", &piece_letters[at->piece], 1);
    jw_put(w, JI("x", at->x), JI("y", at->y), JS("rotation", rotation_names[at->rotation]),
           JB("hold", last->held), JI("rows", last->lines), JI("points", last->points),
           JI("score", work->live.game.score), JI("lines", work->live.game.lines));
    jw_object(w, "features");
    for (int i = 0; i < FEATURE_COUNT; i++)
        jw_real(w, feature_names[i], features_value(&view->features, (Feature)i));
    jw_end(w);
    jw_object(w, "nectar");
    for (int i = 0; i < NECTARS; i++)
        jw_real(w, nectar_names[i], view->nectars[i]);
    jw_end(w);
    document_write_board(w, "board", &work->live.grid);
}

/* At once: whoever is at the other end decides by it. */
static bool print(Text *text, Status *status) {
    bool ok = cli_print_text(text, status);
    fflush(stdout);
    return ok;
}

static bool report_lock(const StepWork *work, const Columns *before, Status *status) {
    LockView view = look_at_lock(work, before);
    Text text = {0};
    if (work->step->settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        write_lock(&w, work, &view);
        return cli_print_json(&w, status);
    }
    show_lock(work, &view, &text);
    return print(&text, status);
}

/* ---- moving */

/* A line is a number, or words: names of keys, or characters of the key map. */
static bool press_word(StepWork *work, const char *word, Status *status) {
    int key = key_from_name(word);
    if (key >= 0) {
        live_press(&work->live, (Key)key);
        return true;
    }
    int64_t pieces = work->live.game.pieces;
    for (const char *at = word; *at && !work->quit && work->live.game.pieces == pieces; at++) {
        Action action = keymap_action(work->step->keymap, (unsigned char)*at);
        if (action == ACTION_QUIT)
            work->quit = true;
        else if (action != ACTION_NONE && keymap_game_key(action) >= 0)
            live_press(&work->live, (Key)keymap_game_key(action));
        else
            return status_fail(status, STATUS_INPUT,
                               "'%s' is neither a move 1..%d nor made of keys", word,
                               work->move_count);
    }
    return true;
}

static bool take_word(StepWork *work, const char *word, Status *status) {
    char *end;
    long number = strtol(word, &end, 10);
    if (end == word || *end)
        return press_word(work, word, status);
    if (work->listed != work->live.game.current) /* hold was pressed in the same line */
        list_moves(work);
    if (number < 1 || number > work->move_count)
        return status_fail(status, STATUS_INPUT, "move %ld is not in 1..%d", number,
                           work->move_count);
    live_place(&work->live, work->moves[number - 1]);
    return true;
}

/* Words up to the first lock: the rest was meant for a board that was not shown yet. */
static bool take_line(StepWork *work, char *line, Status *status) {
    Columns before;
    columns_from_board(&before, &work->live.game.board);
    int64_t pieces = work->live.game.pieces;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r\n", &rest); word && !work->quit;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (!take_word(work, word, status))
            return status_prefix(status, "standard input:%d", work->line);
        if (work->live.game.pieces > pieces)
            return report_lock(work, &before, status);
        if (work->live.end != LIVE_RUNNING)
            break;
    }
    return true;
}

/* ---- the loop */

static bool show(StepWork *work, Status *status) {
    list_moves(work);
    if (work->step->settings->common.json)
        return true;
    Text text = {0};
    show_turn(work, &text);
    if (isatty(STDIN_FILENO))
        text_add(&text, "move> ");
    return print(&text, status);
}

/* At a terminal a wrong line is reported and the game continues; a script ends there. */
static bool forgive(Status *status) {
    if (status->code != STATUS_INPUT || !isatty(STDIN_FILENO))
        return false;
    fprintf(stderr, "%s\n", status->message);
    *status = (Status){.code = STATUS_OK};
    return true;
}

/* fgets does not report where the line ends, which is not at its first NUL when it has one; so the
 * buffer is filled with something else before, and the end is the last NUL. */
static bool line_is_text(const char line[LINE_BYTES]) {
    size_t end = LINE_BYTES - 1;
    while (line[end] != '\0')
        end--;
    return strlen(line) == end;
}

static bool run(StepWork *work, Status *status) {
    char line[LINE_BYTES];
    while (work->live.end == LIVE_RUNNING && !work->quit && !atomic_load(stop_flag())) {
        if (!show(work, status))
            return false;
        memset(line, ' ', sizeof line);
        if (!fgets(line, sizeof line, stdin))
            return !ferror(stdin) || atomic_load(stop_flag()) ||
                   file_fail("standard input", errno, status);
        work->line++;
        if (!line_is_text(line)) /* the rest would be dropped silently */
            return status_fail(status, STATUS_INPUT, "standard input:%d: has a NUL in it",
                               work->line);
        if (!strchr(line, '\n') && !feof(stdin))
            return status_fail(status, STATUS_INPUT, "standard input:%d: longer than %d bytes",
                               work->line, LINE_BYTES - 2);
        if (!take_line(work, line, status) && !forgive(status))
            return false;
    }
    return true;
}

StatusCode play_step_run(const PlayStep *step, const LiveSetup *setup, Status *status) {
    StepWork *work = memory_new(1, sizeof *work, status);
    if (!work)
        return status->code;
    const PlaySettings *settings = step->settings;
    work->step = step;
    live_init(&work->live, setup);
    live_record_begin(&work->record, settings->save != NULL, &work->live, step->mode, step->seed,
                      NULL);
    bool ok = run(work, status) &&
              live_record_save(&work->record, &work->live, settings->save, status) &&
              live_game_print(&settings->common, step->mode, &work->live, step->seed, -1, status);
    live_record_release(&work->record);
    free(work);
    if (!ok)
        return status->code;
    return atomic_load(stop_flag()) ? STATUS_INTERRUPTED : STATUS_OK;
}
