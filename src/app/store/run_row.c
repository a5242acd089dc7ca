/*
 * run_row: the columns of a run in the database, read and checked. What its parameters, result and
 * texts point to belongs to the row until the next one is read.
 */
#include "store/run_row.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 5 }; /* grid, command, error, host, version */

struct RunRow {
    StoreRun run;
    Json *parameters, *result;
    StoreParameter list[STORE_PARAMETERS_MAX];
    StorePoint *points;
    size_t capacity;
    char *texts[TEXTS];
};

const char *const store_state_names[STORE_STATE_COUNT] = {"waiting", "running", "done", "failed"};

const char *store_parameter(const StoreRun *run, const char *name) {
    for (size_t i = 0; i < run->parameter_count; i++)
        if (strcmp(run->parameters[i].name, name) == 0)
            return run->parameters[i].value;
    return NULL;
}

RunRow *run_row_new(Status *status) {
    RunRow *row = memory_new(1, sizeof *row, status);
    return row;
}

static void clear(RunRow *row) {
    json_free(row->parameters);
    json_free(row->result);
    row->parameters = row->result = NULL;
    for (int i = 0; i < TEXTS; i++) {
        free(row->texts[i]);
        row->texts[i] = NULL;
    }
    memset(&row->run, 0, sizeof row->run);
}

void run_row_free(RunRow *row) {
    if (!row)
        return;
    clear(row);
    free(row->points);
    free(row);
}

const StoreRun *run_row_run(const RunRow *row) {
    return &row->run;
}

static bool damaged(const RunRow *row, const char *what, Status *status) {
    return status_fail(status, STATUS_INPUT, "run %lld: its %s in the store is damaged",
                       (long long)row->run.number, what);
}

/* Parses a column that holds an object or an array, with the members of `more` (NULL: none). NULL
 * with `status`: damaged, or no memory. */
static Json *parse(const RunRow *row, const char *text, const char *more, bool object,
                   const char *what, Status *status) {
    Status reason = {.code = STATUS_INPUT};
    Json *document = text ? json_parse_merged(text, more, &reason) : NULL;
    if (document && json_is_object(document) == object)
        return document;
    if (!document && reason.code != STATUS_INPUT)
        status_no_memory(status);
    else
        damaged(row, what, status);
    json_free(document);
    return NULL;
}

/* Keeps a copy of a text in slot `index`. */
static bool keep(RunRow *row, int index, const DriverValue *value, const char **place,
                 Status *status) {
    if (!value->text)
        return true;
    row->texts[index] = strdup(value->text);
    *place = row->texts[index];
    return row->texts[index] || status_no_memory(status);
}

static bool read_parameters(RunRow *row, const DriverValue *value, Status *status) {
    static const char what[] = "list of parameters";
    row->parameters = parse(row, value->text, NULL, true, what, status);
    if (!row->parameters)
        return false;
    size_t count = json_count(row->parameters);
    if (count > STORE_PARAMETERS_MAX)
        return damaged(row, what, status);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_text(json_at(row->parameters, i));
        if (!text)
            return damaged(row, what, status);
        row->list[i] = (StoreParameter){json_name_at(row->parameters, i), text};
    }
    row->run.parameters = row->list;
    row->run.parameter_count = count;
    return true;
}

int run_row_state(const DriverValue *value) {
    for (int i = 0; i < STORE_STATE_COUNT; i++)
        if (value->text && strcmp(value->text, store_state_names[i]) == 0)
            return i;
    return -1;
}

static bool read_state(RunRow *row, const DriverValue *value, Status *status) {
    int state = run_row_state(value);
    row->run.state = state < 0 ? STORE_WAITING : (StoreState)state;
    return state >= 0 || damaged(row, "state", status);
}

static bool read_result(RunRow *row, const DriverValue *result, const DriverValue *more,
                        StoreTimes times, Status *status) {
    if (!result->text)
        return true;
    const char *patch = times == STORE_WITH_TIMES ? more->text : NULL;
    row->run.result = row->result = parse(row, result->text, patch, true, "result", status);
    return row->result;
}

/* JSON has no infinity; null stands for "nothing yet". */
static double real_of(const Json *value) {
    return json_is_number(value) ? json_number(value) : NAN;
}

static bool read_points(RunRow *row, const Json *list, Status *status) {
    size_t count = json_count(list);
    if (count > row->capacity) {
        StorePoint *points = realloc(row->points, count * sizeof *points);
        if (!points)
            return status_no_memory(status);
        row->points = points;
        row->capacity = count;
    }
    for (size_t i = 0; i < count; i++) {
        const Json *point = json_at(list, i);
        if (!json_is_array(point) || json_count(point) < 4 || json_count(point) > 5)
            return damaged(row, "evolution", status);
        row->points[i] =
            (StorePoint){.evaluation = (uint64_t)json_int(json_at(point, 0)),
                         .best = real_of(json_at(point, 1)),
                         .current = real_of(json_at(point, 2)),
                         .temperature = real_of(json_at(point, 3)),
                         .generation = json_count(point) > 4 ? real_of(json_at(point, 4)) : NAN};
    }
    row->run.points = row->points;
    row->run.point_count = count;
    return true;
}

static bool read_evolution(RunRow *row, const DriverValue *value, Status *status) {
    if (!value->text)
        return true;
    Json *list = parse(row, value->text, NULL, false, "evolution", status);
    bool ok = list && read_points(row, list, status);
    json_free(list);
    return ok;
}

bool run_row_read(RunRow *row, const DriverValue *values, bool with_result, StoreTimes times,
                  Status *status) {
    clear(row);
    StoreRun *run = &row->run;
    run->number = values[0].integer;
    run->repeat = values[3].integer;
    run->seed = (uint64_t)values[4].integer;
    run->piece_seed = (uint64_t)values[5].integer;
    if (!keep(row, 0, &values[1], &run->grid, status) ||
        !keep(row, 1, &values[2], &run->command, status) ||
        !read_parameters(row, &values[6], status) || !read_state(row, &values[7], status))
        return false;
    if (!run->grid || !run->command)
        return damaged(row, "grid or command", status);
    if (!with_result)
        return true;
    const DriverValue *more = values + 8;
    run->seconds = more[4].real;
    run->started = more[7].real;
    run->finished = more[8].real;
    return read_result(row, &more[0], &more[1], times, status) &&
           read_evolution(row, &more[2], status) && keep(row, 2, &more[3], &run->error, status) &&
           keep(row, 3, &more[5], &run->host, status) &&
           keep(row, 4, &more[6], &run->version, status);
}

char *run_row_parameters(const StoreRun *run) {
    JsonWriter w;
    jw_start(&w);
    for (size_t i = 0; i < run->parameter_count; i++)
        jw_string(&w, run->parameters[i].name, run->parameters[i].value);
    jw_end(&w);
    if (w.own.failed)
        text_release(&w.own);
    return w.own.data;
}

void run_row_evolution(const StorePoint *points, size_t count, Text *text) {
    JsonWriter w;
    jw_init(&w, text);
    jw_array(&w, NULL);
    for (size_t i = 0; i < count; i++) {
        jw_array(&w, NULL);
        jw_integer(&w, NULL, (int64_t)points[i].evaluation);
        jw_real(&w, NULL, points[i].best);
        jw_real(&w, NULL, points[i].current);
        jw_real(&w, NULL, points[i].temperature);
        jw_integer(&w, NULL, (int64_t)points[i].generation);
        jw_end(&w);
    }
    jw_end(&w);
}
