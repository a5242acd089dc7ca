/*
 * child: another program that is talked to line by line (base/child.h).
 *
 * The command is run by /bin/sh in a process group of its own; its standard input and output are
 * one socket, its standard error is ours. Nothing here waits without a limit: a child that does not
 * read, does not answer, answers without end or ignores the end of its input is killed, with
 * everything it started. `end` leaves no process behind.
 */
#ifndef TETROPT_SYSTEM_CHILD_H
#define TETROPT_SYSTEM_CHILD_H

#include "base/child.h"

extern const ChildHost child_host;

#endif
