/*
 * Tests of rotation tables other than SRS and of spins of every piece: the generators against a
 * breadth-first search by single key presses of the engine, and the table of SRS+ by hand.
 */
#include "engine/game.h"
#include "movegen/path.h"
#include "movegen/perft.h"
#include "movegen/reach.h"
#include "movegen/reach_table.h"
#include "random_boards.h"
#include "scale.h"

#include <criterion/criterion.h>
#include <string.h>

static const unsigned all_moves[] = {0, MOVES_180, MOVES_ALL_SPIN, MOVES_180 | MOVES_SRS_PLUS,
                                     MOVES_180 | MOVES_SRS_PLUS | MOVES_ALL_SPIN};

/* What one piece can do, found by pressing keys; `last` is the last kick by class. */
typedef struct Brute {
    bool seen[ROTATION_COUNT][BOARD_MAX_WIDTH][BOARD_MAX_ROWS][3];
    Placement found[REACH_SPINS_MAX];
    int count;
} Brute;

static Brute brute;

static void note(Placement at) {
    at = placement_canonical(at);
    for (int i = 0; i < brute.count; i++)
        if (memcmp(&brute.found[i], &at, sizeof at) == 0)
            return;
    brute.found[brute.count++] = at;
}

static void visit(const Board *board, Piece piece, unsigned moves, Rotation r, int x, int y,
                  int kick) {
    int last = kick == 0 ? 0 : kick == KICK_COUNT ? 2 : 1;
    if (brute.seen[r][x][y][last])
        return;
    brute.seen[r][x][y][last] = true;
    if (!board_fits(board, piece, r, x, y - 1))
        note((Placement){(uint8_t)piece, (uint8_t)r, (int8_t)x, (int8_t)y,
                         (uint8_t)game_spin(board, piece, r, x, y, kick, moves)});
    static const Cell shifts[] = {{-1, 0}, {1, 0}, {0, -1}};
    for (int i = 0; i < 3; i++)
        if (board_fits(board, piece, r, x + shifts[i].x, y + shifts[i].y))
            visit(board, piece, moves, r, x + shifts[i].x, y + shifts[i].y, 0);
    static const Key keys[] = {KEY_CLOCKWISE, KEY_COUNTER, KEY_TURN_180};
    for (int i = 0; i < 3; i++) {
        Rotation to = r;
        int x2 = x, y2 = y;
        if (keys[i] == KEY_TURN_180 && !(moves & MOVES_180))
            continue;
        int used = moves_turn(moves, board, piece, keys[i], &to, &x2, &y2);
        if (used > 0)
            visit(board, piece, moves, to, x2, y2, used);
    }
}

static void search(const Board *board, Piece piece, unsigned moves) {
    memset(&brute, 0, sizeof brute);
    int x = board_spawn_x(board), y = board_spawn_y(board);
    if (board_fits(board, piece, NORTH, x, y))
        visit(board, piece, moves, NORTH, x, y, 0);
}

static bool brute_has(Placement at) {
    for (int i = 0; i < brute.count; i++)
        if (memcmp(&brute.found[i], &at, sizeof at) == 0)
            return true;
    return false;
}

Test(kicks, generators_find_what_keys_find) {
    static Placement list[REACH_SPINS_MAX];
    static PathScratch scratch;
    static uint8_t keys[PATH_KEYS_MAX];
    Rng rng;
    rng_init(&rng, 1, 0);
    int boards = scaled(60);
    for (int b = 0; b < boards; b++) {
        Board board;
        random_board(&board, &rng);
        Columns columns;
        columns_from_board(&columns, &board);
        for (int p = 0; p < PIECE_COUNT; p++)
            for (size_t m = 0; m < sizeof all_moves / sizeof *all_moves; m++) {
                unsigned moves = all_moves[m];
                search(&board, (Piece)p, moves);
                int count = reach_list_spins(&columns, (Piece)p, moves, list);
                cr_assert_eq(count, brute.count, "%c moves %u: %d, keys find %d", piece_letters[p],
                             moves, count, brute.count);
                for (int i = 0; i < count; i++) {
                    cr_assert(brute_has(list[i]), "%c moves %u", piece_letters[p], moves);
                    if (rng_below(&rng, 8) > 0)
                        continue;
                    int presses = path_fewest(&columns, list[i], moves, true, &scratch, keys);
                    cr_assert(presses > 0, "no keys: %c moves %u", piece_letters[p], moves);
                    Rules rules = {.set = RULES_GUIDELINE,
                                   .width = board.width,
                                   .height = board.height,
                                   .rotate180 = moves & MOVES_180,
                                   .kicks = moves & MOVES_SRS_PLUS ? KICKS_SRS_PLUS : KICKS_SRS,
                                   .all_spin = moves & MOVES_ALL_SPIN};
                    uint8_t pieces[2] = {(uint8_t)p, (uint8_t)p};
                    Randomizer randomizer;
                    randomizer_init_list(&randomizer, pieces, 2);
                    Game game;
                    game_init_board(&game, &rules, &randomizer, &board);
                    for (int k = 0; k < presses - 1; k++)
                        game_press(&game, (Key)keys[k]);
                    Placement landed = game_landing(&game);
                    cr_assert(placement_same_cells(landed, list[i]));
                    cr_assert_eq(landed.spin, list[i].spin);
                }
                count = reach_list(&columns, (Piece)p, moves, list);
                cr_assert_eq(count, reach_count(&columns, (Piece)p, moves));
                for (int i = 0; i < count; i++)
                    cr_assert(reach_contains(&columns, list[i], moves, false));
            }
    }
}

