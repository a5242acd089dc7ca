/* position: a game as the messages of a frontend describe it. */
#include "player/bot/position.h"

#include <string.h>

void position_init(Position *position) {
    memset(position, 0, sizeof *position);
    position->columns.width = POSITION_WIDTH;
    position->columns.height = POSITION_HEIGHT;
    position->hold = PIECE_NONE;
}

PieceBag piece_bag_seven(unsigned left) {
    PieceBag bag = {.known = true};
    for (int i = 0; i < PIECE_COUNT; i++) {
        bag.filled[i] = 1;
        bag.left[i] = left >> i & 1;
    }
    return bag;
}

static bool empty(const PieceBag *bag) {
    for (int i = 0; i < PIECE_COUNT; i++)
        if (bag->left[i] > 0)
            return false;
    return true;
}

void piece_bag_take(PieceBag *bag, Piece piece) {
    if (!bag->known)
        return;
    if (bag->left[piece] == 0) {
        bag->known = false;
        return;
    }
    bag->left[piece]--;
    if (empty(bag))
        memcpy(bag->left, bag->filled, sizeof bag->left);
}

bool position_add_piece(Position *position, Piece piece, Status *status) {
    if (position->queue_count == POSITION_QUEUE_MAX)
        return status_fail(status, STATUS_INPUT, "piece: the queue has %d already",
                           POSITION_QUEUE_MAX);
    position->queue[position->queue_count++] = (uint8_t)piece;
    piece_bag_take(&position->bag, piece);
    return true;
}

int position_pieces_taken(const Position *position, Piece piece) {
    if (position->queue_count == 0)
        return 0;
    if (position->queue[0] == piece || position->hold == piece)
        return 1;
    return position->hold == PIECE_NONE && position->queue_count > 1 && position->queue[1] == piece
               ? 2
               : 0;
}

static bool fits(const Columns *columns, Placement move) {
    const Shape *shape = &piece_shapes[move.piece][move.rotation];
    for (int i = 0; i < 4; i++) {
        int x = move.x + shape->cells[i].x, y = move.y + shape->cells[i].y;
        if (x < 0 || x >= columns->width || y < 0 || y >= BOT_ROWS || (columns->column[x] >> y & 1))
            return false;
    }
    return true;
}

bool position_spawn_blocked(const Columns *columns, Piece piece, int lift) {
    return !fits(columns, (Placement){(uint8_t)piece, NORTH, POSITION_WIDTH / 2 - 1,
                                      (int8_t)(POSITION_HEIGHT - 1 - lift), SPIN_NONE});
}

bool position_rise(Position *position, const uint16_t *rows, int count, Status *status) {
    if (columns_highest(&position->columns) + count > BOT_ROWS)
        return status_fail(status, STATUS_INPUT, "rows: they push cells off the board");
    for (int x = 0; x < POSITION_WIDTH; x++)
        for (int i = 0; i < count; i++)
            position->columns.column[x] = position->columns.column[x] << 1 | (rows[i] >> x & 1);
    BotGarbage *garbage = &position->garbage;
    garbage->waiting = (uint8_t)(garbage->waiting > count ? garbage->waiting - count : 0);
    garbage->due = garbage->due < garbage->waiting ? garbage->due : garbage->waiting;
    return true;
}

bool position_play(Position *position, Placement move, Status *status) {
    int taken = position_pieces_taken(position, (Piece)move.piece);
    if (taken == 0)
        return status_fail(status, STATUS_INPUT, "move: no %c to place", piece_letters[move.piece]);
    if (!fits(&position->columns, move))
        return status_fail(status, STATUS_INPUT, "move: the piece does not fit there");
    Placement lower = move;
    lower.y--;
    if (fits(&position->columns, lower))
        return status_fail(status, STATUS_INPUT, "move: the piece hangs in the air");
    if (position->queue[0] != move.piece)
        position->hold = position->queue[0];
    position->queue_count -= taken;
    memmove(position->queue, position->queue + taken, (size_t)position->queue_count);
    int cleared = columns_lock(&position->columns, (Piece)move.piece, (Rotation)move.rotation,
                               move.x, move.y);
    position->garbage.waiting = position->garbage.due = 0;
    bool perfect = columns_highest(&position->columns) == 0;
    position->chain = evaluate_chain(position->chain,
                                     (BotClear){move.piece, move.spin, (uint8_t)cleared, perfect});
    return true;
}
