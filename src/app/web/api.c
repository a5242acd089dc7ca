/* api: paths are looked up in small tables; every answer is written into the body of the reply. */
#include "web/api.h"

#include "base/json_writer.h"
#include "optim/registry.h"
#include "problem/fitness.h"
#include "problem/genotype.h"
#include "web/api_replay.h"
#include "web/parameters.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_DIGITS = 15 }; /* of a number in a path: it fits into 64 bits */

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

/* ---- what there is */

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
    jw_integer(&w, "max_seconds", WEB_JOBS_MAX_SECONDS);
    jw_end(&w);
    answer(reply, true, NULL);
}

/* ---- solving */

static void solve_start(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    Status status = {.code = STATUS_OK};
    int64_t number;
    bool ok = web_jobs_start(context->jobs, "solve", request->body, request->body_length, &number,
                             &status);
    JsonWriter w;
    jw_init(&w, &reply->body);
    jw_object(&w, NULL);
    if (ok)
        jw_integer(&w, "id", number);
    jw_end(&w);
    answer(reply, ok, &status);
}

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

static void job_svg(const ApiContext *context, WebJob *job, ApiReply *reply) {
    Status status = {.code = STATUS_OK};
    if (!web_job_svg(context->jobs, job, &reply->body, &status)) {
        refuse(reply, &status);
        return;
    }
    reply->status = 200;
    reply->type = "image/svg+xml";
    reply->name = "tetropt.svg";
}

static void job_replay(const ApiContext *context, WebJob *job, ApiReply *reply) {
    Status status = {.code = STATUS_OK};
    if (!web_job_replay(context->jobs, job, &reply->body, &status)) {
        refuse(reply, &status);
        return;
    }
    reply->status = 200;
    reply->type = json_media;
    reply->name = "tetropt-replay.json";
}

static const struct {
    const char *tail;
    bool post;
    JobAction *act;
} job_actions[] = {
    {"", false, job_show},
    {"/stop", true, job_stop},
    {"/svg", false, job_svg},
    {"/replay", false, job_replay},
};

/* The number behind the prefix and, in *tail, what follows it; -1: no such path. A number is
 * written in one way only: no zeros stand before it. */
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

static const char job_prefix[] = "/api/solve/";

int64_t api_events_number(const char *path) {
    const char *tail;
    int64_t number = path_number(path, job_prefix, &tail);
    return number >= 0 && strcmp(tail, "/events") == 0 ? number : -1;
}

/* True when the path is about a job, which is then answered. */
static bool job_answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    const char *tail;
    int64_t number = path_number(request->path, job_prefix, &tail);
    if (number < 0)
        return false;
    for (size_t i = 0; i < sizeof job_actions / sizeof *job_actions; i++) {
        if (strcmp(job_actions[i].tail, tail) != 0)
            continue;
        WebJob *job = web_jobs_take(context->jobs, number);
        if (!job)
            api_refuse(reply, 404, "there is no such search any more");
        else if (job_actions[i].post != request->post)
            api_refuse(reply, 405, "not with this method");
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
    (void)request;
    return stores_plots(all, index, body, status);
}

static const struct {
    const char *tail;
    bool post;
    bool (*find)(Stores *all, int index, const ApiRequest *request, Text *body, Status *status);
} store_actions[] = {
    {"/runs", true, runs},
    {"/plots", false, plots},
    {"/compare", true, compare},
};

/* True when the path is about a store, which is then answered. */
static bool store_answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    const char *tail;
    int64_t index = path_number(request->path, "/api/stores/", &tail);
    if (index < 0)
        return false;
    for (size_t i = 0; i < sizeof store_actions / sizeof *store_actions; i++) {
        if (strcmp(store_actions[i].tail, tail) != 0)
            continue;
        Status status = {.code = STATUS_OK};
        if (index >= stores_count(context->stores))
            api_refuse(reply, 404, "there is no such store");
        else if (store_actions[i].post != request->post)
            api_refuse(reply, 405, "not with this method");
        else {
            bool ok =
                store_actions[i].find(context->stores, (int)index, request, &reply->body, &status);
            answer(reply, ok, &status);
        }
        return true;
    }
    return false;
}

/* ---- the table */

typedef void Answer(const ApiContext *context, const ApiRequest *request, ApiReply *reply);

static const struct {
    const char *path;
    bool post;
    Answer *answer;
} paths[] = {
    {"/api/about", false, about},
    {"/api/solve", true, solve_start},
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
            api_refuse(reply, 405, "not with this method");
        else
            paths[i].answer(context, request, reply);
        return;
    }
    if (!job_answer(context, request, reply) && !store_answer(context, request, reply))
        api_refuse(reply, 404, "there is nothing here");
}

bool api_is_costly(const ApiRequest *request) {
    const char *tail;
    return request->post || path_number(request->path, "/api/stores/", &tail) >= 0 ||
           (path_number(request->path, job_prefix, &tail) >= 0 && strcmp(tail, "/events") != 0);
}
