/* surface: the pairs of steps of a whole board; the fast version is player/drop/surface.h. */
#include "eval/surface.h"

void surface_places(const Columns *columns, int places[BOARD_MAX_WIDTH]) {
    enum { WALL = 1000 }; /* so high that every step to it counts as SURFACE_STEP */
    int last = WALL, here = columns_height(columns->column[0]);
    for (int x = 0; x < columns->width; x++) {
        int next = x + 1 < columns->width ? columns_height(columns->column[x + 1]) : WALL;
        places[x] = surface_place(surface_step(last, here), surface_step(here, next));
        last = here;
        here = next;
    }
}
