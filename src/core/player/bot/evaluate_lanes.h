/*
 * evaluate_lanes: evaluate_body.h for many boards at a time, one per vector lane. A template on top
 * of eval/lanes.h: the includer also defines EVALUATE_BOARDS, the name of the function.
 *
 * Sums are made in 32 bits, which is what is kept of the 64 bits of evaluate_body.h.
 */
#include "eval/lanes.h"
#include "player/bot/evaluate_body.h"

typedef struct LanesBoard {
    Lanes column[BOT_COLUMNS], height[BOT_COLUMNS], below[BOT_COLUMNS];
} LanesBoard;

INLINE Lanes lanes_weighed(int64_t weight, Lanes count) {
    return count * (uint32_t)weight;
}

/* `b` where the comparison `holds`, else `a`. */
INLINE Lanes lanes_either(Lanes holds, Lanes a, Lanes b) {
    return a ^ ((a ^ b) & holds);
}

INLINE Lanes lanes_holes(const BotWeights *w, const LanesBoard *board) {
    const Lanes none = {0}, cover_max = lanes_splat(EVALUATE_COVER_MAX);
    Lanes rows = none, holes = none, open = none, cover = none;
    for (int x = 0; x < BOT_COLUMNS; x++) {
        Lanes covered = board->below[x] & ~board->column[x], sides = ~none;
        sides &= x > 0 ? board->below[x - 1] : ~none;
        sides &= x < BOT_COLUMNS - 1 ? board->below[x + 1] : ~none;
        Lanes above = lanes_smaller(board->height[x] - lanes_height(covered), cover_max);
        rows |= covered;
        holes += lanes_bits(covered);
        open += lanes_bits(covered & ~sides);
        cover += above & (Lanes)(covered != 0);
    }
    return lanes_weighed(w->hole, lanes_sum(holes)) +
           lanes_weighed(w->hole_row, lanes_count(rows)) +
           lanes_weighed(w->overhang, lanes_sum(open)) + lanes_weighed(w->cover, cover);
}

INLINE Lanes lanes_surface(const BotWeights *w, const LanesBoard *board) {
    const Lanes none = {0};
    const Lanes *height = board->height;
    Lanes well = none, lowest = height[0], bumps = none, squares = none;
    for (int x = 1; x < BOT_COLUMNS; x++) {
        Lanes lower = (Lanes)((LanesSigned)height[x] < (LanesSigned)lowest);
        well = lanes_either(lower, well, lanes_splat((uint32_t)x));
        lowest = lanes_smaller(lowest, height[x]);
    }
    /* Rows that are full but for the well, where it is empty. */
    Lanes first = (Lanes)(well == 0), others = board->column[0] | first;
    Lanes in_well = board->column[0] & first, last = lanes_either(first, height[0], height[1]);
    for (int x = 1; x < BOT_COLUMNS; x++) {
        Lanes here = (Lanes)(well == lanes_splat((uint32_t)x));
        Lanes step = (height[x] - last) & ~here;
        last += step;
        bumps += lanes_absolute(step);
        squares += step * step;
        others &= board->column[x] | here;
        in_well |= board->column[x] & here;
    }
    Lanes ready = (others & ~in_well) >> lowest;
    ready = lanes_bit_number(~ready & (ready + 1));
    return lanes_weighed(w->bump, bumps) + lanes_weighed(w->bump_square, squares) +
           lanes_weighed(w->well, lanes_smaller(ready, lanes_splat(EVALUATE_WELL_MAX)));
}

INLINE Lanes lanes_transitions(const BotWeights *w, const LanesBoard *board, Lanes wall) {
    Lanes changes = {0}, last = wall;
    for (int x = 0; x < BOT_COLUMNS; x++) {
        changes += lanes_bits(last ^ board->column[x]);
        last = board->column[x];
    }
    return lanes_weighed(w->row_transition, lanes_sum(changes + lanes_bits(last ^ wall)));
}

/* For each column the rows that are full in all columns before it, and in it and all after. */
typedef struct LanesRows {
    Lanes before[BOT_COLUMNS + 1], from[BOT_COLUMNS + 1];
} LanesRows;

INLINE Lanes lanes_slots(const BotWeights *w, const LanesBoard *board) {
    const Lanes none = {0};
    Lanes places[BOT_COLUMNS], any = none;
    for (int x = 1; x < BOT_COLUMNS - 1; x++) {
        Lanes left = board->column[x - 1], middle = board->column[x], right = board->column[x + 1];
        Lanes empty = ~(left | middle | right | middle << 1) & left << 1 & right << 1;
        Lanes roofs = (left ^ right) >> 1;
        places[x] = empty & roofs & ~board->below[x] & ~(board->below[x - 1] & board->below[x + 1]);
        any |= places[x];
    }
    if (!lanes_any(any))
        return none;
    LanesRows rows;
    rows.before[0] = rows.from[BOT_COLUMNS] = ~none;
    for (int x = 0; x < BOT_COLUMNS; x++)
        rows.before[x + 1] = rows.before[x] & board->column[x];
    for (int x = BOT_COLUMNS; x-- > 0;)
        rows.from[x] = rows.from[x + 1] & board->column[x];
    Lanes all = none, singles = none, doubles = none;
    for (int x = 1; x < BOT_COLUMNS - 1; x++) {
        Lanes three = rows.before[x - 1] & rows.from[x + 2];
        Lanes one = (rows.before[x] & rows.from[x + 1]) << 1;
        all += lanes_bits(places[x]);
        doubles += lanes_bits(places[x] & three & one);
        singles += lanes_bits(places[x] & (three ^ one));
    }
    return lanes_weighed(w->slot, lanes_sum(all)) +
           lanes_weighed(w->slot_double - w->slot, lanes_sum(doubles)) +
           lanes_weighed(w->slot_single - w->slot, lanes_sum(singles));
}

INLINE Lanes lanes_evaluate(const BotWeights *w, const uint32_t boards[BOT_COLUMNS][EVALUATE_LANES],
                            int first) {
    LanesBoard board;
    Lanes highest = {0};
    for (int x = 0; x < BOT_COLUMNS; x++) {
        memcpy(&board.column[x], boards[x] + first, sizeof board.column[x]);
        board.height[x] = lanes_height(board.column[x]);
        board.below[x] = lanes_below(board.height[x]);
        highest = lanes_larger(highest, board.height[x]);
    }
    Lanes sum = lanes_weighed(w->height, highest);
    sum += lanes_weighed(w->upper_half, lanes_not_negative(highest - EVALUATE_HALF));
    sum += lanes_weighed(w->upper_quarter, lanes_not_negative(highest - EVALUATE_QUARTER));
    sum += lanes_holes(w, &board);
    sum += lanes_surface(w, &board);
    sum += lanes_transitions(w, &board, lanes_below(highest));
    return sum + lanes_slots(w, &board);
}

TARGET void EVALUATE_BOARDS(const BotWeights *w, const uint32_t boards[BOT_COLUMNS][EVALUATE_LANES],
                            int count, int32_t values[EVALUATE_LANES]) {
    for (int first = 0; first < count; first += LANES) {
        Lanes sum = lanes_evaluate(w, boards, first);
        memcpy(values + first, &sum, sizeof sum);
    }
}
