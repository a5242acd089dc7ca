/* weights_document: every number of a file is checked before an evaluator is made of them. */
#include "io/weights_document.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "system/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 20 }; /* bytes; a file of weights takes a few thousand */

static bool read_number(const Json *value, const char *place, double *number, Status *status) {
    if (!json_is_number(value))
        return status_fail(status, STATUS_INPUT, "%s: not a number", place);
    *number = json_number(value);
    return isfinite(*number) || status_fail(status, STATUS_INPUT, "%s: not finite", place);
}

static bool read_array(const Json *array, const EvaluatorKind *kind, double *written,
                       Status *status) {
    if (json_count(array) != (size_t)kind->count)
        return status_fail(status, STATUS_INPUT,
                           "weights: %zu values, but the features '%s' have %d", json_count(array),
                           kind->name, kind->count);
    for (int i = 0; i < kind->count; i++) {
        char place[32];
        snprintf(place, sizeof place, "weights[%d]", i);
        if (!read_number(json_at(array, (size_t)i), place, &written[i], status))
            return false;
    }
    return true;
}

static bool read_members(const Json *object, const EvaluatorKind *kind, double *written,
                         Status *status) {
    for (size_t i = 0; i < json_count(object); i++) {
        const char *name = json_name_at(object, i);
        char place[64];
        snprintf(place, sizeof place, "weights.%.40s", name);
        int feature = evaluator_feature(kind, name);
        if (feature < 0)
            return status_fail(status, STATUS_INPUT, "%s: the features '%s' have none of that name",
                               place, kind->name);
        if (!read_number(json_at(object, i), place, &written[feature], status))
            return false;
    }
    return true;
}

bool weights_document_read(const Json *document, const EvaluatorKind *kind, Evaluator *evaluator,
                           Status *status) {
    if (!json_is_object(document))
        return status_fail(status, STATUS_INPUT, "not a JSON object");
    if (json_get(document, "features")) {
        const char *name = json_read_string(document, "features", status);
        if (!name)
            return false;
        if (!kind || strcmp(kind->name, name) != 0)
            kind = evaluator_kind_find(name);
        if (!kind)
            return status_fail(status, STATUS_INPUT, "features: there are none called '%.40s'",
                               name);
    }
    if (!kind)
        return status_fail(status, STATUS_INPUT, "features: missing");
    double written[EVALUATOR_MAX] = {0};
    const Json *weights = json_get(document, "weights");
    bool ok = false;
    if (json_is_array(weights))
        ok = read_array(weights, kind, written, status);
    else if (json_is_object(weights))
        ok = read_members(weights, kind, written, status);
    else
        status_fail(status, STATUS_INPUT,
                    weights ? "weights: neither an array nor an object" : "weights: missing");
    if (ok)
        evaluator_init(evaluator, kind, written);
    return ok;
}

bool weights_find(const char *name_or_path, const EvaluatorKind *kind, Evaluator *evaluator,
                  Status *status) {
    if (evaluator_from_preset(evaluator, name_or_path))
        return true;
    bool exists;
    if (!file_exists(name_or_path, &exists, status))
        return false;
    if (!exists)
        return status_fail(status, STATUS_INPUT,
                           "'%s' is neither a named set (see simulate --list) nor a file",
                           name_or_path);
    size_t length;
    char *text = file_read(name_or_path, FILE_LIMIT, &length, status);
    if (!text)
        return false;
    Json *document = json_parse(text, length, status);
    free(text);
    bool ok = document && weights_document_read(document, kind, evaluator, status);
    json_free(document);
    return ok || status_prefix(status, "%s", name_or_path);
}

void weights_document_write(JsonWriter *w, const Evaluator *evaluator) {
    const EvaluatorKind *kind = evaluator->kind;
    jw_string(w, "features", kind->name);
    jw_array(w, "weights");
    for (int i = 0; i < kind->count; i++) {
        double value = evaluator->weights[i];
        jw_real(w, NULL, kind->against >> i & 1 ? -value : value);
    }
    jw_end(w);
}
