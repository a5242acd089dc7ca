#include "io/simulate_document.h"

#include "base/options.h"
#include "formats/replay.h"

#include <math.h>
#include <stdio.h>

enum { WORD_BYTES = 32 };

static json_t *limit_json(int64_t limit) {
    return limit == INT64_MAX ? json_null() : json_integer(limit);
}

static json_t *summary_json(const Summary *summary) {
    json_t *interval =
        isfinite(summary->low) ? json_pack("[f, f]", summary->low, summary->high) : json_null();
    return json_pack("{s:f, s:o, s:o, s:f, s:f, s:f}", "mean", summary->mean, "sd",
                     json_finite(summary->deviation), "ci95", interval, "median", summary->median,
                     "min", summary->minimum, "max", summary->maximum);
}

static json_t *game_json(const SimulateGame *game) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:[I, I, I, I], s:i, s:i, s:b}", "seed",
                     (json_int_t)game->seed, "score", (json_int_t)game->score, "lines",
                     (json_int_t)game->lines, "pieces", (json_int_t)game->pieces, "level",
                     (json_int_t)game->level, "clears", (json_int_t)game->clears[0],
                     (json_int_t)game->clears[1], (json_int_t)game->clears[2],
                     (json_int_t)game->clears[3], "max_height", game->max_height, "holes",
                     game->holes, "over", (int)game->over);
}

static json_t *stream_json(const SimulateGame *stream) {
    return json_pack("{s:I, s:I, s:I, s:[I, I, I, I], s:I}", "seed", (json_int_t)stream->seed,
                     "lines", (json_int_t)stream->lines, "pieces", (json_int_t)stream->pieces,
                     "clears", (json_int_t)stream->clears[0], (json_int_t)stream->clears[1],
                     (json_int_t)stream->clears[2], (json_int_t)stream->clears[3], "deaths",
                     (json_int_t)stream->deaths);
}

static double ratio(int64_t a, int64_t b) {
    return b > 0 ? (double)a / (double)b : 0;
}

static json_t *summaries_json(const SimulateResult *result, bool times) {
    json_t *document = json_object();
    for (int i = 0; i < MEASURE_COUNT; i++)
        json_put(&document, simulate_measure_names[i],
                 result->count > 0 && simulate_knows(result, (SimulateMeasure)i)
                     ? summary_json(&result->summaries[i])
                     : json_null());
    bool score = simulate_knows(result, MEASURE_SCORE);
    json_put(&document, "cv_score",
             score ? json_finite(summary_variation(&result->summaries[MEASURE_SCORE]))
                   : json_null());
    json_put(&document, "cv_lines",
             json_finite(summary_variation(&result->summaries[MEASURE_LINES])));
    json_put(&document, "points_per_piece",
             score ? json_real(ratio(result->total_score, result->total_pieces)) : json_null());
    json_put(&document, "lines_per_piece",
             json_real(ratio(result->total_lines, result->total_pieces)));
    if (times && result->times.count > 0)
        json_put(&document, "decision_us",
                 json_pack("{s:f, s:f}", "mean", times_mean(&result->times) * 1e-3, "p99",
                           times_quantile(&result->times, 0.99) * 1e-3));
    return document;
}

static void add_deaths(json_t **document, const SimulateResult *result) {
    json_put(document, "deaths", json_integer(result->deaths));
    if (result->deaths == 0) {
        json_put(document, "lines_per_death", json_null());
        json_put(document, "lines_per_death_ci95", json_null());
        return;
    }
    double mean = ratio(result->total_lines, result->deaths);
    double factor = deaths_factor(result->deaths);
    json_put(document, "lines_per_death", json_real(mean));
    json_put(document, "lines_per_death_ci95", json_pack("[f, f]", mean / factor, mean * factor));
}

static json_t *rules_json(const SimulateTask *task) {
    const Rules *rules = &task->setup.rules;
    char set[WORD_BYTES], randomizer[WORD_BYTES], scoring[WORD_BYTES];
    options_choice_word(RULES_CHOICES, (int)rules->set, set, sizeof set);
    options_choice_word(RANDOMIZER_CHOICES, (int)task->randomizer, randomizer, sizeof randomizer);
    options_choice_word(SCORING_CHOICES, (int)rules->scoring, scoring, sizeof scoring);
    return json_pack("{s:s, s:s, s:s, s:i, s:b, s:i, s:i}", "rules", set, "randomizer", randomizer,
                     "scoring", scoring, "preview", task->preview, "hold", (int)rules->hold,
                     "width", (int)rules->width, "height", (int)rules->height);
}

json_t *simulate_document(const SimulateTask *task, const SimulateResult *result,
                          SimulateDocumentOptions options) {
    json_t *document =
        json_pack("{s:s, s:s?, s:I, s:I}", "agent", task->agent->name, "weights", options.weights,
                  "games", (json_int_t)result->count, "seed", (json_int_t)task->seed);
    if (!document)
        return NULL;
    if (task->piece_seed != task->seed || task->same_pieces)
        json_put(&document, "piece_seed", json_integer((json_int_t)task->piece_seed));
    json_merge(&document, rules_json(task));
    json_put(&document, "max_pieces", limit_json(task->max_pieces));
    bool streams = task->total_pieces > 0;
    if (options.per_game || (!streams && result->count <= SIMULATE_LISTED_GAMES)) {
        json_t *list = json_array();
        for (int64_t i = 0; i < result->count; i++)
            json_add(&list,
                     streams ? stream_json(&result->games[i]) : game_json(&result->games[i]));
        json_put(&document, "per_game", list);
    }
    if (result->cut)
        json_put(&document, "cut", json_true());
    json_put(&document, "summary", summaries_json(result, options.times));
    if (streams) {
        json_put(&document, "total_pieces", json_integer(result->total_pieces));
        json_put(&document, "total_lines", json_integer(result->total_lines));
        add_deaths(&document, result);
    }
    if (options.times)
        json_put(&document, "pieces_per_second",
                 json_finite((double)result->total_pieces / result->seconds));
    return document;
}

bool simulate_replay(const SimulateTask *task, int64_t index, const AgentRecord *record, Text *text,
                     Status *status) {
    const Rules *rules = &task->setup.rules;
    Randomizer randomizer;
    simulate_pieces(task, index, &randomizer);
    Game game;
    game_init(&game, rules, &randomizer);
    Grid grid;
    grid_init(&grid, rules->width, rules->height);
    Replay replay;
    replay_record(&replay, &game, &grid);
    snprintf(replay.title, sizeof replay.title, "simulate --agent %s", task->agent->name);
    uint64_t offset = (uint64_t)index;
    replay.search_seed = (ReplaySeed){true, (int64_t)(task->seed + offset)};
    if (task->randomizer != RANDOMIZER_LIST)
        replay.pieces_seed =
            (ReplaySeed){true, (int64_t)(task->piece_seed + (task->same_pieces ? 0 : offset))};
    for (int64_t i = 0; i < record->count; i++)
        replay_place(&replay, &game, record->moves[i].hold, record->moves[i].placement);
    replay_finish(&replay, &game);
    bool ok = replay_complete(&replay, status) && replay_write(&replay, text, status);
    replay_release(&replay);
    return ok;
}
