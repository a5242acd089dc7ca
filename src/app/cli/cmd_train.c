/*
 * train: the command line of job/train: progress, boards, and the files of a training.
 *
 * After every generation the log and then the state are written. A state therefore never lacks its
 * line in the log, and resuming it removes the lines of generations that it does not know: a kill
 * always leaves a training that can be resumed exactly. Under mpirun all ranks agree after every
 * step, and only the first writes.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/units.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/train_watch.h"
#include "draw/drawing.h"
#include "draw/train_plot.h"
#include "io/train_log.h"
#include "job/train.h"
#include "system/file.h"
#include "system/ranks.h"
#include "system/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct TrainSettings {
    CliCommon common;
    const char *out, *state, *log, *plot;
    bool list, watch;
} TrainSettings;

static const Option train_rows[] = {
    OPTION_ROW(TrainSettings, TEXT, out, "out", .argument = "FILE", .file = OPTION_WRITES,
               .help = "write the weights there, for --weights (a new file trained-N.json; with "
                       "--json none)"),
    OPTION_ROW(TrainSettings, TEXT, state, "state", .argument = "FILE", .file = OPTION_CONTINUES,
               .help = "save the training there after every generation (OUT.state)"),
    OPTION_ROW(TrainSettings, TEXT, log, "log", .argument = "FILE", .file = OPTION_WRITES,
               .help = "write a line of JSON for every generation"),
    OPTION_ROW(
        TrainSettings, TEXT, plot, "plot", .argument = "FILE", .file = OPTION_WRITES,
        .help =
            "draw score, pieces allowed, points per piece and weights over the generations (.svg, "
            ".png, .pdf); "
            "after a --resume all of them, where there is a --log"),
    OPTION_ROW(TrainSettings, FLAG, watch, "watch",
               .help = "show the boards of the candidates while they play (on a terminal)"),
    OPTION_ROW(TrainSettings, FLAG, list, "list",
               .help = "list the methods with their parameters, and the presets"),
    OPTIONS_INCLUDE(TrainSettings, common, cli_common_options),
};

typedef struct TrainWork {
    CliContext *context;
    const TrainSettings *settings;
    TrainRun *run;
    Exchange ranks;
    ProgressLine progress;
    TrainWatch *watch;     /* NULL: no boards are shown */
    char state_path[4096]; /* "": none */
    TrainRow *history;     /* for the plot */
    size_t history_count, history_capacity;
    bool history_failed; /* memory */
} TrainWork;

/* ---- progress */

/* Of the generations of this run, `share` of the present one done, or of its time. */
static double share_done(const TrainWork *work, double share) {
    const TrainQuestion *asked = work->run->asked;
    double done = (double)(trainer_generation(work->run->trainer) - work->run->first) + share;
    return progress_share(&work->progress, done / (double)(asked->generations - work->run->first),
                          asked->seconds);
}

static void on_trials(void *context, const Progress *state) {
    TrainWork *work = context;
    const TrainRun *run = work->run;
    if (!work->watch && !progress_due(&work->progress))
        return;
    double spent = clock_seconds_since(work->progress.start_ns);
    double all = (double)(trainer_pieces(run->trainer) - run->pieces_before) + (double)state->done;
    double share = state->total > 0 ? (double)state->done / (double)state->total : 0;
    char line[PROGRESS_BYTES], what[160], scores[80] = "";
    if (run->row.generation > 0)
        snprintf(scores, sizeof scores, ", best %.6g, mean %.6g", run->row.best, run->row.mean);
    snprintf(what, sizeof what, "generation %lld of %lld%s, %s",
             (long long)trainer_generation(run->trainer) + 1, (long long)run->asked->generations,
             scores, units_rate(all / spent).text);
    share = share_done(work, share);
    progress_format(&work->progress, share, progress_left(&work->progress, share), what, line);
    if (work->watch)
        train_watch_say(work->watch, line);
    else
        progress_show_line(&work->progress, line);
}

/* ---- files */

