/* turn: hands and placements by the rules of the view; nothing is evaluated here. */
#include "player/turn.h"

#include <assert.h>

TurnHand turn_hand(const AgentView *view) {
    return (TurnHand){view->current, view->hold, 0, false};
}

/* The hand after a lock that left `hold` and used `next` of the queue. A used-up queue gives the
 * held piece back. */
static TurnHand next_hand(const AgentView *view, uint8_t hold, uint8_t next) {
    if (next < view->queue_count)
        return (TurnHand){view->queue[next], hold, (uint8_t)(next + 1), true};
    if (view->queue_ends)
        return (TurnHand){hold, PIECE_NONE, next, true};
    return (TurnHand){PIECE_NONE, hold, next, true};
}

int turn_options(const AgentView *view, TurnHand hand, TurnOption out[TURN_OPTIONS]) {
    int count = 0;
    if (hand.current != PIECE_NONE)
        out[count++] = (TurnOption){hand.current, false, next_hand(view, hand.hold, hand.next)};
    if (!(hand.later ? view->rules->hold : view->can_hold))
        return count;
    if (hand.hold != PIECE_NONE) {
        if (hand.hold != hand.current)
            out[count++] = (TurnOption){hand.hold, true, next_hand(view, hand.current, hand.next)};
    } else if (hand.current != PIECE_NONE && hand.next < view->queue_count) {
        uint8_t brought = view->queue[hand.next];
        if (brought != hand.current)
            out[count++] = (TurnOption){brought, true,
                                        next_hand(view, hand.current, (uint8_t)(hand.next + 1))};
    }
    return count;
}

bool turn_should_hold_blind(const AgentView *view) {
    return view->can_hold && view->hold == PIECE_NONE && view->queue_count == 0;
}

int64_t turn_last(const AgentView *view) {
    if (!view->queue_ends)
        return view->locks_left;
    int64_t pieces = 1 + view->queue_count + (view->hold != PIECE_NONE);
    return pieces < view->locks_left ? pieces : view->locks_left;
}

int turn_depth(const AgentView *view) {
    int64_t depth = 1 + view->queue_count;
    if (view->rules->hold)
        depth += (view->hold != PIECE_NONE) - (view->queue_ends ? 0 : 1);
    int64_t last = turn_last(view);
    depth = depth < 1 ? 1 : depth;
    return (int)(depth < last ? depth : last);
}

Move turn_last_resort(const AgentView *view) {
    Placement placements[REACH_MAX];
    TurnOption options[TURN_OPTIONS];
    int count = turn_options(view, turn_hand(view), options);
    for (int k = 0; k < count; k++) {
        bool dead;
        if (turn_placements(view, &view->columns, (Piece)options[k].piece, false, placements,
                            &dead) > 0)
            return (Move){placements[0], options[k].hold};
    }
    /* The current piece stands at its spawn, so it has a place to rest. */
    assert(false);
    return (Move){.placement.piece = PIECE_NONE};
}

static bool ends_game(const AgentView *view, const Columns *columns, Placement placement) {
    if (view->rules->set == RULES_GUIDELINE)
        return reach_locks_out(columns, placement);
    return placement.y + piece_shapes[placement.piece][placement.rotation].max_y >= columns->height;
}

/* Is nothing above the piece in its columns? */
static bool is_drop(const Columns *columns, Placement placement) {
    const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
    for (int i = 0; i <= shape->max_x - shape->min_x; i++)
        if (columns->column[placement.x + shape->min_x + i] >> (placement.y + shape->bottom[i]))
            return false;
    return true;
}

/* Moves the placements that do not end the game to the front; returns how many count. */
static int keep_alive(const AgentView *view, const Columns *columns, Placement *out, int count,
                      bool *dead) {
    enum { UPRIGHT_I_ROWS = 4 };
    int alive = 0;
    if (count > 0 && columns_highest(columns) + UPRIGHT_I_ROWS <= columns->height) {
        *dead = false; /* whatever rests on the stack */
        return count;
    }
    for (int i = 0; i < count; i++)
        if (!ends_game(view, columns, out[i]))
            out[alive++] = out[i]; /* over one that ends the game, not needed any more */
    *dead = alive == 0;
    return alive > 0 ? alive : count;
}

