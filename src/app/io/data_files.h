/*
 * data_files: where the program keeps files of the user that no option names: high scores and
 * weights that were trained from the menu.
 */
#ifndef TETROPT_IO_DATA_FILES_H
#define TETROPT_IO_DATA_FILES_H

#include "base/status.h"

/* $XDG_DATA_HOME/tetropt/NAME, or under ~/.local/share; to be freed. NULL when neither
 * XDG_DATA_HOME nor HOME says where. */
char *data_file(const char *name);

/* Creates every directory on the way to the file. */
bool data_file_directories(const char *path, Status *status);

#endif
