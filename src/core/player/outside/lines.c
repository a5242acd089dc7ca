/*
 * lines: a program that reads one position per line and answers one placement per line.
 *
 * The position has every legal placement with its cells, so that a program needs no rules of its
 * own (docs/MATCH.md). The answer is the number of a placement in that list, or an object with
 * piece, rotation, x and y.
 */
#include "base/json.h"
#include "player/outside/talk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void write_letter(JsonWriter *w, const char *name, unsigned piece) {
    if (piece < PIECE_COUNT)
        jw_stringn(w, name, &piece_letters[piece], 1);
    else
        jw_null(w, name);
}

/* Rows from the floor to the topmost cell, '.' for empty and '#' for filled. */
static void write_board(JsonWriter *w, const AgentView *view) {
    jw_array(w, "board");
    int rows = columns_highest(&view->columns);
    for (int y = 0; y < rows; y++) {
        char row[BOARD_MAX_WIDTH];
        for (int x = 0; x < view->columns.width; x++)
            row[x] = view->columns.column[x] >> y & 1 ? '#' : '.';
        jw_stringn(w, NULL, row, view->columns.width);
    }
    jw_end(w);
}

static void write_placement(JsonWriter *w, const Move *move) {
    Placement at = move->placement;
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    jw_object(w, NULL);
    write_letter(w, "piece", at.piece);
    jw_put(w, JS("rotation", rotation_names[at.rotation]), JI("x", at.x), JI("y", at.y),
           JS("spin", spin_names[at.spin]), JB("hold", move->hold));
    jw_array(w, "cells");
    for (int i = 0; i < 4; i++)
        jw_integers(w, NULL, (int64_t[]){at.x + shape->cells[i].x, at.y + shape->cells[i].y}, 2);
    jw_end(w);
    jw_end(w);
}

static bool send_position(Talk *talk, const AgentView *view) {
    JsonWriter w;
    jw_init(&w, &talk->line);
    jw_object(&w, NULL);
    jw_put(&w, JI("width", view->columns.width), JI("height", view->columns.height));
    write_board(&w, view);
    write_letter(&w, "current", view->current);
    write_letter(&w, "hold", view->hold);
    jw_bool(&w, "can_hold", view->can_hold);
    jw_array(&w, "queue");
    for (int i = 0; i < view->queue_count; i++)
        write_letter(&w, NULL, view->queue[i]);
    jw_end(&w);
    jw_put(&w, JI("combo", view->chain.combo), JB("back_to_back", view->chain.back_to_back),
           JI("lines", view->lines), JI("incoming", view->garbage.waiting));
    jw_array(&w, "placements");
    for (int i = 0; i < talk->move_count; i++)
        write_placement(&w, &talk->moves[i]);
    jw_end(&w);
    jw_end(&w);
    return talk_send(talk);
}

/* True when the text is a decimal integer and nothing else. */
static bool read_number(const char *text, long *number) {
    char *end;
    errno = 0;
    *number = strtol(text, &end, 10);
    return end != text && end[strspn(end, " \t\r")] == '\0' && errno == 0;
}

static int ask(Talk *talk, const AgentView *view) {
    uint64_t deadline = talk_deadline(talk);
    const char *line;
    size_t length;
    if (!send_position(talk, view) || !talk_read(talk, deadline, &line, &length))
        return -1;
    talk->starting = false;
    long number;
    if (read_number(line, &number)) {
        if (number >= 0 && number < talk->move_count)
            return (int)number;
        talk_fail(talk, "illegal move: %ld is not in 0..%d", number, talk->move_count - 1);
        return -1;
    }
    Status status = {0};
    Json *answer = json_parse(line, length, &status);
    Placement placement;
    bool read = json_is_object(answer) && talk_placement(answer, "piece", "rotation", &placement);
    json_free(answer);
    if (!read) {
        talk_fail(talk, "not a placement: %.60s", line);
        return -1;
    }
    int index = talk_find(talk, placement);
    if (index < 0)
        talk_fail(talk, "illegal move: %.80s", line);
    return index;
}

const TalkKind talk_lines = {
    .prefix = "lines",
    .ask = ask,
    .agent = {.summary = "a program that reads positions and answers placements, one per line",
              .preview = 5,
              .abilities = AGENT_DROP | AGENT_GUIDELINE | AGENT_HOLD | AGENT_PREVIEW |
                           AGENT_SEARCHES | AGENT_KICKS},
};
