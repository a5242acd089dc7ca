/*
 * match_state: settings are compared as text, member by member; a game is an array of numbers, in
 * the order of `fields`.
 */
#include "job/match_state.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define STATE_FORMAT "tetropt match"

enum { STATE_VERSION = 1 };

/* The numbers of a side that a document can show. */
static const size_t fields[] = {
    offsetof(DuelSide, pieces),         offsetof(DuelSide, lines),
    offsetof(DuelSide, attack),         offsetof(DuelSide, sent),
    offsetof(DuelSide, received),       offsetof(DuelSide, clears[0]),
    offsetof(DuelSide, clears[1]),      offsetof(DuelSide, clears[2]),
    offsetof(DuelSide, clears[3]),      offsetof(DuelSide, spins[0]),
    offsetof(DuelSide, spins[1]),       offsetof(DuelSide, spins[2]),
    offsetof(DuelSide, perfect_clears), offsetof(DuelSide, longest_combo),
    offsetof(DuelSide, back_to_backs),  offsetof(DuelSide, frames)};

enum { FIELDS = sizeof fields / sizeof *fields };

/* What a number may be, so that sums over all games that fit a file stay within 64 bits. */
static int64_t most_of(size_t field) {
    return field == offsetof(DuelSide, frames) ? (int64_t)1 << 40 : INT32_MAX;
}

/* What a match must have in common with the one that it continues. */
static void write_settings(const MatchRun *run, JsonWriter *json) {
    const MatchTask *task = &run->task;
    jw_array(json, "players");
    for (int i = 0; i < run->count; i++)
        jw_string(json, NULL, run->names[i]);
    jw_end(json);
    jw_object(json, "rules");
    match_rules_write(&task->rules, json);
    jw_end(json);
    jw_put(json, JI("timing", (int)task->timing), JI("preview", run->setups[0].preview),
           JI("max_pieces", task->max_pieces), JB("gauntlet", task->gauntlet),
           JI("moves", rules_moves(&run->setups[0].made_for.rules)));
    if (run->move_time > 0)
        jw_integer(json, "move_time", run->move_time);
}

static void write_side(JsonWriter *json, const DuelSide *side) {
    jw_object(json, NULL);
    jw_array(json, "n");
    for (int i = 0; i < FIELDS; i++)
        jw_integer(json, NULL, *(const int64_t *)((const char *)side + fields[i]));
    jw_end(json);
    if (side->reason[0])
        jw_put(json, JI("over", side->over), JB("fault", side->fault), JS("reason", side->reason));
    jw_end(json);
}

bool match_state_write(const MatchRun *run, Text *text) {
    JsonWriter json;
    jw_init(&json, text);
    jw_object(&json, NULL);
    jw_put(&json, JS("format", STATE_FORMAT), JI("version", STATE_VERSION),
           JI("seed", (int64_t)run->task.seed));
    jw_object(&json, "settings");
    write_settings(run, &json);
    jw_end(&json);
    jw_array(&json, "games");
    for (int64_t i = 0; i < run->match->game_count; i++) {
        const DuelResult *result = atomic_load(&run->match->games[i]);
        if (!result)
            continue;
        text_add_char(text, json.comma ? ',' : '\n'); /* one line per game */
        if (json.comma)
            text_add_char(text, '\n');
        json.comma = false;
        jw_object(&json, NULL);
        jw_put(&json, JI("game", i), JI("winner", result->winner));
        jw_array(&json, "sides");
        for (int s = 0; s < DUEL_SIDES; s++)
            write_side(&json, &result->sides[s]);
        jw_end(&json);
        jw_end(&json);
    }
    jw_end(&json);
    jw_end(&json);
    text_add_char(text, '\n');
    return !text->failed;
}

