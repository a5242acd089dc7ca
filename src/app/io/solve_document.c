#include "io/solve_document.h"

#include "formats/fumen.h"
#include "io/eval_document.h"
#include "movegen/path.h"

#include <stdio.h>
#include <stdlib.h>

static json_t *genes_json(const EvalRequest *request) {
    if (request->encoding == ENCODING_PLACEMENTS)
        return json_null();
    GenotypeLayout layout;
    genotype_layout(&layout, request->encoding, request->grid.width);
    json_t *genes = json_array();
    const int8_t *gene = request->genes;
    for (int i = 0; i < request->placements; i++) {
        json_t *entry = json_array();
        for (int k = 0; k < layout.genes; k++)
            json_add(&entry, json_integer(*gene++));
        json_add(&genes, entry);
    }
    return genes;
}

/* The fewest presses for one placement; hold comes first. */
static json_t *keys_json(const Columns *columns, const DecodeStep *step, PathScratch *scratch) {
    uint8_t keys[PATH_KEYS_MAX];
    json_t *list = json_array();
    if (step->move.hold)
        json_add(&list, json_string(key_names[KEY_HOLD]));
    int count = path_fewest(columns, step->move.placement, false, false, scratch, keys);
    for (int i = 0; i < count; i++)
        json_add(&list, json_string(key_names[keys[i]]));
    return list;
}

static json_t *moves_json(const EvalRequest *request, const EvalResult *result) {
    PathScratch *scratch = malloc(sizeof *scratch);
    if (!scratch)
        return NULL;
    json_t *moves = json_array();
    Board board;
    Columns columns;
    grid_to_board(&request->grid, &board);
    columns_from_board(&columns, &board);
    for (int i = 0; i < result->state.placed; i++) {
        const DecodeStep *step = &result->steps[i];
        const Placement *at = &step->move.placement;
        json_add(&moves,
                 json_pack("{s:s#, s:i, s:i, s:s, s:b, s:o}", "piece", &piece_letters[at->piece], 1,
                           "x", (int)at->x, "y", (int)at->y, "rotation",
                           rotation_names[at->rotation], "hold", (int)step->move.hold, "keys",
                           keys_json(&columns, step, scratch)));
        columns_lock(&columns, (Piece)at->piece, (Rotation)at->rotation, at->x, at->y);
    }
    free(scratch);
    return moves;
}

static json_t *fumen_json(const EvalRequest *request, const EvalResult *result) {
    if (!fumen_fits(&request->grid, result->steps, result->state.placed))
        return json_null();
    Text text;
    text_init(&text);
    bool ok =
        fumen_write_game(&request->grid, result->steps, result->state.placed, NULL, &text, NULL);
    json_t *fumen = ok && !text.failed ? json_string(text.data) : NULL;
    text_release(&text);
    return fumen;
}

static json_t *pieces_json(const EvalRequest *request) {
    char letters[EVAL_MAX_QUEUE];
    for (int i = 0; i < request->piece_count; i++)
        letters[i] = piece_letters[request->pieces[i]];
    return json_stringn(letters, (size_t)request->piece_count);
}

json_t *solve_answer_json(const SolveTask *task, const SolveAnswer *answer, bool times) {
    const EvalRequest *request = task->request;
    json_t *document = eval_result_json(&answer->result);
    json_t *more =
        json_pack("{s:s, s:s, s:o, s:i, s:o, s:o, s:o, s:I, s:I, s:b, s:b}", "algorithm",
                  task->optimiser->name, "encoding", encoding_names[request->encoding], "pieces",
                  pieces_json(request), "placements", request->placements, "genes",
                  genes_json(request), "moves", moves_json(request, &answer->result), "fumen",
                  fumen_json(request, &answer->result), "evaluations",
                  (json_int_t)answer->evaluations, "seed", (json_int_t)task->seed, "optimal",
                  (int)answer->optimal, "perfect_clear", (int)answer->perfect_clear);
    if (task->exchange)
        json_put(&more, "islands", json_integer(task->exchange->count));
    if (times)
        json_merge(&more, json_pack("{s:f, s:i}", "seconds", answer->seconds, "threads",
                                    (int)task->threads));
    json_merge(&document, more);
    return document;
}

bool solve_answer_replay(const SolveTask *task, const SolveAnswer *answer, Replay *replay,
                         Status *status) {
    const EvalRequest *request = task->request;
    if (!replay_from_steps(replay, &request->grid, request->pieces, (size_t)request->piece_count,
                           answer->result.steps, answer->result.state.placed, status))
        return false;
    snprintf(replay->title, sizeof replay->title, "tetropt solve, %s, %s: fitness %g",
             task->optimiser->name, encoding_names[request->encoding], answer->result.fitness);
    replay->search_seed = (ReplaySeed){true, (int64_t)task->seed};
    return true;
}

json_t *solve_progress_json(const Progress *progress, double seconds) {
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:I, s:f}", "evaluations",
                     (json_int_t)progress->done, "best", json_finite(progress->best), "current",
                     json_finite(progress->current), "mean", json_finite(progress->mean),
                     "temperature", json_finite(progress->temperature), "generation",
                     (json_int_t)progress->generation, "seconds", seconds);
}
