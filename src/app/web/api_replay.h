/* api_replay: a saved game or a fumen as something that a page can show. */
#ifndef TETROPT_WEB_API_REPLAY_H
#define TETROPT_WEB_API_REPLAY_H

#include "io/json.h"

/* Reads a replay (JSON) or a fumen, plays it by the rules and gives a new object: title, width,
 * height, start, frames (web/frames), result, keys (a move), fumen. A fumen whose pages are no game
 * gives its pages as frames instead, with their comments. NULL with `status` otherwise. */
json_t *api_replay_read(const char *text, size_t length, Status *status);

#endif
