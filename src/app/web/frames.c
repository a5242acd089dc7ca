/* frames: see the header. */
#include "web/frames.h"

#include "formats/document.h"

void frames_write_queue(JsonWriter *w, const FrameQueue *queue) {
    document_write_pieces(w, "pieces", queue->pieces, queue->count);
    document_write_piece(w, "held", (Piece)queue->hold);
    jw_bool(w, "holds", queue->holds);
}

/* Goes one move further in the queue: *at is the current piece. */
static void follow(const FrameQueue *queue, bool hold, size_t *at, uint8_t *held) {
    if (hold) {
        uint8_t current = *at < queue->count ? queue->pieces[*at] : PIECE_NONE;
        *at += *held == PIECE_NONE;
        *held = current;
    }
    ++*at;
}

void frames_write(JsonWriter *w, const char *name, const ViewGame *game, const FrameQueue *queue,
                  const Replay *replay, int first, int count) {
    Frame frame;
    size_t at = 0;
    uint8_t held = queue->hold;
    frame_start(&frame, game->start);
    jw_array(w, name);
    for (int i = 0; i < game->count && i - count < first; i++) {
        const DecodeStep *step = &game->steps[i];
        frame_place(&frame, step);
        follow(queue, step->move.hold, &at, &held);
        if (i < first) {
            frame_clear(&frame);
            continue;
        }
        jw_object(w, NULL);
        jw_stringn(w, "piece", &piece_letters[step->move.placement.piece], 1);
        jw_bool(w, "hold", step->move.hold);
        jw_array(w, "place");
        jw_integer(w, NULL, step->move.placement.rotation);
        jw_integer(w, NULL, step->move.placement.x);
        jw_integer(w, NULL, step->move.placement.y);
        jw_end(w);
        document_write_cells(w, "cells", step->move.placement);
        jw_array(w, "rows");
        for (int y = 0; y < BOARD_MAX_ROWS; y++)
            if (frame.full_rows >> y & 1)
                jw_integer(w, NULL, y);
        jw_end(w);
        frame_clear(&frame);
        jw_integer(w, "lines", frame.lines);
        document_write_board(w, "board", &frame.grid);
        if (step->garbage > 0)
            jw_integer(w, "garbage", step->garbage);
        jw_integer(w, "at", (int64_t)at);
        document_write_piece(w, "held", (Piece)held);
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
