/* progress: formats a Progress as one line, and estimates the time left from the limits. */
#include "cli/progress.h"

#include "base/clock.h"
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

/* What is left by the limits, or -1. */
static double seconds_left(const ProgressLine *progress, const Progress *state, double spent) {
    double left = INFINITY;
    if (progress->seconds > 0)
        left = progress->seconds - spent;
    if (progress->evaluations > 0 && state->done > 0) {
        /* Negative near the end of an island, whose share is rounded. */
        double rest = (double)progress->evaluations - (double)state->done;
        left = fmin(left, rest * spent / (double)state->done);
    }
    return isinf(left) ? -1 : fmax(left, 0);
}

void progress_show(ProgressLine *progress, const char *line) {
    if (progress->terminal) /* a line that wraps could not be taken back */
        fprintf(stderr, "\r\x1b[K%.*s", cli_columns(STDERR_FILENO) - 1, line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
    progress->drawn = true;
}

static void draw(ProgressLine *progress, const Progress *state) {
    double spent = clock_seconds_since(progress->start_ns);
    double left = seconds_left(progress, state, spent);
    char line[160], rest[32] = "";
    if (left >= 0)
        snprintf(rest, sizeof rest, ", %.0f s left", left);
    snprintf(line, sizeof line, "best %.4g, %.3g evaluations, %.2f million/s, %.1f s%s",
             state->best, (double)state->done, (double)state->done / spent * 1e-6, spent, rest);
    progress_show(progress, line);
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
