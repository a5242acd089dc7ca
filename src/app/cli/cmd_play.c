/*
 * play: the game for a person, on the terminal or by lines of text.
 *
 * Every mode of play (lines, board, rules, scoring, pieces) has its own table of high scores.
 * Problems with that file are reported after the game and never end one.
 */
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/live_game.h"
#include "cli/play_step.h"
#include "cli/session.h"
#include "io/question_files.h"
#include "io/scores.h"
#include "system/file.h"
#include "term/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MODE_BYTES = 96 };

static const Option play_rows[] = {
    PARAMETER_INTEGER(PlaySettings, lines, "lines", NULL, 1, 1e6,
                      "sprint: end the game after N lines"),
    OPTION_ROW(PlaySettings, TEXT, against, "against", .argument = "AGENT",
               .help = "race against an agent on the same pieces; lines sent come up as garbage"),
    PARAMETER_REAL(PlaySettings, opponent_speed, "opponent-speed", "0.3", 0.05, 16,
                   "speed of --against; 1: a key press every 60 ms"),
    OPTION_ROW(
        PlaySettings, FLAG, step, "step",
        .help = "no gravity and no screen: lists the legal moves, reads one from standard input, "
                "prints features and nectar after every lock"),
    OPTION_ROW(PlaySettings, TEXT, save, "save", .argument = "FILE", .file = OPTION_WRITES,
               .help = "save the (last) game as a replay"),
    PARAMETER_INTEGER(PlaySettings, countdown, "countdown", "3", 0, 10,
                      "seconds before a game starts and after a pause"),
    OPTION_ROW(PlaySettings, FLAG, ascii, "ascii", .help = "draw with ASCII characters only"),
    OPTION_ROW(PlaySettings, TEXT, list, "list", .argument = "FILE|LETTERS",
               .file = OPTION_READS_OR_NAME, .help = "the pieces of --randomizer list"),
    OPTIONS_INCLUDE(PlaySettings, play, play_options),
    PARAMETER_INTEGER(PlaySettings, seed, "seed", NULL, 0, 9.2e18,
                      "seed of the first game, the next has one more; drawn when not given"),
    OPTIONS_INCLUDE(PlaySettings, keys, keymap_options),
    OPTIONS_INCLUDE(PlaySettings, common, cli_common_options),
};

typedef struct PlayWork {
    const PlaySettings *settings;
    PlayList list;
    LiveSetup setup;
    uint64_t seed;
    int next_count;
    char mode[MODE_BYTES];
    char table[MODE_BYTES + 8]; /* of the high scores */
    Keymap keymap;
    Screen screen;
    Session session;
    Rival *rival; /* NULL: none */
    LiveRecord record;
    char *scores_path;
    Scores scores;
    int rank;
    bool entered;
    Status trouble; /* with the scores: reported at the end */
} PlayWork;

/* The rules of a person's game: the given options, else the guideline's. */
static void set_rules(const CliContext *context, const PlaySettings *settings, PlayWork *work) {
    const PlayOptions *play = &settings->play;
    Rules *rules = &work->setup.rules;
    rules->set = cli_given(context, "rules") ? (RuleSet)play->rules : RULES_GUIDELINE;
    rules->hold = cli_given(context, "hold") ? play->hold : true;
    rules->scoring = (Scoring)play->scoring;
    rules->kicks = (KickKind)play->kicks;
    rules->all_spin = play->spins == 1;
    rules->width = (uint8_t)play->width;
    rules->height = (uint8_t)play->height;
    if (!settings->step) { /* scripts of --step rely on the plain table and its list of moves */
        rules->bonus = rules->scoring == SCORING_GUIDELINE;
        rules->rotate180 = rules->set == RULES_GUIDELINE;
        work->setup.drop_points = rules->bonus;
    }
    int64_t preview = cli_given(context, "preview") ? play->preview : PLAY_VIEW_NEXT;
    work->next_count = (int)(preview < PLAY_VIEW_NEXT ? preview : PLAY_VIEW_NEXT);
    work->setup.max_pieces = settings->save ? REPLAY_MAX_MOVES : INT64_MAX;
    work->setup.max_lines = cli_given(context, "lines") ? settings->lines : INT64_MAX;
}

/* Checks and resolves the opponent of a race, if there is one. */
static bool set_rival(const CliContext *context, PlayWork *work, Status *status) {
    const PlaySettings *settings = work->settings;
    static const char *const excluded[] = {"lines", "step", "width", "height", "rules"};
    if (!settings->against)
        return !cli_given(context, "opponent-speed") ||
               status_option(status, "opponent-speed", "requires --against");
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++)
        if (cli_given(context, excluded[i]))
            return status_option(status, "against", "cannot be combined with --%s", excluded[i]);
    work->rival = memory_new(1, sizeof *work->rival, status);
    return work->rival && rival_init(work->rival, settings->against, &work->setup.rules,
                                     settings->opponent_speed, status);
}

