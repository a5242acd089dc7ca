/* config: options from an INI file, a section a command. */
#ifndef TETROPT_CLI_CONFIG_H
#define TETROPT_CLI_CONFIG_H

#include "base/options.h"

/* Sets the options of section `command` from the file; other sections must be commands too. Unknown
 * keys are errors and named with file and line. Returns the memory that the values live in, to be
 * freed after the settings; NULL with `status` on failure. */
char *config_read(const char *path, const char *command, OptionTable options, void *settings,
                  OptionsGiven *given, Status *status);

#endif
