/* engine: pieces, board, score, randomisers and the game, by the rules. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>

#include "engine/columns.h"
#include "engine/game.h"

Test(piece, canonical_states_fill_the_same_cells) {
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int r = 0; r < ROTATION_COUNT; r++) {
            const Shape *shape = &piece_shapes[p][r];
            const Shape *other = &piece_shapes[p][piece_canonical_rotation[p][r]];
            Cell shift = piece_canonical_shift[p][r];
            for (int i = 0; i < 4; i++) {
                int found = 0;
                for (int k = 0; k < 4; k++)
                    found += shape->cells[i].x == other->cells[k].x + shift.x &&
                             shape->cells[i].y == other->cells[k].y + shift.y;
                cr_assert_eq(found, 1, "%c %d", piece_letters[p], r);
            }
        }
}

Test(score, tables) {
    cr_assert_eq(score_lines(SCORING_UNIT, 4, 9), 8);
    cr_assert_eq(score_lines(SCORING_UNIT, 6, 9), 11);
    cr_assert_eq(score_lines(SCORING_GUIDELINE, 3, 2), 1000);
    cr_assert_eq(score_lines(SCORING_LOCAL_SEARCH, 2, 3), 600);
    cr_assert_eq(score_lines(SCORING_CLASSIC, 1, 7), 40);
    cr_assert_eq(score_level(29), 3);
    /* The level before the clear, or the one that the clear brings: 9 + 4 lines are level 2. */
    cr_assert_eq(score_clear(SCORING_LOCAL_SEARCH, 4, 9), 800);
    cr_assert_eq(score_clear(SCORING_LOCAL_SEARCH_PUBLISHED, 4, 9), 1600);
    cr_assert_eq(score_clear(SCORING_LOCAL_SEARCH_PUBLISHED, 1, 8), 100);
    cr_assert_float_eq(score_gravity_seconds(1), 1.0, 1e-12);
    cr_assert_float_eq(score_gravity_seconds(3), pow(0.8 - 2 * 0.007, 2), 1e-12);
    cr_assert_eq(score_gravity_seconds(20), score_gravity_seconds(99));
}

Test(score, bonuses) {
    ScoreChain chain = {0};
    cr_assert_eq(score_with_bonus((ScoreLock){4, SPIN_NONE, false}, 1, &chain), 800);
    cr_assert_eq(score_with_bonus((ScoreLock){4, SPIN_NONE, false}, 2, &chain), 2 * (1200 + 50));
    cr_assert_eq(score_with_bonus((ScoreLock){0, SPIN_NONE, false}, 1, &chain), 0);
    cr_assert_eq(score_with_bonus((ScoreLock){2, SPIN_FULL, false}, 1, &chain), 1800);
    cr_assert_eq(score_with_bonus((ScoreLock){1, SPIN_NONE, true}, 1, &chain), 100 + 50 + 800);
    cr_assert(!chain.back_to_back);
}

Test(randomizer, bags_hold_every_piece_once) {
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, 3, 0);
    for (int bag = 0; bag < 100; bag++) {
        unsigned seen = 0;
        for (int i = 0; i < 7; i++)
            seen |= 1u << randomizer_next(&randomizer);
        cr_assert_eq(seen, 127u);
    }
}

Test(pieces, letters_and_csv_names) {
    uint8_t pieces[16];
    Status status;
    cr_assert_eq(pieces_parse("I O\nT", pieces, 16, &status), 3);
    cr_assert_eq(pieces[2], PIECE_T);
    cr_assert_eq(pieces_parse("I,RS,LG,T,RG,LS,Sq\n", pieces, 16, &status), 7);
    static const uint8_t expected[7] = {PIECE_I, PIECE_S, PIECE_J, PIECE_T,
                                        PIECE_L, PIECE_Z, PIECE_O};
    cr_assert_arr_eq(pieces, expected, 7);
    cr_assert_eq(pieces_parse("IX", pieces, 16, &status), -1);
    cr_assert_str_eq(status.message, "'X' at position 2 is not a piece (IOTSZJL)");
    cr_assert_eq(pieces_parse("IOTSZ", pieces, 4, &status), -1);
}

static void start(Game *game, const char *letters, bool hold) {
    static uint8_t list[64];
    Status status;
    int count = pieces_parse(letters, list, sizeof list, &status);
    Randomizer randomizer;
    randomizer_init_list(&randomizer, list, (size_t)count);
    Rules rules = {
        .set = RULES_GUIDELINE, .scoring = SCORING_UNIT, .hold = hold, .width = 10, .height = 20};
    game_init(game, &rules, &randomizer);
}

Test(game, hold_swaps_and_comes_back_at_the_end) {
    Game game;
    start(&game, "TI", true);
    cr_assert(game_press(&game, KEY_HOLD));
    cr_assert_eq(game.current, PIECE_I);
    cr_assert_eq(game.hold, PIECE_T);
    cr_assert(!game_press(&game, KEY_HOLD), "only once a turn");
    game_press(&game, KEY_HARD_DROP);
    cr_assert_eq(game.current, PIECE_T, "the queue is used up: the held piece comes");
    cr_assert_eq(game.hold, PIECE_NONE);
    cr_assert(!game_press(&game, KEY_HOLD), "nothing to swap with");
    game_press(&game, KEY_HARD_DROP);
    cr_assert_eq(game.over, OVER_NO_PIECES);
    cr_assert_eq(game.pieces, 2);
}

