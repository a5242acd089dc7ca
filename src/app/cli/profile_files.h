/*
 * profile_files: the logs of stats/profile_logs as files in a directory, for `solve` and
 * `experiment export`.
 */
#ifndef TETROPT_CLI_PROFILE_FILES_H
#define TETROPT_CLI_PROFILE_FILES_H

#include "stats/profile_logs.h"

/* Makes the directory and what is in it; files that are there are replaced. */
bool profile_files_write(ProfileFormat format, const ProfileRun *runs, size_t count,
                         const char *folder, Arena *arena, Status *status);

/* The points of a run from the log that `solve` kept (cli/progress); they live in the arena. */
bool profile_files_points(const Text *log, ProfileRun *run, Arena *arena, Status *status);

#endif
