/*
 * eval: the command line of job/eval: one solution, or a stream of them.
 *
 * In a stream every line that is not blank gives exactly one line, in order; an invalid one an
 * object with its error. So the sender knows which answer belongs to which line.
 */
#include "base/memory.h"
#include "cli/cli.h"
#include "formats/solution.h"
#include "job/eval.h"
#include "system/file.h"
#include "system/lines.h"
#include "system/stop.h"
#include "term/eval_view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVAL_DOCUMENT_LIMIT = 16 << 20 };

typedef struct EvalSettings {
    CliCommon common;
    bool batch, steps;
    EvalOptions options;
} EvalSettings;

static const Option eval_rows[] = {
    OPTION_ROW(EvalSettings, FLAG, batch, "batch",
               .help = "read JSON Lines and print one JSON line for each, in order"),
    OPTION_ROW(EvalSettings, FLAG, steps, "steps", .help = "show the board after every placement"),
    OPTIONS_INCLUDE(EvalSettings, options, eval_options),
    OPTIONS_INCLUDE(EvalSettings, common, cli_common_options),
};

typedef struct EvalWork {
    const EvalSettings *settings;
    SolutionGiven given;
    EvalRun run;
    Text text; /* output */
} EvalWork;

static bool evaluate(EvalWork *work, const char *text, size_t length, Status *status) {
    return eval_document(&work->run, text, length, &work->given, status);
}

/* Prints the line in work->text. */
static bool print_line(const EvalWork *work, Status *status) {
    if (work->text.failed)
        return status_no_memory(status);
    puts(work->text.data);
    return true;
}

/* Prints the result as one line of JSON. */
static bool print_json(EvalWork *work, Status *status) {
    JsonWriter json;
    text_clear(&work->text);
    jw_init(&json, &work->text);
    jw_object(&json, NULL);
    solution_write_result(&json, &work->run.result);
    jw_end(&json);
    return print_line(work, status);
}

static bool show(EvalWork *work, Status *status) {
    const EvalSettings *settings = work->settings;
    const EvalRun *run = &work->run;
    if (settings->common.json)
        return print_json(work, status);
    bool color = cli_use_color(&settings->common, STDOUT_FILENO);
    Text text = {0};
    if (settings->steps)
        eval_view_steps(&run->request, &run->result, cli_columns(STDOUT_FILENO), color, &text);
    eval_view_board(&run->result, color, &text);
    text_add_char(&text, '\n');
    eval_view_counts(&run->request, &run->result, &text);
    text_add_char(&text, '\n');
    eval_view_terms(&run->request, &run->result, &fitness_profiles[PROFILE_BLOCKS], &text);
    return cli_print_text(&text, status);
}

static bool print_error_line(EvalWork *work, const Status *failure, Status *status) {
    JsonWriter json;
    text_clear(&work->text);
    jw_init(&json, &work->text);
    jw_object(&json, NULL);
    jw_string(&json, "error", failure->message);
    jw_end(&json);
    return print_line(work, status);
}

/* The answer to an invalid line of a batch. Returns false when the program cannot continue. */
static bool refuse_line(EvalWork *work, const Status *failure, bool *all_good, Status *status) {
    if (failure->code != STATUS_INPUT) {
        *status = *failure;
        return false;
    }
    *all_good = false;
    return print_error_line(work, failure, status);
}

static bool run_line(EvalWork *work, const char *line, size_t length, bool *all_good,
                     Status *status) {
    Status failure = {.code = STATUS_OK};
    if (evaluate(work, line, length, &failure))
        return print_json(work, status);
    return refuse_line(work, &failure, all_good, status);
}

static bool run_long_line(EvalWork *work, bool *all_good, Status *status) {
    Status failure = {.code = STATUS_OK};
    status_fail(&failure, STATUS_INPUT, "line longer than %d bytes", EVAL_DOCUMENT_LIMIT);
    return refuse_line(work, &failure, all_good, status);
}

