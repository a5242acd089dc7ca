/*
 * simulate: agents play games without a view, and are measured.
 *
 * Several agents are entrants: each plays the same pieces, one after the other, all threads on one.
 * What was given about an agent is for those that the user named; the others of a protocol play as
 * the protocol says.
 */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/entrant.h"
#include "cli/progress.h"
#include "formats/replay.h"
#include "io/simulate_document.h"
#include "player/registry.h"
#include "system/file.h"
#include "system/stop.h"
#include "term/simulate_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRANTS_MAX = 16, DEFAULT_MAX_PIECES = 10000 };

#define LIST_AGENTS "-" /* what --list alone stands for: no piece is called so */

typedef struct SimulateSettings {
    CliCommon common;
    CliPlay play;
    CliEntrant entrant;
    OptionList agents;
    const char *keep_best;
    int64_t games, max_pieces, total_pieces, lines, seed, piece_seed, threads, search_seeds;
    double seconds;
    int protocol;
    bool no_times, per_game;
} SimulateSettings;

#define FLAG(name_, field_, help_)                                                                 \
    {                                                                                              \
        .name = name_, .kind = OPTION_FLAG, .offset = offsetof(SimulateSettings, field_),          \
        .help = help_                                                                              \
    }
#define CHOICE(name_, field_, choices_, help_)                                                     \
    {                                                                                              \
        .name = name_, .kind = OPTION_CHOICE, .offset = offsetof(SimulateSettings, field_),        \
        .choices = choices_, .argument = "NAME", .help = help_                                     \
    }
#define INTEGER(name_, field_, default_, min_, max_, help_)                                        \
    {                                                                                              \
        .name = name_, .kind = OPTION_INTEGER, .offset = offsetof(SimulateSettings, field_),       \
        .fallback = default_, .min = min_, .max = max_, .argument = "N", .help = help_             \
    }

static const Option simulate_rows[] = {
    {.name = "agent",
     .kind = OPTION_LIST,
     .offset = offsetof(SimulateSettings, agents),
     .argument = "NAME",
     .help = "who plays (default: weighted, under drop surface); given again and again, agents are "
             "compared on the same pieces"},
    CLI_ENTRANT_ROWS(SimulateSettings),
    {.name = "list",
     .kind = OPTION_TEXT,
     .offset = offsetof(SimulateSettings, entrant.list),
     .argument = "[FILE|LETTERS]",
     .file = OPTION_READS_OR_NAME,
     .help = "alone: list the agents, their parameters and the named weights; with a value: the "
             "pieces of --randomizer list",
     .implied = LIST_AGENTS},
    INTEGER("games", games, "10", 1, 1e9, "games to play"),
    INTEGER("max-pieces", max_pieces, NULL, 0, 1e15,
            "a game stops after so many pieces; 0 is no limit (10000; with --total-pieces none)"),
    INTEGER("total-pieces", total_pieces, NULL, 1, 1e15,
            "instead of games, 64 streams that start again after every death until N pieces are "
            "placed: gives the mean lines a game without bias"),
    INTEGER("lines", lines, NULL, 1, 1e15, "a game stops when so many rows are gone"),
    CLI_PLAY_ROWS(SimulateSettings),
    CHOICE("protocol", protocol, "none|local-search",
           "local-search: hill, anneal and genetic, and every --agent, on 15 games of 400 pieces "
           "by the rules drop, from bags, without preview and hold, scored local-search; other "
           "options change that for the agents named"),
    INTEGER("search-seeds", search_seeds, NULL, 1, 1e9,
            "one list of pieces, N seeds for the decisions; the best game counts"),
    {.name = "keep-best",
     .kind = OPTION_TEXT,
     .offset = offsetof(SimulateSettings, keep_best),
     .argument = "FILE",
     .file = OPTION_WRITES,
     .help = "save the best game as a replay"},
    INTEGER("piece-seed", piece_seed, NULL, 0, 9.2e18,
            "seed of the pieces, apart from that of the decisions"),
    INTEGER("seed", seed, NULL, 0, 9.2e18,
            "seed of the first game, the next has one more; drawn and printed when not given"),
    INTEGER("threads", threads, NULL, 1, POOL_MAX_THREADS, "threads (default: the processors)"),
    {.name = "time",
     .kind = OPTION_REAL,
     .offset = offsetof(SimulateSettings, seconds),
     .max = 1e7,
     .argument = "SECONDS",
     .help = "stop after that time; 0 is no limit"},
    FLAG("no-times", no_times, "leave out of the JSON what differs from run to run"),
    FLAG("per-game", per_game, "list every game in the JSON, even above 1000"),
    CLI_COMMON_ROWS(SimulateSettings),
};

