/*
 * local: the HTTP API of the web UI as functions that JavaScript can call, so that jobs run in a
 * worker of the browser where there is no server. Compiled to WebAssembly only
 * (scripts/build-wasm).
 *
 * A worker makes one Local. It writes a request to the input and reads status, type and body of the
 * answer until the next request; local_run then computes the job that was started.
 */
#include "web/api.h"
#include "web/jobs_single.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

typedef struct Local {
    ApiContext context;
    ApiReply reply;
    char *input;
} Local;

/* Shows a state; true: the job is to be stopped. */
__attribute__((import_module("page"), import_name("report"))) bool page_report(const char *state,
                                                                               size_t length);

Local *EXPORT(local_new)(void);
char *EXPORT(local_input)(Local *local, size_t length);
int EXPORT(local_request)(Local *local, bool post, size_t path_length, size_t body_length);
const char *EXPORT(local_text)(const Local *local);
size_t EXPORT(local_length)(const Local *local);
const char *EXPORT(local_type)(const Local *local);
void EXPORT(local_run)(Local *local);

Local *local_new(void) {
    Status status;
    Local *local = calloc(1, sizeof *local);
    if (local)
        local->context.jobs = web_jobs_new(&status);
    return local && local->context.jobs ? local : NULL;
}

/* Space for a request: the path and a NUL, then the body and a NUL. NULL: no memory. */
char *local_input(Local *local, size_t length) {
    free(local->input);
    local->input = malloc(length + 2);
    return local->input;
}

/* The HTTP status of the answer. */
int local_request(Local *local, bool post, size_t path_length, size_t body_length) {
    local->input[path_length] = local->input[path_length + 1 + body_length] = '\0';
    ApiRequest request = {.post = post,
                          .path = local->input,
                          .body = local->input + path_length + 1,
                          .body_length = body_length};
    text_release(&local->reply.body);
    api_answer(&local->context, &request, &local->reply);
    return local->reply.status;
}

const char *local_text(const Local *local) {
    return local->reply.body.data;
}

size_t local_length(const Local *local) {
    return local->reply.body.length;
}

const char *local_type(const Local *local) {
    return local->reply.type;
}

void local_run(Local *local) {
    jobs_single_run(local->context.jobs, page_report);
}
