/*
 * jobs: one thread per job; its reports are copied to a slot, from which web_jobs_refresh makes the
 * newest state.
 */
#include "web/jobs.h"

#include "base/clock.h"
#include "base/json.h"
#include "draw/picture.h"
#include "formats/document.h"
#include "job/solve.h"
#include "web/frames.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum JobState { JOB_RUNNING, JOB_DONE, JOB_FAILED } JobState;

struct WebJob {
    int64_t number;
    int references; /* takers; this and the next three under the lock of all jobs */
    bool watched;   /* somebody watched it once */
    bool kept;      /* runs on without watchers */
    uint64_t given_back_ns;
    pthread_t thread;
    WebJobs *jobs;
    const Job *job;
    void *run; /* its answer is only read when the job is done, and not changed after that */
    Status status;
    atomic_bool stop;
    uint64_t start_ns;

    pthread_mutex_t report_lock; /* the job only tries it */
    Progress progress;           /* the newest report; its genotype is `best` */
    double seconds;              /* of that report */
    unsigned char *best;         /* the best solution that was reported */
    size_t best_bytes;
    bool fresh;           /* there is a report that was not processed */
    double reported_best; /* the fitness of `best`; only for the job's thread */

    /* Under the lock of all jobs. */
    JobState state;
    bool joined;
    uint64_t version;
    Text event;                      /* the newest state */
    double curve[WEB_JOBS_CURVE][3]; /* evaluations, best, current */
    int curve_count;
};

struct WebJobs {
    pthread_mutex_t lock;
    WebJob *jobs[WEB_JOBS_KEPT]; /* NULL: free */
    int64_t next_number;
};

#define MAX_SEED 9007199254740991.0 /* integers are exact up to here in JavaScript */

/* ---- limits: everything that the server rejects and the command line does not */

static const struct {
    const char *job, *option;
    double min, max;      /* for numbers */
    const char *fallback; /* the server's default; NULL: as everywhere */
    bool rejected;        /* cannot be set at all */
} web_limits[] = {
    {"solve", "time", 0.01, WEB_JOBS_MAX_SECONDS, "10", false},
    {"solve", "threads", 0, 0, NULL, true},
    {"solve", "seed", 0, MAX_SEED, NULL, false},
    {"simulate", "time", 0.01, WEB_JOBS_MAX_SECONDS, "10", false},
    {"simulate", "threads", 0, 0, NULL, true},
    {"simulate", "seed", 0, MAX_SEED, NULL, false},
    {"simulate", "games", 1, 10000, NULL, false}, /* the result of every game is kept */
    {"simulate", "search-seeds", 1, 10000, NULL, false},
    {"train", "time", 0.01, WEB_JOBS_MAX_SECONDS, "60", false},
    {"train", "threads", 0, 0, NULL, true},
    {"train", "seed", 0, MAX_SEED, NULL, false},
    {"train", "games", 1, 1000, NULL, false},
    {"train", "held-out", 1, 1000, NULL, false},
    {"match", "time", 0.01, WEB_JOBS_MAX_SECONDS, "60", false},
    {"match", "threads", 0, 0, NULL, true},
    {"match", "seed", 0, MAX_SEED, NULL, false},
    {"match", "games", 2, 10000, NULL, false},
    {"match", "max-pieces", 1, 10000, NULL, false},
    {"match", "move-time", 1, 1000, NULL, false},
    {"clears", "time", 0.01, WEB_JOBS_MAX_SECONDS, "60", false},
    {"clears", "threads", 0, 0, NULL, true},
};

enum { LIMITS = sizeof web_limits / sizeof *web_limits };

/* With these, a search for a thousand placements takes some hundred megabytes at most. `memory` (in
 * megabytes) and `threads` are those of the bot, of which every processor has one. */
const ParameterBound web_parameter_bounds[] = {
    {"population", 20000},
    {"colony", 20000},
    {"width", 50000},
    {"beam", 50000},
    {"table", 22},
    {"tabu", 1000000},
    {"chains", 256},
    {"refine-count", 1000},
    {"refine-tabu", 10000},
    {"bees", 20000},
    {"memory", 64},
    {"threads", 1},
    {NULL, 0},
};

bool web_limit_row(const Job *job, Option *row) {
    for (int i = 0; i < LIMITS; i++) {
        if (strcmp(web_limits[i].job, job->name) != 0 ||
            strcmp(web_limits[i].option, row->name) != 0)
            continue;
        if (web_limits[i].rejected)
            return false;
        row->min = web_limits[i].min;
        row->max = web_limits[i].max;
        row->fallback = web_limits[i].fallback ? web_limits[i].fallback : row->fallback;
    }
    return true;
}

