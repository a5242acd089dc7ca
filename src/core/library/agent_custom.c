/*
 * agent_custom: agents that are functions of the caller (tetropt_agent_definition).
 *
 * An agent with `choose` gets a player of its own here. One with `features` is the agent `weighted`
 * with another kind of features, so everything that works with weights works with it.
 */
#include "base/memory.h"
#include "library/handles.h"
#include "player/registry.h"
#include "player/turn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that a definition becomes; it lives as long as the process. */
typedef struct Made {
    const tetropt_agent_definition *definition;
    Agent agent;
    EvaluatorKind kind; /* of `features` */
    EvaluatorPreset preset;
} Made;

static int letter_of(unsigned piece) {
    return piece < PIECE_COUNT ? piece_letters[piece] : 0;
}

/* ---- choose */

typedef struct Player {
    const tetropt_agent_definition *definition;
    Placement found[REACH_MAX];
    Move moves[TURN_OPTIONS * REACH_MAX];
    tetropt_placement placements[TURN_OPTIONS * REACH_MAX];
} Player;

static void *new_player(const AgentSetup *setup, const void *parameters, Status *status) {
    (void)parameters;
    Player *player = memory_new(1, sizeof *player, status);
    if (player)
        player->definition = ((const Made *)setup->agent->data)->definition;
    return player;
}

/* Lists the placements of all pieces; those that end the game only where there are no others. */
static int list_moves(Player *player, const AgentView *view) {
    TurnOption options[TURN_OPTIONS];
    int count = 0, option_count = turn_options(view, turn_hand(view), options);
    bool all_dead = true;
    for (int k = 0; k < option_count; k++) {
        bool dead;
        int found = turn_placements(view, &view->columns, (Piece)options[k].piece, false,
                                    player->found, &dead);
        if (found > 0 && all_dead && !dead)
            count = 0;
        if (found == 0 || (dead && !all_dead))
            continue;
        all_dead = all_dead && dead;
        for (int i = 0; i < found; i++, count++) {
            player->moves[count] = (Move){player->found[i], options[k].hold};
            player->placements[count] = placement_out(player->found[i], options[k].hold);
        }
    }
    return count;
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    Player *player = given;
    uint64_t random = rng_next(rng);
    if (turn_should_hold_blind(view))
        return (Move){.placement.piece = PIECE_NONE, .hold = true};
    int count = list_moves(player, view);
    if (count == 0)
        return turn_last_resort(view);
    char queue[AGENT_MAX_PREVIEW + 1] = {0};
    for (int i = 0; i < view->queue_count; i++)
        queue[i] = piece_letters[view->queue[i]];
    tetropt_view seen = {.width = view->columns.width,
                         .height = view->columns.height,
                         .columns = view->columns.column,
                         .current = letter_of(view->current),
                         .held = letter_of(view->hold),
                         .queue = queue,
                         .placements = player->placements,
                         .placement_count = count,
                         .lines = view->lines,
                         .pieces_left = view->locks_left,
                         .random = random};
    int chosen = player->definition->choose(player->definition->context, &seen);
    return player->moves[chosen >= 0 && chosen < count ? chosen : 0];
}

/* ---- features */

static void measure(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                    double *values) {
    const Made *made =
        (const Made *)(const void *)((const char *)evaluator->kind - offsetof(Made, kind));
    const tetropt_agent_definition *definition = made->definition;
    Placement at = move->placement;
    *after = *move->before;
    int lines = columns_lock(after, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    tetropt_move described = {.width = after->width,
                              .height = after->height,
                              .before = move->before->column,
                              .after = after->column,
                              .placement = placement_out(at, false),
                              .lines = lines,
                              .held = letter_of(move->hold)};
    for (int i = 0; i < definition->feature_count; i++)
        values[i] = 0;
    definition->features(definition->context, &described, values);
    for (int i = 0; i < definition->feature_count; i++)
        if (!isfinite(values[i]))
            values[i] = 0;
}

/* ---- definitions */

static bool check_features(const tetropt_agent_definition *definition, Status *status) {
    int count = definition->feature_count;
    if (count < 1 || count > EVALUATOR_MAX || !definition->feature_names || !definition->weights)
        return status_fail(status, STATUS_INPUT,
                           "features: 1 to %d with names and weights are needed", EVALUATOR_MAX);
    for (int i = 0; i < count; i++)
        if (!definition->feature_names[i] || !*definition->feature_names[i] ||
            !isfinite(definition->weights[i]))
            return status_fail(status, STATUS_INPUT,
                               "features: number %d has no name or no finite weight", i);
    return true;
}

static bool check(const tetropt_agent_definition *definition, Status *status) {
    if (!definition)
        return status_fail(status, STATUS_INPUT, "definition: is NULL");
    if (definition->abi != TETROPT_AGENT_ABI)
        return status_fail(status, STATUS_INPUT, "abi: %d, but this library has %d",
                           definition->abi, TETROPT_AGENT_ABI);
    if (!definition->name || !definition->summary)
        return status_fail(status, STATUS_INPUT, "name: it or the summary is NULL");
    if (!definition->choose == !definition->features)
        return status_fail(status, STATUS_INPUT, "choose: either it or features must be set");
    if (definition->preview < 0 || definition->preview > AGENT_MAX_PREVIEW)
        return status_fail(status, STATUS_INPUT, "preview: %d is not in 0..%d", definition->preview,
                           AGENT_MAX_PREVIEW);
    return definition->choose || check_features(definition, status);
}

static void fill(Made *made, const tetropt_agent_definition *definition) {
    made->definition = definition;
    if (definition->features)
        made->agent = weighted_agent;
    else {
        made->agent.new_player = new_player;
        made->agent.free_player = free;
        made->agent.choose = choose;
    }
    Agent *agent = &made->agent;
    agent->name = definition->name;
    agent->summary = definition->summary;
    agent->data = made;
    agent->abilities = AGENT_DROP | AGENT_GUIDELINE | (definition->hold ? AGENT_HOLD : 0u) |
                       (definition->preview > 0 ? AGENT_PREVIEW : 0u) |
                       (definition->features ? 0u : AGENT_SEARCHES);
    agent->preview = (uint8_t)definition->preview;
    if (!definition->features)
        return;
    made->kind = (EvaluatorKind){.name = definition->name,
                                 .summary = definition->summary,
                                 .count = definition->feature_count,
                                 .names = definition->feature_names,
                                 .measure = measure};
    made->preset = (EvaluatorPreset){.name = definition->name, .kind = &made->kind};
    memcpy(made->preset.weights, definition->weights,
           (size_t)definition->feature_count * sizeof *definition->weights);
    agent->weights = definition->name;
    agent->only_kind = &made->kind;
}

/* The agent of a definition that was given before, or NULL. */
static bool is_known(const tetropt_agent_definition *definition) {
    const Agent *agent = agent_find(definition->name);
    return agent && agent->data && ((const Made *)agent->data)->definition == definition;
}

int tetropt_agent_custom(const tetropt_agent_definition *definition, char *message, size_t bytes) {
    Status status = {0};
    bool ok = check(definition, &status);
    if (ok && !is_known(definition)) {
        Made *made = memory_new(1, sizeof *made, &status);
        if (made)
            fill(made, definition);
        ok = made && agent_add(&made->agent, definition->features ? &made->preset : NULL, &status);
        if (!ok)
            free(made);
    }
    if (message && bytes > 0)
        snprintf(message, bytes, "%s", status.message);
    return handle_code(&status, ok);
}
