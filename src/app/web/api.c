/*
 * api: paths are looked up in small tables; every answer is written into the body of the reply.
 * All jobs have the same paths, so a new job needs no line here.
 */
#include "web/api.h"

#include "base/json_writer.h"
#include "eval/evaluator.h"
#include "job/solve.h"
#include "optim/registry.h"
#include "problem/fitness.h"
#include "problem/genotype.h"
#include "problem/instances.h"
#include "train/registry.h"
#include "web/api_replay.h"
#include "web/parameters.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_DIGITS = 15 }; /* of a number in a path: it fits into 64 bits */

#define WRONG_METHOD "wrong method: requests that change something are POST, all others GET"

static const char json_media[] = "application/json";

void api_refuse(ApiReply *reply, int status, const char *why) {
    reply->status = status;
    reply->type = json_media;
    reply->name = NULL;
    text_release(&reply->body); /* and forgets a failure */
    JsonWriter w;
    jw_init(&w, &reply->body);
    jw_object(&w, NULL);
    jw_string(&w, "error", why);
    jw_end(&w);
}

static void refuse(ApiReply *reply, const Status *status) {
    static const struct {
        StatusCode code;
        int status;
    } codes[] = {{STATUS_INPUT, 400}, {STATUS_UNMET, 409}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == status->code) {
            api_refuse(reply, codes[i].status, status->message);
            return;
        }
    api_refuse(reply, 500, status->message[0] ? status->message : "no memory");
}

/* Answers with the JSON in the body, or with the failure of making it. */
static void answer(ApiReply *reply, bool ok, const Status *status) {
    if (!ok) {
        refuse(reply, status);
        return;
    }
    if (reply->body.failed) {
        api_refuse(reply, 500, "no memory");
        return;
    }
    reply->status = 200;
    reply->type = json_media;
}

/* ---- /api/about */

/* The jobs with their options, as far as they can be set over HTTP. */
static void write_jobs(JsonWriter *w) {
    const Job *job;
    jw_array(w, "jobs");
    for (int i = 0; (job = job_at(i)); i++) {
        jw_object(w, NULL);
        jw_string(w, "name", job->name);
        jw_array(w, "options");
        for (int k = 0; k < options_count(job->options); k++) {
            Option row = options_row(job->options, k);
            if (web_limit_row(job, &row))
                parameters_row_json(w, &row, NULL);
        }
        jw_end(w);
        jw_end(w);
    }
    jw_end(w);
}

static void write_methods(JsonWriter *w) {
    jw_array(w, "methods");
    for (int i = 0; i < train_count(); i++) {
        const TrainMethod *method = train_at(i);
        jw_object(w, NULL);
        jw_put(w, JS("name", method->name), JS("summary", method->summary),
               JI("games", method->games));
        parameters_json(w, "parameters", method->parameters, web_parameter_bounds);
        jw_end(w);
    }
    jw_end(w);
}

/* The features whose weights can be trained, with the names of the weights. */
static void write_features(JsonWriter *w) {
    jw_array(w, "features");
    for (int i = 0; i < EVALUATOR_KINDS; i++) {
        const EvaluatorKind *kind = evaluator_kinds[i];
        jw_object(w, NULL);
        jw_string(w, "name", kind->name);
        jw_array(w, "weights");
        for (int k = 0; k < kind->count; k++)
            jw_string(w, NULL, kind->names[k]);
        jw_end(w);
        jw_end(w);
    }
    jw_end(w);
}

static void about(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    (void)context, (void)request;
    JsonWriter w;
    jw_init(&w, &reply->body);
    jw_object(&w, NULL);
    jw_string(&w, "version", TETROPT_VERSION);
    jw_array(&w, "algorithms");
    for (size_t i = 0; i < optim_count(); i++) {
        const Optimiser *optimiser = optim_at(i);
        jw_object(&w, NULL);
        jw_put(&w, JS("name", optimiser->name), JS("summary", optimiser->summary),
               JB("placements", optimiser->searches_tree));
        parameters_json(&w, "parameters", optimiser->parameters, web_parameter_bounds);
        jw_end(&w);
    }
    jw_end(&w);
    jw_array(&w, "encodings");
    for (int i = 0; i < ENCODING_COUNT; i++)
        jw_string(&w, NULL, encoding_names[i]);
    jw_end(&w);
    jw_array(&w, "profiles");
    char word[32];
    for (int i = 0; i < PROFILE_COUNT; i++)
        jw_string(&w, NULL, options_choice_word(PROFILE_CHOICES, i, word, sizeof word));
    jw_end(&w);
    jw_integer(&w, "max_seconds", JOB_VIEW_MAX_SECONDS);
    write_jobs(&w);
    write_methods(&w);
    write_features(&w);
    jw_end(&w);
    answer(reply, true, NULL);
}

