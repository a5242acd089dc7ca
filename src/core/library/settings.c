/* settings: options by name, with copies of their texts; see the header. */
#include "library/settings.h"

#include "base/parameters.h"
#include "engine/board_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void settings_init(Settings *settings, OptionTable table, void *target) {
    *settings = (Settings){.table = table, .target = target};
    options_defaults(table, target);
}

void settings_release(Settings *settings) {
    for (size_t i = 0; i < settings->count; i++)
        free(settings->texts[i].text);
    free(settings->texts);
}

static bool make_room(Settings *settings) {
    if (settings->count < settings->capacity)
        return true;
    size_t capacity = settings->capacity ? 2 * settings->capacity : 8;
    SettingsText *texts = realloc(settings->texts, capacity * sizeof *texts);
    if (!texts)
        return false;
    settings->texts = texts;
    settings->capacity = capacity;
    return true;
}

/* True when a value replaces the other: always that of a text, in a list that of the same NAME. */
static bool replaces(const Option *row, const char *value, const char *other) {
    size_t length = strcspn(value, "=");
    return row->kind == OPTION_TEXT ||
           (strcspn(other, "=") == length && memcmp(value, other, length) == 0);
}

static void replace_item(OptionList *list, const char *old, const char *item) {
    for (int i = 0; i < list->count; i++)
        if (list->items[i] == old)
            list->items[i] = item;
}

/* Lets the target point to the text, which is now the settings', in place of the one before it. */
static bool keep(Settings *settings, const Option *row, char *text) {
    void *field = (char *)settings->target + row->offset;
    for (size_t i = 0; i < settings->count; i++) {
        SettingsText *kept = &settings->texts[i];
        if (kept->row != row || !replaces(row, text, kept->text))
            continue;
        if (row->kind == OPTION_LIST)
            replace_item(field, kept->text, text);
        else
            *(const char **)field = text;
        free(kept->text);
        kept->text = text;
        return true;
    }
    if (!options_set(settings->table, settings->target, row->name, text, &settings->status))
        return false;
    settings->texts[settings->count++] = (SettingsText){row, text};
    return true;
}

static bool set_row(Settings *settings, const Option *row, const char *value) {
    if (row->kind != OPTION_TEXT && row->kind != OPTION_LIST)
        return options_set(settings->table, settings->target, row->name, value, &settings->status);
    char *copy = make_room(settings) ? strdup(value) : NULL;
    if (!copy)
        return status_no_memory(&settings->status);
    bool ok = keep(settings, row, copy);
    if (!ok)
        free(copy);
    return ok;
}

/* Frees the texts of a row, and brings its field to the default. */
static void reset_row(Settings *settings, const Option *row) {
    static const size_t sizes[] = {
        [OPTION_FLAG] = sizeof(bool),   [OPTION_INTEGER] = sizeof(int64_t),
        [OPTION_REAL] = sizeof(double), [OPTION_TEXT] = sizeof(const char *),
        [OPTION_CHOICE] = sizeof(int),  [OPTION_LIST] = sizeof(OptionList),
    };
    size_t left = 0;
    for (size_t i = 0; i < settings->count; i++)
        if (settings->texts[i].row == row)
            free(settings->texts[i].text);
        else
            settings->texts[left++] = settings->texts[i];
    settings->count = left;
    memset((char *)settings->target + row->offset, 0, sizes[row->kind]);
    options_defaults((OptionTable){row, 1}, settings->target);
}

int settings_set(Settings *settings, const char *name, const char *value) {
    if (!name || !value)
        return settings_fail(settings, STATUS_INPUT, "option: the name or the value is NULL");
    int index = options_find(settings->table, name);
    if (index < 0)
        return settings_fail(settings, STATUS_INPUT, "%.100s: unknown option", name);
    const Option *row = &settings->table.rows[index];
    if (row->kind != OPTION_TEXT && strlen(value) >= SETTINGS_VALUE_BYTES) /* not to cut the why */
        return settings_fail(settings, STATUS_INPUT, "%s: '%.40s...' is too long", name, value);
    if (*value)
        return settings_code(settings, set_row(settings, row, value));
    reset_row(settings, row);
    return STATUS_OK;
}

bool settings_copy(Settings *settings, const Settings *from, size_t bytes) {
    memcpy(settings->target, from->target, bytes);
    for (size_t i = 0; i < settings->table.count; i++) {
        const Option *row = &settings->table.rows[i];
        if (row->kind == OPTION_TEXT || row->kind == OPTION_LIST)
            reset_row(settings, row);
    }
    for (size_t i = 0; i < from->count; i++)
        if (!set_row(settings, from->texts[i].row, from->texts[i].text))
            return false;
    return true;
}

int settings_check_parameters(Settings *settings, const char *owner, OptionTable table,
                              const char *pairs) {
    Parameters parameters;
    parameters_init(&parameters, owner, table);
    bool ok = parameters_set_all(&parameters, pairs, '&', &settings->status);
    parameters_release(&parameters);
    return settings_code(settings, ok);
}

bool settings_board(const char *text, int width, int height, Grid *grid, Status *status) {
    grid_init(grid, width, height);
    return !text || board_text_read(grid, text, strlen(text), status) ||
           status_prefix(status, "board");
}

int settings_fail(Settings *settings, StatusCode code, const char *format, ...) {
    char message[STATUS_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    status_fail(&settings->status, code, "%s", message);
    return (int)code;
}
