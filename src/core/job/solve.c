/*
 * solve: from the question to a SolveTask and from its answer to the document.
 *
 * Everything in the question is checked by `prepare`, so that nobody waits an hour for a message.
 */
#include "job/solve.h"

#include "base/memory.h"
#include "base/rng.h"
#include "engine/randomizer.h"
#include "formats/document.h"
#include "formats/solution.h"
#include "formats/weights.h"
#include "job/board.h"
#include "optim/outside.h"
#include "optim/presets.h"
#include "optim/registry.h"
#include "problem/instances.h"
#include "train/offline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the question */

typedef struct SolveQuestion {
    BoardOptions board;
    const char *instance, *pieces, *algorithm, *preset, *start, *weights;
    int64_t count, placements, seed, piece_seed, threads, evaluations;
    double seconds, target;
    int encoding, order, randomizer, profile;
    bool hold, game_over;
    int64_t perfect_points;
    OptionList parameters;
} SolveQuestion;

static const char *algorithm_at(int index) {
    return (size_t)index < optim_count() ? optim_at((size_t)index)->name : NULL;
}

static const Option rows[] = {
    OPTION_ROW(SolveQuestion, TEXT, instance, "instance", .argument = "NAME",
               .help = "an instance of the benchmark (tetropt instances list)"),
    OPTION_ROW(SolveQuestion, TEXT, pieces, "pieces", .argument = "LETTERS",
               .file = OPTION_READS_AT, .help = "the piece sequence: letters, CSV names, or @FILE"),
    PARAMETER_INTEGER(SolveQuestion, count, "n", NULL, 1, GENOTYPE_MAX_PIECES,
                      "draw whole bags, at least N+1 pieces, and place N of them"),
    OPTION_ROW(SolveQuestion, CHOICE, randomizer, "randomizer", .fallback = "bag",
               .choices = RANDOMIZER_DRAWN, .argument = "NAME", .help = "randomizer of n"),
    PARAMETER_INTEGER(SolveQuestion, placements, "placements", NULL, 1, GENOTYPE_MAX_PIECES,
                      "pieces to place (default: all)"),
    OPTIONS_INCLUDE(SolveQuestion, board, board_options),
    OPTION_ROW(SolveQuestion, CHOICE, encoding, "encoding", .fallback = "swap-double",
               .choices = ENCODING_CHOICES, .argument = "NAME", .help = "encoding of a solution"),
    OPTION_ROW(SolveQuestion, CHOICE, order, "order", .fallback = "turn-first",
               .choices = DECODE_ORDER_CHOICES, .argument = "NAME",
               .help = "whether genes move or rotate a piece first (not for placements)"),
    OPTION_ROW(SolveQuestion, FLAG, game_over, "game-over", .fallback = "on", .argument = "on|off",
               .help =
                   "off: a game never ends, pieces also spawn and lock on filled cells, as in the "
                   "published program"),
    PARAMETER_INTEGER(SolveQuestion, perfect_points, "perfect-clear-points", "0", 0,
                      DECODE_MAX_PERFECT_POINTS,
                      "score of a perfect clear (20 in later versions of the published program)"),
    OPTION_ROW(SolveQuestion, FLAG, hold, "hold", .fallback = "on", .argument = "on|off",
               .help = "whether the encoding placements may use hold"),
    OPTION_ROW(SolveQuestion, TEXT, algorithm, "algorithm", .fallback = "auto", .argument = "NAME",
               .word_at = algorithm_at, .program = true,
               .help = "how to search (see --list), or lines:COMMAND: a program (docs/SOLVE.md)"),
    OPTION_ROW(SolveQuestion, TEXT, preset, "preset", .argument = "NAME",
               .choices = "published|untuned|1.0",
               .help = "settings in place of the defaults (see --list); explicit options and "
                       "parameters override them"),
    OPTION_ROW(SolveQuestion, LIST, parameters, "param", .argument = "NAME=VALUE",
               .help = "set a parameter of the algorithm; repeatable"),
    OPTION_ROW(SolveQuestion, CHOICE, profile, "profile", .fallback = "blocks",
               .choices = PROFILE_CHOICES, .argument = "NAME",
               .help = "the fitness that is maximised"),
    OPTION_ROW(SolveQuestion, TEXT, weights, "weights", .argument = "FILE",
               .file = OPTION_READS_OR_NAME,
               .help = "a profile that train --profile wrote, in place of profile"),
    OPTION_ROW(SolveQuestion, REAL, target, "target", .argument = "F",
               .help = "stop at this fitness; exit code 1 if it is not reached"),
    OPTION_ROW(SolveQuestion, REAL, seconds, "time", .min = 0, .max = 1e7, .argument = "SECONDS",
               .help = "time limit; 0: none"),
    PARAMETER_INTEGER(SolveQuestion, evaluations, "evaluations", NULL, 0, 1e15,
                      "evaluation limit; 0: none"),
    PARAMETER_INTEGER(SolveQuestion, piece_seed, "piece-seed", NULL, 0, 9.2e18,
                      "seed of the pieces of n (default: seed)"),
    PARAMETER_INTEGER(SolveQuestion, seed, "seed", NULL, 0, 9.2e18,
                      "seed; drawn and printed when not given"),
    PARAMETER_INTEGER(SolveQuestion, threads, "threads", NULL, 1, POOL_MAX_THREADS,
                      "threads (default: the number of CPUs)"),
    OPTION_ROW(SolveQuestion, TEXT, start, "start", .argument = "FILE", .file = OPTION_READS,
               .help = "start from the solution in this solve document, eval document or replay"),
};

