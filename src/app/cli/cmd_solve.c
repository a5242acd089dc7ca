/*
 * solve: the best arrangement of a known list of pieces.
 *
 * Everything that was given is looked at before the search begins, the files that it shall write
 * too: nobody waits an hour for a message. Under mpirun all islands go through the same steps and
 * agree after each (go_on); the first one alone prints and writes.
 */
#include "base/parameters.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/ring.h"
#include "cli/solve_show.h"
#include "cli/solve_watch.h"
#include "engine/randomizer.h"
#include "io/eval_document.h"
#include "io/solve_document.h"
#include "io/weights_document.h"
#include "optim/registry.h"
#include "system/file.h"
#include "system/stop.h"
#include "train/offline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { START_FILE_LIMIT = 16 << 20 };

typedef struct SolveSettings {
    CliCommon common;
    CliBoard board;
    const char *pieces, *algorithm, *target, *save, *svg, *png, *log, *start, *weights;
    int64_t count, placements, seed, piece_seed, threads, evaluations;
    double seconds;
    int encoding, hold, randomizer, profile;
    bool list, islands, animate, watch, no_times;
    OptionList parameters;
} SolveSettings;

#define TEXT(name_, field_, argument_, file_, help_)                                               \
    {                                                                                              \
        .name = name_, .kind = OPTION_TEXT, .offset = offsetof(SolveSettings, field_),             \
        .argument = argument_, .file = file_, .help = help_                                        \
    }
#define FLAG(name_, field_, help_)                                                                 \
    { .name = name_, .kind = OPTION_FLAG, .offset = offsetof(SolveSettings, field_), .help = help_ }
#define CHOICE(name_, field_, default_, choices_, help_)                                           \
    {                                                                                              \
        .name = name_, .kind = OPTION_CHOICE, .offset = offsetof(SolveSettings, field_),           \
        .fallback = default_, .choices = choices_, .argument = "NAME", .help = help_               \
    }
#define INTEGER(name_, field_, min_, max_, help_)                                                  \
    {                                                                                              \
        .name = name_, .kind = OPTION_INTEGER, .offset = offsetof(SolveSettings, field_),          \
        .min = min_, .max = max_, .argument = "N", .help = help_                                   \
    }

