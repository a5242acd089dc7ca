/*
 * tbp: a bot for any frontend that speaks the Tetris Bot Protocol. Lines come on standard input and
 * go out on standard output, flushed one by one; what cannot be understood is reported on standard
 * error and skipped. The end of the input is the end of the program.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "base/parameters.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "engine/game.h"
#include "io/tbp.h"
#include "player/registry.h"
#include "system/lines.h"
#include "system/stop.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    LINE_BYTES_MAX = 1 << 20, /* a board takes 3000 */
    POLL_MS = 200,            /* how often a signal is looked for */
    REMARKS_MAX = 100         /* a frontend may not read them, and a full pipe would stop the bot */
};

typedef struct TbpSettings {
    CliCommon common;
    int64_t move_time_ms, nodes, threads, memory_mb;
    int kicks, spins;
    OptionList parameters;
} TbpSettings;

static const Option tbp_rows[] = {
    OPTION_ROW(TbpSettings, INTEGER, move_time_ms, "move-time", .fallback = "100", .min = 1,
               .max = 60000, .argument = "MS", .help = "answer within this many milliseconds"),
    PARAMETER_INTEGER(
        TbpSettings, nodes, "nodes", NULL, 1, 1e12,
        "evaluate this many placements for every suggestion instead, and search only then: the "
        "same input gives the same output"),
    PARAMETER_INTEGER(TbpSettings, threads, "threads", NULL, 1, POOL_MAX_THREADS,
                      "search threads (default: the cores it may use)"),
    OPTION_ROW(TbpSettings, INTEGER, memory_mb, "memory", .fallback = "128", .min = 1, .max = 65536,
               .argument = "MB", .help = "search memory in megabytes"),
    OPTION_ROW(TbpSettings, CHOICE, kicks, "kicks", .fallback = "srs", .choices = KICKS_CHOICES,
               .argument = "NAME",
               .help = "how the frontend rotates: by SRS, or by SRS+ with 180-degree rotations"),
    OPTION_ROW(TbpSettings, CHOICE, spins, "spins", .fallback = "t", .choices = SPINS_CHOICES,
               .argument = "NAME", .help = "which pieces can spin: T, or all but O"),
    OPTION_ROW(TbpSettings, LIST, parameters, "param", .argument = "NAME=VALUE",
               .help = "set a weight of the evaluation (see bot in simulate --list); repeatable"),
    OPTIONS_INCLUDE(TbpSettings, common, cli_common_options),
};

typedef struct Frontend {
    const TbpSettings *settings;
    Bot *bot;
    TbpMessage message;
    unsigned moves; /* how pieces move (rules_moves) */
    int64_t line_number;
    int remarks;
    uint64_t answered_ns;
    uint64_t read_ns; /* when bytes were read last */
    uint64_t came_ns; /* the earliest moment at which they can have come */
    Lines lines;
} Frontend;

static void remark(Frontend *frontend, const char *text) {
    if (frontend->settings->common.quiet || frontend->remarks > REMARKS_MAX)
        return;
    if (frontend->remarks++ == REMARKS_MAX)
        fprintf(stderr, "tetropt: line %lld: further diagnostics are suppressed\n",
                (long long)frontend->line_number);
    else
        fprintf(stderr, "tetropt: line %lld: %.200s\n", (long long)frontend->line_number, text);
}

/* --- Reading. --- */

/* Waits for input; false after a signal. */
static bool wait_for_input(void *context) {
    Frontend *frontend = context;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    /* What is there without waiting may have come at any time since the last look. */
    frontend->came_ns = frontend->read_ns;
    for (int wait_ms = 0;; wait_ms = POLL_MS) {
        if (atomic_load(stop_flag()))
            return false;
        int ready = poll(&input, 1, wait_ms);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        frontend->read_ns = clock_now_ns();
        if (wait_ms > 0)
            frontend->came_ns = frontend->read_ns;
        return true;
    }
}

/* The next line and its length, or NULL when there are no more. */
static const char *next_line(Frontend *frontend, size_t *length, Status *status) {
    const char *line;
    for (;;) {
        LinesEvent event = lines_next(&frontend->lines, &line, length, status);
        if (event != LINES_LINE && event != LINES_TOO_LONG)
            return NULL;
        frontend->line_number++;
        if (event == LINES_LINE)
            return line;
        remark(frontend, "the line is too long");
    }
}

/* --- Answering. --- */

/* Sends a line and frees it. */
static bool send_line(char *line, Status *status) {
    if (!line)
        return status_no_memory(status);
    bool ok = puts(line) >= 0 && fflush(stdout) == 0;
    free(line);
    return ok; /* main checks the output and reports why */
}

/* A question that came before the last answer begins to count with that answer. */
static bool suggest(Frontend *frontend, Status *status) {
    BotSuggestion suggestion;
    uint64_t came_ns = frontend->came_ns, answered_ns = frontend->answered_ns;
    bot_suggest(frontend->bot, came_ns > answered_ns ? came_ns : answered_ns, &suggestion);
    bool ok = send_line(tbp_suggestion(&suggestion), status);
    frontend->answered_ns = clock_now_ns();
    return ok;
}

