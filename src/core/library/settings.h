/*
 * settings: the options of a handle, set by name.
 *
 * A table of base/options describes a struct inside the handle. Whoever sets a text may let go of
 * it afterwards, so texts are copied; the copy of a text that is set again goes. A list is one of
 * NAME=VALUE and holds a name once: the newest value.
 */
#ifndef TETROPT_LIBRARY_SETTINGS_H
#define TETROPT_LIBRARY_SETTINGS_H

#include "base/options.h"
#include "engine/grid.h"

#include <stddef.h>

/* A text that the struct points to. */
typedef struct SettingsText {
    const Option *row;
    char *text;
} SettingsText;

typedef struct Settings {
    OptionTable table;
    void *target; /* the struct */
    SettingsText *texts;
    size_t count, capacity;
    Status status; /* of the last call that failed */
} Settings;

enum { SETTINGS_VALUE_BYTES = 256 }; /* a value that is not a text is shorter */

/* The message of a NULL handle. */
#define SETTINGS_NO_HANDLE "handle: is NULL"

/* Fills the target with the defaults. */
void settings_init(Settings *settings, OptionTable table, void *target);
void settings_release(Settings *settings);

/* Sets one, an empty value to its default (0 or none where the table has none); returns the code.
 */
int settings_set(Settings *settings, const char *name, const char *value);

/* Brings `settings`, just initialised, to the values of `from`, whose target is `bytes` large;
 * texts are copied. False: no memory. */
bool settings_copy(Settings *settings, const Settings *from, size_t bytes);

/* Checks "NAME=VALUE&NAME=VALUE..." of the parameters of `owner`; returns the code. */
int settings_check_parameters(Settings *settings, const char *owner, OptionTable table,
                              const char *pairs);

/* An empty board of that size, or the one that `text` shows (NULL: none). */
bool settings_board(const char *text, int width, int height, Grid *grid, Status *status);

/* Fails and returns the code. */
int settings_fail(Settings *settings, StatusCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The code of what was just done. */
static inline int settings_code(const Settings *settings, bool ok) {
    return ok ? STATUS_OK : (int)settings->status.code;
}

#endif
