/* api_replay: saved games and fumens as JSON for the web UI. */
#ifndef TETROPT_WEB_API_REPLAY_H
#define TETROPT_WEB_API_REPLAY_H

#include "base/status.h"
#include "base/text.h"

/* Reads a replay (JSON) or a fumen, plays it by the rules and adds an object to `body`: title,
 * width, height, start, frames (web/frames), result, keys (per move), fumen. A fumen whose pages
 * are not a game gives its pages as frames instead, with their comments. False with `status`
 * otherwise. */
bool api_replay_read(const char *text, size_t length, Text *body, Status *status);

#endif
