#include "store/export.h"

#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256, LIST_MAX = 4, FINISHED = 1 << STORE_DONE | 1 << STORE_FAILED };

/* Columns of every row; those behind `error` differ from run to run. */
static const char *const first_columns[] = {"run",  "grid",       "command", "repeat", "state",
                                            "seed", "piece_seed", "error",   "version"};
static const char *const time_columns[] = {"seconds", "host", "started", "finished"};
enum {
    FIRST_COLUMNS = sizeof first_columns / sizeof *first_columns,
    TIME_COLUMNS = sizeof time_columns / sizeof *time_columns
};

typedef struct Export {
    StoreTimes times;
    ExportWrite *write;
    void *context;
    json_t *parameters; /* CSV: names of the columns, as keys of objects that keep their order */
    json_t *results;
    Text text;
} Export;

/* Hands the text on and empties it. */
static bool hand_on(Export *export, Status *status) {
    bool ok = !export->text.failed || status_no_memory(status);
    /* The one who writes finds out by itself why it cannot. */
    if (ok && !export->write(export->context, export->text.data, export->text.length))
        ok = status_fail(status, STATUS_SYSTEM, "export: the output could not be written");
    text_clear(&export->text);
    return ok;
}

/* The fixed members of a run as an object, for both formats. */
static json_t *head_of(const StoreRun *run) {
    return json_pack("{s:I, s:s, s:s, s:I, s:s, s:I, s:I, s:s?, s:s?}", "run",
                     (json_int_t)run->number, "grid", run->grid, "command", run->command, "repeat",
                     (json_int_t)run->repeat, "state", store_state_names[run->state], "seed",
                     (json_int_t)run->seed, "piece_seed", (json_int_t)run->piece_seed, "error",
                     run->error, "version", run->version);
}

static json_t *times_of(const StoreRun *run) {
    return json_pack("{s:f, s:s?, s:f, s:f}", "seconds", run->seconds, "host", run->host, "started",
                     run->started, "finished", run->finished);
}

/* ---- JSON Lines */

static json_t *evolution_of(const StoreRun *run) {
    json_t *list = json_array();
    for (size_t i = 0; i < run->point_count; i++) {
        const StorePoint *point = &run->points[i];
        json_add(&list,
                 json_pack("[I, o, o, o]", (json_int_t)point->evaluation, json_finite(point->best),
                           json_finite(point->current), json_finite(point->temperature)));
    }
    return list;
}

static json_t *parameters_of(const StoreRun *run) {
    json_t *object = json_object();
    for (size_t i = 0; i < run->parameter_count; i++)
        json_put(&object, run->parameters[i].name, json_string(run->parameters[i].value));
    return object;
}

static bool add_line(void *context, const StoreRun *run, Status *status) {
    Export *export = context;
    json_t *line = head_of(run);
    json_put(&line, "parameters", parameters_of(run));
    json_put(&line, "result", run->result ? json_incref((json_t *)run->result) : json_null());
    json_put(&line, "evolution", evolution_of(run));
    if (export->times == STORE_WITH_TIMES)
        json_merge(&line, times_of(run));
    char *text = line ? json_write(line) : NULL;
    json_decref(line);
    if (!text)
        return status_no_memory(status);
    text_add(&export->text, text);
    text_add_char(&export->text, '\n');
    free(text);
    return hand_on(export, status);
}

bool export_jsonl(Store *store, StoreTimes times, ExportWrite *write, void *context,
                  Status *status) {
    Export export = {.times = times, .write = write, .context = context};
    text_init(&export.text);
    bool ok = store_each(store, FINISHED, times, add_line, &export, status);
    text_release(&export.text);
    return ok;
}

/* ---- CSV */

/* Calls `each` for everything in a result that makes a cell. */
typedef void EachCell(json_t **cells, const char *name, const json_t *value);

static void walk_cells(const char *name, const json_t *value, EachCell *each, json_t **cells) {
    char inner[NAME_BYTES];
    const char *key;
    json_t *member;
    if (json_is_object(value)) {
        json_object_foreach((json_t *)value, key, member) {
            snprintf(inner, sizeof inner, "%s%s%s", name, name[0] ? "." : "", key);
            walk_cells(inner, member, each, cells);
        }
    } else if (json_is_array(value)) {
        size_t count = json_array_size(value);
        for (size_t i = 0; i < count && count <= LIST_MAX; i++)
            if (json_is_number(json_array_get(value, i))) {
                snprintf(inner, sizeof inner, "%s.%zu", name, i + 1);
                each(cells, inner, json_array_get(value, i));
            }
    } else
        each(cells, name, value);
}

