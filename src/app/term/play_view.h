/*
 * play_view: a live game on a screen: the field with ghost piece, hold, the next pieces, the
 * numbers, and beside it the evaluation of an agent. 80x24 is enough for a usual game; wider boards
 * get narrower cells, taller ones show the part that the piece is in.
 */
#ifndef TETROPT_TERM_PLAY_VIEW_H
#define TETROPT_TERM_PLAY_VIEW_H

#include "live/live.h"
#include "live/pilot.h"
#include "live/thoughts.h"
#include "term/screen.h"

enum { PLAY_VIEW_LINES = 8, PLAY_VIEW_NEXT = 5, PLAY_VIEW_NOTES = 18 };

/* Numbers under the score that not every game has. */
typedef struct PlayViewFact {
    const char *label; /* at most 6 characters; NULL: none */
    char value[24];
} PlayViewFact;

typedef struct PlayView {
    const Live *live;
    const char *mode;  /* "marathon", "sprint 40", the agent */
    const char *state; /* player, speed, the last clear; may be NULL */
    const char *more;  /* a second line of it; may be NULL */
    const char *hints; /* the last line: the keys */
    int next_count;    /* next pieces to show, at most PLAY_VIEW_NEXT */
    PlayViewFact facts[2];
    const char *box[PLAY_VIEW_LINES]; /* over the field; NULL ends them, none: no box */
    const Live *rival;                /* a second board beside it; NULL: none */
    const Thoughts *thoughts;         /* NULL: no panel */
    const Evaluator *evaluator;       /* of the thoughts */
    const char *weights;              /* its name */
    PilotGoal goal;
    Thought goal_thought;                   /* about the goal, where that is known */
    const Placement *ghost;                 /* where the piece will go; NULL: where it would fall */
    bool no_time;                           /* it was not measured */
    bool hidden;                            /* no cells, hold and next pieces: a pause */
    const char *notes[PLAY_VIEW_NOTES + 1]; /* in place of thoughts; NULL ends them */
} PlayView;

/* Draws all of it. False when the screen is too small, which it then says. */
bool play_view_draw(const PlayView *view, Screen *screen);

/* "12:34.5" */
void play_view_time(int64_t microseconds, char *text, size_t bytes);

#endif
