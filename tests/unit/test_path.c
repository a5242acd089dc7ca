/* path: every way is played on the engine and must do what was asked; the short ones are compared
 * with plain searches. */
#include <signal.h>

#include <criterion/criterion.h>

#include "movegen/path.h"
#include "movegen/reach.h"
#include "plain_reach.h"
#include "random_boards.h"

static PathScratch scratch;
static uint8_t keys[PATH_KEYS_MAX];

/* Plays the keys on the board; every press must do something and the last one locks the piece in
 * the cells of `goal`. Returns the spin label. */
static Spin play(const Board *board, Placement goal, bool rotate180, int count) {
    Randomizer randomizer;
    randomizer_init_list(&randomizer, &goal.piece, 1);
    Rules rules = {.set = RULES_GUIDELINE,
                   .rotate180 = rotate180,
                   .width = board->width,
                   .height = board->height};
    Game game;
    game_init_board(&game, &rules, &randomizer, board);
    for (int i = 0; i + 1 < count; i++) {
        cr_assert_neq(keys[i], KEY_HARD_DROP);
        cr_assert(game_press(&game, (Key)keys[i]), "press %d does nothing", i);
    }
    cr_assert_eq(keys[count - 1], KEY_HARD_DROP);
    int y = board_rest(&game.board, (Piece)game.current, (Rotation)game.rotation, game.x, game.y);
    Placement locked = {game.current, game.rotation, game.x, (int8_t)y, SPIN_NONE};
    cr_assert(placement_same_cells(locked, goal), "locks elsewhere");
    return game_spin(board, (Piece)game.current, (Rotation)game.rotation, game.x, y,
                     y == game.y ? game.last_kick : 0);
}

/* The fewest presses by the distances of the plain search, the hard drop included. */
static int plain_fewest(const Board *board, const PlainReach *reach, Placement goal,
                        bool with_spin) {
    static const int kicks[LAST_COUNT] = {0, 1, 5};
    int best = 1 << 20;
    for (int x = 0; x < board->width; x++)
        for (int y = 0; y < board_rows(board); y++)
            for (int r = 0; r < ROTATION_COUNT; r++)
                for (int last = 0; last < LAST_COUNT; last++) {
                    int distance = reach->distance[x][y][r][last];
                    if (distance == 0 || distance >= best)
                        continue;
                    Placement p = {goal.piece, (uint8_t)r, (int8_t)x, (int8_t)y, SPIN_NONE};
                    while (plain_fits(board, (Piece)goal.piece, r, x, p.y - 1))
                        p.y--;
                    Spin spin = game_spin(board, (Piece)goal.piece, (Rotation)r, x, p.y,
                                          p.y == y ? kicks[last] : 0);
                    if (placement_same_cells(p, goal) && (!with_spin || spin == (Spin)goal.spin))
                        best = distance;
                }
    return best;
}

Test(path, the_fewest_presses) {
    static Placement list[REACH_SPINS_MAX];
    static PlainReach plain;
    int spins = 0;
    for (int i = 0; i < 3000; i++) {
        Rng rng;
        rng_init(&rng, 5, (uint64_t)i);
        Board board;
        random_board(&board, &rng);
        Columns columns;
        columns_from_board(&columns, &board);
        Piece piece = i % 2 ? PIECE_T : (Piece)(i / 2 % PIECE_COUNT);
        bool rotate180 = i % 8 == 0, with_spin = i % 4 != 2;
        plain_reach(&board, piece, rotate180, &plain);
        int count = reach_list_spins(&columns, piece, rotate180, list);
        for (int k = 0; k < count; k++) {
            if (list[k].spin == SPIN_NONE && !rng_chance(&rng, 0.2))
                continue;
            int presses = path_fewest(&columns, list[k], rotate180, with_spin, &scratch, keys);
            cr_assert_eq(presses, plain_fewest(&board, &plain, list[k], with_spin), "board %d", i);
            Spin spin = play(&board, list[k], rotate180, presses);
            cr_assert(!with_spin || spin == (Spin)list[k].spin);
            spins += spin != SPIN_NONE;
        }
    }
    cr_assert_gt(spins, 500, "the boards have spins: %d", spins);
}

/* What is listed has a way and what is not has none. */
Test(path, agrees_with_reach) {
    for (int i = 0; i < 500; i++) {
        Rng rng;
        rng_init(&rng, 6, (uint64_t)i);
        Board board;
        random_board(&board, &rng);
        Columns columns;
        columns_from_board(&columns, &board);
        for (int k = 0; k < 30; k++) {
            Placement p = {(uint8_t)rng_below(&rng, PIECE_COUNT),
                           (uint8_t)rng_below(&rng, ROTATION_COUNT),
                           (int8_t)rng_between(&rng, -1, board.width),
                           (int8_t)rng_between(&rng, -1, board.height / 2),
                           (uint8_t)rng_below(&rng, SPIN_COUNT)};
            bool reachable = reach_contains(&columns, p, false, false);
            cr_assert_eq(path_fewest(&columns, p, false, false, &scratch, keys) > 0, reachable);
            cr_assert_eq(path_turn_first(&columns, p, false, &scratch, keys) > 0, reachable);
            cr_assert_eq(path_fewest(&columns, p, false, true, &scratch, keys) > 0,
                         reach_contains(&columns, p, false, true));
        }
    }
}

