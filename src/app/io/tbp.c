/* tbp: messages are read member by member; answers are written in one piece. */
#include "io/tbp.h"

#include "base/json.h"
#include "base/json_writer.h"

#include <stdio.h>
#include <string.h>

enum { COMBO_MAX = 1000000, BAG_COUNT_MAX = 1000000, INCOMING_MAX = 1000000 };

static const char *const kinds[] = {
    [TBP_RULES] = "rules",         [TBP_START] = "start",     [TBP_PLAY] = "play",
    [TBP_NEW_PIECE] = "new_piece", [TBP_GARBAGE] = "garbage", [TBP_INCOMING] = "incoming",
    [TBP_SUGGEST] = "suggest",     [TBP_STOP] = "stop",       [TBP_QUIT] = "quit"};

/* A piece letter, or PIECE_NONE. */
static Piece piece_of(const Json *value) {
    const char *text = json_text(value);
    return text && strlen(text) == 1 ? piece_from_letter(text[0]) : PIECE_NONE;
}

static int index_of(const Json *value, const char *const *names, int count) {
    const char *text = json_text(value);
    for (int i = 0; text && i < count; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    return -1;
}

/* --- The board. --- */

static bool read_cell(const Json *cell, bool *filled) {
    const char *text = json_text(cell);
    *filled = !json_is_null(cell);
    return !*filled || piece_of(cell) != PIECE_NONE || (text && strcmp(text, "G") == 0);
}

/* A row of cells as bits. */
static bool read_row(const Json *row, const char *name, int index, uint16_t *bits, Status *status) {
    if (!json_is_array(row) || json_count(row) != POSITION_WIDTH)
        return status_fail(status, STATUS_INPUT, "%s[%d]: not an array of %d cells", name, index,
                           POSITION_WIDTH);
    *bits = 0;
    for (int x = 0; x < POSITION_WIDTH; x++) {
        bool filled;
        if (!read_cell(json_at(row, (size_t)x), &filled))
            return status_fail(status, STATUS_INPUT, "%s[%d][%d]: not null, a piece or \"G\"", name,
                               index, x);
        *bits |= (uint16_t)(filled << x);
    }
    return true;
}

/* Rows that are missing at the top are empty. */
static bool read_board(const Json *board, Columns *columns, Status *status) {
    if (!json_is_array(board))
        return status_fail(status, STATUS_INPUT, "board: must be an array");
    if (json_count(board) > BOT_ROWS)
        return status_fail(status, STATUS_INPUT, "board: more than %d rows", BOT_ROWS);
    for (int y = 0; y < (int)json_count(board); y++) {
        uint16_t bits;
        if (!read_row(json_at(board, (size_t)y), "board", y, &bits, status))
            return false;
        for (int x = 0; x < POSITION_WIDTH; x++)
            columns->column[x] |= (uint64_t)(bits >> x & 1) << y;
    }
    return true;
}

/* --- The randomizer. --- */

static bool read_seven_bag(const Json *object, PieceBag *bag, Status *status) {
    const Json *list = json_get(object, "bag_state");
    unsigned left = 0;
    if (!json_is_array(list))
        return status_fail(status, STATUS_INPUT, "randomizer.bag_state: must be an array");
    for (size_t i = 0; i < json_count(list); i++) {
        Piece piece = piece_of(json_at(list, i));
        if (piece == PIECE_NONE || (left >> piece & 1))
            return status_fail(status, STATUS_INPUT,
                               "randomizer.bag_state[%d]: not a piece, or a duplicate", (int)i);
        left |= 1u << piece;
    }
    /* A used-up bag is a new one. */
    *bag = piece_bag_seven(left ? left : (1u << PIECE_COUNT) - 1);
    return true;
}

static bool read_counts(const Json *object, const char *name, uint32_t counts[PIECE_COUNT],
                        Status *status) {
    const Json *map = json_get(object, name);
    uint32_t sum = 0;
    for (int i = 0; i < PIECE_COUNT; i++) {
        char letter[2] = {piece_letters[i], '\0'};
        int count = 0;
        if (json_is_object(map) && !json_read_int(map, letter, 0, BAG_COUNT_MAX, &count, status))
            return status_prefix(status, "randomizer.%s", name);
        counts[i] = (uint32_t)count;
        sum += counts[i];
    }
    return sum > 0 || status_fail(status, STATUS_INPUT, "randomizer.%s: no pieces", name);
}

static bool read_randomizer(const Json *object, PieceBag *bag, Status *status) {
    if (!object || json_is_null(object))
        return true;
    const char *type = json_text(json_get(object, "type"));
    if (!type)
        return status_fail(status, STATUS_INPUT, "randomizer.type: must be a string");
    if (strcmp(type, "seven_bag") == 0)
        return read_seven_bag(object, bag, status);
    if (strcmp(type, "general_bag") != 0)
        return true;
    PieceBag read = {.known = true};
    if (!read_counts(object, "current_bag", read.left, status) ||
        !read_counts(object, "filled_bag", read.filled, status))
        return false;
    *bag = read;
    return true;
}

/* --- Messages. --- */

static bool read_rules(const Json *object, TbpMessage *message) {
    const Json *randomizer = json_get(object, "randomizer");
    message->supported = !randomizer || json_is_null(randomizer) || json_is_string(randomizer);
    return true;
}

static bool read_queue(const Json *queue, Position *position, Status *status) {
    if (!json_is_array(queue))
        return status_fail(status, STATUS_INPUT, "queue: must be an array");
    if (json_count(queue) > POSITION_QUEUE_MAX)
        return status_fail(status, STATUS_INPUT, "queue: more than %d pieces", POSITION_QUEUE_MAX);
    for (size_t i = 0; i < json_count(queue); i++) {
        Piece piece = piece_of(json_at(queue, i));
        if (piece == PIECE_NONE)
            return status_fail(status, STATUS_INPUT, "queue[%d]: not a piece", (int)i);
        position->queue[position->queue_count++] = (uint8_t)piece;
    }
    return true;
}

static bool read_start(const Json *object, TbpMessage *message, Status *status) {
    Position *position = &message->position;
    position_init(position);
    const Json *hold = json_get(object, "hold");
    const Json *back_to_back = json_get(object, "back_to_back");
    int combo = 0;
    if (!read_board(json_get(object, "board"), &position->columns, status) ||
        !read_queue(json_get(object, "queue"), position, status) ||
        !json_read_int(object, "combo", 0, COMBO_MAX, &combo, status))
        return false;
    if (hold && !json_is_null(hold)) {
        position->hold = (uint8_t)piece_of(hold);
        if (position->hold == PIECE_NONE)
            return status_fail(status, STATUS_INPUT, "hold: neither a piece nor null");
    }
    if (back_to_back && !json_is_bool(back_to_back) && !json_is_null(back_to_back))
        return status_fail(status, STATUS_INPUT, "back_to_back: neither true nor false");
    position->chain.combo = (uint8_t)(combo < UINT8_MAX ? combo : UINT8_MAX);
    position->chain.back_to_back = json_is_true(back_to_back);
    /* The bot can play without knowing the next pieces. */
    Status remark = {0};
    if (!read_randomizer(json_get(object, "randomizer"), &position->bag, &remark))
        snprintf(message->remark, sizeof message->remark, "%s", remark.message);
    return true;
}

static bool read_play(const Json *object, TbpMessage *message, Status *status) {
    const Json *move = json_get(object, "move");
    const Json *location = json_get(move, "location");
    const Json *spin = json_get(move, "spin");
    Piece piece = piece_of(json_get(location, "type"));
    int rotation = index_of(json_get(location, "orientation"), rotation_names, ROTATION_COUNT);
    int label = spin ? index_of(spin, spin_names, SPIN_COUNT) : SPIN_NONE;
    int x = INT8_MIN, y = INT8_MIN;
    if (piece == PIECE_NONE)
        return status_fail(status, STATUS_INPUT, "move.location.type: not a piece");
    if (rotation < 0)
        return status_fail(status, STATUS_INPUT,
                           "move.location.orientation: not north, east, south or west");
    if (label < 0)
        return status_fail(status, STATUS_INPUT, "move.spin: neither none, mini nor full");
    if (!json_read_int(location, "x", -4, POSITION_WIDTH + 3, &x, status) ||
        !json_read_int(location, "y", -4, BOT_ROWS + 3, &y, status))
        return status_prefix(status, "move.location");
    if (x == INT8_MIN || y == INT8_MIN)
        return status_fail(status, STATUS_INPUT, "move.location: x or y is missing");
    message->move =
        (Placement){(uint8_t)piece, (uint8_t)rotation, (int8_t)x, (int8_t)y, (uint8_t)label};
    return true;
}

static bool read_garbage(const Json *object, TbpMessage *message, Status *status) {
    const Json *rows = json_get(object, "rows");
    const uint16_t full = (1 << POSITION_WIDTH) - 1;
    if (!json_is_array(rows) || json_count(rows) > BOT_ROWS)
        return status_fail(status, STATUS_INPUT, "rows: not an array of at most %d rows", BOT_ROWS);
    message->row_count = (int)json_count(rows);
    for (int i = 0; i < message->row_count; i++) {
        if (!read_row(json_at(rows, (size_t)i), "rows", i, &message->rows[i], status))
            return false;
        if (message->rows[i] == full)
            return status_fail(status, STATUS_INPUT, "rows[%d]: a full row", i);
    }
    return true;
}

static bool read_incoming(const Json *object, TbpMessage *message, Status *status) {
    int rows = -1;
    if (!json_read_int(object, "rows", 0, INCOMING_MAX, &rows, status))
        return false;
    message->row_count = rows;
    return rows >= 0 || status_fail(status, STATUS_INPUT, "rows: is missing");
}

static bool read_message(const Json *object, TbpMessage *message, Status *status) {
    const Json *type = json_get(object, "type");
    if (!json_is_object(object))
        return status_fail(status, STATUS_INPUT, "not a JSON object");
    if (!json_is_string(type))
        return status_fail(status, STATUS_INPUT, "type: must be a string");
    int kind = index_of(type, kinds + 1, TBP_QUIT) + 1;
    message->kind = (TbpKind)kind;
    bool ok = true;
    switch (message->kind) {
    case TBP_RULES:
        ok = read_rules(object, message);
        break;
    case TBP_START:
        ok = read_start(object, message, status);
        break;
    case TBP_PLAY:
        ok = read_play(object, message, status);
        break;
    case TBP_NEW_PIECE:
        message->piece = piece_of(json_get(object, "piece"));
        ok = message->piece != PIECE_NONE ||
             status_fail(status, STATUS_INPUT, "piece: must be a piece");
        break;
    case TBP_GARBAGE:
        ok = read_garbage(object, message, status);
        break;
    case TBP_INCOMING:
        ok = read_incoming(object, message, status);
        break;
    default:
        break;
    }
    return ok || status_prefix(status, "%s", kinds[kind]);
}

bool tbp_read(const char *line, size_t length, TbpMessage *message, Status *status) {
    memset(message, 0, sizeof *message);
    Json *object = json_parse(line, length, status);
    bool ok = object && read_message(object, message, status);
    json_free(object);
    return ok;
}

/* --- Answers. --- */

/* Ends a message and gives its text away. */
static char *finish(JsonWriter *w) {
    jw_end(w);
    if (w->text->failed)
        text_release(w->text);
    return w->text->data;
}

char *tbp_info(const char *version) {
    JsonWriter w;
    jw_start(&w);
    jw_put(&w, JS("type", "info"), JS("name", "tetropt"), JS("version", version),
           JS("author", "the tetropt project"));
    jw_array(&w, "features");
    jw_string(&w, NULL, "randomizer");
    jw_string(&w, NULL, "garbage");
    jw_string(&w, NULL, "incoming");
    jw_end(&w);
    return finish(&w);
}

char *tbp_ready(void) {
    JsonWriter w;
    jw_start(&w);
    jw_string(&w, "type", "ready");
    return finish(&w);
}

char *tbp_error(const char *reason) {
    JsonWriter w;
    jw_start(&w);
    jw_put(&w, JS("type", "error"), JS("reason", reason));
    return finish(&w);
}

static void write_move(JsonWriter *w, Placement move) {
    jw_object(w, NULL);
    jw_object(w, "location");
    jw_stringn(w, "type", &piece_letters[move.piece], 1);
    jw_put(w, JS("orientation", rotation_names[move.rotation]), JI("x", move.x), JI("y", move.y));
    jw_end(w);
    jw_string(w, "spin", spin_names[move.spin]);
    jw_end(w);
}

char *tbp_suggestion(const BotSuggestion *suggestion) {
    JsonWriter w;
    jw_start(&w);
    jw_string(&w, "type", "suggestion");
    jw_array(&w, "moves");
    for (int i = 0; i < suggestion->count; i++)
        write_move(&w, suggestion->moves[i]);
    jw_end(&w);
    jw_object(&w, "move_info");
    jw_integer(&w, "nodes", (int64_t)suggestion->nodes);
    if (suggestion->nodes_per_second > 0)
        jw_integer(&w, "nps", (int64_t)suggestion->nodes_per_second);
    jw_put(&w, JI("depth", suggestion->depth), JS("extra", ""));
    jw_end(&w);
    return finish(&w);
}