/* Games by other rules have tables of their own. */
static void set_mode(const CliContext *context, PlayWork *work) {
    const Rules *rules = &work->setup.rules;
    char word[32];
    int used = cli_given(context, "lines") ? snprintf(work->mode, MODE_BYTES, "sprint %lld",
                                                      (long long)work->settings->lines)
                                           : snprintf(work->mode, MODE_BYTES, "marathon");
    if (work->rival)
        used = snprintf(work->mode, MODE_BYTES, "race %.40s", work->settings->against);
    if (rules->width != 10 || rules->height != 20)
        used += snprintf(work->mode + used, MODE_BYTES - (size_t)used, " %dx%d", rules->width,
                         rules->height);
    if (rules->set != RULES_GUIDELINE)
        used += snprintf(work->mode + used, MODE_BYTES - (size_t)used, " drop");
    used += snprintf(work->mode + used, MODE_BYTES - (size_t)used, "%s%s",
                     rules->kicks == KICKS_SRS_PLUS ? " srs-plus" : "",
                     rules->all_spin ? " all-spin" : "");
    if (rules->scoring != SCORING_GUIDELINE)
        used +=
            snprintf(work->mode + used, MODE_BYTES - (size_t)used, " %s",
                     options_choice_word(SCORING_CHOICES, (int)rules->scoring, word, sizeof word));
    if (work->list.pieces || cli_given(context, "randomizer"))
        snprintf(work->mode + used, MODE_BYTES - (size_t)used, " %s",
                 options_choice_word(RANDOMIZER_CHOICES,
                                     work->list.pieces ? RANDOMIZER_LIST
                                                       : work->settings->play.randomizer,
                                     word, sizeof word));
    /* The points of version 1.0, without bonuses, keep their own table; sprints count time. */
    bool bonus = rules->bonus && !cli_given(context, "lines");
    snprintf(work->table, sizeof work->table, "%s%s", work->mode, bonus ? " bonus" : "");
}

static void set_randomizer(const PlayWork *work, Randomizer *randomizer) {
    if (work->list.pieces)
        randomizer_init_list(randomizer, work->list.pieces, work->list.count);
    else
        randomizer_init(randomizer, (RandomizerKind)work->settings->play.randomizer, work->seed, 0);
}

/* ---- high scores */

static bool is_sprint(const PlayWork *work) {
    return work->setup.max_lines != INT64_MAX;
}

static ScoreEntry entry_of(const Live *live) {
    ScoreEntry entry = {.score = live_score(live),
                        .lines = live->game.lines,
                        .pieces = live->game.pieces,
                        .time_ms = live->time_us / 1000};
    time_t now = time(NULL);
    struct tm day;
    if (localtime_r(&now, &day))
        strftime(entry.date, sizeof entry.date, "%Y-%m-%d", &day);
    return entry;
}

/* A marathon counts whenever it ends, a sprint only when it was run to its end. Trouble with the
 * file is reported once the game is over; it never ends one. */
static void enter_score(PlayWork *work) {
    const Live *live = &work->session.live;
    bool counts = is_sprint(work) ? live->end == LIVE_LINES : live_score(live) > 0 && !work->rival;
    if (work->entered || !counts || !work->scores_path)
        return;
    work->entered = true;
    ScoreEntry entry = entry_of(live);
    Status status = {.code = STATUS_OK};
    if (!scores_enter(work->scores_path, work->table, &entry, is_sprint(work), &work->scores,
                      &work->rank, &status))
        work->trouble = status;
}

static void on_end(void *context, Session *session) {
    PlayWork *work = context;
    enter_score(work);
    snprintf(session->end_lines[0], SESSION_LINE_BYTES, "score %lld",
             (long long)live_score(&session->live));
    if (work->rank == 0)
        snprintf(session->end_lines[1], SESSION_LINE_BYTES, "your best");
    else if (work->rank > 0)
        snprintf(session->end_lines[1], SESSION_LINE_BYTES, "your number %d", work->rank + 1);
}

static void set_best(PlayWork *work) {
    PlayViewFact *best = &work->session.facts[0];
    Status status = {.code = STATUS_OK};
    if (!work->scores_path ||
        !scores_read(work->scores_path, work->table, &work->scores, &status)) {
        work->trouble = status;
        return;
    }
    if (work->scores.count == 0)
        return;
    best->label = "best";
    if (is_sprint(work))
        play_view_time(work->scores.entries[0].time_ms * 1000, best->value, sizeof best->value);
    else
        snprintf(best->value, sizeof best->value, "%lld", (long long)work->scores.entries[0].score);
}

/* ---- games */

