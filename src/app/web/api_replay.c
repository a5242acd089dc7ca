#include "web/api_replay.h"

#include "base/utf8.h"
#include "io/eval_document.h"
#include "formats/fumen.h"
#include "io/json.h"
#include "formats/replay.h"
#include "web/api.h"
#include "web/frames.h"

#include <stdlib.h>
#include <string.h>

/* ---- games */

static json_t *keys_json(const Replay *replay, const ReplayMove *move) {
    json_t *keys = json_array();
    for (size_t i = 0; i < move->key_count; i++)
        json_add(&keys, json_string(key_names[replay->keys[move->first_key + i]]));
    return keys;
}

static json_t *fumen_json(const Replay *replay, const DecodeStep *steps, int count) {
    if (!fumen_fits(&replay->start, steps, count))
        return json_null();
    Status status = {.code = STATUS_OK};
    Text text;
    text_init(&text);
    bool ok = fumen_write_game(&replay->start, steps, count, NULL, &text, &status) && !text.failed;
    json_t *fumen = ok ? json_string(text.data) : status.code == STATUS_INPUT ? json_null() : NULL;
    text_release(&text);
    return fumen;
}

static json_t *game_json(const Replay *replay, const DecodeStep *steps, const Game *end) {
    int count = (int)end->pieces;
    ViewGame game = {&replay->start, steps, count, NULL};
    json_t *frames = frames_json(&game);
    bool ok = true;
    for (int i = 0; i < count; i++)
        ok &= json_object_set_new(json_array_get(frames, (size_t)i), "keys",
                                  keys_json(replay, &replay->moves[i])) == 0;
    if (!ok) {
        json_decref(frames);
        return NULL;
    }
    bool is_text = utf8_is_text(replay->title, strlen(replay->title)); /* it is bytes of a file */
    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:{s:I, s:I, s:I, s:s}}", "title",
                     is_text ? replay->title : "", "width", (int)replay->rules.width, "height",
                     (int)replay->rules.height, "start", eval_board_json(&replay->start), "frames",
                     frames, "fumen", fumen_json(replay, steps, count), "result", "score",
                     (json_int_t)end->score, "lines", (json_int_t)end->lines, "pieces",
                     (json_int_t)end->pieces, "over", game_over_names[end->over]);
}

static json_t *play(const Replay *replay, Status *status) {
    if (replay->move_count > API_MAX_FRAMES) {
        status_fail(status, STATUS_INPUT, "%zu moves; the page shows at most %d",
                    replay->move_count, API_MAX_FRAMES);
        return NULL;
    }
    DecodeStep *steps = calloc(replay->move_count + 1, sizeof *steps);
    if (!steps) {
        status_no_memory(status);
        return NULL;
    }
    Game end;
    json_t *document =
        replay_play(replay, true, steps, &end, status) ? game_json(replay, steps, &end) : NULL;
    free(steps);
    return document;
}

/* ---- fumens that are no game */

static json_t *field_json(const FumenField *field) {
    int top = FUMEN_ROWS;
    static const char empty[] = "..........";
    while (top > 0 && memcmp(field->cells[top - 1], empty, FUMEN_WIDTH) == 0)
        top--;
    json_t *rows = json_array();
    for (int y = top - 1; y >= 0; y--)
        json_add(&rows, json_stringn(field->cells[y], FUMEN_WIDTH));
    return rows;
}

static json_t *page_json(const FumenPage *page) {
    bool piece = page->placement.piece != PIECE_NONE;
    json_t *comment = json_string(page->comment);
    return json_pack("{s:o, s:o, s:o, s:o}", "piece",
                     piece ? json_stringn(&piece_letters[page->placement.piece], 1) : json_null(),
                     "cells", piece ? frames_cells(page->placement) : json_array(), "comment",
                     comment ? comment : json_string(""), "board", field_json(&page->field));
}

static json_t *pages_json(const char *text, size_t length, Status *status) {
    Fumen fumen;
    if (!fumen_decode(text, length, &fumen, status))
        return NULL;
    json_t *document = NULL;
    if (fumen.count > API_MAX_FRAMES)
        status_fail(status, STATUS_INPUT, "%zu pages; the page shows at most %d", fumen.count,
                    API_MAX_FRAMES);
    else {
        json_t *frames = json_array();
        for (size_t i = 0; i < fumen.count; i++)
            json_add(&frames, page_json(&fumen.pages[i]));
        document =
            json_pack("{s:s, s:i, s:i, s:[], s:o, s:n, s:n}", "title", "", "width", FUMEN_WIDTH,
                      "height", 20, "start", "frames", frames, "fumen", "result");
    }
    fumen_release(&fumen);
    return document;
}

/* ---- either */

/* A document of `eval` is easily taken for a replay, and is told apart by its genes or moves
 * without a format. */
static bool is_solution(const char *text, size_t length) {
    Status ignored;
    json_t *document = json_parse(text, length, &ignored);
    bool found = document && json_object_get(document, "pieces") &&
                 !json_object_get(document, "format") &&
                 (json_object_get(document, "genes") || json_object_get(document, "moves"));
    json_decref(document);
    return found;
}

json_t *api_replay_read(const char *text, size_t length, Status *status) {
    Replay replay;
    bool is_json = text[strspn(text, " \t\r\n")] == '{';
    bool is_fumen = !is_json && fumen_is_inside(text, length);
    if (!is_json && !is_fumen) {
        status_fail(status, STATUS_INPUT, "neither a replay nor a fumen");
        return NULL;
    }
    if (is_json && is_solution(text, length)) {
        status_fail(status, STATUS_INPUT, "a solution for `eval`, not a replay");
        return NULL;
    }
    if (is_json ? !replay_read(&replay, text, length, status)
                : !replay_from_fumen(&replay, text, length, status))
        return is_fumen && status->code == STATUS_INPUT ? pages_json(text, length, status) : NULL;
    json_t *document = play(&replay, status);
    replay_release(&replay);
    return document;
}
