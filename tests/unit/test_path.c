/* path: every way is played on the engine and must do what was asked; the short ones are compared
 * with plain searches. */
#include <signal.h>

#include <criterion/criterion.h>

#include "movegen/path.h"
#include "movegen/reach.h"
#include "plain_reach.h"
#include "random_boards.h"
#include "scale.h"

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
                     y == game.y ? game.last_kick : 0, 0);
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
                                          p.y == y ? kicks[last] : 0, 0);
                    if (placement_same_cells(p, goal) && (!with_spin || spin == (Spin)goal.spin))
                        best = distance;
                }
    return best;
}

Test(path, the_fewest_presses) {
    static Placement list[REACH_SPINS_MAX];
    static PlainReach plain;
    int spins = 0, boards = scaled(3000);
    for (int i = 0; i < boards; i++) {
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
    cr_assert_gt(spins, boards / 6, "the boards have spins: %d", spins);
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

/* Presses a key on the plain board; false when it does nothing. */
static bool plain_press(const Board *board, Piece piece, Key key, Placement *p) {
    Rotation rotation = (Rotation)p->rotation;
    int x = p->x, y = p->y;
    if (key == KEY_CLOCKWISE || key == KEY_COUNTER)
        board_turn(board, piece, key == KEY_CLOCKWISE ? TURN_CLOCKWISE : TURN_COUNTER, &rotation,
                   &x, &y);
    else if (key == KEY_TURN_180)
        rotation = (Rotation)(rotation ^ 2);
    else {
        x += key == KEY_RIGHT ? 1 : key == KEY_LEFT ? -1 : 0;
        y -= key == KEY_SOFT_DROP;
    }
    if (!plain_fits(board, piece, (int)rotation, x, y))
        return false;
    *p = (Placement){(uint8_t)piece, (uint8_t)rotation, (int8_t)x, (int8_t)y, SPIN_NONE};
    return true;
}

/* What a press costs: 6 for every row of descent, and 1 unless it is a soft drop. */
static int plain_price(Key key, int from_y, int to_y) {
    return (from_y > to_y ? 6 * (from_y - to_y) : 0) + (key != KEY_SOFT_DROP);
}

enum { NO_WAY = 1 << 20 };
typedef int Costs[BOARD_MAX_WIDTH][64][ROTATION_COUNT];

/* The cheapest way to each position: presses until nothing gets cheaper. */
static void plain_costs(const Board *board, Piece piece, bool rotate180, bool descend, Costs cost) {
    for (int i = 0; i < BOARD_MAX_WIDTH * 64 * ROTATION_COUNT; i++)
        (&cost[0][0][0])[i] = NO_WAY;
    int x = board_spawn_x(board), y = board_spawn_y(board);
    if (plain_fits(board, piece, NORTH, x, y))
        cost[x][y][NORTH] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = 0; r < ROTATION_COUNT; r++)
            for (x = 0; x < board->width; x++)
                for (y = board_rows(board) - 1; y >= 0; y--)
                    for (int key = KEY_LEFT; key <= KEY_SOFT_DROP; key++) {
                        Placement to = {(uint8_t)piece, (uint8_t)r, (int8_t)x, (int8_t)y, 0};
                        if (cost[x][y][r] == NO_WAY || (key == KEY_TURN_180 && !rotate180) ||
                            !plain_press(board, piece, (Key)key, &to) || (!descend && to.y < y))
                            continue;
                        int total = cost[x][y][r] + plain_price((Key)key, y, to.y);
                        if (total < cost[to.x][to.y][to.rotation]) {
                            cost[to.x][to.y][to.rotation] = total;
                            changed = true;
                        }
                    }
    }
}

/* The cheapest position that falls straight to the goal. */
static int cheapest(const Board *board, Costs cost, Placement goal) {
    int best = NO_WAY;
    for (int r = 0; r < ROTATION_COUNT; r++)
        for (int x = 0; x < board->width; x++)
            for (int y = 0; y < 64; y++) {
                if (cost[x][y][r] >= best)
                    continue;
                int rest = board_rest(board, (Piece)goal.piece, (Rotation)r, x, y);
                Placement p = {goal.piece, (uint8_t)r, (int8_t)x, (int8_t)rest, SPIN_NONE};
                if (placement_same_cells(p, goal))
                    best = cost[x][y][r];
            }
    return best;
}

/* The cost of the keys before the hard drop; *descent receives their rows of descent. */
static int cost_of(const Board *board, Placement goal, int count, int *descent) {
    Placement p = {goal.piece, NORTH, (int8_t)board_spawn_x(board), (int8_t)board_spawn_y(board),
                   SPIN_NONE};
    int total = 0;
    *descent = 0;
    for (int i = 0; i + 1 < count; i++) {
        int y = p.y;
        plain_press(board, (Piece)goal.piece, (Key)keys[i], &p);
        total += plain_price((Key)keys[i], y, p.y);
        *descent += p.y < y ? y - p.y : 0;
    }
    return total;
}

/* The keys are the cheapest, and every goal to which the piece can be dropped straight after keys
 * that do not lower it is reached so: rotated and moved at the top. */
Test(path, turn_first_is_cheapest) {
    static Placement list[REACH_MAX];
    static Costs cost, at_top;
    int straight = 0, tucks = 0, boards = scaled(700);
    for (int i = 0; i < boards; i++) {
        Rng rng;
        rng_init(&rng, 7, (uint64_t)i);
        Board board;
        random_board(&board, &rng);
        Columns columns;
        columns_from_board(&columns, &board);
        Piece piece = (Piece)(i % PIECE_COUNT);
        bool rotate180 = i % 3 == 0;
        plain_costs(&board, piece, rotate180, true, cost);
        plain_costs(&board, piece, rotate180, false, at_top);
        int count = reach_list(&columns, piece, rotate180, list);
        for (int k = 0; k < count; k++) {
            int presses = path_turn_first(&columns, list[k], rotate180, &scratch, keys), descent;
            play(&board, list[k], rotate180, presses);
            cr_assert_eq(cost_of(&board, list[k], presses, &descent),
                         cheapest(&board, cost, list[k]), "board %d placement %d", i, k);
            bool is_straight = cheapest(&board, at_top, list[k]) < NO_WAY;
            cr_assert(!is_straight || descent == 0, "board %d placement %d", i, k);
            straight += is_straight;
            tucks += descent > 0;
        }
    }
    cr_assert(straight > 7 * boards && tucks > boards / 2, "%d straight drops, %d others", straight,
              tucks);
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
