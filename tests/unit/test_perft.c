/* perft: reference counts, and the walk in vectors against one with the plain search. */
#include <signal.h>

#include <criterion/criterion.h>

#include "movegen/perft.h"
#include "movegen/reach.h"
#include "plain_reach.h"
#include "random_boards.h"

static PerftTask make_task(const char *letters, int depth, uint8_t pieces[64]) {
    Status status;
    int count = pieces_parse(letters, pieces, 64, &status);
    return (PerftTask){.pieces = pieces,
                       .piece_count = count,
                       .depth = depth,
                       .rules = {.set = RULES_GUIDELINE, .width = 10, .height = 20}};
}

static void check(const char *letters, int depth, const uint64_t *expected) {
    uint8_t pieces[64];
    Columns columns = {.width = 10, .height = 20};
    for (int level = 0; level < KERNEL_LEVELS; level++) {
        if (!kernel_available((KernelLevel)level))
            continue;
        PerftTask task = make_task(letters, depth, pieces);
        task.kernel = kernel_at((KernelLevel)level);
        uint64_t nodes[PERFT_MAX_DEPTH];
        perft_run(&task, &columns, nodes);
        for (int d = 0; d < depth; d++)
            cr_assert_eq(nodes[d], expected[d], "%s depth %d kernel %d: %llu", letters, d + 1,
                         level, (unsigned long long)nodes[d]);
    }
}

Test(perft, reference_counts) {
    check("IOTLJSZ", 5, (uint64_t[]){17, 153, 5266, 188891, 6996708});
    check("IOLJSZT", 5, (uint64_t[]){17, 153, 5266, 188374, 3497187});
    check("TIOLJSZ", 1, (uint64_t[]){34});
    check("L", 2, (uint64_t[]){34, 0});
}

/* The same walk on Game, every press tried: hold as the engine does it. */
static void plain_perft(const Game *game, int depth, int ply, uint64_t *nodes) {
    if (game->over == OVER_NO_PIECES)
        return;
    for (int held = 0; held < 2; held++) {
        Game turn = *game;
        if (held &&
            (game_hold_brings(game) == (Piece)game->current || !game_press(&turn, KEY_HOLD)))
            continue;
        PlainReach reach;
        plain_reach(&turn.board, (Piece)turn.current, game->rules.rotate180, &reach);
        nodes[ply] += (uint64_t)reach.count;
        for (int r = 0; ply + 1 < depth && r < ROTATION_COUNT; r++)
            for (int x = 0; x < turn.board.width; x++)
                for (int y = 0; y < board_rows(&turn.board); y++) {
                    if (!reach.labels[r][x][y])
                        continue;
                    Game child = turn;
                    game_place(&child, (Placement){turn.current, (uint8_t)r, (int8_t)x, (int8_t)y,
                                                   SPIN_NONE});
                    cr_assert_neq(child.over, OVER_LOCK_OUT, "these boards are too low for that");
                    plain_perft(&child, depth, ply + 1, nodes);
                }
    }
}

static void compare(const Board *board, const char *letters, int depth, bool hold, bool rotate180) {
    uint8_t pieces[64];
    PerftTask task = make_task(letters, depth, pieces);
    task.rules.hold = hold;
    task.rules.rotate180 = rotate180;
    task.rules.width = board->width;
    task.rules.height = board->height;
    Randomizer randomizer;
    randomizer_init_list(&randomizer, pieces, (size_t)task.piece_count);
    Game game;
    game_init_board(&game, &task.rules, &randomizer, board);
    uint64_t expected[PERFT_MAX_DEPTH] = {0}, nodes[PERFT_MAX_DEPTH];
    plain_perft(&game, depth, 0, expected);
    Columns columns;
    columns_from_board(&columns, board);
    for (int level = 0; level < KERNEL_LEVELS; level++) {
        if (!kernel_available((KernelLevel)level))
            continue;
        task.kernel = kernel_at((KernelLevel)level);
        perft_run(&task, &columns, nodes);
        for (int d = 0; d < depth; d++)
            cr_assert_eq(nodes[d], expected[d], "%dx%d %s depth %d kernel %d: %llu, not %llu",
                         board->width, board->height, letters, d + 1, level,
                         (unsigned long long)nodes[d], (unsigned long long)expected[d]);
    }
}

Test(perft, hold_is_as_in_the_game) {
    Board board;
    board_init(&board, 6, 20);
    compare(&board, "TSZ", 3, true, false);
    compare(&board, "TTI", 3, true, false);
    compare(&board, "IOJ", 3, true, false);
    compare(&board, "SZT", 2, true, false);
    compare(&board, "SL", 3, true, false);
}

/* Rows that fill up, boards as high as the lanes, wide ones, low ceilings. */
Test(perft, equals_the_plain_walk) {
    static const char *const queues[] = {"TL", "IS", "ZJ", "OT", "JI", "LO", "SZ"};
    for (int i = 0; i < 250; i++) {
        Rng rng;
        rng_init(&rng, 4, (uint64_t)i);
        Board board;
        int width = rng_between(&rng, 4, 16), height = rng_between(&rng, 18, 24);
        board_init(&board, width, height);
        random_stack(&board, &rng, rng_between(&rng, 0, 13));
        /* Only a few columns open: most placements clear rows. */
        if (i % 2)
            for (int y = 0; y < 10; y++)
                board_set_row(&board, y,
                              (uint16_t)(board.full & ~(board_row(&board, y) & 3u) & ~1u));
        compare(&board, queues[i % 7], 2, false, i % 5 == 0);
    }
}

Test(perft, drop_rules) {
    uint8_t pieces[64];
    PerftTask task = make_task("IOT", 3, pieces);
    task.rules.set = RULES_DROP;
    Columns columns = {.width = 10, .height = 20};
    uint64_t nodes[3];
    perft_run(&task, &columns, nodes);
    cr_assert_eq(nodes[0], 17u);
    cr_assert_eq(nodes[1], 17u * 9);
    cr_assert_eq(nodes[2], 17u * 9 * 34, "without tucks there are no others");
}
