/* registry: the list of agents. Adding one takes a source file and a name in AGENT_LIST. */
#ifndef TETROPT_PLAYER_REGISTRY_H
#define TETROPT_PLAYER_REGISTRY_H

#include "player/player.h"

/* Every agent, in the order in which they are listed. */
/* clang-format off */
#define AGENT_LIST(X) \
    X(random) X(bees) X(hill) X(anneal) X(genetic) X(weighted) X(lookahead) X(beam) \
    X(dellacherie) X(el_tetris) X(cma_dellacherie) X(bcts) X(dt10) X(dt20) X(surface) \
    X(dt20_next) X(surface_next) \
    X(bot)
/* clang-format on */

#define AGENT_DECLARE(name_) extern const Agent name_##_agent;
AGENT_LIST(AGENT_DECLARE)

/* Adds an agent of a user for as long as the process lives, with the set of weights that it takes
 * by default (NULL: it takes none); neither is copied. Adding the same one again does nothing.
 * Fails when the name is taken or invalid, and after AGENT_ADDED_MAX. */
enum { AGENT_ADDED_MAX = EVALUATOR_ADDED_MAX };
bool agent_add(const Agent *agent, const EvaluatorPreset *weights, Status *status);

/* The number of agents, and the one at `index`. */
int agent_count(void);
const Agent *agent_at(int index);

/* The agent called `name`, or NULL. */
const Agent *agent_find(const char *name);

/* Fails, with a message that says why, when the agent cannot play by these rules with that many
 * visible pieces. */
bool agent_check(const Agent *agent, const Rules *rules, int preview, Status *status);

#endif
