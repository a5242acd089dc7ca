/* bees: nectar by its definition, games by the rules, and the way that does not die. */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/parameters.h"
#include "movegen/reach.h"
#include "plain.h"
#include "player/nectar.h"
#include "player/registry.h"
#include "scale.h"

/* ---- nectar */

static bool plain_filled(const PlainBoard *board, int x, int y) {
    if (x < 0 || x >= board->width || y < 0)
        return true;
    return y < PLAIN_ROWS && board->cells[y][x];
}

typedef struct PlainNectar {
    int highest, lowest_row, lowest_column, trapped, covered, full;
    double open, all;
} PlainNectar;

static PlainNectar plain_nectar(const PlainBoard *board) {
    PlainNectar nectar = {.lowest_row = -1, .lowest_column = PLAIN_ROWS};
    for (int x = 0; x < board->width; x++) {
        int top = plain_height(board, x);
        nectar.highest = top > nectar.highest ? top : nectar.highest;
        nectar.lowest_column = top < nectar.lowest_column ? top : nectar.lowest_column;
        for (int y = 0; y < top; y++) {
            bool empty = !board->cells[y][x];
            nectar.covered += empty;
            nectar.trapped += empty && plain_filled(board, x - 1, y) &&
                              plain_filled(board, x + 1, y) && plain_filled(board, x, y - 1) &&
                              plain_filled(board, x, y + 1);
        }
        for (int y = 0; y < board->height; y++) {
            nectar.all += y + 1;
            nectar.open += y >= top ? y + 1 : 0;
        }
    }
    for (int y = 0; y < board->height; y++) {
        int filled = 0;
        for (int x = 0; x < board->width; x++)
            filled += board->cells[y][x];
        nectar.full += filled == board->width;
        if (filled < board->width && nectar.lowest_row < 0)
            nectar.lowest_row = y;
    }
    return nectar;
}

static void random_board(Rng *rng, PlainBoard *plain, Columns *columns) {
    int width = rng_between(rng, 4, 16), height = rng_between(rng, 6, 24);
    *plain = (PlainBoard){.width = width, .height = height};
    *columns = (Columns){.width = (uint8_t)width, .height = (uint8_t)height};
    int full = rng_between(rng, 0, 3), top = rng_between(rng, 0, height - 1);
    double density = 0.5 + rng_real(rng) / 2;
    for (int x = 0; x < width; x++)
        for (int y = 0; y < top; y++) {
            plain->cells[y][x] = y < full || rng_chance(rng, density);
            columns->column[x] |= (uint64_t)plain->cells[y][x] << y;
        }
    if (top == height)
        plain->cells[top - 1][0] = false;
}

Test(bees, nectar_is_what_its_definition_says) {
    Rng rng;
    rng_init(&rng, 31, 0);
    for (int round = 0, rounds = scaled(20000); round < rounds; round++) {
        PlainBoard plain;
        Columns columns;
        random_board(&rng, &plain, &columns);
        int64_t removed = rng_between(&rng, 0, 30);
        PlainNectar expected = plain_nectar(&plain);
        NectarView view = nectar_look(&columns, LOWEST_ROW);
        cr_assert_eq(view.highest, expected.highest);
        cr_assert_eq(view.lowest, expected.lowest_row);
        cr_assert_eq(view.trapped, expected.trapped);
        cr_assert_eq(view.covered, expected.covered);
        cr_assert_eq(view.full, expected.full);
        cr_assert_eq(nectar_look(&columns, LOWEST_COLUMN).lowest, expected.lowest_column);
        double rows = (double)(removed + expected.full);
        double against = expected.highest - expected.lowest_row + 3 * expected.trapped +
                         2 * expected.covered + expected.highest;
        double weights = against > 0 ? (1 + 1000 * rows) / against : 0;
        double skyline = (1 + rows) * expected.open / expected.all;
        double hybrid = skyline * (1 + rows) / (1 + expected.covered);
        cr_assert_float_eq(nectar_of(NECTAR_WEIGHTS, &nectar_default_weights, &view, removed),
                           weights, 1e-9);
        cr_assert_float_eq(nectar_of(NECTAR_SKYLINE, &nectar_default_weights, &view, removed),
                           skyline, 1e-9);
        cr_assert_float_eq(nectar_of(NECTAR_HYBRID, &nectar_default_weights, &view, removed),
                           hybrid, 1e-9);
    }
}

