/* evaluator: every feature of every kind counted by hand on small boards. */
#include <signal.h>

#include <criterion/criterion.h>
#include <string.h>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/rng.h"
#include "eval/evaluator.h"
#include "eval/local_kind.h"
#include "eval/placement_kind.h"
#include "eval/stack_kind.h"
#include "eval/surface_kind.h"
#include "formats/weights.h"
#include "movegen/reach.h"
#include "scale.h"

/* Rows from the top, '.' empty. */
static Columns board_of(const char *const *rows, int count) {
    Columns columns = {.width = (uint8_t)strlen(rows[0]), .height = 20};
    for (int i = 0; i < count; i++)
        for (int x = 0; x < columns.width; x++)
            columns.column[x] |= (uint64_t)(rows[i][x] != '.') << (count - 1 - i);
    return columns;
}

static Columns measure(const EvaluatorKind *kind, const Columns *before, Placement placement,
                       double *values) {
    Evaluator evaluator;
    double zeros[EVALUATOR_MAX] = {0};
    evaluator_init(&evaluator, kind, zeros);
    EvaluatorMove move = {before, placement, PIECE_NONE};
    Columns after;
    kind->measure(&evaluator, &move, &after, values);
    return after;
}

static void expect(const EvaluatorKind *kind, const double *values, const char *name,
                   double expected) {
    int feature = evaluator_feature(kind, name);
    cr_assert(feature >= 0, "%s has no %s", kind->name, name);
    cr_assert_float_eq(values[feature], expected, 1e-12, "%s: %s is %g, not %g", kind->name, name,
                       values[feature], expected);
}

Test(evaluator, local_features_count_the_board_after_the_rows) {
    const char *const rows[] = {"#....", "##.##"};
    Columns before = board_of(rows, 2);
    /* A standing I in the gap removes the lowest row; three cells of it stay. */
    double values[EVALUATOR_MAX];
    Columns after = measure(&local_kind, &before, (Placement){PIECE_I, EAST, 2, 2, 0}, values);
    expect(&local_kind, values, "lines", 1);
    expect(&local_kind, values, "holes", 0);
    expect(&local_kind, values, "unevenness", 1 + 3 + 3 + 0);
    expect(&local_kind, values, "mean_height", (1 + 0 + 3) / 5.0);
    cr_assert_eq(after.column[2], 7);
}

/* The row that the O completes covers a hole; the published program counts it, since it counts
 * holes before full rows are removed, and heights after. */
Test(evaluator, published_local_features_count_holes_before_the_rows) {
    const char *const rows[] = {"###..", "##.##"};
    Columns before = board_of(rows, 2);
    double values[EVALUATOR_MAX];
    Placement at = {PIECE_O, NORTH, 3, 1, 0}; /* its lower half completes the second row */
    Columns after = measure(&local_published_kind, &before, at, values);
    expect(&local_published_kind, values, "lines", 1);
    expect(&local_published_kind, values, "holes", 1);
    expect(&local_published_kind, values, "unevenness", 0 + 1 + 2 + 0);
    expect(&local_published_kind, values, "mean_height", (1 + 1 + 0 + 2 + 2) / 5.0);
    expect(&local_published_kind, values, "height_range", 2 - 6 / 5.0);
    cr_assert_eq(after.column[3], 3);
    measure(&local_kind, &before, at, values);
    expect(&local_kind, values, "holes", 0);
}

Test(evaluator, placement_features) {
    const char *const rows[] = {"#.........", "#........#", "#..##....#"};
    Columns before = board_of(rows, 3);
    double values[EVALUATOR_MAX];
    /* A lying I over columns 2..5 rests on 3 and 4 and covers two cells, in columns 2 and 5. */
    measure(&placement_kind, &before, (Placement){PIECE_I, NORTH, 3, 1, 0}, values);
    expect(&placement_kind, values, "support", 2);
    expect(&placement_kind, values, "holes", 2);
    expect(&placement_kind, values, "height", 1);
    expect(&placement_kind, values, "rows", 0);
    expect(&placement_kind, values, "wells", 0);
    expect(&placement_kind, values, "right", 0);
    expect(&placement_kind, values, "tetris", 0);
    /* heights 3 0 2 2 2 2 0 0 0 2 */
    expect(&placement_kind, values, "smooth", 3 + 2 + 0 + 0 + 0 + 2 + 0 + 0 + 2);
}

