/* names: the version, the lists of names, and small values of tetropt.h. */
#include "eval/evaluator.h"
#include "library/handles.h"
#include "optim/registry.h"
#include "player/registry.h"

const char *tetropt_version(void) {
    return TETROPT_VERSION;
}

const char *tetropt_key_name(int key) {
    return key >= 0 && key < KEY_COUNT ? key_names[key] : NULL;
}

const char *tetropt_agent_name(int index) {
    return index >= 0 && index < agent_count() ? agent_at(index)->name : NULL;
}

const char *tetropt_weights_name(int index) {
    return index >= 0 && index < evaluator_preset_count() ? evaluator_preset_at(index).name : NULL;
}

const char *tetropt_algorithm_name(int index) {
    return index >= 0 && (size_t)index < optim_count() ? optim_at((size_t)index)->name : NULL;
}

const char *tetropt_feature_name(const char *kind, int index) {
    const EvaluatorKind *found = kind ? evaluator_kind_find(kind) : NULL;
    return found && index >= 0 && index < found->count ? found->names[index] : NULL;
}

tetropt_placement placement_out(Placement placement, bool hold) {
    return (tetropt_placement){.piece = piece_letters[placement.piece],
                               .rotation = placement.rotation,
                               .x = placement.x,
                               .y = placement.y,
                               .spin = placement.spin,
                               .hold = hold};
}

bool placement_in(const tetropt_placement *given, Placement *placement) {
    Piece piece = given->piece >= 'A' && given->piece <= 'Z' ? piece_from_letter((char)given->piece)
                                                             : PIECE_NONE;
    bool inside =
        given->x >= 0 && given->x < BOARD_MAX_WIDTH && given->y >= 0 && given->y < BOARD_MAX_ROWS;
    if (piece == PIECE_NONE || given->rotation < 0 || given->rotation >= ROTATION_COUNT ||
        !inside || given->spin < 0 || given->spin >= SPIN_COUNT)
        return false;
    *placement = (Placement){(uint8_t)piece, (uint8_t)given->rotation, (int8_t)given->x,
                             (int8_t)given->y, (uint8_t)given->spin};
    return true;
}

int tetropt_placement_cells(const tetropt_placement *given, int x[4], int y[4]) {
    Placement placement;
    if (!given || !x || !y || !placement_in(given, &placement))
        return TETROPT_INPUT;
    const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
    for (int i = 0; i < 4; i++) {
        x[i] = given->x + shape->cells[i].x;
        y[i] = given->y + shape->cells[i].y;
    }
    return TETROPT_OK;
}
