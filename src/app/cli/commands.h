/* commands: the list of commands, in the order of the help. Adding one takes a source file
 * cmd_NAME.c and a name in COMMAND_LIST. */
#ifndef TETROPT_CLI_COMMANDS_H
#define TETROPT_CLI_COMMANDS_H

#include "cli/cli.h"

/* clang-format off */
#define COMMAND_LIST(X) \
    X(solve) X(eval) X(simulate) X(match) X(train) X(tune) X(clears) X(experiment) X(report) \
    X(reproduce) X(instances) X(play) X(watch) X(replay) X(serve) X(tbp) X(perft) X(bench) \
    X(pieces) X(demo)
/* clang-format on */

#define COMMAND_DECLARE(name_) extern const Command cmd_##name_;
COMMAND_LIST(COMMAND_DECLARE)

#endif
