/* Replays: recorded, written, read and played again; what did not happen is refused. */
#include <signal.h>

#include "formats/fumen.h"
#include "formats/replay.h"
#include "movegen/reach.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A game by random keys, recorded. */
static void record_game(uint64_t seed, Rules rules, int presses, Replay *replay) {
    Rng rng;
    rng_init(&rng, seed, 1);
    Grid start;
    grid_init(&start, rules.width, rules.height);
    if (seed % 2)
        start.cells[0][0] = 'G';
    Board board;
    grid_to_board(&start, &board);
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    Game game;
    game_init_board(&game, &rules, &randomizer, &board);
    replay_record(replay, &game, &start);
    for (int i = 0; i < presses; i++)
        replay_press(replay, &game, (Key)rng_below(&rng, KEY_COUNT));
    replay_finish(replay, &game);
}

static const Rules bonus_rules = {.scoring = SCORING_GUIDELINE,
                                  .bonus = true,
                                  .hold = true,
                                  .rotate180 = true,
                                  .width = 10,
                                  .height = 20};

static void write_and_read(const Replay *replay, Replay *again) {
    Text text;
    text_init(&text);
    Status status = {0};
    cr_assert(replay_write(replay, &text, &status), "%s", status.message);
    cr_assert(replay_read(again, text.data, text.length, &status), "%s", status.message);
    Text twice;
    text_init(&twice);
    cr_assert(replay_write(again, &twice, &status));
    cr_assert_str_eq(text.data, twice.data);
    text_release(&text);
    text_release(&twice);
}

Test(replay, recorded_games_play_again) {
    int64_t pieces = 0, over[4] = {0};
    for (uint64_t seed = 0; seed < 300; seed++) {
        Rules rules = bonus_rules;
        rules.hold = seed % 3 != 0;
        rules.width = (uint8_t)(4 + seed % 10);
        Replay replay, again;
        record_game(seed, rules, (int)(seed * 7), &replay);
        write_and_read(&replay, &again);
        Status status = {0};
        Game end;
        cr_assert(replay_play(&again, true, NULL, &end, &status), "seed %d: %s", (int)seed,
                  status.message);
        cr_assert_eq(end.score, replay.result.score);
        pieces += end.pieces;
        over[end.over]++;
        replay_release(&replay);
        replay_release(&again);
    }
    cr_assert_gt(pieces, 3000);
    cr_assert_gt(over[OVER_NOT], 0);
    cr_assert_gt(over[OVER_BLOCK_OUT] + over[OVER_LOCK_OUT], 0);
}

static void must_fail(const Replay *replay, const char *why) {
    Status status = {0};
    cr_assert_not(replay_play(replay, true, NULL, NULL, &status), "%s", why);
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert(strstr(status.message, why), "'%s' does not say '%s'", status.message, why);
}

/* Somebody who toys with a piece for long and leaves has a replay that can be read. */
Test(replay, keys_without_end) {
    for (int hold = 0; hold < 2; hold++) {
        Grid start;
        grid_init(&start, bonus_rules.width, bonus_rules.height);
        Randomizer randomizer;
        randomizer_init(&randomizer, RANDOMIZER_BAG, 3, 0);
        Game game;
        game_init(&game, &bonus_rules, &randomizer);
        Replay replay, again;
        replay_record(&replay, &game, &start);
        replay_press(&replay, &game, KEY_HARD_DROP);
        if (hold)
            cr_assert(replay_press(&replay, &game, KEY_HOLD));
        for (int i = 0; i <= REPLAY_MAX_KEYS; i++)
            cr_assert(replay_press(&replay, &game, i % 2 ? KEY_LEFT : KEY_RIGHT));
        replay_finish(&replay, &game);
        Status status = {0};
        cr_assert(replay_play(&replay, true, NULL, NULL, &status), "%s", status.message);
        write_and_read(&replay, &again);
        cr_assert_eq(again.key_count, 1 + (size_t)hold);
        cr_assert(replay_play(&again, true, NULL, NULL, &status), "%s", status.message);
        replay_release(&replay);
        replay_release(&again);
    }
}

Test(replay, tampering_is_found) {
    Replay replay;
    record_game(4, bonus_rules, 150, &replay);
    cr_assert_gt(replay.move_count, 6);
    ReplayMove *move = &replay.moves[5], kept = *move;
    move->placement.x++;
    must_fail(&replay, "moves[5]: the keys lead elsewhere");
    *move = kept;
    move->hold = !move->hold;
    must_fail(&replay, "moves[5]: hold");
    *move = kept;
    move->placement.piece = (uint8_t)((move->placement.piece + 1) % PIECE_COUNT);
    must_fail(&replay, "current piece is");
    *move = kept;
    replay.keys[move->first_key] = KEY_HARD_DROP;
    move->key_count = (uint16_t)(move->key_count > 1 ? move->key_count : 1);
    if (move->key_count > 1)
        must_fail(&replay, "moves[5]: keys[0]: drop must be the last");
    replay_release(&replay);

    record_game(4, bonus_rules, 150, &replay);
    replay.result.score++;
    must_fail(&replay, "result.score");
    replay.result.score--;
    replay.rules.hold = false;
    must_fail(&replay, "hold cannot be used here");
    replay.rules.hold = true;
    replay.pieces[0] = (uint8_t)((replay.pieces[0] + 1) % PIECE_COUNT);
    must_fail(&replay, "moves[");
    replay_release(&replay);
}

