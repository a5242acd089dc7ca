/*
 * train: finds the weights of an agent, or the factors of an offline profile.
 *
 * After every generation the log and then the state are written. A state therefore never lacks its
 * line in the log, and one that is resumed cuts off the lines of generations it does not know: what
 * a kill leaves behind is always a training that goes on bit for bit. Under mpirun all ranks agree
 * after every step, and the first alone writes.
 */
#include "base/clock.h"
#include "base/parameter.h"
#include "base/rng.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/train_presets.h"
#include "cli/train_setup.h"
#include "cli/train_watch.h"
#include "draw/drawing.h"
#include "draw/train_plot.h"
#include "io/train_document.h"
#include "io/train_log.h"
#include "io/train_state.h"
#include "io/weights_document.h"
#include "system/file.h"
#include "system/ranks.h"
#include "system/stop.h"
#include "train/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT(name_, field_, default_, argument_, help_)                                            \
    FILE_TEXT(name_, field_, default_, argument_, OPTION_NO_FILE, help_)
#define FILE_TEXT(name_, field_, default_, argument_, file_, help_)                                \
    {                                                                                              \
        .name = name_, .kind = OPTION_TEXT, .offset = offsetof(TrainSettings, field_),             \
        .fallback = default_, .argument = argument_, .file = file_, .help = help_                  \
    }
#define LIST(name_, field_, argument_, help_)                                                      \
    {                                                                                              \
        .name = name_, .kind = OPTION_LIST, .offset = offsetof(TrainSettings, field_),             \
        .argument = argument_, .help = help_                                                       \
    }
#define INTEGER(...) PARAMETER_INTEGER(TrainSettings, __VA_ARGS__)

static const Option train_rows[] = {
    TEXT("preset", preset, NULL, "NAME", "named settings, the published ones among them"),
    TEXT("method", method, "cma-es", "NAME", "how the weights are changed"),
    LIST("param", parameters, "NAME=VALUE",
         "set a parameter of the method; may be given again and again"),
    TEXT("agent", agent, "weighted", "NAME", "who plays"),
    LIST("agent-param", agent_parameters, "NAME=VALUE", "set a parameter of the agent"),
    TEXT("features", features, NULL, "NAME",
         "the features whose weights are trained (those of --weights or of the agent)"),
    FILE_TEXT("weights", weights, "zero", "zero|NAME|FILE", OPTION_READS_OR_NAME,
              "where to start: zeros, a named set, or a file"),
    LIST("pin", pins, "NAME[=VALUE]", "do not train this weight, keep it at its start or VALUE"),
    INTEGER(generations, "generations", "100", 0, 1e9,
            "the number of the last generation; a resumed training counts from its beginning"),
    INTEGER(games, "games", NULL, 1, 1e6,
            "games of every candidate (what suits the method, see --list)"),
    INTEGER(max_pieces, "max-pieces", NULL, 0, 1e15,
            "a game stops after so many pieces; 0 is no limit (10000; for lines-per-death 100000, "
            "where games follow one another; for splitting 20000, the longest climb; lists of a "
            "profile have 20)"),
    INTEGER(grow_every, "grow-every", "0", 0, 1e9,
            "that limit grows by half after so many generations; 0 is never"),
    {.name = "measure",
     .kind = OPTION_CHOICE,
     .offset = offsetof(TrainSettings, measure),
     .choices = GAMES_MEASURE_CHOICES,
     .argument = "NAME",
     .help = "what counts (score; for the literature's controllers lines-per-death: all lines by "
             "all deaths over a fixed number of pieces; splitting estimates the same from climbs "
             "between heights, thousands of times as fast where deaths are rare)"},
    TEXT("profile", profile, NULL, "NAME",
         "train the factors of an offline profile instead of an agent, from those of blocks, rows, "
         "pieces, tetrises or height: a game is a list of pieces that is solved, and the median of "
         "the blocks left counts"),
    TEXT("algorithm", algorithm, "sa", "NAME", "profile: what solves the lists"),
    INTEGER(evaluations, "evaluations", "5000", 1, 1e12, "profile: evaluations of one list"),
    {.name = "encoding",
     .kind = OPTION_CHOICE,
     .offset = offsetof(TrainSettings, encoding),
     .fallback = "swap-double",
     .choices = ENCODING_CHOICES,
     .argument = "NAME",
     .help = "profile: of the solutions"},
    {.name = "prune",
     .kind = OPTION_REAL,
     .offset = offsetof(TrainSettings, prune),
     .max = 1,
     .argument = "EPS",
     .help = "drop a weight that stays below EPS times the largest for 10 generations"},
    OPTIONS_INCLUDE(TrainSettings, play, cli_play_options),
    INTEGER(seed, "seed", NULL, 0, 9.2e18, "seed; drawn and printed when not given"),
    INTEGER(threads, "threads", NULL, 1, POOL_MAX_THREADS, "threads (default: the processors)"),
    {.name = "time",
     .kind = OPTION_REAL,
     .offset = offsetof(TrainSettings, seconds),
     .max = 1e9,
     .argument = "SECONDS",
     .help = "begin no generation after that time; 0 is no limit"},
    INTEGER(held_out, "held-out", "30", 1, 1e6,
            "games on seeds that training never saw, on which the winner is scored at the end"),
    FILE_TEXT("out", out, NULL, "FILE", OPTION_WRITES, "write the weights there, for --weights"),
    FILE_TEXT("state", state, NULL, "FILE", OPTION_CONTINUES,
              "save the training there after every generation (OUT.state)"),
    FILE_TEXT("resume", resume, NULL, "FILE", OPTION_CONTINUES,
              "go on with a saved training, bit for bit"),
    FILE_TEXT("log", log, NULL, "FILE", OPTION_WRITES, "write a line of JSON for every generation"),
    FILE_TEXT(
        "plot", plot, NULL, "FILE", OPTION_WRITES,
        "draw score, points per piece and weights over the generations (.svg, .png, .pdf); after a "
        "--resume all of them, where there is a --log"),
    {.name = "watch",
     .kind = OPTION_FLAG,
     .offset = offsetof(TrainSettings, watch),
     .help = "show the boards of the candidates while they play (on a terminal)"},
    {.name = "list",
     .kind = OPTION_FLAG,
     .offset = offsetof(TrainSettings, list),
     .help = "list the methods with their parameters, and the presets"},
    CLI_COMMON_ROWS(TrainSettings),
};

