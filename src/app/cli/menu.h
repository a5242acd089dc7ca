/* menu: the menu that `tetropt` without arguments shows on a terminal. */
#ifndef TETROPT_CLI_MENU_H
#define TETROPT_CLI_MENU_H

#include "cli/cli.h"

/* Runs a command with its arguments, as from the command line. */
typedef StatusCode MenuRun(const Command *command, int count, char **arguments, Status *status);

/* Shows the menu, runs what is chosen, and shows it again after a game, until the user leaves;
 * *code is that of what ran last. False when the terminal cannot show it, with `status`. */
bool menu_run(MenuRun *run, StatusCode *code, Status *status);

#endif
