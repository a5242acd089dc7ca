/* The messages of the Tetris Bot Protocol: what is understood, what is refused, what is written. */
#include <signal.h>

#include <criterion/criterion.h>

#include "base/json.h"
#include "base/json_writer.h"
#include "io/tbp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TbpMessage message;
static Status status;

static bool reads(const char *line) {
    status = (Status){0};
    return tbp_read(line, strlen(line), &message, &status);
}

#define ROW "[null,null,null,null,null,null,null,null,null,null]"
#define START(more) "{\"type\":\"start\",\"hold\":null,\"combo\":3,\"back_to_back\":true," more "}"
#define LOCATION(more) "{\"type\":\"play\",\"move\":{\"location\":{" more "}}"

Test(tbp, messages) {
    const struct {
        const char *line;
        TbpKind kind;
    } rows[] = {{"{\"type\":\"suggest\"}", TBP_SUGGEST},
                {"  {\"type\":\"stop\",\"more\":[1,2]}", TBP_STOP},
                {"{\"type\":\"quit\"}", TBP_QUIT},
                {"{\"type\":\"fly\"}", TBP_UNKNOWN},
                {"{\"type\":\"\"}", TBP_UNKNOWN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect(reads(rows[i].line), "%s: %s", rows[i].line, status.message);
        cr_expect_eq(message.kind, rows[i].kind);
    }
    cr_expect(reads("{\"type\":\"new_piece\",\"piece\":\"L\"}") && message.piece == PIECE_L);
    cr_expect(reads("{\"type\":\"rules\"}") && message.supported);
    cr_expect(reads("{\"type\":\"rules\",\"randomizer\":\"general_bag\"}") && message.supported);
    cr_expect(reads("{\"type\":\"rules\",\"randomizer\":[]}") && !message.supported);
}

Test(tbp, garbage) {
#define GAP "[null,\"G\",\"G\",\"G\",\"G\",\"G\",\"G\",\"G\",\"G\",\"G\"]"
#define FULL "[\"G\",\"G\",\"G\",\"G\",\"G\",\"G\",\"G\",\"G\",\"G\",\"G\"]"
    cr_assert(reads("{\"type\":\"garbage\",\"rows\":[" GAP "," ROW "]}"), "%s", status.message);
    cr_expect_eq(message.kind, TBP_GARBAGE);
    cr_expect(message.row_count == 2 && message.rows[0] == 0x3fe && message.rows[1] == 0);
    cr_assert(reads("{\"type\":\"incoming\",\"rows\":7}"));
    cr_expect(message.kind == TBP_INCOMING && message.row_count == 7);
    const char *const bad[] = {"{\"type\":\"garbage\"}", "{\"type\":\"garbage\",\"rows\":[[]]}",
                               "{\"type\":\"garbage\",\"rows\":[" FULL "]}",
                               "{\"type\":\"incoming\"}", "{\"type\":\"incoming\",\"rows\":-1}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect(!reads(bad[i]) && status.message[0], "%s", bad[i]);
}

Test(tbp, start) {
    cr_assert(
        reads(START("\"queue\":[\"T\",\"I\"],\"board\":[[\"G\",\"L\",null,null,null,null,null,"
                    "null,null,\"I\"]," ROW "]")),
        "%s", status.message);
    const Position *position = &message.position;
    cr_expect_eq(position->columns.column[0], 1);
    cr_expect_eq(position->columns.column[1], 1);
    cr_expect_eq(position->columns.column[2], 0);
    cr_expect_eq(position->columns.column[9], 1);
    cr_expect_eq(position->queue_count, 2);
    cr_expect_eq(position->queue[0], PIECE_T);
    cr_expect_eq(position->hold, PIECE_NONE);
    cr_expect(position->chain.combo == 3 && position->chain.back_to_back);
    cr_expect(!position->bag.known);
}

#define RANDOMIZED(state) START("\"queue\":[],\"board\":[],\"randomizer\":" state)

Test(tbp, randomizers) {
    const PieceBag *bag = &message.position.bag;
    cr_assert(reads(RANDOMIZED("{\"type\":\"seven_bag\",\"bag_state\":[\"T\",\"S\"]}")));
    cr_expect(bag->known && bag->left[PIECE_T] == 1 && bag->left[PIECE_I] == 0);
    cr_assert(reads(RANDOMIZED("{\"type\":\"seven_bag\",\"bag_state\":[]}")));
    cr_expect(bag->known && bag->left[PIECE_I] == 1, "a used-up bag is all seven");
    cr_assert(reads(RANDOMIZED("{\"type\":\"general_bag\",\"current_bag\":{\"S\":2},"
                               "\"filled_bag\":{\"S\":3,\"Z\":1}}")));
    cr_expect(bag->known && bag->left[PIECE_S] == 2 && bag->filled[PIECE_Z] == 1);
    cr_assert(reads(RANDOMIZED("{\"type\":\"uniform\"}")) && !bag->known);
    cr_expect_eq(message.remark[0], '\0');
    const char *const broken[] = {
        "7",
        "{}",
        "{\"type\":\"seven_bag\"}",
        "{\"type\":\"seven_bag\",\"bag_state\":[\"T\",\"T\"]}",
        "{\"type\":\"seven_bag\",\"bag_state\":[\"TS\"]}",
        "{\"type\":\"general_bag\",\"current_bag\":{\"S\":1}}",
        "{\"type\":\"general_bag\",\"current_bag\":{\"S\":-1},\"filled_bag\":{\"S\":1}}",
        "{\"type\":\"general_bag\",\"current_bag\":{},\"filled_bag\":{\"S\":1}}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char line[512];
        snprintf(line, sizeof line, RANDOMIZED("%s"), broken[i]);
        cr_expect(reads(line), "%s: %s", line, status.message);
        cr_expect(!bag->known && strstr(message.remark, "randomizer"), "%s", line);
    }
}

Test(tbp, refuses_with_the_place) {
    const struct {
        const char *line, *place;
    } rows[] = {
        {"", "JSON"},
        {"[]", "object"},
        {"{}", "type"},
        {"{\"type\":3}", "type"},
        {"{\"type\":\"new_piece\"}", "new_piece: piece"},
        {"{\"type\":\"new_piece\",\"piece\":\"TT\"}", "new_piece: piece"},
        {START("\"queue\":[]"), "start: board"},
        {START("\"board\":[]"), "start: queue"},
        {START("\"queue\":[\"t\"],\"board\":[]"), "queue[0]"},
        {START("\"queue\":[],\"board\":[" ROW ",[null]]"), "board[1]"},
        {START("\"queue\":[],\"board\":[[1,null,null,null,null,null,null,null,null,null]]"),
         "board[0][0]"},
        {"{\"type\":\"start\",\"queue\":[],\"board\":[],\"hold\":\"Q\"}", "start: hold"},
        {"{\"type\":\"start\",\"queue\":[],\"board\":[],\"combo\":-1}", "start: combo"},
        {"{\"type\":\"start\",\"queue\":[],\"board\":[],\"back_to_back\":1}", "back_to_back"},
        {"{\"type\":\"play\"}", "move.location.type"},
        {LOCATION("\"type\":\"T\"}"), "orientation"},
        {LOCATION("\"type\":\"T\",\"orientation\":\"up\"}"), "orientation"},
        {LOCATION("\"type\":\"T\",\"orientation\":\"north\"}"), "x or y"},
        {LOCATION("\"type\":\"T\",\"orientation\":\"north\",\"x\":1e9,\"y\":0}"), "location: x"},
        {LOCATION("\"type\":\"T\",\"orientation\":\"north\",\"x\":99,\"y\":0}"), "location: x"},
        {LOCATION("\"type\":\"T\",\"orientation\":\"north\",\"x\":1,\"y\":0},\"spin\":\"x\""),
         "spin"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect(!reads(rows[i].line), "%s", rows[i].line);
        cr_expect_eq(status.code, STATUS_INPUT);
        cr_expect(strstr(status.message, rows[i].place), "%s: %s", rows[i].line, status.message);
    }
    cr_expect(!reads(START("\"queue\":7")) && message.kind == TBP_START, "the type is known");
}

Test(tbp, moves_come_back) {
    BotSuggestion suggestion = {.count = 1, .nodes = 7, .nodes_per_second = 9.5, .depth = 3};
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int rotation = 0; rotation < ROTATION_COUNT; rotation++) {
            Placement move = {(uint8_t)piece, (uint8_t)rotation, (int8_t)piece, 30,
                              (uint8_t)(piece % SPIN_COUNT)};
            suggestion.moves[0] = move;
            char *text = tbp_suggestion(&suggestion);
            cr_assert(text);
            Json *object = json_parse(text, strlen(text), &status);
            Text line;
            JsonWriter w;
            text_init(&line);
            jw_init(&w, &line);
            jw_object(&w, NULL);
            jw_string(&w, "type", "play");
            jw_json(&w, "move", json_at(json_get(object, "moves"), 0));
            jw_end(&w);
            cr_assert(reads(line.data), "%s: %s", line.data, status.message);
            text_release(&line);
            cr_expect_arr_eq(&message.move, &move, sizeof move);
            const Json *info = json_get(object, "move_info");
            cr_expect_eq(json_int(json_get(info, "nodes")), 7);
            cr_expect_eq(json_int(json_get(info, "nps")), 9);
            free(text);
            json_free(object);
        }
}
