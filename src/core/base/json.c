/*
 * json: a recursive descent parser of one pass.
 *
 * The text is copied into the document's arena. Strings are decoded in place, which never makes
 * them longer, and end with a NUL over what followed them. Children are collected on a stack of
 * their own and copied to the arena when their container ends, so that the children of a node are
 * always one array. An object with more than LINEAR_MEMBERS members has, behind them, pointers to
 * them sorted by name: finding duplicates takes n log n, whatever the names are.
 */
#include "base/json.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Type {
    TYPE_NULL,
    TYPE_FALSE,
    TYPE_TRUE,
    TYPE_INTEGER,
    TYPE_REAL,
    TYPE_STRING,
    TYPE_ARRAY,
    TYPE_OBJECT
} Type;

typedef struct Member Member;

struct Json {
    Type type;
    size_t count; /* items or members */
    union {
        int64_t integer;
        double real;
        const char *string;
        const Json *items;
        const Member *members; /* behind them: const Member *[count], by name, where many */
    };
};

struct Member {
    const char *name;
    Json value;
};

typedef struct Document {
    Json root; /* first: the document is freed by its root */
    Arena arena;
} Document;

/* A child whose container has not ended yet. */
typedef struct Child {
    Member member;
    size_t start, end; /* its name in the text */
} Child;

typedef struct Parser {
    const char *text; /* as given, for messages */
    char *copy;       /* in the arena, ends with a NUL */
    size_t length;
    size_t token, at; /* the current token begins at `token` and was read up to `at` */
    int depth;
    Child *children;
    size_t count, capacity;
    Arena *arena;
    Status *status;
} Parser;

enum { LINEAR_MEMBERS = 8, CONTEXT_BYTES = 20 };

static bool parse_value(Parser *p, Json *value);

/* ---- tokens */

/* Fails at what was read last: "JSON, line L column C: WHY near 'TOKEN'". Columns are characters.
 */