static bool save_state(TrainWork *work, Status *status) {
    if (!work->state_path[0])
        return true;
    TrainExtra extras[] = {
        {"out", work->settings->out}, {"log", work->settings->log}, {"plot", work->settings->plot}};
    Text text = {0};
    bool ok = train_write_state(work->run, extras, 3, &text)
                  ? file_replace(work->state_path, text.data, text.length, status)
                  : status_no_memory(status);
    text_release(&text);
    return ok;
}

static TrainLog log_of(const TrainWork *work) {
    const TrainRun *run = work->run;
    return (TrainLog){work->settings->log, run->identity.id, train_names(run), run->task.weights};
}

/* Remembers a row for the plot; a TrainLogVisit. */
static void remember(void *context, const TrainRow *row) {
    TrainWork *work = context;
    if (!work->settings->plot || work->history_failed)
        return;
    work->history_failed =
        !MEMORY_HAS_PLACE(work->history, work->history_count, work->history_capacity);
    if (!work->history_failed)
        work->history[work->history_count++] = *row;
}

/* A TrainHooks.generation. */
static bool on_generation(void *context, double seconds, Status *status) {
    TrainWork *work = context;
    TrainLog log = log_of(work);
    remember(work, &work->run->row);
    return work->ranks.index > 0 ||
           ((!log.path || train_log_append(&log, &work->run->row, seconds, status)) &&
            save_state(work, status));
}

static bool save_plot(const TrainWork *work, Status *status) {
    const TrainRun *run = work->run;
    const char *path = work->settings->plot, *profile = run->asked->profile;
    if (path && work->history_failed)
        return status_no_memory(status);
    if (!path || work->history_count == 0)
        return true;
    char title[160];
    snprintf(title, sizeof title, "%s, %s %s, %dx%d, seed %" PRIu64, run->task.method->name,
             profile ? "profile" : "agent", profile ? profile : run->asked->agent,
             (int)run->asked->play.width, (int)run->asked->play.height, run->task.seed);
    uint64_t trained = 0;
    for (int i = 0; i < run->task.space.count; i++)
        trained |= (uint64_t)1 << run->task.trained[i];
    TrainPlot plot = {.title = title,
                      .measure = run->objective.measure,
                      .rows = work->history,
                      .count = work->history_count,
                      .names = train_names(run),
                      .weights = run->task.weights,
                      .hidden = ~trained};
    return train_plot_write(&plot, path, status);
}

/* Output files that the resumed training had and that were not given now. */
static bool take_extras(TrainWork *work, Status *status) {
    static const char *const names[] = {"out", "log", "plot"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = train_resumed_setting(work->run, names[i]);
        if (value && !cli_given(work->context, names[i]) &&
            !cli_set(work->context, names[i], value, status))
            return false;
    }
    return true;
}

/* Without --out: the first free name, so that no training is lost. */
static bool choose_out(TrainWork *work, Status *status) {
    if (work->settings->out || work->settings->common.json)
        return true;
    for (int number = 1;; number++) {
        char name[32], state[48];
        bool taken, state_taken;
        snprintf(name, sizeof name, "trained-%d.json", number);
        snprintf(state, sizeof state, "%s.state", name);
        if (!file_exists(name, &taken, status) || !file_exists(state, &state_taken, status))
            return false;
        if (!taken && !state_taken)
            return cli_set(work->context, "out", name, status);
    }
}

/* Where the state is kept: --state, the file resumed, or OUT.state. A training that is there
 * already is not overwritten: it may be days of work. */
static bool find_state_path(TrainWork *work, Status *status) {
    const TrainSettings *settings = work->settings;
    const char *resumed = question_name(work->context->question, "resume");
    const char *base = settings->state ? settings->state : resumed;
    int length = 0;
    if (base)
        length = snprintf(work->state_path, sizeof work->state_path, "%s", base);
    else if (settings->out)
        length = snprintf(work->state_path, sizeof work->state_path, "%s.state", settings->out);
    if (length >= (int)sizeof work->state_path)
        return status_option(status, "state", "the path is too long");
    bool exists = false;
    if (!resumed && length > 0 && !file_exists(work->state_path, &exists, status))
        return false;
    return !exists ||
           status_fail(status, STATUS_INPUT,
                       "%s: holds a training already; --resume it or remove it", work->state_path);
}

