/*
 * profile_logs: 1. every run gets an algorithm, a function, a dimension and an instance. 2. Runs
 * are written algorithm by algorithm, function by function, dimension by dimension, each in the
 * order in which it came first, so that the same store always gives the same files.
 */
#include "stats/profile_logs.h"

#include "base/json_writer.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double UNPLACED = -100; /* the fitness of a piece that was not placed */
static const double PRECISION = 1e-8;

/* ---- runs of a store */

/* Parameters that say which problem it is, and those that change nothing that is logged. */
static bool is_problem(const char *name) {
    static const char *const names[] = {"encoding",  "order", "width",      "height",
                                        "board",     "fumen", "profile",    "weights",
                                        "game-over", "hold",  "placements", "perfect-clear-points"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_neither(const char *name) {
    static const char *const names[] = {"instance",   "n",         "pieces",
                                        "randomizer", "algorithm", "threads"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return strstr(name, "seed") != NULL;
}

const char *profile_logs_family(const char *instance, int *number, Arena *arena) {
    const char *dash = strrchr(instance, '-');
    *number = dash ? atoi(dash + 1) : 1;
    return arena_format(arena, "%.*s", dash ? (int)(dash - instance) : (int)strlen(instance),
                        instance);
}

static const char *parameter_or(const StoreRun *run, const char *name, const char *otherwise) {
    const char *value = store_parameter(run, name);
    return value ? value : otherwise;
}

/* Adds the values that this run has of the parameters that vary. */
static const char *add_varying(const char *text, const StoreRun *run, const RunKey *keys,
                               size_t count, bool problem, Arena *arena) {
    for (size_t i = 0; i < count; i++) {
        const char *value = store_parameter(run, keys[i].name);
        if (value && !is_neither(keys[i].name) && is_problem(keys[i].name) == problem)
            text = arena_format(arena, "%s %s=%s", text, keys[i].name, value);
    }
    return text;
}

ProfileRun *profile_logs_runs(RunList list, size_t *count, Arena *arena, Status *status) {
    size_t varying = 0;
    const RunKey *keys = runs_varying(list, &varying, arena);
    ProfileRun *runs = arena_zeroed(arena, list.count, sizeof *runs);
    *count = 0;
    for (size_t i = 0; runs && i < list.count; i++) {
        const StoreRun *run = list.items[i];
        if (strcmp(run->command, "solve") != 0)
            continue;
        const char *instance = store_parameter(run, "instance");
        ProfileRun *own = &runs[(*count)++];
        *own = (ProfileRun){.dimension = (int)runs_measure(run, "placements"),
                            .instance = (int)run->repeat,
                            .evaluations = (uint64_t)runs_measure(run, "evaluations"),
                            .best = runs_measure(run, "fitness"),
                            .bound = runs_measure(run, "bound"),
                            .points = run->points,
                            .point_count = run->point_count};
        const char *function =
            instance ? profile_logs_family(instance, &own->instance, arena)
            : store_parameter(run, "pieces")
                ? "pieces"
                : arena_format(arena, "%s-%s", parameter_or(run, "randomizer", "bag"),
                               parameter_or(run, "n", ""));
        own->function = add_varying(function, run, keys, varying, true, arena);
        own->algorithm =
            add_varying(parameter_or(run, "algorithm", "auto"), run, keys, varying, false, arena);
    }
    if (arena->failed)
        status_no_memory(status);
    else if (*count == 0)
        status_fail(status, STATUS_INPUT, "there are no finished runs of solve");
    return arena->failed || *count == 0 ? NULL : runs;
}

/* ---- groups */

/* The place of `text` in a list of distinct texts, to which it is added when it is new. */
static size_t place_of(const char **list, size_t *count, const char *text) {
    size_t i = 0;
    while (i < *count && strcmp(list[i], text) != 0)
        i++;
    if (i == *count)
        list[(*count)++] = text;
    return i;
}

/* A text as a part of the name of a file. */
static const char *as_file(const char *text, Arena *arena) {
    char *name = arena_zeroed(arena, strlen(text) + 1, 1);
    if (name)
        memcpy(name, text, strlen(text));
    for (char *c = name; c && *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-=.", *c))
            *c = '-';
    return name;
}

/* What is being written. */
typedef struct Log {
    const ProfileRun *runs;
    size_t count;
    const char *algorithm, *function; /* of this file */
    size_t number;                    /* of the function, from 1 */
    const char *folder, *name;        /* both as names of files */
    ProfileWrite *write;
    void *context;
    Arena *arena;
} Log;

static bool is_of(const Log *log, const ProfileRun *run, int dimension) {
    return strcmp(run->algorithm, log->algorithm) == 0 &&
           strcmp(run->function, log->function) == 0 &&
           (dimension < 0 || run->dimension == dimension);
}

/* The next larger dimension of the runs of this file; -1: none. */
static int next_dimension(const Log *log, int last) {
    int next = -1;
    for (size_t i = 0; i < log->count; i++) {
        int own = log->runs[i].dimension;
        if (is_of(log, &log->runs[i], -1) && own > last && (next < 0 || own < next))
            next = own;
    }
    return next;
}

/* The evaluation at which the best was found. */
static uint64_t best_at(const ProfileRun *run) {
    uint64_t at = run->evaluations;
    for (size_t i = run->point_count; i-- > 0 && run->points[i].best >= run->best;)
        at = run->points[i].evaluation;
    return at;
}

/* Calls `add` for evaluation 1, every improvement and the last evaluation. */
typedef void AddPoint(Text *text, const ProfileRun *run, uint64_t evaluation, double best);

static void each_point(const ProfileRun *run, AddPoint *add, Text *text) {
    double best = UNPLACED * run->dimension;
    uint64_t last = 1;
    for (size_t i = 0; i < run->point_count; i++)
        if (isfinite(run->points[i].best))
            best = fmin(best, run->points[i].best);
    best = fmin(best, run->best);
    bool from_first =
        run->point_count > 0 && run->points[0].evaluation == 1 && isfinite(run->points[0].best);
    if (!from_first)
        add(text, run, 1, best);
    for (size_t i = 0; i < run->point_count; i++) {
        const StorePoint *point = &run->points[i];
        if (!(point->best > best) && !(i == 0 && from_first))
            continue;
        best = point->best;
        if (point->evaluation > last || (i == 0 && from_first))
            add(text, run, last = point->evaluation, best);
    }
    if (run->evaluations > last)
        add(text, run, run->evaluations, run->best);
}

/* ---- IOHprofiler */

static void add_ioh(Text *text, const ProfileRun *run, uint64_t evaluation, double best) {
    (void)run;
    text_format(text, "%llu %.10f\n", (unsigned long long)evaluation, best);
}

static void write_ioh_run(JsonWriter *json, const ProfileRun *run) {
    jw_object(json, NULL);
    jw_put(json, JI("instance", run->instance), JI("evals", (int64_t)run->evaluations));
    jw_object(json, "best");
    jw_put(json, JI("evals", (int64_t)best_at(run)), JR("y", run->best));
    jw_array(json, "x");
    jw_end(json);
    jw_end(json);
    jw_end(json);
}

static bool write_ioh(const Log *log, Status *status) {
    JsonWriter json;
    Text text = {0}, data = {0};
    jw_init(&json, &text);
    jw_object(&json, NULL);
    jw_put(&json, JS("version", "0.3.22"), JS("suite", "tetropt"),
           JI("function_id", (int64_t)log->number), JS("function_name", log->name),
           JB("maximization", true));
    jw_object(&json, "algorithm");
    jw_put(&json, JS("name", log->algorithm), JS("info", "tetropt " TETROPT_VERSION));
    jw_end(&json);
    jw_array(&json, "attributes");
    jw_string(&json, NULL, "evaluations");
    jw_string(&json, NULL, "raw_y");
    jw_end(&json);
    jw_array(&json, "scenarios");
    bool ok = true;
    for (int dimension = -1; ok && (dimension = next_dimension(log, dimension)) >= 0;) {
        const char *path = arena_format(log->arena, "data_f%zu_%s/IOHprofiler_f%zu_DIM%d.dat",
                                        log->number, log->name, log->number, dimension);
        text_clear(&data);
        jw_object(&json, NULL);
        jw_put(&json, JI("dimension", dimension), JS("path", path));
        jw_array(&json, "runs");
        for (size_t i = 0; i < log->count; i++)
            if (is_of(log, &log->runs[i], dimension)) {
                write_ioh_run(&json, &log->runs[i]);
                text_add(&data, "evaluations raw_y\n");
                each_point(&log->runs[i], add_ioh, &data);
            }
        jw_end(&json);
        jw_end(&json);
        ok = path && !data.failed
                 ? log->write(log->context, arena_format(log->arena, "%s/%s", log->folder, path),
                              &data, status)
                 : status_no_memory(status);
    }
    jw_end(&json);
    jw_end(&json);
    text_add_char(&text, '\n');
    const char *path = arena_format(log->arena, "%s/IOHprofiler_f%zu_%s.json", log->folder,
                                    log->number, log->name);
    ok = ok && (path && !text.failed ? log->write(log->context, path, &text, status)
                                     : status_no_memory(status));
    text_release(&text);
    text_release(&data);
    return ok;
}

/* ---- COCO */

static double distance(const ProfileRun *run, double best) {
    return isfinite(run->bound) ? fmax(run->bound - best, 0) : -best;
}

static void add_coco(Text *text, const ProfileRun *run, uint64_t evaluation, double best) {
    double left = distance(run, best);
    text_format(text, "%llu 0 %+.9e %+.9e %+.9e\n", (unsigned long long)evaluation, left, left,
                left);
}

static bool write_coco(const Log *log, Status *status) {
    static const char *const endings[] = {"dat", "tdat"};
    Text info = {0}, data = {0};
    bool ok = true;
    for (int dimension = -1; ok && (dimension = next_dimension(log, dimension)) >= 0;) {
        const char *path = arena_format(log->arena, "data_f%zu/bbobexp_f%zu_DIM%d", log->number,
                                        log->number, dimension);
        text_clear(&data);
        text_format(&info,
                    "suite = 'bbob', funcId = %zu, DIM = %d, Precision = %.3e, algId = '%s', "
                    "logger = 'bbob', data_format = 'bbob-new2', coco_version = '2.8.2'\n"
                    "%% %s, tetropt %s\n%s.dat",
                    log->number, dimension, PRECISION, log->folder, log->name, TETROPT_VERSION,
                    path ? path : "");
        for (size_t i = 0; i < log->count; i++) {
            const ProfileRun *run = &log->runs[i];
            if (!is_of(log, run, dimension))
                continue;
            text_format(&info, ", %d:%llu|%.1e", run->instance,
                        (unsigned long long)run->evaluations, distance(run, run->best));
            text_format(&data,
                        "%% f evaluations | g evaluations | best noise-free fitness - Fopt "
                        "(%.9e) + sum g_i+ | measured fitness | best measured fitness\n",
                        0.0);
            each_point(run, add_coco, &data);
        }
        text_add_char(&info, '\n');
        ok = path && !data.failed ? true : status_no_memory(status);
        for (int i = 0; ok && i < 2; i++)
            ok = log->write(log->context,
                            arena_format(log->arena, "%s/%s.%s", log->folder, path, endings[i]),
                            &data, status);
    }
    const char *path = arena_format(log->arena, "%s/bbobexp_f%zu.info", log->folder, log->number);
    ok = ok && (path && !info.failed ? log->write(log->context, path, &info, status)
                                     : status_no_memory(status));
    text_release(&info);
    text_release(&data);
    return ok;
}

/* ---- all */

bool profile_logs_write(ProfileFormat format, const ProfileRun *runs, size_t count,
                        ProfileWrite *write, void *context, Arena *arena, Status *status) {
    const char **algorithms = arena_zeroed(arena, count, sizeof *algorithms);
    const char **functions = arena_zeroed(arena, count, sizeof *functions);
    if (arena->failed)
        return status_no_memory(status);
    size_t algorithm_count = 0, function_count = 0;
    for (size_t i = 0; i < count; i++) {
        place_of(algorithms, &algorithm_count, runs[i].algorithm);
        place_of(functions, &function_count, runs[i].function);
    }
    bool ok = true;
    for (size_t a = 0; ok && a < algorithm_count; a++)
        for (size_t f = 0; ok && f < function_count; f++) {
            Log log = {.runs = runs,
                       .count = count,
                       .algorithm = algorithms[a],
                       .function = functions[f],
                       .number = f + 1,
                       .folder = as_file(algorithms[a], arena),
                       .name = as_file(functions[f], arena),
                       .write = write,
                       .context = context,
                       .arena = arena};
            if (arena->failed)
                return status_no_memory(status);
            if (next_dimension(&log, -1) >= 0)
                ok = format == PROFILE_IOH ? write_ioh(&log, status) : write_coco(&log, status);
        }
    return ok;
}
