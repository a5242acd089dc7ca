/* features: drawn boards with counted values, and a million random boards against the plain twin.
 */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "eval/features.h"
#include "eval/surface_kind.h"
#include "eval/weights.h"
#include "plain_features.h"
#include "scale.h"

/* A board from rows, top first, '/' between them. */
static void draw(PlainBoard *board, int height, const char *rows) {
    *board = (PlainBoard){.height = height};
    int count = 1;
    for (const char *at = rows; *at; at++)
        count += *at == '/';
    for (int y = count - 1; y >= 0; y--) {
        int x = 0;
        for (; *rows && *rows != '/'; rows++)
            board->cells[y][x++] = *rows == 'X';
        board->width = x;
        rows += *rows == '/';
    }
}

static Columns columns_of(const PlainBoard *board) {
    Columns columns = {.width = (uint8_t)board->width, .height = (uint8_t)board->height};
    for (int x = 0; x < board->width; x++)
        for (int y = 0; y < PLAIN_ROWS; y++)
            columns.column[x] |= (uint64_t)board->cells[y][x] << y;
    return columns;
}

static void expect(const char *rows, int height, Feature which, int value) {
    PlainBoard board;
    draw(&board, height, rows);
    Columns columns = columns_of(&board);
    Features features;
    double plain[PLAIN_FEATURES];
    features_of_board(&columns, &features);
    plain_board_features(&board, plain);
    cr_expect_eq(features.values[which], value, "%s of %s: %d", feature_names[which], rows,
                 features.values[which]);
    cr_expect_eq(plain[which], value, "twin: %s of %s: %g", feature_names[which], rows,
                 plain[which]);
}

Test(features, row_transitions) {
    expect("....", 4, FEATURE_ROW_TRANSITIONS, 8); /* two an empty row */
    expect("X...", 4, FEATURE_ROW_TRANSITIONS, 8);
    expect(".X..", 4, FEATURE_ROW_TRANSITIONS, 10);
    expect("X.X./.X.X", 20, FEATURE_ROW_TRANSITIONS, 36 + 8);
    expect("XX.X", 5, FEATURE_ROW_TRANSITIONS, 8 + 2);
}

Test(features, column_transitions) {
    expect("....", 4, FEATURE_COLUMN_TRANSITIONS, 4); /* one an empty column */
    expect("X.../X...", 4, FEATURE_COLUMN_TRANSITIONS, 4);
    expect("X.../....", 4, FEATURE_COLUMN_TRANSITIONS, 6);
    expect("X.X./..../X..X", 8, FEATURE_COLUMN_TRANSITIONS, 3 + 1 + 3 + 1);
}

Test(features, holes_and_their_rows) {
    expect("XX../...X/X...", 4, FEATURE_HOLES, 1 + 2 + 0 + 1);
    expect("XX../...X/X...", 4, FEATURE_ROWS_WITH_HOLES, 2);
    expect("XXX./..../..../X...", 4, FEATURE_HOLES, 2 + 3 + 3);
    expect("XXX./..../..../X...", 4, FEATURE_ROWS_WITH_HOLES, 3);
    expect("X.../X..X", 4, FEATURE_HOLES, 0);
}

Test(features, hole_depth) {
    expect("XX../X.../.X../XX..", 4, FEATURE_HOLE_DEPTH, 2 + 1);
    expect("X.../X.../X...", 4, FEATURE_HOLE_DEPTH, 0);
    expect("X.../..../X.../....", 4, FEATURE_HOLE_DEPTH, 2);
}

Test(features, wells) {
    expect("....", 4, FEATURE_WELLS, 0);
    expect(".X../.X..", 4, FEATURE_WELLS, 1 + 2);          /* by the wall */
    expect("X.X./X.X./X.X.", 4, FEATURE_WELLS, 6 + 6);     /* in the middle and by the wall */
    expect("X.X./..../X.XX", 4, FEATURE_WELLS, 3 + 1 + 2); /* an open cell inside the run */
    expect("XXX./X.XX/XXX.", 4, FEATURE_WELLS, 1 + 1 + 1); /* a buried one counts too */
    expect("XXXX/X.X./X.X.", 5, FEATURE_WELLS, 3 + 3);
}

