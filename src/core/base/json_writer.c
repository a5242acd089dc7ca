/*
 * json_writer: escapes and the form of numbers.
 *
 * The form is part of the file formats, and old files are compared with new ones byte by byte:
 * no spaces, strings with only the escapes JSON requires, reals as "%.17g" with ".0" where they
 * would look like integers and exponents without '+' and leading zeros.
 */
#include "base/json_writer.h"

#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void jw_init(JsonWriter *w, Text *text) {
    *w = (JsonWriter){.text = text};
}

/* ---- strings */

/* Adds `length` bytes in quotes. Bytes that need no change are added in stretches. */
static void add_string(Text *text, const char *string, size_t length) {
    static const char letters[] = "\"\\\b\f\n\r\t", escapes[] = "\"\\bfnrt";
    text_add_char(text, '"');
    size_t plain = 0; /* where the stretch begins */
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)string[i];
        size_t bytes = c < 0x80 ? 1 : utf8_length(string + i, length - i);
        if (bytes > 0 && c >= 0x20 && c != '"' && c != '\\') {
            i += bytes;
            continue;
        }
        text_add_bytes(text, string + plain, i - plain);
        const char *found = c ? strchr(letters, c) : NULL;
        if (bytes == 0)
            utf8_add(UTF8_REPLACEMENT, text);
        else if (found)
            text_add_bytes(text, (char[]){'\\', escapes[found - letters]}, 2);
        else
            text_format(text, "\\u%04X", c);
        plain = ++i;
    }
    text_add_bytes(text, string + plain, length - plain);
    text_add_char(text, '"');
}

/* ---- containers */

/* Before every value: a comma, and the name. */
static void begin(JsonWriter *w, const char *name) {
    assert(w->depth == 0 || (name == NULL) == (w->arrays & 1));
    if (w->comma)
        text_add_char(w->text, ',');
    w->comma = true;
    if (name) {
        add_string(w->text, name, strlen(name));
        text_add_char(w->text, ':');
    }
}

static void open_container(JsonWriter *w, const char *name, bool array) {
    assert(w->depth < JW_MAX_DEPTH);
    begin(w, name);
    text_add_char(w->text, array ? '[' : '{');
    w->comma = false;
    w->depth++;
    w->arrays = w->arrays << 1 | array;
}

void jw_start(JsonWriter *w) {
    jw_init(w, &w->own);
    jw_object(w, NULL);
}

void jw_object(JsonWriter *w, const char *name) {
    open_container(w, name, false);
}

void jw_array(JsonWriter *w, const char *name) {
    open_container(w, name, true);
}

void jw_end(JsonWriter *w) {
    assert(w->depth > 0);
    text_add_char(w->text, w->arrays & 1 ? ']' : '}');
    w->comma = true;
    w->depth--;
    w->arrays >>= 1;
}

/* ---- values */

void jw_stringn(JsonWriter *w, const char *name, const char *string, size_t length) {
    begin(w, name);
    add_string(w->text, string, length);
}

void jw_string(JsonWriter *w, const char *name, const char *string) {
    if (string)
        jw_stringn(w, name, string, strlen(string));
    else
        jw_null(w, name);
}

static void add_integer(Text *text, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        digits[--at] = '-';
    text_add_bytes(text, digits + at, sizeof digits - at);
}

void jw_integer(JsonWriter *w, const char *name, int64_t value) {
    begin(w, name);
    add_integer(w->text, value);
}

static void add_real(Text *text, double value) {
    /* "%.17g" prints integers below 1e15 digit by digit; -0.0 is left to it. */
    if (fabs(value) < 1e15 && value == (double)(int64_t)value && (value != 0 || !signbit(value))) {
        add_integer(text, (int64_t)value);
        text_add(text, ".0");
        return;
    }
    char printed[40], form[48];
    snprintf(printed, sizeof printed, "%.17g", value);
    size_t count = 0;
    bool real = false;
    for (const char *at = printed; *at; at++) {
        if (*at == 'e') {
            real = true;
            form[count++] = 'e';
            if (at[1] == '-')
                form[count++] = '-';
            at += 1; /* the sign, which is always there; then zeros */
            while (at[1] == '0')
                at++;
        } else if ((*at >= '0' && *at <= '9') || *at == '-')
            form[count++] = *at;
        else if (!real) { /* the decimal point of the locale, of one byte or more */
            real = true;
            form[count++] = '.';
        }
    }
    text_add_bytes(text, form, count);
    if (!real)
        text_add(text, ".0");
}

void jw_real(JsonWriter *w, const char *name, double value) {
    begin(w, name);
    if (isfinite(value))
        add_real(w->text, value);
    else
        text_add(w->text, "null");
}

void jw_bool(JsonWriter *w, const char *name, bool value) {
    begin(w, name);
    text_add(w->text, value ? "true" : "false");
}

void jw_null(JsonWriter *w, const char *name) {
    begin(w, name);
    text_add(w->text, "null");
}

void jw_raw(JsonWriter *w, const char *name, const char *json, size_t length) {
    begin(w, name);
    text_add_bytes(w->text, json, length);
}

void jw_fields(JsonWriter *w, const JsonField *fields, size_t count) {
    for (const JsonField *field = fields; field < fields + count; field++)
        if (field->type == 's')
            jw_string(w, field->name, field->string);
        else if (field->type == 'i')
            jw_integer(w, field->name, field->integer);
        else if (field->type == 'r')
            jw_real(w, field->name, field->real);
        else
            jw_bool(w, field->name, field->boolean);
}

void jw_raw_members(JsonWriter *w, const char *json, size_t length) {
    text_add(w->text, w->comma ? "," : "");
    text_add_bytes(w->text, json, length);
    w->comma = true;
}

void jw_integers(JsonWriter *w, const char *name, const int64_t *values, size_t count) {
    jw_array(w, name);
    for (size_t i = 0; i < count; i++)
        jw_integer(w, NULL, values[i]);
    jw_end(w);
}

void jw_reals(JsonWriter *w, const char *name, const double *values, size_t count) {
    jw_array(w, name);
    for (size_t i = 0; i < count; i++)
        jw_real(w, NULL, values[i]);
    jw_end(w);
}

/* ---- nodes */

/* With a writer per container: a document may have more levels than one writer. */
static void add_items(Text *text, const Json *node, bool array) {
    JsonWriter inner = {.text = text, .depth = 1, .arrays = array};
    for (size_t i = 0; i < json_count(node); i++)
        jw_json(&inner, array ? NULL : json_name_at(node, i), json_at(node, i));
}

void jw_json(JsonWriter *w, const char *name, const Json *node) {
    bool array = json_is_array(node);
    if (array || json_is_object(node)) {
        begin(w, name);
        text_add_char(w->text, array ? '[' : '{');
        add_items(w->text, node, array);
        text_add_char(w->text, array ? ']' : '}');
    } else if (json_is_string(node))
        jw_string(w, name, json_text(node));
    else if (json_is_integer(node))
        jw_integer(w, name, json_int(node));
    else if (json_is_number(node))
        jw_real(w, name, json_number(node));
    else if (json_is_bool(node))
        jw_bool(w, name, json_is_true(node));
    else
        jw_null(w, name);
}

void jw_members(JsonWriter *w, const Json *object) {
    for (size_t i = 0; i < json_count(object); i++)
        jw_json(w, json_name_at(object, i), json_at(object, i));
}