/* Writes the placements by the rules, of which `drops_only` takes those with nothing above. */
static int list_all(const AgentView *view, const Columns *columns, Piece piece, bool drops_only,
                    Placement out[REACH_MAX]) {
    if (view->rules->set == RULES_DROP)
        return drop_list(columns, piece, out);
    int count = reach_list(columns, piece, rules_moves(view->rules), out), kept = 0;
    if (!drops_only)
        return count;
    for (int i = 0; i < count; i++)
        if (is_drop(columns, out[i]))
            out[kept++] = out[i];
    return kept;
}

int turn_placements(const AgentView *view, const Columns *columns, Piece piece, bool drops_only,
                    Placement out[REACH_MAX], bool *dead) {
    int count = list_all(view, columns, piece, drops_only, out);
    if (count == 0 && drops_only)
        count = list_all(view, columns, piece, false, out);
    return keep_alive(view, columns, out, count, dead);
}

/* A piece in the top rows of the board, before it is moved. */
typedef struct TopState {
    bool free;
    int x, y;
} TopState;

/* Every state as it is after quarter turns about the middle of the box, which stands in the top
 * rows of the board; each must fit without a kick. */
static void top_states(const Board *board, Piece piece, TopState states[ROTATION_COUNT]) {
    int x = board_spawn_x(board), y = board->height - 2;
    for (int r = 0; r < ROTATION_COUNT; r++)
        states[r].free = false;
    states[NORTH] = (TopState){board_fits(board, piece, NORTH, x, y), x, y};
    for (int turn = 0; turn < TURN_COUNT; turn++) {
        Rotation from = NORTH;
        for (int i = 0; i < 3 && states[from].free; i++) {
            Rotation to = rotation_after(from, (Turn)turn);
            Cell shift = piece_kicks[piece][from][turn][0];
            x = states[from].x + shift.x, y = states[from].y + shift.y;
            if (!board_fits(board, piece, to, x, y))
                break;
            states[to] = (TopState){true, x, y};
            from = to;
        }
    }
}

/* True when the piece slides along its row to above the placement. */
static bool slides_to(const Board *board, Placement at, TopState from) {
    if (!from.free || at.y > from.y)
        return false;
    int step = at.x < from.x ? -1 : 1;
    for (int x = from.x; x != at.x; x += step)
        if (!board_fits(board, (Piece)at.piece, (Rotation)at.rotation, x + step, from.y))
            return false;
    return true;
}

static bool leaves_box(Placement at) {
    return at.rotation == EAST && at.x == 0 &&
           (at.piece == PIECE_T || at.piece == PIECE_J || at.piece == PIECE_L);
}

static int top_of(Placement at) {
    return at.y + piece_shapes[at.piece][at.rotation].max_y;
}

int turn_slides(const AgentView *view, TurnSlide how, Placement out[REACH_MAX], bool *dead) {
    Piece piece = (Piece)view->current;
    const Columns *columns = &view->columns;
    TopState states[ROTATION_COUNT];
    top_states(view->board, piece, states);
    int count = list_all(view, columns, piece, true, out), kept = 0, highest = 0;
    for (int i = 0; i < count; i++) {
        Placement at = out[i];
        if (top_of(at) > top_of(out[highest]))
            highest = i;
        if ((!how.slide || slides_to(view->board, at, states[at.rotation])) &&
            !(how.box && leaves_box(at)))
            out[kept++] = at;
    }
    if (kept > 0)
        return keep_alive(view, columns, out, kept, dead);
    if (count == 0)
        return turn_placements(view, columns, piece, true, out, dead);
    out[0] = out[highest];
    *dead = ends_game(view, columns, out[0]);
    return 1;
}
