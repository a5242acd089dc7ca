/*
 * files: checks, before a command begins, that no file it writes is also read or written otherwise.
 *
 * One rule for all commands: what is written names no other file that the command reads or writes,
 * nor the file that standard input, output or error is. A file that does not exist yet is compared
 * by its name, one that does by what it is, whatever it is called.
 */
#ifndef TETROPT_CLI_FILES_H
#define TETROPT_CLI_FILES_H

#include "cli/cli.h"

/* A file that no option names. */
typedef struct CliFile {
    const char *label; /* how messages call it */
    const char *path;
    OptionFile use;
} CliFile;

/* Looks at all options of the command whose rows say that they name a file, its word when that is
 * one, and `more`. Also rejects empty names, - where it is neither standard input nor output, and
 * what cannot be written. main does it for all commands except those that several processes may
 * share. */
bool cli_files_check(const CliContext *context, const CliFile *more, size_t count, Status *status);

#endif
