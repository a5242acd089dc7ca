/* frames: see the header. */
#include "web/frames.h"

#include "formats/document.h"

void frames_write(JsonWriter *w, const char *name, const ViewGame *game, const Replay *replay,
                  int first, int count) {
    Frame frame;
    frame_start(&frame, game->start);
    jw_array(w, name);
    for (int i = 0; i < game->count && i - count < first; i++) {
        const DecodeStep *step = &game->steps[i];
        frame_place(&frame, step);
        if (i < first) {
            frame_clear(&frame);
            continue;
        }
        jw_object(w, NULL);
        jw_stringn(w, "piece", &piece_letters[step->move.placement.piece], 1);
        jw_bool(w, "hold", step->move.hold);
        document_write_cells(w, "cells", step->move.placement);
        jw_array(w, "rows");
        for (int y = 0; y < BOARD_MAX_ROWS; y++)
            if (frame.full_rows >> y & 1)
                jw_integer(w, NULL, y);
        jw_end(w);
        frame_clear(&frame);
        jw_integer(w, "lines", frame.lines);
        document_write_board(w, "board", &frame.grid);
        if (replay) {
            const ReplayMove *move = &replay->moves[i];
            jw_array(w, "keys");
            for (size_t k = 0; k < move->key_count; k++)
                jw_string(w, NULL, key_names[replay->keys[move->first_key + k]]);
            jw_end(w);
        }
        jw_end(w);
    }
    jw_end(w);
}
