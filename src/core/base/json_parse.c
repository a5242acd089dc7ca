/*
 * json_parse: a recursive descent parser of one pass.
 *
 * The text is copied into the document's arena. Strings are decoded in place, which never makes
 * them longer, and end with a NUL over what followed them. Children are collected on a stack of
 * their own and copied to the arena when their container ends, so that the children of a node are
 * always one array. Names are sorted for finding duplicates where there are many, so that takes
 * n log n, whatever the names are.
 */
#include "base/arena.h"
#include "base/json_node.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Document {
    Json root; /* first: the document is freed by its root */
    Arena arena;
} Document;

/* A child whose container has not ended yet. */
typedef struct Child {
    JsonMember member;
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

enum { CONTEXT_BYTES = 20 };

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

/* The same about the next byte. */
static bool fail_byte(Parser *p, const char *why) {
    char text[48];
    snprintf(text, sizeof text, "%s 0x%x", why, (unsigned)(unsigned char)p->text[p->at]);
    return fail(p, text);
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Fails at the token that begins here, a word or a character. */
static bool fail_ahead(Parser *p, const char *why) {
    while (is_word(p->copy[p->at]))
        p->at++;
    if (p->at > p->token || p->at == p->length)
        return fail(p, why);
    size_t bytes = utf8_length(p->text + p->at, p->length - p->at);
    p->at += bytes;
    return bytes > 0 ? fail(p, why) : fail_byte(p, "unable to decode byte");
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
        if (c < 0x20)
            return p->at == p->length ? fail(p, "premature end of input")
                   : c == '\n'        ? fail(p, "unexpected newline")
                                      : fail_byte(p, "control character");
        if (c >= 0x80 && (bytes = utf8_length(p->copy + p->at, p->length - p->at)) == 0)
            return fail_byte(p, "unable to decode byte");
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

/* An integer that cannot overflow; false, with nothing read, when it is another number. */
static inline bool parse_small_integer(Parser *p, Json *value) {
    enum { SAFE_DIGITS = 17 };
    const char *token = p->copy + p->at, *first = token + (*token == '-'), *at = first;
    int64_t number = 0;
    for (; is_digit(*at) && at - first < SAFE_DIGITS; at++)
        number = 10 * number + (*at - '0');
    if (at == first || is_digit(*at) || *at == '.' || *at == 'e' || *at == 'E' ||
        (*first == '0' && at - first > 1))
        return false;
    *value = (Json){.type = JSON_INTEGER, .integer = *token == '-' ? -number : number};
    p->at += (size_t)(at - token);
    return true;
}

static bool parse_number(Parser *p, Json *value) {
    if (parse_small_integer(p, value))
        return true;
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
        *value = (Json){.type = JSON_REAL, .real = real_of(token, at)};
        return isnan(value->real)   ? status_no_memory(p->status)
               : isinf(value->real) ? fail(p, "real number overflow")
                                    : true;
    }
    errno = 0;
    *value = (Json){.type = JSON_INTEGER, .integer = strtoll(token, NULL, 10)};
    return errno != ERANGE ||
           fail(p, *token == '-' ? "too big negative integer" : "too big integer");
}

/* ---- containers */

static bool push(Parser *p, const Child *child) {
    if (!MEMORY_HAS_PLACE(p->children, p->count, p->capacity))
        return status_no_memory(p->status);
    p->children[p->count++] = *child;
    return true;
}

static int compare_members(const void *a, const void *b) {
    return strcmp((*(const JsonMember *const *)a)->name, (*(const JsonMember *const *)b)->name);
}

/* A member whose name finds another one; the number of members when there is none. */
static size_t find_duplicate(const Json *object) {
    size_t i = 0;
    while (i < object->count &&
           json_get(object, object->members[i].name) == &object->members[i].value)
        i++;
    return i;
}

/* An object of `count` members, which the caller fills before members_sort. NULL: no memory. */
static JsonMember *members_new(Arena *arena, Json *object, size_t count) {
    size_t bytes = sizeof(JsonMember) + (count > JSON_LINEAR_MEMBERS ? sizeof(JsonMember *) : 0);
    JsonMember *members = arena_zeroed(arena, count, bytes);
    *object = (Json){.type = JSON_OBJECT, .count = count, .members = members};
    return members;
}

static void members_sort(JsonMember *members, size_t count) {
    if (count <= JSON_LINEAR_MEMBERS)
        return;
    const JsonMember **sorted = (const JsonMember **)(void *)(members + count);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &members[i];
    qsort(sorted, count, sizeof(const JsonMember *), compare_members);
}

/* Makes nodes of the children from `first` on, and takes them from the stack. */
static bool close_container(Parser *p, size_t first, bool object, Json *value) {
    size_t count = p->count - first;
    *value = (Json){.type = object ? JSON_OBJECT : JSON_ARRAY, .count = count};
    p->count = first;
    if (count == 0) /* there may be no array at all */
        return true;
    const Child *children = p->children + first;
    if (!object) {
        Json *items = arena_zeroed(p->arena, count, sizeof *items);
        if (!items)
            return status_no_memory(p->status);
        for (size_t i = 0; i < count; i++)
            items[i] = children[i].member.value;
        value->items = items;
        return true;
    }
    JsonMember *members = members_new(p->arena, value, count);
    if (!members)
        return status_no_memory(p->status);
    for (size_t i = 0; i < count; i++)
        members[i] = children[i].member;
    members_sort(members, count);
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
        JsonType type;
    } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
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
        *value = (Json){.type = JSON_STRING};
        return parse_string(p, &value->string);
    }
    return c == '-' || is_digit(c) ? parse_number(p, value) : parse_word(p, value);
}

