/*
 * parameters: applies NAME=VALUE pairs to a parameter table; see the header.
 *
 * Texts are copied to a list that is only freed as a whole: a parameter is set a few times at most.
 */
#include "base/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ParametersText {
    struct ParametersText *next;
    char text[];
} ParametersText;

void parameters_init(Parameters *parameters, const char *owner, OptionTable table) {
    *parameters = (Parameters){.owner = owner, .table = table};
    options_defaults(table, parameters->values);
}

void parameters_release(Parameters *parameters) {
    while (parameters->texts) {
        ParametersText *next = parameters->texts->next;
        free(parameters->texts);
        parameters->texts = next;
    }
}

double parameters_max(const Option *row, const ParameterBound *bounds) {
    for (; bounds && bounds->name; bounds++)
        if (strcmp(bounds->name, row->name) == 0 && bounds->max < row->max)
            return bounds->max;
    return row->max;
}

static const char *copy_text(Parameters *parameters, const char *text) {
    ParametersText *copy = malloc(sizeof *copy + strlen(text) + 1);
    if (!copy)
        return NULL;
    strcpy(copy->text, text);
    copy->next = parameters->texts;
    parameters->texts = copy;
    return copy->text;
}

static bool set_pair(Parameters *parameters, const char *pair, Status *status) {
    char name[PARAMETERS_PAIR_BYTES];
    size_t length = strcspn(pair, "=");
    if (strlen(pair) >= sizeof name)
        return status_fail(status, STATUS_INPUT, "'%.40s...' is too long", pair);
    if (length == 0 || pair[length] != '=')
        return status_fail(status, STATUS_INPUT, "'%s' is not NAME=VALUE", pair);
    memcpy(name, pair, length);
    name[length] = '\0';
    int index = options_find(parameters->table, name);
    if (index < 0)
        return options_unknown(parameters->table, "parameter", name, status);
    /* The row is as narrow as its bound while it is set, so that an error names that range. */
    Option row = options_row(parameters->table, index);
    row.max = parameters_max(&row, parameters->bounds);
    const char *value = pair + length + 1;
    if ((row.kind == OPTION_TEXT || row.kind == OPTION_LIST) &&
        !(value = copy_text(parameters, value)))
        return status_no_memory(status);
    parameters->given |= (uint64_t)1 << index;
    return options_set((OptionTable){&row, 1}, parameters->values, name, value, status);
}

bool parameters_set(Parameters *parameters, const char *pair, Status *status) {
    return set_pair(parameters, pair, status) || status_prefix(status, "%s", parameters->owner);
}

bool parameters_set_list(Parameters *parameters, const OptionList *pairs, Status *status) {
    for (int i = 0; i < pairs->count; i++)
        if (!parameters_set(parameters, pairs->items[i], status))
            return false;
    return true;
}

bool parameters_set_all(Parameters *parameters, const char *pairs, char separator, Status *status) {
    const char separators[] = {separator, '\0'};
    while (pairs && *pairs) {
        char pair[PARAMETERS_PAIR_BYTES + 1]; /* one longer than allowed: then it is too long */
        size_t length = strcspn(pairs, separators);
        snprintf(pair, sizeof pair, "%.*s", (int)length, pairs);
        if (length > 0 && !parameters_set(parameters, pair, status))
            return false;
        pairs += length + (pairs[length] == separator);
    }
    return true;
}

bool parameters_given(const Parameters *parameters, const char *name) {
    int index = options_find(parameters->table, name);
    return index >= 0 && parameters->given >> index & 1;
}

const char *parameters_split(const char *text, char *name, size_t bytes) {
    size_t length = strcspn(text, "?");
    snprintf(name, bytes, "%.*s", (int)length, text);
    return text[length] == '?' ? text + length + 1 : NULL;
}
