/*
 * train: the question, the generations, and the document. From the question to a task:
 * train_setup.c.
 */
#include "job/train.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/options.h"
#include "formats/weights.h"
#include "train/presets.h"
#include "train/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the question */

static const char *method_at(int index) {
    return index < train_count() ? train_at(index)->name : NULL;
}

static const Option rows[] = {
    OPTION_ROW(TrainQuestion, TEXT, preset, "preset", .argument = "NAME",
               .help = "named settings, the published ones among them"),
    OPTION_ROW(TrainQuestion, TEXT, method, "method", .fallback = "cma-es", .argument = "NAME",
               .help = "how the weights are changed", .word_at = method_at),
    OPTION_ROW(TrainQuestion, LIST, parameters, "param", .argument = "NAME=VALUE",
               .help = "set a parameter of the method; repeatable"),
    OPTION_ROW(TrainQuestion, TEXT, agent, "agent", .fallback = "weighted", .argument = "NAME",
               .help = "who plays", .word_at = play_agent_at, .file = OPTION_LOADS),
    OPTION_ROW(TrainQuestion, LIST, agent_parameters, "agent-param", .argument = "NAME=VALUE",
               .help = "set a parameter of the agent; repeatable"),
    OPTION_ROW(
        TrainQuestion, TEXT, features, "features", .argument = "NAME",
        .help =
            "the features whose weights are trained (default: those of weights or of the agent)"),
    OPTION_ROW(
        TrainQuestion, TEXT, weights, "weights", .fallback = "zero", .argument = "zero|NAME|FILE",
        .help = "where to start: zeros, a named set, or a file", .file = OPTION_READS_OR_NAME),
    OPTION_ROW(TrainQuestion, LIST, pins, "pin", .argument = "NAME[=VALUE]",
               .help = "do not train this weight, keep it at its start or VALUE"),
    PARAMETER_INTEGER(
        TrainQuestion, generations, "generations", "100", 0, 1e9,
        "the number of the last generation; a resumed training counts from its beginning (10 if "
        "no option sets a length)"),
    PARAMETER_INTEGER(TrainQuestion, games, "games", NULL, 1, 1e6,
                      "games of every candidate (default: depends on the method, see --list)"),
    PARAMETER_INTEGER(
        TrainQuestion, max_pieces, "max-pieces", NULL, 0, 1e15,
        "end each game after N pieces; 0: no limit (10000; for lines-per-death 100000, where "
        "games follow one another; for splitting 20000, the longest climb; bot 500; a twentieth of "
        "these, bot a fifth, if no option sets a length; piece sequences of a profile have 20)"),
    PARAMETER_INTEGER(TrainQuestion, grow_every, "grow-every", "0", 0, 1e9,
                      "the limit max-pieces grows by half every N generations; 0: never"),
    PARAMETER_INTEGER(TrainQuestion, grow_to, "grow-to", NULL, 1, 1e15,
                      "it grows to at most N pieces; requires grow-every"),
    OPTION_ROW(
        TrainQuestion, CHOICE, measure, "measure", .choices = GAMES_MEASURE_CHOICES,
        .argument = "NAME",
        .help =
            "what is maximised (score; for the literature's controllers lines-per-death: lines "
            "divided by top-outs over a fixed number of pieces; splitting estimates the same from "
            "climbs between heights, thousands of times as fast where top-outs are rare; for the "
            "bot match: points in games against its weights at the start, or app: lines sent per "
            "piece in them)"),
    OPTION_ROW(TrainQuestion, TEXT, profile, "profile", .argument = "NAME",
               .help = "train the factors of an offline profile instead of an agent, from those of "
                       "blocks, rows, "
                       "pieces, tetrises or height: a game is a piece sequence that is solved, and "
                       "the median of "
                       "the blocks left counts"),
    OPTION_ROW(TrainQuestion, TEXT, algorithm, "algorithm", .fallback = "sa", .argument = "NAME",
               .help = "profile: what solves the sequences"),
    PARAMETER_INTEGER(TrainQuestion, evaluations, "evaluations", "5000", 1, 1e12,
                      "profile: evaluations of one sequence"),
    OPTION_ROW(TrainQuestion, CHOICE, encoding, "encoding", .fallback = "swap-double",
               .choices = ENCODING_CHOICES, .argument = "NAME",
               .help = "profile: of the solutions"),
    OPTION_ROW(TrainQuestion, REAL, prune, "prune", .max = 1, .argument = "EPS",
               .help = "drop a weight that stays below EPS times the largest for 10 generations"),
    OPTIONS_INCLUDE(TrainQuestion, play, play_options),
    PARAMETER_INTEGER(TrainQuestion, seed, "seed", NULL, 0, 9.2e18,
                      "seed; drawn and printed when not given"),
    PARAMETER_INTEGER(TrainQuestion, threads, "threads", NULL, 1, POOL_MAX_THREADS,
                      "threads (default: the number of CPUs)"),
    OPTION_ROW(TrainQuestion, REAL, seconds, "time", .max = 1e9, .argument = "SECONDS",
               .help = "start no generation after that time; 0: no limit"),
    PARAMETER_INTEGER(
        TrainQuestion, held_out, "held-out", "30", 1, 1e6,
        "games on seeds that training never uses, on which the winner is scored at the end"),
    OPTION_ROW(TrainQuestion, TEXT, resume, "resume", .argument = "FILE",
               .help = "resume a saved training exactly", .file = OPTION_CONTINUES),
};

