#include "io/json.h"

#include <string.h>

json_t *json_parse(const char *text, size_t length, Status *status) {
    json_error_t error;
    json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!document)
        status_fail(status, STATUS_INPUT, "JSON, line %d column %d: %s", error.line, error.column,
                    error.text);
    return document;
}

char *json_write(const json_t *document) {
    return json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
}

bool json_only_members(const json_t *object, const char *const *names, int count, Status *status) {
    if (!json_is_object(object))
        return status_fail(status, STATUS_INPUT, "not a JSON object");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        int i = 0;
        while (i < count && strcmp(names[i], key) != 0)
            i++;
        if (i == count)
            return status_fail(status, STATUS_INPUT, "%.40s: there is no such member", key);
    }
    return true;
}

bool json_read_int(const json_t *object, const char *name, int low, int high, int *value,
                   Status *status) {
    const json_t *member = json_object_get(object, name);
    if (!member)
        return true;
    if (!json_is_integer(member))
        return status_fail(status, STATUS_INPUT, "%s: not a whole number", name);
    json_int_t number = json_integer_value(member);
    if (number < low || number > high)
        return status_fail(status, STATUS_INPUT, "%s: %" JSON_INTEGER_FORMAT " is not in %d..%d",
                           name, number, low, high);
    *value = (int)number;
    return true;
}

const char *json_read_string(const json_t *object, const char *name, Status *status) {
    const json_t *member = json_object_get(object, name);
    if (json_is_string(member))
        return json_string_value(member);
    status_fail(status, STATUS_INPUT, member ? "%s: not a string" : "%s: missing", name);
    return NULL;
}