typedef struct SimulateWork {
    CliContext *context;
    const SimulateSettings *settings;
    Entrant entrants[ENTRANTS_MAX];
    SimulateResult results[ENTRANTS_MAX];
    int count;
    EntrantList list;
    uint64_t seed;
    Pool *pool;
    ProgressLine progress;
    int64_t games, pieces; /* that the present entrant will play; pieces 0: not known */
} SimulateWork;

/* ---- --list */

static void list_abilities(const Agent *agent, Text *text) {
    static const char *const words[] = {"drop", "guideline", "hold", "preview"};
    const char *separator = "  plays with: ";
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (agent->abilities >> i & 1) {
            text_format(text, "%s%s", separator, words[i]);
            separator = ", ";
        }
    if (agent->weights)
        text_format(text, "; weights: %s%s", agent->weights,
                    agent->only_kind ? "" : " or any other");
    text_add_char(text, '\n');
}

static bool list_all(Status *status) {
    Text text;
    text_init(&text);
    for (int i = 0; i < agent_count(); i++) {
        const Agent *agent = agent_at(i);
        text_format(&text, "%s: %s\n", agent->name, agent->summary);
        list_abilities(agent, &text);
        options_help(agent->parameters, "", &text);
    }
    text_add(&text, "\nFeatures and named sets of weights:\n");
    for (int k = 0; k < EVALUATOR_KINDS; k++) {
        const EvaluatorKind *kind = evaluator_kinds[k];
        text_format(&text, "%s: %s\n  features:", kind->name, kind->summary);
        for (int i = 0; i < kind->count; i++)
            text_format(&text, " %s", kind->names[i]);
        text_add(&text, "\n  sets:");
        for (int i = 0; i < evaluator_preset_count(); i++)
            if (evaluator_preset_at(i).kind == kind)
                text_format(&text, " %s", evaluator_preset_at(i).name);
        text_add_char(&text, '\n');
    }
    return cli_print_text(&text, status);
}

/* ---- from options to entrants */

static bool given(const SimulateWork *work, const char *option) {
    return cli_given(work->context, option);
}

