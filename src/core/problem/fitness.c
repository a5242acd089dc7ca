/* fitness: the table of profiles, and the sum. */
#include "problem/fitness.h"

const FitnessProfile fitness_profiles[PROFILE_COUNT] = {
    [PROFILE_BLOCKS] = {.score = 2.5,
                        .noop = 1.0,
                        .heuristics = 1.0,
                        .unplaced = 100.0,
                        .weights = {[HEURISTIC_BLOCKS] = -1.0,
                                    [HEURISTIC_WEIGHTED_BLOCKS] = -0.75,
                                    [HEURISTIC_CLEARABLE_LINES] = 1.0,
                                    [HEURISTIC_ROUGHNESS] = -1.0,
                                    [HEURISTIC_COLUMN_HOLES] = -5.0,
                                    [HEURISTIC_CONNECTED_HOLES] = -2.0,
                                    [HEURISTIC_BLOCKS_ABOVE_HOLES] = -2.0,
                                    [HEURISTIC_PIT_HOLE_PERCENT] = -1.0,
                                    [HEURISTIC_DEEPEST_WELL] = -1.0}},
    [PROFILE_ROWS] = {.lines = 1.0},
    [PROFILE_PIECES] = {.placed = 1.0},
    [PROFILE_TETRISES] = {.tetrises = 1.0},
    [PROFILE_HEIGHT] = {.peak = 1.0},
};

double fitness_value(const FitnessProfile *profile, const DecodeState *state,
                     const Heuristics *heuristics, int placements) {
    double sum = 0;
    if (profile->heuristics != 0)
        for (int i = 0; i < HEURISTIC_COUNT; i++)
            sum += profile->weights[i] * heuristics_value(heuristics, (Heuristic)i);
    double fitness = profile->score * state->score - profile->noop * state->noops +
                     profile->heuristics * sum - profile->unplaced * (placements - state->placed);
    return fitness + profile->lines * state->lines + profile->placed * state->placed +
           profile->tetrises * state->clears[3] - profile->peak * state->peak;
}

double fitness_of_state(const FitnessProfile *profile, const Decoder *decoder,
                        const DecodeState *state) {
    Heuristics heuristics;
    if (profile->heuristics != 0)
        decoder->measure(&state->board, state->highest, &heuristics);
    return fitness_value(profile, state, &heuristics, decoder->placements);
}

double fitness_evaluate(const FitnessProfile *profile, const Decoder *decoder, const int8_t *genes,
                        DecodeState *state) {
    DecodeState local;
    DecodeState *end = state ? state : &local;
    *end = decoder->start;
    decoder_play(decoder, end, genes, 0, decoder->placements);
    return fitness_of_state(profile, decoder, end);
}
