/* The store: claims, leases, results that count once; on a file in a temporary folder. */
#include "base/json.h"
#include "base/json_writer.h"
#include "scale.h"
#include "store/store_core.h"
#include "store/work.h"
#include "system/process.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef TETROPT_SQLITE

static const StoreParameter parameters[] = {{"n", "10"}, {"name, \"quoted\"", "1\n2"}};

typedef struct Source {
    int left, given;
} Source;

static bool next_run(void *context, StoreRun *run, Status *status) {
    (void)status;
    Source *source = context;
    if (source->left-- == 0)
        return false;
    *run = (StoreRun){.command = "solve",
                      .repeat = ++source->given,
                      .seed = ((uint64_t)1 << 53) - 1,
                      .piece_seed = 7,
                      .parameters = parameters,
                      .parameter_count = 2};
    return true;
}

static char address[64];

/* A store with `runs` runs in a folder of its own. */
static Store *new_store(int runs) {
    char folder[] = "/tmp/tetropt-store-XXXXXX";
    cr_assert(mkdtemp(folder));
    snprintf(address, sizeof address, "sqlite:%s/s", folder);
    Status status = {0};
    Store *store = store_open(address, STORE_CREATE, &status);
    cr_assert(store, "%s", status.message);
    Source source = {.left = runs};
    cr_assert(store_add_grid(store, "one", "text", 3, next_run, &source, &status), "%s",
              status.message);
    return store;
}

static void end_store(Store *store) {
    store_free(store);
    char command[128];
    snprintf(command, sizeof command, "rm -r '%.*s'", (int)strlen(address) - 9, address + 7);
    cr_assert_eq(system(command), 0);
}

static StoreClaimed claim_as(Store *store, const Process *self, double lease, StoreClaim *claim) {
    Status status = {0};
    StoreClaimed claimed = store_claim(store, self, lease, claim, &status);
    cr_assert_neq(claimed, STORE_CLAIM_ERROR, "%s", status.message);
    return claimed;
}

static Process here(void) {
    Process self;
    process_self(&self);
    return self;
}

static StoreKept finish(Store *store, const StoreClaim *claim, const char *result) {
    static const StorePoint points[] = {{0, -INFINITY, -3.25, 2, 0}, {10, 0.1, 0.1, 1e-300, 7}};
    StoreOutcome outcome = {.result = result,
                            .times = result ? "{\"b\":{\"c\":5}}" : NULL,
                            .error = result ? NULL : "why",
                            .points = points,
                            .point_count = 2,
                            .seconds = 1.5};
    Status status = {0};
    StoreKept kept = store_finish(store, claim, &outcome, &status);
    cr_assert_neq(kept, STORE_KEPT_ERROR, "%s", status.message);
    return kept;
}

static StoreCounts counts_of(Store *store) {
    StoreCounts counts;
    Status status = {0};
    cr_assert(store_count(store, &counts, &status), "%s", status.message);
    return counts;
}

static bool compare_run(void *context, const StoreRun *run, Status *status) {
    (void)status;
    int *seen = context;
    (*seen)++;
    cr_assert_eq(run->number, *seen);
    cr_assert_str_eq(run->grid, "one");
    cr_assert_str_eq(run->command, "solve");
    cr_assert_eq(run->seed, ((uint64_t)1 << 53) - 1);
    cr_assert_eq(run->piece_seed, 7);
    cr_assert_eq(run->parameter_count, 2);
    cr_assert_str_eq(store_parameter(run, parameters[1].name), parameters[1].value);
    cr_assert_null(store_parameter(run, "m"));
    cr_assert_eq(run->point_count, 2);
    cr_assert(isnan(run->points[0].best), "infinity stands for nothing yet");
    cr_assert_eq(run->points[0].current, -3.25);
    cr_assert_eq(run->points[1].best, 0.1);
    cr_assert_eq(run->points[1].temperature, 1e-300);
    cr_assert_eq(run->points[1].generation, 7);
    cr_assert_eq(run->seconds, 1.5);
    cr_assert_gt(run->finished, 1.6e9);
    if (run->number == 1) {
        cr_assert_eq(run->state, STORE_DONE);
        cr_assert_eq(json_int(json_get(run->result, "a")), 1);
        const Json *inner = json_get(run->result, "b");
        cr_assert_eq(json_int(json_get(inner, "c")), 5);
        cr_assert_eq(json_int(json_get(inner, "d")), 6);
    } else {
        cr_assert_eq(run->state, STORE_FAILED);
        cr_assert_null(run->result);
        cr_assert_str_eq(run->error, "why");
    }
    return true;
}