static OptionTable parameters_at(int index) {
    return index < train_count() ? train_at(index)->parameters : (OptionTable){0};
}

/* ---- preparing */

static void free_run(void *given) {
    TrainRun *run = given;
    trainer_free(run->trainer);
    pool_free(run->pool);
    text_release(&run->settings);
    parameters_release(&run->parameters);
    setup_release(&run->player);
    json_free(run->resumed);
    question_free(run->question);
    free(run);
}

/* The trainer, as it was saved where a training is resumed. */
static bool make_trainer(TrainRun *run, Status *status) {
    run->pool = pool_new(
        run->asked->threads > 0 ? (unsigned)run->asked->threads : pool_processors(), status);
    if (!run->pool)
        return false;
    run->task.pool = run->pool;
    run->trainer = trainer_new(&run->task, status);
    if (!run->trainer)
        return false;
    if (run->resumed && !train_state_load(run->resumed, run->trainer, status))
        return status_prefix_option(status, "resume");
    run->first = trainer_generation(run->trainer);
    run->pieces_before = trainer_pieces(run->trainer);
    train_write_settings(run, true, NULL, 0, &run->settings);
    if (run->settings.failed)
        return status_no_memory(status);
    run->identity = (TrainIdentity){.features = run->evaluator.kind->name,
                                    .start = run->start,
                                    .count = run->evaluator.kind->count};
    train_identify(&run->identity, &run->settings, run->resumed);
    return true;
}

static void *prepare(const Question *question, Status *status) {
    TrainRun *run = memory_new(1, sizeof *run, status);
    if (!run)
        return NULL;
    run->question = question_copy(question, status);
    if (run->question) {
        run->asked = run->question->values;
        if (train_setup(run, status) && make_trainer(run, status))
            return run;
    }
    free_run(run);
    return NULL;
}

/* ---- running */

static void on_trials(void *context, const Progress *progress) {
    TrainRun *run = context;
    if (run->hooks.trials)
        run->hooks.trials(run->hooks.context, progress);
}

/* All generations. */
static TrainerEnd evolve(TrainRun *run, const ProgressWatch *watch, Status *status) {
    const TrainQuestion *asked = run->asked;
    const Exchange *ranks = run->task.ranks;
    while (trainer_generation(run->trainer) < asked->generations) {
        uint64_t start = clock_now_ns();
        bool late = asked->seconds > 0 && clock_seconds_since(run->start_ns) >= asked->seconds;
        if (exchange_lowest(ranks, late) >= 0)
            break;
        TrainerEnd end = trainer_step(run->trainer, &run->row, status);
        if (end != TRAINER_DONE)
            return end;
        bool ok = !run->hooks.generation ||
                  run->hooks.generation(run->hooks.context, clock_seconds_since(start), status);
        if (!exchange_agree(ranks, ok, status))
            return TRAINER_FAILED;
        Progress progress = {.done = (uint64_t)run->row.generation,
                             .total = (uint64_t)asked->generations,
                             .generation = (uint64_t)run->row.generation,
                             .best = run->row.best,
                             .current = run->row.mean,
                             .mean = run->row.mean,
                             .temperature = run->row.spread_name ? run->row.spread : 0};
        if (watch->report)
            watch->report(watch->context, &progress);
    }
    return TRAINER_DONE;
}

/* Scores the weights that the training is compared with. */
static TrainerEnd compare(TrainRun *run, Status *status) {
    int64_t games = run->asked->held_out;
    TrainerEnd end = TRAINER_DONE;
    if (trainer_generation(run->trainer) > 0) { /* else the start was scored just now */
        end = trainer_held_out(run->trainer, run->start, games, &run->at_start.held_out, status);
        run->at_start.scored = end == TRAINER_DONE;
    }
    if (end == TRAINER_DONE && run->has_reference) {
        end = trainer_held_out(run->trainer, run->reference_weights, games,
                               &run->reference.held_out, status);
        run->reference.scored = end == TRAINER_DONE;
    }
    return end;
}