/* The cheapest way to each position where a soft drop costs 6: presses until nothing gets cheaper.
 */
static void plain_costs(const Board *board, Piece piece, bool rotate180,
                        int cost[BOARD_MAX_WIDTH][64][ROTATION_COUNT]) {
    for (int i = 0; i < BOARD_MAX_WIDTH * 64 * ROTATION_COUNT; i++)
        (&cost[0][0][0])[i] = 1 << 20;
    int x = board_spawn_x(board), y = board_spawn_y(board);
    if (plain_fits(board, piece, NORTH, x, y))
        cost[x][y][NORTH] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = 0; r < ROTATION_COUNT; r++)
            for (x = 0; x < board->width; x++)
                for (y = board_rows(board) - 1; y >= 0; y--)
                    for (int key = KEY_LEFT; key <= KEY_SOFT_DROP; key++) {
                        if (cost[x][y][r] == 1 << 20 || (key == KEY_TURN_180 && !rotate180))
                            continue;
                        Rotation rotation = (Rotation)r;
                        int to_x = x, to_y = y;
                        if (key == KEY_CLOCKWISE || key == KEY_COUNTER)
                            board_turn(board, piece,
                                       key == KEY_CLOCKWISE ? TURN_CLOCKWISE : TURN_COUNTER,
                                       &rotation, &to_x, &to_y);
                        else if (key == KEY_TURN_180)
                            rotation = (Rotation)(r ^ 2);
                        else {
                            to_x += key == KEY_RIGHT ? 1 : key == KEY_LEFT ? -1 : 0;
                            to_y -= key == KEY_SOFT_DROP;
                        }
                        if (!plain_fits(board, piece, (int)rotation, to_x, to_y))
                            continue;
                        int total = cost[x][y][r] + (key == KEY_SOFT_DROP ? 6 : 1);
                        if (total < cost[to_x][to_y][rotation]) {
                            cost[to_x][to_y][rotation] = total;
                            changed = true;
                        }
                    }
    }
}

static int cheapest(int cost[BOARD_MAX_WIDTH][64][ROTATION_COUNT], Placement goal) {
    int best = 1 << 20;
    for (int r = 0; r < ROTATION_COUNT; r++)
        for (int x = 0; x < BOARD_MAX_WIDTH; x++)
            for (int y = 0; y < 64; y++) {
                Placement p = {goal.piece, (uint8_t)r, (int8_t)x, (int8_t)y, SPIN_NONE};
                if (cost[x][y][r] < best && placement_same_cells(p, goal))
                    best = cost[x][y][r];
            }
    return best;
}

/* The cost of the keys, the hard drop taken as soft drops. */
static int cost_of(const Board *board, Placement goal, int count) {
    int total = 0, x = board_spawn_x(board), y = board_spawn_y(board);
    Rotation rotation = NORTH;
    for (int i = 0; i + 1 < count; i++) {
        total += keys[i] == KEY_SOFT_DROP ? 6 : 1;
        x += keys[i] == KEY_RIGHT ? 1 : keys[i] == KEY_LEFT ? -1 : 0;
        y -= keys[i] == KEY_SOFT_DROP;
        if (keys[i] == KEY_TURN_180)
            rotation = (Rotation)(rotation ^ 2);
        else if (keys[i] == KEY_CLOCKWISE || keys[i] == KEY_COUNTER)
            board_turn(board, (Piece)goal.piece,
                       keys[i] == KEY_CLOCKWISE ? TURN_CLOCKWISE : TURN_COUNTER, &rotation, &x, &y);
    }
    return total + 6 * (y - board_rest(board, (Piece)goal.piece, rotation, x, y));
}

Test(path, turn_first_is_cheapest) {
    static Placement list[REACH_MAX];
    static int cost[BOARD_MAX_WIDTH][64][ROTATION_COUNT];
    for (int i = 0; i < 400; i++) {
        Rng rng;
        rng_init(&rng, 7, (uint64_t)i);
        Board board;
        random_board(&board, &rng);
        Columns columns;
        columns_from_board(&columns, &board);
        Piece piece = (Piece)(i % PIECE_COUNT);
        bool rotate180 = i % 3 == 0;
        plain_costs(&board, piece, rotate180, cost);
        int count = reach_list(&columns, piece, rotate180, list);
        for (int k = 0; k < count; k++) {
            int presses = path_turn_first(&columns, list[k], rotate180, &scratch, keys);
            play(&board, list[k], rotate180, presses);
            cr_assert_eq(cost_of(&board, list[k], presses), cheapest(cost, list[k]),
                         "board %d placement %d", i, k);
        }
    }
}

Test(path, turn_first_turns_first) {
    Columns columns = {.width = 10, .height = 20};
    int count = path_turn_first(&columns, (Placement){PIECE_T, WEST, 8, 1, SPIN_NONE}, false,
                                &scratch, keys);
    static const uint8_t expected[] = {KEY_COUNTER, KEY_RIGHT, KEY_RIGHT,
                                       KEY_RIGHT,   KEY_RIGHT, KEY_HARD_DROP};
    cr_assert_eq(count, 6);
    cr_assert_arr_eq(keys, expected, 6);
}
