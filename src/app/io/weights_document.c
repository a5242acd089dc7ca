#include "io/weights_document.h"

#include "io/json.h"
#include "system/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 20 }; /* bytes; a file of weights takes a few thousand */

static bool read_number(const json_t *value, const char *place, double *number, Status *status) {
    if (!json_is_number(value))
        return status_fail(status, STATUS_INPUT, "%s: not a number", place);
    *number = json_number_value(value);
    return isfinite(*number) || status_fail(status, STATUS_INPUT, "%s: not finite", place);
}

static bool read_array(const json_t *array, const EvaluatorKind *kind, double *written,
                       Status *status) {
    if (json_array_size(array) != (size_t)kind->count)
        return status_fail(status, STATUS_INPUT,
                           "weights: %zu values, but the features '%s' have %d",
                           json_array_size(array), kind->name, kind->count);
    for (int i = 0; i < kind->count; i++) {
        char place[32];
        snprintf(place, sizeof place, "weights[%d]", i);
        if (!read_number(json_array_get(array, (size_t)i), place, &written[i], status))
            return false;
    }
    return true;
}

static bool read_members(const json_t *object, const EvaluatorKind *kind, double *written,
                         Status *status) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        char place[64];
        snprintf(place, sizeof place, "weights.%.40s", key);
        int feature = evaluator_feature(kind, key);
        if (feature < 0)
            return status_fail(status, STATUS_INPUT, "%s: the features '%s' have none of that name",
                               place, kind->name);
        if (!read_number(value, place, &written[feature], status))
            return false;
    }
    return true;
}

bool weights_document_read(const json_t *document, const EvaluatorKind *kind, Evaluator *evaluator,
                           Status *status) {
    if (!json_is_object(document))
        return status_fail(status, STATUS_INPUT, "not a JSON object");
    if (json_object_get(document, "features")) {
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
    const json_t *weights = json_object_get(document, "weights");
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
    json_t *document = json_parse(text, length, status);
    free(text);
    bool ok = document && weights_document_read(document, kind, evaluator, status);
    json_decref(document);
    return ok || status_prefix(status, "%s", name_or_path);
}

json_t *weights_document(const Evaluator *evaluator) {
    const EvaluatorKind *kind = evaluator->kind;
    json_t *weights = json_array();
    for (int i = 0; i < kind->count; i++) {
        double value = evaluator->weights[i];
        json_add(&weights, json_real(kind->against >> i & 1 ? -value : value));
    }
    return json_pack("{s:s, s:o}", "features", kind->name, "weights", weights);
}