Test(evaluator, placement_counts_new_wells_and_the_last_column) {
    const char *const rows[] = {"#....", "#....", "#...."};
    Columns before = board_of(rows, 3);
    double values[EVALUATOR_MAX];
    /* A standing I at column 2 makes column 1 a well, 3 below both sides; the gap of columns 3 and
       4 is none, because column 4 is no deeper than 3. */
    measure(&placement_kind, &before, (Placement){PIECE_I, EAST, 2, 2, 0}, values);
    expect(&placement_kind, values, "wells", 1);
    /* In the last column it stands against the wall. */
    measure(&placement_kind, &before, (Placement){PIECE_I, EAST, 4, 2, 0}, values);
    expect(&placement_kind, values, "wells", 0);
    expect(&placement_kind, values, "right", 4);
}

Test(evaluator, placement_sees_a_tetris) {
    const char *const rows[] = {"####.", "####.", "####.", "####."};
    Columns before = board_of(rows, 4);
    double values[EVALUATOR_MAX];
    Columns after = measure(&placement_kind, &before, (Placement){PIECE_I, EAST, 4, 2, 0}, values);
    expect(&placement_kind, values, "rows", 4);
    expect(&placement_kind, values, "tetris", 1);
    expect(&placement_kind, values, "support", 1);
    expect(&placement_kind, values, "smooth", 0);
    cr_assert_eq(columns_highest(&after), 0);
}

Test(evaluator, weights_written_as_magnitudes_count_against) {
    Evaluator evaluator;
    cr_assert(evaluator_from_preset(&evaluator, "competition-1"));
    cr_assert_float_eq(evaluator.weights[PLACEMENT_SUPPORT], 0.5, 0);
    cr_assert_float_eq(evaluator.weights[PLACEMENT_HOLES], -5.5, 0);
    cr_assert_float_eq(evaluator.weights[PLACEMENT_TETRIS], 100, 0);
    const char *const rows[] = {"....."};
    Columns before = board_of(rows, 1), after;
    EvaluatorMove move = {&before, {PIECE_O, NORTH, 3, 0, 0}, PIECE_NONE};
    EvaluatorValue value = evaluator_judge(&evaluator, &move, &after);
    /* support 2, right 2; smooth 2 belongs to the board; columns 0..2 are open to the left wall, no
       well since nothing is 3 high */
    cr_assert_float_eq(value.move, 2 * 0.5 - 2 * 1.1, 1e-12);
    cr_assert_float_eq(value.board, -2 * 0.8, 1e-12);
}

Test(evaluator, surface_counts_every_column_by_the_steps_beside_it) {
    const char *const rows[] = {"#.........", "##.######.", "#########.", "#########.",
                                "########.."};
    Columns before = board_of(rows, 5);
    double values[EVALUATOR_MAX], columns = 0;
    /* heights 5 4 3 4 6 6 4 4 4 0 with an O on columns 4 and 5; walls at both ends */
    measure(&surface_kind, &before, (Placement){PIECE_O, NORTH, 4, 4, 0}, values);
    expect(&surface_kind, values, "holes", 1);
    expect(&surface_kind, values, "steps-3-1", 1); /* 5: down from the wall, then down 1 */
    expect(&surface_kind, values, "steps-1-1", 1); /* 4 */
    expect(&surface_kind, values, "steps-1+1", 1); /* 3 */
    expect(&surface_kind, values, "steps-2-1", 1); /* 4, mirrored: up 1, then up 2 */
    expect(&surface_kind, values, "steps+0-2", 2); /* both 6, the first mirrored */
    expect(&surface_kind, values, "steps-2+0", 1); /* the first 4 after them */
    expect(&surface_kind, values, "steps+0+0", 1); /* the middle 4 */
    expect(&surface_kind, values, "steps+0-3", 1); /* the last 4 */
    expect(&surface_kind, values, "steps-3+3", 1); /* the open column */
    for (int i = FEATURE_COUNT; i < SURFACE_KIND_FEATURES; i++)
        columns += values[i];
    cr_assert_float_eq(columns, 10, 0);
}

