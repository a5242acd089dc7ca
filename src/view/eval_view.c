#include "view/eval_view.h"

#include "view/board_view.h"

#include <stdio.h>

enum { ACROSS = 3, LEAST_ROWS = 4 };

static void title(const DecodeStep *step, int number, char *text, size_t bytes) {
    const Placement *at = &step->placement;
    char clears[16] = "";
    if (step->lines > 0)
        snprintf(clears, sizeof clears, " -%d row%s", step->lines, step->lines > 1 ? "s" : "");
    snprintf(text, bytes, "%d: %c %s x=%d%s%s", number, piece_letters[at->piece],
             rotation_names[at->rotation], at->x, step->held ? " hold" : "", clears);
}

void eval_view_steps(const EvalRequest *request, const EvalResult *result, bool color, Text *text) {
    Grid grid = request->grid, shown[ACROSS];
    char titles[ACROSS][64];
    const Grid *grids[ACROSS] = {&shown[0], &shown[1], &shown[2]};
    const char *names[ACROSS] = {titles[0], titles[1], titles[2]};
    int rows = LEAST_ROWS, count = result->state.placed;
    for (int i = 0; i < count; i++) {
        Grid *panel = &shown[i % ACROSS];
        const DecodeStep *step = &result->steps[i];
        *panel = grid;
        grid_mark(panel, step->placement, piece_letters[step->placement.piece]);
        grid_lock(&grid, step->placement, NULL);
        int highest = grid_highest(panel);
        rows = highest > rows ? highest : rows;
        title(step, i + 1, titles[i % ACROSS], sizeof titles[0]);
        if (i % ACROSS == ACROSS - 1 || i == count - 1) {
            board_view_draw_row(grids, names, i % ACROSS + 1, rows, color, text);
            text_add_char(text, '\n');
            rows = LEAST_ROWS;
        }
    }
}

void eval_view_frame(const EvalRequest *request, const EvalResult *result, int count, int rows,
                     bool color, Text *text) {
    Grid grid = request->grid;
    char heading[64] = "start";
    for (int i = 0; i < count; i++) {
        const DecodeStep *step = &result->steps[i];
        if (i == count - 1) {
            grid_mark(&grid, step->placement, piece_letters[step->placement.piece]);
            title(step, count, heading, sizeof heading);
        } else
            grid_lock(&grid, step->placement, NULL);
    }
    text_format(text, "%s\n", heading);
    board_view_draw(&grid, rows, color, text);
}

void eval_view_board(const EvalRequest *request, const EvalResult *result, bool color, Text *text) {
    const DecodeState *state = &result->state;
    int rows = grid_highest(&result->grid);
    board_view_draw(&result->grid, rows > LEAST_ROWS ? rows : LEAST_ROWS, color, text);
    text_format(text, "\n%d of %d pieces placed, %d rows removed, score %d, %d no-ops%s\n",
                state->placed, request->placements, state->lines, (int)state->score,
                (int)state->noops, state->topped_out ? ", topped out" : "");
}

static void add_term(Text *text, const char *name, double value, double weight) {
    if (weight == 0)
        return;
    text_format(text, "  %-20s %10g %10g %12g\n", name, value, weight,
                value * weight + 0.0 /* no -0 */);
}

void eval_view_terms(const EvalRequest *request, const EvalResult *result,
                     const FitnessProfile *profile, Text *text) {
    const DecodeState *state = &result->state;
    text_format(text, "  %-20s %10s %10s %12s\n", "term", "value", "weight", "contribution");
    add_term(text, "score", state->score, profile->score);
    add_term(text, "noops", state->noops, -profile->noop);
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        add_term(text, heuristic_names[i], heuristics_value(&result->heuristics, (Heuristic)i),
                 profile->heuristics * profile->weights[i]);
    add_term(text, "not placed", request->placements - state->placed, -profile->unplaced);
    add_term(text, "rows removed", state->lines, profile->lines);
    add_term(text, "placed", state->placed, profile->placed);
    add_term(text, "tetrises", state->clears[3], profile->tetrises);
    add_term(text, "highest column", state->peak, -profile->peak);
    text_format(text, "  %-20s %10s %10s %12g\n", "fitness", "", "", result->fitness);
}

void eval_view_moves(const EvalResult *result, Text *text) {
    for (int i = 0; i < result->state.placed; i++) {
        char line[64];
        title(&result->steps[i], i + 1, line, sizeof line);
        text_format(text, "  %s\n", line);
    }
}
