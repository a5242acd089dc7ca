/*
 * replay_viewer: a position is a live game after a number of moves; going back plays it again from
 * the start.
 */
#include "cli/replay_viewer.h"

#include "base/memory.h"
#include "live/live.h"
#include "term/board_view.h"
#include "term/field_view.h"
#include "term/play_view.h"
#include "term/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEK = 10, NOTE_BYTES = 64, KEYS_COLUMNS = 26, STEPS_SHOWN = 8 };

static const double SLOWEST = 0.25, FASTEST = 256; /* moves per second */

typedef struct Viewer {
    const Replay *replay;
    const DecodeStep *steps;
    const char *title;
    Screen screen;
    Live live;       /* after `position` moves */
    size_t position; /* 0..move_count */
    bool running;
    double speed; /* moves per second */
    char notes[PLAY_VIEW_NOTES][NOTE_BYTES];
    int note_count;
    struct Viewer *other; /* the second board of a match; NULL: none */
} Viewer;

/* ---- moving */

static void rewind_one(Viewer *viewer) {
    const Replay *replay = viewer->replay;
    LiveSetup setup = {.rules = replay->rules,
                       .start = &replay->start,
                       .max_pieces = INT64_MAX,
                       .max_lines = INT64_MAX};
    randomizer_init_list(&setup.randomizer, replay->pieces, replay->piece_count);
    live_init(&viewer->live, &setup);
    viewer->live.game.hold = replay->hold;
    viewer->position = 0;
}

static void rewind_to_start(Viewer *viewer) {
    rewind_one(viewer);
    if (viewer->other)
        rewind_one(viewer->other);
}

/* The moves of the longer game. */
static size_t move_count(const Viewer *viewer) {
    size_t count = viewer->replay->move_count;
    size_t other = viewer->other ? viewer->other->replay->move_count : 0;
    return count > other ? count : other;
}

static void play_one(Viewer *viewer) {
    if (viewer->position >= viewer->replay->move_count) { /* the other game goes on */
        viewer->position++;
        return;
    }
    const ReplayMove *move = &viewer->replay->moves[viewer->position];
    if (move->hold)
        live_press(&viewer->live, KEY_HOLD);
    if (viewer->live.end == LIVE_RUNNING && viewer->live.game.current == move->placement.piece)
        live_place(&viewer->live, move->placement);
    if (move->garbage)
        live_rise(&viewer->live, viewer->replay->holes + move->first_hole, move->garbage);
    viewer->position++;
}

static void play_move(Viewer *viewer) {
    play_one(viewer);
    if (viewer->other)
        play_one(viewer->other);
}

/* To a position from 0 on; one behind the end is the end. */
static void seek(Viewer *viewer, int64_t position) {
    int64_t most = (int64_t)move_count(viewer);
    position = position > most ? most : position;
    if (position < (int64_t)viewer->position)
        rewind_to_start(viewer);
    while ((int64_t)viewer->position < position)
        play_move(viewer);
    if (position == most)
        viewer->running = false;
}

static void change_speed(Viewer *viewer, double factor) {
    viewer->speed *= factor;
    viewer->speed = viewer->speed < SLOWEST   ? SLOWEST
                    : viewer->speed > FASTEST ? FASTEST
                                              : viewer->speed;
}

/* Where a key leads, or -1: nowhere. seek() keeps it inside the game. */
static int64_t destination(const Viewer *viewer, int key) {
    int64_t position = (int64_t)viewer->position;
    switch (key) {
    case TERMINAL_RIGHT:
    case 'n':
        return position + 1;
    case TERMINAL_LEFT:
    case 'b':
        return position > 0 ? position - 1 : 0;
    case TERMINAL_PAGE_DOWN:
        return position + SEEK;
    case TERMINAL_PAGE_UP:
        return position > SEEK ? position - SEEK : 0;
    case TERMINAL_HOME:
    case 'g':
        return 0;
    case TERMINAL_END:
    case 'G':
        return INT64_MAX;
    default:
        return -1;
    }
}

static void run_or_stop(Viewer *viewer) {
    viewer->running = !viewer->running;
    if (viewer->running && viewer->position == move_count(viewer))
        rewind_to_start(viewer);
}

/* False when the user leaves. */
static bool act(Viewer *viewer, int key) {
    int64_t position = destination(viewer, key);
    if (position >= 0) {
        seek(viewer, position);
        viewer->running = false;
    } else if (key == TERMINAL_SPACE || key == 'p')
        run_or_stop(viewer);
    else if (key == '+' || key == '=')
        change_speed(viewer, 2);
    else if (key == '-')
        change_speed(viewer, 0.5);
    return key != 'q' && key != TERMINAL_ESCAPE;
}

/* ---- showing */

static void note(Viewer *viewer, const char *line) {
    if (viewer->note_count < PLAY_VIEW_NOTES)
        snprintf(viewer->notes[viewer->note_count++], NOTE_BYTES, "%s", line);
}

/* The moves around the present one. */
static void note_steps(Viewer *viewer) {
    size_t count = viewer->replay->move_count;
    size_t first = viewer->position > STEPS_SHOWN / 2 ? viewer->position - STEPS_SHOWN / 2 : 0;
    for (size_t i = first; i < count && i < first + STEPS_SHOWN; i++) {
        char title[BOARD_VIEW_TITLE_BYTES], line[NOTE_BYTES + 2];
        board_view_title(&viewer->steps[i], (int)(i + 1), title);
        snprintf(line, sizeof line, "%c %s", i == viewer->position ? '>' : ' ', title);
        note(viewer, line);
    }
}

