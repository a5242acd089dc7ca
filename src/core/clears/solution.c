/* solution: the order of a game is found among the solution's own places, then every key
 * is pressed in a game of the engine, or by the table of kicks where that is not the engine's. */
#include "clears/solution.h"

#include "base/memory.h"
#include "engine/game.h"
#include "movegen/reach.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void solutions_release(Solutions *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].queues);
        free(list->items[i].moves);
    }
    free(list->items);
    decided_release(&list->decided);
    *list = (Solutions){0};
}

/* Adds a solution that takes its set of queues. */
static bool add(Solutions *list, const Place *places, int count, uint64_t *set, size_t queues,
                Status *status) {
    list->words = (queues + 63) / 64;
    list->bytes += sizeof(Solution) + (size_t)count * sizeof(SolutionMove) + list->words * 8;
    if (list->bytes >> 20 >= SOLUTIONS_MAX_MIB)
        return status_fail(status, STATUS_INPUT,
                           "patterns: %zu solutions take more than %d MiB; give fewer queues",
                           list->count, SOLUTIONS_MAX_MIB);
    if (!MEMORY_HAS_PLACE(list->items, list->count, list->capacity))
        return status_no_memory(status);
    Solution *solution = &list->items[list->count++];
    *solution = (Solution){.count = count, .queues = set};
    memcpy(solution->places, places, (size_t)count * sizeof *places);
    for (size_t w = 0; w < list->words; w++)
        solution->served += (size_t)__builtin_popcountll(set[w]);
    return true;
}

bool solutions_decide(Solutions *list, const Place *places, int count, const uint8_t *solved,
                      size_t queues, Status *status) {
    if (!solved || !memchr(solved, 1, queues)) {
        decided_add(&list->decided, NULL, queues);
        return true;
    }
    uint64_t *set = memory_new((queues + 63) / 64, sizeof *set, status);
    if (!set)
        return false;
    for (size_t i = 0; i < queues; i++)
        set[i / 64] |= (uint64_t)solved[i] << (i % 64);
    decided_add(&list->decided, set, queues);
    if (list->decided.log.failed)
        status_no_memory(status);
    else if (add(list, places, count, set, queues, status))
        return true;
    free(set);
    return false;
}

bool solutions_recall(Solutions *list, const Place *places, int count, size_t queues,
                      Status *status) {
    uint64_t *set = memory_new((queues + 63) / 64, sizeof *set, status);
    if (!set)
        return false;
    if (!decided_recall(&list->decided, set, queues)) {
        free(set);
        return true;
    }
    if (add(list, places, count, set, queues, status))
        return true;
    free(set);
    return false;
}

static int compare_solutions(const void *a, const void *b) {
    const Solution *x = a, *y = b;
    if (x->served != y->served)
        return x->served > y->served ? -1 : 1;
    if (x->count != y->count)
        return x->count - y->count;
    int order = 0;
    for (int i = 0; i < x->count && order == 0; i++)
        order = place_compare(&x->places[i], &y->places[i]);
    return order != 0 ? order : x->spin - y->spin;
}

void solutions_sort(Solutions *list) {
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare_solutions);
}

size_t solutions_served(const Solutions *list, bool all, size_t queues) {
    size_t count = 0;
    for (size_t w = 0; w < list->words; w++) {
        uint64_t bits = all ? ~(uint64_t)0 : 0;
        for (size_t i = 0; i < list->count; i++)
            bits = all ? bits & list->items[i].queues[w] : bits | list->items[i].queues[w];
        if (w == queues / 64)
            bits &= ((uint64_t)1 << (queues % 64)) - 1;
        count += (size_t)__builtin_popcountll(bits);
    }
    return count;
}

size_t solution_first_queue(const Solution *solution) {
    size_t w = 0;
    while (!solution->queues[w])
        w++;
    return w * 64 + (size_t)__builtin_ctzll(solution->queues[w]);
}

/* ---- the order */

typedef struct Order {
    const Solution *solution;
    const Area *area;
    QueueCode queue;
    int length;
    bool hold;
    SolutionMove *moves;
} Order;

static bool find_order(const Order *order, int placed, Cells filled, Piece held, int next);