static bool parse_document(const char *text, size_t length, Arena *arena, Json *root,
                           Status *status) {
    Parser p = {.text = text, .length = length, .arena = arena, .status = status};
    p.copy = arena_zeroed(arena, length + 1, 1);
    if (!p.copy)
        return status_no_memory(status);
    if (length > 0)
        memcpy(p.copy, text, length);
    char c = next(&p);
    bool ok = c == '{' || c == '[' ? parse_value(&p, root) : fail_ahead(&p, "'[' or '{' expected");
    if (ok && (next(&p), p.at < length))
        ok = fail_ahead(&p, "end of file expected");
    free(p.children);
    return ok;
}

/* Puts the members of `more` into `object`, both of one arena. */
static bool merge(Arena *arena, Json *object, const Json *more) {
    const Json old = *object;
    size_t count = old.count;
    for (size_t i = 0; i < more->count; i++)
        count += json_get(&old, more->members[i].name) == NULL;
    JsonMember *members = members_new(arena, object, count);
    if (count > 0 && !members)
        return false;
    count = old.count;
    for (size_t i = 0; i < count; i++)
        members[i] = old.members[i];
    for (size_t i = 0; i < more->count; i++) {
        const JsonMember *one = &more->members[i];
        const Json *known = json_get(&old, one->name);
        if (!known) {
            members[count++] = *one;
            continue;
        }
        size_t at = (size_t)((const char *)known - (const char *)&old.members[0].value);
        Json *value = &members[at / sizeof *members].value;
        if (value->type != JSON_OBJECT || one->value.type != JSON_OBJECT)
            *value = one->value;
        else if (!merge(arena, value, &one->value))
            return false;
    }
    members_sort(members, count);
    return true;
}

/* Parses the document and, where there is one, the object that is merged into it. */
static Json *parse_both(const char *text, size_t length, const char *more, Status *status) {
    Document *document = memory_new(1, sizeof *document, status);
    if (!document)
        return NULL;
    Json other, *root = &document->root;
    bool ok = parse_document(text, length, &document->arena, root, status) &&
              (!more || parse_document(more, strlen(more), &document->arena, &other, status));
    if (ok && more && (root->type != JSON_OBJECT || other.type != JSON_OBJECT))
        ok = status_fail(status, STATUS_INPUT, "not a JSON object");
    else if (ok && more && !merge(&document->arena, root, &other))
        ok = status_no_memory(status);
    if (ok)
        return root;
    json_free(root);
    return NULL;
}

Json *json_parse(const char *text, size_t length, Status *status) {
    return parse_both(text, length, NULL, status);
}

Json *json_parse_merged(const char *text, const char *more, Status *status) {
    return parse_both(text, strlen(text), more, status);
}

void json_free(Json *root) {
    Document *document = (Document *)(void *)root;
    if (!document)
        return;
    arena_release(&document->arena);
    free(document);
}