static bool check_plot(const TrainWork *work, Status *status) {
    const char *path = work->settings->plot;
    int format = path ? drawing_format_of(path, status) : 0;
    return !path || (format >= 0 && drawing_available((DrawingFormat)format, status)) ||
           status_prefix_option(status, "plot");
}

/* The files as they are before the first generation of this run; also shows that they can be
 * written, before hours were spent. */
static bool open_files(TrainWork *work, Status *status) {
    TrainLog log = log_of(work);
    const char *path = log.path;
    int64_t first = work->run->first;
    CliFile state = {"the state", work->state_path, OPTION_CONTINUES};
    bool ok = true, exists = false, has_state = work->state_path[0];
    if (!cli_files_check(work->context, &state, has_state, status) ||
        (has_state && !file_check_writable(work->state_path, status)))
        return false;
    if (path && !file_exists(path, &exists, status))
        return false;
    if (path && first > 0 && !exists)
        return status_fail(status, STATUS_INPUT,
                           "%s: missing, but %lld generation%s should be in it (go to the "
                           "directory of the training, or give --log)",
                           path, (long long)first, cli_plural(first));
    if (path && work->run->resumed)
        ok = train_log_cut(&log, first, remember, work, status);
    else if (path)
        ok = file_replace(path, "", 0, status);
    return ok && (work->run->resumed || save_state(work, status));
}

/* ---- running and showing */

static void show_score(const char *name, const TrialSummary *summary) {
    printf("  %-20s ", name);
    if (isnan(summary->mean))
        printf("no game ended; with 95 %% probability more than %.6g\n", summary->low);
    else if (isnan(summary->low))
        printf("%.6g, too few games for an interval\n", summary->mean);
    else if (isinf(summary->high))
        printf("%.6g (from %.6g on)\n", summary->mean, summary->low);
    else
        printf("%.6g (%.6g to %.6g)\n", summary->mean, summary->low, summary->high);
}

static void show_text(const TrainRun *run) {
    double weights[TRAIN_MAX_WEIGHTS];
    trainer_best(run->trainer, weights);
    int64_t generations = trainer_generation(run->trainer), games = trainer_games(run->trainer);
    int64_t pieces = trainer_pieces(run->trainer);
    printf("%s, %lld generation%s, %lld game%s, %s piece%s, seed %llu\n", run->task.method->name,
           (long long)generations, cli_plural(generations), (long long)games, cli_plural(games),
           units_count((double)pieces).text, cli_plural(pieces),
           (unsigned long long)run->task.seed);
    for (int i = 0; i < run->task.weights; i++)
        printf("  %-20s %g%s\n", train_names(run)[i], weights[i],
               trainer_dropped(run->trainer) >> i & 1 ? "  (dropped)" : "");
    if (!run->has_held_out) {
        printf("not scored on held-out seeds\n");
        return;
    }
    printf("\n%s on %lld held-out game%s (95 %% interval)\n", run->objective.measure,
           (long long)run->held_out.games, cli_plural(run->held_out.games));
    show_score(generations > 0 ? "trained" : "start", &run->held_out.summary);
    if (run->at_start.scored)
        show_score("start", &run->at_start.held_out.summary);
    if (run->reference.scored)
        show_score(run->asked->profile ? run->asked->profile : run->player.weights,
                   &run->reference.held_out.summary);
}

static bool show(const TrainWork *work, Status *status) {
    const TrainSettings *settings = work->settings;
    Text document = {0};
    job_write(&train_job, work->run, true, &document);
    text_add_char(&document, '\n');
    bool ok = document.failed ? status_no_memory(status)
                              : (!settings->out || file_replace(settings->out, document.data,
                                                                document.length, status)) &&
                                    save_plot(work, status);
    if (ok && settings->common.json)
        return cli_print_text(&document, status);
    text_release(&document);
    if (!ok)
        return false;
    show_text(work->run);
    if (settings->out)
        printf("\nweights: %s\n", settings->out);
    if (work->run->has_held_out && work->state_path[0] && !settings->common.quiet)
        fprintf(stderr, "continue: tetropt train --resume %s --generations %lld\n",
                work->state_path, 2 * (long long)trainer_generation(work->run->trainer));
    return true;
}

