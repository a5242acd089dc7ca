/*
 * path: two searches over the positions of one piece. Fewest presses is breadth-first from the
 * spawn, with the last press as part of the state where spins count. Turn-first is A* backwards
 * from the goal: then the cost from a position to the goal is known on all cheapest ways, and a
 * walk from the spawn can choose among them.
 */
#include "movegen/path.h"

#include "engine/game.h"

#include <assert.h>

/* What the last press was; spins are labelled by it. */
enum { LAST_MOVE, LAST_TURN, LAST_FIFTH };

/* A position is a number: rotation, column, row. */
typedef struct Position {
    int rotation, x, y;
} Position;

static int pack(Position p) {
    return (p.rotation * BOARD_MAX_WIDTH + p.x) * PATH_ROWS + p.y;
}

static Position unpack(int index) {
    return (Position){index / PATH_ROWS / BOARD_MAX_WIDTH, index / PATH_ROWS % BOARD_MAX_WIDTH,
                      index % PATH_ROWS};
}

static Position spawn(const Columns *columns) {
    return (Position){NORTH, columns->width / 2 - 1, columns->height - 1};
}

static void find_fits(const Columns *columns, Piece piece,
                      uint64_t fits[ROTATION_COUNT][BOARD_MAX_WIDTH]) {
    uint64_t inside = ((uint64_t)1 << (columns->height + BOARD_HIDDEN_ROWS)) - 1;
    for (int r = 0; r < ROTATION_COUNT; r++)
        for (int x = 0; x < BOARD_MAX_WIDTH; x++) {
            uint64_t set = inside;
            for (int i = 0; i < 4; i++) {
                Cell cell = piece_shapes[piece][r].cells[i];
                int column = x + cell.x;
                uint64_t free = 0;
                if (column >= 0 && column < columns->width)
                    free = ~columns->column[column] & inside;
                set &= cell.y >= 0 ? free >> cell.y : free << -cell.y;
            }
            fits[r][x] = set;
        }
}

static bool fits_at(const PathScratch *scratch, Position p) {
    return p.x >= 0 && p.x < BOARD_MAX_WIDTH && p.y >= 0 && p.y < PATH_ROWS &&
           scratch->fits[p.rotation][p.x] >> p.y & 1;
}

/* Where the piece comes to rest. */
static int rest(const PathScratch *scratch, Position p) {
    uint64_t below = ~scratch->fits[p.rotation][p.x] & (((uint64_t)1 << p.y) - 1);
    return columns_height(below);
}

/* Rotates the piece; returns the kick used (1..5) or 0. */
static int turn(const PathScratch *scratch, Piece piece, Turn direction, Position *p) {
    int rotation = (int)rotation_after((Rotation)p->rotation, direction);
    const Cell *kicks = piece_kicks[piece][p->rotation][direction];
    int tests = piece_kick_counts[piece];
    if (scratch->table) {
        kicks = scratch->table->from[piece][p->rotation][rotation].tests;
        tests = scratch->table->from[piece][p->rotation][rotation].count;
    }
    for (int k = 0; k < tests; k++) {
        Position to = {rotation, p->x + kicks[k].x, p->y + kicks[k].y};
        if (fits_at(scratch, to)) {
            *p = to;
            return k + 1;
        }
    }
    return 0;
}

/* The 180-degree rotation of a table. */
static bool turn_half(const PathScratch *scratch, Piece piece, Position *p) {
    const KickTests *tests = &scratch->table->from[piece][p->rotation][p->rotation ^ 2];
    for (int k = 0; k < tests->count; k++) {
        Position to = {p->rotation ^ 2, p->x + tests->tests[k].x, p->y + tests->tests[k].y};
        if (fits_at(scratch, to)) {
            *p = to;
            return true;
        }
    }
    return false;
}

/* Presses a key; returns what the last press then was, or -1 when the key does nothing. */
static int press(const PathScratch *scratch, Piece piece, Key key, Position *p) {
    Position to = *p;
    int kick = 0;
    switch (key) {
    case KEY_CLOCKWISE:
    case KEY_COUNTER:
        kick = turn(scratch, piece, key == KEY_CLOCKWISE ? TURN_CLOCKWISE : TURN_COUNTER, p);
        return kick == 0 ? -1 : kick == KICK_COUNT ? LAST_FIFTH : LAST_TURN;
    case KEY_TURN_180:
        if (scratch->table)
            return turn_half(scratch, piece, p) ? LAST_TURN : -1;
        to.rotation ^= 2;
        break;
    case KEY_LEFT:
        to.x--;
        break;
    case KEY_RIGHT:
        to.x++;
        break;
    default:
        to.y--;
    }
    if (!fits_at(scratch, to))
        return -1;
    *p = to;
    return key == KEY_TURN_180 ? LAST_TURN : LAST_MOVE;
}