static OptionTable parameters_at(int index) {
    return (size_t)index < optim_count() ? optim_at((size_t)index)->parameters : (OptionTable){0};
}

/* ---- preparing: one function per part of the question */

/* Whole bags, at least one piece more than is placed, so that hold has something to hold. */
static void draw_pieces(const SolveQuestion *asked, uint64_t seed, EvalRequest *request) {
    int count = ((int)asked->count + 1 + PIECE_COUNT - 1) / PIECE_COUNT * PIECE_COUNT;
    Randomizer randomizer;
    randomizer_init(&randomizer, (RandomizerKind)asked->randomizer, seed, 0);
    for (int i = 0; i < count; i++)
        request->pieces[i] = (uint8_t)randomizer_next(&randomizer);
    request->piece_count = count;
}

/* Options that an instance decides. */
static const char *const of_instance[] = {"pieces", "n",     "placements", "width",     "height",
                                          "board",  "fumen", "randomizer", "piece-seed"};

static bool read_instance(const Question *question, SolveRun *run, Status *status) {
    const SolveQuestion *asked = question->values;
    for (size_t i = 0; i < sizeof of_instance / sizeof *of_instance; i++)
        if (question_given(question, of_instance[i]))
            return status_option(status, of_instance[i], "cannot be combined with instance");
    int index = instances_find(asked->instance);
    if (index < 0)
        return instances_unknown(asked->instance, status) ||
               status_prefix_option(status, "instance");
    run->instance = instances_at(index);
    instance_problem(&run->instance, &run->request);
    /* The bound is one of the profile that the benchmark has, and of its rules. */
    run->task.has_bound = asked->profile == PROFILE_BLOCKS && !asked->weights &&
                          instance_rules_ok(&run->request.rules);
    run->task.bound = run->instance.bound;
    return true;
}

static bool read_pieces(const Question *question, uint64_t seed, EvalRequest *request,
                        Status *status) {
    const SolveQuestion *asked = question->values;
    if ((asked->count > 0) == (asked->pieces != NULL))
        return status_fail(status, STATUS_INPUT, "solve: requires instance, pieces or n");
    if (asked->count > 0)
        draw_pieces(asked, seed, request);
    else {
        request->piece_count = pieces_parse(asked->pieces, request->pieces, EVAL_MAX_QUEUE, status);
        if (request->piece_count < 0)
            return status_prefix_option(status, "pieces");
    }
    if (request->piece_count == 0)
        return status_option(status, "pieces", "there are none");
    int64_t placements = asked->placements > 0 ? asked->placements
                         : asked->count > 0    ? asked->count
                                               : request->piece_count;
    if (placements > request->piece_count || placements > GENOTYPE_MAX_PIECES)
        return status_option(status, "placements", "%d of %d pieces, and at most %d",
                             (int)placements, request->piece_count, GENOTYPE_MAX_PIECES);
    request->placements = (int)placements;
    return true;
}

