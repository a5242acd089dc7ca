/* solve_show: the answer as text, the summary last, and as the files that the options ask for. */
#include "cli/solve_show.h"

#include "base/units.h"
#include "draw/picture.h"
#include "job/solve.h"
#include "problem/genotype.h"
#include "system/file.h"
#include "system/stop.h"
#include "term/board_view.h"
#include "term/eval_view.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

/* More boards than this would bury the answer; --verbose shows them all the same. */
enum { MOST_PANELS = 50 };

/* How far the answer can be from the best. */
static void describe_gap(const SolveAnswer *answer, Text *text) {
    if (answer->optimal)
        text_add(text, "gap to the bound: 0, proved optimal\n");
    else if (isfinite(answer->bound))
        text_format(text, "gap to the bound: %g (no solution is better than %g)\n",
                    answer->bound - answer->result.fitness, answer->bound);
    else
        text_add(text, "gap to the bound: unknown, no bound was proved\n");
}

static void describe_search(const SolveTask *task, const SolveAnswer *answer, Text *text) {
    static const char *const ends[] = {[OPTIM_FINISHED] = "search completed",
                                       [OPTIM_PATIENCE] =
                                           "no improvement for long (see the parameter patience)",
                                       [OPTIM_TARGET] = "target reached",
                                       [OPTIM_EVALUATIONS] = "evaluation limit reached",
                                       [OPTIM_TIME] = "time limit reached",
                                       [OPTIM_STOPPED] = "interrupted; this is the best so far"};
    const EvalRequest *request = task->request;
    double evaluations = (double)answer->evaluations;
    text_format(text, "%s, encoding %s: ", task->optimiser->name,
                encoding_names[request->encoding]);
    if (request->encoding != ENCODING_PLACEMENTS) {
        GenotypeLayout layout;
        genotype_layout(&layout, request->encoding, request->grid.width);
        text_format(text, "10^%.1f genotypes, ", genotype_log10(&layout, request->placements));
    }
    if (task->exchange)
        text_format(text, "%d islands, ", task->exchange->count);
    text_format(text, "%s evaluations in %s (%s)\nstopped: %s\n", units_count(evaluations).text,
                units_time(answer->seconds).text,
                units_rate(evaluations / fmax(answer->seconds, 1e-9)).text,
                answer->end == OPTIM_TARGET && answer->optimal ? "optimal: the bound was reached"
                                                               : ends[answer->end]);
}

void solve_describe(const SolveTask *task, const SolveAnswer *answer, const SolveShow *how,
                    Text *text) {
    const EvalRequest *request = task->request;
    const EvalResult *result = &answer->result;
    /* 1. The boards, and the keys that lead to them. */
    if (how->verbose || result->state.placed <= MOST_PANELS)
        eval_view_steps(request, result, how->columns, how->color, text);
    else
        text_format(text, "the boards after each of %d pieces: --verbose\n\n",
                    result->state.placed);
    text_add(text, "keys\n");
    eval_view_keys(request, result, text);
    text_add(text, "\nfinal board\n");
    eval_view_board(result, how->color, text);
    text_add_char(text, '\n');
    /* 2. What the fitness is made of. */
    if (how->verbose) {
        eval_view_terms(request, result, &task->profile, text);
        text_add_char(text, '\n');
    }
    /* 3. The summary, last, where it is seen. */
    describe_search(task, answer, text);
    eval_view_counts(request, result, text);
    text_format(text, "fitness %g%s\n", result->fitness,
                answer->perfect_clear ? ", a perfect clear" : "");
    describe_gap(answer, text);
}

void solve_animate(const SolveTask *task, const SolveAnswer *answer, bool color) {
    ViewGame game = {.start = &task->request->grid,
                     .steps = answer->result.steps,
                     .count = answer->result.state.placed};
    int rows = frame_rows_needed(&game, BOARD_VIEW_LEAST_ROWS);
    const struct timespec pause = {.tv_nsec = 400000000};
    Frame frame;
    frame_start(&frame, game.start);
    for (int i = 0; i <= game.count && !atomic_load(stop_flag()); i++) {
        char title[BOARD_VIEW_TITLE_BYTES] = "start";
        frame_clear(&frame);
        if (i > 0) {
            frame_place(&frame, &game.steps[i - 1]);
            board_view_title(&game.steps[i - 1], i, title);
            printf("\x1b[%dA\x1b[J", rows + 2); /* back over the last frame */
        }
        Text text = {0};
        board_view_draw(&frame.grid, rows, color, &text);
        printf("%s\n%s", title, text.data ? text.data : "");
        fflush(stdout);
        text_release(&text);
        nanosleep(&pause, NULL);
    }
    putchar('\n');
}

static bool draw(const SolveTask *task, const SolveAnswer *answer, const char *path,
                 DrawingFormat format, Status *status) {
    const DecodeState *state = &answer->result.state;
    char title[160];
    snprintf(title, sizeof title, "%d piece%s, %s: fitness %g%s, %d line%s cleared", state->placed,
             state->placed == 1 ? "" : "s", encoding_names[task->request->encoding],
             answer->result.fitness, answer->perfect_clear ? " (a perfect clear)" : "",
             state->lines, state->lines == 1 ? "" : "s");
    ViewGame game = {.start = &task->request->grid,
                     .steps = answer->result.steps,
                     .count = answer->result.state.placed,
                     .title = title};
    Text bytes = {0};
    bool ok = picture_game(&game, format, &bytes, status) &&
              file_replace(path, bytes.data, bytes.length, status);
    text_release(&bytes);
    return ok;
}

static bool save_replay(const SolveTask *task, const SolveAnswer *answer, const char *path,
                        Status *status) {
    Replay replay;
    if (!solve_replay(task, answer, &replay, status))
        return false;
    Text text = {0};
    bool ok =
        replay_write(&replay, &text, status) && file_replace(path, text.data, text.length, status);
    replay_release(&replay);
    text_release(&text);
    return ok;
}

bool solve_save(const SolveTask *task, const SolveAnswer *answer, const SolveFiles *files,
                const Text *log, Status *status) {
    if (files->log && log->failed)
        return status_no_memory(status);
    if (files->log && !file_replace(files->log, log->data ? log->data : "", log->length, status))
        return false;
    return (!files->save || save_replay(task, answer, files->save, status)) &&
           (!files->svg || draw(task, answer, files->svg, DRAWING_SVG, status)) &&
           (!files->png || draw(task, answer, files->png, DRAWING_PNG, status));
}
