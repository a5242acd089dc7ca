/* progress: one format for all commands: percentage, what is done, time, estimated time left. */
#include "cli/progress.h"

#include "base/clock.h"
#include "base/units.h"
#include "job/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const uint64_t TERMINAL_NS = 100000000u, PLAIN_NS = 10000000000u;

void progress_init(ProgressLine *progress, const CliCommon *common, double seconds,
                   uint64_t evaluations, bool logging) {
    *progress = (ProgressLine){.terminal = isatty(STDERR_FILENO),
                               .shown = !common->quiet,
                               .logging = logging,
                               .seconds = seconds,
                               .evaluations = evaluations};
    progress->start_ns = progress->last_ns = clock_now_ns();
}

void progress_release(ProgressLine *progress) {
    text_release(&progress->log);
}

static void add_to_log(ProgressLine *progress, const Progress *state) {
    JsonWriter json;
    jw_init(&json, &progress->log);
    solve_write_progress(&json, state, clock_seconds_since(progress->start_ns));
    text_add_char(&progress->log, '\n');
}

double progress_share(const ProgressLine *progress, double share, double limit_seconds) {
    if (limit_seconds <= 0)
        return share;
    return fmin(fmax(share, clock_seconds_since(progress->start_ns) / limit_seconds), 1);
}

double progress_left(const ProgressLine *progress, double share) {
    double spent = clock_seconds_since(progress->start_ns);
    return share > 0 ? fmax(spent * (1 - share) / share, 0) : -1;
}

void progress_format(const ProgressLine *progress, double share, double left, const char *what,
                     char line[PROGRESS_BYTES]) {
    char percent[16] = "", rest[32] = "";
    if (share >= 0)
        snprintf(percent, sizeof percent, "%.0f %%, ", 100 * fmin(share, 1));
    /* Whole seconds: tenths would only flicker. */
    if (left >= 0)
        snprintf(rest, sizeof rest, ", ETA %s", units_time(ceil(left)).text);
    double spent = floor(clock_seconds_since(progress->start_ns));
    snprintf(line, PROGRESS_BYTES, "%s%s, %s%s", percent, what, units_time(spent).text, rest);
}

void progress_show_line(ProgressLine *progress, const char *line) {
    if (progress->terminal) /* a line that wraps could not be taken back */
        fprintf(stderr, "\r\x1b[K%.*s", cli_columns(STDERR_FILENO) - 1, line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
    progress->drawn = true;
}

void progress_show(ProgressLine *progress, double share, const char *what) {
    char line[PROGRESS_BYTES];
    progress_format(progress, share, progress_left(progress, share), what, line);
    progress_show_line(progress, line);
}

static void draw(ProgressLine *progress, const Progress *state) {
    double done = (double)state->done, spent = clock_seconds_since(progress->start_ns);
    double share = progress->evaluations > 0 ? done / (double)progress->evaluations : -1;
    char what[120];
    snprintf(what, sizeof what, "best %.4g, %s evaluations, %s", state->best,
             units_count(done).text, units_rate(done / spent).text);
    progress_show(progress, progress_share(progress, share, progress->seconds), what);
}

bool progress_due(ProgressLine *progress) {
    if (!progress->shown)
        return false;
    uint64_t now = clock_now_ns();
    if (now - progress->last_ns < (progress->terminal ? TERMINAL_NS : PLAIN_NS))
        return false;
    progress->last_ns = now;
    return true;
}

void progress_report(void *context, const Progress *state) {
    ProgressLine *progress = context;
    if (progress->logging)
        add_to_log(progress, state);
    if (progress_due(progress))
        draw(progress, state);
}

void progress_end(ProgressLine *progress) {
    if (progress->drawn && progress->terminal)
        fputs("\r\x1b[K", stderr);
}
