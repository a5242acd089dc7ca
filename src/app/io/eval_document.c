#include "io/eval_document.h"

#include "engine/randomizer.h"
#include "formats/fumen.h"

#include <string.h>

static bool read_size(EvalRequest *request, const json_t *document, Status *status) {
    int width = 10, height = 20;
    if (!json_read_int(document, "width", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, &width, status) ||
        !json_read_int(document, "height", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT, &height, status))
        return false;
    grid_init(&request->grid, width, height);
    return true;
}

bool eval_board_read(const json_t *rows, Grid *grid, Status *status) {
    size_t count = json_array_size(rows);
    if (count > (size_t)grid_rows(grid))
        return status_fail(status, STATUS_INPUT, "board: %zu rows do not fit the board of %d",
                           count, grid_rows(grid));
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        if (!json_is_string(row))
            return status_fail(status, STATUS_INPUT, "board[%zu]: not a string", i);
        if (!grid_set_row(grid, (int)(count - 1 - i), json_string_value(row),
                          json_string_length(row), status))
            return status_prefix(status, "board[%zu]", i);
    }
    return grid_check(grid, status) || status_prefix(status, "board");
}

static bool read_board(EvalRequest *request, const json_t *document, Status *status) {
    const json_t *board = json_object_get(document, "board");
    if (!board)
        return true;
    if (json_is_string(board))
        return fumen_read_board(json_string_value(board), json_string_length(board), &request->grid,
                                status) ||
               status_prefix(status, "board");
    if (!json_is_array(board))
        return status_fail(status, STATUS_INPUT, "board: neither an array of rows nor a fumen");
    return eval_board_read(board, &request->grid, status);
}

static bool read_pieces(EvalRequest *request, const json_t *document, Status *status) {
    const char *letters = json_read_string(document, "pieces", status);
    if (!letters)
        return false;
    int count = pieces_parse(letters, request->pieces, EVAL_MAX_QUEUE, status);
    if (count < 0)
        return status_prefix(status, "pieces");
    if (count == 0)
        return status_fail(status, STATUS_INPUT, "pieces: there are none");
    request->piece_count = count;
    request->placements = count < GENOTYPE_MAX_PIECES ? count : GENOTYPE_MAX_PIECES;
    int most = request->placements;
    return json_read_int(document, "placements", 1, most, &request->placements, status);
}

static bool read_encoding(EvalRequest *request, const json_t *document, Status *status) {
    const char *name = json_read_string(document, "encoding", status);
    if (!name)
        return false;
    int encoding = encoding_from_name(name);
    if (encoding < 0)
        return status_fail(status, STATUS_INPUT, "encoding: '%.40s' is not one of %s", name,
                           ENCODING_CHOICES);
    request->encoding = (Encoding)encoding;
    return true;
}

/* The array `name` with one entry a placement. */
static const json_t *find_entries(const EvalRequest *request, const json_t *document,
                                  const char *name, Status *status) {
    const json_t *entries = json_object_get(document, name);
    if (!json_is_array(entries))
        status_fail(status, STATUS_INPUT, entries ? "%s: not an array" : "%s: missing", name);
    else if (json_array_size(entries) != (size_t)request->placements)
        status_fail(status, STATUS_INPUT, "%s: %zu entries for %d placements", name,
                    json_array_size(entries), request->placements);
    else
        return entries;
    return NULL;
}

static bool read_gene(const json_t *value, GeneRange range, int8_t *gene, Status *status) {
    if (!json_is_integer(value))
        return status_fail(status, STATUS_INPUT, "not a whole number");
    json_int_t number = json_integer_value(value);
    if (number < range.low || number > range.high)
        return status_fail(status, STATUS_INPUT, "%" JSON_INTEGER_FORMAT " is not in %d..%d",
                           number, range.low, range.high);
    *gene = (int8_t)number;
    return true;
}

static bool read_gene_list(EvalRequest *request, const json_t *entries, Status *status) {
    if (!entries)
        return false;
    GenotypeLayout layout;
    genotype_layout(&layout, request->encoding, request->grid.width);
    int8_t *gene = request->genes;
    for (int i = 0; i < request->placements; i++) {
        const json_t *entry = json_array_get(entries, (size_t)i);
        if (!json_is_array(entry) || json_array_size(entry) != (size_t)layout.genes)
            return status_fail(status, STATUS_INPUT, "genes[%d]: not an array of %d genes", i,
                               layout.genes);
        for (int k = 0; k < layout.genes; k++)
            if (!read_gene(json_array_get(entry, (size_t)k), layout.ranges[k], gene++, status))
                return status_prefix(status, "genes[%d][%d] (%s)", i, k, layout.names[k]);
    }
    return true;
}

