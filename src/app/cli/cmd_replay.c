/*
 * replay: shows, checks and converts saved games. Every game is played again by the rules before
 * anything is shown or written, so what comes out is a game that can be played.
 */
#include "base/memory.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/replay_viewer.h"
#include "draw/animation.h"
#include "draw/movie.h"
#include "draw/picture.h"
#include "formats/document.h"
#include "formats/fumen.h"
#include "formats/history.h"
#include "formats/replay.h"
#include "formats/solution.h"
#include "system/file.h"
#include "system/video.h"
#include "term/board_view.h"
#include "term/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef enum Target {
    TO_TEXT,
    TO_JSON,
    TO_FUMEN,
    TO_SVG,
    TO_PNG,
    TO_PDF,
    TO_ANIMATED_SVG,
    TO_GIF,
    TO_WEBP,
    TO_MP4
} Target;

#define TARGET_CHOICES "text|json|fumen|svg|png|pdf|animated-svg|gif|webp|mp4"

typedef struct ReplaySettings {
    CliCommon common;
    int to;
    const char *out, *pieces;
    double seconds;
    bool final, ascii;
} ReplaySettings;

static const Option replay_rows[] = {
    OPTION_ROW(ReplaySettings, CHOICE, to, "to", .fallback = "text", .choices = TARGET_CHOICES,
               .argument = "FORMAT",
               .help = "format (default with --out: by its ending); webp and mp4 require ffmpeg"),
    OPTION_ROW(ReplaySettings, TEXT, out, "out", .argument = "FILE", .file = OPTION_PRINTS,
               .help = "write to FILE; - is standard output, the default"),
    OPTION_ROW(ReplaySettings, TEXT, pieces, "pieces", .argument = "FILE", .file = OPTION_READS,
               .help =
                   "the pieces of a move history of the published bee colony (docs/FORMATS.md)"),
    OPTION_ROW(ReplaySettings, REAL, seconds, "seconds", .fallback = "0.7", .min = 0.05, .max = 60,
               .argument = "SECONDS", .help = "how long an animation shows each piece"),
    OPTION_ROW(ReplaySettings, FLAG, final, "final", .help = "print only the final board, as text"),
    OPTION_ROW(ReplaySettings, FLAG, ascii, "ascii",
               .help = "on a terminal, draw with ASCII characters only"),
    OPTIONS_INCLUDE(ReplaySettings, common, cli_common_options),
};

/* A replay that was played: its steps and the game at its end. */
typedef struct Played {
    Replay replay;
    DecodeStep *steps;
    Game end;
    char title[REPLAY_TITLE_BYTES];
} Played;

static bool is_json(const char *text) {
    return text[strspn(text, " \t\r\n")] == '{';
}

/* A history has no pieces of its own. */
static bool read_history(Played *played, const char *text, const char *path, Status *status) {
    if (!path)
        return status_fail(status, STATUS_INPUT, "a move history requires --pieces");
    uint8_t *pieces = memory_new(REPLAY_MAX_MOVES, 1, status);
    int count = pieces ? cli_read_pieces(path, pieces, REPLAY_MAX_MOVES, status) : -1;
    bool ok =
        count >= 0 && replay_from_history(&played->replay, text, pieces, (size_t)count, status);
    free(pieces);
    return ok;
}

static bool read_text(Played *played, const ReplaySettings *settings, const char *text,
                      size_t length, Status *status) {
    if (history_is_inside(text))
        return read_history(played, text, settings->pieces, status);
    if (settings->pieces)
        return status_fail(status, STATUS_INPUT, "--pieces requires a move history");
    if (is_json(text))
        return solution_read_replay(text, length, &played->replay, status);
    if (fumen_is_inside(text, length))
        return replay_from_fumen(&played->replay, text, length, status);
    return status_fail(status, STATUS_INPUT, "neither a replay nor a fumen nor a move history");
}

/* FILE, - or a fumen itself. */
static bool read_input(Played *played, const ReplaySettings *settings, const char *word,
                       Status *status) {
    if (fumen_is_inside(word, strlen(word)))
        return replay_from_fumen(&played->replay, word, strlen(word), status) ||
               status_prefix(status, "fumen");
    size_t length;
    char *text = file_read(word, REPLAY_MAX_BYTES, &length, status);
    if (!text)
        return false;
    bool ok = read_text(played, settings, text, length, status);
    free(text);
    return ok || status_prefix(status, "%s", cli_path_name(word));
}

