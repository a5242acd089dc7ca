/*
 * match: the command line of job/match: progress, tables, the state of a match in a file.
 *
 * The state is written while the games go on, so a killed match can be resumed with the same
 * result.
 */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "job/match.h"
#include "system/file.h"
#include "system/stop.h"
#include "term/match_view.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct MatchSettings {
    CliCommon common;
    const char *state, *save_games;
    bool list_rules, times;
} MatchSettings;

static const Option match_rows[] = {
    OPTION_ROW(MatchSettings, FLAG, list_rules, "list-rules",
               .help = "print the named rules with a comment for every value"),
    OPTION_ROW(MatchSettings, TEXT, state, "state", .argument = "FILE", .file = OPTION_CONTINUES,
               .help = "save the match there while it is played, for --resume"),
    OPTION_ROW(MatchSettings, TEXT, save_games, "save-games", .argument = "DIR",
               .help = "save both boards of every game there as replays: 0001-1.json, 0001-2.json, "
                       "..."),
    OPTION_ROW(MatchSettings, FLAG, times, "times",
               .help = "add times, which differ from run to run, to the JSON"),
    OPTIONS_INCLUDE(MatchSettings, common, cli_common_options),
};

enum { PATH_BYTES = 4096 };

static const double SAVE_SECONDS = 2; /* between two states */

typedef struct MatchWork {
    const MatchSettings *settings;
    MatchRun *run;
    ProgressLine line;
    const char *state; /* NULL: it is not saved */
    uint64_t saved_ns;
    Status status; /* of saving */
} MatchWork;

static bool save_state(MatchWork *work, Status *status) {
    if (!work->state)
        return true;
    Text text = {0};
    bool ok = match_job.write_state(work->run, &text)
                  ? file_replace(work->state, text.data, text.length, status)
                  : status_no_memory(status);
    text_release(&text);
    work->saved_ns = clock_now_ns();
    return ok;
}

static void on_progress(void *context, const Progress *state) {
    MatchWork *work = context;
    if (work->state && clock_seconds_since(work->saved_ns) >= SAVE_SECONDS)
        save_state(work, &work->status);
    if (!progress_due(&work->line))
        return;
    char line[MATCH_VIEW_LINE];
    match_view_line(work->run, line);
    bool open_end = work->run->task.test || work->run->task.first_to > 0;
    progress_show(&work->line, open_end ? -1 : (double)state->done / (double)state->total, line);
}

/* Writes the boards of the games that were played now; the first one is of the side that began. */
static bool save_games(const MatchWork *work, Status *status) {
    const Match *match = work->run->match;
    int64_t games = match_length(match);
    for (int64_t i = 0; work->settings->save_games && i < games; i++) {
        const DuelResult *result = atomic_load(&match->games[i]);
        for (int side = 0; side < DUEL_SIDES; side++) {
            if (result->sides[side].record.count == 0) /* from a resumed match, or without a move */
                continue;
            char path[PATH_BYTES];
            if (snprintf(path, sizeof path, "%s/%04lld-%d.json", work->settings->save_games,
                         (long long)i + 1, side + 1) >= (int)sizeof path)
                return status_option(status, "save-games", "the path is too long");
            Text text = {0};
            bool ok = match_replay(work->run, i, result, side, &text, status) &&
                      file_replace(path, text.data, text.length, status);
            text_release(&text);
            if (!ok)
                return status_prefix(status, "--save-games");
        }
    }
    return true;
}

