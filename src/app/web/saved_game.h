/*
 * saved_game: a replay or a fumen, opened to be shown move by move as JSON.
 *
 * A game is played again by the rules, so what is shown did happen. A fumen whose pages are not a
 * game is shown page by page. Frames are written in parts, because a game has up to
 * REPLAY_MAX_MOVES of them. The browser runs this too (browser.c).
 */
#ifndef TETROPT_WEB_SAVED_GAME_H
#define TETROPT_WEB_SAVED_GAME_H

#include "base/status.h"

#include <stddef.h>

typedef struct JsonWriter JsonWriter;
typedef struct SavedGame SavedGame;

/* Opens a replay (JSON) or a fumen; the text ends with a NUL. NULL with `status`: neither, or it
 * does not follow the rules. */
SavedGame *saved_game_new(const char *text, size_t length, Status *status);
void saved_game_free(SavedGame *game);

/* Frames: moves, or pages of a fumen that is not a game. */
int saved_game_count(const SavedGame *game);

/* Writes the members title, width, height, start, count (of frames), rows (that all frames fit in),
 * fumen and result; the last two are null where there is none. A game also has pieces, held
 * and holds (web/frames.h). */
void saved_game_write(const SavedGame *game, JsonWriter *w);

/* Writes an array of `count` frames from `first` on (web/frames.h); a page has a comment. */
void saved_game_write_frames(const SavedGame *game, JsonWriter *w, const char *name, int first,
                             int count);

#endif
