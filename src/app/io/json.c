#include "io/json.h"

#include "base/text.h"
#include "io/json_memory.h"

#include <math.h>
#include <string.h>

/* Says where and why, without what jansson tells its programmers. */
static bool fail_at(const json_error_t *error, Status *status) {
    static const char hint[] = " without JSON_ALLOW_NUL";
    const char *found = strstr(error->text, hint);
    int kept = (int)(found ? (size_t)(found - error->text) : strlen(error->text));
    return status_fail(status, STATUS_INPUT, "JSON, line %d column %d: %.*s%s", error->line,
                       error->column, kept, error->text, found ? found + strlen(hint) : "");
}

json_t *json_parse(const char *text, size_t length, Status *status) {
    json_error_t error;
    JsonReserve reserve;
    if (!json_reserve_begin(&reserve, length)) {
        status_no_memory(status);
        return NULL;
    }
    json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (reserve.starved) {
        json_decref(document);
        document = NULL;
    }
    json_reserve_end(&reserve);
    if (!document && (reserve.starved || json_error_code(&error) == json_error_out_of_memory))
        status_no_memory(status);
    else if (!document)
        fail_at(&error, status);
    return document;
}

static int add_bytes(const char *bytes, size_t count, void *context) {
    text_add_bytes(context, bytes, count);
    return 0;
}

/* Not json_dumps: jansson 2.14 goes on after some of its own failures to make room, and what comes
 * out lacks a piece. A text remembers that it failed. */
char *json_write(const json_t *document) {
    Text text;
    text_init(&text);
    size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY;
    if (document && json_dump_callback(document, add_bytes, &text, flags) == 0 && !text.failed)
        return text.data;
    text_release(&text);
    return NULL;
}

static void drop(json_t **document) {
    json_decref(*document);
    *document = NULL;
}

void json_put(json_t **object, const char *name, json_t *value) {
    if (json_object_set_new(*object, name, value) != 0)
        drop(object);
}

void json_add(json_t **array, json_t *value) {
    if (json_array_append_new(*array, value) != 0)
        drop(array);
}

void json_merge(json_t **object, json_t *more) {
    if (json_object_update_new(*object, more) != 0)
        drop(object);
}

json_t *json_finite(double value) {
    return isfinite(value) ? json_real(value) : json_null();
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
