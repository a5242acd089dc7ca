/* api_replay: a saved game in one answer. */
#include "web/api_replay.h"

#include "base/json_writer.h"
#include "web/api.h"
#include "web/saved_game.h"

bool api_replay_read(const char *text, size_t length, Text *body, Status *status) {
    SavedGame *game = saved_game_new(text, length, status);
    if (!game)
        return false;
    int count = saved_game_count(game);
    bool ok = count <= API_MAX_FRAMES ||
              status_fail(status, STATUS_INPUT, "%d moves; an answer has at most %d", count,
                          API_MAX_FRAMES);
    if (ok) {
        JsonWriter w;
        jw_init(&w, body);
        jw_object(&w, NULL);
        saved_game_write(game, &w);
        saved_game_write_frames(game, &w, "frames", 0, count);
        jw_end(&w);
    }
    saved_game_free(game);
    return ok;
}