/* ---- /api/instances */

static void list_instances(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    (void)context, (void)request;
    JsonWriter w;
    jw_init(&w, &reply->body);
    jw_object(&w, NULL);
    instances_write(&w, NULL);
    jw_end(&w);
    answer(reply, true, NULL);
}

/* ---- jobs */

typedef void JobAction(const ApiContext *context, WebJob *job, ApiReply *reply);

static void job_show(const ApiContext *context, WebJob *job, ApiReply *reply) {
    web_job_write(context->jobs, job, &reply->body);
    answer(reply, true, NULL);
}

static void job_stop(const ApiContext *context, WebJob *job, ApiReply *reply) {
    (void)context;
    web_job_stop(job);
    text_add(&reply->body, "{}");
    answer(reply, true, NULL);
}

static void job_keep(const ApiContext *context, WebJob *job, ApiReply *reply) {
    web_job_keep(context->jobs, job);
    text_add(&reply->body, "{}");
    answer(reply, true, NULL);
}

/* Downloads: the answer in a form that `write` gives. */
static void job_file(const ApiContext *context, WebJob *job, ApiReply *reply, const char *type,
                     const char *name,
                     bool (*write)(const JobView *view, Text *text, Status *status)) {
    Status status = {.code = STATUS_OK};
    const JobView *view = web_job_done(context->jobs, job, &status);
    answer(reply, view && write(view, &reply->body, &status), &status);
    if (reply->status == 200) {
        reply->type = type;
        reply->name = name;
    }
}

static bool write_document(const JobView *view, Text *text, Status *status) {
    (void)status;
    job_write(view->job, view->run, true, text);
    return true;
}

static void job_document(const ApiContext *context, WebJob *job, ApiReply *reply) {
    job_file(context, job, reply, json_media, "tetropt.json", write_document);
}

static void job_svg(const ApiContext *context, WebJob *job, ApiReply *reply) {
    job_file(context, job, reply, "image/svg+xml", "tetropt.svg", job_view_svg);
}

static void job_replay(const ApiContext *context, WebJob *job, ApiReply *reply) {
    job_file(context, job, reply, json_media, "tetropt-replay.json", job_view_replay);
}

static const struct {
    const char *tail;
    bool post;
    const Job *only; /* NULL: for all jobs */
    JobAction *act;
} job_actions[] = {
    {"", false, NULL, job_show},          {"/stop", true, NULL, job_stop},
    {"/keep", true, NULL, job_keep},      {"/answer", false, NULL, job_document},
    {"/svg", false, &solve_job, job_svg}, {"/replay", false, &solve_job, job_replay},
};

/* The number after the prefix and, in *tail, what follows it; -1: another path. A number is written
 * in one way only, without leading zeros. */
static int64_t path_number(const char *path, const char *prefix, const char **tail) {
    if (strncmp(path, prefix, strlen(prefix)) != 0)
        return -1;
    const char *digits = path + strlen(prefix);
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > PATH_DIGITS || (count > 1 && digits[0] == '0'))
        return -1;
    *tail = digits + count;
    return strtoll(digits, NULL, 10);
}

/* The job that the path names, and the rest of the path; NULL: none. */
static const Job *path_job(const char *path, const char **rest) {
    static const char prefix[] = "/api/";
    size_t start = sizeof prefix - 1;
    if (strncmp(path, prefix, start) != 0)
        return NULL;
    size_t length = strcspn(path + start, "/");
    const Job *job;
    for (int i = 0; (job = job_at(i)); i++)
        if (strlen(job->name) == length && memcmp(path + start, job->name, length) == 0)
            break;
    *rest = path + start + length;
    return job;
}

/* The job and the number in "/api/JOB/NUMBER", and what follows; NULL: another path. */
static const Job *path_job_number(const char *path, int64_t *number, const char **tail) {
    const char *rest;
    const Job *kind = path_job(path, &rest);
    *number = kind ? path_number(rest, "/", tail) : -1;
    return *number >= 0 ? kind : NULL;
}

const Job *api_events_job(const char *path, int64_t *number) {
    const char *tail;
    const Job *kind = path_job_number(path, number, &tail);
    return kind && strcmp(tail, "/events") == 0 ? kind : NULL;
}

static void job_start(const ApiContext *context, const Job *kind, const ApiRequest *request,
                      ApiReply *reply) {
    Status status = {.code = STATUS_OK};
    int64_t number = 0;
    bool ok =
        web_jobs_start(context->jobs, kind, request->body, request->body_length, &number, &status);
    text_format(&reply->body, "{\"id\":%lld}", (long long)number);
    answer(reply, ok, &status);
}

