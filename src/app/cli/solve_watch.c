/* solve_watch: keeps the newest best boards and draws them some times per second. */
#include "cli/solve_watch.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/units.h"
#include "term/field_view.h"
#include "term/terminal.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 8, LINE_BYTES = 48, TOP = 2, FRAME_NS = 50000000 };

/* A best answer of some moment. */
typedef struct Kept {
    Grid grid;
    char lines[2][LINE_BYTES];
} Kept;

struct SolveWatch {
    const SolveTask *task;
    ProgressLine *progress;
    EvalResult result; /* of the board that is shown */
    Kept kept[KEPT];   /* the newest first */
    int count;
    double best;
    uint64_t start_ns, shown_ns;
    Screen screen;
};

static void keep(SolveWatch *watch, const Progress *state) {
    Status ignored;
    if (!eval_run(watch->task->request, state->genotype, &watch->task->profile, &watch->result,
                  &ignored))
        return;
    memmove(watch->kept + 1, watch->kept, (KEPT - 1) * sizeof *watch->kept);
    watch->count += watch->count < KEPT;
    Kept *kept = &watch->kept[0];
    kept->grid = watch->result.grid;
    snprintf(kept->lines[0], LINE_BYTES, "%.6g, %d lines", watch->result.fitness,
             watch->result.state.lines);
    snprintf(kept->lines[1], LINE_BYTES, "after %s",
             units_time(clock_seconds_since(watch->start_ns)).text);
}

static void draw(SolveWatch *watch, const Progress *state) {
    Screen *screen = &watch->screen;
    double seconds = clock_seconds_since(watch->start_ns);
    screen_clear(screen);
    screen_format(screen, 0, 0, STYLE_BOLD, "solve %s, %d pieces: best %.6g, %s evaluations, %s",
                  watch->task->optimiser->name, watch->task->request->placements, state->best,
                  units_count((double)state->done).text, units_time(floor(seconds)).text);
    FieldCaption boards[KEPT];
    for (int i = 0; i < watch->count; i++)
        boards[i] = (FieldCaption){&watch->kept[i].grid,
                                   {watch->kept[i].lines[0], watch->kept[i].lines[1], NULL}};
    /* Fewer boards with wide cells say more than many narrow ones. */
    int across = screen->columns / (2 * watch->task->request->grid.width + 4);
    int count = across > 0 && watch->count > across ? across : watch->count;
    field_view_boards(boards, count, TOP, screen);
    screen_put(screen, screen->rows - 1, 0, STYLE_DIM,
               " q stop and take the best so far; the newest board is the first");
    terminal_show(screen);
}

static void on_report(void *context, const Progress *state) {
    SolveWatch *watch = context;
    progress_report(watch->progress, state);
    if (state->genotype && state->best > watch->best) {
        watch->best = state->best;
        keep(watch, state);
    }
    uint64_t now = clock_now_ns();
    if (now - watch->shown_ns < FRAME_NS)
        return;
    watch->shown_ns = now;
    draw(watch, state);
    if (terminal_key(&watch->screen, 0) == 'q')
        raise(SIGINT); /* the flag that the search checks */
}

SolveWatch *solve_watch_begin(const SolveTask *task, ProgressLine *progress, ProgressWatch *report,
                              bool color, Status *status) {
    SolveWatch *watch = memory_new(1, sizeof *watch, status);
    if (!watch)
        return NULL;
    watch->task = task;
    watch->progress = progress;
    watch->best = -INFINITY;
    watch->start_ns = clock_now_ns();
    TerminalOptions options = {color, false};
    if (!terminal_open("--watch", options, &watch->screen, status)) {
        free(watch);
        return NULL;
    }
    progress->shown = false; /* the line would be drawn over */
    report->report = on_report;
    report->context = watch;
    return watch;
}

void solve_watch_end(SolveWatch *watch) {
    if (!watch)
        return;
    terminal_close();
    screen_release(&watch->screen);
    free(watch);
}