static bool fail(Parser *p, const char *why) {
    int line = 1, column = 0;
    for (size_t i = 0; i < p->at; i++) {
        bool starts = ((unsigned char)p->text[i] & 0xc0) != 0x80;
        line += p->text[i] == '\n';
        column = p->text[i] == '\n' ? 0 : column + starts;
    }
    size_t bytes = p->at - p->token;
    char near[CONTEXT_BYTES + 16] = "";
    if (bytes == 0 && p->at == p->length)
        snprintf(near, sizeof near, " near end of file");
    else if (bytes > 0 && bytes <= CONTEXT_BYTES)
        snprintf(near, sizeof near, " near '%.*s'", (int)bytes, p->text + p->token);
    return status_fail(p->status, STATUS_INPUT, "JSON, line %d column %d: %s%s", line, column, why,
                       near);
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Fails at the token that begins here, a word or a character. */
static bool fail_ahead(Parser *p, const char *why) {
    char byte[40];
    while (is_word(p->copy[p->at]))
        p->at++;
    if (p->at == p->token && p->at < p->length) {
        size_t bytes = utf8_length(p->text + p->at, p->length - p->at);
        if (bytes == 0) {
            snprintf(byte, sizeof byte, "unable to decode byte 0x%x",
                     (unsigned)(unsigned char)p->text[p->at]);
            why = byte;
        }
        p->at += bytes;
    }
    return fail(p, why);
}

/* Skips white space and returns the first character of the next token; NUL at the end. */
static char next(Parser *p) {
    const char *at = p->copy + p->at;
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    p->token = p->at = (size_t)(at - p->copy);
    return *at;
}

/* ---- strings */

/* Four hexadecimal digits at `at`; -1: not so. */
static int32_t hex4(const char *at) {
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = is_digit(c)              ? c - '0'
                    : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                    : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                             : -1;
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

/* Decodes the escape at p->at and adds it at *out. */
static bool parse_escape(Parser *p, char **out) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *at = p->copy + p->at;
    const char *letter = at[1] ? strchr(letters, at[1]) : NULL;
    if (letter) {
        *(*out)++ = meant[letter - letters];
        p->at += 2;
        return true;
    }
    int32_t point = at[1] == 'u' ? hex4(at + 2) : -1;
    p->at += at[1] ? 2 : 1;
    if (point < 0)
        return fail(p, p->at == p->length ? "premature end of input" : "invalid escape");
    p->at += 4;
    if (point == 0)
        return fail(p, "\\u0000 is not allowed");
    if (point >= 0xd800 && point < 0xe000) {
        int32_t low = at[6] == '\\' && at[7] == 'u' ? hex4(at + 8) : -1;
        if (point >= 0xdc00 || low < 0xdc00 || low >= 0xe000) {
            char why[32];
            snprintf(why, sizeof why, "invalid Unicode '\\u%04X'", (unsigned)point);
            return fail(p, why);
        }
        p->at += 6;
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    }
    *out += utf8_put((uint32_t)point, *out);
    return true;
}

/* Decodes the string that begins here and moves behind it. */
static bool parse_string(Parser *p, const char **string) {
    char *out = p->copy + p->at + 1;
    *string = out;
    p->at++;
    for (;;) {
        unsigned char c = (unsigned char)p->copy[p->at];
        size_t bytes = 1;
        if (c == '"')
            break;
        if (c == '\\') {
            if (!parse_escape(p, &out))
                return false;
            continue;
        }
        if (c < 0x20) {
            char why[32];
            snprintf(why, sizeof why, "control character 0x%x", (unsigned)c);
            return fail(p, p->at == p->length ? "premature end of input"
                           : c == '\n'        ? "unexpected newline"
                                              : why);
        }
        if (c >= 0x80 && (bytes = utf8_length(p->copy + p->at, p->length - p->at)) == 0) {
            char why[40];
            snprintf(why, sizeof why, "unable to decode byte 0x%x", (unsigned)c);
            return fail(p, why);
        }
        for (; bytes > 0; bytes--)
            *out++ = p->copy[p->at++];
    }
    p->at++;
    *out = '\0';
    return true;
}

/* ---- numbers */

/* strtod in whatever locale is set. `token` has been checked and ends before `end`. */
static double real_of(const char *token, const char *end) {
    char *stopped, point[16], *copy;
    double value = strtod(token, &stopped);
    if (stopped == end)
        return value;
    /* The locale has another decimal point, which stands between 0 and 5 here. */
    int bytes = snprintf(point, sizeof point, "%.1f", 0.5) - 2;
    size_t head = (size_t)(stopped - token), tail = (size_t)(end - stopped);
    if (bytes < 1 || !(copy = malloc(head + tail + (size_t)bytes + 1)))
        return NAN;
    memcpy(copy, token, head);
    memcpy(copy + head, point + 1, (size_t)bytes);
    memcpy(copy + head + (size_t)bytes, stopped + 1, tail - 1);
    copy[head + (size_t)bytes + tail - 1] = '\0';
    value = strtod(copy, NULL);
    free(copy);
    return value;
}

static bool parse_number(Parser *p, Json *value) {
    const char *token = p->copy + p->at, *at = token + (*token == '-');
    bool real = false, valid = is_digit(*at);
    if (*at == '0')
        valid = !is_digit(*++at);
    while (is_digit(*at))
        at++;
    if (valid && *at == '.') {
        real = true;
        valid = is_digit(*++at);
        while (is_digit(*at))
            at++;
    }
    if (valid && (*at == 'e' || *at == 'E')) {
        real = true;
        at++;
        at += *at == '+' || *at == '-';
        valid = is_digit(*at);
        while (is_digit(*at))
            at++;
    }
    p->at += (size_t)(at - token);
    if (!valid)
        return fail(p, "invalid token");
    if (real) {
        *value = (Json){.type = TYPE_REAL, .real = real_of(token, at)};
        return isnan(value->real)   ? status_no_memory(p->status)
               : isinf(value->real) ? fail(p, "real number overflow")
                                    : true;
    }
    errno = 0;
    *value = (Json){.type = TYPE_INTEGER, .integer = strtoll(token, NULL, 10)};
    return errno != ERANGE ||
           fail(p, *token == '-' ? "too big negative integer" : "too big integer");
}

/* ---- containers */

static bool push(Parser *p, const Child *child) {
    if (p->count == p->capacity) {
        size_t capacity = p->capacity ? p->capacity * 2 : 32;
        Child *children = realloc(p->children, capacity * sizeof *children);
        if (!children)
            return status_no_memory(p->status);
        p->children = children;
        p->capacity = capacity;
    }
    p->children[p->count++] = *child;
    return true;
}

/* By name, and equal names as they stand in the text. */
static int compare_members(const void *a, const void *b) {
    const Member *x = *(const Member *const *)a, *y = *(const Member *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

static const Member *const *sorted_members(const Json *object) {
    return (const Member *const *)(const void *)(object->members + object->count);
}

/* The first member that has the name of an earlier one; the number of members when there is none.
 */
static size_t find_duplicate(const Json *object) {
    const Member *members = object->members;
    size_t found = object->count;
    if (object->count > LINEAR_MEMBERS) {
        const Member *const *sorted = sorted_members(object);
        for (size_t i = 1; i < object->count; i++)
            if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0 &&
                (size_t)(sorted[i] - members) < found)
                found = (size_t)(sorted[i] - members);
        return found;
    }
    for (size_t i = 1; i < object->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(members[k].name, members[i].name) == 0)
                return i;
    return found;
}

/* Makes nodes of the children from `first` on, and takes them from the stack. */
static bool close_container(Parser *p, size_t first, bool object, Json *value) {
    const Child *children = p->children + first;
    size_t count = p->count - first;
    *value = (Json){.type = object ? TYPE_OBJECT : TYPE_ARRAY, .count = count};
    p->count = first;
    if (count == 0)
        return true;
    if (!object) {
        Json *items = arena_zeroed(p->arena, count, sizeof *items);
        if (!items)
            return status_no_memory(p->status);
        for (size_t i = 0; i < count; i++)
            items[i] = children[i].member.value;
        value->items = items;
        return true;
    }
    bool many = count > LINEAR_MEMBERS;
    Member *members =
        arena_zeroed(p->arena, count, sizeof *members + (many ? sizeof(Member *) : 0));
    if (!members)
        return status_no_memory(p->status);
    for (size_t i = 0; i < count; i++)
        members[i] = children[i].member;
    value->members = members;
    if (many) {
        const Member **sorted = (const Member **)(void *)(members + count);
        for (size_t i = 0; i < count; i++)
            sorted[i] = &members[i];
        qsort(sorted, count, sizeof(const Member *), compare_members);
    }
    size_t duplicate = find_duplicate(value);
    if (duplicate == count)
        return true;
    p->token = children[duplicate].start;
    p->at = children[duplicate].end;
    return fail(p, "duplicate object key");
}

static bool parse_name(Parser *p, Child *child) {
    if (next(p) != '"')
        return fail_ahead(p, "string or '}' expected");
    child->start = p->at;
    if (!parse_string(p, &child->member.name))
        return false;
    child->end = p->at;
    if (next(p) != ':')
        return fail_ahead(p, "':' expected");
    p->at++;
    return true;
}

static bool parse_container(Parser *p, bool object, Json *value) {
    char end = object ? '}' : ']';
    size_t first = p->count;
    p->at++;
    if (++p->depth > JSON_MAX_DEPTH)
        return fail(p, "maximum parsing depth reached");
    char c = next(p);
    while (c != end) {
        Child child = {0};
        if ((object && !parse_name(p, &child)) || !parse_value(p, &child.member.value) ||
            !push(p, &child))
            return false;
        c = next(p);
        if (c != ',' && c != end)
            return fail_ahead(p, object ? "'}' expected" : "']' expected");
        p->at += c == ','; /* which must be followed by another one */
    }
    p->at++;
    p->depth--;
    return close_container(p, first, object, value);
}

static bool parse_word(Parser *p, Json *value) {
    static const struct {
        const char *word;
        Type type;
    } words[] = {{"null", TYPE_NULL}, {"false", TYPE_FALSE}, {"true", TYPE_TRUE}};
    size_t bytes = 0;
    while (is_word(p->copy[p->at + bytes]))
        bytes++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (bytes == strlen(words[i].word) && memcmp(p->copy + p->at, words[i].word, bytes) == 0) {
            *value = (Json){.type = words[i].type};
            p->at += bytes;
            return true;
        }
    bool mark = p->at == p->length || strchr("{}[]:,", p->copy[p->at]);
    return fail_ahead(p, mark ? "unexpected token" : "invalid token");
}

static bool parse_value(Parser *p, Json *value) {
    char c = next(p);
    if (c == '{' || c == '[')
        return parse_container(p, c == '{', value);
    if (c == '"') {
        *value = (Json){.type = TYPE_STRING};
        return parse_string(p, &value->string);
    }
    return c == '-' || is_digit(c) ? parse_number(p, value) : parse_word(p, value);
}

Json *json_parse(const char *text, size_t length, Status *status) {
    Document *document = malloc(sizeof *document);
    if (!document) {
        status_no_memory(status);
        return NULL;
    }
    arena_init(&document->arena);
    Parser p = {.text = text, .length = length, .arena = &document->arena, .status = status};
    p.copy = arena_zeroed(p.arena, length + 1, 1);
    bool ok = p.copy || status_no_memory(status);
    if (ok) {
        if (length > 0)
            memcpy(p.copy, text, length);
        char c = next(&p);
        ok = c == '{' || c == '[' ? parse_value(&p, &document->root)
                                  : fail_ahead(&p, "'[' or '{' expected");
        if (ok && (next(&p), p.at < length))
            ok = fail_ahead(&p, "end of file expected");
    }
    free(p.children);
    if (ok)
        return &document->root;
    json_free(&document->root);
    return NULL;
}

void json_free(Json *root) {
    Document *document = (Document *)(void *)root;
    if (!document)
        return;
    arena_release(&document->arena);
    free(document);
}

/* ---- nodes */

static bool is(const Json *node, Type type) {
    return node && node->type == type;
}

bool json_is_object(const Json *node) {
    return is(node, TYPE_OBJECT);
}

bool json_is_array(const Json *node) {
    return is(node, TYPE_ARRAY);
}

bool json_is_string(const Json *node) {
    return is(node, TYPE_STRING);
}

bool json_is_integer(const Json *node) {
    return is(node, TYPE_INTEGER);
}

bool json_is_number(const Json *node) {
    return is(node, TYPE_INTEGER) || is(node, TYPE_REAL);
}

bool json_is_bool(const Json *node) {
    return is(node, TYPE_TRUE) || is(node, TYPE_FALSE);
}

bool json_is_true(const Json *node) {
    return is(node, TYPE_TRUE);
}

bool json_is_null(const Json *node) {
    return is(node, TYPE_NULL);
}

int64_t json_int(const Json *node) {
    return is(node, TYPE_INTEGER) ? node->integer : 0;
}

double json_number(const Json *node) {
    return is(node, TYPE_REAL) ? node->real : (double)json_int(node);
}

const char *json_text(const Json *node) {
    return is(node, TYPE_STRING) ? node->string : NULL;
}

size_t json_count(const Json *node) {
    return node ? node->count : 0;
}

const Json *json_at(const Json *node, size_t index) {
    if (index >= json_count(node))
        return NULL;
    return node->type == TYPE_ARRAY ? &node->items[index] : &node->members[index].value;
}

const char *json_name_at(const Json *object, size_t index) {
    return object->members[index].name;
}

const Json *json_get(const Json *object, const char *name) {
    size_t count = is(object, TYPE_OBJECT) ? object->count : 0;
    if (count <= LINEAR_MEMBERS) {
        for (size_t i = 0; i < count; i++)
            if (strcmp(object->members[i].name, name) == 0)
                return &object->members[i].value;
        return NULL;
    }
    const Member *const *sorted = sorted_members(object);
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
            return status_fail(status, STATUS_INPUT, "%.40s: there is no such member", name);
    }
    return true;
}

bool json_read_int(const Json *object, const char *name, int low, int high, int *value,
                   Status *status) {
    const Json *member = json_get(object, name);
    if (!member)
        return true;
    if (!json_is_integer(member))
        return status_fail(status, STATUS_INPUT, "%s: not a whole number", name);
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
