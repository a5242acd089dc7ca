/*
 * replay_json: replays as JSON, one line per move, so that two can be compared with any tool. The
 * web UI writes them in the browser too.
 */
#include "base/options.h"
#include "formats/document.h"
#include "formats/replay.h"

/* Begins a line: the next value comes behind the comma, which stays on the line before. */
static void new_line(JsonWriter *w) {
    if (w->comma)
        text_add_char(w->text, ',');
    text_add_char(w->text, '\n');
    w->comma = false;
}

/* The member of a word in a list of choices. */
static void write_word(JsonWriter *w, const char *name, const char *choices, int index) {
    char word[32];
    jw_string(w, name, options_choice_word(choices, index, word, sizeof word));
}

static void write_rules(JsonWriter *w, const Rules *rules) {
    jw_object(w, "rules");
    write_word(w, "set", RULES_CHOICES, (int)rules->set);
    write_word(w, "scoring", SCORING_CHOICES, (int)rules->scoring);
    jw_put(w, JB("bonus", rules->bonus), JB("hold", rules->hold), JB("rotate180", rules->rotate180),
           JI("width", rules->width), JI("height", rules->height));
    if (rules->kicks != KICKS_SRS)
        write_word(w, "kicks", KICKS_CHOICES, (int)rules->kicks);
    if (rules->all_spin)
        write_word(w, "spins", SPINS_CHOICES, 1);
    jw_end(w);
}

static void write_keys(JsonWriter *w, const char *name, const uint8_t *keys, size_t count) {
    jw_array(w, name);
    for (size_t i = 0; i < count; i++)
        jw_string(w, NULL, key_names[keys[i]]);
    jw_end(w);
}

/* Of unlimited keys only a hold says something about the result: it may have ended the game. */
static void write_last_keys(JsonWriter *w, const Replay *replay) {
    size_t count = replay->key_count - replay->open_key;
    uint8_t hold = KEY_HOLD;
    if (count > 0 && count <= REPLAY_MAX_KEYS) {
        new_line(w);
        write_keys(w, "last_keys", replay->keys + replay->open_key, count);
    } else if (count > 0 && replay->open_hold) {
        new_line(w);
        write_keys(w, "last_keys", &hold, 1);
    }
}

static void write_move(JsonWriter *w, const Replay *replay, const ReplayMove *move) {
    Placement at = move->placement;
    jw_object(w, NULL);
    jw_stringn(w, "piece", &piece_letters[at.piece], 1);
    jw_put(w, JI("x", at.x), JI("y", at.y), JS("rotation", rotation_names[at.rotation]),
           JB("hold", move->hold));
    if (at.spin != SPIN_NONE)
        jw_string(w, "spin", spin_names[at.spin]);
    if (move->key_count)
        write_keys(w, "keys", replay->keys + move->first_key, move->key_count);
    if (move->garbage) {
        jw_array(w, "garbage");
        for (int i = 0; i < move->garbage; i++)
            jw_integer(w, NULL, replay->holes[move->first_hole + (size_t)i]);
        jw_end(w);
    }
    jw_end(w);
}

bool replay_write(const Replay *replay, Text *text, Status *status) {
    const ReplayResult *result = &replay->result;
    if (replay_foreign_moves(replay) > 0)
        return status_fail(status, STATUS_INPUT,
                           "%zu moves follow the rules of another program only: not a replay",
                           replay_foreign_moves(replay));
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    jw_put(&w, JS("format", REPLAY_FORMAT), JI("version", REPLAY_VERSION));
    new_line(&w);
    jw_string(&w, "program", replay->program);
    new_line(&w);
    if (replay->title[0]) {
        jw_string(&w, "title", replay->title);
        new_line(&w);
    }
    write_rules(&w, &replay->rules);
    new_line(&w);
    jw_object(&w, "seeds");
    if (replay->pieces_seed.known)
        jw_integer(&w, "pieces", replay->pieces_seed.value);
    if (replay->search_seed.known)
        jw_integer(&w, "search", replay->search_seed.value);
    jw_end(&w);
    new_line(&w);
    document_write_board(&w, "board", &replay->start);
    new_line(&w);
    document_write_pieces(&w, "pieces", replay->pieces, replay->piece_count);
    if (replay->hold != PIECE_NONE)
        document_write_piece(&w, "hold", (Piece)replay->hold);
    new_line(&w);
    jw_array(&w, "moves");
    for (size_t i = 0; i < replay->move_count; i++) {
        new_line(&w);
        write_move(&w, replay, &replay->moves[i]);
    }
    jw_end(&w);
    write_last_keys(&w, replay);
    new_line(&w);
    jw_object(&w, "result");
    jw_put(&w, JI("score", result->score), JI("lines", result->lines), JI("pieces", result->pieces),
           JS("over", game_over_names[result->over]));
    jw_end(&w);
    jw_end(&w);
    text_add_char(text, '\n');
    return (!text->failed && !replay->failed) || status_no_memory(status);
}
