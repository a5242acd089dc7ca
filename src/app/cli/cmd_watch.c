/*
 * watch: an agent plays on the terminal, with its evaluation beside the field. It presses keys
 * under gravity (live/pilot), as a person would, so it may be overtaken; apart from that a game is
 * the one that `simulate` plays with the same seed.
 */
#include "base/memory.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/live_game.h"
#include "cli/session.h"
#include "io/question_files.h"
#include "job/simulate.h"
#include "system/file.h"
#include "system/stop.h"
#include "term/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLAN_PIECES = 500 };

typedef struct WatchSettings {
    CliCommon common;
    CliKeys keys;
    const char *speed, *save;
    int64_t max_pieces, lines, seed, press_ms;
    bool ascii;
} WatchSettings;

/* The options about the agent and its games, as in `simulate`. */
typedef struct WatchQuestion {
    PlayOptions play;
    PlayerOptions player;
    const char *agent;
} WatchQuestion;

static const Option question_rows[] = {
    OPTION_ROW(
        WatchQuestion, TEXT, agent, "agent", .argument = "NAME", .word_at = play_agent_at,
        .file = OPTION_LOADS,
        .help = "who plays (default: weighted, under drop surface); simulate --list explains them"),
    OPTIONS_INCLUDE(WatchQuestion, player, player_options),
    OPTIONS_INCLUDE(WatchQuestion, play, play_options),
};

static const Job watch_question = {.name = "watch",
                                   .options = OPTIONS_TABLE(question_rows),
                                   .question_bytes = sizeof(WatchQuestion),
                                   .parameters_at = play_parameters_at};

static const Option watch_rows[] = {
    OPTION_ROW(WatchSettings, TEXT, speed, "speed", .fallback = "1", .argument = "FACTOR",
               .help =
                   "speed factor, 0.0625 to 64, or max: without delays, and exit at the end of the "
                   "game; the game is the same at any speed"),
    PARAMETER_INTEGER(WatchSettings, press_ms, "press-ms", "60", 1, 10000,
                      "milliseconds of game time between two key presses of the agent"),
    PARAMETER_INTEGER(WatchSettings, max_pieces, "max-pieces", NULL, 1, 1e9,
                      "end the game after N pieces"),
    PARAMETER_INTEGER(WatchSettings, lines, "lines", NULL, 1, 1e9, "end the game after N lines"),
    OPTION_ROW(WatchSettings, TEXT, save, "save", .argument = "FILE", .file = OPTION_WRITES,
               .help = "save the (last) game as a replay, with every key press"),
    OPTION_ROW(WatchSettings, FLAG, ascii, "ascii", .help = "draw with ASCII characters only"),
    PARAMETER_INTEGER(WatchSettings, seed, "seed", NULL, 0, 9.2e18,
                      "seed of the first game, the next has one more; drawn when not given"),
    OPTIONS_INCLUDE(WatchSettings, keys, keymap_options),
    OPTIONS_INCLUDE(WatchSettings, keys, keymap_watch_options),
    OPTIONS_INCLUDE(WatchSettings, common, cli_common_options),
};

typedef struct WatchWork {
    const WatchSettings *settings;
    PlayList list;
    Setup player;
    SimulateTask task; /* played by `player` */
    char label[SIMULATE_LABEL_BYTES];
    const char *weights; /* their name; NULL: takes none */
    LiveSetup setup;
    double speed;
    bool flat_out;
    uint64_t seed;
    Keymap keymap;
    Screen screen;
    Session session;
    LiveRecord record;
    char fault[STATUS_MESSAGE_BYTES]; /* why an outside player lost; "": it did not */
} WatchWork;

static bool read_speed(const char *text, WatchWork *work, Status *status) {
    work->speed = 1;
    work->flat_out = strcmp(text, "max") == 0;
    if (work->flat_out)
        return true;
    if (options_read_real(text, &work->speed) && work->speed >= 0.0625 && work->speed <= 64)
        return true;
    return status_fail(status, STATUS_INPUT, "--speed: '%s' is neither max nor in 0.0625..64",
                       text);
}

static bool prepare(CliContext *context, WatchWork *work, Status *status) {
    const WatchSettings *settings = work->settings;
    if (!keymap_init(&work->keymap, &settings->keys, status) ||
        !read_speed(settings->speed, work, status) ||
        !question_read_files(context->question, status))
        return false;
    const Question *question = context->question;
    const WatchQuestion *asked = question->values;
    PlayRequest request = {.question = question,
                           .play = &asked->play,
                           .player = &asked->player,
                           .agent = asked->agent,
                           .named = true,
                           .recorded = true};
    if (!play_read_list(question, &asked->play, asked->player.list, &work->list, status) ||
        !play_setup(&request, &work->player, status)) {
        question_name_file(question, status);
        return false;
    }
    SimulateTask *task = &work->task;
    simulate_use(task, &work->player);
    if (work->list.pieces)
        task->randomizer = RANDOMIZER_LIST;
    task->list = work->list.pieces;
    task->list_count = work->list.count;
    work->weights = question_name(question, "weights");
    snprintf(work->label, sizeof work->label, "%s%s%s", work->player.agent->name,
             work->weights ? " " : "", work->weights ? work->weights : "");
    if (!work->weights)
        work->weights = work->player.weights;
    work->seed = cli_seed(context, settings->seed);
    work->player.made_for.threads = pool_processors();
    work->setup.rules = task->setup.rules;
    work->setup.max_lines = cli_given(context, "lines") ? settings->lines : INT64_MAX;
    work->setup.max_pieces = cli_given(context, "max-pieces") ? settings->max_pieces : INT64_MAX;
    if (settings->save && work->setup.max_pieces > REPLAY_MAX_MOVES) {
        if (cli_given(context, "max-pieces"))
            return status_fail(status, STATUS_INPUT, "--max-pieces: a replay has at most %d",
                               REPLAY_MAX_MOVES);
        work->setup.max_pieces = REPLAY_MAX_MOVES;
    }
    return true;
}

