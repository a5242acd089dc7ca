/* Any bytes as a file of weights, for every kind of features; one that is accepted is written and
 * read again to the same numbers, and judges a board without trapping. */
#include "base/json.h"
#include "base/json_writer.h"
#include "formats/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(const Evaluator *evaluator) {
    Text text;
    JsonWriter w;
    text_init(&text);
    jw_init(&w, &text);
    jw_object(&w, NULL);
    weights_write(&w, evaluator);
    jw_end(&w);
    Evaluator again;
    Status status = {0};
    Json *document = json_parse(text.data, text.length, &status);
    text_release(&text);
    if (!document || !weights_read_json(document, NULL, &again, &status))
        abort();
    json_free(document);
    if (again.kind != evaluator->kind ||
        memcmp(again.weights, evaluator->weights, sizeof again.weights) != 0)
        abort();
    for (int i = 0; i < again.kind->count; i++)
        if (!isfinite(again.weights[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Status status = {0};
    Json *document = json_parse((const char *)data, size, &status);
    const EvaluatorKind *kinds[] = {NULL, evaluator_kind_find("stack"),
                                    evaluator_kind_find("literature")};
    for (size_t i = 0; document && i < sizeof kinds / sizeof *kinds; i++) {
        Evaluator evaluator;
        status = (Status){0};
        if (weights_read_json(document, kinds[i], &evaluator, &status))
            check_round_trip(&evaluator);
        else if (status.code != STATUS_INPUT || !status.message[0])
            abort();
    }
    json_free(document);
    return 0;
}
