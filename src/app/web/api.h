/*
 * api: the HTTP API of the web UI, path by path, without sockets (docs/WEB.md).
 *
 * Every path is looked up in a table: no path leads to a file. Answers are JSON except for
 * downloads; an error is {"error": WHY} with an HTTP status.
 */
#ifndef TETROPT_WEB_API_H
#define TETROPT_WEB_API_H

#include "base/text.h"
#include "web/jobs.h"
#include "web/stores.h"

enum {
    API_MAX_BODY = 4 << 20, /* bytes of a request */
    API_MAX_FRAMES = 2000,  /* moves of a game that are shown */
    API_MAX_PATH = 512
};

typedef struct ApiRequest {
    bool post; /* else it is a GET */
    const char *path, *body;
    size_t body_length;
} ApiRequest;

/* The caller releases the body; `type` and `name` are constants. */
typedef struct ApiReply {
    int status; /* HTTP status */
    const char *type;
    const char *name; /* of the file for a download; NULL: none */
    Text body;
} ApiReply;

typedef struct ApiContext {
    WebJobs *jobs;
    Stores *stores;
} ApiContext;

/* Answers a request. */
void api_answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply);

/* True when answering takes time or memory, so that it is limited to a few per second. */
bool api_is_costly(const ApiRequest *request);

/* The job and the number in "/api/JOB/NUMBER/events"; NULL: another path. */
const Job *api_events_job(const char *path, int64_t *number);

#define API_UNKNOWN_JOB "unknown job, or dropped"

/* An error. */
void api_refuse(ApiReply *reply, int status, const char *why);

#endif