static const Option solve_rows[] = {
    TEXT("pieces", pieces, "LETTERS", OPTION_READS_AT, "the list: letters, CSV names, or @FILE"),
    INTEGER("n", count, 1, GENOTYPE_MAX_PIECES,
            "draw whole bags, at least N+1 pieces, and place N of them"),
    CHOICE("randomizer", randomizer, "bag", RANDOMIZER_CHOICES, "where --n draws from"),
    INTEGER("placements", placements, 1, GENOTYPE_MAX_PIECES,
            "pieces to place (default: all of --pieces)"),
    CLI_BOARD_ROWS(SolveSettings),
    CHOICE("encoding", encoding, "swap-double", ENCODING_CHOICES, "what a solution is made of"),
    CHOICE("hold", hold, "on", "off|on", "whether `placements` may use hold"),
    {.name = "algorithm",
     .kind = OPTION_TEXT,
     .offset = offsetof(SolveSettings, algorithm),
     .fallback = "auto",
     .choices = "auto|ga|sa|abc|hill|hybrid|beam|exact",
     .argument = "NAME",
     .help = "how to search; --list explains them"},
    {.name = "param",
     .kind = OPTION_LIST,
     .offset = offsetof(SolveSettings, parameters),
     .argument = "NAME=VALUE",
     .help = "set a parameter of the algorithm; may be given again and again"},
    FLAG("list", list, "list the algorithms with their parameters"),
    FLAG("islands", islands,
         "ga: the processes that mpirun started are islands, each with a population, that "
         "exchange their best along a ring"),
    CHOICE("profile", profile, "blocks", PROFILE_CHOICES, "what is maximised"),
    {.name = "weights",
     .kind = OPTION_TEXT,
     .offset = offsetof(SolveSettings, weights),
     .argument = "FILE",
     .file = OPTION_READS_OR_NAME,
     .help = "a profile that train --profile made, in place of --profile"},
    TEXT("target", target, "F", OPTION_NO_FILE,
         "stop at this fitness; exit code 1 when it was missed"),
    {.name = "time",
     .kind = OPTION_REAL,
     .offset = offsetof(SolveSettings, seconds),
     .min = 0,
     .max = 1e7,
     .argument = "SECONDS",
     .help = "cut the search off; 0 is no limit"},
    INTEGER("evaluations", evaluations, 0, 1e15, "the most solutions to look at; 0 is no limit"),
    INTEGER("piece-seed", piece_seed, 0, 9.2e18,
            "seed that --n draws from, apart from that of the search"),
    INTEGER("seed", seed, 0, 9.2e18, "seed; drawn and printed when not given"),
    INTEGER("threads", threads, 1, POOL_MAX_THREADS, "threads (default: the processors)"),
    TEXT("start", start, "FILE", OPTION_READS,
         "begin with the genes of this eval or solve document"),
    TEXT("save", save, "FILE", OPTION_WRITES, "save a replay"),
    TEXT("svg", svg, "FILE", OPTION_WRITES, "draw the board after every placement"),
    TEXT("png", png, "FILE", OPTION_WRITES, "the same as PNG"),
    TEXT("log", log, "FILE", OPTION_WRITES, "the evolution as JSON Lines"),
    FLAG("animate", animate, "play the answer in the terminal"),
    FLAG("watch", watch, "show the best boards so far while it searches (on a terminal)"),
    FLAG("no-times", no_times, "leave out of the JSON what differs from run to run"),
    CLI_COMMON_ROWS(SolveSettings),
};

/* Everything a run needs, in one place to release. */
typedef struct SolveWork {
    EvalRequest request;
    SolveTask task;
    SolveAnswer answer;
    ProgressLine progress;
    Ranks ranks; /* the islands; count 0: not asked for */
    OptimExchange exchange;
    Parameters parameters;
    int8_t start[GENOTYPE_MAX_PIECES * GENOTYPE_MAX_GENES];
} SolveWork;

static bool list_algorithms(Status *status) {
    Text text;
    text_init(&text);
    for (size_t i = 0; i < optim_count(); i++) {
        const Optimiser *optimiser = optim_at(i);
        text_format(&text, "%s%s: %s\n", i ? "\n" : "", optimiser->name, optimiser->summary);
        options_help(optimiser->parameters, "", &text);
    }
    return cli_print_text(&text, status);
}

/* --pieces LETTERS or @FILE. */
static bool parse_pieces(const char *given, EvalRequest *request, Status *status) {
    if (given[0] != '@') {
        request->piece_count = pieces_parse(given, request->pieces, EVAL_MAX_QUEUE, status);
        return request->piece_count >= 0 || status_prefix(status, "--pieces");
    }
    request->piece_count = cli_read_pieces(given + 1, request->pieces, EVAL_MAX_QUEUE, status);
    return request->piece_count >= 0;
}

/* Whole bags, at least one piece more than is placed, so that hold has something to hold. */
static bool draw_pieces(const SolveSettings *settings, uint64_t seed, EvalRequest *request,
                        Status *status) {
    if (settings->randomizer == RANDOMIZER_LIST)
        return status_fail(status, STATUS_INPUT, "--randomizer: list goes with --pieces");
    int count = ((int)settings->count + 1 + PIECE_COUNT - 1) / PIECE_COUNT * PIECE_COUNT;
    Randomizer randomizer;
    randomizer_init(&randomizer, (RandomizerKind)settings->randomizer, seed, 0);
    for (int i = 0; i < count; i++)
        request->pieces[i] = (uint8_t)randomizer_next(&randomizer);
    request->piece_count = count;
    return true;
}

