/*
 * simulate: from the question to one task per entrant, and from their results to the document. The
 * members of the document and their order are part of the file format (docs/FORMATS.md); unknown
 * values are null: a measure that `stream` does not keep, the interval of a single game.
 */
#include "job/simulate.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"
#include "formats/replay.h"
#include "player/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above this number of games the single ones are listed only when asked for. */
enum { LISTED_GAMES = 1000, DEFAULT_MAX_PIECES = 10000, WORD_BYTES = 32 };

/* ---- the question */

typedef struct SimulateQuestion {
    PlayOptions play;
    PlayerOptions player;
    OptionList agents;
    int64_t games, max_pieces, total_pieces, lines, seed, piece_seed, threads, search_seeds;
    double seconds;
    int protocol;
    int best_by;
    bool per_game;
} SimulateQuestion;

static const Option rows[] = {
    OPTION_ROW(
        SimulateQuestion, LIST, agents, "agent", .argument = "NAME", .word_at = play_agent_at,
        .file = OPTION_LOADS,
        .help = "who plays, with parameters as NAME?width=8&depth=2 (default: weighted, under drop "
                "surface); repeatable: agents are compared on the same pieces"),
    OPTIONS_INCLUDE(SimulateQuestion, player, player_options),
    PARAMETER_INTEGER(SimulateQuestion, games, "games", "10", 1, 1e9, "games to play"),
    PARAMETER_INTEGER(
        SimulateQuestion, max_pieces, "max-pieces", NULL, 0, 1e15,
        "end each game after N pieces; 0: no limit (10000; with total-pieces none; for "
        "lookahead 2000, bot and programs 200 and beam 30 if no other option sets the length)"),
    PARAMETER_INTEGER(
        SimulateQuestion, total_pieces, "total-pieces", NULL, 1, 1e15,
        "instead of games, 64 streams that start again after every top-out until N pieces are "
        "placed: gives the mean lines per game without bias"),
    PARAMETER_INTEGER(SimulateQuestion, lines, "lines", NULL, 1, 1e15,
                      "end each game after N lines"),
    OPTIONS_INCLUDE(SimulateQuestion, play, play_options),
    OPTION_ROW(
        SimulateQuestion, CHOICE, protocol, "protocol", .choices = PLAY_PROTOCOL_CHOICES,
        .argument = "NAME",
        .help =
            "local-search: hill, anneal and genetic, and every named agent, on 15 games of 400 "
            "pieces by the rules drop, from bags, without preview and hold, scored local-search; "
            "local-search-published: the same as their published program plays (docs/AGENTS.md); "
            "other options change that for the named agents"),
    PARAMETER_INTEGER(SimulateQuestion, search_seeds, "search-seeds", NULL, 1, 1e9,
                      "one piece sequence, N seeds for the decisions; the best game counts"),
    PARAMETER_CHOICE(
        SimulateQuestion, best_by, "best-by", "score", "score|nectar",
        "the best game has the highest score, then the most lines; or the most nectar, "
        "then pieces (bees)"),
    PARAMETER_INTEGER(SimulateQuestion, piece_seed, "piece-seed", NULL, 0, 9.2e18,
                      "seed of the pieces (default: that of the decisions)"),
    PARAMETER_INTEGER(
        SimulateQuestion, seed, "seed", NULL, 0, 9.2e18,
        "seed of the first game, the next has one more; drawn and printed when not given"),
    PARAMETER_INTEGER(SimulateQuestion, threads, "threads", NULL, 1, POOL_MAX_THREADS,
                      "threads (default: the number of CPUs)"),
    OPTION_ROW(SimulateQuestion, REAL, seconds, "time", .max = 1e7, .argument = "SECONDS",
               .help = "time limit; 0: none"),
    OPTION_ROW(SimulateQuestion, FLAG, per_game, "per-game",
               .help = "list every game in the document, even above 1000"),
};

/* ---- preparing */

