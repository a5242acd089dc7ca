/* eval: judges one genotype, or a stream of them. */
#include "base/file.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "io/eval_document.h"
#include "view/board_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EVAL_DOCUMENT_LIMIT = 16 << 20 };

typedef struct EvalSettings {
    CliCommon common;
    bool batch, steps;
} EvalSettings;

static const Option eval_rows[] = {
    {.name = "batch",
     .kind = OPTION_FLAG,
     .offset = offsetof(EvalSettings, batch),
     .help = "read JSON Lines and print one JSON line for each, in order"},
    {.name = "steps",
     .kind = OPTION_FLAG,
     .offset = offsetof(EvalSettings, steps),
     .help = "show the board after every placement"},
    CLI_COMMON_ROWS(EvalSettings),
};

/* The buffers of a run, too large for the stack. */
typedef struct EvalWork {
    EvalRequest request;
    EvalResult result;
} EvalWork;

static bool evaluate(EvalWork *work, const char *text, size_t length, Status *status) {
    json_t *document = json_parse(text, length, status);
    if (!document)
        return false;
    bool ok = eval_request_read(&work->request, document, status);
    json_decref(document);
    return ok && eval_run(&work->request, &fitness_profiles[PROFILE_BLOCKS], &work->result, status);
}

static void add_term(Text *text, const char *name, double value, double weight) {
    text_format(text, "  %-20s %10g %10g %12g\n", name, value, weight,
                value * weight + 0.0 /* no -0 */);
}

static void add_table(const EvalWork *work, Text *text) {
    const FitnessProfile *profile = &fitness_profiles[PROFILE_BLOCKS];
    const DecodeState *state = &work->result.state;
    text_format(text, "  %-20s %10s %10s %12s\n", "term", "value", "weight", "contribution");
    add_term(text, "score", state->score, profile->score);
    add_term(text, "noops", state->noops, -profile->noop);
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        add_term(text, heuristic_names[i], heuristics_value(&work->result.heuristics, (Heuristic)i),
                 profile->heuristics * profile->weights[i]);
    add_term(text, "not placed", work->request.placements - state->placed, -profile->unplaced);
    text_format(text, "  %-20s %10s %10s %12g\n", "fitness", "", "", work->result.fitness);
}

static void add_steps(const EvalWork *work, bool color, Text *text) {
    enum { ACROSS = 3 };
    Grid grid = work->request.grid, shown[ACROSS];
    char titles[ACROSS][48];
    const Grid *grids[ACROSS] = {&shown[0], &shown[1], &shown[2]};
    const char *names[ACROSS] = {titles[0], titles[1], titles[2]};
    int rows = 4, count = work->result.state.placed;
    for (int i = 0; i < count; i++) {
        const DecodeStep *step = &work->result.steps[i];
        shown[i % ACROSS] = grid;
        grid_mark(&shown[i % ACROSS], step->placement, piece_letters[step->placement.piece]);
        grid_lock(&grid, step->placement, NULL);
        int highest = grid_highest(&shown[i % ACROSS]);
        rows = highest > rows ? highest : rows;
        snprintf(titles[i % ACROSS], sizeof titles[0], "%d: %c %s x=%d%s%s", i + 1,
                 piece_letters[step->placement.piece], rotation_names[step->placement.rotation],
                 step->placement.x, step->held ? " hold" : "", step->lines ? " clears" : "");
        if (i % ACROSS == ACROSS - 1 || i == count - 1) {
            board_view_draw_row(grids, names, i % ACROSS + 1, rows, color, text);
            text_add_char(text, '\n');
            rows = 4;
        }
    }
}

static bool show(const EvalSettings *settings, const EvalWork *work, Status *status) {
    if (settings->common.json)
        return cli_print_json(eval_result_json(&work->result), status);
    const DecodeState *state = &work->result.state;
    bool color = cli_use_color(&settings->common, STDOUT_FILENO);
    Text text;
    text_init(&text);
    if (settings->steps)
        add_steps(work, color, &text);
    int rows = grid_highest(&work->result.grid);
    board_view_draw(&work->result.grid, rows > 4 ? rows : 4, color, &text);
    text_format(&text, "\n%d of %d pieces placed, %d rows removed, score %d, %d no-ops%s\n\n",
                state->placed, work->request.placements, state->lines, (int)state->score,
                (int)state->noops, state->topped_out ? ", topped out" : "");
    add_table(work, &text);
    bool ok = !text.failed;
    if (ok)
        fputs(text.data, stdout);
    text_release(&text);
    return ok || status_no_memory(status);
}