const OptionTable train_options = CLI_TABLE(train_rows);

typedef struct TrainWork {
    TrainSetup setup;
    Exchange ranks;
    Trainer *trainer;
    Pool *pool;
    ProgressLine progress;
    TrainWatch *watch;                    /* NULL: nobody looks on */
    Text state_settings, weight_settings; /* JSON objects */
    TrainIdentity identity;
    int64_t first; /* generations that were there when this run began */
    int64_t pieces_before;
    TrainRow row; /* of the last generation; generation 0: none yet */
    TrainRow *history;
    size_t history_count, history_capacity;
    bool history_failed; /* memory */
    const CliJob *job;   /* a run of a grid; NULL: of the command line */
} TrainWork;

static bool list_all(Status *status) {
    Text text;
    text_init(&text);
    for (int i = 0; i < train_count(); i++) {
        const TrainMethod *method = train_at(i);
        text_format(&text, "%s: %s (%lld games a candidate)\n", method->name, method->summary,
                    (long long)method->games);
        options_help(method->parameters, "", &text);
    }
    text_add(&text, "\nPresets:\n");
    train_presets_list(&text);
    return cli_print_text(&text, status);
}

/* ---- progress */

static void format_seconds(double seconds, char *text, size_t bytes) {
    long long whole = (long long)(seconds + 0.5);
    snprintf(text, bytes, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
}

/* By what the generations of this run took, `share` of the present one done. */
static double seconds_left(const TrainWork *work, double share) {
    const TrainSettings *settings = &work->setup.settings;
    double spent = clock_seconds_since(work->progress.start_ns), left = INFINITY;
    double done = (double)(trainer_generation(work->trainer) - work->first) + share;
    if (done > 0)
        left = spent / done * ((double)(settings->generations - work->first) - done);
    if (settings->seconds > 0)
        left = fmin(left, settings->seconds - spent);
    return fmax(left, 0);
}

static void on_report(void *context, int64_t pieces, double share) {
    TrainWork *work = context;
    if (!work->watch && !progress_due(&work->progress))
        return;
    double spent = clock_seconds_since(work->progress.start_ns);
    double all = (double)(trainer_pieces(work->trainer) - work->pieces_before + pieces);
    double left = seconds_left(work, share);
    char line[240], scores[80] = "", rest[32] = "";
    if (work->row.generation > 0)
        snprintf(scores, sizeof scores, ", best %.6g, mean %.6g", work->row.best, work->row.mean);
    if (isfinite(left)) {
        char text[24];
        format_seconds(left, text, sizeof text);
        snprintf(rest, sizeof rest, ", ETA %s", text);
    }
    snprintf(line, sizeof line, "generation %lld of %lld, %.0f %%%s, %.3g pieces/s%s",
             (long long)trainer_generation(work->trainer) + 1,
             (long long)work->setup.settings.generations, 100 * share, scores, all / spent, rest);
    if (work->watch)
        train_watch_say(work->watch, line);
    else
        progress_show(&work->progress, line);
}

/* ---- saving */

static bool save_state(TrainWork *work, Status *status) {
    TrainSetup *setup = &work->setup;
    if (!setup->state_path[0])
        return true;
    Text text;
    text_init(&text);
    bool ok = train_state_write(&work->state_settings, &work->identity, work->trainer, &text)
                  ? file_replace(setup->state_path, text.data, text.length, status)
                  : status_no_memory(status);
    text_release(&text);
    return ok;
}

static TrainLog log_of(const TrainWork *work) {
    const TrainSetup *setup = &work->setup;
    return (TrainLog){setup->settings.log, work->identity.id, train_setup_names(setup),
                      setup->task.weights};
}

static bool save_row(TrainWork *work, double seconds, Status *status) {
    TrainLog log = log_of(work);
    return !log.path || train_log_append(&log, &work->row, seconds, status);
}

/* Remembers a row for the plot; a TrainLogVisit. */
static void remember(void *context, const TrainRow *row) {
    TrainWork *work = context;
    if (!work->setup.settings.plot || work->history_failed)
        return;
    if (work->history_count == work->history_capacity) {
        size_t capacity = work->history_capacity ? 2 * work->history_capacity : 256;
        TrainRow *larger = realloc(work->history, capacity * sizeof *larger);
        work->history_failed = !larger;
        if (!larger)
            return;
        work->history = larger;
        work->history_capacity = capacity;
    }
    work->history[work->history_count++] = *row;
}

static bool save_plot(const TrainWork *work, Status *status) {
    const TrainSetup *setup = &work->setup;
    const char *path = setup->settings.plot;
    if (path && work->history_failed)
        return status_no_memory(status);
    if (!path || work->history_count == 0)
        return true;
    char title[160];
    const char *profile = setup->settings.profile;
    snprintf(title, sizeof title, "%s, %s %s, %dx%d, seed %llu", setup->task.method->name,
             profile ? "profile" : "agent", profile ? profile : setup->settings.agent,
             (int)setup->settings.play.width, (int)setup->settings.play.height,
             (unsigned long long)setup->task.seed);
    uint64_t trained = 0;
    for (int i = 0; i < setup->task.space.count; i++)
        trained |= (uint64_t)1 << setup->task.trained[i];
    TrainPlot plot = {.title = title,
                      .measure = setup->objective.measure,
                      .rows = work->history,
                      .count = work->history_count,
                      .names = train_setup_names(setup),
                      .weights = setup->task.weights,
                      .hidden = ~trained};
    return train_plot_write(&plot, path, status);
}

/* The files as they stand before the first generation of this run; also shows that they can be
 * written, before hours were spent. */
static bool open_files(TrainWork *work, Status *status) {
    const TrainSetup *setup = &work->setup;
    TrainLog log = log_of(work);
    const char *path = log.path;
    CliFile state = {"the state", setup->state_path, OPTION_CONTINUES};
    bool ok = true, exists = false, has_state = setup->state_path[0];
    if (!cli_files_check(setup->context, &state, has_state, status) ||
        (has_state && !file_check_writable(setup->state_path, status)))
        return false;
    if (path && !file_exists(path, &exists, status))
        return false;
    if (path && work->first > 0 && !exists)
        return status_fail(status, STATUS_INPUT,
                           "%s: is not here, but %lld generation%s should be in it (go to the "
                           "folder of the training, or give --log)",
                           path, (long long)work->first, cli_plural(work->first));
    if (path && setup->resumed)
        ok = train_log_cut(&log, work->first, remember, work, status);
    else if (path)
        ok = file_replace(path, "", 0, status);
    return ok && (setup->resumed || save_state(work, status));
}

/* ---- running */

/* Without --seed all ranks take the one that the first draws. */
static void share_seed(TrainWork *work) {
    TrainSetup *setup = &work->setup;
    if (work->ranks.count == 1 || setup->settings.resume || cli_given(setup->context, "seed"))
        return;
    char seed[24];
    snprintf(seed, sizeof seed, "%lld",
             (long long)exchange_from_first(&work->ranks, (int64_t)rng_entropy()));
    question_set(setup->context->settings, "seed", seed, NULL);
    setup->settings = *(const TrainSettings *)setup->context->settings->values;
}

/* Whatever may cut the training goes by one flag. A run of a grid that was cut by another flag than
 * its own would be recorded as if it were whole. */
static void set_stop(TrainSetup *setup, const atomic_bool *stop) {
    setup->task.stop = setup->games.task.stop = setup->offline.stop = stop;
}

static bool begin(TrainWork *work, Status *status) {
    TrainSetup *setup = &work->setup;
    int format;
    share_seed(work);
    if (!train_setup_fill(setup, status))
        return false;
    if (setup->settings.plot && ((format = drawing_format_of(setup->settings.plot, status)) < 0 ||
                                 !drawing_available((DrawingFormat)format, status)))
        return status_prefix(status, "--plot");
    bool given = cli_given(setup->context, "threads");
    work->pool = pool_new(given ? (unsigned)setup->settings.threads : pool_processors(), status);
    if (!work->pool)
        return false;
    TrainTask *task = &setup->task;
    task->pool = work->pool;
    task->ranks = &work->ranks;
    set_stop(setup, stop_flag());
    task->report = on_report;
    task->report_context = work;
    work->trainer = trainer_new(task, status);
    if (!work->trainer)
        return false;
    if (setup->resumed && !train_state_load(setup->resumed, work->trainer, status))
        return status_prefix(status, "%s", setup->settings.resume);
    work->first = trainer_generation(work->trainer);
    work->pieces_before = trainer_pieces(work->trainer);
    train_setup_settings(setup, false, &work->state_settings);
    train_setup_settings(setup, true, &work->weight_settings);
    work->identity = (TrainIdentity){.features = setup->evaluator.kind->name,
                                     .start = setup->start,
                                     .count = setup->evaluator.kind->count};
    if (!work->weight_settings.failed)
        train_identify(&work->identity, &work->weight_settings, setup->resumed);
    return (!work->state_settings.failed && !work->weight_settings.failed) ||
           status_no_memory(status);
}

/* All generations. */
static TrainerEnd evolve(TrainWork *work, Status *status) {
    const TrainSettings *settings = &work->setup.settings;
    while (trainer_generation(work->trainer) < settings->generations) {
        uint64_t start = clock_now_ns();
        bool late = settings->seconds > 0 &&
                    clock_seconds_since(work->progress.start_ns) >= settings->seconds;
        if (exchange_lowest(&work->ranks, late) >= 0)
            break;
        TrainerEnd end = trainer_step(work->trainer, &work->row, status);
        if (end != TRAINER_DONE)
            return end;
        bool saved = work->ranks.index > 0 || (save_row(work, clock_seconds_since(start), status) &&
                                               save_state(work, status));
        if (!exchange_agree(&work->ranks, saved, status))
            return TRAINER_FAILED;
        remember(work, &work->row);
        if (work->job)
            work->job->report(work->job->context, (uint64_t)work->row.generation, work->row.best,
                              work->row.mean, work->row.spread_name ? work->row.spread : 0);
    }
    return TRAINER_DONE;
}

/* The document that --out writes and --json prints; the caller releases it. */
static bool make_document(const TrainWork *work, const TrainHeldOut *held_out, Text *text,
                          Status *status) {
    const TrainSetup *setup = &work->setup;
    double weights[TRAIN_MAX_WEIGHTS];
    trainer_best(work->trainer, weights);
    Evaluator evaluator;
    evaluator_init(&evaluator, setup->evaluator.kind, weights);
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    weights_document_write(&w, &evaluator);
    train_document_write(&w, &work->weight_settings, &setup->task, work->trainer, held_out,
                         train_setup_names(setup));
    jw_end(&w);
    return !text->failed || status_no_memory(status);
}

static void show_text(const TrainWork *work, const TrainHeldOut *held_out) {
    const TrainSetup *setup = &work->setup;
    double weights[TRAIN_MAX_WEIGHTS];
    trainer_best(work->trainer, weights);
    int64_t generations = trainer_generation(work->trainer), games = trainer_games(work->trainer);
    int64_t pieces = trainer_pieces(work->trainer);
    printf("%s, %lld generation%s, %lld game%s, %.4g piece%s, seed %llu\n",
           setup->task.method->name, (long long)generations, cli_plural(generations),
           (long long)games, cli_plural(games), (double)pieces, cli_plural(pieces),
           (unsigned long long)setup->task.seed);
    for (int i = 0; i < setup->task.weights; i++)
        printf("  %-20s %g%s\n", train_setup_names(setup)[i], weights[i],
               trainer_dropped(work->trainer) >> i & 1 ? "  (dropped)" : "");
    if (!held_out) {
        printf("not scored on held-out seeds\n");
        return;
    }
    const TrialSummary *summary = &held_out->summary;
    printf("%s on %lld held-out game%s: ", setup->objective.measure, (long long)held_out->games,
           cli_plural(held_out->games));
    if (isnan(summary->mean))
        printf("none ended; with 95 %% chance more than %.6g\n", summary->low);
    else if (isnan(summary->low))
        printf("%.6g, too few for an interval\n", summary->mean);
    else if (isinf(summary->high))
        printf("%.6g, 95 %% interval from %.6g on\n", summary->mean, summary->low);
    else
        printf("%.6g, 95 %% interval %.6g..%.6g\n", summary->mean, summary->low, summary->high);
}

static bool show(const TrainWork *work, const TrainHeldOut *held_out, Status *status) {
    const TrainSettings *settings = &work->setup.settings;
    Text document = {0};
    bool ok = make_document(work, held_out, &document, status);
    text_add_char(&document, '\n');
    ok = ok && (!document.failed || status_no_memory(status)) &&
         (!settings->out || file_replace(settings->out, document.data, document.length, status)) &&
         save_plot(work, status);
    if (ok && settings->common.json)
        return cli_print_text(&document, status);
    text_release(&document);
    if (!ok)
        return false;
    show_text(work, held_out);
    if (!held_out && work->setup.state_path[0] && !settings->common.quiet)
        fprintf(stderr, "resume with: tetropt train --resume %s\n", work->setup.state_path);
    return true;
}

static bool begin_watch(TrainWork *work, Status *status) {
    const TrainSettings *settings = &work->setup.settings;
    if (!settings->watch)
        return true;
    if (settings->profile || settings->measure == GAMES_SPLITTING)
        return status_fail(status, STATUS_INPUT, "--watch: there are no whole games to see with %s",
                           settings->profile ? "--profile" : "--measure splitting");
    if (work->ranks.count > 1)
        return status_fail(status, STATUS_INPUT, "--watch: does not go with mpirun");
    work->watch = train_watch_begin(&work->setup.games,
                                    cli_use_color(&settings->common, STDOUT_FILENO), status);
    return work->watch;
}

static StatusCode run_all(TrainWork *work, Status *status) {
    bool first = work->ranks.index == 0;
    if (!exchange_agree(&work->ranks, begin(work, status) && begin_watch(work, status), status) ||
        !exchange_agree(&work->ranks, !first || open_files(work, status), status)) {
        train_watch_end(work->watch);
        return status->code;
    }
    work->setup.settings.common.quiet |= !first;
    progress_init(&work->progress, &work->setup.settings.common, 0, 0, false);
    TrainHeldOut held_out;
    TrainerEnd end = evolve(work, status);
    if (end == TRAINER_DONE)
        end = trainer_held_out(work->trainer, work->setup.settings.held_out, &held_out, status);
    train_watch_end(work->watch);
    progress_end(&work->progress);
    progress_release(&work->progress);
    if (end == TRAINER_FAILED ||
        (first && !show(work, end == TRAINER_DONE ? &held_out : NULL, status)))
        return status->code;
    return end == TRAINER_CUT ? STATUS_INTERRUPTED : STATUS_OK;
}

static TrainWork *new_work(CliContext *context, const void *settings, Status *status) {
    TrainWork *work = calloc(1, sizeof *work);
    if (!work) {
        status_no_memory(status);
        return NULL;
    }
    work->setup.context = context;
    memcpy(&work->setup.settings, settings, sizeof work->setup.settings);
    return work;
}

static void free_work(TrainWork *work) {
    free(work->history);
    trainer_free(work->trainer);
    pool_free(work->pool);
    text_release(&work->state_settings);
    text_release(&work->weight_settings);
    train_setup_release(&work->setup);
    free(work);
}

static StatusCode run_train(CliContext *context, const void *settings, Status *status) {
    TrainWork *work = new_work(context, settings, status);
    if (!work)
        return status->code;
    StatusCode code;
    if (!cli_words_at_most(context, 0, status))
        code = status->code;
    else if (work->setup.settings.list)
        code = list_all(status) ? STATUS_OK : status->code;
    else if (!ranks_begin(&work->ranks, status))
        code = status->code;
    else {
        code = run_all(work, status);
        ranks_end();
    }
    free_work(work);
    return code;
}

/* ---- from a grid */

static bool job_with(TrainWork *work, CliJob *job, Status *status) {
    work->ranks = (Exchange){.index = 0, .count = 1};
    if (!begin(work, status))
        return false;
    if (job->check_only)
        return true;
    work->job = job;
    set_stop(&work->setup, job->stop);
    progress_init(&work->progress, &work->setup.settings.common, 0, 0, false);
    TrainHeldOut held_out;
    TrainerEnd end = evolve(work, status);
    if (end == TRAINER_DONE)
        end = trainer_held_out(work->trainer, work->setup.settings.held_out, &held_out, status);
    progress_release(&work->progress);
    if (end == TRAINER_FAILED)
        return false;
    return make_document(work, end == TRAINER_DONE ? &held_out : NULL, &job->document, status);
}

static bool job_train(CliContext *context, const void *settings, CliJob *job, Status *status) {
    TrainWork *work = new_work(context, settings, status);
    if (!work)
        return false;
    bool ok = job_with(work, job, status);
    free_work(work);
    return ok;
}

const Command cmd_train = {
    .name = "train",
    .arguments = "[--preset NAME] [OPTIONS] | --resume FILE",
    .summary = "finds the weights of an agent",
    .description =
        "Trains the weights of any agent that has some, by games on all threads. All candidates of "
        "a generation play the same seeds, every generation has new ones, and the winner is scored "
        "on seeds that training never saw: only that number is reported. The state is saved after "
        "every generation; --resume goes on with it bit for bit, after a kill as well.",
    .examples =
        "  tetropt train --list\n"
        "  tetropt train --agent dt20 --height 10 --generations 5 --games 2 --max-pieces 2000 "
        "--seed 1 --out dt.json\n"
        "  tetropt train --preset controller --time 60 --out c.json --log c.jsonl --plot c.svg  # "
        "takes a minute\n",
    .interrupted =
        "interrupted, after the weights and the state of the last whole generation were written",
    .options = CLI_TABLE(train_rows),
    .settings_bytes = sizeof(TrainSettings),
    .run = run_train,
    .job = job_train,
    .not_in_grids = "list|watch|out|state|resume|log|plot",
    .takes_ranks = true,
};
