/* run_table: the rows of a store in memory, the filter of a list, and the answer as JSON. */
#include "web/run_table.h"

#include "base/clock.h"
#include "stats/runs.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { GAP = 16 }; /* gaps of so many numbers are read again rather than split a query */

typedef struct Row {
    StoreRun run;        /* without result and points; texts in the arena */
    double value;        /* of the measure; NaN: none */
    const char *measure; /* by which it is compared; NULL: not done */
    bool read;           /* there is more than the number */
} Row;

struct RunTable {
    Store *store;
    pthread_mutex_t lock;
    Arena arena;
    Row *rows;
    size_t count, capacity;
    uint64_t looked_ns;  /* 0: never */
    uint64_t generation; /* of the store that was looked at */
};

RunTable *run_table_new(Store *store, Status *status) {
    RunTable *table = calloc(1, sizeof *table);
    if (!table) {
        status_no_memory(status);
        return NULL;
    }
    table->store = store;
    pthread_mutex_init(&table->lock, NULL);
    arena_init(&table->arena);
    return table;
}

static void forget(RunTable *table) {
    arena_release(&table->arena);
    arena_init(&table->arena);
    table->count = 0;
    table->looked_ns = 0;
}

void run_table_free(RunTable *table) {
    if (!table)
        return;
    arena_release(&table->arena);
    pthread_mutex_destroy(&table->lock);
    free(table->rows);
    free(table);
}

/* ---- bringing it up to date */

typedef struct Seen {
    int64_t number;
    StoreState state;
} Seen;

typedef struct SeenList {
    Seen *items;
    size_t count;
} SeenList;

static bool add_seen(void *context, int64_t number, StoreState state, Status *status) {
    SeenList *list = context;
    if (list->count == RUN_TABLE_MAX_RUNS)
        return status_fail(status, STATUS_UNMET,
                           "more than %d runs, the most that the web UI shows", RUN_TABLE_MAX_RUNS);
    list->items[list->count++] = (Seen){number, state};
    return true;
}

static int compare_seen(const void *a, const void *b) {
    int64_t x = ((const Seen *)a)->number, y = ((const Seen *)b)->number;
    return (x > y) - (x < y);
}

static bool has_ended(StoreState state) {
    return state == STORE_DONE || state == STORE_FAILED;
}

/* Room for as many rows as were seen; those that are known must be the first of them, or else this
 * is another store than it was. */
static bool take_numbers(RunTable *table, const SeenList *seen, Status *status) {
    bool same = table->count <= seen->count && table->generation == store_generation(table->store);
    table->generation = store_generation(table->store);
    for (size_t i = 0; same && i < table->count; i++)
        same = table->rows[i].run.number == seen->items[i].number;
    if (!same)
        forget(table);
    if (seen->count > table->capacity) {
        Row *rows = realloc(table->rows, seen->count * sizeof *rows);
        if (!rows)
            return status_no_memory(status);
        table->rows = rows;
        table->capacity = seen->count;
    }
    for (; table->count < seen->count; table->count++)
        table->rows[table->count] = (Row){.run.number = seen->items[table->count].number};
    return true;
}

/* What the list shows of a run whose number is known. */
typedef struct Reading {
    RunTable *table;
    size_t next; /* the next row */
} Reading;

static void keep_parameters(Arena *arena, const StoreRun *run, StoreRun *kept) {
    StoreParameter *list = arena_zeroed(arena, run->parameter_count + 1, sizeof *list);
    for (size_t i = 0; list && i < run->parameter_count; i++)
        list[i] = (StoreParameter){arena_copy(arena, run->parameters[i].name),
                                   arena_copy(arena, run->parameters[i].value)};
    kept->parameters = list;
    kept->parameter_count = list ? run->parameter_count : 0;
}

