/*
 * export: JSON Lines are written run by run. CSV takes two passes over one snapshot of the store:
 * the first finds the columns, the second writes the rows.
 */
#include "store/export.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_BYTES = 256,
    LIST_MAX = 4,
    FINISHED = 1 << STORE_DONE | 1 << STORE_FAILED,
    HEAD_FIELDS = 9,
    FIELDS = HEAD_FIELDS + 4
};

/* Columns in the order in which they were met. */
typedef struct Columns {
    JsonField *cells; /* names in the arena of the export; values of the current row */
    size_t count, capacity;
    size_t next; /* the column after the one found last: most runs have the same order */
} Columns;

typedef struct Export {
    const char *grid; /* NULL: all */
    bool found;       /* a run of it */
    StoreTimes times;
    ExportWrite *write;
    void *context;
    Arena arena;
    Columns parameters, results; /* CSV */
    Text text;
} Export;

/* Hands the text on and empties it. */
static bool hand_on(Export *export, Status *status) {
    bool ok = !export->text.failed || status_no_memory(status);
    /* The writer finds out by itself why it cannot write. */
    if (ok && !export->write(export->context, export->text.data, export->text.length))
        ok = status_fail(status, STATUS_SYSTEM, "export: the output could not be written");
    text_clear(&export->text);
    return ok;
}

static bool is_wanted(Export *export, const StoreRun *run) {
    bool wanted = !export->grid || strcmp(run->grid, export->grid) == 0;
    export->found |= wanted;
    return wanted;
}

static bool check_found(const Export *export, Status *status) {
    return !export->grid || export->found ||
           status_option(status, "grid", "no run of '%s' is done or failed", export->grid);
}

/* What every run has, for both formats; the last four differ from run to run. */
static void fill_fields(const StoreRun *run, JsonField fields[FIELDS]) {
    const JsonField filled[FIELDS] = {JI("run", run->number),
                                      JS("grid", run->grid),
                                      JS("command", run->command),
                                      JI("repeat", run->repeat),
                                      JS("state", store_state_names[run->state]),
                                      JI("seed", (int64_t)run->seed),
                                      JI("piece_seed", (int64_t)run->piece_seed),
                                      JS("error", run->error),
                                      JS("version", run->version),
                                      JR("seconds", run->seconds),
                                      JS("host", run->host),
                                      JR("started", run->started),
                                      JR("finished", run->finished)};
    memcpy(fields, filled, sizeof filled);
}

/* ---- JSON Lines */

static bool add_line(void *context, const StoreRun *run, Status *status) {
    Export *export = context;
    if (!is_wanted(export, run))
        return true;
    JsonField fields[FIELDS];
    fill_fields(run, fields);
    JsonWriter w;
    jw_init(&w, &export->text);
    jw_object(&w, NULL);
    jw_fields(&w, fields, HEAD_FIELDS);
    jw_object(&w, "parameters");
    for (size_t i = 0; i < run->parameter_count; i++)
        jw_string(&w, run->parameters[i].name, run->parameters[i].value);
    jw_end(&w);
    jw_json(&w, "result", run->result);
    jw_array(&w, "evolution");
    for (size_t i = 0; i < run->point_count; i++) {
        const StorePoint *point = &run->points[i];
        jw_array(&w, NULL);
        jw_integer(&w, NULL, (int64_t)point->evaluation);
        jw_real(&w, NULL, point->best);
        jw_real(&w, NULL, point->current);
        jw_real(&w, NULL, point->temperature);
        jw_real(&w, NULL, point->generation);
        jw_end(&w);
    }
    jw_end(&w);
    if (export->times == STORE_WITH_TIMES)
        jw_fields(&w, fields + HEAD_FIELDS, FIELDS - HEAD_FIELDS);
    jw_end(&w);
    text_add_char(&export->text, '\n');
    return hand_on(export, status);
}

bool export_jsonl(Store *store, const char *grid, StoreTimes times, ExportWrite *write,
                  void *context, Status *status) {
    Export export = {.grid = grid, .times = times, .write = write, .context = context};
    bool ok = store_each(store, FINISHED, times, add_line, &export, status) &&
              check_found(&export, status);
    text_release(&export.text);
    return ok;
}

bool export_run(Store *store, int64_t number, ExportWrite *write, void *context, Status *status) {
    Export export = {.times = STORE_WITH_TIMES, .write = write, .context = context};
    bool ok = store_each_between(store, FINISHED, number, number, STORE_WITH_TIMES, add_line,
                                 &export, status);
    text_release(&export.text);
    return ok;
}

/* ---- CSV */

/* The index of a column; the number of columns when there is none. */
static size_t find_column(Columns *columns, const char *name) {
    for (size_t i = 0; i < columns->count; i++) {
        size_t at = (columns->next + i) % columns->count;
        if (strcmp(columns->cells[at].name, name) == 0) {
            columns->next = at + 1;
            return at;
        }
    }
    return columns->count;
}

/* Adds a column, where it is new; without memory the arena says so. */
static void note_column(Export *export, Columns *columns, const char *name) {
    if (find_column(columns, name) < columns->count)
        return;
    if (MEMORY_HAS_PLACE(columns->cells, columns->count, columns->capacity))
        columns->cells[columns->count++] = JS(arena_copy(&export->arena, name), NULL);
    else
        export->arena.failed = true;
}