/* The positions of all states that fill the cells of a placement; returns their number. */
static int goal_positions(Placement goal, Position positions[ROTATION_COUNT]) {
    Placement wanted = placement_canonical(goal);
    int count = 0;
    for (int r = 0; r < ROTATION_COUNT; r++) {
        if (piece_canonical_rotation[goal.piece][r] != wanted.rotation)
            continue;
        Cell shift = piece_canonical_shift[goal.piece][r];
        positions[count++] = (Position){r, wanted.x - shift.x, wanted.y - shift.y};
    }
    return count;
}

/* The piece can be there and cannot fall. */
static bool can_lock(const PathScratch *scratch, Position p) {
    return fits_at(scratch, p) && rest(scratch, p) == p.y;
}

/* After which last presses the goal has the label asked for. */
static void accepted_lasts(const Columns *columns, Placement goal, unsigned moves, bool with_spin,
                           bool accepted[PATH_LASTS]) {
    static const int kicks[PATH_LASTS] = {0, 1, KICK_COUNT};
    Board board;
    columns_to_board(columns, &board);
    for (int last = 0; last < PATH_LASTS; last++)
        accepted[last] =
            !with_spin || game_spin(&board, (Piece)goal.piece, (Rotation)goal.rotation, goal.x,
                                    goal.y, kicks[last], moves) == (Spin)goal.spin;
}

typedef struct Goal {
    int row[ROTATION_COUNT][BOARD_MAX_WIDTH]; /* the row of the goal, -1 where there is none */
    bool accepted[PATH_LASTS];                /* by what the last press was */
} Goal;

/* True when a hard drop from there does what is asked; if it falls at all, the last press was a
 * move.
 */
static bool drops_to_goal(const PathScratch *scratch, const Goal *goal, Position p, int last) {
    int row = goal->row[p.rotation][p.x];
    return row >= 0 && row <= p.y && rest(scratch, p) == row &&
           goal->accepted[row < p.y ? LAST_MOVE : last];
}

/* Writes the keys that lead to a state of path_fewest and the hard drop. */
static int write_keys(const PathScratch *scratch, int state, int begin, uint8_t *keys) {
    int count = 0;
    for (int s = state; s != begin; s = scratch->parent[s])
        count++;
    for (int s = state, i = count; s != begin; s = scratch->parent[s])
        keys[--i] = scratch->key[s];
    keys[count++] = KEY_HARD_DROP;
    return count;
}

/* A state is a position and, where spins count, what the last press was. */
static int search_fewest(const Columns *columns, Piece piece, const Goal *goal, bool rotate180,
                         bool with_spin, PathScratch *scratch, uint8_t *keys) {
    static const Key order[] = {KEY_LEFT,    KEY_RIGHT,     KEY_CLOCKWISE,
                                KEY_COUNTER, KEY_SOFT_DROP, KEY_TURN_180};
    int begin = pack(spawn(columns)) * PATH_LASTS, head = 0, tail = 0;
    memset(scratch->key, KEY_COUNT, sizeof scratch->key);
    scratch->key[begin] = KEY_HARD_DROP;
    scratch->queue[tail++] = (uint16_t)begin;
    while (head < tail) {
        int state = scratch->queue[head++];
        Position p = unpack(state / PATH_LASTS);
        if (drops_to_goal(scratch, goal, p, state % PATH_LASTS))
            return write_keys(scratch, state, begin, keys);
        for (int i = 0; i < (rotate180 ? 6 : 5); i++) {
            Position to = p;
            int last = press(scratch, piece, order[i], &to);
            if (last < 0)
                continue;
            int next = pack(to) * PATH_LASTS + (with_spin ? last : 0);
            if (scratch->key[next] != KEY_COUNT)
                continue;
            scratch->key[next] = (uint8_t)order[i];
            scratch->parent[next] = (uint16_t)state;
            scratch->queue[tail++] = (uint16_t)next;
        }
    }
    return -1;
}

