/*
 * tbp: a bot that speaks the Tetris Bot Protocol, seen from the frontend.
 *
 * The bot is told what happens move by move (play, new_piece), so that it can keep its search. When
 * the position is not the one that follows from what it was told (garbage came, a new game began,
 * another move was made), it gets `stop` and `start` with the whole position. Bots that say that
 * they know them get `garbage` (rows that came up) and `incoming` (rows that wait) as well.
 */
#include "base/clock.h"
#include "base/json.h"
#include "player/outside/talk.h"

#include <string.h>

enum { IGNORED_MAX = 1000, MILLISECOND_NS = 1000000 };

/* ---- messages to the bot */

static void open_message(Talk *talk, JsonWriter *w, const char *type) {
    jw_init(w, &talk->line);
    jw_object(w, NULL);
    jw_string(w, "type", type);
}

static bool close_message(Talk *talk, JsonWriter *w) {
    jw_end(w);
    return talk_send(talk);
}

static bool send_type(Talk *talk, const char *type) {
    JsonWriter w;
    open_message(talk, &w, type);
    return close_message(talk, &w);
}

static void write_letter(JsonWriter *w, const char *name, unsigned piece) {
    if (piece < PIECE_COUNT)
        jw_stringn(w, name, &piece_letters[piece], 1);
    else
        jw_null(w, name);
}

static void write_bag(JsonWriter *w, unsigned unseen) {
    jw_object(w, "randomizer");
    jw_string(w, "type", "seven_bag");
    jw_array(w, "bag_state");
    for (unsigned i = 0; i < PIECE_COUNT; i++)
        if (unseen >> i & 1)
            write_letter(w, NULL, i);
    jw_end(w);
    jw_end(w);
}

static void write_row(JsonWriter *w, const Columns *columns, int y) {
    jw_array(w, NULL);
    for (int x = 0; x < POSITION_WIDTH; x++)
        jw_string(w, NULL, columns->column[x] >> y & 1 ? "G" : NULL);
    jw_end(w);
}

static bool send_start(Talk *talk, const AgentView *view) {
    const Position *position = &talk->position;
    JsonWriter w;
    open_message(talk, &w, "start");
    write_letter(&w, "hold", position->hold);
    jw_array(&w, "queue");
    for (int i = 0; i < position->queue_count; i++)
        write_letter(&w, NULL, position->queue[i]);
    jw_end(&w);
    jw_put(&w, JI("combo", position->chain.combo),
           JB("back_to_back", position->chain.back_to_back));
    jw_array(&w, "board");
    for (int y = 0; y < BOT_ROWS; y++) {
        write_row(&w, &position->columns, y);
    }
    jw_end(&w);
    if (view->bag)
        write_bag(&w, view->unseen);
    return close_message(talk, &w);
}

static bool send_play(Talk *talk, Placement move) {
    JsonWriter w;
    open_message(talk, &w, "play");
    jw_object(&w, "move");
    jw_object(&w, "location");
    write_letter(&w, "type", move.piece);
    jw_put(&w, JS("orientation", rotation_names[move.rotation]), JI("x", move.x), JI("y", move.y));
    jw_end(&w);
    jw_string(&w, "spin", spin_names[move.spin]);
    jw_end(&w);
    return close_message(talk, &w);
}

static bool send_piece(Talk *talk, unsigned piece) {
    JsonWriter w;
    open_message(talk, &w, "new_piece");
    write_letter(&w, "piece", piece);
    return close_message(talk, &w);
}

/* Garbage: the lowest `count` rows of the board. */
static bool send_garbage(Talk *talk, const Columns *columns, int count) {
    JsonWriter w;
    open_message(talk, &w, "garbage");
    jw_array(&w, "rows");
    for (int y = count - 1; y >= 0; y--)
        write_row(&w, columns, y);
    jw_end(&w);
    return close_message(talk, &w);
}

static bool send_incoming(Talk *talk, int rows) {
    JsonWriter w;
    open_message(talk, &w, "incoming");
    jw_integer(&w, "rows", rows);
    return close_message(talk, &w);
}