static bool open_directory(const MatchWork *work, Status *status) {
    const char *path = work->settings->save_games;
    if (!path || mkdir(path, 0777) == 0)
        return true;
    int error = errno;
    struct stat found;
    if (error == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return access(path, W_OK) == 0 || file_fail(path, errno, status);
    if (error == EEXIST)
        return status_option(status, "save-games", "%s: not a directory", path);
    return file_fail(path, error, status);
}

static bool play(MatchWork *work, Status *status) {
    work->run->task.record = work->settings->save_games != NULL;
    progress_init(&work->line, &work->settings->common, 0, 0, false);
    work->saved_ns = clock_now_ns();
    ProgressWatch watch = {stop_flag(), on_progress, work};
    bool ok = match_job.run(work->run, &watch, status);
    progress_end(&work->line);
    progress_release(&work->line);
    if (ok && work->status.code != STATUS_OK) {
        *status = work->status;
        return false;
    }
    return ok && save_state(work, status) && save_games(work, status);
}

static bool show(const CliContext *context, const MatchWork *work, Status *status) {
    const MatchSettings *settings = work->settings;
    Text text = {0};
    if (settings->common.json) {
        job_write(&match_job, work->run, settings->times, &text);
        return cli_print_line(&text, status);
    }
    if (!cli_given(context, "seed") && !settings->common.quiet)
        fprintf(stderr, "seed %llu\n", (unsigned long long)work->run->task.seed);
    match_view_add(work->run, cli_columns(STDOUT_FILENO), &text);
    return cli_print_text(&text, status);
}

/* A match that is there already is not overwritten. */
static bool open_state(const CliContext *context, MatchWork *work, Status *status) {
    const char *resumed = question_name(context->question, "resume");
    work->state = work->settings->state ? work->settings->state : resumed;
    bool exists = false;
    if (work->settings->state && !resumed && !file_exists(work->state, &exists, status))
        return false;
    if (exists)
        return status_option(status, "state", "%s: holds a match already; --resume it or remove it",
                             work->state);
    return !work->state || file_check_writable(work->state, status);
}

static bool list_rules(Status *status) {
    Text text = {0};
    for (int i = 0; match_rules_name(i); i++) {
        if (i > 0)
            text_add_char(&text, '\n');
        match_rules_list(match_rules_name(i), &text);
    }
    return cli_print_text(&text, status);
}

static StatusCode run_match(CliContext *context, const void *given, Status *status) {
    const MatchSettings *settings = given;
    if (settings->list_rules)
        return cli_words_at_most(context, 0, status) && list_rules(status) ? STATUS_OK
                                                                           : status->code;
    for (int i = 0; i < context->words.count; i++)
        if (!job_set(&match_job, context->question, "player", context->words.items[i], status))
            return status->code;
    MatchWork work = {.settings = settings, .run = cli_prepare(context, status)};
    if (!work.run)
        return status->code;
    bool ok = open_state(context, &work, status) && open_directory(&work, status) &&
              play(&work, status) && show(context, &work, status);
    bool stopped = ok && atomic_load(stop_flag());
    if (stopped && work.state)
        cli_interrupted(context, "the same command with --resume %s", work.state);
    else if (stopped)
        cli_interrupted(context, NULL);
    match_job.free_run(work.run);
    return !ok ? status->code : stopped ? STATUS_INTERRUPTED : STATUS_OK;
}

const Command cmd_match = {
    .name = "match",
    .arguments = "PLAYER PLAYER... [OPTIONS]",
    .summary = "let players play against each other, and rate them",
    .description =
        "Two players get the same pieces and send each other garbage until one tops out. Games "
        "come in mirrored pairs: the same seed with the sides swapped. Prints wins, losses and "
        "draws, the Elo difference with a 95 % interval over pairs, and what each player did. "
        "Three or more players play a round robin, or with --gauntlet the first against all "
        "others. A player is an agent with its parameters, or any program: tbp:COMMAND speaks the "
        "Tetris Bot Protocol, lines:COMMAND reads positions and answers placements. With node "
        "limits and --turns a match repeats exactly, on any number of threads.",
    .examples =
        "  tetropt match 'bot?nodes=500' lookahead --games 4 --seed 1 --max-pieces 60\n"
        "  tetropt match weighted 'lookahead?breadth=4' random --games 4 --seed 1 --max-pieces 40\n"
        "  tetropt match --list-rules\n",
    .interrupted = "interrupted, after the result of the completed games was printed",
    .options = OPTIONS_TABLE(match_rows),
    .settings_bytes = sizeof(MatchSettings),
    .question = &match_job,
    .run = run_match,
};
