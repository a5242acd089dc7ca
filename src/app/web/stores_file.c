/*
 * stores_file: replaces stores.c in the browser, where no database can be opened. The page reads
 * exported files itself and asks only for comparisons: of store 0, with the runs in the question.
 */
#include "web/stores.h"

#include "web/comparison.h"

int stores_count(const Stores *stores) {
    (void)stores;
    return 1;
}

bool stores_list(Stores *stores, Text *body, Status *status) {
    (void)stores, (void)status;
    text_add(body, "[]");
    return true;
}

bool stores_runs(Stores *stores, int index, const char *text, size_t length, Text *body,
                 Status *status) {
    (void)stores, (void)index, (void)text, (void)length, (void)body;
    return status_fail(status, STATUS_INPUT, "unknown store");
}

bool stores_run(Stores *stores, int index, const char *text, size_t length, Text *body,
                Status *status) {
    return stores_runs(stores, index, text, length, body, status);
}

bool stores_plots(Stores *stores, int index, const char *text, size_t length, Text *body,
                  Status *status) {
    return stores_runs(stores, index, text, length, body, status);
}

bool stores_compare(Stores *stores, int index, const char *text, size_t length, Text *body,
                    Status *status) {
    (void)stores, (void)index;
    Runs runs;
    runs_init(&runs);
    ComparisonQuestion question;
    Json *document = json_parse(text, length, status);
    bool ok = document && comparison_read(document, &question, status) &&
              comparison_read_runs(json_get(document, "runs"), &runs, status) &&
              comparison_write(&runs, &question, body, status);
    runs_release(&runs);
    json_free(document);
    return ok;
}

bool stores_tunings(Stores *stores, int index, Text *body, Status *status) {
    return stores_runs(stores, index, NULL, 0, body, status);
}
