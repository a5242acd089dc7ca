/* config: options from an INI file, a section a command. */
#ifndef TETROPT_CLI_CONFIG_H
#define TETROPT_CLI_CONFIG_H

#include "cli/cli.h"

/* Sets the options of `command` from its section; the other sections must be commands too and are
 * checked as well. What is wrong is named with file and line. Returns the memory that the values
 * live in, to be freed after the settings; NULL with `status` on failure. */
char *config_read(const char *path, const Command *command, void *settings, OptionsGiven *given,
                  Status *status);

#endif