int path_fewest(const Columns *columns, Placement goal, unsigned moves, bool with_spin,
                PathScratch *scratch, uint8_t keys[PATH_KEYS_MAX]) {
    scratch->table = moves & MOVES_SRS_PLUS ? &kicks_srs_plus_table : NULL;
    if (with_spin && goal.piece != PIECE_T && !(moves & MOVES_ALL_SPIN)) {
        if (goal.spin != SPIN_NONE)
            return -1;
        with_spin = false;
    }
    find_fits(columns, (Piece)goal.piece, scratch->fits);
    Position positions[ROTATION_COUNT];
    int count = goal_positions(goal, positions);
    if (!fits_at(scratch, spawn(columns)) || !can_lock(scratch, positions[0]))
        return -1;
    Goal target;
    memset(target.row, -1, sizeof target.row);
    for (int i = 0; i < count; i++)
        target.row[positions[i].rotation][positions[i].x] = positions[i].y;
    accepted_lasts(columns, goal, moves, with_spin, target.accepted);
    return search_fewest(columns, (Piece)goal.piece, &target, moves & MOVES_180, with_spin, scratch,
                         keys);
}

/* --- A* from the goal ----------------------------------------------------------------------

   Every row of descent costs COST_ROW, whatever key causes it, and every press that is not a soft
   drop COST_PRESS. The fall of the hard drop at the end is free, so the search begins at every
   position from which the piece falls straight to the goal. With a charge on soft drops only, a
   kick that lowers the piece was cheaper than a rotation at the top, and with a charge on the last
   fall all ways would cost the same rows. */

enum {
    COST_PRESS = 1,
    COST_ROW = 6, /* more than a kick can save in sideways moves */
    UNKNOWN = UINT16_MAX,
    /* What waits differs by at most the estimate of the lowest position and one step: COST_ROW *
       PATH_ROWS and a little. Lists for that many values, used in a ring, are a priority queue. */
    BUCKETS = 512,
    NOWHERE = UINT16_MAX
};

typedef struct Search {
    PathScratch *scratch;
    Piece piece;
    Position spawn;
    bool rotate180;
    uint16_t buckets[BUCKETS];
    int waiting; /* positions in all buckets */
} Search;

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int cost_of_key(Key key, Position from, Position to) {
    return larger(from.y - to.y, 0) * COST_ROW + (key == KEY_SOFT_DROP ? 0 : COST_PRESS);
}

/* A lower bound of the cost from the spawn: the rows below it, and the presses, each of which moves
 * by at most two columns (a kick) and one quarter rotation, or 180 degrees. */
static int estimate(const Search *search, Position p) {
    int dx = p.x > search->spawn.x ? p.x - search->spawn.x : search->spawn.x - p.x;
    int turns = p.rotation == NORTH ? 0 : p.rotation == SOUTH && !search->rotate180 ? 2 : 1;
    return larger(search->spawn.y - p.y, 0) * COST_ROW + larger((dx + 1) / 2, turns);
}

static void push(Search *search, int index, int total) {
    PathScratch *scratch = search->scratch;
    uint16_t *first = &search->buckets[total % BUCKETS];
    scratch->next[index] = *first;
    scratch->previous[index] = NOWHERE;
    if (*first != NOWHERE)
        scratch->previous[*first] = (uint16_t)index;
    *first = (uint16_t)index;
    search->waiting++;
}

static void take(Search *search, int index, int total) {
    PathScratch *scratch = search->scratch;
    uint16_t next = scratch->next[index], previous = scratch->previous[index];
    if (previous == NOWHERE)
        search->buckets[total % BUCKETS] = next;
    else
        scratch->next[previous] = next;
    if (next != NOWHERE)
        scratch->previous[next] = previous;
    search->waiting--;
}

/* There is a way from p to the goal that costs `cost`. */
static void relax(Search *search, Position p, int cost) {
    int index = pack(p), known = search->scratch->cost[index], ahead = estimate(search, p);
    if (cost >= known)
        return;
    if (known != UNKNOWN)
        take(search, index, known + ahead);
    search->scratch->cost[index] = (uint16_t)cost;
    push(search, index, cost + ahead);
}

