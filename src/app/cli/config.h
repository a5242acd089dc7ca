/* config: options from an INI file, one section per command. */
#ifndef TETROPT_CLI_CONFIG_H
#define TETROPT_CLI_CONFIG_H

#include "cli/cli.h"

/* Sets the options of the context's command from its section; the other sections must be commands
 * too and are checked as well. Messages name file and line. */
bool config_read(const char *path, CliContext *context, Status *status);

#endif
