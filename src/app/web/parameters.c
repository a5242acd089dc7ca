#include "web/parameters.h"

#include "base/json_text.h"

#include <string.h>

enum { PAIR_BYTES = 256 };

static double largest(const Option *row, const ParameterBound *bounds) {
    for (; bounds && bounds->name; bounds++)
        if (strcmp(bounds->name, row->name) == 0 && bounds->max < row->max)
            return bounds->max;
    return row->max;
}

static void tell_choices(const char *choices, Text *text) {
    char word[64];
    json_text_name(text, true, "choices");
    text_add_char(text, '[');
    for (int i = 0; i < options_choice_count(choices); i++) {
        if (i > 0)
            text_add_char(text, ',');
        json_text_string(text, options_choice_word(choices, i, word, sizeof word));
    }
    text_add_char(text, ']');
}

static void tell_row(const Option *row, const ParameterBound *bounds, Text *text) {
    static const char *const kinds[] = {"flag", "integer", "real", "text", "choice", "list"};
    text_add(text, "{\"name\":");
    json_text_string(text, row->name);
    text_format(text, ",\"kind\":\"%s\",\"default\":", kinds[row->kind]);
    json_text_string(text, row->fallback ? row->fallback : "");
    if (row->min != 0 || row->max != 0)
        text_format(text, ",\"min\":%.17g,\"max\":%.17g", row->min, largest(row, bounds));
    if (row->choices)
        tell_choices(row->choices, text);
    json_text_name(text, true, "help");
    json_text_string(text, row->help ? row->help : "");
    text_add_char(text, '}');
}

void parameters_tell(OptionTable table, const ParameterBound *bounds, Text *text) {
    text_add_char(text, '[');
    for (size_t i = 0; i < table.count; i++) {
        if (i > 0)
            text_add_char(text, ',');
        tell_row(&table.rows[i], bounds, text);
    }
    text_add_char(text, ']');
}

/* The row is as tight as its bound while it is set, so that every refusal names the same range. */
static bool set_pair(OptionTable table, const ParameterBound *bounds, void *target,
                     const char *pair, char *storage, size_t storage_bytes, Status *status) {
    char name[PAIR_BYTES];
    size_t length = strcspn(pair, "=");
    memcpy(name, pair, length);
    name[length] = '\0';
    int index = options_find(table, name);
    if (index < 0)
        return options_set_pair(table, target, pair, storage, storage_bytes, status);
    Option tight = options_row(table, index);
    tight.max = largest(&tight, bounds);
    return options_set_pair((OptionTable){&tight, 1}, target, pair, storage, storage_bytes, status);
}

bool parameters_set(OptionTable table, const ParameterBound *bounds, void *target,
                    const char *lines, char storage[PARAMETERS_MAX_BYTES], Status *status) {
    options_defaults(table, target);
    size_t used = 0;
    for (const char *line = lines; *line;) {
        char pair[PAIR_BYTES];
        size_t length = strcspn(line, "\n");
        if (length >= sizeof pair || used + length + 1 > PARAMETERS_MAX_BYTES)
            return status_fail(status, STATUS_INPUT, "parameters: too long");
        memcpy(pair, line, length);
        pair[length] = '\0';
        if (length > 0 && !set_pair(table, bounds, target, pair, storage + used,
                                    PARAMETERS_MAX_BYTES - used, status))
            return false;
        used += length + 1;
        line += length + (line[length] == '\n');
    }
    return true;
}
