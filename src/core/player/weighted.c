/* weighted: one pass over all placements of at most two pieces. */
#include "player/weighted.h"

#include "base/memory.h"
#include "base/options.h"
#include "player/registry.h"
#include "player/turn.h"

#include <stdlib.h>

enum { FIT_NEXT = 3 }; /* pieces of the queue that `fit` looks at */

typedef struct WeightedParameters {
    double fit, perfect_fit;
    int64_t well_depth;
} WeightedParameters;

static const Option rows[] = {
    TUNED_REAL(WeightedParameters, fit, "fit", "0", 0, 1e6, "0..100",
               "weight against covering a gap that the held or one of the next three pieces "
               "fits exactly; 0 is off"),
    TUNED_REAL(WeightedParameters, perfect_fit, "perfect-fit", "0", 0, 1e6, "0..100",
               "reward for filling a gap exactly, divided by the number of piece types that "
               "fit it; 0 is off"),
    TUNED_INTEGER(WeightedParameters, well_depth, "well-depth", "3", 1, 20, "1..8",
                  "rows below both neighbours that make a well"),
};

typedef struct WeightedPlayer {
    Evaluator evaluator;
    double fit, perfect_fit;
    Placement placements[REACH_MAX];
    EvaluatorValue values[REACH_MAX];
} WeightedPlayer;

static void *new_player(const AgentSetup *setup, const void *given, Status *status) {
    const WeightedParameters *parameters = given;
    WeightedPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    player->evaluator = setup->evaluator;
    player->evaluator.well_depth = (int)parameters->well_depth;
    player->fit = parameters->fit;
    player->perfect_fit = parameters->perfect_fit;
    return player;
}

/* The pieces, as bits, that rest on the columns left, left+1, ... left+width-1 without a gap. */
static unsigned fitting(const int *heights, int left, int width) {
    unsigned pieces = 0;
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int r = 0; r < piece_distinct_rotations[p]; r++) {
            const Shape *shape = &piece_shapes[p][r];
            if (shape->max_x - shape->min_x + 1 != width)
                continue;
            bool fits = true;
            for (int i = 1; i < width; i++)
                fits = fits &&
                       heights[left + i] - heights[left] == shape->bottom[i] - shape->bottom[0];
            pieces |= (unsigned)fits << p;
        }
    return pieces;
}

static void heights_of(const Columns *columns, int heights[BOARD_MAX_WIDTH]) {
    for (int x = 0; x < columns->width; x++)
        heights[x] = columns_height(columns->column[x]);
}

double weighted_perfect_fit(const Columns *columns, Placement placement) {
    const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
    int left = placement.x + shape->min_x, width = shape->max_x - shape->min_x + 1;
    int heights[BOARD_MAX_WIDTH];
    heights_of(columns, heights);
    for (int i = 0; i < width; i++)
        if (placement.y + shape->bottom[i] != heights[left + i])
            return 0;
    bool walled = (left == 0 || heights[left - 1] > heights[left]) &&
                  (left + 1 == columns->width || heights[left + 1] > heights[left]);
    if (width == 1 && !walled)
        return 0;
    return 1.0 / __builtin_popcount(fitting(heights, left, width));
}

double weighted_fit(const Columns *columns, Placement placement, unsigned wanted) {
    const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
    int first = placement.x + shape->min_x, last = placement.x + shape->max_x;
    int heights[BOARD_MAX_WIDTH];
    heights_of(columns, heights);
    double sum = 0;
    for (int width = 1; width <= 4; width++)
        for (int left = 0; left + width <= columns->width; left++) {
            if (left > last || left + width - 1 < first)
                continue;
            unsigned pieces = fitting(heights, left, width);
            if (pieces & wanted)
                sum += 1.0 / __builtin_popcount(pieces);
        }
    return sum;
}

/* As bits, the pieces that come soon when `option` is taken, and the one that is held then. */
static unsigned wanted_pieces(const AgentView *view, const TurnOption *option) {
    unsigned wanted = 0;
    if (option->after.hold != PIECE_NONE)
        wanted |= 1u << option->after.hold;
    if (option->after.current != PIECE_NONE)
        wanted |= 1u << option->after.current;
    for (int i = option->after.next; i < view->queue_count && i < FIT_NEXT; i++)
        wanted |= 1u << view->queue[i];
    return wanted;
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    (void)rng;
    WeightedPlayer *player = given;
    Move best = {.placement.piece = PIECE_NONE, .hold = true};
    if (turn_should_hold_blind(view))
        return best;
    TurnOption options[TURN_OPTIONS];
    int option_count = turn_options(view, turn_hand(view), options);
    double best_value = 0;
    bool best_dead = true, found = false;
    for (int k = 0; k < option_count; k++) {
        const TurnOption *option = &options[k];
        unsigned wanted = player->fit > 0 ? wanted_pieces(view, option) : 0;
        bool dead;
        int count = turn_placements(view, &view->columns, (Piece)option->piece, false,
                                    player->placements, &dead);
        EvaluatorTurn turn = {&view->columns, (Piece)option->after.hold};
        evaluator_judge_all(&player->evaluator, &turn, player->placements, count, player->values);
        for (int i = 0; i < count; i++) {
            double value = player->values[i].move + player->values[i].board;
            if (wanted)
                value -= player->fit * weighted_fit(&view->columns, player->placements[i], wanted);
            if (player->perfect_fit > 0)
                value += player->perfect_fit *
                         weighted_perfect_fit(&view->columns, player->placements[i]);
            if (found && (dead > best_dead || (dead == best_dead && value <= best_value)))
                continue;
            best = (Move){player->placements[i], option->hold};
            best_value = value;
            best_dead = dead;
            found = true;
        }
    }
    return best;
}

const Agent weighted_agent = {
    .name = "weighted",
    .summary = "the best of all reachable placements of the current and the held piece",
    .abilities = AGENT_DROP | AGENT_GUIDELINE | AGENT_HOLD | AGENT_PREVIEW | AGENT_KICKS,
    .weights = "competition-1",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(WeightedParameters),
    .new_player = new_player,
    .free_player = free,
    .choose = choose,
};
