#include "web/api.h"

#include "io/json.h"
#include "optim/registry.h"
#include "web/api_replay.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_DIGITS = 15 }; /* of a number in a path: it fits into 64 bits */

static const char json_media[] = "application/json";

void api_refuse(ApiReply *reply, int status, const char *why) {
    json_t *document = json_pack("{s:s}", "error", why);
    char *line = document ? json_write(document) : NULL;
    json_decref(document);
    reply->status = status;
    reply->type = json_media;
    reply->name = NULL;
    text_clear(&reply->body);
    text_add(&reply->body, line ? line : "{\"error\":\"no memory\"}");
    free(line);
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

/* Answers with a document and drops the reference to it. */
static void answer(ApiReply *reply, json_t *document) {
    char *line = document ? json_write(document) : NULL;
    json_decref(document);
    if (!line) {
        api_refuse(reply, 500, "no memory");
        return;
    }
    reply->status = 200;
    reply->type = json_media;
    text_add(&reply->body, line);
    free(line);
}

/* ---- what there is */

/* What is told as text, as a part of a document. */
static json_t *from_text(Text *text) {
    Status ignored;
    json_t *document = text->failed ? NULL : json_parse(text->data, text->length, &ignored);
    text_release(text);
    return document;
}

static json_t *algorithms_json(void) {
    json_t *algorithms = json_array();
    for (size_t i = 0; i < optim_count(); i++) {
        const Optimiser *optimiser = optim_at(i);
        Text parameters;
        text_init(&parameters);
        parameters_json(optimiser->parameters, solve_jobs_bounds, &parameters);
        json_add(&algorithms, json_pack("{s:s, s:s, s:b, s:o}", "name", optimiser->name, "summary",
                                        optimiser->summary, "placements", optimiser->searches_tree,
                                        "parameters", from_text(&parameters)));
    }
    return algorithms;
}

static void about(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    (void)context, (void)request;
    json_t *encodings = json_array(), *profiles = json_array();
    char word[32];
    for (int i = 0; i < ENCODING_COUNT; i++)
        json_add(&encodings, json_string(encoding_names[i]));
    for (int i = 0; i < PROFILE_COUNT; i++)
        json_add(&profiles,
                 json_string(options_choice_word(PROFILE_CHOICES, i, word, sizeof word)));
    answer(reply, json_pack("{s:s, s:o, s:o, s:o, s:i}", "version", TETROPT_VERSION, "algorithms",
                            algorithms_json(), "encodings", encodings, "profiles", profiles,
                            "max_seconds", SOLVE_JOBS_MAX_SECONDS));
}

/* ---- solving */

static void solve_start(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    Status status = {.code = STATUS_OK};
    int64_t number;
    json_t *document = json_parse(request->body, request->body_length, &status);
    bool ok = document && solve_jobs_start(context->jobs, document, &number, &status);
    json_decref(document);
    if (ok)
        answer(reply, json_pack("{s:I}", "id", (json_int_t)number));
    else
        refuse(reply, &status);
}

typedef void JobAction(const ApiContext *context, SolveJob *job, ApiReply *reply);

static void job_show(const ApiContext *context, SolveJob *job, ApiReply *reply) {
    answer(reply, solve_job_json(context->jobs, job));
}

static void job_stop(const ApiContext *context, SolveJob *job, ApiReply *reply) {
    (void)context;
    solve_job_stop(job);
    answer(reply, json_object());
}

static void job_svg(const ApiContext *context, SolveJob *job, ApiReply *reply) {
    Status status = {.code = STATUS_OK};
    if (!solve_job_svg(context->jobs, job, &reply->body, &status)) {
        refuse(reply, &status);
        return;
    }
    reply->status = 200;
    reply->type = "image/svg+xml";
    reply->name = "tetropt.svg";
}

static void job_replay(const ApiContext *context, SolveJob *job, ApiReply *reply) {
    Status status = {.code = STATUS_OK};
    if (!solve_job_replay(context->jobs, job, &reply->body, &status)) {
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
        SolveJob *job = solve_jobs_take(context->jobs, number);
        if (!job)
            api_refuse(reply, 404, "there is no such search any more");
        else if (job_actions[i].post != request->post)
            api_refuse(reply, 405, "not with this method");
        else
            job_actions[i].act(context, job, reply);
        if (job)
            solve_jobs_give_back(context->jobs, job);
        return true;
    }
    return false;
}

/* ---- replays */

static void replay(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    (void)context;
    Status status = {.code = STATUS_OK};
    json_t *document = api_replay_read(request->body, request->body_length, &status);
    if (document)
        answer(reply, document);
    else
        refuse(reply, &status);
}

/* ---- experiments */

static void stores(const ApiContext *context, const ApiRequest *request, ApiReply *reply) {
    (void)request;
    Status status = {.code = STATUS_OK};
    json_t *document = stores_list(context->stores, &status);
    if (document)
        answer(reply, document);
    else
        refuse(reply, &status);
}

/* What a question in the body gives. */
static json_t *ask(Stores *all, int index, const ApiRequest *request, Status *status,
                   json_t *(*find)(Stores *, int, const json_t *, Status *)) {
    json_t *document = json_parse(request->body, request->body_length, status);
    json_t *found = document ? find(all, index, document, status) : NULL;
    json_decref(document);
    return found;
}

static json_t *compare(Stores *all, int index, const ApiRequest *request, Status *status) {
    return ask(all, index, request, status, stores_compare);
}

static json_t *runs(Stores *all, int index, const ApiRequest *request, Status *status) {
    return ask(all, index, request, status, stores_runs);
}

static json_t *plots(Stores *all, int index, const ApiRequest *request, Status *status) {
    (void)request;
    return stores_plots(all, index, status);
}

static const struct {
    const char *tail;
    bool post;
    json_t *(*find)(Stores *all, int index, const ApiRequest *request, Status *status);
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
        json_t *document = NULL;
        if (index >= stores_count(context->stores))
            api_refuse(reply, 404, "there is no such store");
        else if (store_actions[i].post != request->post)
            api_refuse(reply, 405, "not with this method");
        else if ((document = store_actions[i].find(context->stores, (int)index, request, &status)))
            answer(reply, document);
        else
            refuse(reply, &status);
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