static void show_planning(WatchWork *work) {
    screen_clear(&work->screen);
    screen_format(&work->screen, work->screen.rows / 2, 2, STYLE_PLAIN,
                  "%s plans its game (Ctrl-C ends it) ...", work->label);
    terminal_show(&work->screen);
}

/* The same pieces and random numbers as game number 0 of `simulate --seed`. */
static bool begin_game(WatchWork *work, Status *status) {
    SimulateTask *task = &work->task;
    Session *session = &work->session;
    task->seed = task->piece_seed = work->seed;
    simulate_pieces(task, 0, &work->setup.randomizer);
    live_init(&session->live, &work->setup);
    PilotSetup setup = {.player = &work->player,
                        .seed = work->seed,
                        .press_us = work->settings->press_ms * 1000,
                        .max_pieces = work->setup.max_pieces};
    session->pilot = pilot_new(&setup, status);
    if (!session->pilot || !pilot_needs_plan(session->pilot))
        return session->pilot != NULL;
    show_planning(work);
    int64_t pieces = work->setup.max_pieces < PLAN_PIECES ? work->setup.max_pieces : PLAN_PIECES;
    return pilot_plan(session->pilot, &session->live.game, pieces, stop_flag(), status);
}

static bool watch_one(WatchWork *work, SessionEnd *end, Status *status) {
    Session *session = &work->session;
    const WatchSettings *settings = work->settings;
    /* Speed and who plays stay as they were in the game before. */
    *session = (Session){.screen = &work->screen,
                         .keymap = &work->keymap,
                         .mode = work->label,
                         .next_count = PLAY_VIEW_NEXT,
                         .weights = work->weights ? work->weights : PILOT_FALLBACK_WEIGHTS,
                         .piloted = true,
                         .speed = work->speed,
                         .flat_out = work->flat_out,
                         .leave_at_end = strcmp(settings->speed, "max") == 0};
    bool ok = begin_game(work, status);
    live_record_release(&work->record);
    if (ok) {
        live_record_begin(&work->record, settings->save != NULL, &session->live, work->label,
                          work->seed, NULL);
        *end = session_run(session);
        work->speed = session->speed;
        work->flat_out = session->flat_out;
    }
    if (session->pilot && session->live.end == LIVE_FAULT)
        snprintf(work->fault, sizeof work->fault, "%s", pilot_fault(session->pilot));
    pilot_free(session->pilot);
    session->pilot = NULL;
    return ok;
}

static StatusCode run_with(CliContext *context, WatchWork *work, Status *status) {
    const WatchSettings *settings = work->settings;
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    if (play_wants_agents(((const WatchQuestion *)context->question->values)->player.list))
        return cli_print_list(context, simulate_list_agents, status);
    if (!prepare(context, work, status))
        return status->code;
    TerminalOptions options = {cli_use_color(&settings->common, STDOUT_FILENO), settings->ascii};
    if (!terminal_open("watch", options, &work->screen, status))
        return status->code;
    SessionEnd end = SESSION_QUIT;
    bool ok;
    while ((ok = watch_one(work, &end, status)) && end == SESSION_AGAIN)
        work->seed++;
    terminal_close();
    const Live *live = &work->session.live;
    if (!ok || !live_record_save(&work->record, live, settings->save, status) ||
        !live_game_print(&settings->common, work->label, live, work->seed, -1, status))
        return status->code;
    if (work->fault[0] && !settings->common.quiet)
        fprintf(stderr, "%s lost: %s\n", work->label, work->fault);
    return end == SESSION_STOPPED ? STATUS_INTERRUPTED : STATUS_OK;
}

static StatusCode run_watch(CliContext *context, const void *settings, Status *status) {
    WatchWork *work = memory_new(1, sizeof *work, status);
    if (!work)
        return status->code;
    work->settings = settings;
    StatusCode code = run_with(context, work, status);
    live_record_release(&work->record);
    screen_release(&work->screen);
    setup_release(&work->player);
    free(work->list.pieces);
    free(work);
    return code;
}

const Command cmd_watch = {
    .name = "watch",
    .arguments = "[--agent NAME] [--speed FACTOR] [OPTIONS]",
    .summary = "an agent plays, on the terminal",
    .description =
        "An agent plays under gravity by key presses; next to the field are the best placements by "
        "its weights and their features. If gravity puts its target out of reach, the agent "
        "decides "
        "again. p pauses, n steps by one key press, + and - change the speed, t takes over the "
        "game "
        "from the agent and hands it back. As long as gravity does not interfere, the game is that "
        "of simulate with the same seed. Agents that play complete games (bees) plan one first, at "
        "most 500 pieces; it is shown to its end as planned, under any gravity.",
    .examples =
        "  tetropt watch --agent lookahead --preview 5       # needs a terminal\n"
        "  tetropt watch --agent dt20 --speed 4              # needs a terminal\n"
        "  tetropt watch --seed 1 --max-pieces 100 --speed max --save game.json   # needs a "
        "terminal\n",
    .interrupted = "ended by a signal, after the game so far was saved and summed up",
    .options = OPTIONS_TABLE(watch_rows),
    .settings_bytes = sizeof(WatchSettings),
    .question = &watch_question,
    .run = run_watch,
};