static Columns columns_of(const char *const *rows, int count) {
    Columns columns = {.width = 10, .height = 20};
    for (int i = 0; i < count; i++)
        for (int x = 0; x < 10; x++)
            columns.column[x] |= (uint64_t)(rows[i][x] == '#') << (count - 1 - i);
    return columns;
}

/* The worked values of the thesis, section 7.3.1. The first board has no full row, one trapped and
 * seven covered cells, column tops at 3 and 4: (1 + 0) / (1 + 1 + 7 + 4). The second has lost two
 * rows of weight 2, and what is left is one row high: (1 + 2 * 2) / (1 + 0 + 0 + 1). */
Test(bees, worked_values_of_the_thesis) {
    static const char *const first[] = {".....#....", "#####.####", "#...######", "#...######"};
    static const char *const second[] = {"..#####..."};
    NectarWeights ones = {1, 1, 1, 2, 1, false};
    Columns columns = columns_of(first, 4);
    NectarView view = nectar_look(&columns, LOWEST_COLUMN);
    cr_assert_eq(view.trapped, 1);
    cr_assert_eq(view.covered, 7);
    cr_assert_eq(view.highest - view.lowest, 1);
    cr_assert_eq(view.highest, 4);
    cr_assert_float_eq(nectar_of(NECTAR_WEIGHTS, &ones, &view, 0), 1.0 / 13, 1e-12);
    columns = columns_of(second, 1);
    view = nectar_look(&columns, LOWEST_COLUMN);
    cr_assert_float_eq(nectar_of(NECTAR_WEIGHTS, &ones, &view, 2), 2.5, 1e-12);
}

/* The three skylines of a board of 10 x 20 with one column of height 5: 195 of 200 cells; of the
 * weights 10 * 210 all but 1 + 2 + 3 + 4 + 5; and that times 1 + rows. */
Test(bees, versions_of_the_skyline) {
    static const char *const rows[] = {"#.........", "#.........", "#.........", "#.........",
                                       "#........."};
    Columns columns = columns_of(rows, 5);
    NectarView view = nectar_look(&columns, LOWEST_ROW);
    const NectarWeights *weights = &nectar_default_weights;
    cr_assert_float_eq(nectar_of(NECTAR_SKYLINE_1, weights, &view, 3), 195.0 / 200, 1e-12);
    cr_assert_float_eq(nectar_of(NECTAR_SKYLINE_2, weights, &view, 3), 2085.0 / 2100, 1e-12);
    cr_assert_float_eq(nectar_of(NECTAR_SKYLINE, weights, &view, 3), 4 * 2085.0 / 2100, 1e-12);
    /* hybrid: by the text over 1 + covered, by the program over weight * (1 + covered) + 1. */
    NectarWeights program = {.covered = 2, .published_hybrid = true};
    cr_assert_float_eq(nectar_of(NECTAR_HYBRID, weights, &view, 3), 16 * 2085.0 / 2100, 1e-12);
    cr_assert_float_eq(nectar_of(NECTAR_HYBRID, &program, &view, 3), 16 * 2085.0 / 2100 / 3, 1e-12);
}

/* ---- games */

enum { PIECES = 400 };

typedef struct Played {
    Game game;
    Move moves[PIECES];
    int64_t count;
} Played;

static const Rules rules = {.set = RULES_GUIDELINE, .width = 10, .height = 20};

static unsigned threads; /* of the colony; 0 counts as 1 */