static bool check_limit(const Job *job, const char *name, const char *value, Status *status) {
    for (int i = 0; i < LIMITS; i++) {
        if (strcmp(web_limits[i].job, job->name) != 0 || strcmp(web_limits[i].option, name) != 0)
            continue;
        double number;
        if (web_limits[i].rejected)
            return status_option(status, name, "cannot be set over HTTP");
        if (options_read_real(value, &number) &&
            (number < web_limits[i].min || number > web_limits[i].max))
            return status_option(status, name, "%s is not in %.16g..%.16g over HTTP", value,
                                 web_limits[i].min, web_limits[i].max);
    }
    return true;
}

/* ---- from JSON to a question */

/* The text of a value as an option takes it: numbers as written, on and off, rows joined. */
static bool value_text(const Json *value, Text *text) {
    if (json_is_string(value))
        text_add(text, json_text(value));
    else if (json_is_integer(value))
        text_format(text, "%lld", (long long)json_int(value));
    else if (json_is_number(value))
        text_format(text, "%.17g", json_number(value));
    else if (json_is_bool(value))
        text_add(text, json_is_true(value) ? "on" : "off");
    else if (json_is_array(value))
        for (size_t i = 0; i < json_count(value); i++) {
            if (!json_is_string(json_at(value, i)))
                return false;
            text_format(text, "%s%s", i ? "\n" : "", json_text(json_at(value, i)));
        }
    else
        return false;
    return true;
}

static bool set_member(const Job *job, Question *question, const char *name, const Json *value,
                       Status *status) {
    Text text;
    text_init(&text);
    /* A board can be a fumen. */
    if (strcmp(name, "board") == 0 && json_is_string(value))
        name = "fumen";
    if (json_is_array(value) && json_count(value) == 0) /* a board without rows */
        return true;
    bool ok = value_text(value, &text) ||
              status_option(status, name, "neither a string, a number, true, false nor rows");
    ok = ok && (!text.failed || status_no_memory(status));
    ok = ok && (text.length > 0 || status_option(status, name, "requires a value"));
    /* Input that is invalid everywhere gets the same message everywhere. */
    ok = ok && job_set(job, question, name, text.data, status) &&
         check_limit(job, name, text.data, status);
    text_release(&text);
    return ok;
}

/* A list: NAME=VALUE as the members of an object, or an array of items. */
static bool set_list(const Job *job, Question *question, const char *name, const Json *value,
                     Status *status) {
    bool pairs = json_is_object(value);
    bool ok = true;
    for (size_t i = 0; ok && i < json_count(value); i++) {
        char member[64];
        snprintf(member, sizeof member, pairs ? "%s.%s" : "%s", name,
                 pairs ? json_name_at(value, i) : "");
        ok = set_member(job, question, member, json_at(value, i), status);
    }
    return ok;
}

/* The members are the options of the job; "param" is an object, and `seconds` and `parameters` are
 * the names of version 1.0. */
static bool fill_question(const Job *job, Question *question, const Json *object, Status *status) {
    if (!json_is_object(object))
        return status_fail(status, STATUS_INPUT, "not a JSON object");
    for (int i = 0; i < LIMITS; i++)
        if (strcmp(web_limits[i].job, job->name) == 0 && web_limits[i].fallback)
            question_set(question, web_limits[i].option, web_limits[i].fallback, NULL);
    for (size_t i = 0; i < json_count(object); i++) {
        const char *name = json_name_at(object, i);
        const Json *value = json_at(object, i);
        if (strcmp(name, "parameters") == 0 && !json_is_object(value))
            return status_option(status, name, "not an object");
        name = strcmp(name, "seconds") == 0      ? "time"
               : strcmp(name, "parameters") == 0 ? "param"
                                                 : name;
        int row = options_find(job->options, name);
        bool list = row >= 0 && options_row(job->options, row).kind == OPTION_LIST &&
                    (json_is_object(value) || json_is_array(value));
        if (!json_is_null(value) && !(list ? set_list(job, question, name, value, status)
                                           : set_member(job, question, name, value, status)))
            return false;
    }
    question->bounds = web_parameter_bounds;
    return true;
}

static void *prepare(const Job *job, const char *text, size_t length, Status *status) {
    Json *object = json_parse(text, length, status);
    Question *question = object ? job_question(job, status) : NULL;
    void *run = question && fill_question(job, question, object, status)
                    ? job->prepare(question, status)
                    : NULL;
    question_free(question);
    json_free(object);
    return run;
}

