#include "web/stores.h"

#include "draw/plot.h"
#include "io/json.h"
#include "report/report.h"
#include "stats/compare.h"
#include "stats/rank_test.h"
#include "web/run_table.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* A store has a connection for looking at its list, which is quick, and one for reading all
 * results, so that nobody who wants the first waits for the second. */
typedef struct Shelf {
    const char *address;
    Store *store, *all; /* `all` is opened when it is needed, under the lock of reading */
    RunTable *table;
} Shelf;

struct Stores {
    Shelf shelves[STORES_MAX];
    int count;
    pthread_mutex_t reading; /* all results of a store take memory: one at a time */
};

/* A server that was away is found again, and nobody waits long for one that still is. */
static Store *open_store(const char *address, Status *status) {
    Store *store = store_open(address, STORE_LOOK, status);
    if (store)
        store_set_patience(store, 0.1, NULL);
    return store;
}

Stores *stores_new(const char *const *addresses, int count, Status *status) {
    if (count > STORES_MAX) {
        status_fail(status, STATUS_INPUT, "--store: at most %d", STORES_MAX);
        return NULL;
    }
    Stores *stores = calloc(1, sizeof *stores);
    if (!stores) {
        status_no_memory(status);
        return NULL;
    }
    pthread_mutex_init(&stores->reading, NULL);
    for (; stores->count < count; stores->count++) {
        Shelf *shelf = &stores->shelves[stores->count];
        shelf->address = addresses[stores->count];
        shelf->store = open_store(shelf->address, status);
        shelf->table = shelf->store ? run_table_new(shelf->store, status) : NULL;
        if (!shelf->table) {
            store_free(shelf->store);
            stores_free(stores);
            return NULL;
        }
    }
    return stores;
}

void stores_free(Stores *stores) {
    if (!stores)
        return;
    for (int i = 0; i < stores->count; i++) {
        run_table_free(stores->shelves[i].table);
        store_free(stores->shelves[i].store);
        store_free(stores->shelves[i].all);
    }
    pthread_mutex_destroy(&stores->reading);
    free(stores);
}

int stores_count(const Stores *stores) {
    return stores->count;
}

/* JSON has no infinity and no NaN. */
static json_t *real_json(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *count_json(Store *store, int index, Status *status) {
    StoreCounts counts;
    if (!store_count(store, &counts, status))
        return NULL;
    json_t *object = json_pack("{s:i, s:s, s:f}", "id", index, "name", store_name(store), "seconds",
                               counts.seconds);
    for (int i = 0; i < STORE_STATE_COUNT; i++)
        json_put(&object, store_state_names[i], json_integer(counts.runs[i]));
    return object;
}

json_t *stores_list(Stores *stores, Status *status) {
    json_t *list = json_array();
    for (int i = 0; i < stores->count; i++) {
        json_t *one = count_json(stores->shelves[i].store, i, status);
        if (!one) {
            json_decref(list);
            return NULL;
        }
        json_add(&list, one);
    }
    return list;
}

/* ---- runs */

json_t *stores_runs(Stores *stores, int index, const json_t *document, Status *status) {
    static const char *const members[] = {"filter", "first", "count"};
    RunQuestion question = {.count = RUN_TABLE_MAX_ROWS};
    if (!json_only_members(document, members, 3, status) ||
        !(question.filter = json_read_string(document, "filter", status)) ||
        !json_read_int(document, "first", 0, RUN_TABLE_MAX_RUNS, &question.first, status) ||
        !json_read_int(document, "count", 1, RUN_TABLE_MAX_ROWS, &question.count, status))
        return NULL;
    return run_table_ask(stores->shelves[index].table, &question, status);
}

/* ---- all results */

/* Reads the runs that are done, if there are not too many. With the lock of reading held; the
 * caller releases the runs either way. */
static bool read_runs(Shelf *shelf, Runs *runs, StoreCounts *counts, Status *status) {
    runs_init(runs);
    if (!shelf->all)
        shelf->all = open_store(shelf->address, status);
    if (!shelf->all || !store_count(shelf->all, counts, status))
        return false;
    if (counts->runs[STORE_DONE] > STORES_MAX_RUNS)
        return status_fail(status, STATUS_UNMET,
                           "%lld runs are done; the page draws and compares at most %d",
                           (long long)counts->runs[STORE_DONE], STORES_MAX_RUNS);
    return store_each(shelf->all, 1u << STORE_DONE, STORE_WITH_TIMES, runs_visit, runs, status);
}

/* False with `status`: somebody reads already. */
static bool begin_reading(Stores *stores, Status *status) {
    return pthread_mutex_trylock(&stores->reading) == 0 ||
           status_fail(status, STATUS_UNMET, "results are being read for another page; try again");
}

/* ---- plots */

static json_t *numbers_json(const double *values, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_add(&list, real_json(values[i]));
    return list;
}

static json_t *boxes_json(const PlotBox *boxes, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const PlotBox *box = &boxes[i];
        json_add(&list, box->count == 0 ? json_null()
                                        : json_pack("{s:f, s:f, s:f, s:f, s:f}", "low", box->low,
                                                    "lower", box->lower, "median", box->median,
                                                    "upper", box->upper, "high", box->high));
    }
    return list;
}

static json_t *series_json(const PlotSeries *series) {
    static const char *const marks[] = {"line", "steps", "points", "bars", "boxes"};
    json_t *object =
        json_pack("{s:s, s:s, s:o}", "name", series->name ? series->name : "", "mark",
                  marks[series->mark], "x", numbers_json(series->x, series->x ? series->count : 0));
    json_put(&object, "y", numbers_json(series->y, series->y ? series->count : 0));
    if (series->low && series->high) {
        json_put(&object, "low", numbers_json(series->low, series->count));
        json_put(&object, "high", numbers_json(series->high, series->count));
    }
    if (series->boxes)
        json_put(&object, "boxes", boxes_json(series->boxes, series->count));
    return object;
}