/* ---- messages from the bot */

/* Waits for a message of that type; others are ignored. The document, to be freed; NULL with a
 * fault. */
static Json *wait_for(Talk *talk, const char *type, uint64_t deadline_ns) {
    for (int i = 0; i < IGNORED_MAX; i++) {
        const char *line;
        size_t length;
        if (!talk_read(talk, deadline_ns, &line, &length))
            return NULL;
        Status status = {0};
        Json *message = json_parse(line, length, &status);
        const char *found = json_text(json_get(message, "type"));
        if (!found) {
            json_free(message);
            talk_fail(talk, "not a message of the protocol: %.60s", line);
            return NULL;
        }
        if (strcmp(found, type) == 0)
            return message;
        bool refused = strcmp(found, "error") == 0;
        if (refused)
            talk_fail(talk, "refused: %.60s", line);
        json_free(message);
        if (refused)
            return NULL;
    }
    talk_fail(talk, "sent %d messages that were not asked for", IGNORED_MAX);
    return NULL;
}

static bool meet(Talk *talk) {
    Json *info = wait_for(talk, "info", talk_deadline(talk));
    const Json *features = json_get(info, "features");
    talk->takes_garbage = talk->takes_incoming = false;
    for (size_t i = 0; i < json_count(features); i++) {
        const char *name = json_text(json_at(features, i));
        talk->takes_garbage |= name && strcmp(name, "garbage") == 0;
        talk->takes_incoming |= name && strcmp(name, "incoming") == 0;
    }
    json_free(info);
    return info != NULL;
}

static bool greet(Talk *talk, const AgentView *view) {
    JsonWriter w;
    open_message(talk, &w, "rules");
    jw_string(&w, "randomizer", view->bag ? "seven_bag" : "unknown");
    if (talk->takes_garbage)
        jw_string(&w, "garbage", "general");
    Json *ready = close_message(talk, &w) ? wait_for(talk, "ready", talk_deadline(talk)) : NULL;
    json_free(ready);
    talk->greeted = ready != NULL;
    talk->starting = !talk->greeted;
    return talk->greeted;
}

/* ---- the position */

static void position_of(const AgentView *view, Position *position) {
    position_init(position);
    position->columns = view->columns;
    position->hold = view->hold;
    position->chain = (BotChain){
        .combo = (uint8_t)(view->chain.combo < UINT8_MAX ? view->chain.combo : UINT8_MAX),
        .back_to_back = view->chain.back_to_back};
    position->queue[position->queue_count++] = view->current;
    for (int i = 0; i < view->queue_count; i++)
        position->queue[position->queue_count++] = view->queue[i];
}

/* True when `now` is what the bot believes, perhaps with more pieces in the queue. */
static bool continues(const Position *told, const Position *now) {
    return memcmp(told->columns.column, now->columns.column, sizeof now->columns.column) == 0 &&
           told->hold == now->hold && told->chain.combo == now->chain.combo &&
           told->chain.back_to_back == now->chain.back_to_back &&
           told->queue_count <= now->queue_count &&
           memcmp(told->queue, now->queue, (size_t)told->queue_count) == 0;
}

/* By how many rows garbage has raised the board that the bot believes in; 0: it is another one. */
static int rows_raised(const Position *told, const Position *now) {
    for (int rows = 0; rows < BOT_ROWS; rows++) {
        bool same = true;
        for (int x = 0; x < POSITION_WIDTH && same; x++)
            same = now->columns.column[x] >> rows == told->columns.column[x];
        if (same)
            return rows;
    }
    return 0;
}

