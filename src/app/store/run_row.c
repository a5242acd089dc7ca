#include "store/run_row.h"

#include "io/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 5 }; /* grid, command, error, host, version */

struct RunRow {
    StoreRun run;
    json_t *parameters, *result;
    StoreParameter list[STORE_PARAMETERS_MAX];
    StorePoint *points;
    size_t capacity;
    char *texts[TEXTS];
};

const char *const store_state_names[STORE_STATE_COUNT] = {"waiting", "running", "done", "failed"};

RunRow *run_row_new(Status *status) {
    RunRow *row = calloc(1, sizeof *row);
    if (!row)
        status_no_memory(status);
    return row;
}

static void clear(RunRow *row) {
    json_decref(row->parameters);
    json_decref(row->result);
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

/* NULL with `status`: damaged, or no memory. */
static json_t *parse(const RunRow *row, const DriverValue *value, json_type type, const char *what,
                     Status *status) {
    Status reason = {.code = STATUS_INPUT};
    json_t *document = value->text ? json_parse(value->text, strlen(value->text), &reason) : NULL;
    if (document && json_typeof(document) == type)
        return document;
    if (!document && reason.code != STATUS_INPUT)
        status_no_memory(status);
    else
        damaged(row, what, status);
    json_decref(document);
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
    row->parameters = parse(row, value, JSON_OBJECT, "list of parameters", status);
    if (!row->parameters)
        return false;
    if (json_object_size(row->parameters) > STORE_PARAMETERS_MAX)
        return damaged(row, "list of parameters", status);
    const char *name;
    json_t *member;
    size_t count = 0;
    json_object_foreach(row->parameters, name, member) {
        if (!json_is_string(member))
            return damaged(row, "list of parameters", status);
        row->list[count++] = (StoreParameter){name, json_string_value(member)};
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
    row->result = parse(row, result, JSON_OBJECT, "result", status);
    if (!row->result)
        return false;
    row->run.result = row->result;
    if (times == STORE_WITHOUT_TIMES || !more->text)
        return true;
    json_t *patch = parse(row, more, JSON_OBJECT, "result", status);
    if (!patch)
        return false;
    bool ok = json_object_update_recursive(row->result, patch) == 0;
    json_decref(patch);
    return ok || status_no_memory(status);
}

/* JSON has no infinity; null stands for "nothing yet". */
static double real_of(const json_t *value) {
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool read_points(RunRow *row, const json_t *list, Status *status) {
    size_t count = json_array_size(list);
    if (count > row->capacity) {
        StorePoint *points = realloc(row->points, count * sizeof *points);
        if (!points)
            return status_no_memory(status);
        row->points = points;
        row->capacity = count;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *point = json_array_get(list, i);
        if (json_array_size(point) != 4)
            return damaged(row, "evolution", status);
        row->points[i] =
            (StorePoint){.evaluation = (uint64_t)json_integer_value(json_array_get(point, 0)),
                         .best = real_of(json_array_get(point, 1)),
                         .current = real_of(json_array_get(point, 2)),
                         .temperature = real_of(json_array_get(point, 3))};
    }
    row->run.points = row->points;
    row->run.point_count = count;
    return true;
}

static bool read_evolution(RunRow *row, const DriverValue *value, Status *status) {
    if (!value->text)
        return true;
    json_t *list = parse(row, value, JSON_ARRAY, "evolution", status);
    bool ok = list && read_points(row, list, status);
    json_decref(list);
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
    json_t *object = json_object();
    for (size_t i = 0; i < run->parameter_count; i++)
        json_put(&object, run->parameters[i].name, json_string(run->parameters[i].value));
    char *text = json_write(object);
    json_decref(object);
    return text;
}

static void add_real(double value, Text *text) {
    if (isfinite(value))
        text_format(text, ",%.17g", value);
    else
        text_add(text, ",null");
}

void run_row_evolution(const StorePoint *points, size_t count, Text *text) {
    text_add_char(text, '[');
    for (size_t i = 0; i < count; i++) {
        text_format(text, "%s[%llu", i ? "," : "", (unsigned long long)points[i].evaluation);
        add_real(points[i].best, text);
        add_real(points[i].current, text);
        add_real(points[i].temperature, text);
        text_add_char(text, ']');
    }
    text_add_char(text, ']');
}