static bool play(Played *played, const char *word, Status *status) {
    Replay *replay = &played->replay;
    played->steps = calloc(replay->move_count + 1, sizeof *played->steps);
    if (!played->steps)
        return status_no_memory(status);
    if (!replay_play(replay, true, played->steps, &played->end, status))
        return status_prefix(status, "%s", cli_path_name(word));
    const Game *end = &played->end;
    if (replay->title[0])
        snprintf(played->title, sizeof played->title, "%s", replay->title);
    else if (end->pieces == 0)
        snprintf(played->title, sizeof played->title, "a board");
    else
        snprintf(played->title, sizeof played->title, "%lld piece%s, score %lld",
                 (long long)end->pieces, cli_plural(end->pieces), (long long)end->score);
    return true;
}

static ViewGame view_of(const Played *played) {
    return (ViewGame){&played->replay.start, played->steps, (int)played->end.pieces, played->title};
}

static void final_grid(const Played *played, Grid *grid) {
    *grid = played->replay.start;
    for (int64_t i = 0; i < played->end.pieces; i++) {
        grid_lock(grid, played->steps[i].move.placement, NULL);
        for (int k = 0; k < played->steps[i].garbage; k++)
            grid_rise(grid, played->steps[i].holes[k]);
    }
}

/* Titles come from files: nothing in them may command the terminal. The controls above 127, of
 * which one begins commands as ESC [ does, are two bytes in UTF-8. */
static void add_printable(Text *text, const char *string) {
    for (const unsigned char *at = (const unsigned char *)string; *at;) {
        uint32_t point = utf8_next(&at);
        bool control = point < ' ' || (point >= 127 && point < 160);
        utf8_add(control ? '?' : point, text);
    }
}

static void add_text(const ReplaySettings *settings, const Played *played, Text *text) {
    bool color = cli_use_color(&settings->common, STDOUT_FILENO) && !settings->out;
    const Game *end = &played->end;
    ViewGame game = view_of(played);
    add_printable(text, played->title);
    text_add(text, "\n\n");
    if (!settings->final)
        board_view_game(&game, settings->out ? 80 : cli_columns(STDOUT_FILENO), color, text);
    Grid grid;
    final_grid(played, &grid);
    text_add(text, "end\n");
    board_view_draw(&grid, grid_highest(&grid), color, text);
    text_format(text,
                "\n%lld piece%s placed, %lld %s cleared (%lld single, %lld double, %lld triple, "
                "%lld tetris), score %lld%s%s\n",
                (long long)end->pieces, end->pieces == 1 ? "" : "s", (long long)end->lines,
                end->lines == 1 ? "line" : "lines", (long long)end->clears[0],
                (long long)end->clears[1], (long long)end->clears[2], (long long)end->clears[3],
                (long long)end->score, end->over == OVER_NOT ? "" : ", over: ",
                end->over == OVER_NOT ? "" : game_over_names[end->over]);
    size_t foreign = replay_foreign_moves(&played->replay);
    if (foreign > 0)
        text_format(text, "%zu move%s only by the rules of the published program\n", foreign,
                    foreign == 1 ? " is possible" : "s are possible");
    else
        text_add(text, "every move follows the rules\n");
}

static bool add_fumen(const Played *played, Text *text, Status *status) {
    ViewGame game = view_of(played);
    return fumen_write_game(game.start, game.steps, game.count,
                            played->replay.title[0] ? played->replay.title : NULL, text, status);
}

static bool convert(const ReplaySettings *settings, Target target, Played *played, Text *text,
                    Status *status) {
    ViewGame game = view_of(played);
    switch (target) {
    case TO_TEXT:
        add_text(settings, played, text);
        return true;
    case TO_JSON:
        return replay_complete(&played->replay, status) &&
               replay_write(&played->replay, text, status);
    case TO_FUMEN:
        if (!add_fumen(played, text, status))
            return false;
        text_add_char(text, '\n');
        return true;
    case TO_SVG:
        return picture_game(&game, DRAWING_SVG, text, status);
    case TO_PNG:
        return picture_game(&game, DRAWING_PNG, text, status);
    case TO_PDF:
        return picture_game(&game, DRAWING_PDF, text, status);
    case TO_ANIMATED_SVG:
        return animation_svg(&game, settings->seconds, text, status);
    case TO_GIF:
    case TO_WEBP: /* ffmpeg converts the GIF */
    case TO_MP4:
        return movie_gif(&game, settings->seconds, text, status);
    }
    return false;
}

