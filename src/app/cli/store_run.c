/* store_run: the supervising thread asks the store for its counts twice per second at the most. */
#include "cli/store_run.h"

#include "base/clock.h"
#include "base/pool.h"
#include "cli/progress.h"
#include "store/ready.h"
#include "store/run_job.h"
#include "system/stop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double store_seconds_left(const StoreCounts *counts) {
    int64_t left = counts->runs[STORE_WAITING] + counts->runs[STORE_RUNNING];
    if (left == 0)
        return 0;
    if (counts->runs[STORE_DONE] == 0)
        return -1;
    double mean = counts->seconds / (double)counts->runs[STORE_DONE];
    double hands = (double)counts->runs[STORE_RUNNING];
    return mean * (double)left / fmax(hands, 1);
}

typedef struct Watch {
    Store *store;
    ProgressLine progress;
    uint64_t counted_ns; /* when the store was asked last */
} Watch;

static void on_tick(void *context) {
    Watch *watch = context;
    StoreCounts counts;
    Status ignored = {0};
    if (clock_seconds_since(watch->counted_ns) < 0.5 || !progress_due(&watch->progress) ||
        !store_count(watch->store, &counts, &ignored))
        return;
    watch->counted_ns = clock_now_ns();
    int64_t ended = counts.runs[STORE_DONE] + counts.runs[STORE_FAILED], all = ended;
    all += counts.runs[STORE_RUNNING] + counts.runs[STORE_WAITING];
    char what[120], line[PROGRESS_BYTES];
    snprintf(what, sizeof what, "%lld done, %lld running, %lld failed, %lld waiting",
             (long long)counts.runs[STORE_DONE], (long long)counts.runs[STORE_RUNNING],
             (long long)counts.runs[STORE_FAILED], (long long)counts.runs[STORE_WAITING]);
    progress_format(&watch->progress, all > 0 ? (double)ended / (double)all : -1,
                    store_seconds_left(&counts), what, line);
    progress_show_line(&watch->progress, line);
}

bool store_run(Store *store, const CliCommon *common, unsigned workers, double lease_seconds,
               WorkSummary *summary, Status *status) {
    Watch watch = {.store = store};
    progress_init(&watch.progress, common, 0, 0, false);
    WorkTask task = {.store = store,
                     .commands = &run_job_commands,
                     .workers = workers ? workers : pool_processors(),
                     .lease_seconds = lease_seconds,
                     .stop = stop_flag(),
                     .report = common->quiet ? NULL : on_tick,
                     .report_context = &watch};
    bool ok = work_run(&task, summary, status);
    ok = ok && store_write_back(store, status);
    progress_end(&watch.progress);
    progress_release(&watch.progress);
    return ok;
}

const char *ready_grid(const char *name) {
    for (const EmbeddedText *ready = ready_grids; ready->name; ready++) {
        size_t length = strlen(ready->name);
        if (strncmp(name, ready->name, length) == 0 &&
            (name[length] == '\0' || strcmp(name + length, ".ini") == 0))
            return ready->text;
    }
    return NULL;
}
