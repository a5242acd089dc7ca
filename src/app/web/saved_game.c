/* saved_game: either a replay with its steps, or the pages of a fumen. */
#include "web/saved_game.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "formats/document.h"
#include "formats/fumen.h"
#include "formats/replay.h"
#include "web/frames.h"

#include <stdlib.h>
#include <string.h>

struct SavedGame {
    bool pages; /* a fumen that is not a game; then only `fumen` is set */
    Fumen fumen;
    Replay replay;
    DecodeStep *steps;
    Game end;
};

enum { PIECE_ROWS = 4 }; /* of the highest piece */

static ViewGame view_of(const SavedGame *game) {
    return (ViewGame){&game->replay.start, game->steps, (int)game->end.pieces, NULL};
}

static FrameQueue queue_of(const SavedGame *game) {
    return (FrameQueue){game->replay.pieces, game->replay.piece_count, game->replay.hold,
                        game->replay.rules.hold};
}

/* ---- opening */

/* A document of `eval` is easily taken for a replay; it has genes or moves, and no format. */
static bool is_solution(const char *text, size_t length) {
    Status ignored;
    Json *document = json_parse(text, length, &ignored);
    bool found = json_get(document, "pieces") && !json_get(document, "format") &&
                 (json_get(document, "genes") || json_get(document, "moves"));
    json_free(document);
    return found;
}

static bool open_replay(SavedGame *game, const char *text, size_t length, Status *status) {
    if (replay_read(&game->replay, text, length, status))
        return true;
    /* The second reading only looks for a better message. */
    return is_solution(text, length)
               ? status_fail(status, STATUS_INPUT, "a solution for `eval`, not a replay")
               : false;
}

static bool open_text(SavedGame *game, const char *text, size_t length, Status *status) {
    /* 1. A fumen is a game if its pages are one; then it is played like any other. */
    if (text[strspn(text, " \t\r\n")] == '{') {
        if (!open_replay(game, text, length, status))
            return false;
    } else if (!fumen_is_inside(text, length)) {
        return status_fail(status, STATUS_INPUT, "neither a replay nor a fumen");
    } else if (!replay_from_fumen(&game->replay, text, length, status)) {
        game->pages =
            status->code == STATUS_INPUT && fumen_decode(text, length, &game->fumen, status);
        return game->pages;
    }
    /* 2. Play it by the rules. */
    game->steps = calloc(game->replay.move_count + 1, sizeof *game->steps);
    bool ok = game->steps || status_no_memory(status);
    ok = ok && replay_play(&game->replay, true, game->steps, &game->end, status);
    if (!ok)
        replay_release(&game->replay);
    return ok;
}

SavedGame *saved_game_new(const char *text, size_t length, Status *status) {
    SavedGame *game = calloc(1, sizeof *game);
    if (!game) {
        status_no_memory(status);
        return NULL;
    }
    if (open_text(game, text, length, status))
        return game;
    free(game->steps);
    free(game);
    return NULL;
}

void saved_game_free(SavedGame *game) {
    if (!game)
        return;
    if (game->pages)
        fumen_release(&game->fumen);
    else
        replay_release(&game->replay);
    free(game->steps);
    free(game);
}

int saved_game_count(const SavedGame *game) {
    return game->pages ? (int)game->fumen.count : (int)game->end.pieces;
}

/* ---- pages of a fumen */

static int page_rows(const FumenPage *page) {
    static const char empty[] = "..........";
    int top = FUMEN_ROWS;
    while (top > 0 && memcmp(page->field.cells[top - 1], empty, FUMEN_WIDTH) == 0)
        top--;
    return top;
}

static void write_page(JsonWriter *w, const FumenPage *page) {
    bool is_text = utf8_is_text(page->comment, strlen(page->comment));
    jw_object(w, NULL);
    document_write_piece(w, "piece", (Piece)page->placement.piece);
    document_write_cells(w, "cells", page->placement);
    jw_string(w, "comment", is_text ? page->comment : "");
    jw_array(w, "board");
    for (int y = page_rows(page) - 1; y >= 0; y--)
        jw_stringn(w, NULL, page->field.cells[y], FUMEN_WIDTH);
    jw_end(w);
    jw_end(w);
}

static void write_fumen(const SavedGame *game, JsonWriter *w) {
    int rows = 0;
    for (size_t i = 0; i < game->fumen.count; i++) {
        int needed = page_rows(&game->fumen.pages[i]) + PIECE_ROWS; /* it may stand on top */
        rows = needed > rows ? needed : rows;
    }
    jw_put(w, JS("title", ""), JI("width", FUMEN_WIDTH), JI("height", 20));
    jw_array(w, "start");
    jw_end(w);
    jw_put(w, JI("count", saved_game_count(game)), JI("rows", rows));
    jw_null(w, "fumen");
    jw_null(w, "result");
}

/* ---- either */

void saved_game_write(const SavedGame *game, JsonWriter *w) {
    if (game->pages) {
        write_fumen(game, w);
        return;
    }
    const Replay *replay = &game->replay;
    ViewGame view = view_of(game);
    bool is_text = utf8_is_text(replay->title, strlen(replay->title)); /* bytes of a file */
    jw_put(w, JS("title", is_text ? replay->title : ""), JI("width", replay->rules.width),
           JI("height", replay->rules.height));
    document_write_board(w, "start", &replay->start);
    jw_put(w, JI("count", view.count), JI("rows", frame_rows_needed(&view, 0)));
    document_write_fumen(w, &replay->start, game->steps, view.count);
    FrameQueue queue = queue_of(game);
    frames_write_queue(w, &queue);
    jw_object(w, "result");
    jw_put(w, JI("score", game->end.score), JI("lines", game->end.lines),
           JI("pieces", game->end.pieces), JS("over", game_over_names[game->end.over]));
    jw_end(w);
}

void saved_game_write_frames(const SavedGame *game, JsonWriter *w, const char *name, int first,
                             int count) {
    if (!game->pages) {
        ViewGame view = view_of(game);
        FrameQueue queue = queue_of(game);
        frames_write(w, name, &view, &queue, &game->replay, first, count);
        return;
    }
    jw_array(w, name);
    for (int i = first; i < saved_game_count(game) && i - count < first; i++)
        write_page(w, &game->fumen.pages[i]);
    jw_end(w);
}
