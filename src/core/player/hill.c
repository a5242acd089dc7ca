/*
 * hill: the best of all drops of the current piece, ties at random. With so few drops (local.h)
 * there is no need to climb: one look at each finds the top, and what anneal and genetic can come
 * to.
 *
 * One pass; of equal drops each has the same chance (reservoir sampling).
 */
#include "base/memory.h"
#include "player/local.h"
#include "player/registry.h"

#include <stdlib.h>

static const Option rows[] = {{.name = "", .kind = OPTION_INCLUDE, .table = &local_options}};

static void *new_player(const AgentSetup *setup, const void *parameters, Status *status) {
    LocalPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    player->evaluator = setup->evaluator;
    player->slide = *(const TurnSlide *)parameters;
    return player;
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    LocalPlayer *player = given;
    LocalDrops *drops = &player->drops;
    local_evaluate(player, view);
    int best = 0;
    uint32_t equals = 1;
    for (int i = 1; i < drops->count; i++) {
        double gain = drops->values[i] - drops->values[best];
        if (gain > LOCAL_EQUAL) {
            best = i;
            equals = 1;
        } else if (gain > -LOCAL_EQUAL && rng_below(rng, ++equals) == 0)
            best = i;
    }
    return local_decision(drops, best);
}

const Agent hill_agent = {
    .name = "hill",
    .summary = "the best of all drops of the current piece, ties at random",
    .abilities = AGENT_DROP | AGENT_GUIDELINE | AGENT_DROP_FIRST,
    .weights = "local-hill",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(TurnSlide),
    .new_player = new_player,
    .free_player = free,
    .choose = choose,
};