static bool check_options(const SimulateWork *work, Status *status) {
    static const char *const pairs[][2] = {
        {"total-pieces", "games"},     {"total-pieces", "search-seeds"},
        {"total-pieces", "keep-best"}, {"total-pieces", "protocol"},
        {"search-seeds", "games"},     {"search-seeds", "protocol"},
        {"keep-best", "protocol"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (given(work, pairs[i][0]) && given(work, pairs[i][1]))
            return status_fail(status, STATUS_INPUT, "--%s: does not go with --%s", pairs[i][0],
                               pairs[i][1]);
    if (work->settings->agents.count > 1 &&
        (given(work, "total-pieces") || given(work, "keep-best")))
        return status_fail(status, STATUS_INPUT, "--agent: more than one goes with games only");
    /* A replay has a limit; better to know before hours of games than after them. */
    int64_t pieces = given(work, "max-pieces") ? work->settings->max_pieces : DEFAULT_MAX_PIECES;
    if (given(work, "keep-best") && (pieces == 0 || pieces > REPLAY_MAX_MOVES))
        return status_fail(status, STATUS_INPUT, "--keep-best: needs --max-pieces 1..%d",
                           REPLAY_MAX_MOVES);
    return true;
}

static void set_amount(const SimulateWork *work, SimulateTask *task) {
    const SimulateSettings *settings = work->settings;
    bool protocol = settings->protocol == 1;
    task->games = protocol && !given(work, "games") ? 15 : settings->games;
    if (given(work, "search-seeds")) {
        task->games = settings->search_seeds;
        task->same_pieces = true;
    }
    task->total_pieces = settings->total_pieces;
    int64_t usual = protocol ? 400 : task->total_pieces > 0 ? 0 : DEFAULT_MAX_PIECES;
    int64_t pieces = given(work, "max-pieces") ? settings->max_pieces : usual;
    task->max_pieces = pieces > 0 ? pieces : INT64_MAX;
    task->max_lines = given(work, "lines") ? settings->lines : INT64_MAX;
    task->seed = work->seed;
    task->piece_seed = given(work, "piece-seed") ? (uint64_t)settings->piece_seed : work->seed;
    task->stop = stop_flag();
    task->pool = work->pool;
}

/* `named` by the user: the options about the agent are for it. */
static bool add_entrant(SimulateWork *work, const char *name, bool named, Status *status) {
    if (work->count == ENTRANTS_MAX)
        return status_fail(status, STATUS_INPUT, "--agent: more than %d", ENTRANTS_MAX);
    Entrant *entrant = &work->entrants[work->count++];
    set_amount(work, &entrant->task);
    EntrantRequest request = {.context = work->context,
                              .play = &work->settings->play,
                              .options = &work->settings->entrant,
                              .list = &work->list,
                              .name = name,
                              .named = named,
                              .protocol = work->settings->protocol == 1};
    return entrant_set_up(&request, entrant, status);
}

static bool is_named(const OptionList *agents, const char *name) {
    for (int i = 0; i < agents->count; i++)
        if (strcmp(agents->items[i], name) == 0)
            return true;
    return false;
}

/* What is about an agent: then an agent named like one of the protocol's is another entrant. */
static bool agent_options_given(const SimulateWork *work) {
    static const char *const options[] = {"weights", "param", "rules", "preview", "hold"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (given(work, options[i]))
            return true;
    return false;
}

static bool add_protocol(SimulateWork *work, Status *status) {
    static const char *const names[] = {"hill", "anneal", "genetic"};
    const OptionList *agents = &work->settings->agents;
    bool others = agent_options_given(work);
    if (others && agents->count == 0)
        return status_fail(status, STATUS_INPUT,
                           "--protocol: options about an agent go with an --agent of their own");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (others || !is_named(agents, names[i]))
            if (!add_entrant(work, names[i], false, status))
                return false;
    return true;
}

static bool prepare(SimulateWork *work, Status *status) {
    const SimulateSettings *settings = work->settings;
    work->seed = cli_seed(work->context, settings->seed);
    if (!check_options(work, status) ||
        !entrant_read_list(work->context, &settings->play, settings->entrant.list, &work->list,
                           status))
        return false;
    work->pool =
        pool_new(given(work, "threads") ? (unsigned)settings->threads : pool_processors(), status);
    if (!work->pool)
        return false;
    if (settings->protocol == 1 && !add_protocol(work, status))
        return false;
    for (int i = 0; i < settings->agents.count; i++)
        if (!add_entrant(work, settings->agents.items[i], true, status))
            return false;
    if (work->count > 0)
        return true;
    return add_entrant(work, NULL, true, status);
}

/* ---- running and showing */

static void on_progress(void *context, const SimulateProgress *state) {
    SimulateWork *work = context;
    if (!progress_due(&work->progress))
        return;
    double spent = clock_seconds_since(work->progress.start_ns);
    double share = work->pieces > 0 ? (double)state->pieces_done / (double)work->pieces
                                    : (double)state->games_done / (double)work->games;
    char line[160], rest[40] = "";
    double left = share > 0 ? spent * (1 - share) / share : INFINITY;
    if (work->settings->seconds > 0)
        left = fmin(left, fmax(work->settings->seconds - spent, 0));
    if (isfinite(left))
        snprintf(rest, sizeof rest, ", at most %.0f s left", left);
    snprintf(line, sizeof line, "%lld games, %.3g pieces, %.3g pieces/s, %.1f s%s",
             (long long)state->games_done, (double)state->pieces_done,
             (double)state->pieces_done / spent, spent, rest);
    progress_show(&work->progress, line);
}

static bool run_entrant(SimulateWork *work, int index, double seconds, Status *status) {
    SimulateTask *task = &work->entrants[index].task;
    bool limited = task->total_pieces > 0 || task->max_pieces < INT64_MAX / 1000000000;
    work->games = task->games;
    work->pieces = !limited                 ? 0
                   : task->total_pieces > 0 ? task->total_pieces
                                            : task->games * task->max_pieces;
    task->seconds = seconds;
    task->report = on_progress;
    task->report_context = work;
    progress_init(&work->progress, &work->settings->common, 0, 0, false);
    bool ok = simulate_run(task, &work->results[index], status);
    progress_end(&work->progress);
    progress_release(&work->progress);
    return ok;
}

static bool run_all(SimulateWork *work, Status *status) {
    uint64_t start = clock_now_ns();
    double limit = work->settings->seconds;
    for (int i = 0; i < work->count; i++) {
        double left = limit > 0 ? limit - clock_seconds_since(start) : 0;
        /* A minimum: every entrant shall have begun. */
        if (limit > 0 && left < 1e-3)
            left = 1e-3;
        if (!run_entrant(work, i, left, status))
            return false;
    }
    return true;
}

static void write_entrant(JsonWriter *w, const SimulateWork *work, int index, bool times) {
    const Entrant *entrant = &work->entrants[index];
    SimulateDocumentOptions options = {
        .times = times, .per_game = work->settings->per_game, .weights = entrant->weights};
    simulate_document(w, &entrant->task, &work->results[index], options);
}

static bool is_comparison(const SimulateWork *work) {
    return work->count > 1 || work->settings->protocol == 1;
}

/* The whole document; the caller releases the text. */
static void make_document(const SimulateWork *work, bool times, Text *text) {
    JsonWriter w;
    text_init(text);
    jw_init(&w, text);
    if (!is_comparison(work)) {
        write_entrant(&w, work, 0, times);
        return;
    }
    jw_object(&w, NULL);
    jw_put(&w, JS("protocol", work->settings->protocol == 1 ? "local-search" : NULL),
           JI("seed", (int64_t)work->seed));
    jw_array(&w, "agents");
    for (int i = 0; i < work->count; i++)
        write_entrant(&w, work, i, times);
    jw_end(&w);
    jw_end(&w);
}

static bool show(const SimulateWork *work, Status *status) {
    Text text;
    if (work->settings->common.json) {
        make_document(work, !work->settings->no_times, &text);
        return cli_print_line(&text, status);
    }
    if (!given(work, "seed") && !work->settings->common.quiet)
        fprintf(stderr, "seed %llu\n", (unsigned long long)work->seed);
    text_init(&text);
    if (is_comparison(work)) {
        simulate_view_heading(&text);
        for (int i = 0; i < work->count; i++)
            simulate_view_row(work->entrants[i].label, &work->results[i], &text);
    } else
        simulate_view_one(&work->entrants[0].task, &work->results[0], &text);
    return cli_print_text(&text, status);
}

static bool keep_best(const SimulateWork *work, Status *status) {
    const Entrant *entrant = &work->entrants[0];
    if (!work->settings->keep_best)
        return true;
    if (work->results[0].count == 0)
        return status_fail(status, STATUS_INPUT, "--keep-best: there was no time for a game");
    const SimulateGame *best = &work->results[0].games[simulate_best(&work->results[0])];
    AgentRecord record = {.capacity = best->pieces > 0 ? best->pieces : 1};
    record.moves = malloc((size_t)record.capacity * sizeof *record.moves);
    if (!record.moves)
        return status_no_memory(status);
    int64_t index = (int64_t)(best->seed - work->seed);
    Game game;
    Text text;
    text_init(&text);
    bool ok = simulate_one(&entrant->task, index, &game, &record, status) &&
              simulate_replay(&entrant->task, index, &record, &text, status) &&
              file_replace(work->settings->keep_best, text.data, text.length, status);
    text_release(&text);
    free(record.moves);
    return ok;
}

static void release(SimulateWork *work) {
    for (int i = 0; i < work->count; i++)
        simulate_result_release(&work->results[i]);
    for (int i = 0; i < work->count; i++)
        entrant_release(&work->entrants[i]);
    pool_free(work->pool);
    free(work->list.pieces);
    free(work);
}

static StatusCode run_simulate(CliContext *context, const void *settings, Status *status) {
    SimulateWork *work = calloc(1, sizeof *work);
    if (!work) {
        status_no_memory(status);
        return status->code;
    }
    work->context = context;
    work->settings = settings;
    const char *list = work->settings->entrant.list;
    bool only_list = list && strcmp(list, LIST_AGENTS) == 0;
    bool ok = cli_words_at_most(context, 0, status) &&
              (only_list ? list_all(status)
                         : prepare(work, status) && run_all(work, status) && show(work, status) &&
                               keep_best(work, status));
    release(work);
    if (!ok)
        return status->code;
    return atomic_load(stop_flag()) ? STATUS_INTERRUPTED : STATUS_OK;
}

/* ---- from a grid */

static bool job_with(SimulateWork *work, CliJob *job, Status *status) {
    if (!prepare(work, status))
        return false;
    if (job->check_only)
        return true;
    for (int i = 0; i < work->count; i++)
        work->entrants[i].task.stop = job->stop;
    if (!run_all(work, status))
        return false;
    make_document(work, false, &job->document);
    if (is_comparison(work)) {
        make_document(work, true, &job->times);
        return true;
    }
    JsonWriter w;
    jw_start(&w, &job->times);
    simulate_document_times(&w, &work->results[0]);
    jw_end(&w);
    return true;
}

static bool job_simulate(CliContext *context, const void *settings, CliJob *job, Status *status) {
    SimulateWork *work = calloc(1, sizeof *work);
    if (!work)
        return status_no_memory(status);
    work->context = context;
    work->settings = settings;
    bool ok = job_with(work, job, status);
    release(work);
    return ok;
}

const Command cmd_simulate = {
    .name = "simulate",
    .arguments = "[--agent NAME]... [OPTIONS]",
    .summary = "agents play games without a view, and are measured",
    .description =
        "Plays games on all threads and prints what every measure comes to: mean, deviation, 95 % "
        "interval, median, least and most. Game number i of --seed S has the seed S+i: every agent "
        "gets the same pieces, one game can be played again by its own seed, and the outcome does "
        "not depend on the threads. --list alone lists the agents with their parameters and the "
        "named sets of weights.",
    .examples =
        "  tetropt simulate --list\n"
        "  tetropt simulate --agent bcts --rules drop --height 14 --total-pieces 2000000\n"
        "  tetropt simulate --protocol local-search --agent hill --weights tetris-blind --seed 1\n",
    .interrupted = "interrupted, after the games played so far were summed up",
    .options = CLI_TABLE(simulate_rows),
    .settings_bytes = sizeof(SimulateSettings),
    .run = run_simulate,
    .job = job_simulate,
    .not_in_grids = "no-times|keep-best",
};
