/*
 * terminal: a screen on a real terminal, and the keys that are pressed there.
 *
 * This is the only file that includes ncurses; its header has neither its names nor its macros
 * (which would collide with those of the engine). A process has one terminal, and signal handlers
 * must reach its state: this is one of the few mutable globals (docs/ARCHITECTURE.md names them
 * all).
 *
 * The terminal is restored by terminal_close, when a signal ends the program
 * (SIGINT, SIGTERM, SIGHUP, SIGQUIT set a flag; a second one ends it at once), when it is suspended
 * (SIGTSTP), and even when it crashes (SIGSEGV and the like write the closing sequence and end the
 * program).
 */
#ifndef TETROPT_TERM_TERMINAL_H
#define TETROPT_TERM_TERMINAL_H

#include "term/screen.h"

typedef struct TerminalOptions {
    bool color; /* colours are wanted; the terminal says how many there are */
    bool ascii; /* only ASCII, in any locale */
} TerminalOptions;

/* Keys that are not characters; characters are their code points. */
typedef enum TerminalKey {
    TERMINAL_NONE = 0, /* none within the time */
    TERMINAL_TAB = 9,
    TERMINAL_ENTER = 10,
    TERMINAL_ESCAPE = 27,
    TERMINAL_SPACE = 32,
    TERMINAL_BACKSPACE = 127,
    TERMINAL_UP = 0x110000,
    TERMINAL_DOWN,
    TERMINAL_LEFT,
    TERMINAL_RIGHT,
    TERMINAL_HOME,
    TERMINAL_END,
    TERMINAL_PAGE_UP,
    TERMINAL_PAGE_DOWN,
    TERMINAL_RESIZED, /* or continued after it was suspended: draw again */
    TERMINAL_STOPPED  /* a signal asks to end */
} TerminalKey;

/* True when this build has terminals and standard input and output are one. */
bool terminal_available(void);

/* Takes the terminal over and sets up `screen` in its size. Fails with a message that begins with
 * `who` when there is none, when it cannot move its cursor, or in a build without ncurses. */
bool terminal_open(const char *who, TerminalOptions options, Screen *screen, Status *status);

/* Restores it. May be called more than once. */
void terminal_close(void);

/* Shows the screen; only what changed is sent. */
void terminal_show(const Screen *screen);

/* The next key, after at most `milliseconds` (-1: wait). After TERMINAL_RESIZED the screen has the
 * new size and is blank. TERMINAL_STOPPED also when the terminal is gone. */
int terminal_key(Screen *screen, int milliseconds);

#endif