static bool read_pieces(const CliContext *context, const SolveSettings *settings, uint64_t seed,
                        EvalRequest *request, Status *status) {
    bool drawn = cli_given(context, "n");
    if (drawn == (settings->pieces != NULL))
        return status_fail(status, STATUS_INPUT, "solve: give either --pieces or --n");
    if (!(drawn ? draw_pieces(settings, seed, request, status)
                : parse_pieces(settings->pieces, request, status)))
        return false;
    if (request->piece_count == 0)
        return status_fail(status, STATUS_INPUT, "--pieces: there are none");
    int64_t placements = drawn ? settings->count : request->piece_count;
    if (cli_given(context, "placements"))
        placements = settings->placements;
    if (placements > request->piece_count || placements > GENOTYPE_MAX_PIECES)
        return status_fail(status, STATUS_INPUT, "--placements: %d of %d pieces, and at most %d",
                           (int)placements, request->piece_count, GENOTYPE_MAX_PIECES);
    request->placements = (int)placements;
    return true;
}

static bool read_algorithm(const SolveSettings *settings, SolveWork *work, Status *status) {
    const Optimiser *optimiser = optim_find(settings->algorithm);
    if (!optimiser)
        return status_fail(status, STATUS_INPUT, "--algorithm: '%s' is unknown (see solve --list)",
                           settings->algorithm);
    parameters_init(&work->parameters, optimiser->name, optimiser->parameters);
    work->task.optimiser = optimiser;
    work->task.parameters = work->parameters.values;
    return parameters_set_list(&work->parameters, &settings->parameters, status);
}

static bool read_target(const SolveSettings *settings, SolveTask *task, Status *status) {
    if (!settings->target)
        return true;
    task->has_target = true;
    if (!options_read_real(settings->target, &task->target))
        return status_fail(status, STATUS_INPUT, "--target: '%s' is not a number",
                           settings->target);
    return true;
}

/* The genes of a saved document, for the same encoding, width and number of placements. */
static bool read_start(const SolveSettings *settings, SolveWork *work, Status *status) {
    if (!settings->start)
        return true;
    if (work->request.encoding == ENCODING_PLACEMENTS)
        return status_fail(status, STATUS_INPUT, "--start: the encoding placements has no genes");
    size_t length;
    char *text = file_read(settings->start, START_FILE_LIMIT, &length, status);
    json_t *document = text ? json_parse(text, length, status) : NULL;
    free(text);
    bool ok = document && eval_genes_read(&work->request, document, status);
    json_decref(document);
    if (!ok)
        return text ? status_prefix(status, "%s", settings->start) : false;
    memcpy(work->start, work->request.genes, sizeof work->start);
    work->task.start = work->start;
    return true;
}

static bool read_profile(const CliContext *context, const SolveSettings *settings, SolveTask *task,
                         Status *status) {
    task->profile = fitness_profiles[settings->profile];
    if (!settings->weights)
        return true;
    if (cli_given(context, "profile"))
        return status_fail(status, STATUS_INPUT, "--weights: does not go with --profile");
    Evaluator evaluator;
    if (!weights_find(settings->weights, &offline_kind, &evaluator, status))
        return status_prefix(status, "--weights");
    if (evaluator.kind != &offline_kind)
        return status_fail(status, STATUS_INPUT, "--weights: those of '%s' are no profile",
                           evaluator.kind->name);
    task->profile = offline_profile(evaluator.weights);
    return true;
}

