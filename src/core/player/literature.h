/*
 * literature: the one-piece controllers of the literature as agents, over the drop controller, and
 * `surface`, which was trained here.
 */
#ifndef TETROPT_PLAYER_LITERATURE_H
#define TETROPT_PLAYER_LITERATURE_H

#include "player/player.h"

extern const Agent dellacherie_agent, el_tetris_agent, cma_dellacherie_agent, bcts_agent,
    dt10_agent, dt20_agent, surface_agent;

#endif