static bool is_blank(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != '\n')
            return false;
    return true;
}

/* Someone who waits for each answer before the next line gets it at once; a file does not wait. */
static void flush_for_pipes(int input) {
    struct stat info;
    if (fstat(input, &info) == 0 && !S_ISREG(info.st_mode))
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

static StatusCode run_batch(EvalWork *work, int input, const char *name, Status *status) {
    Lines lines = {.descriptor = input, .name = name, .limit = EVAL_DOCUMENT_LIMIT};
    LinesEvent event = LINES_LINE;
    bool all_good = true, ok = true;
    flush_for_pipes(input);
    while (ok && !ferror(stdout)) {
        const char *line;
        size_t length;
        event = lines_next(&lines, &line, &length, status);
        if (event == LINES_LINE && !is_blank(line, length))
            ok = run_line(work, line, length, &all_good, status);
        else if (event == LINES_TOO_LONG)
            ok = run_long_line(work, &all_good, status);
        else if (event != LINES_LINE)
            break;
    }
    lines_release(&lines);
    if (!ok || event == LINES_FAILED)
        return status->code;
    if (event == LINES_STOPPED)
        return STATUS_INTERRUPTED;
    return all_good ? STATUS_OK : STATUS_INPUT;
}

static StatusCode run_batch_file(EvalWork *work, const char *path, Status *status) {
    if (strcmp(path, "-") == 0)
        return run_batch(work, STDIN_FILENO, "standard input", status);
    int input = open(path, O_RDONLY | O_CLOEXEC);
    if (input < 0) {
        file_fail(path, errno, status);
        return status->code;
    }
    StatusCode code = run_batch(work, input, path, status);
    close(input);
    return code;
}

static StatusCode run_one(EvalWork *work, const char *path, Status *status) {
    size_t length;
    char *text = file_read(path, EVAL_DOCUMENT_LIMIT, &length, status);
    if (!text)
        return status->code;
    bool ok =
        evaluate(work, text, length, status) || status_prefix(status, "%s", cli_path_name(path));
    ok = ok && show(work, status);
    free(text);
    return ok ? STATUS_OK : status->code;
}

static bool is_given(const void *context, const char *name) {
    return cli_given(context, name);
}

static StatusCode run_eval(CliContext *context, const void *given, Status *status) {
    const EvalSettings *settings = given;
    if (!cli_words_at_most(context, 1, status))
        return status->code;
    const char *path = context->words.count ? context->words.items[0] : "-";
    EvalWork *work = memory_new(1, sizeof *work, status);
    if (!work)
        return status->code;
    work->settings = settings;
    work->given = eval_given(&settings->options, is_given, context);
    StatusCode code =
        settings->batch ? run_batch_file(work, path, status) : run_one(work, path, status);
    text_release(&work->text);
    free(work);
    return code;
}

const Command cmd_eval = {
    .name = "eval",
    .arguments = "[OPTIONS] [FILE]",
    .summary = "play and evaluate a solution, or a stream of them",
    .description =
        "Reads a solution from FILE or standard input: a JSON document with pieces, encoding and "
        "genes (or moves), what solve --json printed, or a replay. Plays it by the rules and "
        "prints the final board with every term of the fitness. With --batch every line is a "
        "document and every answer a line; an invalid line gives an object with the member error, "
        "and exit code 2 at the end.",
    .examples =
        "  tetropt eval examples/game.json\n"
        "  tetropt eval --steps examples/game.json\n"
        "  echo '{\"pieces\":\"TO\",\"encoding\":\"simple\",\"genes\":[[-4,0],[0,0]]}' | tetropt "
        "eval --json\n"
        "  tetropt eval --batch < examples/games.jsonl > results.jsonl\n",
    .interrupted = "interrupted; with --batch after the answers so far were printed",
    .options = OPTIONS_TABLE(eval_rows),
    .settings_bytes = sizeof(EvalSettings),
    .run = run_eval,
    .reads_word = true,
};