/* ---- the job's own thread */

static void on_report(void *context, const Progress *progress) {
    WebJob *job = context;
    if (pthread_mutex_trylock(&job->report_lock) != 0)
        return;
    const void *had = job->progress.genotype;
    job->progress = *progress;
    job->progress.genotype = had;
    job->seconds = clock_seconds_since(job->start_ns);
    if (progress->genotype && job->best && progress->best > job->reported_best) {
        job->reported_best = progress->best;
        memcpy(job->best, progress->genotype, job->best_bytes);
        job->progress.genotype = job->best;
    }
    job->fresh = true;
    pthread_mutex_unlock(&job->report_lock);
}

static void *job_main(void *context) {
    WebJob *job = context;
    ProgressWatch watch = {&job->stop, on_report, job};
    bool ok = job->job->run(job->run, &watch, &job->status);
    pthread_mutex_lock(&job->jobs->lock);
    job->state = ok ? JOB_DONE : JOB_FAILED;
    pthread_mutex_lock(&job->report_lock);
    job->fresh = true;
    job->seconds = clock_seconds_since(job->start_ns);
    if (ok && job->job == &solve_job) { /* the last report need not have been the best */
        const SolveRun *run = job->run;
        job->progress.done = run->answer.evaluations;
        job->progress.best = job->progress.current = run->answer.result.fitness;
        memcpy(job->best, &run->answer.best, job->best_bytes);
        job->progress.genotype = job->best;
    }
    pthread_mutex_unlock(&job->report_lock);
    pthread_mutex_unlock(&job->jobs->lock);
    return NULL;
}

/* ---- starting and ending */

WebJobs *web_jobs_new(Status *status) {
    WebJobs *jobs = calloc(1, sizeof *jobs);
    if (!jobs) {
        status_no_memory(status);
        return NULL;
    }
    pthread_mutex_init(&jobs->lock, NULL);
    jobs->next_number = 1;
    return jobs;
}

static void job_free(WebJob *job) {
    if (!job->joined)
        pthread_join(job->thread, NULL);
    pthread_mutex_destroy(&job->report_lock);
    text_release(&job->event);
    if (job->run)
        job->job->free_run(job->run);
    free(job->best);
    free(job);
}

