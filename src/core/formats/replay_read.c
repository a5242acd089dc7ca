/*
 * replay_read: replays from JSON: form and ranges. Every message begins with the path of what is
 * wrong. Whether it could have happened is for replay_play.
 */
#include "base/options.h"
#include "formats/document.h"
#include "formats/replay.h"

#include <stdio.h>
#include <string.h>

#define COUNT(names) ((int)(sizeof(names) / sizeof *(names)))

/* The index of a word in "a|b|c", or -1. */
static int find_choice(const char *choices, const char *given) {
    char word[32];
    for (int i = 0; i < options_choice_count(choices); i++)
        if (strcmp(options_choice_word(choices, i, word, sizeof word), given) == 0)
            return i;
    return -1;
}

static bool read_choice(const Json *object, const char *name, const char *choices, int *index,
                        Status *status) {
    const char *given = json_read_string(object, name, status);
    if (!given)
        return false;
    *index = find_choice(choices, given);
    return *index >= 0 ||
           status_fail(status, STATUS_INPUT, "%s: '%.40s' is not one of %s", name, given, choices);
}

static bool read_flag(const Json *object, const char *name, bool *flag, Status *status) {
    const Json *member = json_get(object, name);
    if (member && !json_is_bool(member))
        return status_fail(status, STATUS_INPUT, "%s: not true or false", name);
    *flag = json_is_true(member);
    return true;
}

static bool read_int64(const Json *object, const char *name, bool *known, int64_t *value,
                       Status *status) {
    const Json *member = json_get(object, name);
    *known = member != NULL;
    if (member && !json_is_integer(member))
        return status_fail(status, STATUS_INPUT, "%s: not an integer", name);
    *value = member ? json_int(member) : 0;
    return true;
}

/* The member `name`, which must be there and an array. */
static const Json *find_array(const Json *object, const char *name, Status *status) {
    const Json *member = json_get(object, name);
    if (json_is_array(member))
        return member;
    status_fail(status, STATUS_INPUT, member ? "%s: not an array" : "%s: missing", name);
    return NULL;
}

static bool read_rules(const Json *object, Rules *rules, Status *status) {
    static const char *const names[] = {"set",   "scoring", "bonus", "hold", "rotate180",
                                        "width", "height",  "kicks", "spins"};
    int set, scoring, width = 10, height = 20, kicks = KICKS_SRS, spins = 0;
    if (!json_only_members(object, names, COUNT(names), status) ||
        !read_choice(object, "set", RULES_CHOICES, &set, status) ||
        !read_choice(object, "scoring", SCORING_CHOICES, &scoring, status) ||
        !read_flag(object, "bonus", &rules->bonus, status) ||
        !read_flag(object, "hold", &rules->hold, status) ||
        !read_flag(object, "rotate180", &rules->rotate180, status) ||
        !json_read_int(object, "width", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, &width, status) ||
        !json_read_int(object, "height", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT, &height, status) ||
        (json_get(object, "kicks") &&
         !read_choice(object, "kicks", KICKS_CHOICES, &kicks, status)) ||
        (json_get(object, "spins") && !read_choice(object, "spins", SPINS_CHOICES, &spins, status)))
        return false;
    rules->kicks = (KickKind)kicks;
    rules->all_spin = spins == 1;
    rules->set = (RuleSet)set;
    rules->scoring = (Scoring)scoring;
    rules->width = (uint8_t)width;
    rules->height = (uint8_t)height;
    return true;
}

static bool read_seeds(const Json *document, Replay *replay, Status *status) {
    static const char *const names[] = {"pieces", "search"};
    const Json *seeds = json_get(document, "seeds");
    if (!seeds)
        return true;
    ReplaySeed *pieces = &replay->pieces_seed, *search = &replay->search_seed;
    return (json_only_members(seeds, names, COUNT(names), status) &&
            read_int64(seeds, "pieces", &pieces->known, &pieces->value, status) &&
            read_int64(seeds, "search", &search->known, &search->value, status)) ||
           status_prefix(status, "seeds");
}

