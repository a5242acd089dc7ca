/*
 * bot/agent: the bot as an agent.
 *
 * `choose` searches a fixed number of placements (the parameter `nodes`) from what is visible, so
 * its games repeat exactly. `think` opens a session (bot.h) that keeps its search from move to move
 * and continues it while it waits; `tbp` plays by it.
 *
 * Rules: guideline on boards of 10x20, with or without hold, with any preview. The weights were
 * found for games against an opponent, where lines sent count (evaluate.h), not points.
 */
#ifndef TETROPT_PLAYER_BOT_AGENT_H
#define TETROPT_PLAYER_BOT_AGENT_H

#include "player/player.h"

extern const Agent bot_agent;

#endif