static json_t *axis_json(const PlotAxis *axis) {
    json_t *object =
        json_pack("{s:s, s:b}", "title", axis->title ? axis->title : "", "log", (int)axis->log);
    if (axis->low != axis->high)
        json_put(&object, "part", json_pack("[f,f]", axis->low, axis->high));
    if (!axis->words)
        return object;
    json_t *words = json_array();
    for (size_t i = 0; i < axis->word_count; i++)
        json_add(&words, json_string(axis->words[i]));
    json_put(&object, "words", words);
    return object;
}

static json_t *panel_json(const PlotPanel *panel) {
    json_t *series = json_array();
    for (size_t i = 0; i < panel->series_count; i++)
        json_add(&series, series_json(&panel->series[i]));
    json_t *rules = json_array();
    for (size_t i = 0; i < panel->rule_count; i++)
        json_add(&rules, json_pack("{s:o, s:s?}", "y", real_json(panel->rules[i].y), "label",
                                   panel->rules[i].label));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "title", panel->title ? panel->title : "", "x",
                     axis_json(&panel->x), "y", axis_json(&panel->y), "series", series, "rules",
                     rules);
}

static json_t *panels_json(const Plot *plot) {
    json_t *panels = json_array();
    for (size_t i = 0; i < plot->panel_count; i++)
        json_add(&panels, panel_json(&plot->panels[i]));
    return panels;
}

/* A figure that has no numbers on axes (the diagram of ranks) is given as a picture. */
static json_t *figure_json(const ReportFigure *figure) {
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", figure->name, "title", figure->page.label,
                               "caption", figure->caption);
    if (figure->page.draw == plot_draw) {
        json_put(&object, "panels", panels_json(figure->page.data));
        return object;
    }
    Text svg;
    text_init(&svg);
    drawing_svg(&figure->page, DRAWING_IN_FILE, &svg);
    json_put(&object, "svg", json_stringn(svg.data ? svg.data : "", svg.length));
    text_release(&svg);
    return object;
}

static json_t *figures_json(const Report *report) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->figure_count; i++)
        json_add(&list, figure_json(&report->figures[i]));
    return list;
}

json_t *stores_plots(Stores *stores, int index, Status *status) {
    if (!begin_reading(stores, status))
        return NULL;
    Shelf *shelf = &stores->shelves[index];
    Runs runs;
    Report report;
    ReportSource source = {.title = "", .store = store_name(shelf->store)};
    json_t *document = NULL;
    report_init(&report);
    if (read_runs(shelf, &runs, &source.counts, status) &&
        report_write(&report, &runs, &source, status))
        document = figures_json(&report);
    report_release(&report);
    runs_release(&runs);
    pthread_mutex_unlock(&stores->reading);
    return document;
}

/* ---- comparing */

typedef struct Question {
    const char *grid, *by, *first, *second;
} Question;

static bool read_question(const json_t *document, Question *question, Status *status) {
    static const char *const members[] = {"grid", "by", "first", "second"};
    return json_only_members(document, members, 4, status) &&
           (question->grid = json_read_string(document, "grid", status)) &&
           (question->by = json_read_string(document, "by", status)) &&
           (question->first = json_read_string(document, "first", status)) &&
           (question->second = json_read_string(document, "second", status));
}

/* The runs of both groups. */
static RunList select_groups(const Runs *runs, const Question *question, Arena *arena) {
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

static json_t *comparison_json(const Comparison *comparison) {
    const ComparePair *pair = compare_pair(comparison, 0, 1);
    json_t *groups = json_array();
    for (size_t i = 0; i < comparison->group_count; i++) {
        const Sample *sample = &comparison->groups[i].sample;
        json_add(&groups,
                 json_pack("{s:s, s:I, s:f, s:f, s:f, s:f}", "name", comparison->groups[i].name,
                           "count", (json_int_t)sample->count, "median", sample->median, "lower",
                           sample->lower, "upper", sample->upper, "mean", sample->mean));
    }
    bool equal = comparison->groups[0].sample.median == comparison->groups[1].sample.median;
    double a12 = pair->first == 0 ? pair->a12 : 1 - pair->a12;
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:s, s:o, s:I, s:I, s:o}", "measure", comparison->measure, "groups",
        groups, "p", real_json(pair->p), "a12", real_json(a12), "a12_word", rank_a12_word(a12),
        "wilcoxon_p", real_json(pair->wilcoxon_p), "instances", (json_int_t)comparison->instances,
        "left_out", (json_int_t)comparison->left_out, "better",
        equal ? json_null() : json_string(comparison->groups[compare_best(comparison)].name));
}

json_t *stores_compare(Stores *stores, int index, const json_t *document, Status *status) {
    Question question;
    if (!read_question(document, &question, status) || !begin_reading(stores, status))
        return NULL;
    Runs runs;
    StoreCounts counts;
    Comparison comparison;
    Arena arena;
    arena_init(&arena);
    json_t *answer = NULL;
    if (read_runs(&stores->shelves[index], &runs, &counts, status) &&
        compare_runs(select_groups(&runs, &question, &arena), question.by, NULL, &comparison,
                     &arena, status))
        answer = comparison_json(&comparison);
    runs_release(&runs);
    arena_release(&arena);
    pthread_mutex_unlock(&stores->reading);
    return answer;
}
