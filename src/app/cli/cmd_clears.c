/*
 * clears: the command line of job/clears: progress, the answer for people, and its files.
 */
#include "base/clock.h"
#include "base/units.h"
#include "cli/clears_files.h"
#include "cli/clears_show.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "job/clears.h"
#include "system/file.h"
#include "system/stop.h"

#include <stdio.h>
#include <string.h>

/* Between two states: at least so many seconds, and so many times what saving one took. */
static const double SAVE_SECONDS = 2, SAVE_TIMES = 20;

typedef struct ClearsSettings {
    CliCommon common;
    const char *save, *csv, *jsonl, *fumens, *html;
    bool no_times;
} ClearsSettings;

static const Option clears_rows[] = {
    OPTION_ROW(ClearsSettings, TEXT, save, "save", .argument = "FILE", .file = OPTION_CONTINUES,
               .help = "save the state of the search while it runs, for --resume"),
    OPTION_ROW(ClearsSettings, TEXT, csv, "csv", .argument = "FILE", .file = OPTION_WRITES,
               .help = "write the solutions as CSV"),
    OPTION_ROW(ClearsSettings, TEXT, jsonl, "jsonl", .argument = "FILE", .file = OPTION_WRITES,
               .help = "write the solutions as JSON Lines"),
    OPTION_ROW(ClearsSettings, TEXT, fumens, "fumens", .argument = "FILE", .file = OPTION_WRITES,
               .help = "write the solutions as fumens, one per line"),
    OPTION_ROW(ClearsSettings, TEXT, html, "html", .argument = "FILE", .file = OPTION_WRITES,
               .help = "write a page with a picture of every solution"),
    OPTION_ROW(ClearsSettings, FLAG, no_times, "no-times",
               .help = "leave out of the JSON what differs from run to run"),
    OPTIONS_INCLUDE(ClearsSettings, common, cli_common_options),
};

typedef struct ClearsWork {
    const ClearsSettings *settings;
    const char *save; /* the file of the state; NULL: none */
    ClearsRun *run;
    ProgressLine line;
    uint64_t saved_ns;     /* 0: not yet */
    double saving_seconds; /* of the last state */
    Status saving;         /* the first failure */
} ClearsWork;

static bool save_state(ClearsWork *work, Status *status) {
    if (!work->save)
        return true;
    Text text = {0};
    uint64_t start_ns = clock_now_ns();
    bool ok = clears_job.write_state(work->run, &text)
                  ? file_replace(work->save, text.data, text.length, status)
                  : status_no_memory(status);
    text_release(&text);
    work->saved_ns = clock_now_ns();
    work->saving_seconds = clock_seconds_since(start_ns);
    return ok;
}

static void on_progress(void *context, const Progress *state) {
    ClearsWork *work = context;
    double since = clock_seconds_since(work->saved_ns);
    if (work->saving.code == STATUS_OK && since >= SAVE_SECONDS &&
        since >= SAVE_TIMES * work->saving_seconds)
        save_state(work, &work->saving);
    if (!progress_due(&work->line))
        return;
    double share = state->total > 0 ? (double)state->done / (double)state->total : 0;
    char what[80], line[PROGRESS_BYTES];
    if (state->generation > 0) { /* how many boards the next layers have is not known */
        snprintf(what, sizeof what, "boards of %llu piece%s: %s of %s",
                 (unsigned long long)state->generation - 1, state->generation == 2 ? "" : "s",
                 units_count((double)state->done).text, units_count((double)state->total).text);
        progress_format(&work->line, -1, -1, what, line);
        progress_show_line(&work->line, line);
        return;
    }
    if (state->total == 0) {
        static const char *const counted[FIND_COUNT] = {[FIND_PATH] = "solutions played",
                                                        [FIND_SETUP] = "ways to fill the cells",
                                                        [FIND_SPIN] = "boards",
                                                        [FIND_CHANCE] = "situations",
                                                        [FIND_COVER] = "solutions played"};
        snprintf(what, sizeof what, "%s %s", units_count((double)state->done).text,
                 counted[work->run->asked->find]);
        progress_format(&work->line, -1, -1, what, line);
        progress_show_line(&work->line, line);
        return;
    }
    snprintf(what, sizeof what, "%s of %s done", units_count((double)state->done).text,
             units_count((double)state->total).text);
    progress_show(&work->line, progress_share(&work->line, share, work->run->asked->seconds), what);
}

static bool search(ClearsWork *work, Status *status) {
    progress_init(&work->line, &work->settings->common, 0, 0, false);
    ProgressWatch watch = {stop_flag(), on_progress, work};
    bool ok = clears_job.run(work->run, &watch, status);
    progress_end(&work->line);
    progress_release(&work->line);
    if (ok && work->saving.code != STATUS_OK)
        *status = work->saving;
    return ok && work->saving.code == STATUS_OK && save_state(work, status);
}

static bool show(const ClearsWork *work, Status *status) {
    Text text = {0};
    if (work->settings->common.json) {
        job_write(&clears_job, work->run, !work->settings->no_times, &text);
        return cli_print_line(&text, status);
    }
    clears_show(work->run, &text);
    return cli_print_text(&text, status);
}