/* Records an agent that places at random, and the same again without its keys. */
static void record_placements(RuleSet set, Replay *replay) {
    Rules rules = {.set = set, .hold = set == RULES_GUIDELINE, .width = 10, .height = 20};
    Rng rng;
    rng_init(&rng, 9, set);
    Grid start;
    grid_init(&start, 10, 20);
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, 3, 0);
    Game game;
    game_init(&game, &rules, &randomizer);
    replay_record(replay, &game, &start);
    static Placement list[REACH_MAX];
    for (int i = 0; i < 40 && game.over == OVER_NOT; i++) {
        bool hold = rules.hold && rng_chance(&rng, 0.3) && game_hold_brings(&game) != PIECE_NONE;
        Piece piece = hold ? game_hold_brings(&game) : (Piece)game.current;
        Columns columns;
        columns_from_board(&columns, &game.board);
        int count = set == RULES_DROP ? drop_list(&columns, piece, list)
                                      : reach_list(&columns, piece, false, list);
        if (count == 0)
            break;
        replay_place(replay, &game, hold, list[rng_below(&rng, (uint32_t)count)]);
    }
    replay_finish(replay, &game);
    cr_assert_gt(replay->move_count, 3);
}

Test(replay, placements_without_keys) {
    for (int set = 0; set < RULES_COUNT; set++) {
        Replay replay, again;
        record_placements((RuleSet)set, &replay);
        write_and_read(&replay, &again);
        Status status = {0};
        cr_assert(replay_play(&again, true, NULL, NULL, &status), "%s", status.message);
        again.moves[2].placement.y++;
        must_fail(&again, "moves[2]: cannot be reached");
        replay_release(&replay);
        replay_release(&again);
    }
}

Test(replay, missing_keys_are_found) {
    Replay replay;
    record_placements(RULES_GUIDELINE, &replay);
    ReplayResult before = replay.result;
    Status status = {0};
    cr_assert(replay_complete(&replay, &status), "%s", status.message);
    for (size_t i = 0; i < replay.move_count; i++) {
        const ReplayMove *move = &replay.moves[i];
        cr_assert_gt(move->key_count, 0);
        cr_assert_eq(replay.keys[move->first_key + move->key_count - 1u], KEY_HARD_DROP);
        cr_assert_eq(replay.keys[move->first_key] == KEY_HOLD, move->hold);
    }
    cr_assert_eq(replay.result.score, before.score);
    cr_assert(replay_play(&replay, true, NULL, NULL, &status), "%s", status.message);
    replay_release(&replay);
}

Test(replay, solutions_and_fumens) {
    Replay replay, solution, read;
    Rules rules = bonus_rules;
    rules.rotate180 = rules.bonus = false;
    rules.scoring = SCORING_UNIT;
    record_game(12, rules, 400, &replay);
    DecodeStep *steps = calloc(replay.move_count, sizeof *steps);
    Status status = {0};
    cr_assert(replay_play(&replay, true, steps, NULL, &status), "%s", status.message);
    int count = (int)replay.move_count;
    cr_assert(replay_from_steps(&solution, &replay.start, replay.pieces, replay.piece_count, steps,
                                count, &status),
              "%s", status.message);
    cr_assert_eq(solution.result.score, replay.result.score);
    cr_assert_eq(solution.result.lines, replay.result.lines);
    Text text;
    text_init(&text);
    cr_assert(fumen_write_game(&replay.start, steps, count, "a title", &text, &status));
    cr_assert(replay_from_fumen(&read, text.data, text.length, &status), "%s", status.message);
    cr_assert_str_eq(read.title, "a title");
    cr_assert_eq(read.move_count, replay.move_count);
    cr_assert_eq(read.result.lines, replay.result.lines);
    for (size_t i = 0; i < read.move_count; i++)
        cr_assert(placement_same_cells(read.moves[i].placement, replay.moves[i].placement));
    text_release(&text);
    free(steps);
    replay_release(&replay);
    replay_release(&solution);
    replay_release(&read);
}

Test(replay, fumens_that_are_no_games) {
    FumenPage pages[2];
    fumen_page_init(&pages[0]);
    fumen_page_init(&pages[1]);
    pages[1].field.cells[0][0] = 'T';
    const char *why = "page 2: the field was edited";
    for (int round = 0; round < 2; round++) {
        Text text;
        text_init(&text);
        Status status = {0};
        Replay replay;
        cr_assert(fumen_encode(pages, 2, &text, &status));
        cr_assert_not(replay_from_fumen(&replay, text.data, text.length, &status));
        cr_assert(strstr(status.message, why), "%s", status.message);
        text_release(&text);
        pages[0].placement = (Placement){.piece = PIECE_T, .rotation = NORTH, .x = 4, .y = 7};
        fumen_page_leave(&pages[0], &pages[1].field);
        why = "moves[0]: cannot be reached";
    }
}