Test(evaluator, stack_features) {
    const char *const rows[] = {"#.........", "##.######.", "#########.", "#########.",
                                "########.."};
    Columns before = board_of(rows, 5);
    double values[EVALUATOR_MAX];
    /* An O on columns 4 and 5, heights 4: nothing else changes. */
    measure(&stack_kind, &before, (Placement){PIECE_O, NORTH, 4, 4, 0}, values);
    expect(&stack_kind, values, "one", 0);
    expect(&stack_kind, values, "four", 0);
    expect(&stack_kind, values, "i_spent", 0);
    expect(&stack_kind, values, "holes", 1); /* under column 8 */
    expect(&stack_kind, values, "hole_rows", 1);
    expect(&stack_kind, values, "hole_depth", 3);
    /* heights 5 4 3 4 6 6 4 4 4 | 0 */
    expect(&stack_kind, values, "uneven", 1 + 1 + 1 + 2 + 0 + 2 + 0 + 0);
    expect(&stack_kind, values, "uneven_squared", 1 + 1 + 1 + 4 + 0 + 4 + 0 + 0);
    expect(&stack_kind, values, "wells", 1); /* column 2; 6 to 8 are too wide to be one */
    expect(&stack_kind, values, "deep_wells", 0);
    expect(&stack_kind, values, "fits", 6);
    expect(&stack_kind, values, "danger", 0);
    expect(&stack_kind, values, "height", 40 / 9.0);
}

Test(evaluator, stack_counts_ready_rows_from_the_floor_of_the_shaft) {
    const char *const rows[] = {"#########.", "#########.", "#########.",
                                "#########.", "#########.", "#.#######."};
    Columns before = board_of(rows, 6);
    double values[EVALUATOR_MAX];
    measure(&stack_kind, &before, (Placement){PIECE_O, NORTH, 0, 6, 0}, values);
    expect(&stack_kind, values, "ready", 0);
    expect(&stack_kind, values, "shaft_height", 0);
    const char *const clean[] = {"#########.", "#########.", "#########.",
                                 "#########.", "#########.", "########.#"};
    before = board_of(clean, 6);
    measure(&stack_kind, &before, (Placement){PIECE_O, NORTH, 0, 6, 0}, values);
    expect(&stack_kind, values, "shaft_height", 1);
    expect(&stack_kind, values, "ready", 4);
    expect(&stack_kind, values, "ready_more", 1);
    Columns after = measure(&stack_kind, &before, (Placement){PIECE_I, EAST, 9, 3, 0}, values);
    expect(&stack_kind, values, "four", 1);
    expect(&stack_kind, values, "i_spent", 0);
    cr_assert_eq(columns_highest(&after), 2);
}

/* ---- weight files */

static bool read(const char *text, const EvaluatorKind *kind, Evaluator *evaluator,
                 Status *status) {
    *status = (Status){0};
    Json *document = json_parse(text, strlen(text), status);
    bool ok = document && weights_read_json(document, kind, evaluator, status);
    json_free(document);
    return ok;
}

Test(evaluator, weight_files_are_read_back) {
    for (int i = 0; i < evaluator_preset_count(); i++) {
        Evaluator evaluator, again;
        Status status;
        evaluator_from_preset(&evaluator, evaluator_preset_at(i).name);
        Text text;
        JsonWriter w;
        text_init(&text);
        jw_init(&w, &text);
        jw_object(&w, NULL);
        weights_write(&w, &evaluator);
        jw_end(&w);
        cr_assert(read(text.data, NULL, &again, &status), "%s", status.message);
        cr_assert_eq(evaluator.kind, again.kind);
        cr_assert_arr_eq(evaluator.weights, again.weights, sizeof evaluator.weights);
        text_release(&text);
    }
}

