/* registry: the list of agents. Adding one takes a file pair and a line in registry.c. */
#ifndef TETROPT_PLAYER_REGISTRY_H
#define TETROPT_PLAYER_REGISTRY_H

#include "player/player.h"

/* The number of agents, and the one at `index`. */
int agent_count(void);
const Agent *agent_at(int index);

/* The agent called `name`, or NULL. */
const Agent *agent_find(const char *name);

/* Fails, with a message that says why, when the agent cannot play by these rules with that many
 * visible pieces. */
bool agent_check(const Agent *agent, const Rules *rules, int preview, Status *status);

#endif
