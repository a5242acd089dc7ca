/*
 * literature: the one-piece controllers of the literature as agents, over the drop player; and the
 * one that was trained here.
 */
#ifndef TETROPT_PLAYER_LITERATURE_H
#define TETROPT_PLAYER_LITERATURE_H

#include "player/agent.h"

extern const Agent dellacherie_agent, el_tetris_agent, cma_dellacherie_agent, bcts_agent,
    dt10_agent, dt20_agent, surface_agent;

/* True when the agent is one of these: whoever wants placements by the million can take the drop
 * player's own loop (drop.h) with the same weights, and gets the same games. */
bool literature_is(const Agent *agent);

#endif
