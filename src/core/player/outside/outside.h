/*
 * outside: any program as a player.
 *
 * The name of such an agent says how to run it: `tbp:COMMAND` is a bot that speaks the Tetris Bot
 * Protocol, `lines:COMMAND` a program that reads one position per line and answers one placement
 * per line. Parameters stand before the colon: `tbp?think=100:COMMAND`. Each player is a process of
 * its own, so there is one per thread.
 *
 * An agent must be added before it can be found. Only front ends whose users may run programs do
 * that (the command line and grids with any command; the server with those of its own command line
 * only), and they bring the means to run it (base/child.h). So a name from elsewhere is never run.
 *
 * A program that does not answer in time, ends, answers garbage or an illegal move loses the game
 * with a reason (Agent.fault) and is started again for the next one.
 */
#ifndef TETROPT_PLAYER_OUTSIDE_OUTSIDE_H
#define TETROPT_PLAYER_OUTSIDE_OUTSIDE_H

#include "base/child.h"
#include "player/player.h"

enum { OUTSIDE_NAME_BYTES = 256 };

/* True when the name of an agent has the form of an outside player. */
bool outside_is(const char *name);

/* Makes the agent of that name known; `host` must live on. Adding one again does nothing. */
bool outside_add(const char *name, const ChildHost *host, Status *status);

/* Copies the parameters of a name ("think=100&grace=50", or "") to `text`, of OUTSIDE_NAME_BYTES.
 */
void outside_query(const char *name, char *text);

/* The parameters of every outside player. */
extern const OptionTable outside_parameters;

#endif
