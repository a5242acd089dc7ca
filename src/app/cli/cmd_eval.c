/*
 * eval: the command line of job/eval: one solution, or a stream of them.
 *
 * In a stream (cli/eval_batch) every solution gives exactly one answer, in order, so the sender
 * knows which answer belongs to which solution.
 */
#include "base/memory.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/eval_batch.h"
#include "formats/solution.h"
#include "job/eval.h"
#include "system/file.h"
#include "system/stop.h"
#include "term/eval_view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVAL_DOCUMENT_LIMIT = 16 << 20 };

typedef struct EvalSettings {
    CliCommon common;
    bool batch, binary, steps;
    int64_t threads;
    EvalOptions options;
} EvalSettings;

static const Option eval_rows[] = {
    OPTION_ROW(EvalSettings, FLAG, batch, "batch",
               .help = "read JSON Lines and print one JSON line for each, in order"),
    OPTION_ROW(EvalSettings, FLAG, binary, "binary",
               .help = "with --batch: read the problem as one line of JSON and then genotypes as "
                       "bytes; write each fitness as 8 bytes"),
    PARAMETER_INTEGER(EvalSettings, threads, "threads", NULL, 1, POOL_MAX_THREADS,
                      "with --batch: threads (default: the number of CPUs)"),
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

/* Prints the result as one line of JSON. */
static bool print_json(EvalWork *work, Status *status) {
    JsonWriter json;
    text_clear(&work->text);
    jw_init(&json, &work->text);
    jw_object(&json, NULL);
    solution_write_result(&json, &work->run.result);
    jw_end(&json);
    if (work->text.failed)
        return status_no_memory(status);
    puts(work->text.data);
    return true;
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

static StatusCode run_batch(const EvalWork *work, const char *path, Status *status) {
    const EvalSettings *settings = work->settings;
    bool standard = strcmp(path, "-") == 0;
    EvalBatch batch = {.input = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
                       .name = standard ? "standard input" : path,
                       .threads =
                           settings->threads > 0 ? (unsigned)settings->threads : pool_processors(),
                       .document_limit = EVAL_DOCUMENT_LIMIT,
                       .given = &work->given};
    if (batch.input < 0) {
        file_fail(path, errno, status);
        return status->code;
    }
    StatusCode code =
        settings->binary ? eval_batch_binary(&batch, status) : eval_batch_lines(&batch, status);
    if (!standard)
        close(batch.input);
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
    if (!settings->batch && (settings->binary || cli_given(context, "threads"))) {
        status_option(status, settings->binary ? "binary" : "threads", "requires --batch");
        return status->code;
    }
    const char *path = context->words.count ? context->words.items[0] : "-";
    EvalWork *work = memory_new(1, sizeof *work, status);
    if (!work)
        return status->code;
    work->settings = settings;
    work->given = eval_given(&settings->options, is_given, context);
    StatusCode code = settings->batch ? run_batch(work, path, status) : run_one(work, path, status);
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
        "and exit code 2 at the end. With --binary the genotypes and their fitness are bytes, "
        "which "
        "is ten times as fast.",
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
