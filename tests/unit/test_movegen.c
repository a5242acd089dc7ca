/* movegen: placements against a plain search, reference counts, key presses that do what they say.
 */
#include <signal.h>

#include <criterion/criterion.h>

#include "movegen/kernel.h"
#include "movegen/reach.h"
#include "plain_reach.h"
#include "random_boards.h"
#include "scale.h"

/* Rows from the top, X filled, '/' between them; 10 wide, 20 high. */
static void parse(Columns *columns, const char *rows) {
    Board board;
    board_init(&board, 10, 20);
    int count = 1;
    for (const char *c = rows; *c; c++)
        count += *c == '/';
    int y = *rows ? count - 1 : 0, x = 0;
    for (const char *c = rows; *c; c++) {
        if (*c == '/') {
            y--;
            x = 0;
        } else
            board_set_row(&board, y,
                          (uint16_t)(board_row(&board, y) | (unsigned)(*c == 'X') << x++));
    }
    columns_from_board(columns, &board);
}

Test(reach, reference_counts) {
    static const struct {
        const char *rows;
        int counts[PIECE_COUNT]; /* in the order of "IOTLJSZ" */
    } cases[] = {
        {"", {17, 9, 34, 34, 34, 17, 17}},
        {"XX......../X...XXXXXX/XX.XXXXXXX", {17, 9, 37, 34, 35, 18, 17}},
        {"XX......../X........./X.XXXXXXXX/X..XXXXXXX/X.XXXXXXXX", {19, 9, 36, 35, 35, 18, 17}},
        {"X........./X........./XX......XX/XXX....XXX/XXXX...XXX/XXXX..XXXX/XXX...XXXX/XXXX.XXXXX",
         {17, 9, 37, 35, 35, 18, 17}},
        {"........XX/XXXX..XXXX/XXX...XXXX/XXX.XXXXXX/XXX..XXXXX/XX...XXXXX/XXX.XXXXXX/XXX.XXXXXX/"
         "XXXX.XXXXX",
         {17, 9, 39, 37, 35, 18, 17}},
        {"XXXXXXXX../XXXXXXXX../X........./X........./X..XXXXXXX/X..XXXXXXX/X........X/X........X/"
         "XXXXXXXX.X/XXXXXXXX.X/.........X/.........X",
         {37, 22, 66, 64, 79, 33, 33}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Columns columns;
        parse(&columns, cases[i].rows);
        for (int p = 0; p < PIECE_COUNT; p++)
            cr_expect_eq(reach_count(&columns, piece_from_letter("IOTLJSZ"[p]), false),
                         cases[i].counts[p], "board %zu piece %c", i, "IOTLJSZ"[p]);
    }
}

/* True when the list is what the plain search found, label by label or all labels as one. */
static bool same_as_plain(const Placement *list, int count, const PlainReach *plain,
                          bool with_spin) {
    static uint8_t labels[ROTATION_COUNT][BOARD_MAX_WIDTH][64];
    memcpy(labels, plain->labels, sizeof labels);
    for (int i = 0; i < count; i++) {
        uint8_t *left = &labels[list[i].rotation][list[i].x][list[i].y];
        unsigned taken = with_spin ? *left & 1u << list[i].spin : *left;
        if (!taken)
            return false;
        *left = (uint8_t)(*left & ~taken);
    }
    for (size_t i = 0; i < sizeof labels; i++)
        if (((uint8_t *)labels)[i])
            return false;
    return true;
}

static void compare_kernels(const Board *board, Piece piece, bool rotate180, int number) {
    static PlainReach plain;
    static Placement list[REACH_SPINS_MAX];
    plain_reach(board, piece, rotate180, &plain);
    Columns columns;
    columns_from_board(&columns, board);
    for (int level = 0; level < KERNEL_LEVELS; level++) {
        if (!kernel_available((KernelLevel)level))
            continue;
        const Kernel *kernel = kernel_at((KernelLevel)level);
        int count = kernel->list(&columns, piece, rotate180, list);
        cr_assert(same_as_plain(list, count, &plain, false),
                  "board %d piece %c kernel %d half turns %d", number, piece_letters[piece], level,
                  rotate180);
        cr_assert_eq(kernel->count(&columns, piece, rotate180), count);
        if (piece != PIECE_T)
            continue;
        count = kernel->list_spins(&columns, rotate180, list);
        cr_assert(same_as_plain(list, count, &plain, true), "labels, board %d kernel %d", number,
                  level);
    }
}

Test(reach, equals_the_plain_search) {
    int boards = scaled(20000);
    for (int i = 0; i < boards; i++) {
        Rng rng;
        rng_init(&rng, 1, (uint64_t)i);
        Board board;
        random_board(&board, &rng);
        compare_kernels(&board, (Piece)(i % PIECE_COUNT), i / PIECE_COUNT % 4 == 0, i);
    }
}

static int order(Placement a, Placement b) {
    int keys_a[4] = {a.rotation, a.x, a.y, a.spin}, keys_b[4] = {b.rotation, b.x, b.y, b.spin};
    for (int i = 0; i < 4; i++)
        if (keys_a[i] != keys_b[i])
            return keys_a[i] < keys_b[i] ? -1 : 1;
    return 0;
}

Test(reach, lists_are_ordered_and_complete) {
    static Placement list[REACH_SPINS_MAX];
    static PlainReach plain;
    for (int i = 0; i < 2000; i++) {
        Rng rng;
        rng_init(&rng, 2, (uint64_t)i);
        Board board;
        random_board(&board, &rng);
        Columns columns;
        columns_from_board(&columns, &board);
        Piece piece = i % 2 ? PIECE_T : (Piece)rng_below(&rng, PIECE_COUNT);
        plain_reach(&board, piece, false, &plain);
        int count = reach_list(&columns, piece, false, list);
        cr_assert_eq(count, plain.count);
        cr_assert_eq(count, reach_count(&columns, piece, false));
        for (int k = 0; k < count; k++) {
            cr_assert(plain.labels[list[k].rotation][list[k].x][list[k].y]);
            cr_assert(list[k].piece == piece && list[k].spin == SPIN_NONE);
            cr_assert(k == 0 || order(list[k - 1], list[k]) < 0);
        }
        count = reach_list_spins(&columns, piece, false, list);
        for (int k = 0; k < count; k++) {
            Placement p = list[k];
            cr_assert(plain.labels[p.rotation][p.x][p.y] >> p.spin & 1);
            plain.labels[p.rotation][p.x][p.y] ^= (uint8_t)(1u << p.spin);
            cr_assert(k == 0 || order(list[k - 1], list[k]) < 0);
            cr_assert(k % 16 != 0 || reach_contains(&columns, p, false, true));
        }
        for (size_t k = 0; k < sizeof plain.labels; k++)
            cr_assert_eq(((uint8_t *)plain.labels)[k], 0, "a label was not listed");
    }
}

Test(reach, contains_takes_every_state_of_the_cells) {
    Columns columns;
    parse(&columns, "");
    cr_assert(reach_contains(&columns, (Placement){PIECE_S, NORTH, 4, 0, SPIN_NONE}, false, true));
    cr_assert(reach_contains(&columns, (Placement){PIECE_S, SOUTH, 4, 1, SPIN_NONE}, false, true));
    cr_assert(!reach_contains(&columns, (Placement){PIECE_S, SOUTH, 4, 0, SPIN_NONE}, false, true));
    cr_assert(!reach_contains(&columns, (Placement){PIECE_S, NORTH, 4, 0, SPIN_FULL}, false, true));
    cr_assert(reach_contains(&columns, (Placement){PIECE_S, NORTH, 4, 0, SPIN_FULL}, false, false));
    cr_assert(!reach_contains(&columns, (Placement){PIECE_S, NORTH, 0, 0, SPIN_NONE}, false, true));
    cr_assert(!reach_contains(&columns, (Placement){PIECE_O, EAST, 0, 0, SPIN_NONE}, false, true));
    cr_assert(reach_contains(&columns, (Placement){PIECE_O, EAST, 0, 1, SPIN_NONE}, false, true));
}

Test(reach, a_t_spin_double) {
    Columns columns;
    parse(&columns, "XX......../X...XXXXXX/XX.XXXXXXX");
    Placement spin = {PIECE_T, SOUTH, 2, 1, SPIN_FULL};
    cr_assert(reach_contains(&columns, spin, false, true));
    spin.spin = SPIN_NONE;
    cr_assert(!reach_contains(&columns, spin, false, true), "only a turn gets there");
    cr_assert(reach_contains(&columns, spin, false, false));
}

Test(drop, falls_from_above_in_order) {
    static Placement list[DROP_MAX];
    for (int i = 0; i < 2000; i++) {
        Rng rng;
        rng_init(&rng, 3, (uint64_t)i);
        Board board;
        random_board(&board, &rng);
        if (board_highest(&board) > board_rows(&board) - 4)
            continue; /* no room to begin above the stack */
        Columns columns;
        columns_from_board(&columns, &board);
        Piece piece = (Piece)(i % PIECE_COUNT);
        int count = drop_list(&columns, piece, list), next = 0;
        for (int r = 0; r < piece_distinct_rotations[piece]; r++)
            for (int x = 0; x < board.width; x++) {
                const Shape *shape = &piece_shapes[piece][r];
                int top = board_rows(&board) - 1 - shape->max_y;
                if (!board_fits(&board, piece, (Rotation)r, x, top))
                    continue;
                Placement expected = {(uint8_t)piece, (uint8_t)r, (int8_t)x,
                                      (int8_t)board_rest(&board, piece, (Rotation)r, x, top),
                                      SPIN_NONE};
                cr_assert(next < count);
                cr_assert_eq(order(expected, list[next++]), 0, "board %d", i);
                cr_assert(drop_contains(&columns, expected));
                expected.y++;
                cr_assert(!drop_contains(&columns, expected), "board %d: it would float", i);
            }
        cr_assert_eq(next, count);
    }
}
