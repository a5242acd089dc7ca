/* eval_view: the parts of what `eval` and `solve` print. */
#include "term/eval_view.h"

#include "term/board_view.h"

#include <stdlib.h>

void eval_view_steps(const EvalRequest *request, const EvalResult *result, int columns, bool color,
                     Text *text) {
    ViewGame game = {&request->grid, result->steps, result->state.placed, NULL};
    board_view_game(&game, columns, color, text);
}

void eval_view_board(const EvalResult *result, bool color, Text *text) {
    board_view_draw(&result->grid, grid_highest(&result->grid), color, text);
}

void eval_view_counts(const EvalRequest *request, const EvalResult *result, Text *text) {
    const DecodeState *state = &result->state;
    text_format(text, "%d of %d piece%s placed, %d line%s cleared, score %d, %d no-op%s%s\n",
                state->placed, request->placements, request->placements == 1 ? "" : "s",
                state->lines, state->lines == 1 ? "" : "s", (int)state->score, (int)state->noops,
                state->noops == 1 ? "" : "s", state->topped_out ? ", topped out" : "");
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
    add_term(text, "lines cleared", state->lines, profile->lines);
    add_term(text, "placed", state->placed, profile->placed);
    add_term(text, "tetrises", state->clears[3], profile->tetrises);
    add_term(text, "highest column", state->peak, -profile->peak);
    text_format(text, "  %-20s %10s %10s %12s\n", "", "", "", "------------");
    text_format(text, "  %-20s %10s %10s %12g\n", "fitness", "", "", result->fitness);
}

void eval_view_keys(const EvalRequest *request, const EvalResult *result, Text *text) {
    PathScratch *scratch = malloc(sizeof *scratch);
    if (!scratch) {
        text->failed = true;
        return;
    }
    Board board;
    Columns columns;
    grid_to_board(&request->grid, &board);
    columns_from_board(&columns, &board);
    for (int i = 0; i < result->state.placed; i++) {
        const DecodeStep *step = &result->steps[i];
        const Placement *at = &step->move.placement;
        uint8_t keys[EVAL_KEYS_MAX];
        int count = eval_keys(&columns, step, scratch, keys);
        text_format(text, "%4d %c ", i + 1, piece_letters[at->piece]);
        for (int k = 0, repeats; k < count; k += repeats) {
            for (repeats = 1; k + repeats < count && keys[k + repeats] == keys[k];)
                repeats++;
            text_format(text, repeats > 1 ? " %s*%d" : " %s", key_names[keys[k]], repeats);
        }
        text_add_char(text, '\n');
        columns_lock(&columns, (Piece)at->piece, (Rotation)at->rotation, at->x, at->y);
    }
    free(scratch);
}
