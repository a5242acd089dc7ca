/* comparison: selects both groups and lets stats/compare do the work. */
#include "web/comparison.h"

#include "base/json_writer.h"
#include "stats/compare.h"
#include "stats/rank_test.h"

#include <limits.h>

bool comparison_read(const Json *document, ComparisonQuestion *question, Status *status) {
    return (question->grid = json_read_string(document, "grid", status)) &&
           (question->by = json_read_string(document, "by", status)) &&
           (question->first = json_read_string(document, "first", status)) &&
           (question->second = json_read_string(document, "second", status));
}

/* The runs of both groups. */
static RunList select_groups(const Runs *runs, const ComparisonQuestion *question, Arena *arena) {
    RunList done = runs_done(runs, arena), both = {0};
    both.items = arena_zeroed(arena, done.count + 1, sizeof *both.items);
    const char *const values[] = {question->first, question->second};
    for (int i = 0; i < 2 && both.items; i++) {
        RunFilter filter = {.grid = question->grid, .key = question->by, .value = values[i]};
        RunList group = runs_select(done, filter, arena);
        for (size_t k = 0; k < group.count && both.count < done.count; k++)
            both.items[both.count++] = group.items[k];
    }
    return both;
}

static void write_comparison(JsonWriter *w, const Comparison *comparison) {
    const ComparePair *pair = compare_pair(comparison, 0, 1);
    jw_object(w, NULL);
    jw_string(w, "measure", comparison->measure);
    jw_array(w, "groups");
    for (size_t i = 0; i < comparison->group_count; i++) {
        const Sample *sample = &comparison->groups[i].sample;
        jw_object(w, NULL);
        jw_put(w, JS("name", comparison->groups[i].name), JI("count", (int64_t)sample->count),
               JR("median", sample->median), JR("lower", sample->lower), JR("upper", sample->upper),
               JR("mean", sample->mean));
        jw_end(w);
    }
    jw_end(w);
    bool equal = comparison->groups[0].sample.median == comparison->groups[1].sample.median;
    double a12 = pair->first == 0 ? pair->a12 : 1 - pair->a12;
    jw_put(w, JR("p", pair->p), JR("a12", a12), JS("a12_word", rank_a12_word(a12)),
           JR("wilcoxon_p", pair->wilcoxon_p), JI("instances", (int64_t)comparison->instances),
           JI("left_out", (int64_t)comparison->left_out),
           JS("better", equal ? NULL : comparison->groups[compare_best(comparison)].name));
    jw_end(w);
}

bool comparison_write(const Runs *runs, const ComparisonQuestion *question, Text *body,
                      Status *status) {
    Comparison comparison;
    Arena arena;
    arena_init(&arena);
    JsonWriter w;
    jw_init(&w, body);
    bool ok = compare_runs(select_groups(runs, question, &arena), question->by, NULL, &comparison,
                           &arena, status);
    if (ok)
        write_comparison(&w, &comparison);
    arena_release(&arena);
    return ok;
}

/* ---- exported runs */

static bool read_run(const Json *line, Runs *runs, Status *status) {
    const Json *given = json_get(line, "parameters"), *result = json_get(line, "result");
    int number = 0, repeat = 0;
    StoreParameter parameters[STORE_PARAMETERS_MAX];
    StoreRun run = {.state = STORE_DONE, .parameters = parameters, .result = result};
    if (!(run.grid = json_read_string(line, "grid", status)) ||
        !(run.command = json_read_string(line, "command", status)) ||
        !json_read_int(line, "run", 1, INT_MAX, &number, status) ||
        !json_read_int(line, "repeat", 1, INT_MAX, &repeat, status))
        return false;
    if (!json_is_object(given) || !json_is_object(result) ||
        json_count(given) > STORE_PARAMETERS_MAX)
        return status_fail(status, STATUS_INPUT, "run %d: not a finished run of an export", number);
    run.number = number;
    run.repeat = repeat;
    for (size_t i = 0; i < json_count(given); i++) {
        const Json *value = json_at(given, i);
        if (!json_is_string(value))
            return status_fail(status, STATUS_INPUT, "run %d: not a finished run of an export",
                               number);
        parameters[run.parameter_count++] =
            (StoreParameter){json_name_at(given, i), json_text(value)};
    }
    const Json *piece_seed = json_get(line, "piece_seed"), *seconds = json_get(line, "seconds");
    run.piece_seed = json_is_integer(piece_seed) ? (uint64_t)json_int(piece_seed) : 0;
    run.seconds = json_is_number(seconds) ? json_number(seconds) : 0;
    return runs_visit(runs, &run, status);
}

bool comparison_read_runs(const Json *exported, Runs *runs, Status *status) {
    runs_init(runs);
    if (!json_is_array(exported))
        return status_fail(status, STATUS_INPUT, "runs: must be an array");
    for (size_t i = 0; i < json_count(exported); i++)
        if (!read_run(json_at(exported, i), runs, status))
            return false;
    return true;
}