static bool is_video(Target target) {
    return target == TO_WEBP || target == TO_MP4;
}

/* --to, or what the ending of --out says. */
static bool choose_target(const CliContext *context, const ReplaySettings *settings, Target *target,
                          Status *status) {
    static const struct {
        const char *ending;
        Target target;
    } endings[] = {{".json", TO_JSON}, {".fumen", TO_FUMEN}, {".svg", TO_SVG},
                   {".png", TO_PNG},   {".pdf", TO_PDF},     {".txt", TO_TEXT},
                   {".gif", TO_GIF},   {".webp", TO_WEBP},   {".mp4", TO_MP4}};
    *target = (Target)settings->to;
    if (!settings->out || cli_given(context, "to"))
        return true;
    const char *dot = strrchr(settings->out, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i].ending) == 0) {
            *target = endings[i].target;
            return true;
        }
    return !dot || strchr(dot, '/') ||
           status_fail(status, STATUS_INPUT,
                       "--out: unknown ending '%s'; "
                       "give --to",
                       dot);
}

static bool write_out(const ReplaySettings *settings, Target target, const Text *text,
                      Status *status) {
    if (text->failed)
        return status_no_memory(status);
    if (is_video(target))
        return video_write(settings->out, target == TO_MP4 ? VIDEO_MP4 : VIDEO_WEBP, text, status);
    if (settings->out && strcmp(settings->out, "-") != 0)
        return file_replace(settings->out, text->data, text->length, status);
    if ((target == TO_PNG || target == TO_PDF || target == TO_GIF) && isatty(STDOUT_FILENO))
        return status_fail(status, STATUS_INPUT,
                           "--out: missing; a picture cannot be printed on a terminal");
    fwrite(text->data, 1, text->length, stdout);
    return true;
}

/* What the game came to, for --json. */
static bool print_summary(const Played *played, Status *status) {
    const Game *end = &played->end;
    Text fumen = {0};
    bool fits = fumen_fits(&played->replay.start, played->steps, (int)end->pieces);
    if (fits && !add_fumen(played, &fumen, status)) {
        text_release(&fumen);
        return false;
    }
    Grid grid;
    final_grid(played, &grid);
    JsonWriter w;
    jw_start(&w);
    jw_put(&w, JB("follows_rules", replay_foreign_moves(&played->replay) == 0),
           JI("score", end->score), JI("lines", end->lines), JI("pieces", end->pieces));
    jw_integers(&w, "clears", end->clears, 4);
    jw_string(&w, "over", game_over_names[end->over]);
    document_write_piece(&w, "hold", (Piece)end->hold);
    document_write_board(&w, "board", &grid);
    jw_string(&w, "fumen", fits ? fumen.data : NULL);
    w.own.failed |= fumen.failed;
    text_release(&fumen);
    return cli_print_json(&w, status);
}

/* On a terminal the viewer is shown, unless something else was asked for. */
static bool is_interactive(const CliContext *context, const ReplaySettings *settings) {
    return terminal_available() && !settings->common.json && !settings->out && !settings->final &&
           !cli_given(context, "to");
}

static bool view(const ReplaySettings *settings, const Played *played, Status *status) {
    StatusCode code =
        replay_viewer_run(&played->replay, played->steps, played->title,
                          cli_use_color(&settings->common, STDOUT_FILENO), settings->ascii, status);
    status->code = code; /* a signal has a code and no message */
    return code == STATUS_OK;
}

static bool check_video(const ReplaySettings *settings, Status *status) {
    if (!settings->out || strcmp(settings->out, "-") == 0)
        return status_option(status, "to", "webp and mp4 require --out FILE");
    return video_available(status) && file_check_writable(settings->out, status);
}

