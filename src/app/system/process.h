/*
 * process: identifies this process, and tells whether another one is still running.
 *
 * A process number is not enough: it is reused, and two containers can both have a 7. With the
 * moment at which the process started, the boot of the machine and the space of process numbers it
 * is unmistakable. Where these are unknown (without /proc), `machine` is empty and no process is
 * declared dead.
 */
#ifndef TETROPT_SYSTEM_PROCESS_H
#define TETROPT_SYSTEM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROCESS_TEXT_BYTES = 160 };

typedef struct Process {
    char host[PROCESS_TEXT_BYTES]; /* for display */
    /* The same where process numbers mean the same; "": unknown. */
    char machine[PROCESS_TEXT_BYTES];
    int64_t number, start;
} Process;

void process_self(Process *process);

/* False when the process that had this number and start on this machine has ended. */
bool process_lives(int64_t number, int64_t start);

#endif
