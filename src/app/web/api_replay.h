/* api_replay: saved games and fumens as JSON, for programs that use the HTTP API. */
#ifndef TETROPT_WEB_API_REPLAY_H
#define TETROPT_WEB_API_REPLAY_H

#include "base/status.h"
#include "base/text.h"

/* Reads a replay (JSON) or a fumen, plays it by the rules and adds an object to `body`: the members
 * of saved_game_write, and "frames", all of them. False with `status`: it cannot be opened
 * (web/saved_game.h), or has more than API_MAX_FRAMES. */
bool api_replay_read(const char *text, size_t length, Text *body, Status *status);

#endif
