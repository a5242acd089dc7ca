/* config: options from an INI file, one section per command. */
#ifndef TETROPT_CLI_CONFIG_H
#define TETROPT_CLI_CONFIG_H

#include "cli/cli.h"

/* Sets the options of the context's command from its section. Those that are not for the
 * `subcommand` (NULL: it has none) and the other sections, which must be commands too, are only
 * checked. Messages name file and line. */
bool config_read(const char *path, const char *subcommand, CliContext *context, Status *status);

#endif