static bool prepare(CliContext *context, const SolveSettings *settings, SolveWork *work,
                    Status *status) {
    SolveTask *task = &work->task;
    EvalRequest *request = &work->request;
    task->request = request;
    task->seed = cli_seed(context, settings->seed);
    if (work->ranks.count > 1)
        task->seed = (uint64_t)ranks_from_first(&work->ranks, (int64_t)task->seed);
    uint64_t piece_seed =
        cli_given(context, "piece-seed") ? (uint64_t)settings->piece_seed : task->seed;
    request->encoding = (Encoding)settings->encoding;
    task->hold = settings->hold == 1;
    if (cli_given(context, "hold") && request->encoding != ENCODING_PLACEMENTS)
        return status_fail(status, STATUS_INPUT,
                           "--hold: goes with --encoding placements; the "
                           "others have a swap gene or not");
    if (!read_profile(context, settings, task, status))
        return false;
    task->threads = cli_given(context, "threads") ? (unsigned)settings->threads : pool_processors();
    task->evaluations = (uint64_t)settings->evaluations;
    task->seconds = settings->seconds;
    task->stop = stop_flag();
    return cli_board_read(&settings->board, &request->grid, status) &&
           read_algorithm(settings, work, status) && read_target(settings, task, status) &&
           read_pieces(context, settings, piece_seed, request, status) &&
           read_start(settings, work, status);
}

static bool show(CliContext *context, const SolveSettings *settings, SolveWork *work,
                 Status *status) {
    if (settings->common.json)
        return cli_print_json(solve_answer_json(&work->task, &work->answer, !settings->no_times),
                              status);
    bool color = cli_use_color(&settings->common, STDOUT_FILENO);
    if (settings->animate)
        solve_animate(&work->task, &work->answer, color);
    Text text;
    text_init(&text);
    solve_describe(&work->task, &work->answer, color, &text);
    if (!cli_given(context, "seed") && !settings->common.quiet)
        fprintf(stderr, "seed %llu\n", (unsigned long long)work->task.seed);
    return cli_print_text(&text, status);
}

static bool save(const SolveSettings *settings, const SolveWork *work, Status *status) {
    SolveFiles files = {settings->save, settings->svg, settings->png, settings->log};
    return solve_save(&work->task, &work->answer, &files, &work->progress.log, status);
}

/* Whether this process and all other islands can go on. */
static bool go_on(const SolveWork *work, bool ok, Status *status) {
    return work->ranks.count > 1 ? ranks_agree(&work->ranks, ok, status) : ok;
}

/* The search with its progress; the first of several islands alone shows and writes. */
static StatusCode run_prepared(CliContext *context, const SolveSettings *settings, SolveWork *work,
                               Status *status) {
    bool first = work->ranks.index == 0;
    SolveWatch *watch = NULL;
    if (first && settings->watch)
        watch = solve_watch_begin(&work->task, &work->progress,
                                  cli_use_color(&settings->common, STDOUT_FILENO), status);
    if (!go_on(work, !first || !settings->watch || watch, status)) {
        solve_watch_end(watch);
        return status->code;
    }
    bool ok = solve_run(&work->task, &work->answer, status);
    solve_watch_end(watch);
    progress_end(&work->progress);
    ok = ok && (!first || (show(context, settings, work, status) && save(settings, work, status)));
    if (!ok)
        return status->code;
    if (work->answer.end == OPTIM_STOPPED)
        return STATUS_INTERRUPTED;
    bool missed = work->task.has_target && work->answer.result.fitness < work->task.target;
    return missed ? STATUS_UNMET : STATUS_OK;
}

static StatusCode run_with(CliContext *context, const SolveSettings *settings, SolveWork *work,
                           Status *status) {
    bool first = work->ranks.index == 0;
    if (!go_on(work, !first || cli_files_check(context, settings, NULL, 0, status), status))
        return status->code;
    bool ok = prepare(context, settings, work, status);
    if (settings->islands) {
        work->exchange = ring_exchange(&work->ranks);
        work->task.exchange = &work->exchange;
    }
    if (!go_on(work, ok && solve_check(&work->task, status), status))
        return status->code;
    CliCommon common = settings->common;
    common.quiet |= work->ranks.index > 0;
    uint64_t islands = work->ranks.count > 1 ? (uint64_t)work->ranks.count : 1;
    progress_init(&work->progress, &common, work->task.seconds, work->task.evaluations / islands,
                  settings->log != NULL);
    work->task.report = progress_report;
    work->task.report_context = &work->progress;
    StatusCode code = run_prepared(context, settings, work, status);
    progress_release(&work->progress);
    return code;
}