/* ---- files */

typedef struct FileKind {
    const char *option;
    void (*write)(const ClearsRun *run, Text *text);
} FileKind;

static const FileKind file_kinds[] = {
    {"csv", clears_csv}, {"jsonl", clears_lines}, {"fumens", clears_fumens}, {"html", clears_html}};

enum { FILE_KINDS = sizeof file_kinds / sizeof *file_kinds };

static const char *file_of(const ClearsSettings *settings, int kind) {
    const char *const paths[FILE_KINDS] = {settings->csv, settings->jsonl, settings->fumens,
                                           settings->html};
    return paths[kind];
}

/* Before the search: what it does not give cannot be written. */
static bool check_files(const ClearsQuestion *asked, const ClearsSettings *settings,
                        Status *status) {
    bool none = asked->find == FIND_PERCENT || asked->find == FIND_CHANCE;
    for (int i = 0; none && i < FILE_KINDS; i++)
        if (file_of(settings, i))
            return status_option(status, file_kinds[i].option, "there are no solutions to write");
    return asked->find != FIND_CHANCE || !settings->save ||
           status_option(status, "save", CLEARS_CHANCE_IS_SHORT);
}

static bool write_files(const ClearsWork *work, Status *status) {
    bool ok = true;
    for (int i = 0; ok && i < FILE_KINDS; i++) {
        const char *path = file_of(work->settings, i);
        if (!path)
            continue;
        Text text = {0};
        file_kinds[i].write(work->run, &text);
        ok = text.failed ? status_no_memory(status)
                         : file_replace(path, text.data ? text.data : "", text.length, status);
        text_release(&text);
    }
    return ok;
}

/* The subcommand is the first word; --find says the same. */
static bool take_subcommand(CliContext *context, Status *status) {
    if (!cli_words_at_most(context, 1, status))
        return false;
    if (context->words.count == 0)
        return cli_given(context, "find") || cli_given(context, "resume") ||
               status_fail(status, STATUS_INPUT, "clears: missing subcommand (%s)",
                           CLEARS_FIND_WORDS);
    const char *word = context->words.items[0];
    if (job_set(&clears_job, context->question, "find", word, NULL))
        return true;
    return status_fail(status, STATUS_INPUT, "clears: unknown subcommand '%.40s' (%s)", word,
                       CLEARS_FIND_WORDS);
}

static StatusCode run_clears(CliContext *context, const void *given, Status *status) {
    ClearsWork work = {.settings = given};
    if (!take_subcommand(context, status))
        return status->code;
    const char *resumed = question_name(context->question, "resume");
    work.save = work.settings->save ? work.settings->save : resumed;
    work.run = cli_prepare(context, status);
    if (!work.run)
        return status->code;
    bool ok = check_files(work.run->asked, work.settings, status) &&
              (!work.save || file_check_writable(work.save, status)) && search(&work, status) &&
              write_files(&work, status) && show(&work, status);
    bool stopped = ok && atomic_load(stop_flag());
    if (stopped && work.save)
        cli_interrupted(context, "tetropt clears --resume %s", work.save);
    else if (stopped)
        cli_interrupted(context, NULL);
    clears_job.free_run(work.run);
    return !ok ? status->code : stopped ? STATUS_INTERRUPTED : STATUS_OK;
}

const Command cmd_clears = {
    .name = "clears",
    .arguments = "percent|path|cover|setup|spin|chance [OPTIONS]",
    .summary = "perfect clears and setups: success rates and all solutions",
    .description =
        "Answers questions about perfect clears and setups exactly, by the rules of the guideline; "
        "every reported solution was played key by key. percent: how many queues of a pattern can "
        "clear the field within --lines rows, by first pieces, and which cannot. path: every "
        "solution, the queues that it serves, and the smallest set of solutions for all queues. "
        "cover: the queues that can build given solutions. setup: all ways to fill given cells. "
        "spin: placements that end in a T-spin. chance: the probability of a clear when only the "
        "preview is known, and the best moves. The field is a fumen, a board or empty. The result "
        "does not depend on the number of threads.",
    .examples =
        "  tetropt clears percent --fumen v115@9gE8DeG8CeH8BeG8CeA8JeAgH --patterns '*p4'\n"
        "  tetropt clears path --fumen v115@9gE8DeG8CeH8BeG8CeA8JeAgH --patterns '*p4' --html "
        "solutions.html\n"
        "  tetropt clears cover --patterns '*p7' --solutions 'v115@vhFRQJUGJKJJvMJTNJGBJ "
        "v115@vhFRQJPGJKJJGMJTNJ0BJ'\n"
        "  tetropt clears chance --fumen v115@9gE8DeG8CeH8BeG8CeA8JeAgH --queue TI\n"
        "  tetropt clears percent --patterns '*p7,*p3' --hold off  # takes a minute\n",
    .interrupted = "interrupted, after what is known was printed",
    .options = OPTIONS_TABLE(clears_rows),
    .settings_bytes = sizeof(ClearsSettings),
    .question = &clears_job,
    .run = run_clears,
};
