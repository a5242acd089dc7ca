/*
 * view: what of a game a player may see.
 *
 * The game draws its pieces further ahead than the preview shows. The watcher counts what was
 * visible so far; with pieces from bags that tells which can come next, as a person at the board
 * would know.
 */
#ifndef TETROPT_PLAYER_VIEW_H
#define TETROPT_PLAYER_VIEW_H

#include "player/player.h"

typedef struct Watcher {
    int preview;
    int64_t seen;   /* pieces that were visible so far */
    uint8_t unseen; /* as in AgentView */
} Watcher;

/* For a game that was just begun. */
void watcher_init(Watcher *watcher, int preview);

/* Counts the pieces that came into view: all that watcher_look does besides filling the view. */
void watcher_count(Watcher *watcher, const Game *game);

/* Fills the view of the present turn; `locks_left` goes into it. To be called at every turn of the
 * game, or pieces that came into view would not be counted. */
void watcher_look(Watcher *watcher, const Game *game, int64_t locks_left, AgentView *view);

#endif