/* The key presses of the next move, broken into lines. */
static void note_keys(Viewer *viewer) {
    if (viewer->position == viewer->replay->move_count)
        return;
    const ReplayMove *move = &viewer->replay->moves[viewer->position];
    if (move->key_count == 0)
        return;
    char line[NOTE_BYTES] = "";
    note(viewer, "");
    note(viewer, "keys:");
    for (int i = 0; i < move->key_count; i++) {
        const char *name = key_names[viewer->replay->keys[move->first_key + (size_t)i]];
        if (strlen(line) + strlen(name) + 1 > KEYS_COLUMNS) {
            note(viewer, line);
            line[0] = '\0';
        }
        size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, "%s%s", used ? " " : "", name);
    }
    note(viewer, line);
}

static void show(Viewer *viewer) {
    size_t count = viewer->replay->move_count;
    char state[32];
    snprintf(state, sizeof state, "%g moves/s", viewer->speed);
    viewer->note_count = 0;
    note(viewer, viewer->title);
    note_steps(viewer);
    note_keys(viewer);
    bool more = viewer->position < count;
    PlayView view = {.live = &viewer->live,
                     .mode = "replay",
                     .state = viewer->running ? state : "stopped",
                     .hints = " space run/stop  left/right step  page-up/down 10  home/end  "
                              "+/- speed  q quit",
                     .next_count = PLAY_VIEW_NEXT,
                     .no_time = true,
                     .ghost = more ? &viewer->replay->moves[viewer->position].placement : NULL};
    view.facts[0].label = "move";
    snprintf(view.facts[0].value, sizeof view.facts[0].value, "%zu/%zu", viewer->position, count);
    for (int i = 0; i < viewer->note_count; i++)
        view.notes[i] = viewer->notes[i];
    play_view_draw(&view, &viewer->screen);
    terminal_show(&viewer->screen);
}

/* Both boards with their numbers below them. */
static void show_pair(Viewer *viewer) {
    const Viewer *sides[] = {viewer, viewer->other};
    char lines[2][3][NOTE_BYTES];
    FieldCaption boards[2];
    for (int i = 0; i < 2; i++) {
        const Game *game = &sides[i]->live.game;
        size_t count = sides[i]->replay->move_count;
        size_t at = sides[i]->position < count ? sides[i]->position : count;
        snprintf(lines[i][0], NOTE_BYTES, "%s", sides[i]->title);
        snprintf(lines[i][1], NOTE_BYTES, "move %zu/%zu, %lld lines", at, count,
                 (long long)game->lines);
        snprintf(lines[i][2], NOTE_BYTES, "hold %c, next %c%s%s",
                 game->hold < PIECE_COUNT ? piece_letters[game->hold] : '-',
                 game->current < PIECE_COUNT ? piece_letters[game->current] : '-',
                 game->over != OVER_NOT ? ", over: " : "",
                 game->over != OVER_NOT ? game_over_names[game->over] : "");
        boards[i] = (FieldCaption){&sides[i]->live.grid, {lines[i][0], lines[i][1], lines[i][2]}};
    }
    Screen *screen = &viewer->screen;
    screen_clear(screen);
    screen_format(screen, 0, 0, STYLE_BOLD, "match");
    screen_format(screen, 0, 8, STYLE_DIM, viewer->running ? "%g moves/s" : "stopped",
                  viewer->speed);
    field_view_boards(boards, 2, 1, screen);
    screen_put(screen, screen->rows - 1, 0, STYLE_DIM,
               " space run/stop  left/right step  page-up/down 10  home/end  +/- speed  q quit");
    terminal_show(screen);
}

/* ---- the loop */

static StatusCode loop(Viewer *viewer) {
    for (;;) {
        if (viewer->other)
            show_pair(viewer);
        else
            show(viewer);
        int wait = viewer->running ? (int)(1000 / viewer->speed) : -1;
        int key = terminal_key(&viewer->screen, wait);
        if (key == TERMINAL_STOPPED)
            return STATUS_INTERRUPTED;
        if (key == TERMINAL_NONE)
            seek(viewer, (int64_t)viewer->position + 1);
        else if (!act(viewer, key))
            return STATUS_OK;
    }
}

static StatusCode run(const ReplayShown *shown, int count, bool color, bool ascii, Status *status) {
    Viewer *viewer = memory_new((size_t)count, sizeof *viewer, status);
    if (!viewer)
        return status->code;
    for (int i = 0; i < count; i++) {
        viewer[i].replay = shown[i].replay;
        viewer[i].steps = shown[i].steps;
        viewer[i].title = shown[i].title;
    }
    viewer->other = count > 1 ? &viewer[1] : NULL;
    viewer->speed = 2;
    rewind_to_start(viewer);
    TerminalOptions options = {color, ascii};
    StatusCode code = STATUS_INPUT;
    if (terminal_open("replay", options, &viewer->screen, status)) {
        code = loop(viewer);
        terminal_close();
    } else
        code = status->code;
    screen_release(&viewer->screen);
    free(viewer);
    return code;
}

StatusCode replay_viewer_run(const Replay *replay, const DecodeStep *steps, const char *title,
                             bool color, bool ascii, Status *status) {
    return run(&(ReplayShown){replay, steps, title}, 1, color, ascii, status);
}

StatusCode replay_viewer_pair(const ReplayShown shown[2], bool color, bool ascii, Status *status) {
    return run(shown, 2, color, ascii, status);
}