static void note_name(json_t **names, const char *name, const json_t *value) {
    (void)value;
    json_put(names, name, json_true());
}

static bool note_columns(void *context, const StoreRun *run, Status *status) {
    Export *export = context;
    for (size_t i = 0; i < run->parameter_count; i++)
        json_put(&export->parameters, run->parameters[i].name, json_true());
    if (run->result)
        walk_cells("", run->result, note_name, &export->results);
    return (export->parameters && export->results) || status_no_memory(status);
}

void export_csv_field(const char *string, Text *csv) {
    if (!strpbrk(string, ",\"\r\n")) {
        text_add(csv, string);
        return;
    }
    text_add_char(csv, '"');
    for (; *string; string++) {
        if (*string == '"')
            text_add_char(csv, '"');
        text_add_char(csv, *string);
    }
    text_add_char(csv, '"');
}

static void add_cell(Text *text, const json_t *value) {
    if (text->length > 0)
        text_add_char(text, ',');
    if (json_is_string(value))
        export_csv_field(json_string_value(value), text);
    else if (json_is_integer(value))
        text_format(text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        text_format(text, "%.17g", json_real_value(value));
    else if (json_is_boolean(value))
        text_add(text, json_is_true(value) ? "true" : "false");
}

static void add_name(Text *text, const char *name) {
    if (text->length > 0)
        text_add_char(text, ',');
    export_csv_field(name, text);
}

static bool is_taken(const Export *export, const char *name) {
    for (int i = 0; i < FIRST_COLUMNS; i++)
        if (strcmp(first_columns[i], name) == 0)
            return true;
    for (int i = 0; i < TIME_COLUMNS; i++)
        if (strcmp(time_columns[i], name) == 0)
            return true;
    return json_object_get(export->parameters, name) != NULL;
}

static bool write_heading(Export *export, Status *status) {
    Text *text = &export->text;
    const char *name;
    json_t *unused;
    for (int i = 0; i < FIRST_COLUMNS; i++)
        add_name(text, first_columns[i]);
    json_object_foreach(export->parameters, name, unused) add_name(text, name);
    json_object_foreach(export->results, name, unused) {
        char column[NAME_BYTES + 8];
        snprintf(column, sizeof column, "%s%s", is_taken(export, name) ? "result." : "", name);
        add_name(text, column);
    }
    for (int i = 0; i < TIME_COLUMNS && export->times == STORE_WITH_TIMES; i++)
        add_name(text, time_columns[i]);
    text_add_char(text, '\n');
    return hand_on(export, status);
}

static void note_cell(json_t **cells, const char *name, const json_t *value) {
    json_put(cells, name, json_incref((json_t *)value));
}

static bool add_row(void *context, const StoreRun *run, Status *status) {
    Export *export = context;
    json_t *head = head_of(run), *times = times_of(run), *cells = json_object(), *unused;
    if (run->result)
        walk_cells("", run->result, note_cell, &cells);
    const char *name;
    for (int i = 0; i < FIRST_COLUMNS; i++)
        add_cell(&export->text, json_object_get(head, first_columns[i]));
    json_object_foreach(export->parameters, name, unused) {
        const char *value = store_parameter(run, name);
        text_add_char(&export->text, ',');
        export_csv_field(value ? value : "", &export->text);
    }
    json_object_foreach(export->results, name, unused)
        add_cell(&export->text, json_object_get(cells, name));
    for (int i = 0; i < TIME_COLUMNS && export->times == STORE_WITH_TIMES; i++)
        add_cell(&export->text, json_object_get(times, time_columns[i]));
    text_add_char(&export->text, '\n');
    bool ok = head && times && cells ? hand_on(export, status) : status_no_memory(status);
    json_decref(head);
    json_decref(times);
    json_decref(cells);
    return ok;
}

/* Twice over the same runs: first for the columns. */
bool export_csv(Store *store, StoreTimes times, ExportWrite *write, void *context, Status *status) {
    Export export = {.times = times,
                     .write = write,
                     .context = context,
                     .parameters = json_object(),
                     .results = json_object()};
    text_init(&export.text);
    bool begun = export.parameters && export.results ? store_snapshot_begin(store, status)
                                                     : status_no_memory(status);
    bool ok = begun && store_each(store, FINISHED, times, note_columns, &export, status) &&
              write_heading(&export, status) &&
              store_each(store, FINISHED, times, add_row, &export, status);
    if (begun)
        store_snapshot_end(store);
    json_decref(export.parameters);
    json_decref(export.results);
    text_release(&export.text);
    return ok;
}
