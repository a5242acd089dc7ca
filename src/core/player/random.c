/*
 * random: random legal key presses; under `drop` a random rotation and column.
 *
 * A walk by keys.h, or a drop by lot.
 */
#include "base/memory.h"
#include "player/keys.h"
#include "player/registry.h"
#include "player/turn.h"

#include <stdlib.h>

static void *new_player(const AgentSetup *setup, const void *parameters, Status *status) {
    (void)setup, (void)parameters;
    return memory_new(1, sizeof(KeysTrail), status);
}

static Move choose(void *player, const AgentView *view, Rng *rng) {
    if (view->rules->set == RULES_DROP) {
        Placement placements[REACH_MAX];
        bool dead;
        int count =
            turn_placements(view, &view->columns, (Piece)view->current, true, placements, &dead);
        return (Move){placements[rng_below(rng, (uint32_t)count)], false};
    }
    KeysTrail *trail = player;
    keys_begin(trail, view->board);
    keys_walk(trail, view->board, (Piece)view->current, rng);
    KeysPosition at = trail->positions[trail->count - 1];
    return (Move){{view->current, at.rotation, at.x, at.y, SPIN_NONE}, false};
}

const Agent random_agent = {
    .name = "random",
    .summary = "random legal key presses; under drop a random rotation and column",
    .abilities = AGENT_DROP | AGENT_GUIDELINE,
    .new_player = new_player,
    .free_player = free,
    .choose = choose,
};