static bool read_board(const Json *document, Grid *grid, Status *status) {
    const Json *rows = find_array(document, "board", status);
    return rows && document_read_board(rows, grid, status);
}

static bool read_pieces(const Json *document, Replay *replay, Status *status) {
    const char *letters = json_read_string(document, "pieces", status);
    if (!letters)
        return false;
    for (size_t i = 0; letters[i]; i++) {
        Piece piece = piece_from_letter(letters[i]);
        if (piece == PIECE_NONE)
            return status_fail(status, STATUS_INPUT, "pieces: '%c' (number %zu) is not a piece",
                               letters[i], i + 1);
        replay_add_piece(replay, piece);
    }
    return true;
}

/* The piece that is held at the start, if any. */
static bool read_hold(const Json *document, Replay *replay, Status *status) {
    const Json *held = json_get(document, "hold");
    if (!held)
        return true;
    const char *letter = json_is_string(held) ? json_text(held) : "";
    Piece piece = strlen(letter) == 1 ? piece_from_letter(letter[0]) : PIECE_NONE;
    if (piece == PIECE_NONE)
        return status_fail(status, STATUS_INPUT, "hold: not a piece");
    if (!replay->rules.hold)
        return status_fail(status, STATUS_INPUT, "hold: not used under these rules");
    replay->hold = (uint8_t)piece;
    return true;
}

static bool read_keys(const Json *object, const char *member, Replay *replay, Status *status) {
    const Json *keys = json_get(object, member);
    if (!keys)
        return true;
    size_t count = json_count(keys);
    if (!json_is_array(keys) || count > REPLAY_MAX_KEYS)
        return status_fail(status, STATUS_INPUT, "%s: not an array of at most %d keys", member,
                           REPLAY_MAX_KEYS);
    for (size_t i = 0; i < count; i++) {
        const Json *name = json_at(keys, i);
        int key = json_is_string(name) ? key_from_name(json_text(name)) : -1;
        if (key < 0)
            return status_fail(status, STATUS_INPUT,
                               "%s[%zu]: not left, right, cw, ccw, 180, down, drop or hold", member,
                               i);
        replay_add_key(replay, (Key)key);
    }
    return true;
}

/* Rows that came up after the move that was just added. */
static bool read_garbage(const Json *object, Replay *replay, Status *status) {
    const Json *rows = json_get(object, "garbage");
    if (!rows || replay->failed)
        return true;
    if (!json_is_array(rows) || json_count(rows) > REPLAY_MAX_GARBAGE)
        return status_fail(status, STATUS_INPUT, "garbage: not an array of at most %d columns",
                           REPLAY_MAX_GARBAGE);
    for (size_t i = 0; i < json_count(rows); i++) {
        const Json *hole = json_at(rows, i);
        if (!json_is_integer(hole) || json_int(hole) < 0 || json_int(hole) >= replay->rules.width)
            return status_fail(status, STATUS_INPUT, "garbage[%zu]: not a column", i);
        replay_add_garbage(replay, (int)json_int(hole));
    }
    return true;
}

static bool read_move(const Json *object, Replay *replay, Status *status) {
    static const char *const names[] = {"piece", "x",    "y",    "rotation",
                                        "hold",  "spin", "keys", "garbage"};
    Move move;
    int spin = SPIN_NONE;
    if (!json_only_members(object, names, COUNT(names), status) ||
        !document_read_move(object, &move, status) ||
        (json_get(object, "spin") &&
         !read_choice(object, "spin", "none|mini|full", &spin, status)) ||
        !read_keys(object, "keys", replay, status))
        return false;
    move.placement.spin = (uint8_t)spin;
    replay_add_move(replay, move.placement, move.hold);
    return read_garbage(object, replay, status);
}