static bool keep_run(void *context, const StoreRun *run, Status *status) {
    Reading *reading = context;
    RunTable *table = reading->table;
    while (reading->next < table->count && table->rows[reading->next].run.number < run->number)
        reading->next++;
    if (reading->next == table->count || table->rows[reading->next].run.number != run->number)
        return true; /* it came meanwhile */
    Row *row = &table->rows[reading->next];
    if (row->read && row->run.state == run->state)
        return true;
    if (!row->read) { /* this part of a run never changes */
        row->run.grid = arena_copy(&table->arena, run->grid);
        row->run.command = arena_copy(&table->arena, run->command);
        row->run.repeat = run->repeat;
        keep_parameters(&table->arena, run, &row->run);
        row->read = true;
    }
    row->run.state = run->state;
    row->run.seconds = run->seconds;
    row->run.error = arena_copy(&table->arena, run->error);
    RunList alone = {&run, 1};
    row->measure = run->state == STORE_DONE ? runs_default_measure(alone) : NULL;
    row->value = row->measure ? runs_measure(run, row->measure) : NAN;
    return !table->arena.failed || status_no_memory(status);
}

static bool must_be_read(const Row *row, const Seen *seen) {
    return !row->read || (row->run.state != seen->state && has_ended(seen->state));
}

/* A run that was claimed, given back or shall be tried again. */
static void set_state(Row *row, StoreState state) {
    row->run.state = state;
    if (has_ended(state))
        return;
    row->run.error = NULL;
    row->run.seconds = 0;
    row->measure = NULL;
    row->value = NAN;
}

/* Reads the rows that are new or have ended, in stretches. */
static bool read_rows(RunTable *table, const SeenList *seen, Status *status) {
    for (size_t i = 0; i < table->count; i++) {
        if (!must_be_read(&table->rows[i], &seen->items[i])) {
            set_state(&table->rows[i], seen->items[i].state);
            continue;
        }
        size_t last = i;
        for (size_t k = i + 1; k < table->count && k - last <= GAP; k++)
            if (must_be_read(&table->rows[k], &seen->items[k]))
                last = k;
        Reading reading = {table, i};
        if (!store_each_between(table->store, (1u << STORE_STATE_COUNT) - 1,
                                table->rows[i].run.number, table->rows[last].run.number,
                                STORE_WITH_TIMES, keep_run, &reading, status))
            return false;
        i = last;
    }
    return true;
}

static bool bring_up_to_date(RunTable *table, Status *status) {
    uint64_t now = clock_now_ns();
    if (table->looked_ns && now - table->looked_ns < RUN_TABLE_PAUSE_MS * UINT64_C(1000000))
        return true;
    SeenList seen = {malloc(RUN_TABLE_MAX_RUNS * sizeof(Seen)), 0};
    if (!seen.items)
        return status_no_memory(status);
    bool ok = store_each_state(table->store, add_seen, &seen, status);
    if (ok) {
        qsort(seen.items, seen.count, sizeof *seen.items, compare_seen);
        ok = take_numbers(table, &seen, status) && read_rows(table, &seen, status);
    }
    free(seen.items);
    if (ok)
        table->looked_ns = clock_now_ns(); /* a pause after it, also when it took long */
    else
        forget(table);
    return ok;
}

/* ---- the filter */

bool run_words_read(const char *given, RunWords *filter, Status *status) {
    filter->count = 0;
    if (strlen(given) >= sizeof filter->text)
        return status_fail(status, STATUS_INPUT, "filter: too long");
    memcpy(filter->text, given, strlen(given) + 1);
    char *rest = NULL;
    for (char *word = strtok_r(filter->text, " \t\r\n", &rest); word;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (filter->count == RUN_TABLE_MAX_WORDS)
            return status_fail(status, STATUS_INPUT, "filter: more than %d words",
                               RUN_TABLE_MAX_WORDS);
        filter->words[filter->count++] = word;
    }
    return true;
}

/* Whatever the case of the letters. */
static bool is_inside(const char *text, const char *word) {
    size_t length = strlen(word);
    for (; text && *text; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

static bool has_word(const StoreRun *run, const char *word) {
    const char *sign = strchr(word, '=');
    for (size_t i = 0; i < run->parameter_count; i++) {
        const char *name = run->parameters[i].name, *value = run->parameters[i].value;
        if (sign ? strncmp(name, word, (size_t)(sign - word)) == 0 && name[sign - word] == '\0' &&
                       strcmp(value, sign + 1) == 0
                 : is_inside(value, word))
            return true;
    }
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)run->number);
    return !sign && (strcmp(number, word) == 0 || is_inside(run->grid, word) ||
                     is_inside(run->command, word) ||
                     is_inside(store_state_names[run->state], word) || is_inside(run->error, word));
}