void web_jobs_free(WebJobs *jobs) {
    if (!jobs)
        return;
    for (int i = 0; i < WEB_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            web_job_stop(jobs->jobs[i]);
    for (int i = 0; i < WEB_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            job_free(jobs->jobs[i]);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

/* The slot for a new job, with the lock held: an empty one, or that of the oldest finished one that
 * no client watches. -1: none. */
static int free_slot(const WebJobs *jobs) {
    int oldest = -1;
    for (int i = 0; i < WEB_JOBS_KEPT; i++) {
        const WebJob *job = jobs->jobs[i];
        if (!job)
            return i;
        if (job->state != JOB_RUNNING && job->references == 0 &&
            (oldest < 0 || job->number < jobs->jobs[oldest]->number))
            oldest = i;
    }
    return oldest;
}

static bool launch(WebJobs *jobs, WebJob *job, Status *status) {
    int running = 0;
    for (int i = 0; i < WEB_JOBS_KEPT; i++)
        running += jobs->jobs[i] && jobs->jobs[i]->state == JOB_RUNNING;
    int slot = free_slot(jobs);
    if (running >= WEB_JOBS_RUNNING || slot < 0)
        return status_fail(status, STATUS_UNMET, "%d jobs are running already; stop one first",
                           running);
    job->number = jobs->next_number;
    job->start_ns = clock_now_ns();
    if (pthread_create(&job->thread, NULL, job_main, job) != 0)
        return status_fail(status, STATUS_SYSTEM, "threads: cannot start one");
    job->joined = false;
    jobs->next_number++;
    if (jobs->jobs[slot])
        job_free(jobs->jobs[slot]);
    jobs->jobs[slot] = job;
    return true;
}

bool web_jobs_start(WebJobs *jobs, const Job *kind, const char *text, size_t length,
                    int64_t *number, Status *status) {
    WebJob *job = calloc(1, sizeof *job);
    if (!job)
        return status_no_memory(status);
    job->jobs = jobs;
    job->job = kind;
    job->reported_best = -INFINITY;
    job->progress.best = job->progress.current = -INFINITY;
    job->joined = true; /* there is no thread yet */
    pthread_mutex_init(&job->report_lock, NULL);
    text_init(&job->event);
    job->run = prepare(job->job, text, length, status);
    bool ok = job->run != NULL;
    if (ok && job->job->best_bytes) {
        job->best_bytes = job->job->best_bytes(job->run);
        job->best = malloc(job->best_bytes);
        ok = job->best || status_no_memory(status);
    }
    if (ok) {
        pthread_mutex_lock(&jobs->lock);
        ok = launch(jobs, job, status);
        *number = job->number;
        pthread_mutex_unlock(&jobs->lock);
    }
    if (!ok)
        job_free(job);
    return ok;
}

/* ---- looking */

WebJob *web_jobs_take(WebJobs *jobs, const Job *kind, int64_t number) {
    WebJob *found = NULL;
    pthread_mutex_lock(&jobs->lock);
    for (int i = 0; i < WEB_JOBS_KEPT && !found; i++)
        if (jobs->jobs[i] && jobs->jobs[i]->number == number && jobs->jobs[i]->job == kind)
            found = jobs->jobs[i];
    if (found)
        found->references++;
    pthread_mutex_unlock(&jobs->lock);
    return found;
}

void web_jobs_give_back(WebJobs *jobs, WebJob *job) {
    pthread_mutex_lock(&jobs->lock);
    job->references--;
    job->given_back_ns = clock_now_ns();
    pthread_mutex_unlock(&jobs->lock);
}

void web_job_watch(WebJobs *jobs, WebJob *job) {
    pthread_mutex_lock(&jobs->lock);
    job->watched = true;
    pthread_mutex_unlock(&jobs->lock);
}

void web_job_keep(WebJobs *jobs, WebJob *job) {
    pthread_mutex_lock(&jobs->lock);
    job->kept = true;
    pthread_mutex_unlock(&jobs->lock);
}

void web_job_stop(WebJob *job) {
    atomic_store(&job->stop, true);
}

static const char *state_name(const WebJob *job) {
    static const char *const names[] = {"running", "done", "failed"};
    return names[job->state];
}

/* `best` is a copy of the best solution; NULL: none yet. */
static void write_event(WebJob *job, const Progress *progress, double seconds, const void *best) {
    JsonWriter json;
    text_clear(&job->event);
    jw_init(&json, &job->event);
    jw_object(&json, NULL);
    jw_integer(&json, "id", job->number);
    jw_string(&json, "state", state_name(job));
    jw_integer(&json, "evaluations", (int64_t)progress->done);
    jw_integer(&json, "total", (int64_t)progress->total);
    jw_real(&json, "best", progress->best);
    jw_real(&json, "current", progress->current);
    jw_real(&json, "temperature", progress->temperature);
    jw_integer(&json, "generation", (int64_t)progress->generation);
    jw_real(&json, "seconds", seconds);
    jw_real(&json, "rate", seconds > 0 ? (double)progress->done / seconds : 0.0);
    if (job->job->write_best)
        job->job->write_best(job->run, best, &json);
    if (job->state == JOB_FAILED)
        jw_string(&json, "error", job->status.message);
    jw_end(&json);
    job->version++;
}

/* When there is no more space every second point is removed: the curve keeps its shape. */
static void add_to_curve(WebJob *job, const Progress *progress) {
    if (!isfinite(progress->best) || !isfinite(progress->current)) /* JSON has only finite ones */
        return;
    if (job->curve_count == WEB_JOBS_CURVE) {
        for (int i = 0; i < WEB_JOBS_CURVE / 2; i++)
            memcpy(job->curve[i], job->curve[2 * i], sizeof job->curve[i]);
        job->curve_count = WEB_JOBS_CURVE / 2;
    }
    double *point = job->curve[job->curve_count++];
    point[0] = (double)progress->done;
    point[1] = progress->best;
    point[2] = progress->current;
}

/* With the lock of all jobs held. */
static bool refresh(WebJob *job) {
    /* 0. A time limit only ends what looks at it, so the server has its own. */
    bool alone = job->watched && !job->kept && job->references == 0 &&
                 clock_seconds_since(job->given_back_ns) > WEB_JOBS_ALONE_SECONDS;
    if (alone || clock_seconds_since(job->start_ns) > WEB_JOBS_MAX_SECONDS + WEB_JOBS_SPARE_SECONDS)
        web_job_stop(job);
    /* 1. Copy the newest report, so that the job can report again at once. */
    pthread_mutex_lock(&job->report_lock);
    bool fresh = job->fresh;
    Progress progress = job->progress;
    double seconds = job->seconds;
    unsigned char *best = fresh && progress.genotype ? malloc(job->best_bytes) : NULL;
    if (best)
        memcpy(best, job->best, job->best_bytes);
    job->fresh = false;
    pthread_mutex_unlock(&job->report_lock);
    if (!fresh)
        return false;
    /* 2. Make the state from it. */
    add_to_curve(job, &progress);
    write_event(job, &progress, seconds, best);
    free(best);
    /* 3. The last thing that the thread of a finished job did was to release the lock held here. */
    if (job->state != JOB_RUNNING && !job->joined) {
        pthread_join(job->thread, NULL);
        job->joined = true;
    }
    return true;
}

bool web_jobs_refresh(WebJobs *jobs) {
    bool changed = false;
    pthread_mutex_lock(&jobs->lock);
    for (int i = 0; i < WEB_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            changed |= refresh(jobs->jobs[i]);
    pthread_mutex_unlock(&jobs->lock);
    return changed;
}

bool web_job_state(WebJobs *jobs, const WebJob *job, uint64_t *version, Text *text, bool *ended) {
    pthread_mutex_lock(&jobs->lock);
    bool newer = job->version != *version;
    if (newer)
        text_add_bytes(text, job->event.data, job->event.length);
    *version = job->version;
    *ended = job->joined;
    pthread_mutex_unlock(&jobs->lock);
    return newer;
}

static ViewGame view_of(const SolveRun *run, const char *title) {
    return (ViewGame){&run->request.grid, run->answer.result.steps, run->answer.result.state.placed,
                      title};
}

void web_job_write(WebJobs *jobs, WebJob *job, Text *text) {
    JsonWriter json;
    jw_init(&json, text);
    jw_object(&json, NULL);
    pthread_mutex_lock(&jobs->lock);
    if (job->event.length > 2) /* its members, without the brackets */
        jw_raw_members(&json, job->event.data + 1, job->event.length - 2);
    else {
        jw_integer(&json, "id", job->number);
        jw_string(&json, "state", state_name(job));
    }
    jw_array(&json, "curve");
    for (int i = 0; i < job->curve_count; i++)
        jw_reals(&json, NULL, job->curve[i], 3);
    jw_end(&json);
    bool done = job->joined && job->state == JOB_DONE;
    pthread_mutex_unlock(&jobs->lock);
    if (done) {
        Text answer;
        text_init(&answer);
        job_write(job->job, job->run, true, &answer);
        jw_raw(&json, "answer", answer.data ? answer.data : "null",
               answer.data ? answer.length : 4);
        text->failed |= answer.failed;
        text_release(&answer);
    }
    if (done && job->job == &solve_job) {
        const SolveRun *run = job->run;
        ViewGame game = view_of(run, NULL);
        document_write_board(&json, "start", &run->request.grid);
        frames_write(&json, "frames", &game, NULL, 0, game.count);
    }
    jw_end(&json);
}

/* True when there is an answer. */
static bool is_done(WebJobs *jobs, const WebJob *job, Status *status) {
    pthread_mutex_lock(&jobs->lock);
    bool done = job->state == JOB_DONE;
    pthread_mutex_unlock(&jobs->lock);
    return done || status_fail(status, STATUS_UNMET, "not finished yet");
}

bool web_job_answer(WebJobs *jobs, WebJob *job, Text *text, Status *status) {
    if (!is_done(jobs, job, status))
        return false;
    job_write(job->job, job->run, true, text);
    return true;
}

bool web_job_svg(WebJobs *jobs, WebJob *job, Text *text, Status *status) {
    if (!is_done(jobs, job, status))
        return false;
    const SolveRun *run = job->run;
    const DecodeState *state = &run->answer.result.state;
    char title[160];
    snprintf(title, sizeof title, "%d piece%s, %s, %s: fitness %g, %d line%s cleared",
             state->placed, state->placed == 1 ? "" : "s", run->task.optimiser->name,
             encoding_names[run->request.encoding], run->answer.result.fitness, state->lines,
             state->lines == 1 ? "" : "s");
    ViewGame game = view_of(run, title);
    return picture_game(&game, DRAWING_SVG, text, status);
}

bool web_job_replay(WebJobs *jobs, WebJob *job, Text *text, Status *status) {
    const SolveRun *run = job->run;
    Replay replay;
    if (!is_done(jobs, job, status) || !solve_replay(&run->task, &run->answer, &replay, status))
        return false;
    bool ok = replay_write(&replay, text, status);
    replay_release(&replay);
    return ok;
}