/* What a message asks for; false when the output is lost. */
static bool obey(Frontend *frontend, Status *status) {
    const TbpMessage *message = &frontend->message;
    Status refused = {0};
    if (message->remark[0])
        remark(frontend, message->remark);
    switch (message->kind) {
    case TBP_RULES:
        return send_line(message->supported ? tbp_ready() : tbp_error("unsupported_rules"), status);
    case TBP_SUGGEST:
        return suggest(frontend, status);
    case TBP_START:
        frontend->message.position.moves = frontend->moves;
        bot_start(frontend->bot, &message->position);
        break;
    case TBP_STOP:
        bot_stop(frontend->bot);
        break;
    case TBP_PLAY:
        bot_play(frontend->bot, message->move, &refused);
        break;
    case TBP_NEW_PIECE:
        bot_new_piece(frontend->bot, message->piece, &refused);
        break;
    case TBP_GARBAGE:
        bot_rise(frontend->bot, message->rows, message->row_count, &refused);
        break;
    case TBP_INCOMING:
        bot_incoming(frontend->bot, message->row_count, &refused);
        break;
    case TBP_UNKNOWN:
    case TBP_QUIT:
        break;
    }
    if (refused.message[0])
        remark(frontend, refused.message);
    return true;
}

static void talk(Frontend *frontend, Status *status) {
    const char *line;
    size_t length;
    frontend->read_ns = clock_now_ns();
    while ((line = next_line(frontend, &length, status))) {
        Status bad = {0};
        bool ok = tbp_read(line, length, &frontend->message, &bad);
        if (!ok && bad.code == STATUS_SYSTEM) {
            *status = bad;
            return;
        }
        if (!ok) {
            remark(frontend, bad.message);
            /* The game before it is over all the same. */
            if (frontend->message.kind == TBP_START)
                bot_stop(frontend->bot);
            continue;
        }
        if (frontend->message.kind == TBP_QUIT || !obey(frontend, status))
            return;
    }
}

/* The options are parameters of the agent; without --nodes it answers by the clock. */
static bool prepare(Frontend *frontend, bool by_nodes, Status *status) {
    const TbpSettings *settings = frontend->settings;
    const Agent *agent = &bot_agent;
    Parameters parameters;
    char pairs[128];
    snprintf(pairs, sizeof pairs, "nodes=%lld&threads=%lld&memory=%lld",
             (long long)(by_nodes ? settings->nodes : 1),
             (long long)(settings->threads ? settings->threads : pool_processors()),
             (long long)settings->memory_mb);
    parameters_init(&parameters, agent->name, agent->parameters);
    if (parameters_set_all(&parameters, pairs, '&', status) &&
        parameters_set_list(&parameters, &settings->parameters, status))
        frontend->bot = agent->think(parameters.values, by_nodes ? 0 : settings->move_time_ms,
                                     stop_flag(), status);
    parameters_release(&parameters);
    frontend->lines = (Lines){.descriptor = STDIN_FILENO,
                              .name = "standard input",
                              .limit = LINE_BYTES_MAX,
                              .wait = wait_for_input,
                              .context = frontend};
    return frontend->bot;
}

static StatusCode run_tbp(CliContext *context, const void *given, Status *status) {
    Frontend *frontend = memory_new(1, sizeof *frontend, status);
    if (!frontend)
        return status->code;
    frontend->settings = given;
    frontend->moves = rules_moves(&(Rules){.kicks = (KickKind)frontend->settings->kicks,
                                           .all_spin = frontend->settings->spins == 1});
    if (cli_words_at_most(context, 0, status) &&
        prepare(frontend, cli_given(context, "nodes"), status) &&
        send_line(tbp_info(TETROPT_VERSION), status))
        talk(frontend, status);
    bot_free(frontend->bot);
    lines_release(&frontend->lines);
    free(frontend);
    return status->code == STATUS_OK && atomic_load(stop_flag()) ? STATUS_INTERRUPTED
                                                                 : status->code;
}

const Command cmd_tbp = {
    .name = "tbp",
    .arguments = "[OPTIONS]",
    .summary = "a Tetris Bot Protocol bot on standard input and output",
    .description =
        "Plays for a frontend: reads messages of the Tetris Bot Protocol from standard input, one "
        "JSON object per line, and answers on standard output. It searches over the whole queue "
        "with hold, continues while it waits and keeps its search when a piece was placed.",
    .examples = "  printf '{\"type\":\"quit\"}\\n' | tetropt tbp\n"
                "  tetropt tbp --nodes 20000 < examples/tbp.jsonl\n"
                "  tetropt tbp --move-time 50 --threads 1 --quiet < examples/tbp.jsonl\n",
    .interrupted = "ended by a signal",
    .options = OPTIONS_TABLE(tbp_rows),
    .settings_bytes = sizeof(TbpSettings),
    .run = run_tbp,
};
