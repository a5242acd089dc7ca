/* runs: copies of runs, and linear passes over them; a store has some ten thousand at most. */
#include "stats/runs.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "base/memory.h"
#include "store/grid.h"
#include "store/run_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void runs_init(Runs *runs) {
    *runs = (Runs){0};
}

void runs_release(Runs *runs) {
    for (size_t i = 0; i < runs->count; i++)
        json_free((Json *)(uintptr_t)runs->items[i].result);
    free(runs->items);
    free(runs->grids);
    arena_release(&runs->arena);
    *runs = (Runs){0};
}

/* A copy without the long members of a result that are not used here. */
static Json *copy_result(const Json *result, Status *status) {
    JsonWriter w;
    jw_start(&w);
    for (size_t i = 0; i < json_count(result); i++) {
        const char *name = json_name_at(result, i);
        if (strcmp(name, "moves") != 0 && strcmp(name, "genes") != 0 && strcmp(name, "board") != 0)
            jw_json(&w, name, json_at(result, i));
    }
    jw_end(&w);
    Json *copy = NULL;
    if (w.own.failed)
        status_no_memory(status);
    else
        copy = json_parse(w.own.data, w.own.length, status);
    text_release(&w.own);
    return copy;
}

bool runs_visit(void *context, const StoreRun *run, Status *status) {
    Runs *runs = context;
    Arena *arena = &runs->arena;
    if (!MEMORY_HAS_PLACE(runs->items, runs->count, runs->capacity))
        return status_no_memory(status);
    StoreRun copy = *run;
    copy.grid = arena_copy(arena, run->grid);
    copy.command = arena_copy(arena, run->command);
    copy.error = arena_copy(arena, run->error);
    copy.host = arena_copy(arena, run->host);
    copy.version = arena_copy(arena, run->version);
    StoreParameter *parameters = arena_zeroed(arena, run->parameter_count, sizeof *parameters);
    for (size_t i = 0; parameters && i < run->parameter_count; i++)
        parameters[i] = (StoreParameter){arena_copy(arena, run->parameters[i].name),
                                         arena_copy(arena, run->parameters[i].value)};
    copy.parameters = parameters;
    StorePoint *points = arena_zeroed(arena, run->point_count, sizeof *points);
    if (points && run->point_count > 0)
        memcpy(points, run->points, run->point_count * sizeof *points);
    copy.points = points;
    if (arena->failed)
        return status_no_memory(status);
    copy.result = run->result ? copy_result(run->result, status) : NULL;
    if (run->result && !copy.result)
        return false;
    runs->items[runs->count++] = copy;
    return true;
}

/* A list with room for `count` runs, still empty. */
static RunList new_list(size_t count, Arena *arena) {
    return (RunList){.items = arena_zeroed(arena, count, sizeof(StoreRun *))};
}

bool runs_visit_grid(void *context, const char *name, const char *text, int64_t first,
                     Status *status) {
    Runs *runs = context;
    if (!MEMORY_HAS_PLACE(runs->grids, runs->grid_count, runs->grid_capacity))
        return status_no_memory(status);
    runs->grids[runs->grid_count++] =
        (RunGridText){arena_copy(&runs->arena, name), arena_copy(&runs->arena, text), first};
    return !runs->arena.failed || status_no_memory(status);
}

/* A copy of the parameters of a run with one more. */
static void add_parameter(Runs *runs, StoreRun *run, const char *name, const char *value) {
    StoreParameter *list = arena_zeroed(&runs->arena, run->parameter_count + 1, sizeof *list);
    if (!list)
        return;
    for (size_t i = 0; i < run->parameter_count; i++)
        list[i] = run->parameters[i];
    list[run->parameter_count++] = (StoreParameter){name, arena_copy(&runs->arena, value)};
    run->parameters = list;
}

