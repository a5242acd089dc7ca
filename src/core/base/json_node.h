/*
 * json_node: the nodes of a JSON tree, which only the parser makes and only base/json reads.
 *
 * The children of a node are one array. An object with more than JSON_LINEAR_MEMBERS members has,
 * behind them, pointers to them sorted by name.
 */
#ifndef TETROPT_BASE_JSON_NODE_H
#define TETROPT_BASE_JSON_NODE_H

#include "base/json.h"

enum { JSON_LINEAR_MEMBERS = 8 };

typedef enum JsonType {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_INTEGER,
    JSON_REAL,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} JsonType;

typedef struct JsonMember JsonMember;

struct Json {
    JsonType type;
    size_t count; /* items or members */
    union {
        int64_t integer;
        double real;
        const char *string;
        const Json *items;
        const JsonMember *members;
    };
};

struct JsonMember {
    const char *name;
    Json value;
};

static inline const JsonMember *const *json_sorted_members(const Json *object) {
    return (const JsonMember *const *)(const void *)(object->members + object->count);
}

#endif
