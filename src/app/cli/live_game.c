/* live_game: the replay and the result of a game at the terminal. */
#include "cli/live_game.h"

#include "base/json_writer.h"
#include "system/file.h"
#include "term/play_view.h"

#include <stdio.h>

static bool press(void *context, Game *game, Key key) {
    LiveRecord *record = context;
    return replay_press(&record->replay, game, key);
}

static void place(void *context, Game *game, Placement placement) {
    LiveRecord *record = context;
    replay_place(&record->replay, game, false, placement);
}

static void rise(void *context, Game *game, const uint8_t *holes, int count) {
    LiveRecord *record = context;
    replay_rise(&record->replay, game, holes, count);
}

static void locked(void *context, Live *live) {
    LiveRecord *record = context;
    race_locked(record->side, live);
}

void live_record_begin(LiveRecord *record, bool on, Live *live, const char *title, uint64_t seed,
                       RaceSide *side) {
    record->on = on;
    record->side = side;
    live->hooks = (LiveHooks){.locked = side ? locked : NULL, .context = record};
    if (!on)
        return;
    Replay *replay = &record->replay;
    replay_record(replay, &live->game, &live->grid);
    if (live->game.randomizer.kind != RANDOMIZER_LIST && seed <= INT64_MAX)
        replay->pieces_seed = (ReplaySeed){true, (int64_t)seed};
    if (title)
        snprintf(replay->title, sizeof replay->title, "%s", title);
    live->hooks.press = press;
    live->hooks.place = place;
    live->hooks.rise = rise;
}

bool live_record_save(LiveRecord *record, const Live *live, const char *path, Status *status) {
    if (!record->on)
        return true;
    Text text = {0};
    replay_finish(&record->replay, &live->game);
    bool ok = replay_write(&record->replay, &text, status) &&
              file_replace(path, text.data, text.length, status);
    text_release(&text);
    return ok;
}

void live_record_release(LiveRecord *record) {
    if (record->on)
        replay_release(&record->replay);
    record->on = false;
}

bool live_game_print(const CliCommon *common, const char *mode, const Live *live, uint64_t seed,
                     int rank, Status *status) {
    const Game *game = &live->game;
    if (common->json) {
        JsonWriter w;
        jw_start(&w);
        jw_put(&w, JS("mode", mode), JI("seed", (int64_t)seed), JI("score", live_score(live)),
               JI("lines", game->lines), JI("pieces", game->pieces), JI("level", live_level(live)),
               JS("over", game_over_names[game->over]), JB("finished", live->end != LIVE_RUNNING),
               JI("time_ms", (int64_t)(live->time_us / 1000)));
        if (rank >= 0)
            jw_integer(&w, "rank", rank + 1);
        else
            jw_null(&w, "rank");
        return cli_print_json(&w, status);
    }
    char time[32], place_text[48] = "";
    play_view_time(live->time_us, time, sizeof time);
    if (rank >= 0)
        snprintf(place_text, sizeof place_text, ", number %d of your games", rank + 1);
    printf("%s, seed %llu: score %lld, %lld line%s, %lld piece%s, level %lld, %s%s\n", mode,
           (unsigned long long)seed, (long long)live_score(live), (long long)game->lines,
           cli_plural(game->lines), (long long)game->pieces, cli_plural(game->pieces),
           (long long)live_level(live), time, place_text);
    return true;
}
