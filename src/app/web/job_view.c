/*
 * job_view: the members of a JSON object are the options of a job; a curve of bounded length keeps
 * its shape.
 */
#include "web/job_view.h"

#include "base/json.h"
#include "draw/picture.h"
#include "formats/document.h"
#include "job/solve.h"
#include "web/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_SEED 9007199254740991.0 /* integers are exact up to here in JavaScript */

/* ---- limits: everything that the web UI rejects and the command line does not */

static const struct {
    const char *job, *option;
    double min, max;      /* for numbers */
    const char *fallback; /* the server's default; NULL: as everywhere */
    bool rejected;        /* cannot be set at all */
} web_limits[] = {
    {"solve", "time", 0.01, JOB_VIEW_MAX_SECONDS, "10", false},
    {"solve", "threads", 0, 0, NULL, true},
    {"solve", "seed", 0, MAX_SEED, NULL, false},
    {"simulate", "time", 0.01, JOB_VIEW_MAX_SECONDS, "10", false},
    {"simulate", "threads", 0, 0, NULL, true},
    {"simulate", "seed", 0, MAX_SEED, NULL, false},
    {"simulate", "games", 1, 10000, NULL, false}, /* the result of every game is kept */
    {"simulate", "search-seeds", 1, 10000, NULL, false},
    {"train", "time", 0.01, JOB_VIEW_MAX_SECONDS, "60", false},
    {"train", "threads", 0, 0, NULL, true},
    {"train", "seed", 0, MAX_SEED, NULL, false},
    {"train", "games", 1, 1000, NULL, false},
    {"train", "held-out", 1, 1000, NULL, false},
    {"match", "time", 0.01, JOB_VIEW_MAX_SECONDS, "60", false},
    {"match", "threads", 0, 0, NULL, true},
    {"match", "seed", 0, MAX_SEED, NULL, false},
    {"match", "games", 2, 10000, NULL, false},
    {"match", "max-pieces", 1, 10000, NULL, false},
    {"match", "move-time", 1, 1000, NULL, false},
    {"clears", "time", 0.01, JOB_VIEW_MAX_SECONDS, "60", false},
    {"clears", "threads", 0, 0, NULL, true},
    {"clears", "max-queues", 1, 100000, "100000", false},
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

/* ---- from reports to a state */

bool job_view_init(JobView *view, const Job *job, const char *text, size_t length, Status *status) {
    *view = (JobView){.job = job};
    text_init(&view->event);
    view->run = prepare(job, text, length, status);
    if (view->run && job->best_bytes)
        view->best_bytes = job->best_bytes(view->run);
    return view->run != NULL;
}

void job_view_release(JobView *view) {
    text_release(&view->event);
    if (view->run)
        view->job->free_run(view->run);
}

void job_view_finish(const JobView *view, Progress *progress, void *best) {
    if (view->job != &solve_job)
        return;
    const SolveRun *run = view->run;
    progress->done = run->answer.evaluations;
    progress->best = progress->current = run->answer.result.fitness;
    memcpy(best, &run->answer.best, view->best_bytes);
    progress->genotype = best;
}

static const char *state_name(const JobView *view) {
    static const char *const names[] = {"running", "done", "failed"};
    return names[view->state];
}

/* When there is no more space every second point is removed: the curve keeps its shape. */
static void add_to_curve(JobView *view, const Progress *progress) {
    if (!isfinite(progress->best) || !isfinite(progress->current)) /* JSON has only finite ones */
        return;
    if (view->curve_count == JOB_VIEW_CURVE) {
        for (int i = 0; i < JOB_VIEW_CURVE / 2; i++)
            memcpy(view->curve[i], view->curve[2 * i], sizeof view->curve[i]);
        view->curve_count = JOB_VIEW_CURVE / 2;
    }
    double *point = view->curve[view->curve_count++];
    point[0] = (double)progress->done;
    point[1] = progress->best;
    point[2] = progress->current;
}

void job_view_report(JobView *view, const Progress *progress, double seconds, const void *best) {
    add_to_curve(view, progress);
    JsonWriter json;
    text_clear(&view->event);
    view->event.failed = false; /* a lost report is no reason to lose the next */
    jw_init(&json, &view->event);
    jw_object(&json, NULL);
    jw_integer(&json, "id", view->number);
    jw_string(&json, "state", state_name(view));
    jw_integer(&json, "evaluations", (int64_t)progress->done);
    jw_integer(&json, "total", (int64_t)progress->total);
    jw_real(&json, "best", progress->best);
    jw_real(&json, "current", progress->current);
    jw_real(&json, "temperature", progress->temperature);
    jw_integer(&json, "generation", (int64_t)progress->generation);
    jw_real(&json, "seconds", seconds);
    jw_real(&json, "rate", seconds > 0 ? (double)progress->done / seconds : 0.0);
    if (view->job->write_best)
        view->job->write_best(view->run, best, &json);
    if (view->state == JOB_FAILED)
        jw_string(&json, "error", view->status.message);
    jw_end(&json);
}

void job_view_write_state(const JobView *view, JsonWriter *json) {
    if (view->event.length > 2 && !view->event.failed) /* its members, without the brackets */
        jw_raw_members(json, view->event.data + 1, view->event.length - 2);
    else {
        jw_integer(json, "id", view->number);
        jw_string(json, "state", state_name(view));
    }
    jw_array(json, "curve");
    for (int i = 0; i < view->curve_count; i++)
        jw_reals(json, NULL, view->curve[i], 3);
    jw_end(json);
}

/* ---- answers */

static ViewGame view_of(const SolveRun *run, const char *title) {
    return (ViewGame){&run->request.grid, run->answer.result.steps, run->answer.result.state.placed,
                      title};
}

bool job_view_done(const JobView *view, Status *status) {
    if (view->state == JOB_FAILED)
        *status = view->status;
    else if (view->state == JOB_RUNNING)
        status_fail(status, STATUS_UNMET, "not finished yet");
    return view->state == JOB_DONE;
}

void job_view_write_answer(const JobView *view, JsonWriter *json) {
    Text answer;
    text_init(&answer);
    job_write(view->job, view->run, true, &answer);
    jw_raw(json, "answer", answer.data ? answer.data : "null", answer.data ? answer.length : 4);
    json->text->failed |= answer.failed;
    text_release(&answer);
    if (view->job == &solve_job) {
        const SolveRun *run = view->run;
        ViewGame game = view_of(run, NULL);
        document_write_board(json, "start", &run->request.grid);
        FrameQueue queue = {run->request.pieces, (size_t)run->request.piece_count, PIECE_NONE,
                            true};
        frames_write_queue(json, &queue);
        frames_write(json, "frames", &game, &queue, NULL, 0, game.count);
    }
}

bool job_view_svg(const JobView *view, Text *text, Status *status) {
    const SolveRun *run = view->run;
    const DecodeState *state = &run->answer.result.state;
    char title[160];
    snprintf(title, sizeof title, "%d piece%s, %s, %s: fitness %g, %d line%s cleared",
             state->placed, state->placed == 1 ? "" : "s", run->task.optimiser->name,
             encoding_names[run->request.encoding], run->answer.result.fitness, state->lines,
             state->lines == 1 ? "" : "s");
    ViewGame game = view_of(run, title);
    return picture_game(&game, DRAWING_SVG, text, status);
}

bool job_view_replay(const JobView *view, Text *text, Status *status) {
    const SolveRun *run = view->run;
    Replay replay;
    if (!solve_replay(&run->task, &run->answer, &replay, status))
        return false;
    bool ok = replay_write(&replay, text, status);
    replay_release(&replay);
    return ok;
}
