/*
 * run_job: runs of a grid as questions to jobs (job/job.h).
 *
 * A key of a grid is an option of the job, or a parameter of its algorithm, agent or method; one
 * that is both is the option, and `param.KEY` is the parameter. Other lists of NAME=VALUE are
 * reached in the same way: `agent-param.KEY`. Options that name files take paths.
 */
#ifndef TETROPT_STORE_RUN_JOB_H
#define TETROPT_STORE_RUN_JOB_H

#include "store/command.h"

extern const ExperimentCommands run_job_commands;

#endif
