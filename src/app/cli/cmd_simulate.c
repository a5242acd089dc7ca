/*
 * simulate: the command line of job/simulate: progress, tables, and the best game as a replay.
 */
#include "base/clock.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "formats/replay.h"
#include "job/simulate.h"
#include "system/file.h"
#include "system/stop.h"
#include "term/simulate_view.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

typedef struct SimulateSettings {
    CliCommon common;
    const char *keep_best;
    bool no_times;
} SimulateSettings;

static const Option simulate_rows[] = {
    OPTION_ROW(SimulateSettings, TEXT, keep_best, "keep-best", .argument = "FILE",
               .file = OPTION_WRITES, .help = "save the best game as a replay"),
    OPTION_ROW(SimulateSettings, FLAG, no_times, "no-times",
               .help = "leave out of the JSON what differs from run to run"),
    OPTIONS_INCLUDE(SimulateSettings, common, cli_common_options),
};

/* What a replay cannot hold is rejected before hours of games, not after them. */
static bool check_keep_best(const CliContext *context, const SimulateRun *run, Status *status) {
    static const char *const others[] = {"total-pieces", "protocol"};
    if (!cli_given(context, "keep-best"))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_given(context, others[i]))
            return status_option(status, "keep-best", "cannot be combined with %s", others[i]);
    if (run->count > 1)
        return status_option(status, "keep-best", "requires a single agent");
    const SimulateTask *task = &run->entrants[0].task;
    if (task->max_pieces > REPLAY_MAX_MOVES)
        return status_option(status, "keep-best", "requires max-pieces 1..%d", REPLAY_MAX_MOVES);
    return !task->agent->cannot_record ||
           !task->agent->cannot_record(task->parameters, task->max_pieces, status);
}

typedef struct Reporter {
    ProgressLine line;
    const SimulateRun *run;
} Reporter;

static void on_progress(void *context, const Progress *state) {
    Reporter *reporter = context;
    if (!progress_due(&reporter->line))
        return;
    const SimulateRun *run = reporter->run;
    double spent = clock_seconds_since(reporter->line.start_ns);
    double share = (double)state->generation / (double)run->entrants[run->started].task.games;
    if (state->total > 0)
        share = fmax(share, (double)state->done / (double)state->total);
    share = (run->started + fmin(share, 1)) / run->count;
    char what[120];
    snprintf(what, sizeof what, "%llu game%s, %s pieces, %s", (unsigned long long)state->generation,
             cli_plural((int64_t)state->generation), units_count((double)state->done).text,
             units_rate((double)state->done / spent).text);
    progress_show(&reporter->line, progress_share(&reporter->line, share, run->seconds), what);
}

static bool play(const SimulateSettings *settings, SimulateRun *run, Status *status) {
    Reporter reporter = {.run = run};
    progress_init(&reporter.line, &settings->common, 0, 0, false);
    ProgressWatch watch = {stop_flag(), on_progress, &reporter};
    bool ok = simulate_job.run(run, &watch, status);
    progress_end(&reporter.line);
    progress_release(&reporter.line);
    return ok;
}

static bool show(const CliContext *context, const SimulateSettings *settings,
                 const SimulateRun *run, Status *status) {
    Text text = {0};
    if (settings->common.json) {
        job_write(&simulate_job, run, !settings->no_times, &text);
        return cli_print_line(&text, status);
    }
    if (!cli_given(context, "seed") && !settings->common.quiet)
        fprintf(stderr, "seed %llu\n", (unsigned long long)run->seed);
    if (run->limited && !settings->common.quiet)
        fprintf(stderr, "a slow agent: %lld pieces per game; --max-pieces changes that\n",
                (long long)run->entrants[0].task.max_pieces);
    int width = cli_columns(STDOUT_FILENO);
    if (simulate_is_comparison(run)) {
        SimulateEntrantView entrants[SIMULATE_MAX_ENTRANTS];
        for (int i = 0; i < run->count; i++)
            entrants[i] = (SimulateEntrantView){run->entrants[i].label, &run->entrants[i].result};
        simulate_view_all(entrants, run->count, width, &text);
    } else
        simulate_view_one(&run->entrants[0].task, &run->entrants[0].result, width, &text);
    return cli_print_text(&text, status);
}

static bool keep_best(const SimulateSettings *settings, SimulateRun *run, Status *status) {
    const SimulateResult *result = &run->entrants[0].result;
    /* A signal can come before the first game has ended. Other programs do not play after it. */
    bool none = result->count == 0 || !result->games[simulate_best(result)].complete ||
                (run->entrants[0].task.agent->abilities & AGENT_OUTSIDE);
    if (!settings->keep_best || (none && atomic_load(stop_flag())))
        return true;
    Text text = {0};
    bool ok = simulate_best_replay(run, &text, status)
                  ? file_replace(settings->keep_best, text.data, text.length, status)
                  : status_prefix(status, "--keep-best");
    text_release(&text);
    return ok;
}

/* Games are numbered by seed, so the games from the first missing one on can be played by another
 * command. */
static void say_rest(const CliContext *context, const SimulateRun *run) {
    const SimulateTask *task = &run->entrants[0].task;
    const SimulateResult *result = &run->entrants[0].result;
    int64_t count = 0;
    while (count < result->count && result->games[count].complete &&
           result->games[count].seed == run->seed + (uint64_t)count)
        count++;
    if (run->count == 1 && task->total_pieces == 0 && !task->same_pieces && count < task->games)
        cli_interrupted(context, "the same command with --seed %llu --games %lld",
                        (unsigned long long)run->seed + (unsigned long long)count,
                        (long long)(task->games - count));
    else
        cli_interrupted(context, NULL);
}

static StatusCode run_simulate(CliContext *context, const void *given, Status *status) {
    const SimulateSettings *settings = given;
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    if (simulate_wants_list(context->question))
        return cli_print_list(context, simulate_list_agents, status);
    SimulateRun *run = cli_prepare(context, status);
    if (!run)
        return status->code;
    bool ok = check_keep_best(context, run, status) && play(settings, run, status) &&
              show(context, settings, run, status) && keep_best(settings, run, status);
    bool stopped = ok && atomic_load(stop_flag());
    if (stopped)
        say_rest(context, run);
    simulate_job.free_run(run);
    return !ok ? status->code : stopped ? STATUS_INTERRUPTED : STATUS_OK;
}

const Command cmd_simulate = {
    .name = "simulate",
    .arguments = "[--agent NAME]... [OPTIONS]",
    .summary = "let agents play games, and measure them",
    .description =
        "Plays games on all threads and prints for every measure the mean, standard deviation, "
        "95 % interval, median, minimum and maximum. Game number i of --seed S has the seed S+i: "
        "every agent gets the same pieces, a single game can be repeated by its own seed, and the "
        "result does not depend on the number of threads. --list without a value lists the agents "
        "with their parameters and the named sets of weights.",
    .examples =
        "  tetropt simulate --list\n"
        "  tetropt simulate --agent bcts --rules drop --height 14 --total-pieces 2000000\n"
        "  tetropt simulate --protocol local-search --agent hill --weights tetris-blind --seed 1\n",
    .interrupted = "interrupted, after the completed games were printed",
    .options = OPTIONS_TABLE(simulate_rows),
    .settings_bytes = sizeof(SimulateSettings),
    .question = &simulate_job,
    .run = run_simulate,
};
