/* Replays as JSON: a line a move, so that two replays can be compared with any tool. */
#include "base/options.h"
#include "io/eval_document.h"
#include "io/json.h"
#include "io/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLAY_FORMAT "tetropt replay"

static const char *word(const char *choices, int index, char *buffer, size_t bytes) {
    return options_choice_word(choices, index, buffer, bytes);
}

static json_t *rules_json(const Rules *rules) {
    char set[32], scoring[32];
    return json_pack("{s:s, s:s, s:b, s:b, s:b, s:i, s:i}", "set",
                     word(RULES_CHOICES, (int)rules->set, set, sizeof set), "scoring",
                     word(SCORING_CHOICES, (int)rules->scoring, scoring, sizeof scoring), "bonus",
                     (int)rules->bonus, "hold", (int)rules->hold, "rotate180",
                     (int)rules->rotate180, "width", (int)rules->width, "height",
                     (int)rules->height);
}

static json_t *seeds_json(const Replay *replay) {
    json_t *seeds = json_object();
    if (replay->pieces_seed.known)
        json_put(&seeds, "pieces", json_integer(replay->pieces_seed.value));
    if (replay->search_seed.known)
        json_put(&seeds, "search", json_integer(replay->search_seed.value));
    return seeds;
}

static json_t *pieces_json(const Replay *replay) {
    Text letters;
    text_init(&letters);
    for (size_t i = 0; i < replay->piece_count; i++)
        text_add_char(&letters, piece_letters[replay->pieces[i]]);
    json_t *string =
        letters.failed ? NULL : json_stringn(letters.data ? letters.data : "", letters.length);
    text_release(&letters);
    return string;
}

static json_t *keys_json(const Replay *replay, size_t first, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_add(&list, json_string(key_names[replay->keys[first + i]]));
    return list;
}

static json_t *move_json(const Replay *replay, const ReplayMove *move) {
    Placement at = move->placement;
    json_t *object = json_pack("{s:s#, s:i, s:i, s:s, s:b}", "piece", &piece_letters[at.piece], 1,
                               "x", (int)at.x, "y", (int)at.y, "rotation",
                               rotation_names[at.rotation], "hold", (int)move->hold);
    if (object && at.spin != SPIN_NONE)
        json_put(&object, "spin", json_string(spin_names[at.spin]));
    if (object && move->key_count)
        json_put(&object, "keys", keys_json(replay, move->first_key, move->key_count));
    return object;
}

static json_t *result_json(const ReplayResult *result) {
    return json_pack("{s:I, s:I, s:I, s:s}", "score", (json_int_t)result->score, "lines",
                     (json_int_t)result->lines, "pieces", (json_int_t)result->pieces, "over",
                     game_over_names[result->over]);
}

/* Adds a value and drops the reference to it. */
static void add_value(Text *text, const char *before, json_t *value, const char *after) {
    char *string = value ? json_write(value) : NULL;
    json_decref(value);
    if (string) {
        text_add(text, before);
        text_add(text, string);
        text_add(text, after);
    } else
        text->failed = true;
    free(string);
}

bool replay_write(const Replay *replay, Text *text, Status *status) {
    text_format(text, "{\"format\":\"%s\",\"version\":%d,\n", REPLAY_FORMAT, REPLAY_VERSION);
    add_value(text, "\"program\":", json_string(replay->program), ",\n");
    if (replay->title[0])
        add_value(text, "\"title\":", json_string(replay->title), ",\n");
    add_value(text, "\"rules\":", rules_json(&replay->rules), ",\n");
    add_value(text, "\"seeds\":", seeds_json(replay), ",\n");
    add_value(text, "\"board\":", eval_board_json(&replay->start), ",\n");
    add_value(text, "\"pieces\":", pieces_json(replay), ",\n\"moves\":[");
    for (size_t i = 0; i < replay->move_count; i++)
        add_value(text, i ? ",\n" : "\n", move_json(replay, &replay->moves[i]), "");
    text_add(text, "],\n");
    size_t rest = replay->key_count - replay->open_key;
    if (rest)
        add_value(text, "\"last_keys\":", keys_json(replay, replay->open_key, rest), ",\n");
    add_value(text, "\"result\":", result_json(&replay->result), "}\n");
    return (!text->failed && !replay->failed) || status_no_memory(status);
}