/* The vector code and the table code with the table of SRS. */
Test(kicks, table_of_srs_is_the_engine) {
    static Placement fast[REACH_SPINS_MAX], slow[REACH_SPINS_MAX];
    static KickTable srs;
    reach_table_srs(&srs);
    Rng rng;
    rng_init(&rng, 2, 0);
    for (int b = 0; b < scaled(300); b++) {
        Board board;
        random_board(&board, &rng);
        Columns columns;
        columns_from_board(&columns, &board);
        for (int p = 0; p < PIECE_COUNT; p++)
            for (unsigned half = 0; half < 2; half++) {
                int a = reach_list(&columns, (Piece)p, half, fast);
                int c = reach_table_list(&srs, &columns, (Piece)p, half, slow, REACH_MAX);
                cr_assert_eq(a, c);
                cr_assert_eq(memcmp(fast, slow, (size_t)a * sizeof *fast), 0);
                a = reach_list_spins(&columns, (Piece)p, half, fast);
                c = reach_table_spins(&srs, &columns, (Piece)p, half, slow, REACH_SPINS_MAX);
                cr_assert_eq(a, c);
                cr_assert_eq(memcmp(fast, slow, (size_t)a * sizeof *fast), 0);
            }
    }
}

/* A rotation and the way back end where they began, on an empty board, for every piece. */
Test(kicks, srs_plus_turns_back) {
    Board board;
    board_init(&board, 10, 20);
    static const Key there[] = {KEY_CLOCKWISE, KEY_COUNTER, KEY_TURN_180};
    static const Key back[] = {KEY_COUNTER, KEY_CLOCKWISE, KEY_TURN_180};
    unsigned moves = MOVES_SRS_PLUS | MOVES_180;
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int r = 0; r < ROTATION_COUNT; r++)
            for (int k = 0; k < 3; k++) {
                Rotation rotation = (Rotation)r;
                int x = 5, y = 10;
                cr_assert_eq(moves_turn(moves, &board, (Piece)p, there[k], &rotation, &x, &y), 1);
                cr_assert_eq(moves_turn(moves, &board, (Piece)p, back[k], &rotation, &x, &y), 1);
                cr_assert(rotation == (Rotation)r && x == 5 && y == 10);
            }
}

/* The tests of I are mirror images of each other, which those of SRS are not. */
Test(kicks, srs_plus_i_is_symmetric) {
    static const int mirrored[] = {NORTH, WEST, SOUTH, EAST};
    for (int from = 0; from < ROTATION_COUNT; from++)
        for (int to = 0; to < ROTATION_COUNT; to++) {
            const KickTests *a = &kicks_srs_plus_table.from[PIECE_I][from][to];
            const KickTests *b = &kicks_srs_plus_table.from[PIECE_I][mirrored[from]][mirrored[to]];
            cr_assert_eq(a->count, b->count);
            for (int k = 1; k < a->count; k++) { /* by the move from the first test */
                cr_expect_eq(a->tests[k].x - a->tests[0].x, b->tests[0].x - b->tests[k].x);
                cr_expect_eq(a->tests[k].y - a->tests[0].y, b->tests[k].y - b->tests[0].y);
            }
        }
}

