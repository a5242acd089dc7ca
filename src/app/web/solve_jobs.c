#include "web/solve_jobs.h"

#include "base/clock.h"
#include "base/rng.h"
#include "draw/picture.h"
#include "io/eval_document.h"
#include "io/json.h"
#include "io/solve_document.h"
#include "optim/registry.h"
#include "web/frames.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum JobState { JOB_RUNNING, JOB_DONE, JOB_FAILED } JobState;

/* The newest report of a search, and its best genotype. */
typedef struct Report {
    Progress progress;
    double seconds;
    bool has_genotype;
    union {
        int8_t genes[GENOTYPE_MAX_PIECES * GENOTYPE_MAX_GENES];
        Move moves[GENOTYPE_MAX_PIECES];
    } best;
} Report;

struct SolveJob {
    int64_t number;
    int references; /* of those who took it; under the lock of all jobs */
    pthread_t thread;
    SolveJobs *jobs;
    EvalRequest asked;   /* never changed: what others look at while it runs */
    EvalRequest request; /* the search keeps its best in it */
    SolveTask task;
    Parameters parameters;
    SolveAnswer answer; /* only of a job that is done; not changed after that */
    Status status;
    atomic_bool stop;
    uint64_t start_ns;

    pthread_mutex_t report_lock; /* the search only tries it */
    Report report;
    bool fresh;       /* not looked at yet */
    double told_best; /* of the genotype in `report`; of the search's thread alone */

    /* Under the lock of all jobs. */
    JobState state;
    bool joined;
    uint64_t version;
    Text event;                        /* the newest state */
    double curve[SOLVE_JOBS_CURVE][3]; /* evaluations, best, current */
    int curve_count;
};

struct SolveJobs {
    pthread_mutex_t lock;
    SolveJob *jobs[SOLVE_JOBS_KEPT]; /* NULL: free */
    int64_t next_number;
    /* For refreshing alone. */
    Report report;
    EvalRequest request;
    EvalResult result;
};

/* At these, a search for a thousand placements takes some hundred megabytes at most. */
const ParameterBound solve_jobs_bounds[] = {
    {"population", 20000},  {"colony", 20000}, {"width", 50000}, {"beam", 50000},
    {"table", 22},          {"tabu", 1000000}, {"chains", 256},  {"refine-count", 1000},
    {"refine-tabu", 10000}, {NULL, 0},
};

SolveJobs *solve_jobs_new(Status *status) {
    SolveJobs *jobs = calloc(1, sizeof *jobs);
    if (!jobs) {
        status_no_memory(status);
        return NULL;
    }
    pthread_mutex_init(&jobs->lock, NULL);
    jobs->next_number = 1;
    return jobs;
}

static void job_free(SolveJob *job) {
    if (!job->joined)
        pthread_join(job->thread, NULL);
    pthread_mutex_destroy(&job->report_lock);
    text_release(&job->event);
    parameters_release(&job->parameters);
    free(job);
}