bool run_words_match(const StoreRun *run, const RunWords *filter) {
    for (int i = 0; i < filter->count; i++)
        if (!has_word(run, filter->words[i]))
            return false;
    return true;
}

/* ---- the order */

/* What a row is sorted by: a number, or else a text; neither comes last. */
typedef struct SortKey {
    const Row *row;
    double value;
    const char *text;
} SortKey;

static SortKey key_of(const Row *row, const char *name) {
    const StoreRun *run = &row->run;
    SortKey key = {row, NAN, NULL};
    if (strcmp(name, "number") == 0)
        key.value = (double)run->number;
    else if (strcmp(name, "value") == 0)
        key.value = row->value;
    else if (strcmp(name, "repeat") == 0)
        key.value = (double)run->repeat;
    else if (strcmp(name, "seconds") == 0)
        key.value = has_ended(run->state) ? run->seconds : NAN;
    else if (strcmp(name, "grid") == 0)
        key.text = run->grid;
    else if (strcmp(name, "state") == 0)
        key.text = store_state_names[run->state];
    else if ((key.text = store_parameter(run, name))) {
        char *end;
        key.value = strtod(key.text, &end);
        if (end == key.text || *end != '\0')
            key.value = NAN;
    }
    return key;
}

/* Descending order turns values round, but not which kind comes first: runs without any are last.
 */
static int compare_keys(const SortKey *a, const SortKey *b, int sign) {
    int kind_a = isfinite(a->value) ? 0 : a->text ? 1 : 2;
    int kind_b = isfinite(b->value) ? 0 : b->text ? 1 : 2;
    int order = 0;
    if (kind_a != kind_b)
        return kind_a - kind_b;
    if (kind_a == 0)
        order = (a->value > b->value) - (a->value < b->value);
    else if (kind_a == 1)
        order = strcmp(a->text, b->text);
    if (order != 0)
        return sign * order;
    return (a->row->run.number > b->row->run.number) - (a->row->run.number < b->row->run.number);
}

static int compare_rising(const void *a, const void *b) {
    return compare_keys(a, b, 1);
}

static int compare_falling(const void *a, const void *b) {
    return compare_keys(a, b, -1);
}

static void sort_rows(const Row **rows, size_t count, const char *order, Arena *arena) {
    SortKey *keys = order ? arena_zeroed(arena, count + 1, sizeof *keys) : NULL;
    if (!keys)
        return;
    bool falling = order[0] == '-';
    for (size_t i = 0; i < count; i++)
        keys[i] = key_of(rows[i], order + falling);
    qsort(keys, count, sizeof *keys, falling ? compare_falling : compare_rising);
    for (size_t i = 0; i < count; i++)
        rows[i] = keys[i].row;
}

/* ---- the answer */

static void write_run(JsonWriter *w, const Row *row) {
    const StoreRun *run = &row->run;
    jw_object(w, NULL);
    jw_put(w, JI("number", run->number), JS("grid", run->grid), JS("command", run->command),
           JI("repeat", run->repeat), JS("state", store_state_names[run->state]));
    jw_object(w, "parameters");
    for (size_t i = 0; i < run->parameter_count; i++)
        jw_string(w, run->parameters[i].name, run->parameters[i].value);
    jw_end(w);
    jw_put(w, JR("value", row->value), JR("seconds", run->seconds), JS("error", run->error));
    jw_end(w);
}

/* The value that a parameter has in all runs; NULL: it differs. */
static const char *common_value(RunList list, const char *name) {
    const char *value = list.count > 0 ? store_parameter(list.items[0], name) : NULL;
    for (size_t i = 1; value && i < list.count; i++) {
        const char *other = store_parameter(list.items[i], name);
        if (!other || strcmp(other, value) != 0)
            return NULL;
    }
    return value;
}

