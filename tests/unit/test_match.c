/* Tests of core/match: garbage, attack tables, rule files, Elo and the sequential test. */
#include "base/rng.h"
#include "engine/grid.h"
#include "match/match.h"
#include "player/bot/evaluate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static MatchRules rules_of(const char *name) {
    MatchRules rules;
    Status status = {0};
    cr_assert(match_rules_read(name, &rules, &status), "%s", status.message);
    return rules;
}

/* The bot plays for the table of `guideline`: both must be the same. */
Test(match, attack_is_that_of_the_bot) {
    MatchRules rules = rules_of("guideline");
    for (int lines = 0; lines <= 4; lines++)
        for (int spin = 0; spin < SPIN_COUNT; spin++)
            for (int combo = 0; combo < 20; combo++)
                for (int flags = 0; flags < 4; flags++) {
                    if ((spin == SPIN_FULL && lines > 3) || (spin == SPIN_MINI && lines > 2))
                        continue;
                    bool perfect = lines > 0 && (flags & 1), chain = flags & 2;
                    int sent = match_attack(&rules, (ScoreLock){lines, (Spin)spin, perfect},
                                            (ScoreChain){combo, chain});
                    BotClear clear = {PIECE_T, (uint8_t)spin, (uint8_t)lines, perfect};
                    cr_expect_eq(sent, evaluate_attack((BotChain){(uint8_t)combo, chain}, clear));
                }
}

Test(match, attack_ppt) {
    static const struct {
        ScoreLock lock;
        ScoreChain before;
        int sent;
    } cases[] = {
        {{1, SPIN_NONE, false}, {0, false}, 0},  {{2, SPIN_NONE, false}, {0, false}, 1},
        {{3, SPIN_NONE, false}, {0, true}, 2},   {{4, SPIN_NONE, false}, {0, false}, 4},
        {{4, SPIN_NONE, false}, {0, true}, 5},   {{1, SPIN_FULL, false}, {0, false}, 2},
        {{2, SPIN_FULL, false}, {0, true}, 5},   {{3, SPIN_FULL, false}, {0, false}, 6},
        {{1, SPIN_MINI, false}, {0, true}, 1},   {{2, SPIN_MINI, false}, {0, false}, 1},
        {{1, SPIN_NONE, false}, {2, false}, 1},  {{1, SPIN_NONE, false}, {11, false}, 5},
        {{1, SPIN_NONE, false}, {50, false}, 5}, {{4, SPIN_NONE, true}, {5, true}, 10},
        {{0, SPIN_FULL, false}, {3, true}, 0},
    };
    MatchRules rules = rules_of("ppt");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(match_attack(&rules, cases[i].lock, cases[i].before), cases[i].sent,
                     "case %zu", i);
    cr_expect_eq(match_clear_frames(&rules, (ScoreLock){1, SPIN_NONE, false}), 36);
    cr_expect_eq(match_clear_frames(&rules, (ScoreLock){4, SPIN_NONE, false}), 46);
    cr_expect_eq(match_clear_frames(&rules, (ScoreLock){4, SPIN_NONE, true}), 1);
    cr_expect_eq(match_clear_frames(&rules, (ScoreLock){0, SPIN_NONE, false}), 0);
}

/* ---- garbage */

static Game game_with(uint64_t seed) {
    Rules rules = {.set = RULES_GUIDELINE, .hold = true, .width = 10, .height = 20};
    Randomizer randomizer;
    randomizer_init(&randomizer, RANDOMIZER_BAG, seed, 0);
    Game game;
    game_init(&game, &rules, &randomizer);
    return game;
}

