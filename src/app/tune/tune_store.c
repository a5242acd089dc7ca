/* tune_store: 1. the batch becomes a grid, unless it is there. 2. Workers run it. 3. Its results
 * are read; `repeat` of a run says which pair of the batch it is. */
#include "tune/tune_store.h"

#include "base/rng.h"
#include "stats/runs.h"
#include "store/run_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FAILED = -1e9; /* the value of a run that failed */

/* Gives the runs of a batch. */
typedef struct Batch {
    TuneStore *tune;
    const Tuner *tuner;
    const Space *space;
    const SpaceConfig *only; /* in place of the tuner's configurations */
    const TunerPair *pairs;
    size_t count, next;
    StoreParameter parameters[STORE_PARAMETERS_MAX];
    char texts[SPACE_MAX][SPACE_VALUE_BYTES];
    const char *grid;
    double *values, *seconds;     /* of results */
    size_t found, done, measured; /* runs that ended, that did not fail, that have the measure */
} Batch;

/* The number of an instance among all of them. */
static int place_of(const TuneStore *tune, int instance) {
    return instance < TUNER_HELD_OUT ? instance % tune->training
                                     : tune->training + (instance - TUNER_HELD_OUT);
}

static bool next_run(void *context, StoreRun *run, Status *status) {
    (void)status;
    Batch *batch = context;
    TuneStore *tune = batch->tune;
    if (batch->next == batch->count)
        return false;
    TunerPair pair = batch->pairs[batch->next++];
    const SpaceConfig *config =
        batch->only ? batch->only : &batch->tuner->configs[pair.config].values;
    int place = place_of(tune, pair.instance);
    size_t count = 0;
    if (tune->instances)
        batch->parameters[count++] = (StoreParameter){"instance", tune->instances[place]};
    for (int i = 0; i < tune->fixed_count; i++)
        batch->parameters[count++] = tune->fixed[i];
    for (int i = 0; i < batch->space->count; i++) {
        const SpaceParameter *own = &batch->space->items[i];
        if (!isnan(config->values[i]))
            batch->parameters[count++] =
                (StoreParameter){own->name, space_text(own, config->values[i], batch->texts[i])};
    }
    *run = (StoreRun){.command = tune->job->name,
                      .repeat = (int64_t)batch->next,
                      /* The same for all configurations, so that they can be compared in pairs. */
                      .seed = rng_derive(tune->seed, (uint64_t)pair.instance) >> 2,
                      .piece_seed = (uint64_t)place + 1,
                      .parameters = batch->parameters,
                      .parameter_count = count};
    return true;
}

/* What the batch asks, as the text of its grid. */
static const char *text_of(const Batch *batch) {
    Text text = {0};
    text_format(&text, "%s\nbatch %d\n", batch->tune->settings, batch->tune->batches);
    for (size_t i = 0; i < batch->count; i++)
        text_format(&text, "%d %d\n", batch->pairs[i].config, batch->pairs[i].instance);
    const char *copy = arena_copy(batch->tune->arena, text.data);
    batch->tune->arena->failed |= text.failed;
    text_release(&text);
    return copy;
}

enum { TRIES = 5 }; /* as often may the server go away in the middle of one step */

/* Adds the grid, unless this or another process has already done so. */
static bool add(Batch *batch, Status *status) {
    TuneStore *tune = batch->tune;
    const char *text = text_of(batch);
    if (tune->arena->failed) /* of the text, or of the name of the grid */
        return status_no_memory(status);
    StoreGrid found;
    for (int tries = 0; tries < TRIES; tries++) {
        Status look = {.code = STATUS_OK};
        if (!store_find_grid(tune->store, batch->grid, text, &found, &look)) {
            *status = look;
            return false;
        }
        if (found == STORE_GRID_SAME) { /* perhaps since the first try */
            *status = (Status){.code = STATUS_OK};
            return true;
        }
        if (found == STORE_GRID_OTHER)
            return status_fail(status, STATUS_INPUT,
                               "%s: holds another tuning called '%s' (see --name)",
                               store_name(tune->store), tune->name);
        batch->next = 0;
        *status = (Status){.code = STATUS_OK};
        if (store_add_grid(tune->store, batch->grid, text, tune->seed, next_run, batch, status))
            return true;
    }
    return false;
}

