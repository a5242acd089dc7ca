/* weights: every message names the member that is wrong. */
#include "formats/weights.h"

#include "formats/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
        char place[64];
        snprintf(place, sizeof place, "weights.%.40s", json_name_at(object, i));
        int feature = evaluator_feature(kind, json_name_at(object, i));
        if (feature < 0)
            return status_fail(status, STATUS_INPUT, "%s: not one of the features '%s'", place,
                               kind->name);
        if (!read_number(json_at(object, i), place, &written[feature], status))
            return false;
    }
    return true;
}

bool weights_read_json(const Json *document, const EvaluatorKind *kind, Evaluator *evaluator,
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
            return status_fail(status, STATUS_INPUT, "features: unknown features '%.40s'", name);
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
    else if (!weights && document_kind(document))
        status_fail(status, STATUS_INPUT, "this is %s; a file of weights is needed",
                    document_kind(document));
    else
        status_fail(status, STATUS_INPUT,
                    weights ? "weights: neither an array nor an object" : "weights: missing");
    if (ok)
        evaluator_init(evaluator, kind, written);
    return ok;
}

bool weights_read(const char *text, const EvaluatorKind *kind, Evaluator *evaluator,
                  Status *status) {
    if (evaluator_from_preset(evaluator, text))
        return true;
    if (text[strspn(text, " \t\r\n")] != '{')
        return status_fail(status, STATUS_INPUT,
                           "'%.100s' is neither a named set nor a file of weights", text);
    Json *document = json_parse(text, strlen(text), status);
    bool ok = document && weights_read_json(document, kind, evaluator, status);
    json_free(document);
    return ok;
}

void weights_write(JsonWriter *json, const Evaluator *evaluator) {
    const EvaluatorKind *kind = evaluator->kind;
    jw_string(json, "features", kind->name);
    jw_array(json, "weights");
    for (int i = 0; i < kind->count; i++)
        jw_real(json, NULL,
                kind->against >> i & 1 ? -evaluator->weights[i] : evaluator->weights[i]);
    jw_end(json);
}