bool runs_note_parts(Runs *runs, Status *status) {
    for (size_t i = 0; i < runs->grid_count; i++) {
        Status ignored = {0}; /* the text of another version, or the batch of a tuning */
        RunGrid *grid =
            run_grid_parse(runs->grids[i].name, runs->grids[i].text, &run_job_commands, &ignored);
        for (size_t k = 0; grid && k < runs->count; k++) {
            StoreRun *run = &runs->items[k];
            int64_t index = run->number - runs->grids[i].first;
            if (strcmp(run->grid, runs->grids[i].name) != 0 || index < 0 ||
                index >= run_grid_runs(grid))
                continue;
            const char *part = run_grid_part(grid, index);
            if (*part)
                add_parameter(runs, run, "part", part);
        }
        run_grid_free(grid);
    }
    return !runs->arena.failed || status_no_memory(status);
}

bool runs_read(Store *store, Runs *runs, StoreCounts *counts, Status *status) {
    if (!store_snapshot_begin(store, status))
        return false;
    bool ok = store_each(store, 1 << STORE_DONE | 1 << STORE_FAILED, STORE_WITH_TIMES, runs_visit,
                         runs, status) &&
              store_each_grid(store, runs_visit_grid, runs, status) &&
              store_count(store, counts, status);
    store_snapshot_end(store);
    return ok;
}

RunList runs_done(const Runs *runs, Arena *arena) {
    RunList list = new_list(runs->count, arena);
    for (size_t i = 0; list.items && i < runs->count; i++)
        if (runs->items[i].state == STORE_DONE && runs->items[i].result)
            list.items[list.count++] = &runs->items[i];
    return list;
}

static bool same(const char *wanted, const char *found) {
    return !wanted || (found && strcmp(wanted, found) == 0);
}

RunList runs_select(RunList list, RunFilter filter, Arena *arena) {
    RunList chosen = new_list(list.count, arena);
    for (size_t i = 0; chosen.items && i < list.count; i++) {
        const StoreRun *run = list.items[i];
        if (same(filter.grid, run->grid) && same(filter.command, run->command) &&
            (!filter.key || same(filter.value, runs_value(run, filter.key, arena))))
            chosen.items[chosen.count++] = run;
    }
    return chosen;
}

const char *runs_value(const StoreRun *run, const char *key, Arena *arena) {
    const char *given = store_parameter(run, key);
    if (given)
        return given;
    if (strcmp(key, "grid") == 0)
        return run->grid;
    if (strcmp(key, "host") == 0)
        return run->host;
    if (strcmp(key, "repeat") == 0)
        return arena_format(arena, "%lld", (long long)run->repeat);
    const Json *member = json_get(run->result, key);
    if (json_is_string(member))
        return json_text(member);
    if (json_is_integer(member))
        return arena_format(arena, "%lld", (long long)json_int(member));
    return NULL;
}

static bool read_number(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

static int compare_numbers(const void *a, const void *b) {
    double x = strtod(*(const char *const *)a, NULL), y = strtod(*(const char *const *)b, NULL);
    return (x > y) - (x < y);
}

RunKey runs_key(RunList list, const char *name, Arena *arena) {
    RunKey key = {.name = name,
                  .values = arena_zeroed(arena, list.count, sizeof *key.values),
                  .numeric = true};
    for (size_t i = 0; key.values && i < list.count; i++) {
        const char *value = runs_value(list.items[i], name, arena);
        bool known = !value;
        for (size_t j = 0; !known && j < key.count; j++)
            known = strcmp(key.values[j], value) == 0;
        double number;
        if (!known)
            key.values[key.count++] = value;
        if (value && !read_number(value, &number))
            key.numeric = false;
    }
    if (key.numeric && key.count > 1)
        qsort(key.values, key.count, sizeof *key.values, compare_numbers);
    return key;
}

size_t runs_names(RunList list, const char *names[STORE_PARAMETERS_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++)
        for (size_t j = 0; j < list.items[i]->parameter_count; j++) {
            const char *name = list.items[i]->parameters[j].name;
            bool known = false;
            for (size_t k = 0; k < count && !known; k++)
                known = strcmp(names[k], name) == 0;
            if (!known && count < STORE_PARAMETERS_MAX)
                names[count++] = name;
        }
    return count;
}

RunKey *runs_varying(RunList list, size_t *count, Arena *arena) {
    const char *names[STORE_PARAMETERS_MAX];
    size_t all = runs_names(list, names);
    RunKey *keys = arena_zeroed(arena, all, sizeof *keys);
    *count = 0;
    for (size_t i = 0; keys && i < all; i++) {
        RunKey key = runs_key(list, names[i], arena);
        if (key.count > 1 && strcmp(names[i], "seed") != 0 && strcmp(names[i], "piece-seed") != 0)
            keys[(*count)++] = key;
    }
    return keys;
}

const char *runs_instance(const StoreRun *run, const char *without, Arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < run->parameter_count; i++) {
        const StoreParameter *parameter = &run->parameters[i];
        if (strcmp(parameter->name, without) != 0)
            text = arena_format(arena, "%s%s%s=%s", text, *text ? ", " : "", parameter->name,
                                parameter->value);
    }
    return text;
}