/* The place of the solution with these cells, or NULL. */
static const Place *place_with(const Solution *solution, Piece piece, Cells cells) {
    for (int i = 0; i < solution->count; i++)
        if (solution->places[i].cells == cells && solution->places[i].piece == piece)
            return &solution->places[i];
    return NULL;
}

/* Places the piece; `held` and `next` are those after it. */
static bool try_piece(const Order *order, int placed, Cells filled, Piece piece, bool swapped,
                      Piece held, int next) {
    Landing landings[LANDINGS_MAX];
    int count = area_landings(order->area, filled, piece, landings);
    for (int i = 0; i < count; i++) {
        const Place *place = place_with(order->solution, piece, landings[i].cells);
        bool final = place == &order->solution->places[order->solution->count - 1];
        if (!place || (order->solution->spin && final && placed + 1 < order->solution->count))
            continue;
        order->moves[placed] = (SolutionMove){.move = {landings[i].at, swapped}};
        if (order->solution->spin && final)
            order->moves[placed].move.placement.spin = order->solution->spin;
        if (find_order(order, placed + 1, filled | landings[i].cells, held, next))
            return true;
    }
    return false;
}

static bool find_order(const Order *order, int placed, Cells filled, Piece held, int next) {
    if (placed == order->solution->count)
        return true;
    Piece current = next < order->length ? queue_piece(order->queue, next) : PIECE_NONE;
    if (current != PIECE_NONE && try_piece(order, placed, filled, current, false, held, next + 1))
        return true;
    if (!order->hold)
        return false;
    /* Hold: the held piece comes, or the one after the next where nothing is held. At the end of
     * the queue the held piece is what is left. */
    if (held != PIECE_NONE)
        return try_piece(order, placed, filled, held, true, current, next + 1);
    if (next + 1 >= order->length)
        return false;
    return try_piece(order, placed, filled, queue_piece(order->queue, next + 1), true, current,
                     next + 2);
}

/* ---- the keys */

/* The keys of a straight drop: rotate and move at the top, then fall. Most placements are one, and
 * no search is needed for them. Returns their number, or -1: it takes more than that. */
static int drop_keys(const Board *board, Placement goal, uint8_t keys[SOLUTION_MAX_KEYS]) {
    static const int turns[ROTATION_COUNT] = {0, 1, 2, 1};
    Rotation rotation = NORTH;
    int x = board_spawn_x(board), y = board_spawn_y(board), count = 0;
    if (board_highest(board) > board->height - REACH_FREE_ROWS)
        return -1;
    for (int i = 0; i < turns[goal.rotation]; i++) {
        Turn turn = goal.rotation == WEST ? TURN_COUNTER : TURN_CLOCKWISE;
        if (!board_turn(board, (Piece)goal.piece, turn, &rotation, &x, &y))
            return -1;
        keys[count++] = turn == TURN_COUNTER ? KEY_COUNTER : KEY_CLOCKWISE;
    }
    for (int step = goal.x < x ? -1 : 1; x != goal.x; x += step) {
        if (!board_fits(board, (Piece)goal.piece, rotation, x + step, y))
            return -1;
        keys[count++] = step < 0 ? KEY_LEFT : KEY_RIGHT;
    }
    if (board_rest(board, (Piece)goal.piece, rotation, x, y) != goal.y)
        return -1;
    keys[count++] = KEY_HARD_DROP;
    return count;
}

static int find_keys(const Area *area, const Columns *columns, Placement goal, PathScratch *scratch,
                     uint8_t keys[SOLUTION_MAX_KEYS]) {
    const ClearsRules *rules = &area->rules;
    if (rules->kicks || rules->drop == DROP_HARD) {
        KickTable srs;
        if (!rules->kicks)
            kicks_srs(&srs);
        return kicks_path(rules->kicks ? rules->kicks : &srs, columns, goal,
                          rules->drop == DROP_180, rules->drop == DROP_HARD, keys,
                          SOLUTION_MAX_KEYS);
    }
    if (goal.spin == SPIN_NONE) {
        Board board;
        columns_to_board(columns, &board);
        int simple = drop_keys(&board, goal, keys);
        if (simple > 0)
            return simple;
    }
    uint8_t all[PATH_KEYS_MAX];
    int count = goal.spin == SPIN_NONE
                    ? path_turn_first(columns, goal, rules->drop == DROP_180, scratch, all)
                    : path_fewest(columns, goal, rules->drop == DROP_180, true, scratch, all);
    if (count > SOLUTION_MAX_KEYS)
        return -1;
    memcpy(keys, all, count > 0 ? (size_t)count : 0);
    return count;
}

