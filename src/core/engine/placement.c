/* placement: names of keys and spins, and placements that fill the same cells. */
#include "engine/placement.h"

#include <string.h>

const char *const key_names[KEY_COUNT] = {"left", "right", "cw",   "ccw",
                                          "180",  "down",  "drop", "hold"};
const char *const spin_names[SPIN_COUNT] = {"none", "mini", "full"};

int key_from_name(const char *name) {
    for (int i = 0; i < KEY_COUNT; i++)
        if (strcmp(name, key_names[i]) == 0)
            return i;
    return -1;
}

Placement placement_canonical(Placement placement) {
    Cell shift = piece_canonical_shift[placement.piece][placement.rotation];
    placement.x = (int8_t)(placement.x + shift.x);
    placement.y = (int8_t)(placement.y + shift.y);
    placement.rotation = piece_canonical_rotation[placement.piece][placement.rotation];
    return placement;
}

bool placement_same_cells(Placement a, Placement b) {
    a = placement_canonical(a);
    b = placement_canonical(b);
    return a.piece == b.piece && a.rotation == b.rotation && a.x == b.x && a.y == b.y;
}