Test(game, a_tetris_clears_the_board) {
    Game game;
    start(&game, "IIIIIIIIIIO", false);
    for (int i = 0; i < 10; i++) {
        game_press(&game, KEY_CLOCKWISE); /* centre to column 5 */
        for (int k = 0; k < 12; k++)
            game_press(&game, KEY_LEFT);
        for (int k = 0; k < i; k++)
            game_press(&game, KEY_RIGHT);
        game_press(&game, KEY_HARD_DROP);
    }
    cr_assert_eq(game.lines, 4);
    cr_assert_eq(game.clears[3], 1);
    cr_assert_eq(game.score, 8);
    cr_assert_eq(board_count(&game.board), 0);
    cr_assert_eq(game.peak_rows, 4);
    const char *reason;
    cr_assert(game_ok(&game, &reason), "%s", reason);
}

Test(game, towers_end_by_block_out) {
    Game game;
    start(&game, "OOOOOOOOOOOOOO", false);
    while (game_press(&game, KEY_HARD_DROP))
        ;
    cr_assert_eq(game.over, OVER_BLOCK_OUT);
    cr_assert_eq(game.pieces, 10);
}

static void start_drop(Game *game, const Board *board) {
    static const uint8_t list[] = {PIECE_I, PIECE_O};
    Randomizer randomizer;
    randomizer_init_list(&randomizer, list, sizeof list);
    Rules rules = {.set = RULES_DROP, .width = board->width, .height = board->height};
    game_init_board(game, &rules, &randomizer, board);
}

/* A bridge in the row of the spawn, nothing below it: the piece comes from above and lies on it. */
Test(game, under_drop_a_stack_at_the_spawn_is_not_passed_through) {
    Board board;
    board_init(&board, 10, 20);
    board_set_row(&board, 19, 0x78);
    Game game;
    start_drop(&game, &board);
    const char *reason;
    cr_assert_eq(game.over, OVER_NOT);
    cr_assert(game_ok(&game, &reason), "%s", reason);
    cr_assert(!game_press(&game, KEY_SOFT_DROP));
    Game beside = game;
    cr_assert(game_press(&game, KEY_HARD_DROP));
    cr_assert_eq(game.over, OVER_LOCK_OUT);
    cr_assert(board_equal(&game.board, &board), "what ends the game is not written");
    for (int i = 0; i < 4; i++)
        cr_assert(game_press(&beside, KEY_RIGHT) || i == 3);
    cr_assert(game_press(&beside, KEY_CLOCKWISE));
    for (int i = 0; i < 4; i++)
        game_press(&beside, KEY_RIGHT);
    game_press(&beside, KEY_HARD_DROP);
    cr_assert_eq(beside.over, OVER_NOT);
    cr_assert_eq(board_count(&beside.board), 8);
    cr_assert(board_cell(&beside.board, 9, 0));
}

Test(game, under_drop_a_board_above_its_height_is_over) {
    Board board;
    board_init(&board, 10, 20);
    board_set_row(&board, 19, 1);
    Game game;
    start_drop(&game, &board);
    cr_assert_eq(game.over, OVER_NOT);
    board_set_row(&board, 20, 1);
    start_drop(&game, &board);
    cr_assert_eq(game.over, OVER_LOCK_OUT);
}

Test(game, columns_and_board_agree_over_random_games) {
    Rng rng;
    rng_init(&rng, 5, 0);
    for (int i = 0; i < 200; i++) {
        Rules rules = {.set = i % 2 ? RULES_DROP : RULES_GUIDELINE,
                       .hold = true,
                       .width = (uint8_t)rng_between(&rng, 4, 16),
                       .height = (uint8_t)rng_between(&rng, 4, 40)};
        Randomizer randomizer;
        randomizer_init(&randomizer, RANDOMIZER_UNIFORM, 5, (uint64_t)i);
        Game game;
        game_init(&game, &rules, &randomizer);
        while (game.over == OVER_NOT) {
            game_press(&game, (Key)rng_below(&rng, KEY_COUNT));
            const char *reason;
            cr_assert(game_ok(&game, &reason), "%s", reason);
            Columns columns;
            Board board;
            columns_from_board(&columns, &game.board);
            columns_to_board(&columns, &board);
            cr_assert(board_equal(&board, &game.board));
            cr_assert_eq(board_count(&board), 4 * game.pieces - rules.width * game.lines);
        }
    }
}

/* Debug builds assert the invariants after every change (base/check.h); a release does not. */
#ifndef NDEBUG
Test(check, a_broken_board_stops_a_debug_build, .signal = SIGABRT) {
    Board board;
    board_init(&board, 10, 20);
    board.words[0] = 0; /* below the floor */
    board_clear_rows(&board);
}

Test(check, a_broken_game_stops_a_debug_build, .signal = SIGABRT) {
    Rules rules = {.set = RULES_GUIDELINE, .width = 10, .height = 20};
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, 1, 0);
    Game game;
    game_init(&game, &rules, &randomizer);
    game.hold = PIECE_NONE + 1;
    game_press(&game, KEY_LEFT);
}
#endif
