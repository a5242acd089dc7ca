/*
 * solution: reading is one path for all documents: 1. which kind it is, 2. the problem (size,
 * board, pieces, encoding), 3. the genes or the moves. A solve document differs from an eval
 * document in its board: `board` is the final one there, and `start` the one at the start.
 */
#include "formats/solution.h"

#include "engine/randomizer.h"
#include "formats/document.h"
#include "formats/fumen.h"
#include "formats/replay.h"
#include "movegen/path.h"
#include "problem/expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_WIDTH = 10, USUAL_HEIGHT = 20 };

/* ---- the problem */

static bool read_board(const Json *board, Grid *grid, Status *status) {
    if (!board)
        return true;
    if (json_is_string(board))
        return fumen_read_board(json_text(board), strlen(json_text(board)), grid, status) ||
               status_prefix(status, "board");
    if (!json_is_array(board))
        return status_fail(status, STATUS_INPUT, "board: neither an array of rows nor a fumen");
    return document_read_board(board, grid, status);
}

static bool read_pieces(const Json *document, EvalRequest *request, Status *status) {
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

static bool read_encoding(const Json *document, EvalRequest *request, Status *status) {
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

/* A member with the word "on" or "off"; *on stays as it is when it is missing. */
static bool read_switch(const Json *document, const char *name, bool *on, Status *status) {
    if (!json_get(document, name))
        return true;
    const char *word = json_read_string(document, name, status);
    if (!word)
        return false;
    *on = strcmp(word, "on") == 0;
    return *on || strcmp(word, "off") == 0 ||
           status_fail(status, STATUS_INPUT, "%s: '%.40s' is not one of on|off", name, word);
}

/* Documents of version 1.0 have none of these members: they move first, and games end. */
static bool read_rules(const Json *document, DecodeRules *rules, Status *status) {
    const char *order = decode_order_names[ORDER_MOVE_FIRST];
    bool game_over = true;
    int points = 0;
    *rules = (DecodeRules){0};
    if (json_get(document, "order") && !(order = json_read_string(document, "order", status)))
        return false;
    while (rules->order < ORDER_COUNT && strcmp(order, decode_order_names[rules->order]) != 0)
        rules->order++;
    if (rules->order == ORDER_COUNT)
        return status_fail(status, STATUS_INPUT, "order: '%.40s' is not one of %s", order,
                           DECODE_ORDER_CHOICES);
    if (!read_switch(document, "game-over", &game_over, status) ||
        !json_read_int(document, "perfect-clear-points", 0, DECODE_MAX_PERFECT_POINTS, &points,
                       status))
        return false;
    rules->no_game_over = !game_over;
    rules->perfect_points = (uint8_t)points;
    return true;
}

static bool read_problem(const Json *document, const Json *board, EvalRequest *request,
                         Status *status) {
    int width = USUAL_WIDTH, height = USUAL_HEIGHT;
    if (!json_read_int(document, "width", BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, &width, status) ||
        !json_read_int(document, "height", BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT, &height, status))
        return false;
    grid_init(&request->grid, width, height);
    return read_board(board, &request->grid, status) && read_pieces(document, request, status) &&
           read_encoding(document, request, status) &&
           read_rules(document, &request->rules, status);
}

/* ---- genes and moves */

/* The array `name` with one entry per placement. */
static const Json *find_entries(const Json *document, const char *name, int placements,
                                Status *status) {
    const Json *entries = json_get(document, name);
    if (!json_is_array(entries))
        status_fail(status, STATUS_INPUT, entries ? "%s: not an array" : "%s: missing", name);
    else if (json_count(entries) != (size_t)placements)
        status_fail(status, STATUS_INPUT, "%s: %zu entries for %d placements", name,
                    json_count(entries), placements);
    else
        return entries;
    return NULL;
}

static bool read_gene(const Json *value, GeneRange range, int8_t *gene, Status *status) {
    if (!json_is_integer(value))
        return status_fail(status, STATUS_INPUT, "not an integer");
    int64_t number = json_int(value);
    if (number < range.low || number > range.high)
        return status_fail(status, STATUS_INPUT, "%lld is not in %d..%d", (long long)number,
                           range.low, range.high);
    *gene = (int8_t)number;
    return true;
}

static bool read_genes(const Json *document, const EvalRequest *request, int8_t *gene,
                       Status *status) {
    const Json *entries = find_entries(document, "genes", request->placements, status);
    if (!entries)
        return false;
    GenotypeLayout layout;
    genotype_layout(&layout, request->encoding, request->grid.width);
    for (int i = 0; i < request->placements; i++) {
        const Json *entry = json_at(entries, (size_t)i);
        if (!json_is_array(entry) || json_count(entry) != (size_t)layout.genes)
            return status_fail(status, STATUS_INPUT, "genes[%d]: not an array of %d genes", i,
                               layout.genes);
        for (int k = 0; k < layout.genes; k++)
            if (!read_gene(json_at(entry, (size_t)k), layout.ranges[k], gene++, status))
                return status_prefix(status, "genes[%d][%d] (%s)", i, k, layout.names[k]);
    }
    return true;
}

static bool read_moves(const Json *document, const EvalRequest *request, Move *moves,
                       Status *status) {
    const Json *entries = find_entries(document, "moves", request->placements, status);
    if (!entries)
        return false;
    for (int i = 0; i < request->placements; i++)
        if (!document_read_move(json_at(entries, (size_t)i), &moves[i], status))
            return status_prefix(status, "moves[%d]", i);
    return true;
}

/* ---- documents */

static bool read_eval(const Json *document, EvalRequest *request, EvalSolution *solution,
                      Status *status) {
    static const char *const members[] = {
        "pieces", "encoding", "genes", "moves",     "placements",          "width",
        "height", "board",    "order", "game-over", "perfect-clear-points"};
    if (!json_only_members(document, members, sizeof members / sizeof *members, status) ||
        !read_problem(document, json_get(document, "board"), request, status))
        return false;
    bool placements = request->encoding == ENCODING_PLACEMENTS;
    const char *unused = placements ? "genes" : "moves";
    if (json_get(document, unused))
        return status_fail(status, STATUS_INPUT, "%s: not used with the encoding %s", unused,
                           encoding_names[request->encoding]);
    return placements ? read_moves(document, request, solution->moves, status)
                      : read_genes(document, request, solution->genes, status);
}

/* Moves end where the game did, genes do not. */
static bool read_solve(const Json *document, EvalRequest *request, EvalSolution *solution,
                       Status *status) {
    if (!read_problem(document, json_get(document, "start"), request, status))
        return false;
    if (request->encoding != ENCODING_PLACEMENTS)
        return read_genes(document, request, solution->genes, status);
    size_t placed = json_count(json_get(document, "moves"));
    if (placed > 0 && placed < (size_t)request->placements)
        request->placements = (int)placed;
    return read_moves(document, request, solution->moves, status);
}

/* Whether the rules of a solution can play the replay. */
static bool fits_solution(const Replay *replay, Status *status) {
    if (replay->hold != PIECE_NONE)
        return status_fail(status, STATUS_INPUT, "hold: a solution starts without a held piece");
    if (replay->rules.kicks != KICKS_SRS)
        return status_fail(status, STATUS_INPUT, "rules.kicks: a solution has those of srs");
    for (size_t i = 0; i < replay->move_count; i++)
        if (replay->moves[i].garbage > 0)
            return status_fail(status, STATUS_INPUT, "moves[%zu].garbage: a solution has none", i);
    return true;
}

/* The moves of a replay. Holding twice in a turn cannot be part of a solution, and is not part of a
 * replay either. */
static bool read_replay(const char *text, size_t length, EvalRequest *request,
                        EvalSolution *solution, Status *status) {
    Replay replay;
    if (!replay_read(&replay, text, length, status))
        return false;
    if (!fits_solution(&replay, status)) {
        replay_release(&replay);
        return false;
    }
    bool ok = replay.move_count > 0 && replay.move_count <= GENOTYPE_MAX_PIECES &&
              replay.piece_count <= EVAL_MAX_QUEUE;
    if (!ok)
        status_fail(status, STATUS_INPUT, "moves: %zu, and a solution has 1..%d", replay.move_count,
                    GENOTYPE_MAX_PIECES);
    else {
        request->encoding = ENCODING_PLACEMENTS;
        request->rules = (DecodeRules){0};
        request->grid = replay.start;
        request->piece_count = (int)replay.piece_count;
        request->placements = (int)replay.move_count;
        memcpy(request->pieces, replay.pieces, replay.piece_count);
        for (size_t i = 0; i < replay.move_count; i++)
            solution->moves[i] = (Move){replay.moves[i].placement, replay.moves[i].hold};
    }
    replay_release(&replay);
    return ok;
}

static bool read_document(const Json *document, const char *text, size_t length, const char *fumen,
                          EvalRequest *request, EvalSolution *solution, Status *status) {
    if (!json_is_object(document))
        return status_fail(status, STATUS_INPUT, "not a JSON object");
    const char *kind = document_kind(document);
    bool is_eval = !kind || strcmp(kind, "an eval document") == 0;
    if (fumen && (!is_eval || json_get(document, "board")))
        return status_option(status, "fumen", "the document has a board already");
    if (is_eval)
        return read_eval(document, request, solution, status) &&
               (!fumen || fumen_read_board(fumen, strlen(fumen), &request->grid, status) ||
                status_prefix_option(status, "fumen"));
    if (strcmp(kind, "a solve document") == 0)
        return read_solve(document, request, solution, status);
    if (strcmp(kind, "a replay") == 0)
        return read_replay(text, length, request, solution, status);
    return status_fail(status, STATUS_INPUT,
                       "this is %s; a solve document, an eval document or a replay is needed",
                       kind);
}

static void override_rules(const SolutionGiven *given, DecodeRules *rules) {
    if (given->order)
        rules->order = given->rules.order;
    if (given->game_over)
        rules->no_game_over = given->rules.no_game_over;
    if (given->perfect_points)
        rules->perfect_points = given->rules.perfect_points;
}

bool solution_read(const char *text, size_t length, const SolutionGiven *given,
                   EvalRequest *request, EvalSolution *solution, Status *status) {
    static const SolutionGiven nothing = {0};
    given = given ? given : &nothing;
    Json *document = json_parse(text, length, status);
    bool ok =
        document && read_document(document, text, length, given->fumen, request, solution, status);
    json_free(document);
    if (ok)
        override_rules(given, &request->rules);
    return ok && eval_check_rules(request, status);
}

bool solution_read_problem(const char *text, size_t length, const SolutionGiven *given,
                           EvalRequest *request, Status *status) {
    Json *document = json_parse(text, length, status);
    bool ok = document &&
              (json_is_object(document) || status_fail(status, STATUS_INPUT, "not a JSON object"));
    const char *fumen = given->fumen;
    if (ok && fumen && json_get(document, "board"))
        ok = status_option(status, "fumen", "the document has a board already");
    ok = ok && read_problem(document, json_get(document, "board"), request, status) &&
         (!fumen || fumen_read_board(fumen, strlen(fumen), &request->grid, status) ||
          status_prefix_option(status, "fumen"));
    json_free(document);
    if (ok)
        override_rules(given, &request->rules);
    if (ok && request->encoding == ENCODING_PLACEMENTS)
        return status_fail(status, STATUS_INPUT, "encoding: placements has no genes");
    return ok && eval_check_rules(request, status);
}

/* ---- genes for a given problem */

/* The genes that make the moves, in the encoding of the request. */
static bool convert_moves(const Move *moves, const EvalRequest *request, int8_t *genes,
                          Status *status) {
    Decoder *decoder = malloc(sizeof *decoder);
    if (!decoder)
        return status_no_memory(status);
    eval_decoder(request, decoder);
    DecodeState state = decoder->start;
    bool ok = true, has_swap = decoder->layout.has_swap;
    int lines;
    for (int i = 0; ok && i < request->placements; i++, genes += decoder->layout.genes) {
        const Move *move = &moves[i];
        DecodeState before = state;
        Piece piece = decode_take(decoder, &before);
        bool swapped = move->hold && has_swap && decode_swap(decoder, &before, &piece);
        ok = swapped == move->hold && piece == (Piece)move->placement.piece &&
             decode_spawn_is_free(&before, piece) &&
             expand_genes(decoder, &before, move->placement, genes + has_swap) &&
             decode_lock(&before, move->placement, &lines);
        state = before;
        if (has_swap)
            genes[0] = move->hold;
        if (!ok)
            status_fail(status, STATUS_INPUT, "moves[%d]: not possible with the encoding %s", i,
                        encoding_names[request->encoding]);
    }
    free(decoder);
    return ok;
}

/* Genes for other rules: plays them by their own and finds genes for the same placements. Genes of
 * pieces that were not placed stay as they are. */
static bool convert_genes(const EvalRequest *from, const EvalSolution *solution,
                          const EvalRequest *request, int8_t *genes, Status *status) {
    EvalResult *result = malloc(sizeof *result);
    EvalRequest *placed = malloc(sizeof *placed);
    Move *moves = malloc((size_t)from->placements * sizeof *moves);
    bool ok = (result && placed && moves) || status_no_memory(status);
    if (ok) {
        eval_run(from, solution, &fitness_profiles[PROFILE_BLOCKS], result, NULL);
        *placed = *request;
        placed->placements = result->state.placed;
        for (int i = 0; i < placed->placements; i++)
            moves[i] = result->steps[i].move;
        memcpy(genes, solution->genes, sizeof solution->genes);
        ok = convert_moves(moves, placed, genes, status);
    }
    free(moves);
    free(placed);
    free(result);
    return ok;
}

static bool same_rules(DecodeRules a, DecodeRules b) {
    return a.order == b.order && a.no_game_over == b.no_game_over;
}

bool solution_read_genes(const char *text, size_t length, const EvalRequest *request, int8_t *genes,
                         Status *status) {
    EvalRequest *from = malloc(sizeof *from);
    EvalSolution *solution = malloc(sizeof *solution);
    bool ok = from && solution ? solution_read(text, length, NULL, from, solution, status)
                               : status_no_memory(status);
    if (ok && from->placements != request->placements)
        ok = status_fail(status, STATUS_INPUT, "%d placements, not %d", from->placements,
                         request->placements);
    if (ok && from->encoding == ENCODING_PLACEMENTS)
        ok = convert_moves(solution->moves, request, genes, status);
    else if (ok && (from->encoding != request->encoding || from->grid.width != request->grid.width))
        ok = status_fail(status, STATUS_INPUT, "encoding %s and width %d, not %s and %d",
                         encoding_names[from->encoding], from->grid.width,
                         encoding_names[request->encoding], request->grid.width);
    else if (ok && !same_rules(from->rules, request->rules))
        ok = convert_genes(from, solution, request, genes, status);
    else if (ok)
        memcpy(genes, solution->genes, sizeof solution->genes);
    free(from);
    free(solution);
    return ok;
}

/* ---- as a replay */

static bool play_solution(const EvalRequest *request, const EvalSolution *solution, Replay *replay,
                          Status *status) {
    if (request->rules.no_game_over)
        return status_fail(status, STATUS_INPUT, "game-over: off: such a game has no replay");
    EvalResult *result = malloc(sizeof *result);
    if (!result)
        return status_no_memory(status);
    bool ok =
        eval_run(request, solution, &fitness_profiles[PROFILE_BLOCKS], result, status) &&
        replay_from_steps(replay, &request->grid, request->pieces, (size_t)request->piece_count,
                          result->steps, result->state.placed, status);
    if (ok)
        snprintf(replay->title, sizeof replay->title, "%s: fitness %g",
                 encoding_names[request->encoding], result->fitness);
    free(result);
    return ok;
}

bool solution_read_replay(const char *text, size_t length, Replay *replay, Status *status) {
    Json *document = json_parse(text, length, status);
    if (!document)
        return false;
    const char *kind = document_kind(document);
    json_free(document);
    if (kind && strcmp(kind, "a replay") == 0)
        return replay_read(replay, text, length, status);
    EvalRequest *request = malloc(sizeof *request);
    EvalSolution *solution = malloc(sizeof *solution);
    bool ok = request && solution ? solution_read(text, length, NULL, request, solution, status) &&
                                        play_solution(request, solution, replay, status)
                                  : status_no_memory(status);
    free(request);
    free(solution);
    return ok;
}

/* ---- writing */

static void write_features(JsonWriter *json, const Heuristics *heuristics) {
    jw_object(json, "features");
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        if (i == HEURISTIC_PIT_HOLE_PERCENT)
            jw_real(json, heuristic_names[i], heuristics_value(heuristics, (Heuristic)i));
        else
            jw_integer(json, heuristic_names[i], heuristics->values[i]);
    jw_end(json);
}

void solution_write_result(JsonWriter *json, const EvalResult *result) {
    const DecodeState *state = &result->state;
    jw_real(json, "fitness", result->fitness);
    jw_integer(json, "score", state->score);
    jw_integer(json, "lines", state->lines);
    jw_integer(json, "noops", state->noops);
    jw_integer(json, "placed", state->placed);
    jw_bool(json, "topped_out", state->topped_out);
    jw_array(json, "clears");
    for (int i = 0; i < 4; i++)
        jw_integer(json, NULL, state->clears[i]);
    jw_end(json);
    document_write_piece(json, "hold", (Piece)state->hold);
    write_features(json, &result->heuristics);
    document_write_board(json, "board", &result->grid);
}

static void write_genes(JsonWriter *json, const EvalRequest *request, const int8_t *gene) {
    if (request->encoding == ENCODING_PLACEMENTS) {
        jw_null(json, "genes");
        return;
    }
    GenotypeLayout layout;
    genotype_layout(&layout, request->encoding, request->grid.width);
    jw_array(json, "genes");
    for (int i = 0; i < request->placements; i++) {
        jw_array(json, NULL);
        for (int k = 0; k < layout.genes; k++)
            jw_integer(json, NULL, *gene++);
        jw_end(json);
    }
    jw_end(json);
}

static void write_keys(JsonWriter *json, const Columns *columns, const DecodeStep *step,
                       PathScratch *scratch) {
    uint8_t keys[EVAL_KEYS_MAX];
    jw_array(json, "keys");
    int count = eval_keys(columns, step, scratch, keys);
    for (int i = 0; i < count; i++)
        jw_string(json, NULL, key_names[keys[i]]);
    jw_end(json);
}

static void write_moves(JsonWriter *json, const EvalRequest *request, const EvalResult *result) {
    PathScratch *scratch = malloc(sizeof *scratch);
    if (!scratch) {
        json->text->failed = true;
        return;
    }
    Board board;
    Columns columns;
    grid_to_board(&request->grid, &board);
    columns_from_board(&columns, &board);
    jw_array(json, "moves");
    for (int i = 0; i < result->state.placed; i++) {
        const DecodeStep *step = &result->steps[i];
        const Placement *at = &step->move.placement;
        jw_object(json, NULL);
        jw_stringn(json, "piece", &piece_letters[at->piece], 1);
        jw_integer(json, "x", at->x);
        jw_integer(json, "y", at->y);
        jw_string(json, "rotation", rotation_names[at->rotation]);
        jw_bool(json, "hold", step->move.hold);
        write_keys(json, &columns, step, scratch);
        jw_end(json);
        columns_lock(&columns, (Piece)at->piece, (Rotation)at->rotation, at->x, at->y);
    }
    jw_end(json);
    free(scratch);
}

void solution_write(JsonWriter *json, const EvalRequest *request, const EvalSolution *solution,
                    const EvalResult *result) {
    jw_string(json, "encoding", encoding_names[request->encoding]);
    if (request->encoding != ENCODING_PLACEMENTS) {
        jw_string(json, "order", decode_order_names[request->rules.order]);
        jw_string(json, "game-over", request->rules.no_game_over ? "off" : "on");
    }
    if (request->rules.perfect_points > 0)
        jw_integer(json, "perfect-clear-points", request->rules.perfect_points);
    document_write_pieces(json, "pieces", request->pieces, (size_t)request->piece_count);
    jw_integer(json, "placements", request->placements);
    /* The usual board is left out, as in version 1.0. */
    const Grid *grid = &request->grid;
    if (grid->width != USUAL_WIDTH || grid->height != USUAL_HEIGHT || grid_highest(grid) > 0) {
        jw_integer(json, "width", grid->width);
        jw_integer(json, "height", grid->height);
        document_write_board(json, "start", grid);
    }
    write_genes(json, request, solution->genes);
    write_moves(json, request, result);
    document_write_fumen(json, &request->grid, result->steps, result->state.placed);
}