/* Whether the engine has the kicks. */
static bool is_engine(const Area *area) {
    return !area->rules.kicks || area->rules.kicks == &kicks_srs_plus_table;
}

/* Presses the keys of a move with a table of kicks; the cells that are locked. */
static Cells press_keys(const Area *area, Cells filled, const SolutionMove *move) {
    Board board;
    area_board(area, filled, &board);
    Placement at = {move->move.placement.piece, NORTH, (int8_t)board_spawn_x(&board),
                    (int8_t)board_spawn_y(&board), SPIN_NONE};
    for (int k = 0; k < move->keys_count; k++)
        kicks_press(area->rules.kicks, &board, (Key)move->keys[k], &at);
    return area_cells(area, filled, placement_canonical(at));
}

/* Plays the game in the engine. */
static bool play_game(const Area *area, QueueCode queue, int length, const SolutionMove *moves,
                      int count, Board *board) {
    uint8_t pieces[PATTERN_MAX_PIECES];
    for (int i = 0; i < length; i++)
        pieces[i] = (uint8_t)queue_piece(queue, i);
    Randomizer randomizer;
    randomizer_init_list(&randomizer, pieces, (size_t)length);
    Rules rules = {.set = RULES_GUIDELINE,
                   .hold = true,
                   .rotate180 = area->rules.drop == DROP_180,
                   .kicks = area->rules.kicks ? KICKS_SRS_PLUS : KICKS_SRS,
                   .width = (uint8_t)area->width,
                   .height = (uint8_t)area->height};
    Game game;
    area_board(area, area->start, board);
    game_init_board(&game, &rules, &randomizer, board);
    for (int i = 0; i < count; i++) {
        /* At the end of the queue the held piece comes without a key. */
        if (moves[i].move.hold && game.current != moves[i].move.placement.piece &&
            !game_press(&game, KEY_HOLD))
            return false;
        if (game.current != moves[i].move.placement.piece)
            return false;
        for (int k = 0; k < moves[i].keys_count; k++)
            game_press(&game, (Key)moves[i].keys[k]);
    }
    *board = game.board;
    Spin spin = (Spin)moves[count - 1].move.placement.spin;
    return game.pieces == count && (spin == SPIN_NONE || game.spins[spin] > 0);
}

static bool play_moves(const Solution *solution, const Area *area, QueueCode queue, int length,
                       SolutionMove *moves, PathScratch *scratch) {
    Cells filled = area->start;
    for (int i = 0; i < solution->count; i++) {
        Columns columns;
        area_columns(area, filled, &columns);
        moves[i].keys_count =
            find_keys(area, &columns, moves[i].move.placement, scratch, moves[i].keys);
        Cells cells = area_cells(area, filled, moves[i].move.placement);
        if (moves[i].keys_count < 0 ||
            (!is_engine(area) && press_keys(area, filled, &moves[i]) != cells))
            return false;
        filled |= cells;
    }
    Board expected, board;
    area_board(area, filled, &expected);
    return !is_engine(area) || (play_game(area, queue, length, moves, solution->count, &board) &&
                                board_equal(&board, &expected));
}

bool solution_play(const Solution *solution, const Area *area, QueueCode queue, int length,
                   bool hold, PathScratch *scratch, SolutionMove *moves, Status *status) {
    Order order = {solution, area, queue, length, hold, moves};
    if (!find_order(&order, 0, area->start, PIECE_NONE, 0))
        return status_fail(status, STATUS_UNMET, "the queue cannot build the solution");
    return play_moves(solution, area, queue, length, moves, scratch) ||
           status_fail(status, STATUS_SYSTEM, "a solution could not be played key by key");
}
