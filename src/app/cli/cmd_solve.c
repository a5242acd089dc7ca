/*
 * solve: the command line of job/solve: progress, the answer for people, files, islands.
 *
 * Everything that was given is checked before the search begins, also the files to be written.
 * Under mpirun all islands go through the same steps and agree after each (all_ok); only the first
 * one prints and writes.
 */
#include "base/rng.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/profile_files.h"
#include "cli/progress.h"
#include "cli/solve_show.h"
#include "cli/solve_watch.h"
#include "job/solve.h"
#include "system/ranks.h"
#include "system/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct SolveSettings {
    CliCommon common;
    const char *save, *svg, *png, *log;
    bool list, islands, animate, watch, verbose, no_times;
    int log_format; /* LogFormat */
} SolveSettings;

typedef enum LogFormat { LOG_JSONL, LOG_IOH } LogFormat;

static const Option solve_rows[] = {
    OPTION_ROW(SolveSettings, FLAG, list, "list",
               .help = "list the algorithms with their parameters, and the presets"),
    OPTION_ROW(
        SolveSettings, FLAG, islands, "islands",
        .help = "ga: every process of mpirun is an island with its own population; they exchange "
                "their best along a ring"),
    OPTION_ROW(SolveSettings, TEXT, save, "save", .argument = "FILE", .file = OPTION_WRITES,
               .help = "save a replay"),
    OPTION_ROW(SolveSettings, TEXT, svg, "svg", .argument = "FILE", .file = OPTION_WRITES,
               .help = "draw the board after every placement"),
    OPTION_ROW(SolveSettings, TEXT, png, "png", .argument = "FILE", .file = OPTION_WRITES,
               .help = "the same as PNG (needs cairo)"),
    OPTION_ROW(SolveSettings, TEXT, log, "log", .argument = "FILE", .file = OPTION_WRITES,
               .help = "write the evolution as JSON Lines"),
    OPTION_ROW(SolveSettings, CHOICE, log_format, "log-format", .fallback = "jsonl",
               .choices = "jsonl|ioh", .argument = "FORMAT",
               .help = "with ioh DIR: write the evolution into a directory, for IOHanalyzer"),
    OPTION_ROW(SolveSettings, FLAG, animate, "animate", .help = "play the answer in the terminal"),
    OPTION_ROW(SolveSettings, FLAG, watch, "watch",
               .help = "show the best boards so far while it searches (on a terminal)"),
    OPTION_ROW(SolveSettings, FLAG, verbose, "verbose",
               .help = "also print the terms of the fitness, and the boards of more than 50 "
                       "pieces"),
    OPTION_ROW(SolveSettings, FLAG, no_times, "no-times",
               .help = "leave out of the JSON what differs from run to run"),
    OPTIONS_INCLUDE(SolveSettings, common, cli_common_options),
};

typedef struct SolveWork {
    CliContext *context;
    const SolveSettings *settings;
    SolveRun *run;
    ProgressLine progress;
    Exchange ranks; /* the islands; count 0: not asked for */
} SolveWork;

/* Whether this process and all other islands can continue. */
static bool all_ok(const SolveWork *work, bool ok, Status *status) {
    return exchange_agree(&work->ranks, ok, status);
}

static bool show(const SolveWork *work, Status *status) {
    const SolveSettings *settings = work->settings;
    Text text = {0};
    if (settings->common.json) {
        job_write(&solve_job, work->run, !settings->no_times, &text);
        text_add_char(&text, '\n');
        return cli_print_text(&text, status);
    }
    SolveShow how = {cli_columns(STDOUT_FILENO), cli_use_color(&settings->common, STDOUT_FILENO),
                     settings->verbose};
    if (settings->animate)
        solve_animate(&work->run->task, &work->run->answer, how.color);
    solve_describe(&work->run->task, &work->run->answer, &how, &text);
    if (!cli_given(work->context, "seed") && !settings->common.quiet)
        fprintf(stderr, "seed %" PRIu64 "\n", work->run->task.seed);
    return cli_print_text(&text, status);
}

/* The evolution for IOHanalyzer, where that was asked for. */
static bool save_profile(const SolveWork *work, Status *status) {
    if (work->settings->log_format != LOG_IOH)
        return true;
    const SolveRun *run = work->run;
    Arena arena = {0};
    ProfileRun profile = {.algorithm = run->task.optimiser->name,
                          .function = "pieces",
                          .dimension = run->request.placements,
                          .instance = 1,
                          .evaluations = run->answer.evaluations,
                          .best = run->answer.result.fitness,
                          .bound = run->answer.bound};
    if (run->instance.row)
        profile.function = profile_logs_family(run->instance.name, &profile.instance, &arena);
    bool ok = profile_files_points(&work->progress.log, &profile, &arena, status) &&
              profile_files_write(PROFILE_IOH, &profile, 1, work->context->words.items[0], &arena,
                                  status);
    arena_release(&arena);
    return ok;
}

