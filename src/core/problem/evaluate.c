/* evaluate: decodes once with all steps and draws the final board from them. */
#include "problem/evaluate.h"

size_t eval_solution_bytes(const EvalRequest *request) {
    size_t placements = (size_t)request->placements;
    if (request->encoding == ENCODING_PLACEMENTS)
        return placements * sizeof(Move);
    GenotypeLayout layout;
    genotype_layout(&layout, request->encoding, request->grid.width);
    return placements * (size_t)layout.genes;
}

bool eval_check_rules(const EvalRequest *request, Status *status) {
    const DecodeRules *rules = &request->rules;
    if (request->encoding == ENCODING_PLACEMENTS && rules->no_game_over)
        return status_option(status, "game-over", "off: not possible with the encoding placements");
    if (rules->no_game_over && grid_highest(&request->grid) > request->grid.height)
        return status_option(status, "game-over",
                             "off: requires a board with nothing above its %d rows",
                             request->grid.height);
    return true;
}

void eval_decoder(const EvalRequest *request, Decoder *decoder) {
    memset(decoder, 0, sizeof *decoder);
    eval_change_decoder(request, decoder);
}

void eval_change_decoder(const EvalRequest *request, Decoder *decoder) {
    Board board;
    grid_to_board(&request->grid, &board);
    /* Placements have no genes; any encoding does for the rest of the decoder. */
    Encoding encoding =
        request->encoding == ENCODING_PLACEMENTS ? ENCODING_SIMPLE : request->encoding;
    decoder_change(decoder, encoding, request->rules, &board, request->pieces, request->piece_count,
                   request->placements);
}

static void trace_moves(const Move *moves, EvalResult *result) {
    for (int i = 0; i < result->state.placed; i++)
        result->steps[i] = (DecodeStep){.move = moves[i]};
}

bool eval_same_problem(const EvalRequest *a, const EvalRequest *b) {
    return a->encoding == b->encoding && a->rules.order == b->rules.order &&
           a->rules.no_game_over == b->rules.no_game_over &&
           a->rules.perfect_points == b->rules.perfect_points && a->placements == b->placements &&
           a->piece_count == b->piece_count &&
           memcmp(a->pieces, b->pieces, (size_t)a->piece_count) == 0 &&
           memcmp(&a->grid, &b->grid, sizeof a->grid) == 0;
}

bool eval_play(const EvalRequest *request, const Decoder *decoder, const void *solution,
               const FitnessProfile *profile, EvalResult *result, Status *status) {
    result->state = decoder->start;
    if (request->encoding == ENCODING_PLACEMENTS) {
        if (!moves_play(decoder, &result->state, solution, request->placements, status))
            return false;
        trace_moves(solution, result);
    } else
        decoder_trace(decoder, &result->state, solution, result->steps);
    decoder->measure(&result->state.board, result->state.highest, &result->heuristics);
    result->fitness =
        fitness_value(profile, &result->state, &result->heuristics, request->placements);
    result->grid = request->grid;
    for (int i = 0; i < result->state.placed; i++)
        result->steps[i].lines =
            (uint8_t)grid_lock(&result->grid, result->steps[i].move.placement, NULL);
    return true;
}

bool eval_run(const EvalRequest *request, const void *solution, const FitnessProfile *profile,
              EvalResult *result, Status *status) {
    Decoder decoder;
    eval_decoder(request, &decoder);
    return eval_play(request, &decoder, solution, profile, result, status);
}

int eval_keys(const Columns *columns, const DecodeStep *step, PathScratch *scratch,
              uint8_t keys[EVAL_KEYS_MAX]) {
    int first = 0;
    if (step->move.hold)
        keys[first++] = KEY_HOLD;
    int count = path_fewest(columns, step->move.placement, false, false, scratch, keys + first);
    return first + (count > 0 ? count : 0);
}
