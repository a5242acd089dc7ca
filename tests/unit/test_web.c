/* web: who may ask, the session that the browser runs, and what the page asks, without sockets. */
#include "base/json.h"
#include "formats/fumen.h"
#include "formats/replay.h"
#include "player/registry.h"
#include "web/guard.h"
#include "web/session.h"

#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <string.h>

Test(guard, hosts) {
    static const struct {
        const char *address, *host;
        bool ok;
    } cases[] = {
        {"127.0.0.1", "127.0.0.1:8080", true},
        {"127.0.0.1", "localhost:8080", true},
        {"127.0.0.1", "LocalHost:8080", true},
        {"127.0.0.1", "[::1]:8080", true},
        {"::1", "localhost:8080", true},
        {"::1", "[::1]:8080", true},
        {"127.0.0.1", "127.0.0.1", false},
        {"127.0.0.1", "127.0.0.1:8081", false},
        {"127.0.0.1", "127.0.0.1:", false},
        {"127.0.0.1", "127.0.0.1:8080x", false},
        {"127.0.0.1", "127.0.0.1:08080", false},
        {"127.0.0.1", "evil.example:8080", false},
        {"127.0.0.1", "localhost.evil.example:8080", false},
        {"127.0.0.1", "192.0.2.1:8080", false},
        {"127.0.0.1", "[::1:8080", false},
        {"127.0.0.1", "", false},
        {"127.0.0.1", NULL, false},
        {"192.0.2.1", "192.0.2.1:8080", true},
        {"192.0.2.1", "localhost:8080", false},
        {"0.0.0.0", "192.0.2.1:8080", true},
        {"0.0.0.0", "localhost:8080", true},
        {"0.0.0.0", "evil.example:8080", false},
        {"::", "[2001:db8::1]:8080", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GuardPlace place = {cases[i].address, 8080};
        cr_expect_eq(guard_host(&place, cases[i].host), cases[i].ok, "%s at %s",
                     cases[i].host ? cases[i].host : "none", cases[i].address);
    }
    GuardPlace usual = {"127.0.0.1", 80};
    cr_expect(guard_host(&usual, "localhost"));
}

Test(guard, origins) {
    cr_expect(guard_fetch_site(NULL));
    cr_expect(guard_fetch_site("same-origin"));
    cr_expect(guard_fetch_site("none"));
    cr_expect_not(guard_fetch_site("cross-site"));
    cr_expect_not(guard_fetch_site("same-site"));
    cr_expect_not(guard_fetch_site("Same-Origin, none"));
    cr_expect(guard_origin("localhost:80", NULL));
    cr_expect(guard_origin("localhost:8080", "http://localhost:8080"));
    cr_expect_not(guard_origin("localhost:8080", "http://evil.example"));
    cr_expect_not(guard_origin("localhost:8080", "https://localhost:8080"));
    cr_expect_not(guard_origin("localhost:8080", "http://localhost:8080.evil.example"));
    cr_expect_not(guard_origin("localhost:8080", "null"));
}

Test(guard, bucket) {
    GuardBucket bucket;
    guard_bucket_init(&bucket, 3, 10, 1000);
    for (int i = 0; i < 3; i++)
        cr_expect(guard_bucket_take(&bucket, 1000));
    cr_expect_not(guard_bucket_take(&bucket, 1000));
    cr_expect_not(guard_bucket_take(&bucket, 50000000)); /* half of one is there */
    cr_expect(guard_bucket_take(&bucket, 150000000));
    cr_expect_not(guard_bucket_take(&bucket, 150000000));
    uint64_t later = 3600000000000u; /* an hour fills it, and not more */
    int taken = 0;
    while (guard_bucket_take(&bucket, later))
        taken++;
    cr_expect_eq(taken, 3);
}

/* ---- session */

static Json *parsed(Text *text) {
    Status status;
    Json *document = json_parse(text->data, text->length, &status);
    cr_assert(document, "%s in %s", status.message, text->data);
    text_clear(text);
    return document;
}

static int64_t number(const Json *document, const char *name) {
    return json_int(json_get(document, name));
}

Test(session, every_agent_plays_and_thinks) {
    Text text;
    text_init(&text);
    web_session_write_agents(&text);
    Json *agents = parsed(&text);
    cr_assert_eq(json_count(agents), (size_t)agent_count());
    for (size_t i = 0; i < json_count(agents); i++) {
        const Json *agent = json_at(agents, i);
        const char *name = json_text(json_get(agent, "name"));
        if (json_is_true(json_get(agent, "plans")))
            continue; /* takes long; below */
        WebSessionSetup setup = {
            .agent = name, .drop = json_is_true(json_get(agent, "drop_first")), .seed = 3};
        Status status;
        WebSession *session = web_session_new(&setup, &status);
        cr_assert(session, "%s: %s", name, status.message);
        for (int k = 0; k < 30; k++)
            web_session_step(session);
        web_session_write(session, &text);
        Json *state = parsed(&text);
        cr_expect_gt(number(state, "pieces"), 1, "%s", name);
        web_session_write_thoughts(session, &text);
        Json *thoughts = parsed(&text);
        cr_expect_gt(number(thoughts, "placements"), 0, "%s", name);
        cr_expect_gt(json_count(json_get(thoughts, "best")), 0, "%s", name);
        json_free(thoughts);
        json_free(state);
        web_session_free(session);
    }
    json_free(agents);
    text_release(&text);
}

Test(session, refuses) {
    Status status;
    WebSessionSetup nobody = {.agent = "nobody"};
    cr_expect_null(web_session_new(&nobody, &status));
    cr_expect(strstr(status.message, "nobody"));
    WebSessionSetup drop = {.agent = "dt20"}; /* plays by the rules drop only */
    cr_expect_null(web_session_new(&drop, &status));
}

/* A person who does what the hints say clears rows; a hint is always possible. */
Test(session, hints_can_be_followed) {
    Text text;
    text_init(&text);
    WebSessionSetup setup = {.agent = "weighted", .person = true, .seed = 5};
    Status status;
    WebSession *session = web_session_new(&setup, &status);
    cr_assert(session);
    for (int turn = 0; turn < 30; turn++) {
        web_session_write_hint(session, &text);
        Json *hint = parsed(&text);
        cr_assert(json_is_object(hint));
        if (json_is_true(json_get(hint, "hold")))
            cr_expect(web_session_press(session, KEY_HOLD));
        web_session_write(session, &text);
        Json *state = parsed(&text);
        cr_expect_str_eq(json_text(json_get(hint, "piece")), json_text(json_get(state, "piece")));
        int64_t pieces = number(state, "pieces");
        json_free(state);
        json_free(hint);
        while (true) { /* the same agent presses the keys */
            web_session_step(session);
            web_session_write(session, &text);
            state = parsed(&text);
            bool locked = number(state, "pieces") > pieces;
            json_free(state);
            if (locked)
                break;
        }
    }
    web_session_write(session, &text);
    Json *state = parsed(&text);
    cr_expect_geq(number(state, "lines"), 5);
    cr_expect_str_eq(json_text(json_get(state, "end")), "running");
    json_free(state);
    web_session_free(session);
    text_release(&text);
}

Test(session, time_and_pause) {
    Text text;
    text_init(&text);
    WebSessionSetup setup = {.person = true, .seed = 1, .max_lines = 40};
    Status status;
    WebSession *session = web_session_new(&setup, &status);
    cr_assert(session);
    web_session_pause(session, true);
    web_session_advance(session, 5000000, false);
    cr_expect_not(web_session_press(session, KEY_LEFT));
    web_session_pause(session, false);
    cr_expect(web_session_press(session, KEY_LEFT));
    web_session_advance(session, 1500000, false);
    web_session_write(session, &text);
    Json *state = parsed(&text);
    cr_expect_eq(number(state, "ms"), 1500);
    cr_expect_eq(number(state, "pieces"), 0);
    cr_expect_eq(strlen(json_text(json_get(state, "next"))), WEB_SESSION_NEXT);
    cr_expect(json_is_null(json_get(state, "goal")));
    json_free(state);
    web_session_write_thoughts(session, &text);
    cr_expect_str_eq(text.data, "null");
    text_clear(&text);
    web_session_write_pieces(1, 14, &text);
    cr_expect_eq(text.length, 14);
    for (int i = 0; i < 7; i++) /* whole bags */
        cr_expect_eq(strchr(text.data, "IOTSZJL"[i]) != NULL, true);
    web_session_free(session);
    text_release(&text);
}

/* The replay that a session tells is one that follows the rules and has the session's result. */
static void check_replay(WebSession *session, Text *text) {
    Status status = {.code = STATUS_OK};
    web_session_write(session, text);
    Json *state = parsed(text);
    cr_assert(web_session_write_replay(session, text, &status), "%s", status.message);
    Replay replay;
    cr_assert(replay_read(&replay, text->data, text->length, &status), "%s", status.message);
    Game end;
    cr_assert(replay_play(&replay, true, NULL, &end, &status), "%s", status.message);
    cr_expect_eq(end.pieces, number(state, "pieces"));
    cr_expect_eq(end.score, number(state, "score") - number(state, "drop_points"));
    cr_expect_eq(end.lines, number(state, "lines"));
    text_clear(text);
    if (replay.rules.set == RULES_GUIDELINE) {
        cr_assert(web_session_write_fumen(session, text, &status), "%s", status.message);
        Fumen fumen;
        cr_assert(fumen_decode(text->data, text->length, &fumen, &status), "%s", status.message);
        cr_expect_eq(fumen.count, end.pieces > 0 ? (size_t)end.pieces : 1);
        fumen_release(&fumen);
        text_clear(text);
    }
    replay_release(&replay);
    json_free(state);
}

/* A person presses whatever, saves now and then, and plays on until the game is over. */
Test(session, games_are_saved) {
    Text text;
    text_init(&text);
    for (uint64_t seed = 0; seed < 10; seed++) {
        WebSessionSetup setup = {
            .agent = seed % 2 ? "weighted" : NULL, .person = true, .seed = seed};
        Status status;
        WebSession *session = web_session_new(&setup, &status);
        cr_assert(session);
        check_replay(session, &text);
        Rng rng;
        rng_init(&rng, seed, 0);
        bool over = false;
        for (int i = 0; !over; i++) {
            web_session_press(session, (Key)rng_below(&rng, KEY_COUNT));
            web_session_advance(session, 150000, false);
            web_session_write(session, &text);
            Json *state = parsed(&text);
            over = strcmp(json_text(json_get(state, "end")), "over") == 0;
            json_free(state);
            if (over || i % 40 == 0)
                check_replay(session, &text);
        }
        web_session_free(session);
    }
    text_release(&text);
}

Test(session, agents_take_weights_and_parameters) {
    Text text;
    text_init(&text);
    Status status;
    WebSessionSetup setup = {
        .agent = "lookahead", .weights = "tetris-blind", .parameters = "breadth=2", .seed = 4};
    WebSession *session = web_session_new(&setup, &status);
    cr_assert(session, "%s", status.message);
    for (int i = 0; i < 100; i++)
        web_session_step(session);
    web_session_write_thoughts(session, &text);
    Json *thoughts = parsed(&text);
    cr_expect_str_eq(json_text(json_get(thoughts, "weights")), "tetris-blind");
    json_free(thoughts);
    check_replay(session, &text);
    web_session_free(session);
    WebSessionSetup drop = {.agent = "dt20", .weights = "bcts", .drop = true};
    session = web_session_new(&drop, &status);
    cr_assert(session, "%s", status.message);
    for (int i = 0; i < 100; i++)
        web_session_step(session);
    check_replay(session, &text);
    web_session_free(session);
    static const struct {
        WebSessionSetup setup;
        const char *why;
    } bad[] = {
        {{.agent = "lookahead", .weights = "nothing"}, "nothing"},
        {{.agent = "random", .weights = "tetris"}, "takes no weights"},
        {{.agent = "dt20", .weights = "tetris", .drop = true}, "takes weights"},
        {{.agent = "lookahead", .parameters = "breadth=0"}, "breadth"},
        {{.agent = "lookahead", .parameters = "depth=3"}, "depth"},
        {{.agent = "lookahead", .parameters = "breadth"}, "NAME=VALUE"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_null(web_session_new(&bad[i].setup, &status));
        cr_expect(strstr(status.message, bad[i].why), "%s", status.message);
    }
    text_release(&text);
}

/* ---- a race */

static Json *state_of(const WebSession *session) {
    Text text;
    Status status;
    text_init(&text);
    web_session_write(session, &text);
    Json *state = json_parse(text.data, text.length, &status);
    text_release(&text);
    return state;
}

static int64_t number_of(const WebSession *session, const char *name) {
    Json *state = state_of(session);
    int64_t number = json_int(json_get(state, name));
    json_free(state);
    return number;
}

Test(race, garbage_comes_up_after_a_lock_and_is_cancelled_by_lines_sent) {
    WebSessionSetup setup = {.person = true, .seed = 3};
    Status status;
    WebSession *session = web_session_new(&setup, &status);
    cr_assert(session);
    web_session_receive(session, 4);
    cr_expect_eq(number_of(session, "waiting"), 4);
    web_session_press(session, KEY_HARD_DROP);
    cr_expect_eq(number_of(session, "waiting"), 0);
    Json *state = state_of(session);
    const Json *board = json_get(state, "board");
    for (size_t i = 0; i < 4; i++) {
        const char *row = json_text(json_at(board, json_count(board) - 1 - i));
        size_t filled = strspn(row, "G") + strspn(row + strspn(row, "G") + 1, "G");
        cr_expect_eq(filled, 9, "row %zu: %s", i, row);
    }
    json_free(state);
    Text text;
    text_init(&text);
    check_replay(session, &text); /* with the garbage */
    text_release(&text);
    web_session_free(session);
}

Test(race, an_agent_sends_lines_and_tops_out_under_garbage) {
    WebSessionSetup setup = {.agent = "lookahead", .seed = 3};
    Status status;
    WebSession *session = web_session_new(&setup, &status);
    cr_assert(session, "%s", status.message);
    int sent = 0;
    for (int i = 0; i < 20000 && number_of(session, "pieces") < 60; i++) {
        web_session_advance(session, 50000, true);
        sent += web_session_take_sent(session);
    }
    cr_expect_gt(sent, 0);
    cr_expect_eq(number_of(session, "attack"), sent); /* nothing came that could cancel */
    for (int i = 0; i < 2000; i++) {
        web_session_receive(session, 10);
        web_session_advance(session, 200000, true);
    }
    Json *state = state_of(session);
    cr_expect_str_eq(json_text(json_get(state, "end")), "over");
    json_free(state);
    web_session_free(session);
}

/* ---- positions */

/* A game that starts from a position has its board, pieces and hold; its replay, too. */
Test(session, starts_from_a_position) {
    Status status = {.code = STATUS_OK};
    Text text;
    text_init(&text);
    WebSessionSetup setup = {.agent = "weighted",
                             .person = true,
                             .seed = 5,
                             .position = "10x20;GG.GGGGGGG/.JGGGGGGGG;TIO;L"};
    WebSession *session = web_session_new(&setup, &status);
    cr_assert(session, "%s", status.message);
    web_session_write(session, &text);
    Json *state = parsed(&text);
    cr_expect_str_eq(json_text(json_get(state, "piece")), "T");
    cr_expect_str_eq(json_text(json_get(state, "hold")), "L");
    cr_expect_eq(strncmp(json_text(json_get(state, "next")), "IO", 2), 0);
    const Json *board = json_get(state, "board");
    cr_expect_str_eq(json_text(json_at(board, json_count(board) - 1)), ".JGGGGGGGG");
    json_free(state);
    cr_expect(web_session_press(session, KEY_HOLD), "the first turn can hold");
    web_session_press(session, KEY_HARD_DROP);
    check_replay(session, &text);
    web_session_free(session);

    setup.position = "6x12;;ZZ;t";
    session = web_session_new(&setup, &status);
    cr_assert(session, "%s", status.message);
    cr_expect_not(web_session_press(session, KEY_HOLD), "it was used");
    web_session_press(session, KEY_HARD_DROP);
    cr_expect(web_session_press(session, KEY_HOLD), "the next turn can");
    web_session_write(session, &text);
    state = parsed(&text);
    cr_expect_eq(number(state, "width"), 6);
    json_free(state);
    web_session_free(session);
    text_release(&text);
}

Test(session, refuses_positions) {
    static const char *const bad[] = {"10",         "10x2;;;",          "99x20;;;",
                                      "10x20;GG;;", "10x20;X.........", "10x20;GGGGGGGGGG",
                                      "10x20;;TX;", "10x20;;T;LL",      "10x20;;T;G",
                                      "10x20abc;;", "-1x20;;;"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Status status = {.code = STATUS_OK};
        WebSessionSetup setup = {.person = true, .position = bad[i]};
        cr_expect_null(web_session_new(&setup, &status), "%s", bad[i]);
        cr_expect(strstr(status.message, "position: "), "%s: %s", bad[i], status.message);
    }
}

/* The value of a move is that of the thoughts; the best one is the hint of a greedy agent. */
Test(session, values_of_moves) {
    Status status = {.code = STATUS_OK};
    Text text;
    text_init(&text);
    WebSessionSetup setup = {
        .agent = "weighted", .person = true, .seed = 5, .position = "10x20;;O;"};
    WebSession *session = web_session_new(&setup, &status);
    cr_assert(session, "%s", status.message);
    web_session_write_hint(session, &text);
    Json *hint = parsed(&text);
    web_session_write_thoughts(session, &text);
    Json *thoughts = parsed(&text);
    const Json *best = json_at(json_get(thoughts, "best"), 0);
    cr_expect_eq(json_number(json_get(hint, "value")), json_number(json_get(best, "value")));
    Move corner = {.placement = {.piece = PIECE_O, .x = 0, .y = 0}};
    Move middle = {.placement = {.piece = PIECE_O, .x = 3, .y = 5}};
    cr_expect_gt(web_session_value(session, corner), web_session_value(session, middle));
    Move outside = {.placement = {.piece = PIECE_O, .x = 9, .y = -1}};
    cr_expect(isnan(web_session_value(session, outside)));
    json_free(hint);
    json_free(thoughts);
    web_session_free(session);
    text_release(&text);
}