static bool print_error_line(const Status *failure, Status *status) {
    return cli_print_json(json_pack("{s:s}", "error", failure->message), status);
}

/* One line of a batch. Returns false only when the program cannot go on. */
static bool run_line(EvalWork *work, const char *line, size_t length, bool *all_good,
                     Status *status) {
    Status failure = {.code = STATUS_OK};
    if (length > EVAL_DOCUMENT_LIMIT)
        status_fail(&failure, STATUS_INPUT, "line longer than %d bytes", EVAL_DOCUMENT_LIMIT);
    else if (evaluate(work, line, length, &failure))
        return cli_print_json(eval_result_json(&work->result), status);
    *all_good = false;
    return print_error_line(&failure, status);
}

static bool is_blank(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != '\n')
            return false;
    return true;
}

static StatusCode run_batch(EvalWork *work, FILE *input, Status *status) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    bool all_good = true, ok = true;
    while (ok && !ferror(stdout) && (length = getline(&line, &capacity, input)) >= 0) {
        if (atomic_load(stop_flag())) {
            free(line);
            return STATUS_INTERRUPTED;
        }
        if (!is_blank(line, (size_t)length))
            ok = run_line(work, line, (size_t)length, &all_good, status);
    }
    free(line);
    if (!ok)
        return status->code;
    if (ferror(input)) {
        status_fail(status, STATUS_SYSTEM, "eval: cannot read the input");
        return STATUS_SYSTEM;
    }
    return all_good ? STATUS_OK : STATUS_INPUT;
}

static StatusCode run_one(const EvalSettings *settings, EvalWork *work, const char *path,
                          Status *status) {
    size_t length;
    char *text = file_read(path, EVAL_DOCUMENT_LIMIT, &length, status);
    if (!text)
        return status->code;
    bool ok = evaluate(work, text, length, status) ||
              status_prefix(status, "%s", path[0] == '-' && !path[1] ? "standard input" : path);
    ok = ok && show(settings, work, status);
    free(text);
    return ok ? STATUS_OK : status->code;
}

static StatusCode run_eval(CliContext *context, const void *given, Status *status) {
    const EvalSettings *settings = given;
    if (!cli_words_at_most(context, 1, status))
        return status->code;
    const char *path = context->given.word_count ? context->given.words[0] : "-";
    EvalWork *work = malloc(sizeof *work);
    if (!work) {
        status_no_memory(status);
        return status->code;
    }
    StatusCode code;
    if (!settings->batch)
        code = run_one(settings, work, path, status);
    else if (path[0] == '-' && !path[1])
        code = run_batch(work, stdin, status);
    else {
        FILE *input = fopen(path, "r");
        if (!input) {
            status_fail(status, STATUS_INPUT, "%s: cannot be opened", path);
            code = STATUS_INPUT;
        } else {
            code = run_batch(work, input, status);
            fclose(input);
        }
    }
    free(work);
    return code;
}

const Command cmd_eval = {
    .name = "eval",
    .arguments = "[OPTIONS] [FILE]",
    .summary = "play and judge a genotype, or a stream of them",
    .description =
        "Reads a JSON document with pieces, encoding and genes (or moves) from FILE or standard "
        "input, plays it by the rules and prints the final board with every term of the fitness. "
        "With --batch every line is a document and every answer a line; a bad line gives an object "
        "with the member error in its place, and exit code 2 at the end.",
    .examples =
        "  tetropt eval examples/game.json\n"
        "  tetropt eval --steps examples/game.json\n"
        "  echo '{\"pieces\":\"TO\",\"encoding\":\"simple\",\"genes\":[[-4,0],[0,0]]}' | tetropt "
        "eval --json\n"
        "  tetropt eval --batch < many.jsonl > results.jsonl\n",
    .options = CLI_TABLE(eval_rows),
    .settings_bytes = sizeof(EvalSettings),
    .run = run_eval,
};