static bool check_options(const Question *question, Status *status) {
    static const char *const pairs[][2] = {
        {"total-pieces", "games"}, {"total-pieces", "search-seeds"}, {"total-pieces", "protocol"},
        {"search-seeds", "games"}, {"search-seeds", "protocol"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (question_given(question, pairs[i][0]) && question_given(question, pairs[i][1]))
            return status_option(status, pairs[i][0], "cannot be combined with %s", pairs[i][1]);
    const SimulateQuestion *asked = question->values;
    if (asked->agents.count > 1 && question_given(question, "total-pieces"))
        return status_option(status, "agent", "total-pieces takes a single agent");
    return true;
}

static void set_amount(const Question *question, SimulateRun *run, SimulateTask *task) {
    const SimulateQuestion *asked = question->values;
    task->games =
        run->protocol && !question_given(question, "games") ? run->protocol->games : asked->games;
    if (question_given(question, "search-seeds")) {
        task->games = asked->search_seeds;
        task->same_pieces = true;
    }
    task->total_pieces = asked->total_pieces;
    int64_t usual = run->protocol            ? run->protocol->pieces
                    : task->total_pieces > 0 ? 0
                                             : DEFAULT_MAX_PIECES;
    int64_t pieces = question_given(question, "max-pieces") ? asked->max_pieces : usual;
    task->max_pieces = pieces > 0 ? pieces : INT64_MAX;
    task->max_lines = question_given(question, "lines") ? asked->lines : INT64_MAX;
    task->seed = run->seed;
    task->piece_seed =
        question_given(question, "piece-seed") ? (uint64_t)asked->piece_seed : run->seed;
}

/* Adds an agent. The options about an agent are for those that are `named`; `set` is a named set of
 * weights (NULL: that of the options, or the agent's own). */
static bool add_entrant(const Question *question, SimulateRun *run, const char *agent, bool named,
                        const char *set, Status *status) {
    const SimulateQuestion *asked = question->values;
    if (run->count == SIMULATE_MAX_ENTRANTS)
        return status_option(status, "agent", "more than %d", SIMULATE_MAX_ENTRANTS);
    SimulateEntrant *entrant = &run->entrants[run->count++];
    PlayRequest request = {.question = question,
                           .play = &asked->play,
                           .player = &asked->player,
                           .agent = agent,
                           .named = named,
                           .weights = set,
                           .protocol = run->protocol};
    if (!play_setup(&request, &entrant->setup, status))
        return false;
    set_amount(question, run, &entrant->task);
    simulate_use(&entrant->task, &entrant->setup);
    entrant->task.by_nectar = asked->best_by == 1;
    if (entrant->task.by_nectar && !entrant->setup.agent->nectar)
        return status_option(status, "best-by", "%s has no nectar", entrant->setup.agent->name);
    if (run->list.pieces)
        entrant->task.randomizer = RANDOMIZER_LIST;
    entrant->task.list = run->list.pieces;
    entrant->task.list_count = run->list.count;
    const char *weights = named ? question_name(question, "weights") : NULL;
    if (weights && !(entrant->weights = strdup(weights)))
        return status_no_memory(status);
    snprintf(entrant->label, sizeof entrant->label, "%s%s%s", entrant->setup.agent->name,
             weights ? " " : "", weights ? weights : "");
    return true;
}

static bool is_named(const OptionList *agents, const char *name) {
    for (int i = 0; i < agents->count; i++)
        if (strcmp(agents->items[i], name) == 0)
            return true;
    return false;
}

static bool add_protocol_agent(const Question *question, SimulateRun *run, int index,
                               Status *status) {
    return add_entrant(question, run, run->protocol->agents[index].agent, false,
                       run->protocol->agents[index].weights, status);
}

/* The number of an agent in the protocol, or -1. */
static int protocol_index(const SimulateRun *run, const char *name) {
    for (int i = 0; run->protocol && i < PLAY_PROTOCOL_AGENTS; i++)
        if (strcmp(run->protocol->agents[i].name, name) == 0)
            return i;
    return -1;
}

/* The agents of the protocol, then the named ones. One that is both plays once, as the protocol
 * says and where it was named; options about an agent make the named one another entrant. */
static bool add_entrants(const Question *question, SimulateRun *run, Status *status) {
    static const char *const options[] = {"weights", "param", "rules", "preview", "hold"};
    const OptionList *agents = &((const SimulateQuestion *)question->values)->agents;
    bool others = false;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        others |= question_given(question, options[i]);
    if (run->protocol && others && agents->count == 0)
        return status_option(status, "protocol", "options about an agent require agent");
    for (int i = 0; run->protocol && i < PLAY_PROTOCOL_AGENTS; i++)
        if ((others || !is_named(agents, run->protocol->agents[i].name)) &&
            !add_protocol_agent(question, run, i, status))
            return false;
    for (int i = 0; i < agents->count; i++) {
        int index = others ? -1 : protocol_index(run, agents->items[i]);
        if (index >= 0 ? !add_protocol_agent(question, run, index, status)
                       : !add_entrant(question, run, agents->items[i], true, NULL, status))
            return false;
    }
    return run->count > 0 || add_entrant(question, run, NULL, true, NULL, status);
}

/* A simulation about whose length nothing was said takes seconds: the slowest of its agents limits
 * the pieces of every game. */
static void limit_pieces(const Question *question, SimulateRun *run) {
    static const char *const lengths[] = {"games", "max-pieces",   "total-pieces", "lines",
                                          "time",  "search-seeds", "protocol"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (question_given(question, lengths[i]))
            return;
    int64_t least = DEFAULT_MAX_PIECES;
    for (int i = 0; i < run->count; i++) {
        int64_t few = run->entrants[i].setup.agent->few_pieces;
        least = few > 0 && few < least ? few : least;
    }
    run->limited = least < DEFAULT_MAX_PIECES;
    for (int i = 0; i < run->count; i++)
        run->entrants[i].task.max_pieces = least;
}

static bool fill_run(const Question *question, SimulateRun *run, Status *status) {
    const SimulateQuestion *asked = question->values;
    run->seed = question_given(question, "seed") ? (uint64_t)asked->seed : rng_entropy();
    run->seconds = asked->seconds;
    run->threads = asked->threads > 0 ? (unsigned)asked->threads : pool_processors();
    run->protocol = play_protocol(asked->protocol);
    run->per_game = asked->per_game;
    return check_options(question, status) &&
           play_read_list(question, &asked->play, asked->player.list, &run->list, status) &&
           add_entrants(question, run, status) && (limit_pieces(question, run), true);
}

static void free_run(void *given) {
    SimulateRun *run = given;
    for (int i = 0; i < run->started; i++)
        simulate_result_release(&run->entrants[i].result);
    for (int i = 0; i < run->count; i++) {
        setup_release(&run->entrants[i].setup);
        free(run->entrants[i].weights);
    }
    free(run->list.pieces);
    free(run);
}

static void *prepare(const Question *question, Status *status) {
    SimulateRun *run = memory_new(1, sizeof *run, status);
    if (run && fill_run(question, run, status))
        return run;
    if (run)
        free_run(run);
    return NULL;
}

/* ---- running */

static bool run_simulate(void *given, const ProgressWatch *watch, Status *status) {
    SimulateRun *run = given;
    Pool *pool = pool_new(run->threads, status);
    bool ok = pool != NULL;
    uint64_t start = clock_now_ns();
    for (int i = 0; ok && i < run->count; i++) {
        SimulateTask *task = &run->entrants[i].task;
        double left = run->seconds - clock_seconds_since(start);
        /* A minimum, so that every entrant begins. */
        task->seconds = run->seconds > 0 ? fmax(left, 1e-3) : 0;
        task->pool = pool;
        task->stop = watch->stop;
        task->report = watch->report;
        task->report_context = watch->context;
        ok = simulate_run(task, &run->entrants[i].result, status);
        run->started += ok;
    }
    pool_free(pool);
    return ok;
}

/* ---- the document */

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

static void write_game(JsonWriter *w, const SimulateGame *game, bool nectar) {
    jw_object(w, NULL);
    jw_put(w, JI("seed", (int64_t)game->seed), JI("score", game->score), JI("lines", game->lines),
           JI("pieces", game->pieces), JI("level", game->level));
    jw_integers(w, "clears", game->clears, 4);
    jw_put(w, JI("max_height", game->max_height), JI("holes", game->holes), JB("over", game->over));
    if (nectar)
        jw_real(w, "nectar", game->nectar);
    if (game->fault)
        jw_string(w, "fault", game->fault);
    jw_end(w);
}

static void write_stream(JsonWriter *w, const SimulateGame *stream) {
    jw_object(w, NULL);
    jw_put(w, JI("seed", (int64_t)stream->seed), JI("lines", stream->lines),
           JI("pieces", stream->pieces));
    jw_integers(w, "clears", stream->clears, 4);
    jw_integer(w, "deaths", stream->deaths);
    if (stream->fault)
        jw_string(w, "fault", stream->fault);
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
    if (rules->kicks != KICKS_SRS)
        jw_string(w, "kicks", "srs-plus");
    if (rules->all_spin)
        jw_string(w, "spins", "all");
}

/* The members of one entrant. */
static void write_entrant(JsonWriter *w, const SimulateEntrant *entrant, bool per_game,
                          bool times) {
    const SimulateTask *task = &entrant->task;
    const SimulateResult *result = &entrant->result;
    jw_put(w, JS("agent", task->agent->name),
           JS("weights", entrant->weights ? entrant->weights : entrant->setup.weights),
           JI("games", result->count), JI("seed", (int64_t)task->seed));
    if (task->piece_seed != task->seed || task->same_pieces)
        jw_integer(w, "piece_seed", (int64_t)task->piece_seed);
    write_rules(w, task);
    if (task->max_pieces == INT64_MAX)
        jw_null(w, "max_pieces");
    else
        jw_integer(w, "max_pieces", task->max_pieces);
    bool streams = task->total_pieces > 0;
    if (per_game || (!streams && result->count <= LISTED_GAMES)) {
        jw_array(w, "per_game");
        for (int64_t i = 0; i < result->count; i++)
            if (streams)
                write_stream(w, &result->games[i]);
            else
                write_game(w, &result->games[i], result->by_nectar);
        jw_end(w);
    }
    if (result->cut)
        jw_bool(w, "cut", true);
    if (result->faults > 0)
        jw_integer(w, "faults", result->faults);
    write_summaries(w, result, times);
    if (streams) {
        jw_put(w, JI("total_pieces", result->total_pieces), JI("total_lines", result->total_lines));
        write_deaths(w, result);
    }
    if (times)
        jw_real(w, "pieces_per_second", pieces_per_second(result));
}

bool simulate_is_comparison(const SimulateRun *run) {
    return run->count > 1 || run->protocol;
}

static void write(const void *given, bool times, JsonWriter *json) {
    const SimulateRun *run = given;
    if (!simulate_is_comparison(run)) {
        write_entrant(json, &run->entrants[0], run->per_game, times);
        return;
    }
    jw_put(json, JS("protocol", run->protocol ? run->protocol->name : NULL),
           JI("seed", (int64_t)run->seed));
    jw_array(json, "agents");
    for (int i = 0; i < run->count; i++) {
        jw_object(json, NULL);
        write_entrant(json, &run->entrants[i], run->per_game, times);
        jw_end(json);
    }
    jw_end(json);
}

static void write_entrant_times(JsonWriter *w, const SimulateResult *result) {
    if (result->times.count > 0) {
        jw_object(w, "summary");
        write_decision_us(w, result);
        jw_end(w);
    }
    jw_real(w, "pieces_per_second", pieces_per_second(result));
}

static void write_times(const void *given, JsonWriter *json) {
    const SimulateRun *run = given;
    if (!simulate_is_comparison(run)) {
        write_entrant_times(json, &run->entrants[0].result);
        return;
    }
    jw_array(json, "agents_times");
    for (int i = 0; i < run->count; i++) {
        jw_object(json, NULL);
        write_entrant_times(json, &run->entrants[i].result);
        jw_end(json);
    }
    jw_end(json);
}

const Job simulate_job = {
    .name = "simulate",
    .options = OPTIONS_TABLE(rows),
    .question_bytes = sizeof(SimulateQuestion),
    .parameters_at = play_parameters_at,
    .prepare = prepare,
    .run = run_simulate,
    .write = write,
    .write_times = write_times,
    .free_run = free_run,
};

/* ---- for front ends */

bool simulate_wants_list(const Question *question) {
    return play_wants_agents(((const SimulateQuestion *)question->values)->player.list);
}

static void list_abilities(const Agent *agent, Text *text) {
    static const char *const words[] = {"drop", "guideline", "hold", "preview"};
    const char *separator = "  plays with: ";
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (agent->abilities >> i & 1) {
            text_format(text, "%s%s", separator, words[i]);
            separator = ", ";
        }
    if (agent->weights)
        text_format(text, "; weights: %s%s", agent->weights, agent->only_kind ? "" : " or any");
    text_add_char(text, '\n');
}

void simulate_list_agents(Text *text) {
    for (int i = 0; i < agent_count(); i++) {
        const Agent *agent = agent_at(i);
        text_entry(text, agent->name, agent->summary);
        list_abilities(agent, text);
        options_help(agent->parameters, "", text);
    }
    text_add(text, "\nFeatures and named sets of weights:\n");
    for (int k = 0; k < EVALUATOR_KINDS; k++) {
        const EvaluatorKind *kind = evaluator_kinds[k];
        text_entry(text, kind->name, kind->summary);
        Text words = {0};
        for (int i = 0; i < kind->count; i++)
            text_format(&words, "%s%s", i ? " " : "", kind->names[i]);
        text_entry(text, "  features", words.data ? words.data : "");
        text_clear(&words);
        for (int i = 0; i < evaluator_preset_count(); i++)
            if (evaluator_preset_at(i).kind == kind)
                text_format(&words, "%s%s", words.length ? " " : "", evaluator_preset_at(i).name);
        text_entry(text, "  sets", words.data ? words.data : "");
        text->failed |= words.failed;
        text_release(&words);
    }
}

/* Writes game number `index`, whose moves were recorded, as a replay. */
static bool write_replay(const SimulateTask *task, int64_t index, const AgentRecord *record,
                         Text *text, Status *status) {
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

bool simulate_best_replay(SimulateRun *run, Text *text, Status *status) {
    const SimulateResult *result = &run->entrants[0].result;
    const SimulateTask *task = &run->entrants[0].task;
    if (result->count == 0)
        return status_fail(status, STATUS_INPUT, "there was no time for a game");
    const SimulateGame *best = &result->games[simulate_best(result)];
    AgentRecord record = {.capacity = best->pieces > 0 ? best->pieces : 1};
    record.moves = malloc((size_t)record.capacity * sizeof *record.moves);
    if (!record.moves)
        return status_no_memory(status);
    int64_t index = (int64_t)(best->seed - run->seed);
    Game game;
    bool ok = simulate_one(task, index, &game, &record, status) &&
              write_replay(task, index, &record, text, status);
    free(record.moves);
    return ok;
}
