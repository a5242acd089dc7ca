#include "library/settings.h"

#include "io/board_text.h"

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

/* Keeps a text that the target now points to, and lets go of the one before it. */
static void keep(Settings *settings, const Option *row, char *text) {
    for (size_t i = 0; row->kind == OPTION_TEXT && i < settings->count; i++)
        if (settings->texts[i].row == row) {
            free(settings->texts[i].text);
            settings->texts[i].text = text;
            return;
        }
    settings->texts[settings->count++] = (SettingsText){row, text};
}

static bool set_row(Settings *settings, const Option *row, const char *value) {
    if (row->kind != OPTION_TEXT && row->kind != OPTION_LIST)
        return options_set(settings->table, settings->target, row->name, value, &settings->status);
    char *copy = make_room(settings) ? strdup(value) : NULL;
    if (!copy)
        return status_no_memory(&settings->status);
    if (!options_set(settings->table, settings->target, row->name, copy, &settings->status)) {
        free(copy);
        return false;
    }
    keep(settings, row, copy);
    return true;
}

int settings_set(Settings *settings, const char *name, const char *value) {
    if (!name || !value)
        return settings_fail(settings, STATUS_INPUT, "option: the name or the value is NULL");
    const Option *row = options_find(settings->table, name);
    if (!row)
        return settings_fail(settings, STATUS_INPUT, "%s: there is no such option", name);
    return settings_code(settings, set_row(settings, row, value));
}

bool settings_copy(Settings *settings, const Settings *from, size_t bytes) {
    memcpy(settings->target, from->target, bytes);
    for (size_t i = 0; i < settings->table.count; i++) {
        const Option *row = &settings->table.rows[i];
        void *field = (char *)settings->target + row->offset;
        if (row->kind == OPTION_TEXT)
            *(const char **)field = row->fallback;
        else if (row->kind == OPTION_LIST)
            ((OptionList *)field)->count = 0;
    }
    for (size_t i = 0; i < from->count; i++)
        if (!set_row(settings, from->texts[i].row, from->texts[i].text))
            return false;
    return true;
}

bool settings_parameters(const OptionList *list, OptionTable table, void *target,
                         char pairs[OPTION_LIST_MAX][SETTINGS_PAIR_BYTES], Status *status) {
    options_defaults(table, target);
    for (int i = 0; i < list->count; i++)
        if (!options_set_pair(table, target, list->items[i], pairs[i], SETTINGS_PAIR_BYTES, status))
            return status_prefix(status, "param");
    return true;
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
