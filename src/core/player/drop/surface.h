/*
 * surface: the patterns of the surface (eval/surface.h) in the lanes of lanes.h, which
 * includes this.
 *
 * The weights of all patterns stand in a table of 64 small numbers (LaneSurface, of the including
 * file), so what a column adds is one look-up, and a piece changes it for its own columns and their
 * neighbours only. The sum is one more term of the score: the unit of the table is its weight.
 */
#ifndef TETROPT_PLAYER_DROP_SURFACE_H
#define TETROPT_PLAYER_DROP_SURFACE_H

/* A step between two heights as a number, see surface_step. */
LANES Lanes surface_step_of(Lanes from, Lanes to) {
    const Lanes most = lanes_fill(SURFACE_STEP), least = lanes_fill(0u - SURFACE_STEP);
    return lanes_add(lanes_min(lanes_max(lanes_sub(to, from), least), most), most);
}

/* What columns with these steps beside them add; walls add nothing. */
LANES Lanes surface_of(const LaneSurface *table, Lanes columns, Lanes first, Lanes second) {
    Lanes place = lanes_add(lanes_left_by(first, 3), second);
    return lanes_and_not(lanes_look_up(table, place), lanes_sign(columns));
}

LANES void prepare_surface(LaneBoard *board, const LaneSurface *table) {
    const Lanes none = lanes_fill(0), *tops = board->tops + 2;
    Lanes surface = surface_of(table, board->columns[2], surface_step_of(tops[-1], tops[0]),
                               surface_step_of(tops[0], tops[1]));
    board->surface[0] = lanes_shift_up(surface, none, 1);
    board->surface[1] = surface;
    board->surface[2] = lanes_shift_down(surface, none, 1);
    board->surface[3] = lanes_shift_down(surface, none, 2);
    board->surface[4] = lanes_shift_down(surface, none, 3);
    board->surface[5] = lanes_shift_down(surface, none, 4);
}

/* Of the columns of a piece and their neighbours, before it lands ... */
LANES Lanes surface_before(const LaneBoard *board, const int width) {
    Lanes sum = board->surface[0];
    for (int i = 0; i <= width; i++)
        sum = lanes_add(sum, board->surface[i + 1]);
    return sum;
}

/* ... and after. A column that it does not use keeps its height. */
LANES Lanes surface_with(const LaneBoard *board, const DropShape *shape, Lanes landing,
                         const int width, const LaneSurface *table) {
    const Lanes *column = board->columns + 2;
    Lanes heights[8], *tops = heights + 2, steps[7], *step = steps + 2;
    for (int i = -2; i < width + 2; i++)
        tops[i] = board->tops[i + 2];
    for (int i = 0; i < width; i++) {
        Lanes top = lanes_add(landing, lanes_constant(shape->top[i]));
        tops[i] = lanes_choose(shape->used[i], top, tops[i]);
    }
    for (int i = -2; i <= width; i++)
        step[i] = surface_step_of(tops[i], tops[i + 1]);
    Lanes sum = lanes_fill(0);
    for (int i = -1; i <= width; i++)
        sum = lanes_add(sum, surface_of(table, column[i], step[i - 1], step[i]));
    return sum;
}

/* Of every column of a board, one lane per column. */
LANES Lanes surface_whole(Lanes columns, Lanes tops, const LaneSurface *table) {
    const Lanes wall = lanes_top(lanes_fill(UINT32_MAX));
    Lanes first = surface_step_of(lanes_shift_up(tops, wall, 1), tops);
    Lanes second = surface_step_of(tops, lanes_shift_down(tops, wall, 1));
    return surface_of(table, columns, first, second);
}

#endif