static bool run_train(void *given, const ProgressWatch *watch, Status *status) {
    TrainRun *run = given;
    run->start_ns = clock_now_ns();
    /* Everything that may end the training early looks at one flag. */
    run->task.stop = run->games.task.stop = run->offline.stop = run->duels.stop = watch->stop;
    run->task.report = on_trials;
    run->task.report_context = run;
    TrainerEnd end = evolve(run, watch, status);
    if (end == TRAINER_DONE)
        end = trainer_held_out(run->trainer, NULL, run->asked->held_out, &run->held_out, status);
    run->has_held_out = end == TRAINER_DONE;
    run->stopped = end == TRAINER_CUT;
    /* A stop from here on only leaves out the comparison. */
    if (end == TRAINER_DONE)
        end = compare(run, status);
    return end != TRAINER_FAILED;
}

/* ---- the document */

static void write_held_out(JsonWriter *w, const char *name, bool scored, const TrainRun *run,
                           const TrainHeldOut *held_out) {
    if (!scored) {
        jw_null(w, name);
        return;
    }
    const TrialSummary *summary = &held_out->summary;
    jw_object(w, name);
    jw_put(w, JS("measure", run->objective.measure), JR("mean", summary->mean));
    if (isnan(summary->low))
        jw_null(w, "ci95");
    else
        jw_reals(w, "ci95", (double[]){summary->low, summary->high}, 2);
    jw_put(w, JI("games", held_out->games), JI("pieces", held_out->pieces),
           JI("lines", held_out->lines), JI("deaths", held_out->deaths),
           JI("seed", (int64_t)held_out->seed));
    jw_end(w);
}

/* The name by which a match takes an agent with the weights found. */
static void write_player(const TrainRun *run, const double *weights, JsonWriter *w) {
    const Agent *agent = run->duels.player->agent;
    Text name = {0};
    text_add(&name, agent->name);
    for (int i = 0; i < run->own_kind.count; i++)
        text_format(&name, "%c%s=%lld", i > 0 ? '&' : '?', run->own_names[i],
                    (long long)duels_weight(agent, i, weights[i]));
    jw_string(w, "player", name.data);
    w->text->failed |= name.failed;
    text_release(&name);
}

static void write(const void *given, bool times, JsonWriter *w) {
    (void)times;
    const TrainRun *run = given;
    double weights[TRAIN_MAX_WEIGHTS];
    trainer_best(run->trainer, weights);
    Evaluator evaluator;
    evaluator_init(&evaluator, run->evaluator.kind, weights);
    weights_write(w, &evaluator);
    if (run->duels.player)
        write_player(run, weights, w);
    jw_object(w, "training");
    jw_string(w, "program", TETROPT_VERSION);
    jw_raw(w, "settings", run->settings.data, run->settings.length);
    jw_put(w, JI("generations", trainer_generation(run->trainer)),
           JI("games", trainer_games(run->trainer)), JI("pieces", trainer_pieces(run->trainer)));
    jw_array(w, "dropped");
    for (int i = 0; i < run->task.weights; i++)
        if (trainer_dropped(run->trainer) >> i & 1)
            jw_string(w, NULL, train_names(run)[i]);
    jw_end(w);
    write_held_out(w, "held_out", run->has_held_out, run, &run->held_out);
    write_held_out(w, "start", run->at_start.scored, run, &run->at_start.held_out);
    write_held_out(w, "reference", run->reference.scored, run, &run->reference.held_out);
    jw_end(w);
}

bool train_write_state(TrainRun *run, const TrainExtra *extras, int count, Text *text) {
    Text settings = {0};
    train_write_settings(run, false, extras, count, &settings);
    bool ok = !settings.failed && train_state_write(&settings, &run->identity, run->trainer, text);
    text_release(&settings);
    return ok;
}

static bool write_state(void *run, Text *text) {
    return train_write_state(run, NULL, 0, text);
}

const Job train_job = {
    .name = "train",
    .options = OPTIONS_TABLE(rows),
    .question_bytes = sizeof(TrainQuestion),
    .parameters_at = parameters_at,
    .prepare = prepare,
    .run = run_train,
    .write = write,
    .write_state = write_state,
    .free_run = free_run,
};

/* ---- for front ends */

void train_list(Text *text) {
    for (int i = 0; i < train_count(); i++) {
        const TrainMethod *method = train_at(i);
        char summary[240];
        snprintf(summary, sizeof summary, "%s (%lld games per candidate)", method->summary,
                 (long long)method->games);
        text_entry(text, method->name, summary);
        options_help(method->parameters, "", text);
    }
    text_add(text, "\nPresets:\n");
    train_presets_list(text);
}