Test(store, what_goes_in_comes_out) {
    Store *store = new_store(2);
    Process self = here();
    StoreClaim claim;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(claim_as(store, &self, 60, &claim), STORE_CLAIM_GIVEN);
        cr_assert_eq(claim.run.number, i + 1);
        cr_assert_eq(claim.run.repeat, i + 1);
        cr_assert_str_eq(store_parameter(&claim.run, "n"), "10");
        cr_assert_eq(finish(store, &claim, i ? NULL : "{\"a\":1,\"b\":{\"d\":6}}"), STORE_KEPT);
        store_claim_release(&claim);
    }
    cr_assert_eq(claim_as(store, &self, 60, &claim), STORE_CLAIM_NONE);
    int seen = 0;
    Status status = {0};
    cr_assert(store_each(store, 1 << STORE_DONE | 1 << STORE_FAILED, STORE_WITH_TIMES, compare_run,
                         &seen, &status),
              "%s", status.message);
    cr_assert_eq(seen, 2);
    int64_t retried;
    cr_assert(store_retry_failed(store, &retried, &status));
    cr_assert_eq(retried, 1);
    cr_assert_eq(counts_of(store).runs[STORE_WAITING], 1);
    end_store(store);
}

Test(store, a_grid_is_there_once) {
    Store *store = new_store(70);
    Status status = {0};
    Source source = {.left = 5};
    cr_assert(!store_add_grid(store, "one", "text", 3, next_run, &source, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert_eq(counts_of(store).runs[STORE_WAITING], 70);
    status = (Status){0};
    cr_assert(store_add_grid(store, "two", "text", 3, next_run, &source, &status));
    cr_assert_eq(counts_of(store).runs[STORE_WAITING], 75);
    end_store(store);
}

static bool fail_at_the_40th(void *context, StoreRun *run, Status *status) {
    Source *source = context;
    if (source->given == 40)
        return status_fail(status, STATUS_SYSTEM, "no more");
    return next_run(context, run, status);
}

Test(store, a_grid_is_there_wholly_or_not_at_all) {
    Store *store = new_store(1);
    Status status = {0};
    Source source = {.left = 100};
    cr_assert(!store_add_grid(store, "two", "text", 3, fail_at_the_40th, &source, &status));
    cr_assert_str_eq(status.message, "no more");
    cr_assert_eq(counts_of(store).runs[STORE_WAITING], 1);
    end_store(store);
}

Test(store, a_lease_that_is_over_gives_the_run_to_another_and_drops_the_late_result) {
    Store *store = new_store(1);
    Process first = here(), second = here();
    strcpy(first.machine, "elsewhere"); /* its death cannot be seen from here */
    StoreClaim late, claim;
    cr_assert_eq(claim_as(store, &first, 0.2, &late), STORE_CLAIM_GIVEN);
    cr_assert_eq(claim_as(store, &second, 60, &claim), STORE_CLAIM_BUSY);
    usleep(100000);
    Status status = {0};
    cr_assert_eq(store_heartbeat(store, 1, late.token, 0.3, &status), STORE_KEPT);
    usleep(200000);
    cr_assert_eq(claim_as(store, &second, 60, &claim), STORE_CLAIM_BUSY);
    usleep(200000);
    cr_assert_eq(claim_as(store, &second, 60, &claim), STORE_CLAIM_GIVEN);
    cr_assert_eq(store_heartbeat(store, 1, late.token, 60, &status), STORE_LOST);
    cr_assert_eq(finish(store, &late, "{\"a\":2}"), STORE_LOST);
    cr_assert_eq(store_give_back(store, &late, &status), STORE_LOST);
    cr_assert_eq(counts_of(store).runs[STORE_RUNNING], 1);
    cr_assert_eq(finish(store, &claim, "{\"a\":1}"), STORE_KEPT);
    /* As after a lost connection: what was already stored under this token is no second time. */
    cr_assert_eq(finish(store, &claim, "{\"a\":3}"), STORE_KEPT);
    cr_assert_eq(finish(store, &late, "{\"a\":2}"), STORE_LOST);
    cr_assert_eq(counts_of(store).runs[STORE_DONE], 1);
    store_claim_release(&late);
    store_claim_release(&claim);
    end_store(store);
}

Test(store, a_dead_process_of_this_machine_is_noticed_at_once) {
    Store *store = new_store(1);
    store_free(store);
    pid_t child = fork();
    if (child == 0) {
        Status status = {0};
        Process self = here();
        StoreClaim claim;
        store = store_open(address, STORE_USE, &status);
        _exit(store && store_claim(store, &self, 3600, &claim, &status) == STORE_CLAIM_GIVEN ? 0
                                                                                             : 1);
    }
    int end;
    cr_assert_eq(waitpid(child, &end, 0), child);
    cr_assert_eq(end, 0);
    Status status = {0};
    store = store_open(address, STORE_USE, &status);
    cr_assert_eq(counts_of(store).runs[STORE_RUNNING], 1);
    Process self = here();
    int64_t gone;
    cr_assert(store_count_gone(store, &self, &gone, &status));
    cr_assert_eq(gone, 1);
    StoreClaim claim;
    cr_assert_eq(claim_as(store, &self, 60, &claim), STORE_CLAIM_GIVEN);
    store_claim_release(&claim);
    cr_assert(store_count_gone(store, &self, &gone, &status));
    cr_assert_eq(gone, 0);
    /* And a living one is left alone. */
    cr_assert_eq(claim_as(store, &self, 60, &claim), STORE_CLAIM_BUSY);
    end_store(store);
}

Test(store, processes_are_told_apart_by_their_start) {
    Process self = here();
    cr_assert(process_lives(self.number, self.start));
    cr_assert(!process_lives(self.number, self.start + 1));
    cr_assert(!process_lives(1 << 30, self.start));
}

/* ---- workers */

static atomic_int calls;

static bool count_call(const StoreRun *run, const ProgressWatch *watch, ExperimentResult *result,
                       Status *status) {
    atomic_fetch_add(&calls, 1);
    watch->report(watch->context, &(Progress){.done = (uint64_t)run->number});
    if (run->number % 10 == 0)
        return status_fail(status, STATUS_INPUT, "tenth");
    char text[64];
    snprintf(text, sizeof text, "{\"run\":%lld}", (long long)run->number);
    result->document = strdup(text);
    result->times = strdup("{\"seconds\":3}");
    return true;
}

static bool wait_for_stop(const StoreRun *run, const ProgressWatch *watch, ExperimentResult *result,
                          Status *status) {
    (void)run, (void)status;
    while (!atomic_load(watch->stop))
        usleep(1000);
    result->document = strdup("{}");
    return true;
}

static bool compare_result(void *context, const StoreRun *run, Status *status) {
    (void)status;
    ++*(int *)context;
    cr_assert_eq(run->state, run->number % 10 == 0 ? STORE_FAILED : STORE_DONE);
    cr_assert_eq(run->points[0].evaluation, (uint64_t)run->number);
    if (run->result)
        cr_assert_eq(json_int(json_get(run->result, "seconds")), 3);
    return true;
}

static void *work_with(void *context) {
    Status status = {0};
    ExperimentCommands commands = {.run = count_call};
    WorkTask task = {.store = context, .commands = &commands, .workers = 4, .lease_seconds = 60};
    WorkSummary summary;
    cr_assert(work_run(&task, &summary, &status), "%s", status.message);
    return NULL;
}

/* Two pools with their own connections and four workers each: every run is done once. */
Test(store, many_workers_do_every_run_once) {
    int runs = scaled(200) < 20 ? 20 : scaled(200);
    Store *store = new_store(runs);
    Status status = {0};
    Store *other = store_open(address, STORE_USE, &status);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work_with, store);
    pthread_create(&threads[1], NULL, work_with, other);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(atomic_load(&calls), runs);
    int seen = 0;
    cr_assert(store_each(store, 1 << STORE_DONE | 1 << STORE_FAILED, STORE_WITH_TIMES,
                         compare_result, &seen, &status));
    cr_assert_eq(seen, runs);
    cr_assert_eq(counts_of(store).runs[STORE_FAILED], runs / 10);
    store_free(other);
    end_store(store);
}

static void stop_soon(void *context) {
    atomic_store((atomic_bool *)context, true);
}

Test(store, a_stop_gives_everything_back) {
    Store *store = new_store(5);
    atomic_bool stop = false;
    ExperimentCommands commands = {.run = wait_for_stop};
    WorkTask task = {.store = store,
                     .commands = &commands,
                     .workers = 3,
                     .lease_seconds = 60,
                     .stop = &stop,
                     .report = stop_soon,
                     .report_context = &stop};
    WorkSummary summary;
    Status status = {0};
    cr_assert(work_run(&task, &summary, &status));
    cr_assert(summary.stopped);
    cr_assert_eq(summary.done, 0);
    cr_assert_eq(counts_of(store).runs[STORE_WAITING], 5);
    end_store(store);
}

#endif

/* ---- a server that goes away in the middle of an answer */

enum { SERVER_ROWS = 4 };

typedef struct Server {
    int breaks_after; /* rows of the first answer */
    int answers;
} Server;

static bool server_execute(void *connection, DriverQuery *query, Status *status) {
    Server *server = connection;
    int rows = server->answers++ == 0 ? server->breaks_after : SERVER_ROWS;
    for (int i = 0; i < rows; i++) {
        const DriverValue row[] = {store_integer(i + 1), store_text("done")};
        if (!query->visit(query->context, row, status))
            return false;
    }
    return rows == SERVER_ROWS || status_fail(status, STATUS_SYSTEM, "the server went away");
}

static bool server_lost(void *connection) {
    return ((Server *)connection)->answers == 1;
}

static bool server_reconnect(void *connection, Status *status) {
    (void)connection, (void)status;
    return true;
}

static bool count_state(void *context, int64_t number, StoreState state, Status *status) {
    (void)status;
    cr_assert_eq(state, STORE_DONE);
    cr_assert_eq(number, ++*(int64_t *)context, "every run once");
    return true;
}

Test(store, an_answer_that_broke_off_is_not_told_twice) {
    static const Driver driver = {
        .execute = server_execute, .lost = server_lost, .reconnect = server_reconnect};
    for (int after = 0; after < SERVER_ROWS; after += 2) {
        Server server = {.breaks_after = after};
        Store store = {.driver = &driver, .connection = &server, .name = "server"};
        pthread_mutex_init(&store.lock, NULL);
        store_set_patience(&store, 1, NULL);
        Status status = {0};
        int64_t seen = 0;
        bool ok = store_each_state(&store, count_state, &seen, &status);
        cr_assert_eq(ok, after == 0, "what was not begun can be asked again");
        cr_assert_eq(seen, ok ? SERVER_ROWS : after);
        cr_assert_eq(status.code, ok ? STATUS_OK : STATUS_SYSTEM);
        pthread_mutex_destroy(&store.lock);
    }
}

Test(store, addresses_that_are_none) {
    static const char *const bad[] = {"", "mysql://x", "sqlite:", "postgresql://[", "x:y"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Status status = {0};
        cr_assert_null(store_open(bad[i], STORE_CREATE, &status), "%s", bad[i]);
        cr_assert_eq(status.code, STATUS_INPUT, "%s", bad[i]);
    }
}