static void *new_bees(const char *const *pairs, int pair_count) {
    AgentSetup setup = {.rules = rules, .threads = threads};
    Status status = {0};
    cr_assert(evaluator_from_preset(&setup.evaluator, bees_agent.weights));
    Parameters parameters;
    parameters_init(&parameters, bees_agent.name, bees_agent.parameters);
    for (int i = 0; i < pair_count; i++)
        cr_assert(parameters_set(&parameters, pairs[i], &status));
    void *player = bees_agent.new_player(&setup, parameters.values, &status);
    cr_assert(player);
    return player;
}

static void play_bees(const char *const *pairs, int pair_count, int64_t pieces, uint64_t seed,
                      bool record, Played *played) {
    void *player = new_bees(pairs, pair_count);
    Status status = {0};
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    game_init(&played->game, &rules, &randomizer);
    AgentRecord kept = {.moves = played->moves, .capacity = PIECES};
    AgentLimits limits = {pieces, INT64_MAX, UINT64_MAX, NULL};
    Rng rng;
    rng_init(&rng, seed, 1);
    cr_assert(bees_agent.play(player, &played->game, &limits, &rng, record ? &kept : NULL, &status),
              "%s", status.message);
    played->count = kept.count;
    bees_agent.free_player(player);
}

/* What a colony records is a game by the rules: the engine plays it again and ends on the same
 * board with the same rows. */
Test(bees, a_recorded_game_can_be_played_again) {
    static const char *const nectars[] = {"nectar=weights", "nectar=skyline",  "nectar=hybrid",
                                          "nectar=judged",  "as-published=on", "clean=lock"};
    static Played played;
    for (int i = 0; i < 6; i++) {
        const char *const pairs[] = {"bees=40", nectars[i]};
        play_bees(pairs, 2, PIECES, 7 + (uint64_t)i, true, &played);
        cr_assert_gt(played.count, 15, "%s", nectars[i]);
        cr_assert_eq(played.count, played.game.pieces + (played.game.over == OVER_LOCK_OUT));
        Randomizer randomizer;
        randomizer_init(&randomizer, RANDOMIZER_BAG, 7 + (uint64_t)i, 0);
        Game game;
        game_init(&game, &played.game.rules, &randomizer);
        for (int64_t k = 0; k < played.count; k++) {
            Placement at = played.moves[k].placement;
            Columns columns;
            columns_from_board(&columns, &game.board);
            cr_assert_eq(at.piece, game.current);
            cr_assert(reach_contains(&columns, at, false, false), "%s, piece %d", nectars[i],
                      (int)k);
            game_place(&game, at);
        }
        cr_assert_eq(game.lines, played.game.lines, "%s", nectars[i]);
        cr_assert_eq(game.score, played.game.score, "%s", nectars[i]);
        cr_assert_eq(game.over, played.game.over, "%s", nectars[i]);
        for (int y = 0; y < board_rows(&game.board); y++)
            cr_assert_eq(board_row(&game.board, y), board_row(&played.game.board, y));
    }
}

Test(bees, the_same_seed_gives_the_same_game_and_another_another) {
    static Played first, second;
    const char *const pairs[] = {"bees=30"};
    play_bees(pairs, 1, PIECES, 3, false, &first);
    play_bees(pairs, 1, PIECES, 3, false, &second);
    cr_assert_eq(first.game.lines, second.game.lines);
    cr_assert_eq(first.game.pieces, second.game.pieces);
    cr_assert(board_equal(&first.game.board, &second.game.board));
    play_bees(pairs, 1, PIECES, 4, false, &second);
    cr_assert_not(board_equal(&first.game.board, &second.game.board));
}

