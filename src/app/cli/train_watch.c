/* train_watch: threads that play write boards to slots; the calling thread draws them. */
#include "cli/train_watch.h"

#include "base/clock.h"
#include "base/memory.h"
#include "term/field_view.h"
#include "term/terminal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 64, LINE_BYTES = 24, TITLE_BYTES = 240, TOP = 2 };

static const uint64_t FRAME_NS = 50000000;

/* The last board of a candidate. */
typedef struct Slot {
    Columns board;
    int64_t pieces, lines;
    atomic_uint_least64_t taken_ns; /* when; 0: never */
} Slot;

/* Threads that play leave boards in the slots, at most one per frame and slot; the thread that
 * began draws them, whether it plays itself or reports. */
struct TrainWatch {
    TrainObserver observer;
    pthread_t owner;
    pthread_mutex_t lock; /* of the boards */
    Slot slots[SLOTS];
    char title[TITLE_BYTES];
    Grid grids[SLOTS]; /* scratch of drawing */
    uint64_t shown_ns;
    Screen screen;
};

static void fill_grid(const Columns *board, Grid *grid) {
    grid_init(grid, board->width, board->height);
    for (int x = 0; x < board->width; x++)
        for (int y = 0; y < columns_height(board->column[x]); y++)
            if (board->column[x] >> y & 1)
                grid->cells[y][x] = 'G';
}

static void draw_boards(TrainWatch *watch) {
    Grid *grids = watch->grids;
    char lines[SLOTS][3][LINE_BYTES];
    FieldCaption boards[SLOTS];
    int count = 0;
    pthread_mutex_lock(&watch->lock);
    for (int i = 0; i < SLOTS; i++) {
        const Slot *slot = &watch->slots[i];
        if (atomic_load(&slot->taken_ns) == 0)
            continue;
        fill_grid(&slot->board, &grids[count]);
        snprintf(lines[count][0], LINE_BYTES, "candidate %d", i + 1);
        snprintf(lines[count][1], LINE_BYTES, "pieces %lld", (long long)slot->pieces);
        snprintf(lines[count][2], LINE_BYTES, "lines %lld", (long long)slot->lines);
        boards[count] =
            (FieldCaption){&grids[count], {lines[count][0], lines[count][1], lines[count][2]}};
        count++;
    }
    pthread_mutex_unlock(&watch->lock);
    Screen above = watch->screen; /* the last row is for the keys */
    above.rows--;
    field_view_boards(boards, count, TOP, &above);
}

static void draw_when_due(TrainWatch *watch) {
    uint64_t now = clock_now_ns();
    if (now - watch->shown_ns < FRAME_NS)
        return;
    watch->shown_ns = now;
    Screen *screen = &watch->screen;
    screen_clear(screen);
    screen_put(screen, 0, 0, STYLE_BOLD, watch->title);
    draw_boards(watch);
    screen_put(screen, screen->rows - 1, 0, STYLE_DIM,
               " q stop after saving the last whole generation");
    terminal_show(screen);
    if (terminal_key(screen, 0) == 'q')
        raise(SIGINT); /* the flag that the games check */
}

static void look(void *context, size_t candidate, const Columns *board, int64_t pieces,
                 int64_t lines) {
    TrainWatch *watch = context;
    if (candidate < SLOTS) {
        Slot *slot = &watch->slots[candidate];
        uint64_t now = clock_now_ns();
        if (now - atomic_load_explicit(&slot->taken_ns, memory_order_relaxed) >= FRAME_NS) {
            pthread_mutex_lock(&watch->lock);
            slot->board = *board;
            slot->pieces = pieces;
            slot->lines = lines;
            atomic_store_explicit(&slot->taken_ns, now, memory_order_relaxed);
            pthread_mutex_unlock(&watch->lock);
        }
    }
    if (pthread_equal(pthread_self(), watch->owner))
        draw_when_due(watch);
}

void train_watch_say(TrainWatch *watch, const char *line) {
    snprintf(watch->title, sizeof watch->title, "%s", line);
    draw_when_due(watch);
}

TrainWatch *train_watch_begin(TrainGames *games, bool color, Status *status) {
    TrainWatch *watch = memory_new(1, sizeof *watch, status);
    if (!watch)
        return NULL;
    TerminalOptions options = {color, false};
    if (!terminal_open("--watch", options, &watch->screen, status)) {
        free(watch);
        return NULL;
    }
    watch->owner = pthread_self();
    pthread_mutex_init(&watch->lock, NULL);
    watch->observer = (TrainObserver){look, watch};
    games->observer = &watch->observer;
    return watch;
}

void train_watch_end(TrainWatch *watch) {
    if (!watch)
        return;
    terminal_close();
    screen_release(&watch->screen);
    pthread_mutex_destroy(&watch->lock);
    free(watch);
}
