/*
 * api: the HTTP API, path by path, without sockets.
 *
 * Every path is looked up in a table: there is no way from a path to a file. Answers are JSON
 * except downloads; a rejection is {"error": WHY} with a status of HTTP that fits.
 */
#ifndef TETROPT_WEB_API_H
#define TETROPT_WEB_API_H

#include "base/text.h"
#include "web/jobs.h"
#include "web/stores.h"

enum {
    API_MAX_BODY = 4 << 20, /* bytes of a request */
    API_MAX_FRAMES = 2000,  /* steps of a game that are shown */
    API_MAX_PATH = 512
};

typedef struct ApiRequest {
    bool post; /* else it only looks */
    const char *path, *body;
    size_t body_length;
} ApiRequest;

/* The body is the answerer's; `type` and `name` are constants. */
typedef struct ApiReply {
    int status; /* of HTTP */
    const char *type;
    const char *name; /* of the file for a download; NULL: none */
    Text body;
} ApiReply;

typedef struct ApiContext {
    WebJobs *jobs;
    Stores *stores;
} ApiContext;

/* Answers; the caller releases the body. */
void api_answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply);

/* True when answering takes long, so that the request rate is limited. */
bool api_is_costly(const ApiRequest *request);

/* The number in "/api/solve/NUMBER/events", or -1. */
int64_t api_events_number(const char *path);

/* A refusal. */
void api_refuse(ApiReply *reply, int status, const char *why);

#endif
