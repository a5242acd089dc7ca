#include "web/frames.h"

#include "io/eval_document.h"
#include "io/json.h"

json_t *frames_cells(Placement placement) {
    const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
    json_t *cells = json_array();
    for (int i = 0; i < 4; i++)
        json_add(&cells, json_pack("[i,i]", placement.x + shape->cells[i].x,
                                   placement.y + shape->cells[i].y));
    return cells;
}

static json_t *rows_json(uint64_t rows) {
    json_t *list = json_array();
    for (int y = 0; y < BOARD_MAX_ROWS; y++)
        if (rows >> y & 1)
            json_add(&list, json_integer(y));
    return list;
}

json_t *frames_json(const ViewGame *game) {
    Frame frame;
    frame_start(&frame, game->start);
    json_t *list = json_array();
    for (int i = 0; i < game->count; i++) {
        const DecodeStep *step = &game->steps[i];
        frame_place(&frame, step);
        json_t *rows = rows_json(frame.full_rows);
        frame_clear(&frame);
        json_add(&list, json_pack("{s:s#, s:b, s:o, s:o, s:I, s:o}", "piece",
                                  &piece_letters[step->move.placement.piece], 1, "hold",
                                  (int)step->move.hold, "cells", frames_cells(step->move.placement),
                                  "rows", rows, "lines", (json_int_t)frame.lines, "board",
                                  eval_board_json(&frame.grid)));
    }
    return list;
}
