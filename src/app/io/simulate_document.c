/* simulate_document: the members and their order are part of the file format (docs/FORMATS.md). */
#include "io/simulate_document.h"

#include "base/options.h"
#include "formats/replay.h"

#include <math.h>
#include <stdio.h>

enum { WORD_BYTES = 32 };

static void write_summary(JsonWriter *w, const char *name, const Summary *summary) {
    jw_object(w, name);
    jw_put(w, JR("mean", summary->mean), JR("sd", summary->deviation));
    if (isfinite(summary->low))
        jw_reals(w, "ci95", (double[]){summary->low, summary->high}, 2);
    else
        jw_null(w, "ci95");
    jw_put(w, JR("median", summary->median), JR("min", summary->minimum),
           JR("max", summary->maximum));
    jw_end(w);
}

static void write_game(JsonWriter *w, const SimulateGame *game) {
    jw_object(w, NULL);
    jw_put(w, JI("seed", (int64_t)game->seed), JI("score", game->score), JI("lines", game->lines),
           JI("pieces", game->pieces), JI("level", game->level));
    jw_integers(w, "clears", game->clears, 4);
    jw_put(w, JI("max_height", game->max_height), JI("holes", game->holes), JB("over", game->over));
    jw_end(w);
}

static void write_stream(JsonWriter *w, const SimulateGame *stream) {
    jw_object(w, NULL);
    jw_put(w, JI("seed", (int64_t)stream->seed), JI("lines", stream->lines),
           JI("pieces", stream->pieces));
    jw_integers(w, "clears", stream->clears, 4);
    jw_integer(w, "deaths", stream->deaths);
    jw_end(w);
}

static double ratio(int64_t a, int64_t b) {
    return b > 0 ? (double)a / (double)b : 0;
}

static void write_decision_us(JsonWriter *w, const SimulateResult *result) {
    if (result->times.count == 0)
        return;
    jw_object(w, "decision_us");
    jw_put(w, JR("mean", times_mean(&result->times) * 1e-3),
           JR("p99", times_quantile(&result->times, 0.99) * 1e-3));
    jw_end(w);
}

static double pieces_per_second(const SimulateResult *result) {
    return (double)result->total_pieces / result->seconds;
}

static void write_summaries(JsonWriter *w, const SimulateResult *result, bool times) {
    jw_object(w, "summary");
    for (int i = 0; i < MEASURE_COUNT; i++)
        if (result->count > 0 && simulate_knows(result, (SimulateMeasure)i))
            write_summary(w, simulate_measure_names[i], &result->summaries[i]);
        else
            jw_null(w, simulate_measure_names[i]);
    bool score = simulate_knows(result, MEASURE_SCORE);
    jw_put(w, JR("cv_score", score ? summary_variation(&result->summaries[MEASURE_SCORE]) : NAN),
           JR("cv_lines", summary_variation(&result->summaries[MEASURE_LINES])),
           JR("points_per_piece", score ? ratio(result->total_score, result->total_pieces) : NAN),
           JR("lines_per_piece", ratio(result->total_lines, result->total_pieces)));
    if (times)
        write_decision_us(w, result);
    jw_end(w);
}

static void write_deaths(JsonWriter *w, const SimulateResult *result) {
    jw_integer(w, "deaths", result->deaths);
    if (result->deaths == 0) {
        jw_null(w, "lines_per_death");
        jw_null(w, "lines_per_death_ci95");
        return;
    }
    double mean = ratio(result->total_lines, result->deaths);
    double factor = deaths_factor(result->deaths);
    jw_real(w, "lines_per_death", mean);
    jw_reals(w, "lines_per_death_ci95", (double[]){mean / factor, mean * factor}, 2);
}

static void write_rules(JsonWriter *w, const SimulateTask *task) {
    const Rules *rules = &task->setup.rules;
    char set[WORD_BYTES], randomizer[WORD_BYTES], scoring[WORD_BYTES];
    options_choice_word(RULES_CHOICES, (int)rules->set, set, sizeof set);
    options_choice_word(RANDOMIZER_CHOICES, (int)task->randomizer, randomizer, sizeof randomizer);
    options_choice_word(SCORING_CHOICES, (int)rules->scoring, scoring, sizeof scoring);
    jw_put(w, JS("rules", set), JS("randomizer", randomizer), JS("scoring", scoring),
           JI("preview", task->preview), JB("hold", rules->hold), JI("width", rules->width),
           JI("height", rules->height));
}

void simulate_document(JsonWriter *w, const SimulateTask *task, const SimulateResult *result,
                       SimulateDocumentOptions options) {
    jw_object(w, NULL);
    jw_put(w, JS("agent", task->agent->name), JS("weights", options.weights),
           JI("games", result->count), JI("seed", (int64_t)task->seed));
    if (task->piece_seed != task->seed || task->same_pieces)
        jw_integer(w, "piece_seed", (int64_t)task->piece_seed);
    write_rules(w, task);
    if (task->max_pieces == INT64_MAX)
        jw_null(w, "max_pieces");
    else
        jw_integer(w, "max_pieces", task->max_pieces);
    bool streams = task->total_pieces > 0;
    if (options.per_game || (!streams && result->count <= SIMULATE_LISTED_GAMES)) {
        jw_array(w, "per_game");
        for (int64_t i = 0; i < result->count; i++)
            if (streams)
                write_stream(w, &result->games[i]);
            else
                write_game(w, &result->games[i]);
        jw_end(w);
    }
    if (result->cut)
        jw_bool(w, "cut", true);
    write_summaries(w, result, options.times);
    if (streams) {
        jw_put(w, JI("total_pieces", result->total_pieces), JI("total_lines", result->total_lines));
        write_deaths(w, result);
    }
    if (options.times)
        jw_real(w, "pieces_per_second", pieces_per_second(result));
    jw_end(w);
}

void simulate_document_times(JsonWriter *w, const SimulateResult *result) {
    if (result->times.count > 0) {
        jw_object(w, "summary");
        write_decision_us(w, result);
        jw_end(w);
    }
    jw_real(w, "pieces_per_second", pieces_per_second(result));
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