Test(features, diversity) {
    expect("....", 4, FEATURE_DIVERSITY, 1);
    expect("X.../XX../XXX.", 4, FEATURE_DIVERSITY, 1);    /* -1 -1 -1 */
    expect("X.../X.../X.X.", 4, FEATURE_DIVERSITY, 2);    /* -3 +1 -1 */
    expect("X..../XX..X/XX.XX", 4, FEATURE_DIVERSITY, 3); /* -1 -2 +1 +1 */
    expect(".X.../.X.../XX.X.", 4, FEATURE_DIVERSITY, 3); /* +2 -3 +1 -1 */
}

Test(features, an_upright_bar_in_the_well) {
    PlainBoard board;
    draw(&board, 20, "X.../XXX./XXX./XXX./XXX.");
    Columns columns = columns_of(&board);
    Features features;
    /* East of I has its centre second from the top. */
    Placement placement = {.piece = PIECE_I, .rotation = EAST, .x = 3, .y = 2};
    features_of_placement(&columns, placement, &features);
    cr_assert_eq(columns.column[0], 1u);
    cr_assert_eq(columns.column[3], 0u);
    cr_assert_eq(features.values[FEATURE_ROWS_REMOVED], 4);
    cr_assert_eq(features.values[FEATURE_ERODED_CELLS], 16);
    cr_assert_float_eq(features_value(&features, FEATURE_LANDING_HEIGHT), 1.5, 1e-12);
    cr_assert_eq(features.values[FEATURE_WELLS], 0);
}

Test(features, a_piece_that_erodes_two_of_its_cells) {
    PlainBoard board;
    draw(&board, 20, "XX..");
    Columns columns = columns_of(&board);
    Features features;
    Placement placement = {.piece = PIECE_O, .rotation = NORTH, .x = 2, .y = 0};
    features_of_placement(&columns, placement, &features);
    cr_assert_eq(features.values[FEATURE_ERODED_CELLS], 2);
    cr_assert_eq(features.values[FEATURE_LANDING_HEIGHT], 1, "half a row");
    cr_assert_eq(columns.column[2], 1u);
    cr_assert_eq(features.values[FEATURE_ROW_TRANSITIONS], 19 * 2 + 2);
}

/* Stacks of all kinds: mostly solid below a ragged surface, sometimes scattered cells. */
static void random_board(Rng *rng, PlainBoard *board) {
    *board = (PlainBoard){.width = rng_between(rng, 4, 16), .height = rng_between(rng, 4, 40)};
    int kind = rng_between(rng, 0, 3), base = rng_between(rng, 0, board->height);
    double density = kind == 0 ? rng_real(rng) : 0.85 + 0.15 * rng_real(rng);
    for (int x = 0; x < board->width; x++) {
        int top = kind == 0 ? base : base + rng_between(rng, -4, 4);
        for (int y = 0; y < top && y < board->height; y++)
            board->cells[y][x] = rng_chance(rng, density);
    }
}

Test(features, random_boards_agree_with_the_twin) {
    Rng rng;
    rng_init(&rng, 11, 0);
    /* Drawing a board costs most, so each is looked at after several small changes too. */
    for (int round = 0, rounds = scaled(8000); round < rounds; round++) {
        PlainBoard board;
        random_board(&rng, &board);
        Columns columns = columns_of(&board);
        for (int change = 0; change < 25; change++) {
            Features features;
            double plain[PLAIN_FEATURES];
            features_of_board(&columns, &features);
            plain_board_features(&board, plain);
            for (int i = 0; i < FEATURE_COUNT; i++)
                cr_assert_eq(features.values[i], plain[i], "round %d: %s %d, twin %g", round,
                             feature_names[i], features.values[i], plain[i]);
            int x = rng_between(&rng, 0, board.width - 1);
            int y = rng_between(&rng, 0, board.height - 1);
            board.cells[y][x] = !board.cells[y][x];
            columns.column[x] ^= (uint64_t)1 << y;
        }
    }
}

