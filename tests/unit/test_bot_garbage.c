/* The bot and garbage: what waits, what comes up, and what it does about it. */
#include <signal.h>

#include <criterion/criterion.h>

#include "base/clock.h"
#include "bot_boards.h"
#include "player/bot/bot.h"
#include "player/bot/evaluate_body.h"
#include "player/bot/expand.h"
#include "random_boards.h"

static void usual_board(Columns *columns, Rng *rng) {
    Board board;
    do
        random_board(&board, rng);
    while (board.width != 10 || board.height != 20);
    columns_from_board(columns, &board);
}

static Node node_of(const Columns *columns, Piece hold) {
    Node node = {.parent = LAYER_NONE, .hold = (uint8_t)hold};
    memcpy(node.column, columns->column, sizeof node.column);
    return node;
}

/* Garbage that waits: what is cancelled and what comes up. */
Test(bot_garbage, comes_up) {
    static Child children[EXPAND_MAX];
    BotWeights weights = default_weights();
    Rng rng;
    rng_init(&rng, 33, 0);
    int risen = 0, cancelled = 0;
    for (int i = 0; i < 400; i++) {
        Columns columns;
        Position root;
        usual_board(&columns, &rng);
        position_init(&root);
        root.columns = columns;
        root.queue[0] = (uint8_t)rng_below(&rng, PIECE_COUNT);
        root.queue_count = 1;
        root.garbage = (BotGarbage){.waiting = (uint8_t)(1 + rng_below(&rng, 12)),
                                    .cap = (uint8_t)(rng_below(&rng, 2) * 3),
                                    .countering = rng_below(&rng, 2),
                                    .blocking = rng_below(&rng, 2)};
        root.garbage.due = (uint8_t)rng_below(&rng, root.garbage.waiting + 1u);
        Node node = node_of(&columns, PIECE_NONE);
        node.waiting = root.garbage.waiting;
        int count = expand_node(&weights, &root, &node, children);
        for (int k = 0; k < count; k++) {
            Columns after = columns;
            Node made = {0};
            Placement move = children[k].move;
            uint8_t rows = (uint8_t)columns_lock(&after, (Piece)move.piece, (Rotation)move.rotation,
                                                 move.x, move.y);
            expand_make(&node, &children[k], &made);
            int attack = evaluate_attack(
                (BotChain){0}, (BotClear){move.piece, move.spin, rows, !columns_highest(&after)});
            int cancel = root.garbage.countering ? attack : 0;
            cancel = cancel < node.waiting ? cancel : node.waiting;
            int rise = root.garbage.due > cancel ? root.garbage.due - cancel : 0;
            rise = root.garbage.cap && rise > root.garbage.cap ? root.garbage.cap : rise;
            rise = root.garbage.blocking && rows > 0 ? 0 : rise;
            cr_assert_eq(made.waiting, node.waiting - cancel - rise, "board %d", i);
            cr_assert_eq(made.lift, rise);
            cr_assert_arr_eq(made.column, after.column, sizeof made.column);
            cr_assert_eq(made.value, made.reward + weights.waiting * made.waiting +
                                         evaluate_board(&weights, made.column, (Piece)made.hold,
                                                        made.back_to_back));
            risen += rise;
            cancelled += cancel;
        }
    }
    cr_expect(risen > 0 && cancelled > 0);
}

/* Eight rows are on their way and would end the game: it clears now what it would keep otherwise.
 */
Test(bot_garbage, clears_when_garbage_would_kill) {
    const char *const rows[] = {"########..", "########..", "########..", "########..",
                                "########..", "########..", "########..", "########..",
                                "########..", "########..", "########..", "#########.",
                                "#########.", "#########.", "#########."};
    PlanSettings settings = {default_weights(), 8 << 20, 1, 0};
    for (int waiting = 0; waiting <= 8; waiting += 8) {
        Status status = {0};
        Plan *plan = plan_new(&settings, &status);
        Position position;
        position_init(&position);
        board_of(rows, 15, &position.columns);
        position.hold = PIECE_O;
        position.garbage =
            (BotGarbage){.waiting = (uint8_t)waiting, .due = (uint8_t)waiting, .countering = true};
        for (const char *letter = "ILJOI"; *letter; letter++)
            position_add_piece(&position, piece_from_letter(*letter), NULL);
        plan_reset(plan, &position);
        while (plan_nodes(plan) < 5000 && plan_step(plan)) {
        }
        Placement moves[PLAN_MOVES_MAX];
        int count = plan_moves(plan, moves);
        cr_assert_gt(count, 0);
        cr_assert(position_play(&position, moves[0], &status), "%s", status.message);
        cr_expect_eq(columns_highest(&position.columns) == 11, waiting > 0, "%d waiting", waiting);
        cr_expect_eq(position.garbage.waiting, 0, "the frontend says it again");
        plan_free(plan);
    }
}

/* The session: rows come up, rows wait. */
Test(bot_garbage, session) {
    Status status = {0};
    BotSettings settings = {.plan = {default_weights(), 8 << 20, 1, 0}, .nodes = 500};
    Bot *bot = bot_new(&settings, &status);
    cr_assert(bot, "%s", status.message);
    const uint16_t rows[2] = {0x3fe, 0x1ff};
    cr_expect(!bot_rise(bot, rows, 2, &status), "no game");
    cr_expect(!bot_incoming(bot, 2, &status));
    Position position;
    position_init(&position);
    position_add_piece(&position, PIECE_I, NULL);
    position_add_piece(&position, PIECE_T, NULL);
    bot_start(bot, &position);
    cr_assert(bot_incoming(bot, 4, &status));
    cr_assert(bot_rise(bot, rows, 2, &status));
    BotSuggestion suggestion;
    bot_suggest(bot, clock_now_ns(), &suggestion);
    cr_assert_gt(suggestion.count, 0);
    cr_assert(position_rise(&position, rows, 2, &status));
    cr_expect_eq(position.columns.column[0], 1, "the last row is the floor");
    cr_expect_eq(position.columns.column[9], 2);
    cr_expect(position_play(&position, suggestion.moves[0], &status), "%s", status.message);
    uint16_t many[BOT_ROWS];
    for (int i = 0; i < BOT_ROWS; i++)
        many[i] = 0x1ff;
    cr_expect(!bot_rise(bot, many, BOT_ROWS, &status), "off the board");
    bot_free(bot);
}