/* Calls `each` for everything in a result that makes a cell. */
typedef void EachCell(Export *export, const char *name, const Json *value);

static void walk_cells(Export *export, const char *name, const Json *value, EachCell *each) {
    char inner[NAME_BYTES];
    bool object = json_is_object(value), array = json_is_array(value);
    size_t count = json_count(value);
    if (!object && !array)
        each(export, name, value);
    for (size_t i = 0; object && i < count; i++) {
        snprintf(inner, sizeof inner, "%s%s%s", name, name[0] ? "." : "", json_name_at(value, i));
        walk_cells(export, inner, json_at(value, i), each);
    }
    for (size_t i = 0; array && count <= LIST_MAX && i < count; i++)
        if (json_is_number(json_at(value, i))) {
            snprintf(inner, sizeof inner, "%s.%zu", name, i + 1);
            each(export, inner, json_at(value, i));
        }
}

static void note_result(Export *export, const char *name, const Json *value) {
    (void)value;
    note_column(export, &export->results, name);
}

static bool note_columns(void *context, const StoreRun *run, Status *status) {
    Export *export = context;
    if (!is_wanted(export, run))
        return true;
    for (size_t i = 0; i < run->parameter_count; i++)
        note_column(export, &export->parameters, run->parameters[i].name);
    if (run->result)
        walk_cells(export, "", run->result, note_result);
    return !export->arena.failed || status_no_memory(status);
}

static void add_text(Text *text, const char *field) {
    if (text->length > 0)
        text_add_char(text, ',');
    text_add_csv(text, field ? field : "");
}

static void add_field(Text *text, const JsonField *field) {
    if (field->type == 's')
        add_text(text, field->string);
    else if (field->type == 'b')
        add_text(text, field->boolean ? "true" : "false");
    else if (field->type == 'i')
        text_format(text, "%s%lld", text->length > 0 ? "," : "", (long long)field->integer);
    else
        text_format(text, "%s%.17g", text->length > 0 ? "," : "", field->real);
}

static bool write_heading(Export *export, Status *status) {
    Text *text = &export->text;
    Columns *parameters = &export->parameters;
    JsonField fields[FIELDS];
    Columns fixed = {.cells = fields, .count = FIELDS};
    fill_fields(&(StoreRun){0}, fields);
    for (int i = 0; i < HEAD_FIELDS; i++)
        add_text(text, fields[i].name);
    for (size_t i = 0; i < parameters->count; i++)
        add_text(text, parameters->cells[i].name);
    for (size_t i = 0; i < export->results.count; i++) {
        const char *name = export->results.cells[i].name;
        bool taken =
            find_column(&fixed, name) < FIELDS || find_column(parameters, name) < parameters->count;
        char column[NAME_BYTES + 8];
        snprintf(column, sizeof column, "%s%s", taken ? "result." : "", name);
        add_text(text, column);
    }
    for (int i = HEAD_FIELDS; i < FIELDS && export->times == STORE_WITH_TIMES; i++)
        add_text(text, fields[i].name);
    text_add_char(text, '\n');
    return hand_on(export, status);
}

static void note_cell(Export *export, const char *name, const Json *value) {
    size_t column = find_column(&export->results, name);
    if (column == export->results.count)
        return;
    JsonField *cell = &export->results.cells[column];
    *cell = json_is_integer(value)  ? JI(cell->name, json_int(value))
            : json_is_number(value) ? JR(cell->name, json_number(value))
            : json_is_bool(value)   ? JB(cell->name, json_is_true(value))
                                    : JS(cell->name, json_text(value));
}

static bool add_row(void *context, const StoreRun *run, Status *status) {
    Export *export = context;
    if (!is_wanted(export, run))
        return true;
    Text *text = &export->text;
    Columns *results = &export->results;
    JsonField fields[FIELDS];
    fill_fields(run, fields);
    for (int i = 0; i < HEAD_FIELDS; i++)
        add_field(text, &fields[i]);
    for (size_t i = 0; i < export->parameters.count; i++)
        add_text(text, store_parameter(run, export->parameters.cells[i].name));
    for (size_t i = 0; i < results->count; i++)
        results->cells[i] = JS(results->cells[i].name, NULL);
    if (run->result)
        walk_cells(export, "", run->result, note_cell);
    for (size_t i = 0; i < results->count; i++)
        add_field(text, &results->cells[i]);
    for (int i = HEAD_FIELDS; i < FIELDS && export->times == STORE_WITH_TIMES; i++)
        add_field(text, &fields[i]);
    text_add_char(text, '\n');
    return hand_on(export, status);
}

bool export_csv(Store *store, const char *grid, StoreTimes times, ExportWrite *write, void *context,
                Status *status) {
    Export export = {.grid = grid, .times = times, .write = write, .context = context};
    bool begun = store_snapshot_begin(store, status);
    bool ok = begun && store_each(store, FINISHED, times, note_columns, &export, status) &&
              check_found(&export, status) && write_heading(&export, status) &&
              store_each(store, FINISHED, times, add_row, &export, status);
    if (begun)
        store_snapshot_end(store);
    free(export.parameters.cells);
    free(export.results.cells);
    arena_release(&export.arena);
    text_release(&export.text);
    return ok;
}