/* True when the path is about a job, which is then answered. */
static bool job_answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    /* 1. "/api/JOB" starts one. */
    const char *tail;
    const Job *kind = path_job(request->path, &tail);
    if (kind && *tail == '\0') {
        if (request->post)
            job_start(context, kind, request, reply);
        else
            api_refuse(reply, 405, WRONG_METHOD);
        return true;
    }
    /* 2. "/api/JOB/NUMBER..." is about one that was started. */
    int64_t number;
    kind = path_job_number(request->path, &number, &tail);
    for (size_t i = 0; kind && i < sizeof job_actions / sizeof *job_actions; i++) {
        if (strcmp(job_actions[i].tail, tail) != 0 ||
            (job_actions[i].only && job_actions[i].only != kind))
            continue;
        WebJob *job = web_jobs_take(context->jobs, kind, number);
        if (!job)
            api_refuse(reply, 404, API_UNKNOWN_JOB);
        else if (job_actions[i].post != request->post)
            api_refuse(reply, 405, WRONG_METHOD);
        else
            job_actions[i].act(context, job, reply);
        if (job)
            web_jobs_give_back(context->jobs, job);
        return true;
    }
    return false;
}

/* ---- replays */

static void replay(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    (void)context;
    Status status = {.code = STATUS_OK};
    bool ok = api_replay_read(request->body, request->body_length, &reply->body, &status);
    answer(reply, ok, &status);
}

/* ---- experiments */

static void stores(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    (void)request;
    Status status = {.code = STATUS_OK};
    bool ok = stores_list(context->stores, &reply->body, &status);
    answer(reply, ok, &status);
}

static bool compare(Stores *all, int index, const ApiRequest *request, Text *body, Status *status) {
    return stores_compare(all, index, request->body, request->body_length, body, status);
}

static bool runs(Stores *all, int index, const ApiRequest *request, Text *body, Status *status) {
    return stores_runs(all, index, request->body, request->body_length, body, status);
}

static bool plots(Stores *all, int index, const ApiRequest *request, Text *body, Status *status) {
    return stores_plots(all, index, request->post ? request->body : NULL, request->body_length,
                        body, status);
}

static bool run(Stores *all, int index, const ApiRequest *request, Text *body, Status *status) {
    return stores_run(all, index, request->body, request->body_length, body, status);
}

static bool tunings(Stores *all, int index, const ApiRequest *request, Text *body, Status *status) {
    (void)request;
    return stores_tunings(all, index, body, status);
}

static const struct {
    const char *tail;
    bool post;
    bool (*find)(Stores *all, int index, const ApiRequest *request, Text *body, Status *status);
} store_actions[] = {
    {"/runs", true, runs},   {"/run", true, run},          {"/plots", false, plots},
    {"/plots", true, plots}, {"/tunings", false, tunings}, {"/compare", true, compare},
};

/* True when the path is about a store, which is then answered. */
static bool store_answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    const char *tail;
    int64_t index = path_number(request->path, "/api/stores/", &tail);
    if (index < 0)
        return false;
    bool known = false;
    for (size_t i = 0; i < sizeof store_actions / sizeof *store_actions; i++) {
        if (strcmp(store_actions[i].tail, tail) != 0)
            continue;
        known = true;
        if (store_actions[i].post != request->post || index >= stores_count(context->stores))
            continue;
        Status status = {.code = STATUS_OK};
        bool ok =
            store_actions[i].find(context->stores, (int)index, request, &reply->body, &status);
        answer(reply, ok, &status);
        return true;
    }
    if (known && index >= stores_count(context->stores))
        api_refuse(reply, 404, "unknown store");
    else if (known)
        api_refuse(reply, 405, WRONG_METHOD);
    return known;
}

/* ---- the table */

typedef void Answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply);

static const struct {
    const char *path;
    bool post;
    Answer *answer;
} paths[] = {
    {"/api/about", false, about},
    {"/api/instances", false, list_instances},
    {"/api/replay", true, replay},
    {"/api/stores", false, stores},
};

void api_answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    text_init(&reply->body);
    reply->name = NULL;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (strcmp(paths[i].path, request->path) != 0)
            continue;
        if (paths[i].post != request->post)
            api_refuse(reply, 405, WRONG_METHOD);
        else
            paths[i].answer(context, request, reply);
        return;
    }
    if (!job_answer(context, request, reply) && !store_answer(context, request, reply))
        api_refuse(reply, 404, "unknown path");
}

bool api_is_costly(const ApiRequest *request) {
    const char *tail;
    int64_t number;
    return request->post || path_number(request->path, "/api/stores/", &tail) >= 0 ||
           (path_job_number(request->path, &number, &tail) && strcmp(tail, "/events") != 0);
}