/* The search with its progress; of several islands only the first shows and writes. */
static StatusCode run_prepared(SolveWork *work, Status *status) {
    const SolveSettings *settings = work->settings;
    const SolveTask *task = &work->run->task;
    bool first = work->ranks.index == 0;
    ProgressWatch report = {stop_flag(), progress_report, &work->progress};
    SolveWatch *watch = NULL;
    if (first && settings->watch)
        watch = solve_watch_begin(task, &work->progress, &report,
                                  cli_use_color(&settings->common, STDOUT_FILENO), status);
    bool ok = all_ok(work, !first || !settings->watch || watch, status) &&
              solve_job.run(work->run, &report, status);
    solve_watch_end(watch);
    progress_end(&work->progress);
    SolveFiles files = {settings->save, settings->svg, settings->png, settings->log};
    ok = ok &&
         (!first || (show(work, status) && save_profile(work, status) &&
                     solve_save(task, &work->run->answer, &files, &work->progress.log, status)));
    if (!ok)
        return status->code;
    if (work->run->answer.end == OPTIM_STOPPED) {
        bool resumable = settings->save && task->request->encoding != ENCODING_PLACEMENTS;
        if (first && resumable)
            cli_interrupted(work->context, "the same command with --start %s", settings->save);
        else if (first)
            cli_interrupted(work->context, NULL);
        return STATUS_INTERRUPTED;
    }
    bool missed = task->has_target && work->run->answer.result.fitness < task->target;
    return missed ? STATUS_UNMET : STATUS_OK;
}

/* Without a seed all islands take the one that the first draws. */
static bool share_seed(SolveWork *work, Status *status) {
    if (work->ranks.count <= 1 || cli_given(work->context, "seed"))
        return true;
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRId64,
             exchange_from_first(&work->ranks, (int64_t)rng_entropy()));
    return cli_set(work->context, "seed", seed, status);
}

static StatusCode run_with(SolveWork *work, Status *status) {
    const SolveSettings *settings = work->settings;
    bool first = work->ranks.index == 0;
    bool ok = all_ok(work, !first || cli_files_check(work->context, NULL, 0, status), status) &&
              all_ok(work, share_seed(work, status), status);
    if (ok)
        work->run = cli_prepare(work->context, status);
    if (work->run && settings->islands) {
        work->run->task.exchange = &work->ranks;
    }
    ok = ok && work->run && solve_check(&work->run->task, status) &&
         (!settings->save || solve_check_replay(&work->run->task, status));
    if (!all_ok(work, ok, status))
        return status->code;
    CliCommon common = settings->common;
    common.quiet |= work->ranks.index > 0;
    uint64_t islands = work->ranks.count > 1 ? (uint64_t)work->ranks.count : 1;
    const SolveTask *task = &work->run->task;
    progress_init(&work->progress, &common, task->seconds, task->evaluations / islands,
                  settings->log != NULL || settings->log_format == LOG_IOH);
    StatusCode code = run_prepared(work, status);
    progress_release(&work->progress);
    return code;
}

/* Among several islands the first says how it ended: mpirun would end the job, and what the first
 * still has to print, as soon as another one fails. */
static StatusCode run_islands(SolveWork *work, Status *status) {
    if (!ranks_begin(&work->ranks, status))
        return work->ranks.index > 0 ? STATUS_OK : status->code;
    StatusCode code = run_with(work, status);
    ranks_end();
    return work->ranks.index > 0 ? STATUS_OK : code;
}

static StatusCode run_solve(CliContext *context, const void *given, Status *status) {
    const SolveSettings *settings = given;
    bool profile = settings->log_format == LOG_IOH;
    if (!cli_words_at_most(context, profile ? 1 : 0, status))
        return status->code;
    if (profile && (context->words.count == 0 || settings->log)) {
        status_option(status, "log-format",
                      settings->log ? "ioh: cannot be combined with --log"
                                    : "ioh: requires a directory: --log-format ioh DIR");
        return status->code;
    }
    if (settings->list)
        return cli_print_list(context, solve_list_algorithms, status);
    if (!settings->islands && !cli_one_process("solve without --islands", status))
        return status->code;
    SolveWork work = {.context = context, .settings = settings};
    StatusCode code = settings->islands ? run_islands(&work, status) : run_with(&work, status);
    if (work.run)
        solve_job.free_run(work.run);
    return code;
}

const Command cmd_solve = {
    .name = "solve",
    .arguments = "(--instance NAME | --pieces LETTERS | --n N) [OPTIONS]",
    .summary = "find the key presses that leave the fewest blocks",
    .description =
        "Places a known piece sequence so that as few blocks as possible are left. By default it "
        "runs beams and a search for perfect clears, then a genetic algorithm from the best so "
        "far, until --time or --evaluations is used up (5,000,000 evaluations without both) or a "
        "proof is found. The answer is a genotype of the encoding, or, with --encoding "
        "placements, any reachable placements. The same seed and --evaluations give the "
        "same answer on any number of threads. Under mpirun, --islands makes every process an "
        "island of ga; the answer is then the same for the same number of processes.",
    .examples =
        "  tetropt solve --n 20 --seed 7 --time 1\n"
        "  tetropt solve --instance bag-10-001 --seed 1\n"
        "  tetropt solve --pieces TOZLIJSTOZ --encoding placements --hold off\n"
        "  tetropt solve --n 10 --algorithm ga --param population=2000 --evaluations 200000 "
        "--seed 1 --json\n",
    .unmet = "the fitness of --target was not reached; the best was printed",
    .interrupted = "interrupted, after the best so far was printed and saved where asked",
    .options = OPTIONS_TABLE(solve_rows),
    .settings_bytes = sizeof(SolveSettings),
    .question = &solve_job,
    .run = run_solve,
    .takes_ranks = true,
};