/* The rows that match, those that are wanted of them, and what becomes of all their parameters. */
static void write_rows(JsonWriter *w, const RunTable *table, const RunQuestion *question,
                       const RunWords *filter, Arena *arena) {
    /* 1. All that match: the parameters are those of all. */
    RunList found = {arena_zeroed(arena, table->count + 1, sizeof *found.items), 0};
    const Row **rows = arena_zeroed(arena, table->count + 1, sizeof(Row *));
    for (size_t i = 0; found.items && rows && i < table->count; i++) {
        const Row *row = &table->rows[i];
        if (!row->read || !run_words_match(&row->run, filter))
            continue;
        rows[found.count] = row;
        found.items[found.count++] = &row->run;
    }
    if (rows)
        sort_rows(rows, found.count, question->order, arena);
    jw_put(w, JI("total", (int64_t)table->count), JI("found", (int64_t)found.count),
           JI("first", question->first));
    /* 2. In which of them the runs differ. */
    const char *names[STORE_PARAMETERS_MAX], *values[STORE_PARAMETERS_MAX];
    size_t count = runs_names(found, names);
    jw_array(w, "keys");
    for (size_t i = 0; i < count; i++) {
        values[i] = found.count > 1 ? common_value(found, names[i]) : NULL;
        if (!values[i])
            jw_string(w, NULL, names[i]);
    }
    jw_end(w);
    jw_object(w, "same");
    for (size_t i = 0; i < count; i++)
        if (values[i])
            jw_string(w, names[i], values[i]);
    jw_end(w);
    /* 3. The rows themselves. */
    jw_array(w, "runs");
    for (size_t i = (size_t)question->first;
         i < found.count && i < (size_t)(question->first + question->count); i++)
        write_run(w, rows[i]);
    jw_end(w);
}

static void write_keys(JsonWriter *w, RunList list, Arena *arena) {
    size_t count;
    RunKey *varying = runs_varying(list, &count, arena);
    jw_array(w, "keys");
    for (size_t i = 0; i < count; i++) {
        jw_object(w, NULL);
        jw_string(w, "name", varying[i].name);
        jw_array(w, "values");
        for (size_t k = 0; k < varying[i].count && k < RUN_TABLE_MAX_VALUES; k++)
            jw_string(w, NULL, varying[i].values[k]);
        jw_end(w);
        jw_end(w);
    }
    jw_end(w);
}

/* What two groups can be made of, grid by grid. */
static void write_grids(JsonWriter *w, const RunTable *table, Arena *arena) {
    RunList done = {arena_zeroed(arena, table->count + 1, sizeof *done.items), 0};
    for (size_t i = 0; done.items && i < table->count; i++)
        if (table->rows[i].read && table->rows[i].run.state == STORE_DONE)
            done.items[done.count++] = &table->rows[i].run;
    RunKey grids = runs_key(done, "grid", arena);
    jw_array(w, "grids");
    for (size_t i = 0; i < grids.count && i < RUN_TABLE_MAX_VALUES; i++) {
        RunList own = runs_select(done, (RunFilter){.grid = grids.values[i]}, arena);
        jw_object(w, NULL);
        jw_string(w, "name", grids.values[i]);
        write_keys(w, own, arena);
        jw_end(w);
    }
    jw_end(w);
}

/* A store can hold grids of several commands, each with its own measure. */
static const char *measure_name(const RunTable *table) {
    const char *measure = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const char *own = table->rows[i].measure;
        if (measure && own && strcmp(measure, own) != 0)
            return "value";
        measure = own ? own : measure;
    }
    return measure ? measure : "value";
}

bool run_table_ask(RunTable *table, const RunQuestion *question, JsonWriter *w, Status *status) {
    RunWords filter;
    if (!run_words_read(question->filter, &filter, status))
        return false;
    Arena arena;
    arena_init(&arena);
    pthread_mutex_lock(&table->lock);
    bool ok = bring_up_to_date(table, status);
    if (ok) {
        jw_object(w, NULL);
        write_rows(w, table, question, &filter, &arena);
        jw_string(w, "measure", measure_name(table));
        write_grids(w, table, &arena);
        jw_end(w);
    }
    pthread_mutex_unlock(&table->lock);
    if (ok && arena.failed)
        ok = status_no_memory(status);
    arena_release(&arena);
    return ok;
}
