/*
 * solve_show: the answer as text, with the board or every step, and as the files that the options
 * ask for.
 */
#include "cli/solve_show.h"

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

static void describe_space(const SolveTask *task, Text *text) {
    const EvalRequest *request = task->request;
    if (request->encoding == ENCODING_PLACEMENTS)
        return;
    GenotypeLayout layout;
    genotype_layout(&layout, request->encoding, request->grid.width);
    text_format(text, "search space: 10^%.1f genotypes\n",
                genotype_log10(&layout, request->placements));
}

static const char *verdict(const SolveAnswer *answer) {
    if (answer->perfect_clear)
        return "a perfect clear";
    return answer->result.fitness > -50 ? "acceptable" : "poor";
}

void solve_describe(const SolveTask *task, const SolveAnswer *answer, bool color, Text *text) {
    static const char *const ends[] = {"it was finished",        "nothing better came for long",
                                       "the target was reached", "the evaluations were used up",
                                       "the time was over",      "it was interrupted"};
    const EvalRequest *request = task->request;
    eval_view_board(request, &answer->result, color, text);
    text_format(text, "\nfitness %g%s (%s), %s with the encoding %s\n", answer->result.fitness,
                answer->optimal ? ", proved to be the best" : "", verdict(answer),
                task->optimiser->name, encoding_names[request->encoding]);
    if (isfinite(answer->bound) && !answer->optimal)
        text_format(text, "proved upper bound %g: at most %g better\n", answer->bound,
                    answer->bound - answer->result.fitness);
    if (task->exchange)
        text_format(text, "islands: %d\n", task->exchange->count);
    text_format(text, "%llu evaluations in %.2f s (%.2f million/s), ended because %s\n",
                (unsigned long long)answer->evaluations, answer->seconds,
                (double)answer->evaluations / fmax(answer->seconds, 1e-9) * 1e-6,
                ends[answer->end]);
    describe_space(task, text);
    text_add_char(text, '\n');
    eval_view_terms(request, &answer->result, &task->profile, text);
    text_add(text, "\nmoves\n");
    eval_view_moves(&answer->result, text);
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
