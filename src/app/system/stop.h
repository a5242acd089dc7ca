/*
 * stop: Ctrl-C and termination signals as a flag that long computations check.
 *
 * The flag is a global because a signal handler has nothing else to write to. The library never
 * reads it by itself; commands pass its address on.
 */
#ifndef TETROPT_SYSTEM_STOP_H
#define TETROPT_SYSTEM_STOP_H

#include <stdatomic.h>

/* Makes SIGINT, SIGTERM and SIGHUP set the flag; a second one ends the process at once, as by
 * default. SIGHUP stays ignored where it was (nohup). SIGPIPE and SIGXFSZ are ignored, so that a
 * closed output and a file that may not grow are errors like any other. */
void stop_install(void);

/* Forgets a signal that was obeyed, for a program that continues after it (the menu). */
void stop_clear(void);

/* Becomes true after a signal. */
const atomic_bool *stop_flag(void);

#endif