static bool play_one(PlayWork *work, SessionEnd *end, Status *status) {
    Session *session = &work->session;
    *session = (Session){.screen = &work->screen,
                         .keymap = &work->keymap,
                         .mode = work->mode,
                         .next_count = work->next_count,
                         .rival = work->rival,
                         .countdown = (int)work->settings->countdown,
                         .ended = on_end,
                         .context = work};
    work->rank = -1;
    work->entered = false;
    set_best(work);
    set_randomizer(work, &work->setup.randomizer);
    live_init(&session->live, &work->setup);
    live_record_release(&work->record);
    if (work->rival && !rival_begin(work->rival, &work->setup, work->seed, status))
        return false;
    live_record_begin(&work->record, work->settings->save != NULL, &session->live, work->mode,
                      work->seed, work->rival ? &work->rival->own : NULL);
    *end = session_run(session);
    enter_score(work);
    return true;
}

static StatusCode play_on_terminal(CliContext *context, PlayWork *work, Status *status) {
    const PlaySettings *settings = work->settings;
    work->scores_path = scores_path();
    CliFile scores = {"the high scores", work->scores_path, OPTION_CONTINUES};
    if (!cli_files_check(context, &scores, work->scores_path != NULL, status))
        return status->code;
    TerminalOptions options = {cli_use_color(&settings->common, STDOUT_FILENO), settings->ascii};
    if (!terminal_open(context->command->name, options, &work->screen, status))
        return status->code;
    SessionEnd end = SESSION_QUIT;
    bool ok;
    while ((ok = play_one(work, &end, status)) && end == SESSION_AGAIN)
        work->seed++;
    terminal_close();
    if (!ok)
        return status->code;
    if (work->trouble.code != STATUS_OK && !settings->common.quiet)
        fprintf(stderr, "tetropt: high scores: %s\n", work->trouble.message);
    const Live *live = &work->session.live;
    if (!live_record_save(&work->record, live, settings->save, status) ||
        !live_game_print(&settings->common, work->mode, live, work->seed, work->rank, status))
        return status->code;
    return end == SESSION_STOPPED ? STATUS_INTERRUPTED : STATUS_OK;
}

static StatusCode run_with(CliContext *context, PlayWork *work, Status *status) {
    const PlaySettings *settings = work->settings;
    if (!cli_words_at_most(context, 0, status) ||
        !keymap_init(&work->keymap, &settings->keys, status) ||
        !question_read_file(context->settings, "list", status) ||
        !play_read_list(context->settings, &settings->play, settings->list, &work->list, status))
        return status->code;
    work->seed = cli_seed(context, settings->seed);
    set_rules(context, settings, work);
    const Rules *rules = &work->setup.rules;
    if (rules->set == RULES_DROP && (rules->kicks != KICKS_SRS || rules->all_spin)) {
        status_fail(status, STATUS_INPUT, "kicks and spins: not used by the rules drop");
        return status->code;
    }
    if (!set_rival(context, work, status))
        return status->code;
    set_mode(context, work);
    if (!settings->step)
        return play_on_terminal(context, work, status);
    set_randomizer(work, &work->setup.randomizer);
    PlayStep step = {.settings = settings,
                     .keymap = &work->keymap,
                     .mode = work->mode,
                     .next_count = work->next_count,
                     .seed = work->seed};
    return play_step_run(&step, &work->setup, status);
}

static StatusCode run_play(CliContext *context, const void *settings, Status *status) {
    PlayWork *work = memory_new(1, sizeof *work, status);
    if (!work)
        return status->code;
    work->settings = settings;
    work->rank = -1;
    StatusCode code = run_with(context, work, status);
    live_record_release(&work->record);
    if (work->rival)
        rival_release(work->rival);
    free(work->rival);
    screen_release(&work->screen);
    free(work->scores_path);
    free(work->list.pieces);
    free(work);
    return code;
}

const Command cmd_play = {
    .name = "play",
    .arguments = "[--lines N] [--step] [OPTIONS]",
    .summary = "the game, on the terminal",
    .description =
        "A game of Tetris. The arrow keys move, rotate and soft drop; z and x rotate, v rotates by "
        "180 degrees, space is a hard drop, c holds, p pauses. Every key can be changed here or in "
        "the configuration file. Scoring is the guideline's, with points for drops, T-spins, "
        "combos and back-to-back clears. Pieces fall by the guideline's gravity and lock half a "
        "second after they landed; moving them restarts that time, 15 times. "
        "--lines 40 is a sprint. High scores are kept in $XDG_DATA_HOME/tetropt/scores.json. "
        "--step plays by lines of text, without drop points and bonuses: the number of a move, or "
        "keys such as `left left cw drop` or `aaw`.",
    .examples = "  tetropt play                  # needs a terminal\n"
                "  tetropt play --lines 40 --save game.json   # needs a terminal\n"
                "  printf '1\\nleft cw drop\\n' | tetropt play --step --seed 1\n",
    .interrupted = "ended by a signal, after the game so far was saved and summed up",
    .options = OPTIONS_TABLE(play_rows),
    .settings_bytes = sizeof(PlaySettings),
    .run = run_play,
};