static bool visit(void *context, const StoreRun *run, Status *status) {
    (void)status;
    Batch *batch = context;
    if (strcmp(run->grid, batch->grid) != 0 || run->repeat < 1 ||
        run->repeat > (int64_t)batch->count)
        return true;
    double value = run->state == STORE_DONE ? runs_measure(run, batch->tune->measure) : NAN;
    if (!runs_larger_is_better(batch->tune->measure))
        value = -value;
    batch->values[run->repeat - 1] = isfinite(value) ? value : FAILED;
    batch->done += run->state == STORE_DONE;
    batch->measured += isfinite(value) != 0;
    *batch->seconds += run->seconds;
    batch->tune->last_run = run->number;
    batch->found++;
    return true;
}

/* From the beginning again when the server went away between two rows. */
static bool read_results(Batch *batch, Status *status) {
    TuneStore *tune = batch->tune;
    unsigned ended = 1u << STORE_DONE | 1u << STORE_FAILED;
    int64_t before = tune->last_run;
    double seconds = *batch->seconds;
    for (int tries = 0; tries < TRIES; tries++) {
        *status = (Status){.code = STATUS_OK};
        batch->found = batch->done = batch->measured = 0;
        *batch->seconds = seconds;
        if (store_each_between(tune->store, ended, before + 1, INT64_MAX, STORE_WITH_TIMES, visit,
                               batch, status))
            return true;
        if (status->code != STATUS_SYSTEM)
            break;
    }
    return false;
}

bool tune_store_evaluate(void *context, const Tuner *tuner, const TunerPair *pairs, size_t count,
                         double *values, double *seconds, Status *status) {
    TuneStore *tune = context;
    tune->batches++;
    Batch batch = {
        .tune = tune,
        .tuner = tuner,
        .space = tuner->task->space,
        .pairs = pairs,
        .count = count,
        .grid = arena_format(tune->arena, TUNE_GRID_PREFIX "%s %d", tune->name, tune->batches),
        .values = values,
        .seconds = seconds};
    WorkTask work = {.store = tune->store,
                     .commands = &run_job_commands,
                     .workers = tune->workers,
                     .lease_seconds = tune->lease_seconds,
                     .stop = tune->stop};
    WorkSummary summary;
    if (!add(&batch, status) || !work_run(&work, &summary, status))
        return false;
    if (summary.stopped)
        return status_fail(status, STATUS_INTERRUPTED, "tune: interrupted");
    if (!read_results(&batch, status))
        return false;
    if (tune->batches == 1 && batch.done > 0 && batch.measured == 0)
        return status_option(status, "measure", "'%.40s' is not a number in the results of %s",
                             tune->measure, tune->job->name);
    return batch.found == count ||
           status_fail(status, STATUS_SYSTEM, "%s: %zu of %zu runs of '%s' are missing",
                       store_name(tune->store), count - batch.found, count, batch.grid);
}

bool tune_store_check(TuneStore *tune, const Space *space, Status *status) {
    SpaceConfig config = space_default(space);
    TunerPair pair = {0, 0};
    Batch batch = {.tune = tune, .space = space, .only = &config, .pairs = &pair, .count = 1};
    StoreRun run;
    return next_run(&batch, &run, status) && run_job_commands.check(&run, status);
}

static bool no_run(void *context, StoreRun *run, Status *status) {
    (void)context, (void)run, (void)status;
    return false;
}

bool tune_store_keep(TuneStore *tune, const char *document, Status *status) {
    const char *grid = arena_format(tune->arena, TUNE_GRID_PREFIX "%s result", tune->name);
    if (tune->arena->failed)
        return status_no_memory(status);
    for (int tries = 0; tries < TRIES; tries++) {
        StoreGrid found;
        Status look = {.code = STATUS_OK};
        if (!store_find_grid(tune->store, grid, document, &found, &look)) {
            *status = look;
            return false;
        }
        *status = (Status){.code = STATUS_OK};
        if (found != STORE_GRID_MISSING || /* another process may have been faster */
            store_add_grid(tune->store, grid, document, tune->seed, no_run, NULL, status))
            return true;
    }
    return false;
}
