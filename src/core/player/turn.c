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

int turn_placements(const AgentView *view, const Columns *columns, Piece piece, bool drops_only,
                    Placement out[REACH_MAX], bool *dead) {
    bool drop = view->rules->set == RULES_DROP;
    int count = drop ? drop_list(columns, piece, out)
                     : reach_list(columns, piece, view->rules->rotate180, out);
    int kept = 0, alive = 0;
    for (int i = 0; i < count; i++) {
        if (!drop && drops_only && !is_drop(columns, out[i]))
            continue;
        /* The living are moved to the front; the dead before them are not needed any more. */
        if (!ends_game(view, columns, out[i]))
            out[alive++] = out[i];
        else if (alive == 0)
            out[kept++] = out[i];
    }
    if (alive + kept == 0 && drops_only)
        return turn_placements(view, columns, piece, false, out, dead);
    *dead = alive == 0;
    return alive > 0 ? alive : kept;
}