static bool begin_watch(TrainWork *work, Status *status) {
    const TrainQuestion *asked = work->run->asked;
    if (!work->settings->watch)
        return true;
    bool splits = asked->measure == GAMES_SPLITTING;
    if (asked->profile || splits || work->run->duels.player)
        return status_option(status, "watch", "%s plays no complete games to watch",
                             asked->profile ? "profile"
                             : splits       ? "measure splitting"
                                            : "a training by matches");
    if (work->ranks.count > 1)
        return status_option(status, "watch", "cannot be combined with mpirun");
    work->watch = train_watch_begin(&work->run->games,
                                    cli_use_color(&work->settings->common, STDOUT_FILENO), status);
    return work->watch;
}

/* Without a seed all ranks take the one that the first draws. */
static bool share_seed(TrainWork *work, Status *status) {
    if (work->ranks.count == 1 || cli_given(work->context, "resume") ||
        cli_given(work->context, "seed"))
        return true;
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRId64,
             exchange_from_first(&work->ranks, (int64_t)rng_entropy()));
    return cli_set(work->context, "seed", seed, status);
}

static bool begin(TrainWork *work, Status *status) {
    if (!share_seed(work, status) || !(work->run = cli_prepare(work->context, status)))
        return false;
    work->run->task.ranks = &work->ranks;
    work->run->hooks = (TrainHooks){on_generation, on_trials, work};
    return take_extras(work, status) && choose_out(work, status) && check_plot(work, status) &&
           find_state_path(work, status) && begin_watch(work, status);
}

static StatusCode run_all(TrainWork *work, Status *status) {
    bool first = work->ranks.index == 0;
    bool ok = exchange_agree(&work->ranks, begin(work, status), status) &&
              exchange_agree(&work->ranks, !first || open_files(work, status), status);
    if (ok) {
        CliCommon common = work->settings->common;
        common.quiet |= !first;
        progress_init(&work->progress, &common, 0, 0, false);
        ProgressWatch watch = {.stop = stop_flag()};
        ok = train_job.run(work->run, &watch, status);
    }
    train_watch_end(work->watch);
    progress_end(&work->progress);
    progress_release(&work->progress);
    if (!ok || (first && !show(work, status)))
        return status->code;
    if (!work->run->stopped)
        return STATUS_OK;
    if (first && work->state_path[0])
        cli_interrupted(work->context, "tetropt train --resume %s", work->state_path);
    else if (first)
        cli_interrupted(work->context, NULL);
    return STATUS_INTERRUPTED;
}

static StatusCode run_train(CliContext *context, const void *settings, Status *status) {
    TrainWork work = {.context = context, .settings = settings};
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    if (work.settings->list)
        return cli_print_list(context, train_list, status);
    if (!ranks_begin(&work.ranks, status))
        return status->code;
    StatusCode code = run_all(&work, status);
    ranks_end();
    if (work.run)
        train_job.free_run(work.run);
    free(work.history);
    return code;
}

const Command cmd_train = {
    .name = "train",
    .arguments = "[--preset NAME] [OPTIONS] | --resume FILE",
    .summary = "find the weights of an agent",
    .description =
        "Trains the weights of any agent that uses weights, by games on all threads. All "
        "candidates of a generation play the same seeds, every generation has new ones, and the "
        "winner is scored on seeds that training never used. The state is saved after every "
        "generation; --resume continues exactly, also after a kill.",
    .examples =
        "  tetropt train --list\n"
        "  tetropt train --agent dt20 --height 10 --generations 5 --games 2 --max-pieces 2000 "
        "--seed 1 --out dt.json\n"
        "  tetropt train --preset controller --time 60 --out c.json --log c.jsonl --plot c.svg  # "
        "takes a minute\n",
    .interrupted =
        "interrupted, after weights and state of the last complete generation were written (with "
        "--json printed)",
    .options = OPTIONS_TABLE(train_rows),
    .settings_bytes = sizeof(TrainSettings),
    .run = run_train,
    .question = &train_job,
    .takes_ranks = true,
};