/* One colony on several threads plays the same game, in each of its ways. */
Test(bees, threads_do_not_matter) {
    static Played one, three;
    static const char *const ways[] = {"as-published=on", "onlookers=own",  "improved=leave",
                                       "limit-reset=on",  "scout-piece=on", "moves=places"};
    for (int i = 0; i < 6; i++) {
        const char *const pairs[] = {"bees=60", ways[i]};
        threads = 1;
        play_bees(pairs, 2, 60, 5, false, &one);
        threads = 3;
        play_bees(pairs, 2, 60, 5, false, &three);
        threads = 0;
        cr_assert_gt(one.game.pieces, 10, "%s", ways[i]);
        cr_assert_eq(one.game.pieces, three.game.pieces, "%s", ways[i]);
        cr_assert_eq(one.game.score, three.game.score, "%s", ways[i]);
        cr_assert(board_equal(&one.game.board, &three.game.board), "%s", ways[i]);
    }
}

/* Every way of the published program changes the game, and all of them are as-published. */
Test(bees, as_published_is_the_sum_of_its_parts) {
    static Played parts, all;
    enum { WAYS = 4, ALWAYS = 3 };
    static const char *const on[WAYS] = {"onlookers=own", "improved=leave", "limit-reset=on",
                                         "clean-scouts=on"};
    static const char *const off[WAYS] = {"onlookers=shared", "improved=stay", "limit-reset=off",
                                          "clean-scouts=off"};
    static const char *const published[] = {"bees=60", "limit=4", "scout-piece=on",
                                            "as-published=on"};
    for (int without = -1; without < WAYS; without++) {
        const char *pairs[ALWAYS + WAYS] = {"bees=60", "limit=4", "scout-piece=on"};
        for (int k = 0; k < WAYS; k++)
            pairs[ALWAYS + k] = k == without ? off[k] : on[k];
        bool same = true;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            play_bees(pairs, ALWAYS + WAYS, 60, seed, false, &parts);
            play_bees(published, 4, 60, seed, false, &all);
            same = same && board_equal(&parts.game.board, &all.game.board);
        }
        cr_assert_eq(same, without < 0, "%s", without < 0 ? "all" : off[without]);
    }
}

/* A round advances the best game by one piece, that of a scout by two where it places one first. */
Test(bees, rounds_end_the_game) {
    static Played played;
    const char *const pairs[] = {"bees=20", "rounds=3", "scout-piece=on"};
    play_bees(pairs, 2, PIECES, 3, false, &played);
    cr_assert_eq(played.game.pieces, 3);
    cr_assert_eq(played.game.over, OVER_NOT);
    play_bees(pairs, 3, PIECES, 3, false, &played);
    cr_assert_gt(played.game.pieces, 3);
}

/* 2 games of 5 bytes a placement: this many times 10 is 4 in 64 bits. */
Test(bees, a_game_too_long_to_be_saved_is_refused) {
    const char *const pairs[] = {"bees=2"};
    void *player = new_bees(pairs, 1);
    Status status = {0};
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, 1, 0);
    Game game;
    game_init(&game, &rules, &randomizer);
    Move none[1];
    AgentRecord record = {.moves = none, .capacity = 1844674407370955162};
    AgentLimits limits = {PIECES, INT64_MAX, UINT64_MAX, NULL};
    Rng rng;
    rng_init(&rng, 1, 1);
    cr_assert(!bees_agent.play(player, &game, &limits, &rng, &record, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    bees_agent.free_player(player);
}

/* With the published ways a small colony is dead by then (as the second half shows). */
Test(bees, judged_places_live_on) {
    static Played played;
    const char *const ours[] = {"bees=40", "nectar=judged", "moves=places"};
    const char *const published[] = {"bees=40"};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        play_bees(ours, 3, 300, seed, false, &played);
        cr_assert_eq(played.game.over, OVER_NOT);
        cr_assert_eq(played.game.pieces, 300);
        cr_assert_gt(played.game.lines, 100);
        play_bees(published, 1, 300, seed, false, &played);
        cr_assert_neq(played.game.over, OVER_NOT);
    }
}