/* Fails with the first setting that differs, or without memory. */
static bool same_settings(const MatchRun *run, const Json *saved, Status *status) {
    JsonWriter json;
    jw_start(&json);
    write_settings(run, &json);
    jw_end(&json);
    Json *own = json.own.failed ? NULL : json_parse(json.own.data, json.own.length, status);
    const char *found = NULL;
    bool memory = own != NULL;
    static const char *const names[] = {"players",    "rules",    "timing", "preview",
                                        "max_pieces", "gauntlet", "moves",  "move_time"};
    for (size_t i = 0; memory && !found && i < sizeof names / sizeof *names; i++) {
        Text a = {0}, b = {0};
        JsonWriter w;
        jw_init(&w, &a);
        jw_json(&w, NULL, json_get(own, names[i]));
        jw_init(&w, &b);
        jw_json(&w, NULL, json_get(saved, names[i]));
        memory = !a.failed && !b.failed;
        if (memory && strcmp(a.data, b.data) != 0)
            found = names[i];
        text_release(&a);
        text_release(&b);
    }
    json_free(own);
    text_release(&json.own);
    if (!memory)
        return status_no_memory(status);
    return !found || status_fail(status, STATUS_INPUT, "the saved match had other %s", found);
}

Json *match_state_parse(MatchRun *run, bool seed_given, const char *text, Status *status) {
    Json *state = json_parse(text, strlen(text), status);
    if (!state)
        return NULL;
    const char *format = json_text(json_get(state, "format"));
    const Json *seed = json_get(state, "seed");
    bool ok = format && strcmp(format, STATE_FORMAT) == 0 && json_is_integer(seed) &&
              json_int(seed) >= 0 && json_int(json_get(state, "version")) == STATE_VERSION;
    ok = ok || status_fail(status, STATUS_INPUT, "not the state of a match");
    ok = ok && same_settings(run, json_get(state, "settings"), status);
    if (ok && seed_given && (uint64_t)json_int(seed) != run->task.seed)
        ok = status_fail(status, STATUS_INPUT, "the saved match had seed %lld",
                         (long long)json_int(seed));
    if (ok) {
        run->task.seed = (uint64_t)json_int(seed);
        return state;
    }
    json_free(state);
    return NULL;
}

static bool read_side(const Json *object, DuelSide *side) {
    const Json *numbers = json_get(object, "n");
    if (json_count(numbers) != FIELDS)
        return false;
    for (int i = 0; i < FIELDS; i++) {
        const Json *number = json_at(numbers, (size_t)i);
        if (!json_is_integer(number) || json_int(number) < 0 ||
            json_int(number) > most_of(fields[i]))
            return false;
        *(int64_t *)((char *)side + fields[i]) = json_int(number);
    }
    int64_t over = json_int(json_get(object, "over"));
    side->fault = json_is_true(json_get(object, "fault"));
    const char *reason = json_text(json_get(object, "reason"));
    snprintf(side->reason, sizeof side->reason, "%s", reason ? reason : "");
    side->over = (uint8_t)over;
    return over >= OVER_NOT && over <= OVER_GARBAGE;
}

bool match_state_load(MatchRun *run, const Json *state, Status *status) {
    const Json *games = json_get(state, "games");
    for (size_t i = 0; i < json_count(games); i++) {
        const Json *game = json_at(games, i), *sides = json_get(game, "sides");
        int64_t number = json_int(json_get(game, "game"));
        const Json *winner = json_get(game, "winner");
        DuelResult result = {.winner = (int)json_int(winner)};
        bool ok = json_is_integer(winner) && json_int(winner) >= -1 && json_int(winner) <= 1 &&
                  number >= 0 && json_count(sides) == DUEL_SIDES;
        for (int s = 0; ok && s < DUEL_SIDES; s++)
            ok = read_side(json_at(sides, (size_t)s), &result.sides[s]);
        if (!ok)
            return status_fail(status, STATUS_INPUT, "games[%zu]: not a game", i);
        if (number >= run->match->game_count) /* a shorter match this time */
            continue;
        if (atomic_load(&run->match->games[number]))
            return status_fail(status, STATUS_INPUT, "games[%zu]: the game is there twice", i);
        if (!match_put(run->match, number, &result))
            return status_no_memory(status);
    }
    return true;
}