Test(weights, published_sets_are_kept_to_the_last_digit) {
    FixedWeights bcts = weights_fix(&weight_set_find("bcts")->weights);
    cr_assert_eq(bcts.decimals, 6);
    cr_assert_eq(bcts.values[FEATURE_LANDING_HEIGHT], -12629000);
    cr_assert_eq(bcts.values[FEATURE_ERODED_CELLS], 2 * 6601974);
    cr_assert_eq(bcts.values[FEATURE_HOLE_DEPTH], -2 * 1611863);
    cr_assert_eq(bcts.values[FEATURE_DIVERSITY], 0);
    FixedWeights dt20 = weights_fix(&weight_set_find("dt20")->weights);
    cr_assert_eq(dt20.values[FEATURE_HOLES] % 203, 0);
    cr_assert_null(weight_set_find("dt30"));
    cr_assert_eq(weight_set_find("el-tetris")->weights.values[FEATURE_ERODED_CELLS], 0);
}

Test(weights, any_size_of_weight_fits) {
    Weights weights = {.values = {0}};
    FixedWeights fixed = weights_fix(&weights);
    cr_assert_eq(fixed.values[FEATURE_HOLES], 0);
    for (double size = 1e-30; size < 1e40; size *= 7) {
        weights.values[FEATURE_HOLES] = -size;
        weights.values[FEATURE_WELLS] = size / 2;
        fixed = weights_fix(&weights);
        cr_assert_geq(fixed.values[FEATURE_HOLES], -WEIGHTS_FIXED_LIMIT);
        cr_assert_leq(fixed.values[FEATURE_WELLS], WEIGHTS_FIXED_LIMIT);
        if (size > 1e-3)
            cr_assert_lt(fixed.values[FEATURE_HOLES], fixed.values[FEATURE_WELLS]);
    }
}

/* By name: the steps that a name says, or their mirror image, belong to its place in the table. */
Test(weights, the_table_of_the_surface_keeps_its_weights_and_their_mirror_images) {
    Weights weights = {.values = {[FEATURE_HOLES] = -4.5}};
    for (int i = 0; i < SURFACE_PATTERNS; i++)
        weights.surface[i] = (i - 13) * 0.25;
    FixedWeights fixed = weights_fix(&weights);
    double unit = 0.5 * fixed.values[WEIGHTS_SURFACE];
    for (int i = 0; i < fixed.decimals; i++)
        unit /= 10;
    for (int i = 0; i < SURFACE_PATTERNS; i++) {
        int first, second;
        const char *name = surface_kind.names[FEATURE_COUNT + i];
        cr_assert_eq(sscanf(name, "steps%d%d", &first, &second), 2);
        double there = fixed.surface[8 * (first + 3) + second + 3] * unit;
        double mirrored = fixed.surface[8 * (3 - second) + 3 - first] * unit;
        cr_assert_float_eq(there, weights.surface[i], 1e-9, "%s: %g", name, there);
        cr_assert_float_eq(mirrored, weights.surface[i], 1e-9, "%s: %g", name, mirrored);
    }
    for (double size = 1e-12; size < 1e12; size *= 7) {
        weights.surface[3] = size;
        fixed = weights_fix(&weights);
        for (int i = 0; i < SURFACE_TABLE; i++)
            cr_assert_leq(abs(fixed.surface[i]), WEIGHTS_SURFACE_LIMIT);
        cr_assert_leq(fixed.values[WEIGHTS_SURFACE], WEIGHTS_FIXED_LIMIT);
    }
}