/* "lines:COMMAND": a program that is our optimiser. */
static bool read_outside(const Question *question, SolveRun *run, const char *command,
                         const char *query, Status *status) {
    const SolveQuestion *asked = question->values;
    if (!question->host)
        return status_option(status, "algorithm", "lines: programs cannot be run from here");
    if (!*command)
        return status_option(status, "algorithm", "lines: the command is missing");
    run->command = strdup(command);
    if (!run->command)
        return status_no_memory(status);
    parameters_init(&run->parameters, outside_optimiser.name, outside_optimiser.parameters);
    run->task.optimiser = &outside_optimiser;
    run->task.parameters = run->parameters.values;
    OptimOutsideParameters *own = (void *)run->parameters.values;
    own->command = run->command;
    own->host = question->host;
    return parameters_set_all(&run->parameters, query, '&', status) &&
           parameters_set_list(&run->parameters, &asked->parameters, status);
}

static bool read_algorithm(const Question *question, SolveRun *run, Status *status) {
    const SolveQuestion *asked = question->values;
    char name[64], query[OUTSIDE_QUERY_BYTES];
    const char *command = optim_outside_command(asked->algorithm, query);
    if (command)
        return read_outside(question, run, command, query, status);
    const char *pairs = parameters_split(asked->algorithm, name, sizeof name);
    const Optimiser *optimiser = optim_find(name);
    if (!optimiser)
        return status_option(status, "algorithm", "unknown algorithm '%.40s'", name);
    parameters_init(&run->parameters, optimiser->name, optimiser->parameters);
    run->parameters.bounds = question->bounds;
    run->task.optimiser = optimiser;
    run->task.parameters = run->parameters.values;
    const char *preset = asked->preset ? optim_preset(asked->preset, name) : NULL;
    return parameters_set_all(&run->parameters, preset, '&', status) &&
           parameters_set_all(&run->parameters, pairs, '&', status) &&
           parameters_set_list(&run->parameters, &asked->parameters, status);
}

/* Options of solve that belong to a preset of optim/presets, which knows nothing of Tetris. */
static const char *const preset_options[][3] = {{"published", "order", "published"},
                                                {"published", "game-over", "off"},
                                                {"1.0", "order", "move-first"}};

/* Sets what the preset says in `values`, a copy of the question's, where nothing was given. */
static bool apply_preset(const Question *question, SolveQuestion *values, Status *status) {
    const char *preset = values->preset;
    if (!preset)
        return true;
    if (!optim_preset_exists(preset))
        return status_option(status, "preset", "unknown preset '%.40s' (see solve --list)", preset);
    char name[64];
    parameters_split(values->algorithm, name, sizeof name);
    if (!optim_preset(preset, name)) {
        Text owners = {0};
        optim_preset_owners(preset, &owners);
        status_option(status, "preset", "'%.40s' has no settings for %.40s, only for %s", preset,
                      name, owners.data ? owners.data : "others");
        text_release(&owners);
        return false;
    }
    for (size_t i = 0; i < sizeof preset_options / sizeof *preset_options; i++)
        if (strcmp(preset_options[i][0], preset) == 0 &&
            !question_given(question, preset_options[i][1]) &&
            !options_set(question->table, values, preset_options[i][1], preset_options[i][2],
                         status))
            return false;
    return true;
}

static bool read_profile(const Question *question, SolveTask *task, Status *status) {
    const SolveQuestion *asked = question->values;
    task->profile = fitness_profiles[asked->profile];
    if (!asked->weights)
        return true;
    if (question_given(question, "profile"))
        return status_option(status, "weights", "cannot be combined with profile");
    Evaluator evaluator;
    if (!weights_read(asked->weights, &offline_kind, &evaluator, status))
        return status_prefix_option(status, "weights");
    if (evaluator.kind != &offline_kind)
        return status_option(status, "weights", "those of '%s' are not a profile",
                             evaluator.kind->name);
    task->profile = offline_profile(evaluator.weights);
    return true;
}