void solve_jobs_free(SolveJobs *jobs) {
    if (!jobs)
        return;
    for (int i = 0; i < SOLVE_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            solve_job_stop(jobs->jobs[i]);
    for (int i = 0; i < SOLVE_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            job_free(jobs->jobs[i]);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

/* ---- the search's own thread */

static void on_report(void *context, const Progress *progress) {
    SolveJob *job = context;
    if (pthread_mutex_trylock(&job->report_lock) != 0)
        return;
    Report *report = &job->report;
    report->progress = *progress;
    report->progress.genotype = NULL;
    report->seconds = clock_seconds_since(job->start_ns);
    if (progress->genotype && progress->best > job->told_best) {
        job->told_best = progress->best;
        memcpy(&report->best, progress->genotype, eval_genotype_bytes(&job->request));
        report->has_genotype = true;
    }
    job->fresh = true;
    pthread_mutex_unlock(&job->report_lock);
}

static void *job_main(void *context) {
    SolveJob *job = context;
    bool ok = solve_run(&job->task, &job->answer, &job->status);
    pthread_mutex_lock(&job->jobs->lock);
    job->state = ok ? JOB_DONE : JOB_FAILED;
    pthread_mutex_lock(&job->report_lock);
    job->fresh = true;
    if (ok) {
        job->report.progress.done = job->answer.evaluations;
        job->report.progress.best = job->answer.result.fitness;
        job->report.progress.current = job->answer.result.fitness;
        job->report.seconds = job->answer.seconds;
    }
    pthread_mutex_unlock(&job->report_lock);
    pthread_mutex_unlock(&job->jobs->lock);
    return NULL;
}

/* ---- starting */

static bool read_real(const json_t *document, const char *name, double low, double high,
                      double *value, Status *status) {
    const json_t *member = json_object_get(document, name);
    if (!member)
        return true;
    if (!json_is_number(member))
        return status_fail(status, STATUS_INPUT, "%s: not a number", name);
    *value = json_number_value(member);
    return (*value >= low && *value <= high) ||
           status_fail(status, STATUS_INPUT, "%s: not in %g..%g", name, low, high);
}

/* {"name": "value"} */
static bool read_parameters(SolveJob *job, const json_t *document, Status *status) {
    const Optimiser *optimiser = job->task.optimiser;
    const json_t *member = json_object_get(document, "parameters"), *value;
    const char *name;
    parameters_init(&job->parameters, optimiser->name, optimiser->parameters);
    job->parameters.bounds = solve_jobs_bounds;
    job->task.parameters = job->parameters.values;
    if (member && !json_is_object(member))
        return status_fail(status, STATUS_INPUT, "parameters: not an object");
    json_object_foreach((json_t *)(uintptr_t)member, name, value) {
        const char *string = json_string_value(value);
        if (!string)
            return status_fail(status, STATUS_INPUT, "parameters.%.40s: not a string", name);
        Text pair;
        text_init(&pair);
        text_format(&pair, "%s=%s", name, string);
        bool ok = !pair.failed ? parameters_set(&job->parameters, pair.data, status)
                               : status_no_memory(status);
        text_release(&pair);
        if (!ok)
            return false;
    }
    return true;
}

static bool read_algorithm(SolveJob *job, const json_t *document, Status *status) {
    const char *algorithm = json_read_string(document, "algorithm", status);
    if (!algorithm)
        return false;
    job->task.optimiser = optim_find(algorithm);
    if (!job->task.optimiser)
        return status_fail(status, STATUS_INPUT, "algorithm: '%.40s' is unknown", algorithm);
    return read_parameters(job, document, status);
}

/* Every seed that is printed can be sent back: whole numbers are exact up to here in JSON. */
static bool read_seed(const json_t *document, uint64_t *seed, Status *status) {
    static const json_int_t most = ((json_int_t)1 << 53) - 1;
    const json_t *member = json_object_get(document, "seed");
    *seed = member ? (uint64_t)json_integer_value(member) : rng_entropy();
    if (!member)
        return true;
    if (!json_is_integer(member))
        return status_fail(status, STATUS_INPUT, "seed: not a whole number");
    json_int_t given = json_integer_value(member);
    return (given >= 0 && given <= most) ||
           status_fail(status, STATUS_INPUT,
                       "seed: %" JSON_INTEGER_FORMAT " is not in 0..%" JSON_INTEGER_FORMAT, given,
                       most);
}

/* When it ends, and how it begins. */
static bool read_limits(SolveTask *task, const json_t *document, Status *status) {
    double evaluations = 0;
    task->seconds = 10;
    if (!read_real(document, "seconds", 0.01, SOLVE_JOBS_MAX_SECONDS, &task->seconds, status) ||
        !read_real(document, "evaluations", 0, 1e15, &evaluations, status) ||
        !read_real(document, "target", -1e15, 1e15, &task->target, status) ||
        !read_seed(document, &task->seed, status))
        return false;
    task->evaluations = (uint64_t)evaluations;
    task->has_target = json_object_get(document, "target") != NULL;
    return true;
}

static bool read_profile(SolveTask *task, const json_t *document, Status *status) {
    task->profile = fitness_profiles[PROFILE_BLOCKS];
    if (!json_object_get(document, "profile"))
        return true;
    const char *wanted = json_read_string(document, "profile", status);
    if (!wanted)
        return false;
    char word[32];
    for (int i = 0; i < PROFILE_COUNT; i++)
        if (strcmp(options_choice_word(PROFILE_CHOICES, i, word, sizeof word), wanted) == 0) {
            task->profile = fitness_profiles[i];
            return true;
        }
    return status_fail(status, STATUS_INPUT, "profile: '%.40s' is unknown", wanted);
}

static bool read_job(SolveJob *job, const json_t *document, Status *status) {
    static const char *const members[] = {"pieces",     "placements",  "width",   "height", "board",
                                          "encoding",   "algorithm",   "seconds", "seed",   "hold",
                                          "parameters", "evaluations", "target",  "profile"};
    SolveTask *task = &job->task;
    if (!json_only_members(document, members, (int)(sizeof members / sizeof *members), status) ||
        !eval_problem_read(&job->request, document, status) ||
        !read_algorithm(job, document, status) || !read_limits(task, document, status) ||
        !read_profile(task, document, status))
        return false;
    const json_t *hold = json_object_get(document, "hold");
    if (hold && !json_is_boolean(hold))
        return status_fail(status, STATUS_INPUT, "hold: not true or false");
    job->asked = job->request;
    task->hold = !hold || json_is_true(hold);
    task->request = &job->request;
    task->threads = pool_processors();
    task->stop = &job->stop;
    task->report = on_report;
    task->report_context = job;
    return solve_check(task, status);
}

/* The slot for a new job, with the lock held: an empty one, or that of the oldest which is done and
 * which nobody looks at. -1: none. */
static int free_slot(const SolveJobs *jobs) {
    int oldest = -1;
    for (int i = 0; i < SOLVE_JOBS_KEPT; i++) {
        const SolveJob *job = jobs->jobs[i];
        if (!job)
            return i;
        if (job->state != JOB_RUNNING && job->references == 0 &&
            (oldest < 0 || job->number < jobs->jobs[oldest]->number))
            oldest = i;
    }
    return oldest;
}

static bool launch(SolveJobs *jobs, SolveJob *job, Status *status) {
    int running = 0;
    for (int i = 0; i < SOLVE_JOBS_KEPT; i++)
        running += jobs->jobs[i] && jobs->jobs[i]->state == JOB_RUNNING;
    int slot = free_slot(jobs);
    if (running >= SOLVE_JOBS_RUNNING || slot < 0)
        return status_fail(status, STATUS_UNMET, "%d searches run already; stop one first",
                           running);
    job->number = jobs->next_number;
    job->start_ns = clock_now_ns();
    if (pthread_create(&job->thread, NULL, job_main, job) != 0)
        return status_fail(status, STATUS_SYSTEM, "threads: cannot start one");
    jobs->next_number++;
    if (jobs->jobs[slot])
        job_free(jobs->jobs[slot]);
    jobs->jobs[slot] = job;
    return true;
}

bool solve_jobs_start(SolveJobs *jobs, const char *text, size_t length, int64_t *number,
                      Status *status) {
    json_t *document = json_parse(text, length, status);
    if (!document)
        return false;
    SolveJob *job = calloc(1, sizeof *job);
    if (!job) {
        json_decref(document);
        return status_no_memory(status);
    }
    job->jobs = jobs;
    job->told_best = -INFINITY;
    job->report.progress.best = job->report.progress.current = -INFINITY;
    pthread_mutex_init(&job->report_lock, NULL);
    text_init(&job->event);
    bool ok = read_job(job, document, status);
    json_decref(document);
    if (ok) {
        pthread_mutex_lock(&jobs->lock);
        ok = launch(jobs, job, status);
        pthread_mutex_unlock(&jobs->lock);
        *number = job->number;
    }
    if (!ok) {
        job->joined = true; /* there is no thread */
        job_free(job);
    }
    return ok;
}

/* ---- looking */

SolveJob *solve_jobs_take(SolveJobs *jobs, int64_t number) {
    SolveJob *found = NULL;
    pthread_mutex_lock(&jobs->lock);
    for (int i = 0; i < SOLVE_JOBS_KEPT && !found; i++)
        if (jobs->jobs[i] && jobs->jobs[i]->number == number)
            found = jobs->jobs[i];
    if (found)
        found->references++;
    pthread_mutex_unlock(&jobs->lock);
    return found;
}

void solve_jobs_give_back(SolveJobs *jobs, SolveJob *job) {
    pthread_mutex_lock(&jobs->lock);
    job->references--;
    pthread_mutex_unlock(&jobs->lock);
}

void solve_job_stop(SolveJob *job) {
    atomic_store(&job->stop, true);
}

static json_t *real_or_null(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static const char *state_name(const SolveJob *job) {
    static const char *const names[] = {"running", "done", "failed"};
    return names[job->state];
}

/* The best board so far; null before there is one. */
static json_t *best_board(SolveJobs *jobs, const SolveJob *job) {
    if (job->state == JOB_DONE)
        return eval_board_json(&job->answer.result.grid);
    if (!jobs->report.has_genotype)
        return json_null();
    EvalRequest *request = &jobs->request;
    *request = job->asked;
    eval_set_genotype(request, &jobs->report.best);
    Status ignored;
    if (!eval_run(request, &job->task.profile, &jobs->result, &ignored))
        return json_null();
    return eval_board_json(&jobs->result.grid);
}

static void write_event(SolveJobs *jobs, SolveJob *job) {
    const Report *report = &jobs->report;
    double seconds = report->seconds, evaluations = (double)report->progress.done;
    json_t *state = json_pack(
        "{s:I, s:s, s:I, s:o, s:o, s:o, s:f, s:f, s:i, s:i, s:o}", "id", (json_int_t)job->number,
        "state", state_name(job), "evaluations", (json_int_t)report->progress.done, "best",
        real_or_null(report->progress.best), "current", real_or_null(report->progress.current),
        "temperature", real_or_null(report->progress.temperature), "seconds", seconds, "rate",
        seconds > 0 ? evaluations / seconds : 0.0, "width", (int)job->request.grid.width, "height",
        (int)job->request.grid.height, "board", best_board(jobs, job));
    if (job->state == JOB_FAILED)
        json_put(&state, "error", json_string(job->status.message));
    char *line = state ? json_write(state) : NULL;
    json_decref(state);
    if (!line)
        return;
    text_clear(&job->event);
    text_add(&job->event, line);
    free(line);
    job->version++;
}

/* Every second point goes when there is no more room: the curve keeps its shape. */
static void add_to_curve(SolveJob *job, const Progress *progress) {
    if (!isfinite(progress->best) || !isfinite(progress->current)) /* JSON has only finite ones */
        return;
    if (job->curve_count == SOLVE_JOBS_CURVE) {
        for (int i = 0; i < SOLVE_JOBS_CURVE / 2; i++)
            memcpy(job->curve[i], job->curve[2 * i], sizeof job->curve[i]);
        job->curve_count = SOLVE_JOBS_CURVE / 2;
    }
    double *point = job->curve[job->curve_count++];
    point[0] = (double)progress->done;
    point[1] = progress->best;
    point[2] = progress->current;
}

/* With the lock of all jobs held. */
static bool refresh(SolveJobs *jobs, SolveJob *job) {
    pthread_mutex_lock(&job->report_lock);
    bool fresh = job->fresh;
    if (fresh)
        jobs->report = job->report;
    job->fresh = false;
    pthread_mutex_unlock(&job->report_lock);
    if (!fresh)
        return false;
    add_to_curve(job, &jobs->report.progress);
    write_event(jobs, job);
    if (job->state != JOB_RUNNING && !job->joined) {
        /* Its last act was to let go of the lock that is held here. */
        pthread_join(job->thread, NULL);
        job->joined = true;
    }
    return true;
}

bool solve_jobs_refresh(SolveJobs *jobs) {
    bool changed = false;
    pthread_mutex_lock(&jobs->lock);
    for (int i = 0; i < SOLVE_JOBS_KEPT; i++)
        if (jobs->jobs[i])
            changed |= refresh(jobs, jobs->jobs[i]);
    pthread_mutex_unlock(&jobs->lock);
    return changed;
}

/* True when the newest state is the last one. */
static bool ended(const SolveJob *job) {
    return job->joined;
}

bool solve_job_state(SolveJobs *jobs, const SolveJob *job, uint64_t *version, Text *text,
                     bool *is_ended) {
    pthread_mutex_lock(&jobs->lock);
    bool newer = job->version != *version;
    if (newer)
        text_add_bytes(text, job->event.data, job->event.length);
    *version = job->version;
    *is_ended = ended(job);
    pthread_mutex_unlock(&jobs->lock);
    return newer;
}

static ViewGame view_of(const SolveJob *job, const char *title) {
    return (ViewGame){&job->request.grid, job->answer.result.steps, job->answer.result.state.placed,
                      title};
}

static json_t *frames_json(const ViewGame *game) {
    Text text;
    Status ignored;
    text_init(&text);
    frames_text(game, &text);
    json_t *frames = text.failed ? NULL : json_parse(text.data, text.length, &ignored);
    text_release(&text);
    return frames;
}

void solve_job_write(SolveJobs *jobs, SolveJob *job, Text *text) {
    pthread_mutex_lock(&jobs->lock);
    Status ignored;
    json_t *state = job->event.length > 0 ? json_parse(job->event.data, job->event.length, &ignored)
                                          : json_pack("{s:I, s:s}", "id", (json_int_t)job->number,
                                                      "state", state_name(job));
    json_t *curve = json_array();
    for (int i = 0; i < job->curve_count; i++)
        json_add(&curve,
                 json_pack("[f,f,f]", job->curve[i][0], job->curve[i][1], job->curve[i][2]));
    bool done = ended(job) && job->state == JOB_DONE;
    pthread_mutex_unlock(&jobs->lock);
    json_put(&state, "curve", curve);
    if (done) {
        ViewGame game = view_of(job, NULL);
        json_put(&state, "answer", solve_answer_json(&job->task, &job->answer, true));
        json_put(&state, "start", eval_board_json(&job->request.grid));
        json_put(&state, "frames", frames_json(&game));
    }
    char *line = state ? json_write(state) : NULL;
    json_decref(state);
    text->failed |= !line;
    if (line)
        text_add(text, line);
    free(line);
}

static bool is_done(SolveJobs *jobs, const SolveJob *job, Status *status) {
    pthread_mutex_lock(&jobs->lock);
    bool done = job->state == JOB_DONE;
    pthread_mutex_unlock(&jobs->lock);
    return done || status_fail(status, STATUS_UNMET, "there is no answer yet");
}

bool solve_job_svg(SolveJobs *jobs, SolveJob *job, Text *text, Status *status) {
    if (!is_done(jobs, job, status))
        return false;
    const DecodeState *state = &job->answer.result.state;
    char title[160];
    snprintf(title, sizeof title, "%d piece%s, %s, %s: fitness %g, %d row%s removed", state->placed,
             state->placed == 1 ? "" : "s", job->task.optimiser->name,
             encoding_names[job->request.encoding], job->answer.result.fitness, state->lines,
             state->lines == 1 ? "" : "s");
    ViewGame game = view_of(job, title);
    return picture_game(&game, PICTURE_SVG, text, status);
}

bool solve_job_replay(SolveJobs *jobs, SolveJob *job, Text *text, Status *status) {
    Replay replay;
    if (!is_done(jobs, job, status) ||
        !solve_answer_replay(&job->task, &job->answer, &replay, status))
        return false;
    bool ok = replay_write(&replay, text, status);
    replay_release(&replay);
    return ok;
}