Test(evaluator, weights_can_be_given_by_name) {
    Evaluator evaluator;
    Status status;
    cr_assert(read("{\"weights\":{\"holes\":-2.5},\"made\":\"by hand\"}", &local_kind, &evaluator,
                   &status));
    cr_assert_float_eq(evaluator.weights[1], -2.5, 0);
    cr_assert_float_eq(evaluator.weights[0], 0, 0);
}

Test(evaluator, bad_weight_files_are_refused) {
    static const char *const bad[] = {
        "{\"weights\":[1,2,3]}",
        "{\"weights\":[1,2,3,4,5]}",
        "{\"weights\":[1,2,3,NaN]}",
        "{\"weights\":[1,2,3,1e999]}",
        "{\"weights\":[1,2,3,\"4\"]}",
        "{\"weights\":[1,2,3,null]}",
        "{\"weights\":{\"nothing\":1}}",
        "{\"weights\":{\"holes\":[]}}",
        "{\"weights\":7}",
        "{}",
        "[1,2,3,4]",
        "{\"features\":\"none\",\"weights\":[1,2,3,4]}",
        "{\"features\":1,\"weights\":[]}",
        "",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Evaluator evaluator;
        Status status;
        cr_assert_not(read(bad[i], &local_kind, &evaluator, &status), "%s", bad[i]);
        cr_assert_eq(status.code, STATUS_INPUT, "%s", bad[i]);
        cr_assert(status.message[0]);
    }
}

/* A stack of up to `most` messy rows, none of them full; some rows lack a single cell. */
static Columns messy_board(Rng *rng, int most) {
    Columns columns = {.width = (uint8_t)rng_between(rng, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH),
                       .height = (uint8_t)rng_between(rng, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT)};
    int limit = columns.height < most ? columns.height : most;
    int rows = (int)rng_below(rng, (uint32_t)limit + 1);
    for (int y = 0; y < rows; y++) {
        uint32_t gap = rng_below(rng, columns.width), dense = rng_below(rng, 3);
        for (uint32_t x = 0; x < columns.width; x++)
            if (x != gap && (dense || rng_below(rng, 2)))
                columns.column[x] |= (uint64_t)1 << y;
    }
    return columns;
}

Test(evaluator, judging_all_placements_gives_the_same_bits) {
    static Placement places[REACH_MAX];
    static EvaluatorValue values[REACH_MAX];
    Rng rng;
    rng_init(&rng, 19, 0);
    int cleared = 0, high = 0;
    for (int i = 0; i < scaled(3000); i++) {
        Columns before = messy_board(&rng, i % 4 ? 20 : 36);
        Evaluator evaluator;
        double weights[EVALUATOR_MAX];
        for (int k = 0; k < EVALUATOR_MAX; k++)
            weights[k] = (double)rng_between(&rng, -1000, 1000) / 7;
        evaluator_init(&evaluator, evaluator_kinds[i % EVALUATOR_KINDS], weights);
        evaluator.well_depth = rng_between(&rng, 1, 6);
        Piece piece = (Piece)rng_below(&rng, PIECE_COUNT);
        EvaluatorTurn turn = {&before, (Piece)rng_below(&rng, PIECE_COUNT + 1)};
        int count = reach_list(&before, piece, false, places);
        high += columns_highest(&before) > 26;
        for (int level = 0; level <= (int)cpu_level(); level++) {
            EvaluatorJudgeAll *judge_all = evaluator.kind->judge_all[level];
            (judge_all ? judge_all : evaluator_judge_all)(&evaluator, &turn, places, count, values);
            for (int k = 0; k < count; k++) {
                EvaluatorMove move = {&before, places[k], turn.hold};
                Columns after;
                EvaluatorValue one = evaluator_judge(&evaluator, &move, &after);
                cr_assert_arr_eq(&values[k], &one, sizeof one, "%s, level %d, board %d, place %d",
                                 evaluator.kind->name, level, i, k);
                cleared += columns_highest(&after) < columns_highest(&before);
            }
        }
    }
    cr_assert(cleared > 0 && high > 0);
}