/* Brings the bot to the position of the view. */
static bool tell(Talk *talk, const AgentView *view) {
    Position now;
    position_of(view, &now);
    int rows = talk->in_game && talk->takes_garbage ? rows_raised(&talk->position, &now) : 0;
    if (rows > 0) {
        talk->position.columns = now.columns;
        if (!send_garbage(talk, &now.columns, rows))
            return false;
    }
    if (!talk->in_game || !continues(&talk->position, &now)) {
        if (talk->in_game && !send_type(talk, "stop"))
            return false;
        talk->position = now;
        talk->in_game = send_start(talk, view);
        return talk->in_game;
    }
    while (talk->position.queue_count < now.queue_count) {
        unsigned piece = now.queue[talk->position.queue_count];
        talk->position.queue[talk->position.queue_count++] = (uint8_t)piece;
        if (!send_piece(talk, piece))
            return false;
    }
    return true;
}

/* Gives the bot time to search. */
static bool let_think(Talk *talk) {
    uint64_t deadline = clock_now_ns() + (uint64_t)talk->parameters.think_ms * MILLISECOND_NS;
    for (int i = 0; talk->parameters.think_ms > 0; i++) {
        const char *line;
        size_t length;
        ChildRead how = talk->host->read(talk->child, deadline, &line, &length);
        if (how == CHILD_LATE)
            break;
        if (how != CHILD_LINE)
            return talk_read(talk, deadline, &line, &length); /* with its fault */
        if (i >= IGNORED_MAX)
            return talk_fail(talk, "sent %d messages that were not asked for", IGNORED_MAX);
    }
    return true;
}

/* The first legal move of the list; -1 with a fault. */
static int first_legal(Talk *talk, const Json *suggestion) {
    const Json *moves = json_get(suggestion, "moves");
    if (json_count(moves) == 0) {
        talk_fail(talk, "suggested no move");
        return -1;
    }
    Placement placement, first = {.piece = PIECE_NONE};
    for (size_t i = 0; i < json_count(moves); i++) {
        const Json *move = json_at(moves, i);
        if (!talk_placement(json_get(move, "location"), "type", "orientation", &placement))
            continue;
        const char *label = json_text(json_get(move, "spin"));
        for (int s = 0; label && s < SPIN_COUNT; s++)
            if (strcmp(label, spin_names[s]) == 0)
                placement.spin = (uint8_t)s;
        int index = talk_find(talk, placement);
        if (index >= 0)
            return index;
        if (first.piece == PIECE_NONE)
            first = placement;
    }
    if (first.piece == PIECE_NONE)
        talk_fail(talk, "not a move of the protocol, %d suggested", (int)json_count(moves));
    else
        talk_fail(talk, "illegal move: %c %s x=%d y=%d, %d suggested", piece_letters[first.piece],
                  rotation_names[first.rotation], first.x, first.y, (int)json_count(moves));
    return -1;
}

static int ask(Talk *talk, const AgentView *view) {
    if ((!talk->greeted && !greet(talk, view)) || !tell(talk, view) ||
        (talk->takes_incoming && view->garbage.waiting > 0 &&
         !send_incoming(talk, view->garbage.due)) ||
        !let_think(talk))
        return -1;
    uint64_t deadline = talk_deadline(talk);
    Json *suggestion = send_type(talk, "suggest") ? wait_for(talk, "suggestion", deadline) : NULL;
    int index = suggestion ? first_legal(talk, suggestion) : -1;
    json_free(suggestion);
    if (index < 0)
        return -1;
    Placement move = talk->moves[index].placement;
    Status ignored = {0};
    talk->in_game = send_play(talk, move) && position_play(&talk->position, move, &ignored);
    return talk->fault[0] ? -1 : index;
}

static void begin(Talk *talk) {
    if (talk->in_game)
        send_type(talk, "stop");
    talk->in_game = false;
}

static void leave(Talk *talk) {
    send_type(talk, "quit");
}

const TalkKind talk_tbp = {
    .prefix = "tbp",
    .meet = meet,
    .ask = ask,
    .begin = begin,
    .leave = leave,
    .agent = {.summary = "a program that speaks the Tetris Bot Protocol",
              .preview = 5,
              .only_width = POSITION_WIDTH,
              .only_height = POSITION_HEIGHT,
              .abilities =
                  AGENT_GUIDELINE | AGENT_HOLD | AGENT_PREVIEW | AGENT_SEARCHES | AGENT_KICKS},
};