static bool run_with(CliContext *context, const ReplaySettings *settings, Played *played,
                     const char *word, Status *status) {
    Target target;
    if (!choose_target(context, settings, &target, status) ||
        (is_video(target) && !check_video(settings, status)) ||
        !read_input(played, settings, word, status) || !play(played, word, status))
        return false;
    if (settings->common.json)
        return print_summary(played, status);
    if (is_interactive(context, settings))
        return view(settings, played, status);
    Text text = {0};
    bool ok = convert(settings, target, played, &text, status) &&
              write_out(settings, target, &text, status);
    text_release(&text);
    return ok;
}

/* Two boards of a match, side by side. */
static bool show_pair(CliContext *context, const ReplaySettings *settings, Played played[2],
                      Status *status) {
    if (settings->common.json || settings->out || settings->final || cli_given(context, "to"))
        return status_fail(status, STATUS_INPUT,
                           "%s: two games are only shown; convert them one by one",
                           context->words.items[1]);
    for (int i = 0; i < 2; i++)
        if (!read_input(&played[i], settings, context->words.items[i], status) ||
            !play(&played[i], context->words.items[i], status))
            return false;
    bool color = cli_use_color(&settings->common, STDOUT_FILENO);
    if (is_interactive(context, settings)) {
        ReplayShown shown[2];
        for (int i = 0; i < 2; i++)
            shown[i] = (ReplayShown){&played[i].replay, played[i].steps, played[i].title};
        status->code = replay_viewer_pair(shown, color, settings->ascii, status);
        return status->code == STATUS_OK;
    }
    Text text = {0};
    ViewGame games[2] = {view_of(&played[0]), view_of(&played[1])};
    for (int i = 0; i < 2; i++) {
        text_add(&text, i ? "against " : "");
        add_printable(&text, played[i].title);
        text_add_char(&text, '\n');
    }
    board_view_pair(games, color, &text);
    return cli_print_text(&text, status);
}

static StatusCode run_pair(CliContext *context, const ReplaySettings *settings, Status *status) {
    Played *played = memory_new(2, sizeof *played, status);
    if (!played)
        return status->code;
    bool ok = show_pair(context, settings, played, status);
    for (int i = 0; i < 2; i++) {
        replay_release(&played[i].replay);
        free(played[i].steps);
    }
    free(played);
    return ok ? STATUS_OK : status->code;
}

static StatusCode run_replay(CliContext *context, const void *given, Status *status) {
    const ReplaySettings *settings = given;
    if (!cli_words_at_most(context, 2, status))
        return status->code;
    if (context->words.count == 2)
        return run_pair(context, settings, status);
    if (settings->common.json && (cli_given(context, "to") || settings->out)) {
        status_fail(status, STATUS_INPUT, "--json: prints a summary; --to json writes the replay");
        return status->code;
    }
    Played *played = memory_new(1, sizeof *played, status);
    if (!played)
        return status->code;
    const char *word = context->words.count ? context->words.items[0] : "-";
    bool ok = run_with(context, settings, played, word, status);
    replay_release(&played->replay);
    free(played->steps);
    free(played);
    return ok ? STATUS_OK : status->code;
}

const Command cmd_replay = {
    .name = "replay",
    .arguments = "[OPTIONS] [FILE | FUMEN | FILE FILE]",
    .summary = "show, check and convert a saved game",
    .description =
        "Reads a replay (JSON) or a fumen from FILE, from standard input or from the command line, "
        "plays it again by the rules and shows the board after every placement; on a terminal it "
        "can be run and stepped in both directions (--to text prints it instead). A game that "
        "breaks the rules is rejected with the number of the move, exit code 2. --to converts it: "
        "json (with the key presses of every move), fumen, pictures with a numbered panel for "
        "every placement, or an animation: SVG, GIF, and with ffmpeg WebP and MP4. Two files are "
        "shown side by side, as the boards of a match (match --save-games).",
    .examples = "  tetropt replay examples/replay.json\n"
                "  tetropt replay examples/replay.json --to fumen\n"
                "  tetropt replay 'v115@vhCVQJZkBDtB' --out game.png\n"
                "  tetropt replay examples/replay.json --to animated-svg --out game.svg\n"
                "  tetropt replay examples/replay.json --out game.gif\n",
    .options = OPTIONS_TABLE(replay_rows),
    .settings_bytes = sizeof(ReplaySettings),
    .run = run_replay,
    .reads_word = true,
};
