/* hill: the best of all drops of the current piece, ties at random. */
#ifndef TETROPT_AGENT_HILL_H
#define TETROPT_AGENT_HILL_H

#include "agent/agent.h"

extern const Agent hill_agent;

#endif
