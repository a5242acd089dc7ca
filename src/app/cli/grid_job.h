/*
 * grid_job: the commands of the program as a grid runs them: what a run names is set through the
 * command's own table of options, and the command's own code does the work.
 *
 * A key that is no option of the command is a parameter of its algorithm, agent or method; one that
 * is both is the option, and `param.KEY` is the parameter. Other options that take NAME=VALUE are
 * reached in the same way: `agent-param.KEY`.
 */
#ifndef TETROPT_CLI_GRID_JOB_H
#define TETROPT_CLI_GRID_JOB_H

#include "store/command.h"

extern const ExperimentCommands grid_job_commands;

#endif