static bool read_start(const SolveQuestion *asked, SolveRun *run, Status *status) {
    if (!asked->start)
        return true;
    if (run->request.encoding == ENCODING_PLACEMENTS)
        return status_option(status, "start", "the encoding placements has no genes");
    if (!solution_read_genes(asked->start, strlen(asked->start), &run->request, run->start, status))
        return status_prefix_option(status, "start");
    run->task.start = run->start;
    return true;
}

/* Board, rules and pieces. */
static bool read_problem(const Question *question, uint64_t piece_seed, SolveRun *run,
                         Status *status) {
    const SolveQuestion *asked = question->values;
    run->request.rules = (DecodeRules){.order = (DecodeOrder)asked->order,
                                       .no_game_over = !asked->game_over,
                                       .perfect_points = (uint8_t)asked->perfect_points};
    bool ok = asked->instance ? read_instance(question, run, status)
                              : board_options_read(&asked->board, &run->request.grid, status);
    return ok && eval_check_rules(&run->request, status) &&
           (asked->instance || read_pieces(question, piece_seed, &run->request, status));
}

static bool fill_run(const Question *question, SolveRun *run, Status *status) {
    const SolveQuestion *asked = question->values;
    SolveTask *task = &run->task;
    task->request = &run->request;
    task->seed = question_given(question, "seed") ? (uint64_t)asked->seed : rng_entropy();
    uint64_t piece_seed =
        question_given(question, "piece-seed") ? (uint64_t)asked->piece_seed : task->seed;
    run->request.encoding = (Encoding)asked->encoding;
    task->hold = asked->hold;
    if (question_given(question, "hold") && run->request.encoding != ENCODING_PLACEMENTS)
        return status_option(status, "hold",
                             "requires the encoding placements; the others have a swap gene or "
                             "none");
    task->threads = asked->threads > 0 ? (unsigned)asked->threads : pool_processors();
    task->evaluations = (uint64_t)asked->evaluations;
    task->seconds = asked->seconds;
    task->has_target = question_given(question, "target");
    task->target = asked->target;
    return read_profile(question, task, status) &&
           read_problem(question, piece_seed, run, status) &&
           read_algorithm(question, run, status) && read_start(asked, run, status) &&
           solve_check(task, status);
}

static void free_run(void *given) {
    SolveRun *run = given;
    parameters_release(&run->parameters);
    free(run->command);
    free(run);
}

static void *prepare(const Question *question, Status *status) {
    SolveRun *run = memory_new(1, sizeof *run, status);
    if (!run)
        return NULL;
    SolveQuestion values = *(const SolveQuestion *)question->values;
    Question own = *question; /* with the options of the preset; the texts stay the caller's */
    own.values = &values;
    if (apply_preset(question, &values, status) && fill_run(&own, run, status))
        return run;
    free_run(run);
    return NULL;
}

/* ---- running and answering */

static bool run_solve(void *given, const ProgressWatch *watch, Status *status) {
    SolveRun *run = given;
    run->task.stop = watch->stop;
    run->task.report = watch->report;
    run->task.report_context = watch->context;
    return solve_run(&run->task, &run->answer, status);
}

static void write_times(const void *given, JsonWriter *json) {
    const SolveRun *run = given;
    jw_real(json, "seconds", run->answer.seconds);
    jw_integer(json, "threads", run->task.threads);
}

static void write(const void *given, bool times, JsonWriter *json) {
    const SolveRun *run = given;
    const SolveAnswer *answer = &run->answer;
    solution_write_result(json, &answer->result);
    jw_string(json, "algorithm", run->task.optimiser->name);
    if (run->instance.row)
        jw_put(json, JS("instance", run->instance.name), JR("best_known", run->instance.best));
    solution_write(json, &run->request, &answer->best, &answer->result);
    jw_integer(json, "evaluations", (int64_t)answer->evaluations);
    jw_integer(json, "seed", (int64_t)run->task.seed);
    jw_real(json, "bound", answer->bound); /* null when none is known */
    jw_real(json, "gap", answer->bound - answer->result.fitness);
    jw_bool(json, "optimal", answer->optimal);
    jw_bool(json, "perfect_clear", answer->perfect_clear);
    if (run->task.exchange)
        jw_integer(json, "islands", run->task.exchange->count);
    if (times)
        write_times(given, json);
}

