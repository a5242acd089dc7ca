/*
 * agent_file: shared objects as agents (TETROPT_AGENT_DEFINE in include/tetropt.h).
 *
 * Only front ends whose users have files load them: the command line and grids, never HTTP. A
 * loaded file stays until the process ends.
 */
#ifndef TETROPT_IO_AGENT_FILE_H
#define TETROPT_IO_AGENT_FILE_H

#include "base/status.h"

/* True when the value of an option for an agent names a shared object. */
bool agent_file_is(const char *value);

/* Loads it and makes its agent known. The name of the agent, to be freed; NULL with `status`. */
char *agent_file_load(const char *path, Status *status);

#endif
