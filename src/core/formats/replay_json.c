/*
 * replay_json: replays as JSON, a line a move, so that two can be compared with any tool. Written
 * without a library, because the page writes them in the browser too.
 */
#include "base/json_text.h"
#include "base/options.h"
#include "formats/replay.h"

/* The member of a word in a list of choices. */
static void add_word(Text *text, bool more, const char *name, const char *choices, int index) {
    char word[32];
    json_text_name(text, more, name);
    json_text_string(text, options_choice_word(choices, index, word, sizeof word));
}

static void add_bool(Text *text, const char *name, bool value) {
    json_text_name(text, true, name);
    text_add(text, value ? "true" : "false");
}

static void add_number(Text *text, bool more, const char *name, int64_t value) {
    json_text_name(text, more, name);
    text_format(text, "%lld", (long long)value);
}

static void add_rules(const Rules *rules, Text *text) {
    text_add_char(text, '{');
    add_word(text, false, "set", RULES_CHOICES, (int)rules->set);
    add_word(text, true, "scoring", SCORING_CHOICES, (int)rules->scoring);
    add_bool(text, "bonus", rules->bonus);
    add_bool(text, "hold", rules->hold);
    add_bool(text, "rotate180", rules->rotate180);
    add_number(text, true, "width", rules->width);
    add_number(text, true, "height", rules->height);
    text_add_char(text, '}');
}

static void add_seeds(const Replay *replay, Text *text) {
    text_add_char(text, '{');
    if (replay->pieces_seed.known)
        add_number(text, false, "pieces", replay->pieces_seed.value);
    if (replay->search_seed.known)
        add_number(text, replay->pieces_seed.known, "search", replay->search_seed.value);
    text_add_char(text, '}');
}

static void add_pieces(const Replay *replay, Text *text) {
    text_add_char(text, '"');
    for (size_t i = 0; i < replay->piece_count; i++)
        text_add_char(text, piece_letters[replay->pieces[i]]);
    text_add_char(text, '"');
}

static void add_keys(const Replay *replay, size_t first, size_t count, Text *text) {
    text_add_char(text, '[');
    for (size_t i = 0; i < count; i++)
        text_format(text, "%s\"%s\"", i ? "," : "", key_names[replay->keys[first + i]]);
    text_add_char(text, ']');
}

/* Of keys without end only a hold says something of the result: it may have ended the game. */
static void add_last_keys(const Replay *replay, Text *text) {
    size_t count = replay->key_count - replay->open_key;
    if (count > 0 && count <= REPLAY_MAX_KEYS) {
        text_add(text, "\"last_keys\":");
        add_keys(replay, replay->open_key, count, text);
        text_add(text, ",\n");
    } else if (count > 0 && replay->open_hold)
        text_format(text, "\"last_keys\":[\"%s\"],\n", key_names[KEY_HOLD]);
}

static void add_move(const Replay *replay, const ReplayMove *move, Text *text) {
    Placement at = move->placement;
    text_format(text, "{\"piece\":\"%c\",\"x\":%d,\"y\":%d,\"rotation\":\"%s\"",
                piece_letters[at.piece], at.x, at.y, rotation_names[at.rotation]);
    add_bool(text, "hold", move->hold);
    if (at.spin != SPIN_NONE)
        text_format(text, ",\"spin\":\"%s\"", spin_names[at.spin]);
    if (move->key_count) {
        json_text_name(text, true, "keys");
        add_keys(replay, move->first_key, move->key_count, text);
    }
    text_add_char(text, '}');
}

static void add_result(const ReplayResult *result, Text *text) {
    text_add_char(text, '{');
    add_number(text, false, "score", result->score);
    add_number(text, true, "lines", result->lines);
    add_number(text, true, "pieces", result->pieces);
    text_format(text, ",\"over\":\"%s\"}", game_over_names[result->over]);
}

bool replay_write(const Replay *replay, Text *text, Status *status) {
    text_format(text, "{\"format\":\"%s\",\"version\":%d,\n\"program\":", REPLAY_FORMAT,
                REPLAY_VERSION);
    json_text_string(text, replay->program);
    if (replay->title[0]) {
        text_add(text, ",\n\"title\":");
        json_text_string(text, replay->title);
    }
    text_add(text, ",\n\"rules\":");
    add_rules(&replay->rules, text);
    text_add(text, ",\n\"seeds\":");
    add_seeds(replay, text);
    text_add(text, ",\n\"board\":");
    json_text_rows(text, &replay->start, grid_highest(&replay->start));
    text_add(text, ",\n\"pieces\":");
    add_pieces(replay, text);
    text_add(text, ",\n\"moves\":[");
    for (size_t i = 0; i < replay->move_count; i++) {
        text_add(text, i ? ",\n" : "\n");
        add_move(replay, &replay->moves[i], text);
    }
    text_add(text, "],\n");
    add_last_keys(replay, text);
    text_add(text, "\"result\":");
    add_result(&replay->result, text);
    text_add(text, "}\n");
    return (!text->failed && !replay->failed) || status_no_memory(status);
}