static void refuses(const char *format, const char *part, const char *why) {
    char text[2048];
    snprintf(text, sizeof text, format, part);
    Replay replay;
    Status status = {0};
    cr_assert_not(replay_read(&replay, text, strlen(text), &status), "%s", text);
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert(strstr(status.message, why), "'%s' does not say '%s'", status.message, why);
}

#define HEAD                                                                                       \
    "{\"format\":\"tetropt replay\",\"version\":1,\"rules\":{\"set\":\"guideline\","               \
    "\"scoring\":\"unit\",\"hold\":true,\"width\":10,\"height\":20}"
#define RESULT "\"result\":{\"score\":0,\"lines\":0,\"pieces\":0,\"over\":\"no\"}"

Test(replay, bad_documents_name_the_place) {
    refuses("%s", "", "JSON");
    refuses("%s", "[]", "not a JSON object");
    refuses("%s", "{\"format\":\"other\"}", "format");
    refuses("%s", "{\"format\":\"tetropt replay\",\"version\":2}", "version");
    refuses("%s", "{\"format\":\"tetropt replay\",\"version\":1}", "rules: missing");
    refuses("{\"format\":\"tetropt replay\",\"version\":1,\"rules\":{%s}}", "\"set\":\"x\"",
            "rules: set: 'x' is not one of");
    refuses(HEAD ",\"extra\":1}%s", "", "extra: unknown member");
    refuses(HEAD ",\"board\":[\"%s\"]}", "..", "board[0]");
    refuses(HEAD ",\"board\":[],\"pieces\":\"%s\"}", "TX", "pieces: 'X' (number 2)");
    refuses(HEAD ",\"board\":[],\"pieces\":\"T\",\"moves\":[{%s}]}", "\"piece\":\"T\"",
            "moves[0]: rotation: missing");
    refuses(HEAD ",\"board\":[],\"pieces\":\"T\",\"moves\":[{%s}]}",
            "\"piece\":\"T\",\"rotation\":\"east\",\"x\":99,\"y\":0", "moves[0]: x: 99");
    refuses(HEAD ",\"board\":[],\"pieces\":\"T\",\"moves\":[{%s}]}",
            "\"piece\":\"T\",\"rotation\":\"east\",\"x\":1,\"y\":0,\"keys\":[\"drop\",\"up\"]",
            "moves[0]: keys[1]");
    refuses(HEAD ",\"board\":[],\"pieces\":\"T\",\"moves\":[]%s}", "", "result: missing");
    char good[1024];
    snprintf(good, sizeof good, "%s",
             HEAD ",\"board\":[],\"pieces\":\"T\",\"moves\":[]," RESULT "}");
    Replay replay;
    Status status = {0};
    cr_assert(replay_read(&replay, good, strlen(good), &status), "%s", status.message);
    cr_assert(replay_play(&replay, true, NULL, NULL, &status), "%s", status.message);
    replay_release(&replay);
}

/* A game that starts with a held piece; only a piece can be held, and only where there is hold. */
Test(replay, starts_with_a_held_piece) {
    static const struct {
        const char *hold, *rule, *why;
    } cases[] = {{"\"L\"", "true", NULL},
                 {"\"X\"", "true", "hold: not a piece"},
                 {"\"LL\"", "true", "hold: not a piece"},
                 {"1", "true", "hold: not a piece"},
                 {"\"L\"", "false", "hold: not used under these rules"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text;
        text_init(&text);
        text_format(&text,
                    "{\"format\":\"tetropt replay\",\"version\":1,\"rules\":{\"set\":\"guideline\","
                    "\"scoring\":\"unit\",\"bonus\":false,\"hold\":%s,\"rotate180\":false,"
                    "\"width\":10,\"height\":20},\"board\":[],\"pieces\":\"OI\",\"hold\":%s,"
                    "\"moves\":[{\"piece\":\"L\",\"x\":4,\"y\":0,\"rotation\":\"north\","
                    "\"hold\":true}],\"result\":{\"score\":0,\"lines\":0,\"pieces\":1,"
                    "\"over\":\"no\"}}",
                    cases[i].rule, cases[i].hold);
        Replay replay;
        Game end;
        Status status = {.code = STATUS_OK};
        bool ok = replay_read(&replay, text.data, text.length, &status);
        if (cases[i].why) {
            cr_expect_not(ok, "%s", cases[i].hold);
            cr_expect_str_eq(status.message, cases[i].why);
        } else {
            cr_assert(ok, "%s", status.message);
            cr_assert(replay_play(&replay, true, NULL, &end, &status), "%s", status.message);
            cr_expect_eq(end.hold, PIECE_O);
            cr_expect_eq(end.current, PIECE_I);
            replay_release(&replay);
        }
        text_release(&text);
    }
}
