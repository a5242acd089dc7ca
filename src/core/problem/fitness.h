/*
 * fitness: what the offline problem maximises: a profile of factors over the decoded game.
 *
 * Invariant: fitness_value is the only sum, always in the same order, so a solution has the same
 * fitness bit for bit whichever search evaluated it.
 */
#ifndef TETROPT_PROBLEM_FITNESS_H
#define TETROPT_PROBLEM_FITNESS_H

#include "eval/heuristics.h"
#include "problem/decode.h"

/* fitness = score*score_factor - noops*noop_factor + heuristics_factor*sum(weight*heuristic)
 *           - unplaced_factor*(placements - placed) + lines*lines_factor + placed*placed_factor
 *           + tetrises*tetris_factor - peak*peak_factor */
typedef struct FitnessProfile {
    double score, noop, heuristics, unplaced;
    double weights[HEURISTIC_COUNT];
    double lines, placed, tetrises, peak;
} FitnessProfile;

typedef enum ProfileName {
    PROFILE_BLOCKS,
    PROFILE_ROWS,
    PROFILE_PIECES,
    PROFILE_TETRISES,
    PROFILE_HEIGHT,
    PROFILE_COUNT
} ProfileName;

#define PROFILE_CHOICES "blocks|rows|pieces|tetrises|height"

extern const FitnessProfile fitness_profiles[PROFILE_COUNT];

/* The fitness of a finished game of `placements` pieces. `heuristics` may be NULL when
 * profile->heuristics is 0. */
double fitness_value(const FitnessProfile *profile, const DecodeState *state,
                     const Heuristics *heuristics, int placements);

/* The same for a state that the decoder played to its end. */
double fitness_of_state(const FitnessProfile *profile, const Decoder *decoder,
                        const DecodeState *state);

/* Decodes and evaluates one genotype; `state` receives the end of the game (NULL: not wanted). */
double fitness_evaluate(const FitnessProfile *profile, const Decoder *decoder, const int8_t *genes,
                        DecodeState *state);

#endif
