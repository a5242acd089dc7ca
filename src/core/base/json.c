/* json: access to the nodes of a tree; json_parse.c makes it. */
#include "base/json.h"

#include "base/json_node.h"

#include <string.h>

static bool is(const Json *node, JsonType type) {
    return node && node->type == type;
}

bool json_is_object(const Json *node) {
    return is(node, JSON_OBJECT);
}

bool json_is_array(const Json *node) {
    return is(node, JSON_ARRAY);
}

bool json_is_string(const Json *node) {
    return is(node, JSON_STRING);
}

bool json_is_integer(const Json *node) {
    return is(node, JSON_INTEGER);
}

bool json_is_number(const Json *node) {
    return is(node, JSON_INTEGER) || is(node, JSON_REAL);
}

bool json_is_bool(const Json *node) {
    return is(node, JSON_TRUE) || is(node, JSON_FALSE);
}

bool json_is_true(const Json *node) {
    return is(node, JSON_TRUE);
}

bool json_is_null(const Json *node) {
    return is(node, JSON_NULL);
}

int64_t json_int(const Json *node) {
    return is(node, JSON_INTEGER) ? node->integer : 0;
}

double json_number(const Json *node) {
    return is(node, JSON_REAL) ? node->real : (double)json_int(node);
}

const char *json_text(const Json *node) {
    return is(node, JSON_STRING) ? node->string : NULL;
}

size_t json_count(const Json *node) {
    return node ? node->count : 0;
}

const Json *json_at(const Json *node, size_t index) {
    if (index >= json_count(node))
        return NULL;
    return node->type == JSON_ARRAY ? &node->items[index] : &node->members[index].value;
}

const char *json_name_at(const Json *object, size_t index) {
    return object->members[index].name;
}

const Json *json_get(const Json *object, const char *name) {
    size_t count = is(object, JSON_OBJECT) ? object->count : 0;
    if (count <= JSON_LINEAR_MEMBERS) {
        for (size_t i = 0; i < count; i++)
            if (strcmp(object->members[i].name, name) == 0)
                return &object->members[i].value;
        return NULL;
    }
    const JsonMember *const *sorted = json_sorted_members(object);
    for (size_t low = 0, high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, sorted[middle]->name);
        if (order == 0)
            return &sorted[middle]->value;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* ---- members with messages */

bool json_only_members(const Json *object, const char *const *names, int count, Status *status) {
    if (!json_is_object(object))
        return status_fail(status, STATUS_INPUT, "not a JSON object");
    for (size_t k = 0; k < object->count; k++) {
        const char *name = object->members[k].name;
        int i = 0;
        while (i < count && strcmp(names[i], name) != 0)
            i++;
        if (i == count)
            return status_fail(status, STATUS_INPUT, "%.40s: unknown member", name);
    }
    return true;
}

bool json_read_int(const Json *object, const char *name, int low, int high, int *value,
                   Status *status) {
    const Json *member = json_get(object, name);
    if (!member)
        return true;
    if (!json_is_integer(member))
        return status_fail(status, STATUS_INPUT, "%s: not an integer", name);
    if (member->integer < low || member->integer > high)
        return status_fail(status, STATUS_INPUT, "%s: %lld is not in %d..%d", name,
                           (long long)member->integer, low, high);
    *value = (int)member->integer;
    return true;
}

const char *json_read_string(const Json *object, const char *name, Status *status) {
    const Json *member = json_get(object, name);
    if (!json_is_string(member))
        status_fail(status, STATUS_INPUT, member ? "%s: not a string" : "%s: missing", name);
    return json_text(member);
}
