/* stores: answers about experiments as JSON; one request at a time may read all results of a store.
 */
#include "web/stores.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "draw/plot.h"
#include "report/report.h"
#include "store/export.h"
#include "web/comparison.h"
#include "web/run_table.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A store has one connection for its list of runs, which is quick, and one for reading all results,
 * so that the list never waits for the results. */
typedef struct OpenStore {
    const char *address;
    Store *store, *all; /* `all` is opened when it is needed, under the lock of reading */
    RunTable *table;
} OpenStore;

struct Stores {
    OpenStore opened[STORES_MAX];
    int count;
    pthread_mutex_t reading; /* all results of a store take memory: one at a time */
};

/* A server that was unreachable is tried again, without waiting long for it. */
static Store *open_store(const char *address, Status *status) {
    Store *store = store_open(address, STORE_LOOK, status);
    if (store)
        store_set_patience(store, 0.1, NULL);
    return store;
}

Stores *stores_new(const char *const *addresses, int count, Status *status) {
    if (count > STORES_MAX) {
        status_option(status, "store", "at most %d", STORES_MAX);
        return NULL;
    }
    Stores *stores = calloc(1, sizeof *stores);
    if (!stores) {
        status_no_memory(status);
        return NULL;
    }
    pthread_mutex_init(&stores->reading, NULL);
    for (; stores->count < count; stores->count++) {
        OpenStore *open = &stores->opened[stores->count];
        open->address = addresses[stores->count];
        open->store = open_store(open->address, status);
        open->table = open->store ? run_table_new(open->store, status) : NULL;
        if (!open->table) {
            store_free(open->store);
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
        run_table_free(stores->opened[i].table);
        store_free(stores->opened[i].store);
        store_free(stores->opened[i].all);
    }
    pthread_mutex_destroy(&stores->reading);
    free(stores);
}

int stores_count(const Stores *stores) {
    return stores->count;
}

bool stores_list(Stores *stores, Text *body, Status *status) {
    JsonWriter w;
    jw_init(&w, body);
    jw_array(&w, NULL);
    for (int i = 0; i < stores->count; i++) {
        Store *store = stores->opened[i].store;
        StoreCounts counts;
        if (!store_count(store, &counts, status))
            return false;
        jw_object(&w, NULL);
        jw_put(&w, JI("id", i), JS("name", store_name(store)), JR("seconds", counts.seconds));
        for (int k = 0; k < STORE_STATE_COUNT; k++)
            jw_integer(&w, store_state_names[k], counts.runs[k]);
        jw_end(&w);
    }
    jw_end(&w);
    return true;
}

/* ---- runs */

bool stores_runs(Stores *stores, int index, const char *text, size_t length, Text *body,
                 Status *status) {
    static const char *const members[] = {"filter", "order", "first", "count"};
    RunQuestion question = {.count = RUN_TABLE_MAX_ROWS};
    Json *document = json_parse(text, length, status);
    JsonWriter w;
    jw_init(&w, body);
    bool ok = document && json_only_members(document, members, 4, status) &&
              (question.filter = json_read_string(document, "filter", status)) &&
              (!json_get(document, "order") ||
               (question.order = json_read_string(document, "order", status))) &&
              json_read_int(document, "first", 0, RUN_TABLE_MAX_RUNS, &question.first, status) &&
              json_read_int(document, "count", 1, RUN_TABLE_MAX_ROWS, &question.count, status) &&
              run_table_ask(stores->opened[index].table, &question, &w, status);
    json_free(document);
    return ok;
}

static bool take_text(void *context, const char *bytes, size_t count) {
    text_add_bytes(context, bytes, count);
    return true;
}

bool stores_run(Stores *stores, int index, const char *text, size_t length, Text *body,
                Status *status) {
    static const char *const members[] = {"number"};
    int number = 0;
    Json *document = json_parse(text, length, status);
    bool ok = document && json_only_members(document, members, 1, status) &&
              json_read_int(document, "number", 1, INT_MAX, &number, status) &&
              export_run(stores->opened[index].store, number, take_text, body, status);
    json_free(document);
    if (ok && body->failed)
        return status_no_memory(status);
    return ok && (body->length > 0 || status_fail(status, STATUS_INPUT, "number: no finished run"));
}

/* ---- all results */

/* The runs that a filter selects. */
typedef struct Selected {
    Runs *runs;
    const RunWords *words; /* NULL: all */
} Selected;

static bool add_selected(void *context, const StoreRun *run, Status *status) {
    Selected *selected = context;
    return (selected->words && !run_words_match(run, selected->words)) ||
           runs_visit(selected->runs, run, status);
}

/* Reads the runs that are done, if there are not too many. With the lock of reading held; the
 * caller releases the runs either way. */
static bool read_runs(OpenStore *open, const RunWords *words, Runs *runs, StoreCounts *counts,
                      Status *status) {
    runs_init(runs);
    if (!open->all)
        open->all = open_store(open->address, status);
    if (!open->all || !store_count(open->all, counts, status))
        return false;
    if (counts->runs[STORE_DONE] > STORES_MAX_RUNS)
        return status_fail(status, STATUS_UNMET,
                           "%lld runs are done; the page draws and compares at most %d",
                           (long long)counts->runs[STORE_DONE], STORES_MAX_RUNS);
    Selected selected = {runs, words};
    return store_each(open->all, 1u << STORE_DONE, STORE_WITH_TIMES, add_selected, &selected,
                      status) &&
           store_each_grid(open->all, runs_visit_grid, runs, status);
}

/* False with `status`: another request is reading. */
static bool begin_reading(Stores *stores, Status *status) {
    return pthread_mutex_trylock(&stores->reading) == 0 ||
           status_fail(status, STATUS_UNMET, "results are being read for another page; try again");
}

/* ---- plots */

static void write_boxes(JsonWriter *w, const PlotBox *boxes, size_t count) {
    jw_array(w, "boxes");
    for (const PlotBox *box = boxes; box < boxes + count; box++) {
        if (box->count == 0) {
            jw_null(w, NULL);
            continue;
        }
        jw_object(w, NULL);
        jw_put(w, JR("low", box->low), JR("lower", box->lower), JR("median", box->median),
               JR("upper", box->upper), JR("high", box->high));
        jw_end(w);
    }
    jw_end(w);
}

static void write_series(JsonWriter *w, const PlotSeries *series) {
    static const char *const marks[] = {"line", "steps", "points", "bars", "boxes"};
    size_t count = series->count;
    jw_object(w, NULL);
    jw_put(w, JS("name", series->name ? series->name : ""), JS("mark", marks[series->mark]));
    jw_reals(w, "x", series->x, series->x ? count : 0);
    jw_reals(w, "y", series->y, series->y ? count : 0);
    if (series->low && series->high) {
        jw_reals(w, "low", series->low, count);
        jw_reals(w, "high", series->high, count);
    }
    if (series->boxes)
        write_boxes(w, series->boxes, count);
    jw_end(w);
}

static void write_axis(JsonWriter *w, const char *name, const PlotAxis *axis) {
    jw_object(w, name);
    jw_put(w, JS("title", axis->title ? axis->title : ""), JB("log", axis->log));
    if (axis->low != axis->high)
        jw_reals(w, "part", (double[]){axis->low, axis->high}, 2);
    if (axis->words) {
        jw_array(w, "words");
        for (size_t i = 0; i < axis->word_count; i++)
            jw_string(w, NULL, axis->words[i]);
        jw_end(w);
    }
    jw_end(w);
}

static void write_panel(JsonWriter *w, const PlotPanel *panel) {
    jw_object(w, NULL);
    jw_string(w, "title", panel->title ? panel->title : "");
    write_axis(w, "x", &panel->x);
    write_axis(w, "y", &panel->y);
    jw_array(w, "series");
    for (size_t i = 0; i < panel->series_count; i++)
        write_series(w, &panel->series[i]);
    jw_end(w);
    jw_array(w, "rules");
    for (size_t i = 0; i < panel->rule_count; i++) {
        jw_object(w, NULL);
        jw_put(w, JR("y", panel->rules[i].y), JS("label", panel->rules[i].label));
        jw_end(w);
    }
    jw_end(w);
    jw_end(w);
}

/* A figure that has no numbers on axes (the diagram of ranks) is given as a picture. */
static void write_figure(JsonWriter *w, const ReportFigure *figure) {
    jw_object(w, NULL);
    jw_put(w, JS("name", figure->name), JS("title", figure->page.label),
           JS("caption", figure->caption));
    if (figure->page.draw == plot_draw) {
        const Plot *plot = figure->page.data;
        jw_array(w, "panels");
        for (size_t i = 0; i < plot->panel_count; i++)
            write_panel(w, &plot->panels[i]);
        jw_end(w);
    } else {
        Text svg;
        text_init(&svg);
        drawing_svg(&figure->page, DRAWING_IN_FILE, &svg);
        jw_string(w, "svg", svg.data ? svg.data : "");
        w->text->failed |= svg.failed;
        text_release(&svg);
    }
    jw_end(w);
}

static bool read_words(const char *text, size_t length, RunWords *words, Status *status) {
    static const char *const members[] = {"filter"};
    Json *document = json_parse(text, length, status);
    const char *filter = NULL;
    bool ok = document && json_only_members(document, members, 1, status) &&
              (filter = json_read_string(document, "filter", status)) &&
              run_words_read(filter, words, status);
    json_free(document);
    return ok;
}

bool stores_plots(Stores *stores, int index, const char *text, size_t length, Text *body,
                  Status *status) {
    RunWords words;
    if ((text && !read_words(text, length, &words, status)) || !begin_reading(stores, status))
        return false;
    OpenStore *open = &stores->opened[index];
    Runs runs;
    Report report;
    ReportSource source = {.title = "", .store = store_name(open->store)};
    JsonWriter w;
    jw_init(&w, body);
    report_init(&report);
    bool ok = read_runs(open, text ? &words : NULL, &runs, &source.counts, status) &&
              report_write(&report, &runs, &source, status);
    jw_array(&w, NULL);
    for (size_t i = 0; ok && i < report.figure_count; i++)
        write_figure(&w, &report.figures[i]);
    jw_end(&w);
    report_release(&report);
    runs_release(&runs);
    pthread_mutex_unlock(&stores->reading);
    return ok;
}

/* ---- tunings */

static bool add_tuning(void *context, const char *name, const char *text, int64_t first,
                       Status *status) {
    (void)first, (void)status;
    if (report_is_tuning(name))
        jw_raw(context, NULL, text, strlen(text));
    return true;
}

bool stores_tunings(Stores *stores, int index, Text *body, Status *status) {
    JsonWriter w;
    jw_init(&w, body);
    jw_array(&w, NULL);
    bool ok = store_each_grid(stores->opened[index].store, add_tuning, &w, status);
    jw_end(&w);
    return ok;
}

/* ---- comparing */

bool stores_compare(Stores *stores, int index, const char *text, size_t length, Text *body,
                    Status *status) {
    static const char *const members[] = {"grid", "by", "first", "second"};
    ComparisonQuestion question;
    Json *document = json_parse(text, length, status);
    if (!document || !json_only_members(document, members, 4, status) ||
        !comparison_read(document, &question, status) || !begin_reading(stores, status)) {
        json_free(document);
        return false;
    }
    Runs runs;
    StoreCounts counts;
    bool ok = read_runs(&stores->opened[index], NULL, &runs, &counts, status) &&
              comparison_write(&runs, &question, body, status);
    runs_release(&runs);
    json_free(document);
    pthread_mutex_unlock(&stores->reading);
    return ok;
}