bool eval_genes_read(EvalRequest *request, const json_t *document, Status *status) {
    const json_t *name = json_object_get(document, "encoding");
    if (name && (!json_is_string(name) ||
                 strcmp(json_string_value(name), encoding_names[request->encoding]) != 0))
        return status_fail(status, STATUS_INPUT, "encoding: not %s",
                           encoding_names[request->encoding]);
    return read_gene_list(request, find_entries(request, document, "genes", status), status);
}

bool eval_move_read(const json_t *entry, Move *move, Status *status) {
    enum { MISSING = -1000 }; /* beyond all that json_read_int lets in here */
    if (!json_is_object(entry))
        return status_fail(status, STATUS_INPUT, "not an object");
    const char *letter = json_read_string(entry, "piece", status);
    if (!letter)
        return false;
    Piece piece = strlen(letter) == 1 ? piece_from_letter(letter[0]) : PIECE_NONE;
    if (piece == PIECE_NONE)
        return status_fail(status, STATUS_INPUT, "piece: '%.20s' is no piece (IOTSZJL)", letter);
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
    const json_t *hold = json_object_get(entry, "hold");
    if (hold && !json_is_boolean(hold))
        return status_fail(status, STATUS_INPUT, "hold: not true or false");
    *move = (Move){
        {.piece = (uint8_t)piece, .rotation = (uint8_t)rotation, .x = (int8_t)x, .y = (int8_t)y},
        json_is_true(hold)};
    return true;
}

static bool read_moves(EvalRequest *request, const json_t *document, Status *status) {
    const json_t *entries = find_entries(request, document, "moves", status);
    if (!entries)
        return false;
    for (int i = 0; i < request->placements; i++)
        if (!eval_move_read(json_array_get(entries, (size_t)i), &request->moves[i], status))
            return status_prefix(status, "moves[%d]", i);
    return true;
}

bool eval_problem_read(EvalRequest *request, const json_t *document, Status *status) {
    return read_size(request, document, status) && read_board(request, document, status) &&
           read_pieces(request, document, status) && read_encoding(request, document, status);
}

bool eval_request_read(EvalRequest *request, const json_t *document, Status *status) {
    static const char *const members[] = {"pieces",     "encoding", "genes",  "moves",
                                          "placements", "width",    "height", "board"};
    if (!json_is_object(document))
        return status_fail(status, STATUS_INPUT, "not a JSON object");
    if (!json_only_members(document, members, (int)(sizeof members / sizeof *members), status))
        return false;
    if (!eval_problem_read(request, document, status))
        return false;
    bool placements = request->encoding == ENCODING_PLACEMENTS;
    const char *unused = placements ? "genes" : "moves";
    if (json_object_get(document, unused))
        return status_fail(status, STATUS_INPUT, "%s: not used with the encoding %s", unused,
                           encoding_names[request->encoding]);
    return placements
               ? read_moves(request, document, status)
               : read_gene_list(request, find_entries(request, document, "genes", status), status);
}

json_t *eval_board_json(const Grid *grid) {
    json_t *rows = json_array();
    for (int y = grid_highest(grid) - 1; y >= 0; y--)
        json_add(&rows, json_stringn(grid->cells[y], grid->width));
    return rows;
}

static json_t *features_json(const Heuristics *heuristics) {
    json_t *features = json_object();
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        json_put(&features, heuristic_names[i],
                 i == HEURISTIC_PIT_HOLE_PERCENT
                     ? json_real(heuristics_value(heuristics, (Heuristic)i))
                     : json_integer(heuristics->values[i]));
    return features;
}

json_t *eval_result_json(const EvalResult *result) {
    const DecodeState *state = &result->state;
    json_t *hold =
        state->hold == PIECE_NONE ? json_null() : json_stringn(&piece_letters[state->hold], 1);
    return json_pack("{s:f, s:i, s:i, s:i, s:i, s:b, s:[i,i,i,i], s:o, s:o, s:o}", "fitness",
                     result->fitness, "score", (int)state->score, "lines", (int)state->lines,
                     "noops", (int)state->noops, "placed", (int)state->placed, "topped_out",
                     (int)state->topped_out, "clears", (int)state->clears[0], (int)state->clears[1],
                     (int)state->clears[2], (int)state->clears[3], "hold", hold, "features",
                     features_json(&result->heuristics), "board", eval_board_json(&result->grid));
}
