/* document: every message names the member that is wrong. */
#include "formats/document.h"

#include "engine/piece.h"
#include "formats/fumen.h"

#include <string.h>

const char *document_kind(const Json *document) {
    /* The first row whose members are all there names the kind. */
    static const struct {
        const char *members[3], *kind;
    } kinds[] = {
        {{"format", "moves", "rules"}, "a replay"},
        {{"algorithm", "moves", "fitness"}, "a solve document"},
        {{"pieces", "encoding"}, "an eval document"},
        {{"fitness", "features", "board"}, "the result of eval"},
        {{"settings", "state", "checksum"}, "a training state"},
        {{"weights", "features"}, "a file of weights"},
        {{"agent", "games"}, "a simulate document"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int k = 0;
        while (k < 3 && kinds[i].members[k] && json_get(document, kinds[i].members[k]))
            k++;
        if (k == 3 || !kinds[i].members[k])
            return kinds[i].kind;
    }
    return NULL;
}

void document_write_board(JsonWriter *json, const char *name, const Grid *grid) {
    jw_array(json, name);
    for (int y = grid_highest(grid) - 1; y >= 0; y--)
        jw_stringn(json, NULL, grid->cells[y], grid->width);
    jw_end(json);
}

bool document_read_board(const Json *rows, Grid *grid, Status *status) {
    size_t count = json_count(rows);
    if (count > (size_t)grid_rows(grid))
        return status_fail(status, STATUS_INPUT, "board: %zu rows do not fit the board of %d",
                           count, grid_rows(grid));
    for (size_t i = 0; i < count; i++) {
        const char *row = json_text(json_at(rows, i));
        if (!row)
            return status_fail(status, STATUS_INPUT, "board[%zu]: not a string", i);
        if (!grid_set_row(grid, (int)(count - 1 - i), row, strlen(row), status))
            return status_prefix(status, "board[%zu]", i);
    }
    return grid_check(grid, status) || status_prefix(status, "board");
}

void document_write_piece(JsonWriter *json, const char *name, Piece piece) {
    if (piece == PIECE_NONE)
        jw_null(json, name);
    else
        jw_stringn(json, name, &piece_letters[piece], 1);
}

void document_write_cells(JsonWriter *json, const char *name, Placement at) {
    jw_array(json, name);
    for (int i = 0; i < 4 && at.piece != PIECE_NONE; i++) {
        const Cell *cell = &piece_shapes[at.piece][at.rotation].cells[i];
        jw_integers(json, NULL, (int64_t[]){at.x + cell->x, at.y + cell->y}, 2);
    }
    jw_end(json);
}

void document_write_pieces(JsonWriter *json, const char *name, const uint8_t *pieces,
                           size_t count) {
    Text letters = {0};
    for (size_t i = 0; i < count; i++)
        text_add_char(&letters, piece_letters[pieces[i]]);
    json->text->failed |= letters.failed;
    jw_stringn(json, name, letters.data ? letters.data : "", letters.length);
    text_release(&letters);
}

void document_write_fumen(JsonWriter *json, const Grid *start, const DecodeStep *steps, int count) {
    Status status = {.code = STATUS_OK};
    Text fumen = {0};
    bool fits = fumen_fits(start, steps, count) &&
                fumen_write_game(start, steps, count, NULL, &fumen, &status);
    jw_string(json, "fumen", fits ? fumen.data : NULL);
    json->text->failed |= fumen.failed || status.code == STATUS_SYSTEM;
    text_release(&fumen);
}

bool document_read_move(const Json *entry, Move *move, Status *status) {
    enum { MISSING = -1000 }; /* outside the ranges of json_read_int here */
    if (!json_is_object(entry))
        return status_fail(status, STATUS_INPUT, "not an object");
    const char *letter = json_read_string(entry, "piece", status);
    if (!letter)
        return false;
    Piece piece = strlen(letter) == 1 ? piece_from_letter(letter[0]) : PIECE_NONE;
    if (piece == PIECE_NONE)
        return status_fail(status, STATUS_INPUT, "piece: '%.20s' is not a piece (IOTSZJL)", letter);
    const char *rotation_name = json_read_string(entry, "rotation", status);
    if (!rotation_name)
        return false;
    int rotation = rotation_from_name(rotation_name);
    if (rotation < 0)
        return status_fail(status, STATUS_INPUT,
                           "rotation: '%.20s' is not north, east, south or west", rotation_name);
    int x = MISSING, y = MISSING;
    if (!json_read_int(entry, "x", -4, BOARD_MAX_WIDTH + 4, &x, status) ||
        !json_read_int(entry, "y", -4, BOARD_MAX_ROWS + 4, &y, status))
        return false;
    if (x == MISSING || y == MISSING)
        return status_fail(status, STATUS_INPUT, "%s: missing", x == MISSING ? "x" : "y");
    const Json *hold = json_get(entry, "hold");
    if (hold && !json_is_bool(hold))
        return status_fail(status, STATUS_INPUT, "hold: not true or false");
    *move = (Move){
        {.piece = (uint8_t)piece, .rotation = (uint8_t)rotation, .x = (int8_t)x, .y = (int8_t)y},
        json_is_true(hold)};
    return true;
}