static bool read_moves(const Json *document, Replay *replay, Status *status) {
    const Json *moves = find_array(document, "moves", status);
    if (!moves)
        return false;
    size_t count = json_count(moves);
    if (count > REPLAY_MAX_MOVES)
        return status_fail(status, STATUS_INPUT, "moves: %zu are more than %d", count,
                           REPLAY_MAX_MOVES);
    for (size_t i = 0; i < count; i++)
        if (!read_move(json_at(moves, i), replay, status))
            return status_prefix(status, "moves[%zu]", i);
    return read_keys(document, "last_keys", replay, status);
}

static bool read_result(const Json *document, ReplayResult *result, Status *status) {
    static const char *const names[] = {"score", "lines", "pieces", "over"};
    const Json *object = json_get(document, "result");
    if (!object)
        return status_fail(status, STATUS_INPUT, "result: missing");
    bool score, lines, pieces;
    int over;
    if (!json_only_members(object, names, COUNT(names), status) ||
        !read_int64(object, "score", &score, &result->score, status) ||
        !read_int64(object, "lines", &lines, &result->lines, status) ||
        !read_int64(object, "pieces", &pieces, &result->pieces, status) ||
        !read_choice(object, "over", "no|block-out|lock-out|no pieces|garbage", &over, status))
        return status_prefix(status, "result");
    result->over = (GameOver)over;
    return (score && lines && pieces) ||
           status_fail(status, STATUS_INPUT, "result: score, lines or pieces is missing");
}

static bool copy_text(const Json *document, const char *name, char *target, size_t bytes,
                      Status *status) {
    if (!json_get(document, name))
        return true;
    const char *text = json_read_string(document, name, status);
    if (!text)
        return false;
    size_t length = strlen(text);
    if (length >= bytes)
        return status_fail(status, STATUS_INPUT, "%s: longer than %zu bytes", name, bytes - 1);
    memcpy(target, text, length + 1);
    return true;
}

static bool read_head(const Json *document, Replay *replay, Status *status) {
    static const char *const names[] = {"format", "version",   "program", "title",
                                        "rules",  "seeds",     "board",   "pieces",
                                        "moves",  "last_keys", "result",  "hold"};
    if (!json_only_members(document, names, COUNT(names), status))
        return false;
    const char *format = json_read_string(document, "format", status);
    if (!format)
        return false;
    if (strcmp(format, REPLAY_FORMAT) != 0)
        return status_fail(status, STATUS_INPUT, "format: '%.40s' is not '" REPLAY_FORMAT "'",
                           format);
    int version = 0;
    if (!json_read_int(document, "version", 1, REPLAY_VERSION, &version, status))
        return false;
    if (version == 0)
        return status_fail(status, STATUS_INPUT, "version: missing");
    const Json *rules = json_get(document, "rules");
    Rules read = {0};
    if (!rules)
        return status_fail(status, STATUS_INPUT, "rules: missing");
    if (!read_rules(rules, &read, status))
        return status_prefix(status, "rules");
    Grid start;
    grid_init(&start, read.width, read.height);
    replay_init(replay, &read, &start);
    replay->program[0] = '\0';
    return copy_text(document, "program", replay->program, sizeof replay->program, status) &&
           copy_text(document, "title", replay->title, sizeof replay->title, status) &&
           read_seeds(document, replay, status);
}

bool replay_read(Replay *replay, const char *text, size_t length, Status *status) {
    *replay = (Replay){0};
    Json *document = json_parse(text, length, status);
    if (!document)
        return false;
    bool ok = read_head(document, replay, status) && read_board(document, &replay->start, status) &&
              read_pieces(document, replay, status) && read_hold(document, replay, status) &&
              read_moves(document, replay, status) &&
              read_result(document, &replay->result, status);
    json_free(document);
    if (ok && replay->failed)
        ok = status_no_memory(status);
    if (!ok)
        replay_release(replay);
    return ok;
}
