/* Any bytes as requests of a page, one after the other with a byte 0x1e between them: the first
 * line is `GET PATH` or `POST PATH`, the rest the body. Each is answered with a status of HTTP that
 * says what was wrong with the request, never with a failure of the server (500), and what is said
 * to be JSON is. A search that was accepted is stopped at once; before the next input all have
 * ended. */
#include "base/json.h"
#include "store/store.h"
#include "system/process.h"
#include "web/api.h"
#include "web/assets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { BETWEEN = 0x1e, REQUESTS_MAX = 12, RUNS = 12, HEAD_MAX = 600 };

static ApiContext context;
static char address[64];

/* ---- the store, made once */

static bool next_run(void *user, StoreRun *run, Status *status) {
    static const StoreParameter of[2][2] = {{{"algorithm", "hill"}, {"n", "4"}},
                                            {{"algorithm", "sa"}, {"n", "4"}}};
    (void)status;
    int *given = user;
    if (*given == RUNS)
        return false;
    *run = (StoreRun){.command = "solve",
                      .repeat = *given / 2 + 1,
                      .seed = (uint64_t)*given,
                      .piece_seed = 7,
                      .parameters = of[*given % 2],
                      .parameter_count = 2};
    (*given)++;
    return true;
}

/* Most are done, one failed, one waits. */
static void finish_run(Store *store, const Process *self, int index) {
    static const StorePoint points[] = {{1, -90, -95, 2, 1}, {60, -70, -70, 0.5, 30}};
    StoreClaim claim;
    Status status = {0};
    char result[160];
    snprintf(result, sizeof result,
             "{\"fitness\":%d.5,\"score\":%d,\"lines\":%d,\"evaluations\":60,\"optimal\":false}",
             index * 7 % 10, 100 * index, index % 4);
    StoreOutcome outcome = {.result = index == 3 ? NULL : result,
                            .error = index == 3 ? "there was no room" : NULL,
                            .points = points,
                            .point_count = 2,
                            .seconds = 0.25};
    if (store_claim(store, self, 60, &claim, &status) != STORE_CLAIM_GIVEN ||
        store_finish(store, &claim, &outcome, &status) != STORE_KEPT)
        abort();
    store_claim_release(&claim);
}

static void remove_store(void) {
    unlink(address + strlen("sqlite:"));
}

static void make_store(void) {
    Status status = {0};
    Process self;
    int given = 0;
    snprintf(address, sizeof address, "sqlite:/dev/shm/tetropt-fuzz-%ld.store", (long)getpid());
    process_self(&self);
    Store *store = store_open(address, STORE_CREATE, &status);
    if (!store || !store_add_grid(store, "grid", "text", 3, next_run, &given, &status))
        abort();
    atexit(remove_store);
    for (int i = 0; i < RUNS - 1; i++)
        finish_run(store, &self, i);
    store_free(store);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    static const char *const addresses[] = {address};
    Status status = {0};
    make_store();
    context.stores = stores_new(addresses, 1, &status);
    if (!context.stores)
        abort();
    return 0;
}

/* ---- requests */

static void check_json(const ApiReply *reply) {
    Status status = {0};
    Json *document = json_parse(reply->body.data, reply->body.length, &status);
    if (!document || (reply->status != 200 && !json_is_string(json_get(document, "error"))))
        abort();
    json_free(document);
}

/* What a page that watches the search would be sent. */
static void watch(WebJob *job) {
    Text text;
    uint64_t version = 0;
    bool ended;
    text_init(&text);
    web_jobs_refresh(context.jobs);
    if (web_job_state(context.jobs, job, &version, &text, &ended)) {
        Status status = {0};
        Json *document = json_parse(text.data, text.length, &status);
        if (!document || memchr(text.data, '\n', text.length))
            abort();
        json_free(document);
    }
    text_release(&text);
}

static void stop_searches(int64_t up_to) {
    for (int64_t number = 1; number <= up_to; number++)
        for (int i = 0; job_at(i); i++) {
            WebJob *job = web_jobs_take(context.jobs, job_at(i), number);
            if (!job)
                continue;
            web_job_stop(job);
            watch(job);
            web_jobs_give_back(context.jobs, job);
        }
}

static void try_request(const ApiRequest *request) {
    static const int known[] = {200, 400, 404, 405, 409};
    ApiReply reply;
    bool expected = false;
    api_is_costly(request);
    if (!request->post && asset_find(request->path))
        return; /* a file of the page */
    int64_t number;
    const Job *kind = api_events_job(request->path, &number);
    WebJob *watched = kind ? web_jobs_take(context.jobs, kind, number) : NULL;
    if (watched) {
        watch(watched);
        web_jobs_give_back(context.jobs, watched);
    }
    api_answer(&context, request, &reply);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        expected |= reply.status == known[i];
    if (!expected || reply.body.failed)
        abort();
    if (strcmp(reply.type, "application/json") == 0)
        check_json(&reply);
    text_release(&reply.body);
    stop_searches(REQUESTS_MAX);
}

/* As the server hands it on: the path has an end and no NUL, the body has its own memory. */
static void try_bytes(const uint8_t *data, size_t size) {
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t head = end ? (size_t)(end - data) : size;
    char line[HEAD_MAX];
    if (head >= sizeof line || (head > 0 && memchr(data, '\0', head)))
        return;
    memcpy(line, data, head);
    line[head] = '\0';
    bool post = strncmp(line, "POST ", 5) == 0;
    if (!post && strncmp(line, "GET ", 4) != 0)
        return;
    ApiRequest request = {.post = post, .path = line + (post ? 5 : 4)};
    if (strlen(request.path) > API_MAX_PATH)
        return;
    size_t length = end ? size - head - 1 : 0;
    char *body = malloc(length + 1); /* the server ends it with a NUL too */
    if (length > 0)
        memcpy(body, end + 1, length);
    body[length] = '\0';
    request.body = body;
    request.body_length = length;
    try_request(&request);
    free(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Status status = {0};
    context.jobs = web_jobs_new(&status);
    if (!context.jobs)
        abort();
    for (int i = 0; size > 0 && i < REQUESTS_MAX; i++) {
        const uint8_t *end = memchr(data, BETWEEN, size);
        size_t length = end ? (size_t)(end - data) : size;
        try_bytes(data, length);
        size -= length + (end ? 1 : 0);
        data += length + (end ? 1 : 0);
    }
    web_jobs_free(context.jobs);
    return 0;
}