Test(match, garbage_comes_up) {
    Game game = game_with(1);
    game_press(&game, KEY_HARD_DROP);
    Board before = game.board;
    static const uint8_t holes[] = {3, 3, 9};
    game_rise(&game, holes, 3);
    cr_expect_eq(board_row(&game.board, 2), 0x3ff & ~(1 << 3));
    cr_expect_eq(board_row(&game.board, 1), 0x3ff & ~(1 << 3));
    cr_expect_eq(board_row(&game.board, 0), 0x3ff & ~(1 << 9));
    for (int y = 0; y < 10; y++)
        cr_expect_eq(board_row(&game.board, y + 3), board_row(&before, y));
    cr_expect_eq(game.over, OVER_NOT);
    Grid grid;
    grid_init(&grid, 10, 20);
    for (int i = 0; i < 3; i++)
        grid_rise(&grid, holes[i]);
    Board shown;
    grid_to_board(&grid, &shown);
    for (int y = 0; y < 3; y++)
        cr_expect_eq(board_row(&shown, y), board_row(&game.board, y));
}

Test(match, garbage_ends_games) {
    uint8_t holes[45];
    memset(holes, 4, sizeof holes);
    Game game = game_with(1);
    game_rise(&game, holes, 17);
    cr_expect_eq(game.over, OVER_NOT);
    game_rise(&game, holes, 3); /* into the rows of the spawn, whose centre is column 4 */
    cr_expect_eq(game.over, OVER_BLOCK_OUT);
    game = game_with(1);
    game_rise(&game, holes, 45);
    cr_expect_eq(game.over, OVER_GARBAGE);
    const char *reason = NULL;
    cr_expect(board_ok(&game.board, &reason), "%s", reason ? reason : "");
}

/* ---- Elo */

/* The formulas of the literature, by the C library. */
static double plain_elo(double score) {
    return -400 * log10(1 / score - 1);
}

Test(match, elo_estimate) {
    EloPairs even = {{10, 20, 40, 20, 10}};
    EloEstimate estimate = elo_estimate(&even);
    cr_expect_float_eq(estimate.elo, 0, 1e-9);
    cr_expect_float_eq(estimate.low, -estimate.high, 1e-9);
    Rng rng;
    rng_init(&rng, 1, 0);
    for (int k = 0; k < 200; k++) {
        EloPairs pairs;
        double n = 0, sum = 0, squares = 0;
        for (int i = 0; i < 5; i++) {
            pairs.pairs[i] = 1 + rng_below(&rng, 100);
            n += (double)pairs.pairs[i];
            sum += (double)pairs.pairs[i] * i / 4;
            squares += (double)pairs.pairs[i] * i * i / 16;
        }
        double mean = sum / n, error = 1.959964 * sqrt((squares / n - mean * mean) / n);
        estimate = elo_estimate(&pairs);
        cr_expect_float_eq(estimate.elo, plain_elo(mean), 1e-6);
        cr_expect_float_eq(estimate.low, plain_elo(mean - error), 1e-3);
        cr_expect_float_eq(estimate.high, plain_elo(mean + error), 1e-3);
    }
    EloPairs won = {{0, 0, 0, 0, 100}};
    estimate = elo_estimate(&won);
    cr_expect(isinf(estimate.elo) && estimate.low > 300 && isinf(estimate.high));
}

/* The interval covers the truth in about 95 of 100 matches. */
Test(match, elo_covers) {
    Rng rng;
    rng_init(&rng, 2, 0);
    int covered = 0;
    enum { MATCHES = 2000 };
    double truth = elo_from_score(0.58);
    for (int k = 0; k < MATCHES; k++) {
        EloPairs pairs = {{0}};
        for (int i = 0; i < 300; i++) /* the second game often goes as the first */
            pairs.pairs[2 * ((int)rng_chance(&rng, 0.58) + (int)rng_chance(&rng, 0.58))]++;
        EloEstimate estimate = elo_estimate(&pairs);
        covered += estimate.low <= truth && truth <= estimate.high;
    }
    cr_expect(covered > MATCHES * 0.935 && covered < MATCHES * 0.965, "%d", covered);
}