static size_t best_bytes(const void *given) {
    return eval_solution_bytes(&((const SolveRun *)given)->request);
}

static void write_best(const void *given, const void *best, JsonWriter *json) {
    const SolveRun *run = given;
    jw_integer(json, "width", run->request.grid.width);
    jw_integer(json, "height", run->request.grid.height);
    EvalResult *result = best ? malloc(sizeof *result) : NULL;
    if (result && eval_run(&run->request, best, &run->task.profile, result, NULL))
        document_write_board(json, "board", &result->grid);
    else
        jw_null(json, "board");
    free(result);
}

/* Version 1.0 moved before it turned, and had other defaults. */
static bool restore_defaults(Question *question, Status *status) {
    const SolveQuestion *asked = question->values;
    if (asked->preset) /* version 1.0 had none */
        return true;
    char name[64];
    parameters_split(asked->algorithm, name, sizeof name);
    return question_set(question, "order", decode_order_names[ORDER_MOVE_FIRST], status) &&
           (!optim_preset("1.0", name) || question_set(question, "preset", "1.0", status));
}

const Job solve_job = {
    .name = "solve",
    .options = OPTIONS_TABLE(rows),
    .question_bytes = sizeof(SolveQuestion),
    .parameters_at = parameters_at,
    .prepare = prepare,
    .run = run_solve,
    .write = write,
    .write_times = write_times,
    .free_run = free_run,
    .best_bytes = best_bytes,
    .write_best = write_best,
    .changed = {"order", "turn-first", restore_defaults},
};

/* ---- for front ends */

bool solve_check_parameter(const Question *question, const char *pair, Status *status) {
    const SolveQuestion *asked = question->values;
    char name[64];
    parameters_split(asked->algorithm, name, sizeof name);
    const Optimiser *optimiser = optim_find(name);
    if (!optimiser)
        return status_option(status, "algorithm", "unknown algorithm '%.40s'", name);
    Parameters parameters;
    parameters_init(&parameters, optimiser->name, optimiser->parameters);
    bool ok = parameters_set(&parameters, pair, status);
    parameters_release(&parameters);
    return ok;
}

void solve_list_algorithms(Text *text) {
    for (size_t i = 0; i < optim_count(); i++) {
        const Optimiser *optimiser = optim_at(i);
        text_add(text, i ? "\n" : "");
        text_entry(text, optimiser->name, optimiser->summary);
        options_help(optimiser->parameters, "", text);
    }
    text_add(text, "\n");
    text_entry(text, "lines:COMMAND", outside_optimiser.summary);
    text_add(text, "\n");
    optim_presets_list(text);
}

bool solve_check_replay(const SolveTask *task, Status *status) {
    return !task->request->rules.no_game_over ||
           status_fail(status, STATUS_INPUT, "game-over: off: such a game has no replay");
}

bool solve_replay(const SolveTask *task, const SolveAnswer *answer, Replay *replay,
                  Status *status) {
    const EvalRequest *request = task->request;
    if (!solve_check_replay(task, status))
        return false;
    if (!replay_from_steps(replay, &request->grid, request->pieces, (size_t)request->piece_count,
                           answer->result.steps, answer->result.state.placed, status))
        return false;
    snprintf(replay->title, sizeof replay->title, "tetropt solve, %s, %s: fitness %g",
             task->optimiser->name, encoding_names[request->encoding], answer->result.fitness);
    replay->search_seed = (ReplaySeed){true, (int64_t)task->seed};
    return true;
}

void solve_write_progress(JsonWriter *json, const Progress *progress, double seconds) {
    jw_object(json, NULL);
    jw_integer(json, "evaluations", (int64_t)progress->done);
    jw_real(json, "best", progress->best);
    jw_real(json, "current", progress->current);
    jw_real(json, "mean", progress->mean);
    jw_real(json, "temperature", progress->temperature);
    jw_integer(json, "generation", (int64_t)progress->generation);
    jw_real(json, "seconds", seconds);
    jw_end(json);
}