/* Among several islands the first says how it ended: mpirun would end the job, and what the first
 * still has to print, as soon as another one fails. */
static StatusCode run_islands(CliContext *context, const SolveSettings *settings, SolveWork *work,
                              Status *status) {
    if (!ranks_begin(&work->ranks, status))
        return work->ranks.index > 0 ? STATUS_OK : status->code;
    StatusCode code = run_with(context, settings, work, status);
    ranks_end(&work->ranks);
    return work->ranks.index > 0 ? STATUS_OK : code;
}

static StatusCode run_solve(CliContext *context, const void *given, Status *status) {
    const SolveSettings *settings = given;
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    if (settings->list)
        return list_algorithms(status) ? STATUS_OK : status->code;
    if (!settings->islands && !cli_one_process("solve without --islands", status))
        return status->code;
    SolveWork *work = calloc(1, sizeof *work);
    if (!work) {
        status_no_memory(status);
        return status->code;
    }
    StatusCode code = settings->islands ? run_islands(context, settings, work, status)
                                        : run_with(context, settings, work, status);
    parameters_release(&work->parameters);
    free(work);
    return code;
}

/* ---- from a grid */

static void report_to_job(void *context, const Progress *progress) {
    const CliJob *job = context;
    job->report(job->context, progress->done, progress->best, progress->current,
                progress->temperature);
}

static bool job_with(CliContext *context, const SolveSettings *settings, SolveWork *work,
                     CliJob *job, Status *status) {
    if (!prepare(context, settings, work, status) || !solve_check(&work->task, status))
        return false;
    if (job->check_only)
        return true;
    work->task.stop = job->stop;
    work->task.report = report_to_job;
    work->task.report_context = job;
    if (!solve_run(&work->task, &work->answer, status))
        return false;
    job->document = solve_answer_json(&work->task, &work->answer, false);
    job->full = solve_answer_json(&work->task, &work->answer, true);
    return (job->document && job->full) || status_no_memory(status);
}

static bool job_solve(CliContext *context, const void *settings, CliJob *job, Status *status) {
    SolveWork *work = calloc(1, sizeof *work);
    if (!work)
        return status_no_memory(status);
    bool ok = job_with(context, settings, work, job, status);
    parameters_release(&work->parameters);
    free(work);
    return ok;
}

const Command cmd_solve = {
    .name = "solve",
    .arguments = "(--pieces LETTERS | --n N) [OPTIONS]",
    .summary = "find the key presses that leave the fewest blocks",
    .description =
        "Places a known list of pieces so that the final board holds as little as possible. "
        "Without --algorithm it searches for an empty board, then runs beams, then a genetic "
        "algorithm with annealing from the best so far, until --time or --evaluations is used up "
        "or it stops getting better. The answer is a genotype of the encoding that was asked for, "
        "or, with "
        "--encoding placements, any reachable placements. The same seed and --evaluations give the "
        "same answer on any number of threads. Under mpirun, --islands makes every process an "
        "island of ga; the answer is then the same for the same number of processes.",
    .examples =
        "  tetropt solve --n 20 --seed 7 --time 1\n"
        "  tetropt solve --pieces TOZLIJSTOZ --encoding placements --hold off\n"
        "  tetropt solve --n 10 --algorithm ga --param population=2000 --evaluations 200000 "
        "--seed 1 --json\n",
    .unmet = "the fitness of --target was not reached; the best was printed",
    .interrupted = "interrupted, after the best so far was printed and saved",
    .options = CLI_TABLE(solve_rows),
    .settings_bytes = sizeof(SolveSettings),
    .run = run_solve,
    .job = job_solve,
    .takes_ranks = true,
    .not_in_grids = "list|islands|animate|watch|no-times|save|svg|png|log",
};
