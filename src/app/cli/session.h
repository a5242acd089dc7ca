/*
 * session: one interactive game on the terminal, from its first piece until the player leaves it.
 * `play` and `watch` differ in that the latter has a pilot. The terminal is open already.
 */
#ifndef TETROPT_CLI_SESSION_H
#define TETROPT_CLI_SESSION_H

#include "cli/keymap.h"
#include "cli/rival.h"
#include "live/pilot.h"
#include "term/play_view.h"

typedef enum SessionEnd {
    SESSION_QUIT,
    SESSION_AGAIN,  /* another game, please */
    SESSION_STOPPED /* a signal */
} SessionEnd;

enum { SESSION_END_LINES = 2, SESSION_LINE_BYTES = 40 };

typedef struct Session {
    Screen *screen;
    const Keymap *keymap;
    Live live;
    const char *mode;
    int next_count;
    PlayViewFact facts[2];
    Rival *rival;        /* of a race; NULL: none */
    Pilot *pilot;        /* NULL: a person plays */
    const char *weights; /* by which its placements are evaluated */
    bool piloted;        /* the pilot flies now */
    double speed;        /* 1: real time */
    bool flat_out;       /* as fast as it goes */
    bool leave_at_end;   /* do not wait for a key when the game is over */
    int countdown;       /* seconds before the game starts, and after a pause */
    /* Called once when the game is over; may fill in end_lines. */
    void (*ended)(void *context, struct Session *session);
    void *context;
    char end_lines[SESSION_END_LINES][SESSION_LINE_BYTES];
    /* Its own. */
    bool told_end;
    int64_t countdown_us; /* until the game runs */
    Thoughts thoughts;
    int64_t thought_pieces;
    int thought_piece;
} Session;

/* Plays until the player leaves or, with leave_at_end, until the game is over. The fields above
 * "Its own" are the caller's to fill; the others are zero. */
SessionEnd session_run(Session *session);

#endif