/* The positions from which one press of a rotation key leads to `to`. */
static void relax_turns(Search *search, Position to, Key key, int cost) {
    PathScratch *scratch = search->scratch;
    Turn direction = key == KEY_CLOCKWISE ? TURN_CLOCKWISE : TURN_COUNTER;
    int rotation = (to.rotation + (direction == TURN_CLOCKWISE ? 3 : 1)) & 3;
    const Cell *kicks = piece_kicks[search->piece][rotation][direction];
    for (int k = 0; k < piece_kick_counts[search->piece]; k++) {
        Position from = {rotation, to.x - kicks[k].x, to.y - kicks[k].y}, turned = from;
        if (fits_at(scratch, from) && turn(scratch, search->piece, direction, &turned) == k + 1)
            relax(search, from, cost + cost_of_key(key, from, to));
    }
}

static void expand(Search *search, Position to, int cost) {
    const struct {
        Key key;
        Position from;
    } steps[] = {{KEY_RIGHT, {to.rotation, to.x - 1, to.y}},
                 {KEY_LEFT, {to.rotation, to.x + 1, to.y}},
                 {KEY_SOFT_DROP, {to.rotation, to.x, to.y + 1}},
                 {KEY_TURN_180, {to.rotation ^ 2, to.x, to.y}}};
    for (int i = 0; i < (search->rotate180 ? 4 : 3); i++)
        if (fits_at(search->scratch, steps[i].from))
            relax(search, steps[i].from, cost + cost_of_key(steps[i].key, steps[i].from, to));
    relax_turns(search, to, KEY_CLOCKWISE, cost);
    relax_turns(search, to, KEY_COUNTER, cost);
}

/* Finds the costs of all positions on any cheapest way. */
static void search_costs(Search *search) {
    uint16_t *cost = search->scratch->cost;
    int begin = pack(search->spawn);
    for (int total = 0; search->waiting > 0 && total <= cost[begin];) {
        int index = search->buckets[total % BUCKETS];
        if (index == NOWHERE) {
            total++;
            continue;
        }
        take(search, index, total);
        expand(search, unpack(index), cost[index]);
    }
}

/* Goes one press down the costs, a rotation before a move before a fall. */
static Key step_down(const Search *search, Position *p) {
    static const Key order[] = {KEY_CLOCKWISE, KEY_COUNTER, KEY_TURN_180,
                                KEY_LEFT,      KEY_RIGHT,   KEY_SOFT_DROP};
    const uint16_t *cost = search->scratch->cost;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        Position to = *p;
        if ((order[i] == KEY_TURN_180 && !search->rotate180) ||
            press(search->scratch, search->piece, order[i], &to) < 0)
            continue;
        if (cost[pack(to)] + cost_of_key(order[i], *p, to) != cost[pack(*p)])
            continue;
        *p = to;
        return order[i];
    }
    assert(false); /* the costs lead from every position on a way to the next */
    return KEY_COUNT;
}

/* Follows the costs down from the spawn to a position above the goal. */
static int follow(const Search *search, uint8_t *keys) {
    Position p = search->spawn;
    int count = 0;
    while (search->scratch->cost[pack(p)] > 0)
        keys[count++] = (uint8_t)step_down(search, &p);
    keys[count++] = KEY_HARD_DROP;
    return count;
}

int path_turn_first(const Columns *columns, Placement goal, unsigned moves, PathScratch *scratch,
                    uint8_t keys[PATH_KEYS_MAX]) {
    if (moves & MOVES_SRS_PLUS) /* the search goes backwards, and knows only the kicks of SRS */
        return path_fewest(columns, goal, moves, false, scratch, keys);
    scratch->table = NULL;
    Search search = {.scratch = scratch,
                     .piece = (Piece)goal.piece,
                     .spawn = spawn(columns),
                     .rotate180 = moves & MOVES_180};
    find_fits(columns, search.piece, scratch->fits);
    Position positions[ROTATION_COUNT];
    int count = goal_positions(goal, positions);
    if (!fits_at(scratch, search.spawn) || !can_lock(scratch, positions[0]))
        return -1;
    memset(scratch->cost, 0xff, sizeof scratch->cost);
    memset(search.buckets, 0xff, sizeof search.buckets);
    for (int i = 0; i < count; i++)
        for (Position above = positions[i]; fits_at(scratch, above); above.y++)
            relax(&search, above, 0);
    search_costs(&search);
    if (scratch->cost[pack(search.spawn)] == UNKNOWN)
        return -1;
    return follow(&search, keys);
}
