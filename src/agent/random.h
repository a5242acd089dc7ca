/* random: random legal key presses; under `drop` a random rotation and column. */
#ifndef TETROPT_AGENT_RANDOM_H
#define TETROPT_AGENT_RANDOM_H

#include "agent/agent.h"

extern const Agent random_agent;

#endif