/* The share of wrong verdicts is about alpha and beta. */
Test(match, test_errors) {
    EloTest test = {.elo0 = 0, .elo1 = 30, .alpha = 0.05, .beta = 0.05};
    cr_expect_float_eq(elo_lower(&test), log(0.05 / 0.95), 1e-9);
    cr_expect_float_eq(elo_upper(&test), log(0.95 / 0.05), 1e-9);
    Rng rng;
    rng_init(&rng, 3, 0);
    enum { TESTS = 400 };
    for (int truth = 0; truth < 2; truth++) {
        double score = elo_to_score(truth ? test.elo1 : test.elo0);
        int wrong = 0;
        for (int k = 0; k < TESTS; k++) {
            EloPairs pairs = {{0}};
            EloVerdict verdict = ELO_UNDECIDED;
            while (verdict == ELO_UNDECIDED) {
                pairs.pairs[2 * ((int)rng_chance(&rng, score) + (int)rng_chance(&rng, score))]++;
                verdict = elo_verdict(&test, &pairs);
            }
            wrong += verdict != (truth ? ELO_ACCEPTED_1 : ELO_ACCEPTED_0);
        }
        cr_expect(wrong < TESTS * 0.09, "%d wrong of %d", wrong, TESTS);
    }
}

Test(match, ratings) {
    /* A scores 3/4 against B, B 3/4 against C: differences of about 191. */
    double points[9] = {0, 75, 90, 25, 0, 75, 10, 25, 0};
    double games[9] = {0, 100, 100, 100, 0, 100, 100, 100, 0};
    double elo[3], error[3];
    elo_ratings(3, points, games, elo, error);
    cr_expect_float_eq(elo[0] + elo[1] + elo[2], 0, 1e-9);
    cr_expect_float_eq(elo[0] - elo[1], 191, 3);
    cr_expect_float_eq(elo[1] - elo[2], 191, 3);
    cr_expect(error[0] > 20 && error[0] < 80);
}

/* ---- a duel */

Test(match, duel_repeats_and_mirrors) {
    MatchRules rules = rules_of("ppt");
    Setup setups[2];
    DuelPlayer players[2];
    Status status = {0};
    static const char *const names[] = {"lookahead", "weighted"};
    SetupGame game = SETUP_GAME_DEFAULT;
    game.rules = RULES_GUIDELINE;
    game.hold = 1;
    game.preview = 5;
    game.shared = true;
    for (int i = 0; i < 2; i++) {
        SetupAgent agent = {.name = names[i]};
        cr_assert(setup_init(&setups[i], &agent, &game, &status), "%s", status.message);
        players[i] = (DuelPlayer){&setups[i], setup_player(&setups[i], &status)};
        cr_assert(players[i].player);
    }
    for (int timing = DUEL_TURNS; timing <= DUEL_FRAMES; timing++) {
        DuelSetup setup = {.rules = &rules,
                           .timing = (DuelTiming)timing,
                           .seed = 7,
                           .max_pieces = 100,
                           .record = true};
        DuelResult first, second;
        cr_assert(duel_play(&setup, players, &first, &status));
        cr_assert(duel_play(&setup, players, &second, &status));
        cr_expect_eq(first.winner, second.winner);
        for (int s = 0; s < 2; s++) {
            const DuelSide *a = &first.sides[s], *b = &second.sides[s];
            cr_expect_eq(a->pieces, b->pieces);
            cr_expect_eq(a->attack, b->attack);
            cr_expect_eq(a->frames, b->frames);
            cr_expect_eq(a->record.count, b->record.count);
            cr_expect_eq((int64_t)a->record.hole_count, a->received);
            cr_expect(a->received <= first.sides[!s].sent);
            cr_expect(a->sent <= a->attack);
            for (size_t i = 0; i < a->record.count; i++)
                cr_expect(placement_same_cells(a->record.moves[i].move.placement,
                                               b->record.moves[i].move.placement));
        }
        duel_release(&first);
        duel_release(&second);
    }
    for (int i = 0; i < 2; i++) {
        setups[i].agent->free_player(players[i].player);
        setup_release(&setups[i]);
    }
}
