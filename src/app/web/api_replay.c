/* api_replay: replays and fumens are read by io; here they become the JSON that the web UI draws.
 */
#include "web/api_replay.h"

#include "base/utf8.h"
#include "formats/document.h"
#include "formats/fumen.h"
#include "formats/replay.h"
#include "web/api.h"
#include "web/frames.h"

#include <stdlib.h>
#include <string.h>

/* ---- games */

static void write_game(JsonWriter *w, const Replay *replay, const DecodeStep *steps,
                       const Game *end) {
    ViewGame game = {&replay->start, steps, (int)end->pieces, NULL};
    bool is_text = utf8_is_text(replay->title, strlen(replay->title)); /* bytes of a file */
    jw_object(w, NULL);
    jw_put(w, JS("title", is_text ? replay->title : ""), JI("width", replay->rules.width),
           JI("height", replay->rules.height));
    document_write_board(w, "start", &replay->start);
    frames_write(w, "frames", &game, replay);
    document_write_fumen(w, &replay->start, steps, game.count);
    jw_object(w, "result");
    jw_put(w, JI("score", end->score), JI("lines", end->lines), JI("pieces", end->pieces),
           JS("over", game_over_names[end->over]));
    jw_end(w);
    jw_end(w);
}

static bool play(JsonWriter *w, const Replay *replay, Status *status) {
    if (replay->move_count > API_MAX_FRAMES)
        return status_fail(status, STATUS_INPUT, "%zu moves; the page shows at most %d",
                           replay->move_count, API_MAX_FRAMES);
    DecodeStep *steps = calloc(replay->move_count + 1, sizeof *steps);
    if (!steps)
        return status_no_memory(status);
    Game end;
    bool ok = replay_play(replay, true, steps, &end, status);
    if (ok)
        write_game(w, replay, steps, &end);
    free(steps);
    return ok;
}

/* ---- fumens that are not a game */

static void write_page(JsonWriter *w, const FumenPage *page) {
    static const char empty[] = "..........";
    bool is_text = utf8_is_text(page->comment, strlen(page->comment));
    int top = FUMEN_ROWS;
    while (top > 0 && memcmp(page->field.cells[top - 1], empty, FUMEN_WIDTH) == 0)
        top--;
    jw_object(w, NULL);
    document_write_piece(w, "piece", (Piece)page->placement.piece);
    document_write_cells(w, "cells", page->placement);
    jw_string(w, "comment", is_text ? page->comment : "");
    jw_array(w, "board");
    for (int y = top - 1; y >= 0; y--)
        jw_stringn(w, NULL, page->field.cells[y], FUMEN_WIDTH);
    jw_end(w);
    jw_end(w);
}

static bool write_pages(JsonWriter *w, const char *text, size_t length, Status *status) {
    Fumen fumen;
    if (!fumen_decode(text, length, &fumen, status))
        return false;
    bool ok = fumen.count <= API_MAX_FRAMES ||
              status_fail(status, STATUS_INPUT, "%zu pages; the page shows at most %d", fumen.count,
                          API_MAX_FRAMES);
    if (ok) {
        jw_object(w, NULL);
        jw_put(w, JS("title", ""), JI("width", FUMEN_WIDTH), JI("height", 20));
        jw_array(w, "start");
        jw_end(w);
        jw_array(w, "frames");
        for (size_t i = 0; i < fumen.count; i++)
            write_page(w, &fumen.pages[i]);
        jw_end(w);
        jw_null(w, "fumen");
        jw_null(w, "result");
        jw_end(w);
    }
    fumen_release(&fumen);
    return ok;
}

/* ---- either */

/* A document of `eval` is easily taken for a replay; it has genes or moves, and no format. */
static bool is_solution(const char *text, size_t length) {
    Status ignored;
    Json *document = json_parse(text, length, &ignored);
    bool found = json_get(document, "pieces") && !json_get(document, "format") &&
                 (json_get(document, "genes") || json_get(document, "moves"));
    json_free(document);
    return found;
}

bool api_replay_read(const char *text, size_t length, Text *body, Status *status) {
    Replay replay;
    JsonWriter w;
    jw_init(&w, body);
    bool is_json = text[strspn(text, " \t\r\n")] == '{';
    bool is_fumen = !is_json && fumen_is_inside(text, length);
    if (!is_json && !is_fumen)
        return status_fail(status, STATUS_INPUT, "neither a replay nor a fumen");
    if (is_json && is_solution(text, length))
        return status_fail(status, STATUS_INPUT, "a solution for `eval`, not a replay");
    if (is_json ? !replay_read(&replay, text, length, status)
                : !replay_from_fumen(&replay, text, length, status))
        return is_fumen && status->code == STATUS_INPUT && write_pages(&w, text, length, status);
    bool ok = play(&w, &replay, status);
    replay_release(&replay);
    return ok;
}
