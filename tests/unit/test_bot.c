/* The bot: what it thinks of boards, its plan, and the player around it. */
#include <signal.h>

#include <criterion/criterion.h>

#include "base/clock.h"
#include "bot_boards.h"
#include "movegen/reach.h"
#include "plain_reach.h"
#include "player/bot/bot.h"
#include "player/bot/evaluate_body.h"
#include "player/bot/expand.h"
#include "random_boards.h"
#include "scale.h"

#include <stdlib.h>
#include <time.h>

/* --- Rewards. --- */

Test(evaluate, attack_table) {
    const BotChain cold = {0, false}, hot = {0, true}, third = {2, false};
    const struct {
        BotChain chain;
        BotClear clear;
        int sent;
    } rows[] = {
        {cold, {PIECE_I, SPIN_NONE, 0, false}, 0}, {cold, {PIECE_I, SPIN_NONE, 1, false}, 0},
        {cold, {PIECE_I, SPIN_NONE, 2, false}, 1}, {cold, {PIECE_I, SPIN_NONE, 3, false}, 2},
        {cold, {PIECE_I, SPIN_NONE, 4, false}, 4}, {hot, {PIECE_I, SPIN_NONE, 4, false}, 5},
        {cold, {PIECE_T, SPIN_FULL, 1, false}, 2}, {cold, {PIECE_T, SPIN_FULL, 2, false}, 4},
        {cold, {PIECE_T, SPIN_FULL, 3, false}, 6}, {hot, {PIECE_T, SPIN_FULL, 2, false}, 5},
        {cold, {PIECE_T, SPIN_MINI, 1, false}, 0}, {cold, {PIECE_T, SPIN_MINI, 2, false}, 1},
        {hot, {PIECE_I, SPIN_NONE, 2, false}, 1},  {third, {PIECE_I, SPIN_NONE, 1, false}, 1},
        {cold, {PIECE_I, SPIN_NONE, 4, true}, 14}, {hot, {PIECE_T, SPIN_FULL, 0, false}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(evaluate_attack(rows[i].chain, rows[i].clear), rows[i].sent, "row %zu", i);
}

Test(evaluate, chains) {
    BotChain chain = {0, false};
    chain = evaluate_chain(chain, (BotClear){PIECE_I, SPIN_NONE, 4, false});
    cr_expect(chain.combo == 1 && chain.back_to_back);
    chain = evaluate_chain(chain, (BotClear){PIECE_T, SPIN_MINI, 1, false});
    cr_expect(chain.combo == 2 && chain.back_to_back);
    chain = evaluate_chain(chain, (BotClear){PIECE_L, SPIN_NONE, 0, false});
    cr_expect(chain.combo == 0 && chain.back_to_back, "a placement that clears nothing keeps it");
    chain = evaluate_chain(chain, (BotClear){PIECE_L, SPIN_NONE, 2, false});
    cr_expect(chain.combo == 1 && !chain.back_to_back);
    chain.combo = 255;
    cr_expect_eq(evaluate_chain(chain, (BotClear){PIECE_L, SPIN_NONE, 1, false}).combo, 255);
}

/* --- Boards. --- */

static bool cell(const Columns *columns, int x, int y) {
    return x < 0 || x >= 10 || y < 0 || (columns->column[x] >> y & 1);
}

static int height_of(const Columns *columns, int x) {
    int height = 0;
    for (int y = 0; y < BOT_ROWS; y++)
        height = cell(columns, x, y) ? y + 1 : height;
    return height;
}

static int64_t plain_holes(const BotWeights *w, const Columns *columns) {
    int holes = 0, rows = 0, open = 0, cover = 0;
    for (int y = 0; y < BOT_ROWS; y++) {
        bool any = false;
        for (int x = 0; x < 10; x++)
            if (!cell(columns, x, y) && height_of(columns, x) > y) {
                any = true;
                holes++;
                open += (x > 0 && height_of(columns, x - 1) <= y) ||
                        (x < 9 && height_of(columns, x + 1) <= y);
            }
        rows += any;
    }
    for (int x = 0; x < 10; x++) {
        int y = height_of(columns, x) - 1, above = 0;
        while (y >= 0 && cell(columns, x, y))
            y--, above++;
        cover += y < 0 ? 0 : above < EVALUATE_COVER_MAX ? above : EVALUATE_COVER_MAX;
    }
    return w->hole * holes + w->hole_row * rows + w->overhang * open + w->cover * cover;
}

static int64_t plain_surface(const BotWeights *w, const Columns *columns) {
    int well = 0, last = -1, bumps = 0, squares = 0, ready = 0;
    for (int x = 1; x < 10; x++)
        well = height_of(columns, x) < height_of(columns, well) ? x : well;
    for (int x = 0; x < 10; x++) {
        int height = height_of(columns, x);
        if (x == well)
            continue;
        if (last >= 0) {
            bumps += abs(height - last);
            squares += (height - last) * (height - last);
        }
        last = height;
    }
    for (int y = height_of(columns, well); ready < EVALUATE_WELL_MAX; y++, ready++) {
        bool full = true;
        for (int x = 0; x < 10; x++)
            full &= x == well || cell(columns, x, y);
        if (!full)
            break;
    }
    return w->bump * bumps + w->bump_square * squares + w->well * ready;
}

static int64_t plain_slots(const BotWeights *w, const Columns *columns) {
    int64_t sum = 0;
    for (int x = 1; x < 9; x++)
        for (int y = 1; y < BOT_ROWS - 1; y++) {
            bool roof_left = cell(columns, x - 1, y + 1), roof_right = cell(columns, x + 1, y + 1);
            if (cell(columns, x - 1, y) || cell(columns, x, y) || cell(columns, x + 1, y) ||
                cell(columns, x, y - 1) || !cell(columns, x - 1, y - 1) ||
                !cell(columns, x + 1, y - 1) || roof_left == roof_right ||
                height_of(columns, x) > y || height_of(columns, roof_left ? x + 1 : x - 1) > y)
                continue;
            bool upper = true, lower = true;
            for (int other = 0; other < 10; other++) {
                upper &= abs(other - x) <= 1 || cell(columns, other, y);
                lower &= other == x || cell(columns, other, y - 1);
            }
            sum += upper && lower ? w->slot_double : upper || lower ? w->slot_single : w->slot;
        }
    return sum;
}

static int32_t plain_evaluate(const BotWeights *w, const Columns *columns, Piece hold, bool b2b) {
    int highest = 0, changes = 0;
    for (int x = 0; x < 10; x++)
        highest = height_of(columns, x) > highest ? height_of(columns, x) : highest;
    for (int y = 0; y < highest; y++)
        for (int x = 0; x <= 10; x++)
            changes += cell(columns, x - 1, y) != cell(columns, x, y);
    int64_t sum = w->height * highest + w->row_transition * changes;
    sum += highest > 10 ? w->upper_half * (highest - 10) : 0;
    sum += highest > 15 ? w->upper_quarter * (highest - 15) : 0;
    sum += plain_holes(w, columns) + plain_surface(w, columns) + plain_slots(w, columns);
    sum += hold == PIECE_T ? w->hold_t : hold == PIECE_I ? w->hold_i : 0;
    return (int32_t)(sum + (b2b ? w->back_to_back : 0));
}

static void usual_board(Columns *columns, Rng *rng) {
    Board board;
    do
        random_board(&board, rng);
    while (board.width != 10 || board.height != 20);
    columns_from_board(columns, &board);
}

/* Random weights, so that a mistake in one feature cannot hide behind another. */
Test(evaluate, boards_as_the_reference_implementation) {
    Rng rng;
    rng_init(&rng, 31, 0);
    for (int i = 0; i < scaled(3000); i++) {
        BotWeights weights;
        int64_t *all = (int64_t *)&weights;
        for (size_t k = 0; k < sizeof weights / sizeof *all; k++)
            all[k] = rng_between(&rng, -1000, 1000);
        Columns columns;
        usual_board(&columns, &rng);
        Piece hold = (Piece)rng_below(&rng, PIECE_COUNT + 1);
        bool b2b = rng_chance(&rng, 0.5);
        cr_assert_eq(evaluate_board(&weights, columns.column, hold, b2b),
                     plain_evaluate(&weights, &columns, hold, b2b), "board %d", i);
    }
}

Test(evaluate, sees_a_slot_for_a_double) {
    const char *const rows[] = {"..#.......", "##...#####", "###.######"};
    Columns columns;
    board_of(rows, 3, &columns);
    BotWeights weights = {.slot_double = 1};
    cr_expect_eq(evaluate_board(&weights, columns.column, PIECE_NONE, false), 1);
    weights = (BotWeights){.slot_single = 1, .slot = 1};
    cr_expect_eq(evaluate_board(&weights, columns.column, PIECE_NONE, false), 0);
}

/* --- Children. --- */

static Node node_of(const Columns *columns, Piece hold) {
    Node node = {.parent = LAYER_NONE, .hold = (uint8_t)hold};
    memcpy(node.column, columns->column, sizeof node.column);
    return node;
}

/* Each placement once, of both pieces; boards, rows and labels as the plain rules say. */
Test(expand, children_are_the_placements) {
    static PlainReach reach;
    static Child children[EXPAND_MAX];
    BotWeights weights = default_weights();
    Rng rng;
    rng_init(&rng, 32, 0);
    for (int i = 0; i < scaled(400); i++) {
        Columns columns;
        Board board;
        Position root;
        usual_board(&columns, &rng);
        columns_to_board(&columns, &board);
        position_init(&root);
        root.columns = columns;
        root.queue[0] = (uint8_t)rng_below(&rng, PIECE_COUNT);
        root.queue_count = 1;
        Piece hold = (Piece)rng_below(&rng, PIECE_COUNT + 1), current = (Piece)root.queue[0];
        Node node = node_of(&columns, hold);
        int count = expand_node(&weights, &root, &node, children), expected = 0;
        bool dead = !plain_fits(&board, current, NORTH, 4, 19);
        for (int side = 0; side < 2 && !dead; side++) {
            Piece piece = side ? hold : current;
            if (side && (hold == PIECE_NONE || hold == current))
                break;
            plain_reach(&board, piece, false, &reach);
            for (int r = 0; r < ROTATION_COUNT; r++)
                for (int x = 0; x < 10; x++)
                    for (int y = 0; y < BOT_ROWS; y++)
                        expected += reach.labels[r][x][y] &&
                                    y + piece_shapes[piece][r].min_y < POSITION_HEIGHT;
        }
        cr_assert_eq(count, expected, "board %d: %d, expected %d", i, count, expected);
        for (int k = 0; k < count; k++) {
            Columns after = columns;
            Node made = {0};
            Placement move = children[k].move;
            int rows =
                columns_lock(&after, (Piece)move.piece, (Rotation)move.rotation, move.x, move.y);
            expand_make(&node, &children[k], &made);
            cr_assert_eq(rows, children[k].rows);
            cr_assert_arr_eq(made.column, after.column, sizeof made.column);
            cr_assert(reach_contains(&columns, move, false, true));
            cr_assert_eq(made.value,
                         made.reward + evaluate_board(&weights, made.column, (Piece)made.hold,
                                                      made.back_to_back));
        }
    }
}

Test(expand, weighs_what_may_come) {
    static Child scratch[EXPAND_MAX];
    BotWeights weights = default_weights();
    Position root;
    position_init(&root);
    root.bag = piece_bag_seven(1u << PIECE_I | 1u << PIECE_S);
    Node node = node_of(&root.columns, PIECE_NONE);
    int evaluated = 0, alone[2];
    int32_t both = expand_weigh(&weights, &root, &node, scratch, &evaluated);
    cr_expect_eq(evaluated, 17 + 17);
    for (int i = 0; i < 2; i++) {
        root.bag = piece_bag_seven(1u << (i ? PIECE_S : PIECE_I));
        alone[i] = expand_weigh(&weights, &root, &node, scratch, &evaluated);
    }
    cr_expect_eq(both, (alone[0] + alone[1]) / 2);
    cr_expect_neq(alone[0], alone[1]);
}

/* --- Positions. --- */

Test(position, hold_follows_from_the_piece) {
    Position position;
    Status status = {0};
    position_init(&position);
    for (const char *letter = "SZTO"; *letter; letter++)
        position_add_piece(&position, piece_from_letter(*letter), &status);
    cr_expect(!position_play(&position, (Placement){PIECE_I, NORTH, 4, 0, 0}, &status));
    cr_expect(!position_play(&position, (Placement){PIECE_S, NORTH, 4, 1, 0}, &status),
              "in the air");
    cr_expect(!position_play(&position, (Placement){PIECE_S, NORTH, 0, 0, 0}, &status), "a wall");
    cr_expect_eq(position.queue_count, 4);
    cr_assert(position_play(&position, (Placement){PIECE_Z, NORTH, 4, 0, 0}, &status));
    cr_expect_eq(position.hold, PIECE_S);
    cr_expect_eq(position.queue_count, 2);
    cr_expect_eq(position.queue[0], PIECE_T);
    cr_assert(position_play(&position, (Placement){PIECE_S, EAST, 7, 1, 0}, &status));
    cr_expect_eq(position.hold, PIECE_T);
    cr_assert(position_play(&position, (Placement){PIECE_O, WEST, 1, 0, 0}, &status), "equivalent");
    cr_expect_eq(position.hold, PIECE_T);
    cr_expect_eq(position.queue_count, 0);
    cr_expect(!position_play(&position, (Placement){PIECE_T, NORTH, 4, 4, 0}, &status),
              "no current piece");
}

Test(position, bags) {
    PieceBag bag = piece_bag_seven(1u << PIECE_T | 1u << PIECE_O);
    piece_bag_take(&bag, PIECE_T);
    cr_expect(bag.known && bag.left[PIECE_O] == 1 && bag.left[PIECE_T] == 0);
    piece_bag_take(&bag, PIECE_O);
    cr_expect(bag.known && bag.left[PIECE_I] == 1, "a new bag");
    piece_bag_take(&bag, PIECE_I);
    piece_bag_take(&bag, PIECE_I);
    cr_expect(!bag.known, "what cannot be shows that nothing is known");
}

/* --- Plans. --- */

static Plan *plan_in(size_t bytes, unsigned threads) {
    Status status = {0};
    PlanSettings settings = {default_weights(), bytes, threads, 0};
    Plan *plan = plan_new(&settings, &status);
    cr_assert(plan, "%s", status.message);
    return plan;
}

static Plan *plan_of(unsigned threads) {
    return plan_in(8 << 20, threads);
}

static void think_nodes(Plan *plan, uint64_t nodes) {
    while (plan_nodes(plan) < nodes && plan_step(plan))
        ;
}

static void fill_queue(Position *position, Rng *rng, int count) {
    while (position->queue_count < count)
        position_add_piece(position, (Piece)rng_below(rng, PIECE_COUNT), NULL);
}

/* A game with foreign moves and new boards: legal moves, and the invariant after every call. */
Test(plan, plays_whole_games) {
    Plan *plan = plan_of(1);
    const char *reason;
    Rng rng;
    rng_init(&rng, 34, 0);
    for (int game = 0; game < scaled(12); game++) {
        Position position;
        position_init(&position);
        if (game % 3 == 2)
            usual_board(&position.columns, &rng);
        int preview = rng_between(&rng, 1, 15);
        fill_queue(&position, &rng, preview);
        plan_reset(plan, &position);
        for (int i = 0; i < 30; i++) {
            Placement moves[PLAN_MOVES_MAX];
            think_nodes(plan, 3000);
            cr_assert(plan_ok(plan, &reason), "%s", reason);
            int count = plan_moves(plan, moves);
            if (count == 0)
                break;
            for (int k = 0; k < count; k++)
                cr_assert(reach_contains(&position.columns, moves[k], false, true));
            int choice = rng_chance(&rng, 0.3) ? (int)rng_below(&rng, (uint32_t)count) : 0;
            cr_assert(position_play(&position, moves[choice], NULL));
            plan_advance(plan, &position);
            cr_assert(plan_ok(plan, &reason), "%s", reason);
            while (position.queue_count < preview) {
                fill_queue(&position, &rng, position.queue_count + 1);
                plan_advance(plan, &position);
            }
            cr_assert(plan_ok(plan, &reason), "%s", reason);
        }
    }
    plan_free(plan);
}

Test(plan, keeps_what_it_learned) {
    Plan *plan = plan_of(1);
    Position position;
    Rng rng;
    rng_init(&rng, 35, 0);
    position_init(&position);
    fill_queue(&position, &rng, 6);
    plan_reset(plan, &position);
    think_nodes(plan, 20000);
    int depth = plan_depth(plan);
    Placement moves[PLAN_MOVES_MAX];
    cr_assert_gt(plan_moves(plan, moves), 0);
    position_play(&position, moves[0], NULL);
    plan_advance(plan, &position);
    cr_expect_eq(plan_nodes(plan), 0);
    cr_expect_eq(plan_depth(plan), depth - 1, "the line is there without thinking");
    cr_expect_gt(plan_moves(plan, moves), 0);
    fill_queue(&position, &rng, 6);
    plan_advance(plan, &position);
    cr_expect_eq(plan_depth(plan), depth - 1);
    think_nodes(plan, 3000);
    cr_expect_geq(plan_depth(plan), depth);
    plan_free(plan);
}

Test(plan, threads_change_nothing) {
    Placement moves[2][PLAN_MOVES_MAX];
    int counts[2];
    for (unsigned i = 0; i < 2; i++) {
        Plan *plan = plan_of(1 + 2 * i);
        Position position;
        Rng rng;
        rng_init(&rng, 36, 0);
        position_init(&position);
        fill_queue(&position, &rng, 6);
        plan_reset(plan, &position);
        think_nodes(plan, 15000);
        memset(moves[i], 0, sizeof moves[i]);
        counts[i] = plan_moves(plan, moves[i]);
        plan_free(plan);
    }
    cr_assert_eq(counts[0], counts[1]);
    cr_assert_arr_eq(moves[0], moves[1], sizeof moves[0]);
}

/* When the memory is full the search drops lines and continues, on any number of threads alike. */
Test(plan, continues_when_the_memory_is_full) {
    enum { NODES = 300000 }; /* a layer of the smallest plan has 1024 */
    Placement moves[2][PLAN_MOVES_MAX];
    memset(moves, 0, sizeof moves);
    for (unsigned i = 0; i < 2; i++) {
        Plan *plan = plan_in(0, 1 + i);
        Position position, after;
        Rng rng;
        const char *reason;
        rng_init(&rng, 38, 0);
        position_init(&position);
        fill_queue(&position, &rng, 6);
        plan_reset(plan, &position);
        while (plan_nodes(plan) < NODES)
            cr_assert(plan_step(plan), "stopped after %d nodes", (int)plan_nodes(plan));
        cr_assert(plan_ok(plan, &reason), "%s", reason);
        cr_assert_gt(plan_moves(plan, moves[i]), 0);
        after = position;
        cr_assert(position_play(&after, moves[i][0], NULL));
        plan_advance(plan, &after);
        cr_assert(plan_ok(plan, &reason), "%s", reason);
        plan_free(plan);
    }
    cr_assert_arr_eq(moves[0], moves[1], sizeof moves[0]);
}

/* With two pieces in sight the bot fills the row that is open for I, for a tetris. */
Test(plan, takes_a_tetris) {
    const char *const rows[] = {"#########.", "#########.", "#########.", "#########."};
    Plan *plan = plan_of(1);
    Position position;
    position_init(&position);
    board_of(rows, 4, &position.columns);
    position.hold = PIECE_O;
    position_add_piece(&position, PIECE_I, NULL);
    position_add_piece(&position, PIECE_S, NULL);
    plan_reset(plan, &position);
    think_nodes(plan, 5000);
    Placement moves[PLAN_MOVES_MAX];
    cr_assert_gt(plan_moves(plan, moves), 0);
    cr_expect_eq(moves[0].piece, PIECE_I);
    cr_expect_eq(moves[0].x, 9);
    plan_free(plan);
}

/* --- The player. --- */

static Bot *bot_of(int64_t move_time_ms, uint64_t nodes, unsigned threads) {
    Status status = {0};
    BotSettings settings = {.plan = {default_weights(), 8 << 20, threads, 0},
                            .move_time_ms = move_time_ms,
                            .nodes = nodes};
    Bot *bot = bot_new(&settings, &status);
    cr_assert(bot, "%s", status.message);
    return bot;
}

static void nap(long milliseconds) {
    nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL);
}

/* With the thread at work all the time, for ThreadSanitizer. */
Test(bot, thinks_while_it_is_called) {
    Bot *bot = bot_of(5, 0, 2);
    Rng rng;
    rng_init(&rng, 37, 0);
    BotSuggestion suggestion;
    bot_suggest(bot, clock_now_ns(), &suggestion);
    cr_expect_eq(suggestion.count, 0, "no game");
    cr_expect(!bot_play(bot, (Placement){PIECE_I, NORTH, 4, 0, 0}, NULL));
    cr_expect(!bot_new_piece(bot, PIECE_I, NULL));
    for (int game = 0; game < 3; game++) {
        Position position;
        position_init(&position);
        fill_queue(&position, &rng, 5);
        bot_start(bot, &position);
        for (int i = 0; i < 10; i++) {
            nap(1);
            bot_suggest(bot, clock_now_ns(), &suggestion);
            cr_assert_gt(suggestion.count, 0);
            cr_assert(reach_contains(&position.columns, suggestion.moves[0], false, true));
            cr_assert(bot_play(bot, suggestion.moves[0], NULL));
            cr_assert(position_play(&position, suggestion.moves[0], NULL));
            while (position.queue_count < 5) {
                fill_queue(&position, &rng, position.queue_count + 1);
                cr_assert(
                    bot_new_piece(bot, (Piece)position.queue[position.queue_count - 1], NULL));
            }
        }
        bot_stop(bot);
    }
    bot_free(bot);
}

/* With one piece in sight the thinking soon ends. Whenever the question comes, before, after or
 * just then, the answer does not wait for the time to run out. */
Test(bot, answers_at_once_when_all_is_thought, .timeout = 120) {
    enum { MOVE_MS = 20000 };
    Bot *bot = bot_of(MOVE_MS, 0, 1);
    Rng rng;
    rng_init(&rng, 39, 0);
    for (int i = 0; i < scaled(500); i++) {
        Position position;
        BotSuggestion suggestion;
        position_init(&position);
        position_add_piece(&position, (Piece)rng_below(&rng, PIECE_COUNT), NULL);
        bot_start(bot, &position);
        uint64_t asked = clock_now_ns() + rng_below(&rng, 2000000);
        while (clock_now_ns() < asked)
            continue;
        bot_suggest(bot, asked, &suggestion);
        cr_assert_gt(suggestion.count, 0);
        cr_assert_lt(clock_seconds_since(asked), MOVE_MS / 2000.0, "question %d", i);
    }
    bot_free(bot);
}

/* Where the best move can be had under several labels, they come next. */
Test(bot, lists_other_labels_of_the_same_cells) {
    Bot *bot = bot_of(1, 100, 1);
    Rng rng;
    rng_init(&rng, 38, 0);
    int found = 0;
    for (int i = 0; i < 20000 && found < 5; i++) {
        Position position;
        BotSuggestion suggestion;
        Placement places[REACH_SPINS_MAX];
        position_init(&position);
        usual_board(&position.columns, &rng);
        position_add_piece(&position, PIECE_T, NULL);
        bot_start(bot, &position);
        bot_suggest(bot, clock_now_ns(), &suggestion);
        int count = reach_list_spins(&position.columns, PIECE_T, false, places), labels = 0;
        cr_assert_eq(count > 0, suggestion.count > 0);
        for (int k = 0; k < count && suggestion.count > 0; k++)
            labels += placement_same_cells(places[k], suggestion.moves[0]);
        found += labels > 1;
        for (int k = 1; k < labels; k++) {
            cr_assert(placement_same_cells(suggestion.moves[k], suggestion.moves[0]));
            cr_assert_neq(suggestion.moves[k].spin, suggestion.moves[0].spin);
        }
        for (int k = 0; k < suggestion.count; k++)
            cr_assert(reach_contains(&position.columns, suggestion.moves[k], false, true));
    }
    cr_expect_eq(found, 5);
    bot_free(bot);
}