/* T rotated by 180 degrees under an overhang: only a kick gets there. */
Test(kicks, half_turn_kicks) {
    Board board;
    board_init(&board, 10, 20);
    for (int x = 0; x < 10; x++)
        if (x < 3 || x > 5)
            board_set_row(&board, 0, (uint16_t)(board_row(&board, 0) | 1u << x));
    Rotation rotation = SOUTH; /* points down into the gap, the bar lies on the stack */
    int x = 4, y = 1;
    cr_assert(board_fits(&board, PIECE_T, rotation, x, y));
    cr_assert_eq(moves_turn(MOVES_180, &board, PIECE_T, KEY_TURN_180, &rotation, &x, &y), 1);
    cr_assert_eq(rotation, NORTH);
    /* Something above: the plain rotation does not fit, the kick down does not either, the others
       are tried. */
    rotation = SOUTH;
    x = 4, y = 1;
    board_set_row(&board, 2, 1u << 4);
    cr_assert_eq(moves_turn(MOVES_180, &board, PIECE_T, KEY_TURN_180, &rotation, &x, &y), 0);
    cr_assert_eq(
        moves_turn(MOVES_180 | MOVES_SRS_PLUS, &board, PIECE_T, KEY_TURN_180, &rotation, &x, &y),
        1);
    cr_assert(rotation == NORTH && x == 4 && y == 0);
}

/* S rotated into a place where it is stuck is a spin of `all`, and none of `t`. */
Test(kicks, all_spin) {
    Board board;
    board_init(&board, 10, 20);
    /* An upright S fits into columns 4 and 5. */
    static const char *const rows[] = {"####..####", "####..####", "#####.####"}; /* top first */
    for (int i = 0; i < 3; i++)
        for (int x = 0; x < 10; x++)
            if (rows[i][x] == '#')
                board_set_row(&board, 2 - i, (uint16_t)(board_row(&board, 2 - i) | 1u << x));
    cr_assert(board_fits(&board, PIECE_S, EAST, 4, 1));
    cr_expect_eq(game_spin(&board, PIECE_S, EAST, 4, 1, 1, 0), SPIN_NONE);
    cr_expect_eq(game_spin(&board, PIECE_S, EAST, 4, 1, 0, MOVES_ALL_SPIN), SPIN_NONE);
    cr_expect_eq(game_spin(&board, PIECE_S, EAST, 4, 1, 1, MOVES_ALL_SPIN), SPIN_NONE,
                 "it can move up");
    board_set_row(&board, 3, 1u << 4);
    cr_expect_eq(game_spin(&board, PIECE_S, EAST, 4, 1, 1, MOVES_ALL_SPIN), SPIN_FULL);
}

/* Counts that were found by the search above, over whole trees. */
static uint64_t plain_perft(const Board *board, const uint8_t *pieces, int depth, unsigned moves,
                            bool labels) {
    search(board, (Piece)pieces[0], moves);
    static Placement kept[3][REACH_SPINS_MAX];
    int count = 0;
    for (int i = 0; i < brute.count; i++) {
        Placement at = brute.found[i];
        bool again = false;
        for (int k = 0; k < count && !labels; k++)
            again |= placement_same_cells(kept[depth - 1][k], at);
        if (!again)
            kept[depth - 1][count++] = at;
    }
    if (depth == 1)
        return (uint64_t)count;
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        Placement at = kept[depth - 1][i];
        Board child = *board;
        board_fill(&child, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
        board_clear_rows(&child);
        sum += plain_perft(&child, pieces + 1, depth - 1, moves, labels);
    }
    return sum;
}

Test(kicks, perft) {
    static const uint8_t pieces[] = {PIECE_T, PIECE_I, PIECE_S};
    Board board;
    board_init(&board, 10, 20);
    static const char *const rows[] = {"##....####", "##...#####", "###.######", "##..######"};
    for (int i = 0; i < 4; i++)
        for (int x = 0; x < 10; x++)
            if (rows[i][x] == '#')
                board_set_row(&board, 3 - i, (uint16_t)(board_row(&board, 3 - i) | 1u << x));
    Columns columns;
    columns_from_board(&columns, &board);
    for (size_t m = 0; m < sizeof all_moves / sizeof *all_moves; m++)
        for (int labels = 0; labels < 2; labels++) {
            unsigned moves = all_moves[m];
            PerftTask task = {
                .pieces = pieces,
                .piece_count = 3,
                .depth = 2,
                .labels = labels,
                .rules = {.set = RULES_GUIDELINE,
                          .rotate180 = moves & MOVES_180,
                          .kicks = moves & MOVES_SRS_PLUS ? KICKS_SRS_PLUS : KICKS_SRS,
                          .all_spin = moves & MOVES_ALL_SPIN}};
            uint64_t nodes[2];
            perft_run(&task, &columns, nodes);
            cr_expect_eq(nodes[0], plain_perft(&board, pieces, 1, moves, labels));
            cr_expect_eq(nodes[1], plain_perft(&board, pieces, 2, moves, labels), "moves %u: %llu",
                         moves, (unsigned long long)nodes[1]);
        }
}