/* ---- measures */

/* Of chance a probability, of cover the queues that some solution serves, else those that can be
 * solved. */
static const char *clears_measure(const StoreRun *run) {
    static const char *const numbers[] = {"probability", "or"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isnan(runs_measure(run, numbers[i])))
            return numbers[i];
    return "solvable";
}

const char *runs_default_measure(RunList list) {
    const char *command = list.count > 0 ? list.items[0]->command : "solve";
    if (strcmp(command, "solve") == 0 || strcmp(command, "eval") == 0)
        return "fitness";
    if (strcmp(command, "train") == 0)
        return "held_out";
    if (strcmp(command, "clears") == 0)
        return clears_measure(list.items[0]);
    /* The fastest players keep count of rows only. */
    for (size_t i = 0; i < list.count; i++)
        if (isnan(runs_measure(list.items[i], "score")))
            return "lines";
    return "score";
}

static double number_of(const Json *value) {
    return json_is_number(value) ? json_number(value) : NAN;
}

double runs_measure(const StoreRun *run, const char *measure) {
    const Json *summary = json_get(run->result, "summary");
    const Json *inside = json_get(summary, measure);
    const Json *training = json_get(run->result, "training");
    if (inside)
        return number_of(json_is_object(inside) ? json_get(inside, "mean") : inside);
    const Json *held_out = json_get(training ? training : run->result, "held_out");
    if (strcmp(measure, "held_out") == 0)
        return number_of(json_get(held_out, "mean"));
    if (strcmp(measure, "held_out_per_piece") == 0)
        return number_of(json_get(held_out, "mean")) * number_of(json_get(held_out, "games")) /
               number_of(json_get(held_out, "pieces"));
    if (strcmp(measure, "seconds") == 0)
        return run->seconds;
    return number_of(json_get(run->result, measure));
}

bool runs_larger_is_better(const char *measure) {
    static const char *const costs[] = {"seconds",  "evaluations", "noops",
                                        "holes",    "deaths",      "max_height",
                                        "cv_score", "cv_lines",    "decision_us"};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (strcmp(measure, costs[i]) == 0)
            return false;
    return true;
}

Numbers runs_measures(RunList list, const char *measure, Arena *arena) {
    Numbers numbers = {.values = arena_zeroed(arena, list.count, sizeof(double))};
    for (size_t i = 0; numbers.values && i < list.count; i++) {
        double value = runs_measure(list.items[i], measure);
        if (isfinite(value))
            numbers.values[numbers.count++] = value;
    }
    return numbers;
}

Numbers runs_games(RunList list, const char *member, int index, Arena *arena) {
    size_t games = 0;
    for (size_t i = 0; i < list.count; i++)
        games += json_count(json_get(list.items[i]->result, "per_game"));
    Numbers numbers = {.values = arena_zeroed(arena, games, sizeof(double))};
    for (size_t i = 0; numbers.values && i < list.count; i++) {
        const Json *all = json_get(list.items[i]->result, "per_game");
        for (size_t j = 0; j < json_count(all); j++) {
            const Json *value = json_get(json_at(all, j), member);
            if (json_is_array(value))
                value = json_at(value, (size_t)index);
            if (json_is_number(value))
                numbers.values[numbers.count++] = json_number(value);
        }
    }
    return numbers;
}
