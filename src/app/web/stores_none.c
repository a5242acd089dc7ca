/* stores_none: replaces stores.c in the browser, where no database can be opened. */
#include "web/stores.h"

int stores_count(const Stores *stores) {
    (void)stores;
    return 0;
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
    return stores_runs(stores, index, text, length, body, status);
}

bool stores_tunings(Stores *stores, int index, Text *body, Status *status) {
    return stores_runs(stores, index, NULL, 0, body, status);
}
