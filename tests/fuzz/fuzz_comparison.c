/* Any bytes as a question that brings its runs along, as the web UI asks of an exported file:
 * compared or refused with a message. */
#include "web/comparison.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Status status = {0};
    Runs runs;
    runs_init(&runs);
    ComparisonQuestion question;
    Text body;
    text_init(&body);
    Json *document = json_parse((const char *)data, size, &status);
    bool ok = document && comparison_read(document, &question, &status) &&
              comparison_read_runs(json_get(document, "runs"), &runs, &status) &&
              comparison_write(&runs, &question, &body, &status);
    if (ok ? body.length == 0 : !status.message[0])
        abort();
    text_release(&body);
    runs_release(&runs);
    json_free(document);
    return 0;
}
