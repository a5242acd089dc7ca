/*
 * keymap: one table of actions with their default keys, and the names of keys without a character.
 */
#include "cli/keymap.h"

#include "engine/placement.h"
#include "term/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define KEYS_ROW(action_, name_, default_, help_)                                                  \
    OPTION_ROW(CliKeys, TEXT, keys[action_], "key-" name_, .fallback = default_,                   \
               .argument = "KEYS", .help = help_)

static const Option rows[] = {
    KEYS_ROW(ACTION_LEFT, "left", "left,a", "keys that move to the left"),
    KEYS_ROW(ACTION_RIGHT, "right", "right,d", "to the right"),
    KEYS_ROW(ACTION_ROTATE, "rotate", "x,up,w", "rotate clockwise"),
    KEYS_ROW(ACTION_COUNTER, "counter", "z", "rotate counter-clockwise"),
    KEYS_ROW(ACTION_ROTATE_180, "rotate-180", "v", "rotate by 180 degrees"),
    KEYS_ROW(ACTION_DOWN, "down", "down,s", "soft drop"),
    KEYS_ROW(ACTION_DROP, "drop", "space", "hard drop"),
    KEYS_ROW(ACTION_HOLD, "hold", "c,tab", "hold"),
    KEYS_ROW(ACTION_PAUSE, "pause", "p,esc", "pause"),
    KEYS_ROW(ACTION_RESTART, "restart", "r", "start another game"),
    KEYS_ROW(ACTION_QUIT, "quit", "q", "quit"),
};

static const Option watch_rows[] = {
    KEYS_ROW(ACTION_TAKE, "take", "t,enter", "take over from the agent, hand back"),
    KEYS_ROW(ACTION_STEP, "step", "n,period", "pause and let it press one key"),
    KEYS_ROW(ACTION_FASTER, "faster", "plus,equals", "run faster"),
    KEYS_ROW(ACTION_SLOWER, "slower", "minus", "run slower"),
};

const OptionTable keymap_options = OPTIONS_TABLE(rows);
const OptionTable keymap_watch_options = OPTIONS_TABLE(watch_rows);

/* Keys that have no character, or one that would be lost in a list. */
static const struct {
    const char *name;
    int key;
} names[] = {
    {"space", TERMINAL_SPACE},
    {"tab", TERMINAL_TAB},
    {"esc", TERMINAL_ESCAPE},
    {"enter", TERMINAL_ENTER},
    {"backspace", TERMINAL_BACKSPACE},
    {"up", TERMINAL_UP},
    {"down", TERMINAL_DOWN},
    {"left", TERMINAL_LEFT},
    {"right", TERMINAL_RIGHT},
    {"home", TERMINAL_HOME},
    {"end", TERMINAL_END},
    {"page-up", TERMINAL_PAGE_UP},
    {"page-down", TERMINAL_PAGE_DOWN},
    {"comma", ','},
    {"period", '.'},
    {"plus", '+'},
    {"minus", '-'},
    {"equals", '='},
    {"semicolon", ';'},
};

/* The row of an action: its option, whose name begins with "key-", and its default keys. */
static const Option *row_of(Action action) {
    size_t index = action, shared = sizeof rows / sizeof *rows;
    return index < shared ? &rows[index] : &watch_rows[index - shared];
}

enum { NAMES = sizeof names / sizeof *names };

static int key_of(const char *word, size_t length) {
    if (length == 1 && word[0] > ' ' && word[0] < 127)
        return tolower((unsigned char)word[0]);
    for (int i = 0; i < NAMES; i++)
        if (strlen(names[i].name) == length && strncmp(names[i].name, word, length) == 0)
            return names[i].key;
    return TERMINAL_NONE;
}

static bool add(Keymap *keymap, Action action, const char *word, size_t length, bool given,
                Status *status) {
    int key = key_of(word, length);
    const char *name = row_of(action)->name;
    if (key == TERMINAL_NONE)
        return status_option(status, name, "unknown key '%.*s'", (int)length, word);
    Action taken = keymap_action(keymap, key);
    if (taken != ACTION_NONE && !given)
        return true;
    if (taken != ACTION_NONE)
        return status_option(status, name, "'%.*s' is taken by --%s", (int)length, word,
                             row_of(taken)->name);
    if (keymap->count == KEYMAP_MAX)
        return status_option(status, name, "more than %d keys", KEYMAP_MAX);
    keymap->entries[keymap->count].key = key;
    keymap->entries[keymap->count++].action = action;
    return true;
}

static bool has_key(const Keymap *keymap, Action action) {
    for (int i = 0; i < keymap->count; i++)
        if (keymap->entries[i].action == action)
            return true;
    return false;
}

/* First the keys that were given, then the defaults that are still free. */
bool keymap_init(Keymap *keymap, const CliKeys *keys, Status *status) {
    keymap->count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int action = 0; action < ACTION_COUNT; action++) {
            const char *rest = keys->keys[action];
            bool given = rest && strcmp(rest, row_of((Action)action)->fallback) != 0;
            if (!rest || given != (pass == 0))
                continue;
            bool wanted = *rest;
            while (*rest) {
                size_t length = strcspn(rest, ",");
                if (!add(keymap, (Action)action, rest, length, given, status))
                    return false;
                rest += length + (rest[length] == ',');
            }
            if (wanted && !has_key(keymap, (Action)action))
                return status_option(status, row_of((Action)action)->name,
                                     "no key left: other options take %s", keys->keys[action]);
        }
    return true;
}

Action keymap_action(const Keymap *keymap, int key) {
    if (key < 128)
        key = tolower(key);
    for (int i = 0; i < keymap->count; i++)
        if (keymap->entries[i].key == key)
            return keymap->entries[i].action;
    return ACTION_NONE;
}

int keymap_game_key(Action action) {
    static const Key keys[] = {KEY_LEFT,     KEY_RIGHT,     KEY_CLOCKWISE, KEY_COUNTER,
                               KEY_TURN_180, KEY_SOFT_DROP, KEY_HARD_DROP, KEY_HOLD};
    return action <= ACTION_HOLD ? (int)keys[action] : -1;
}

const char *keymap_name(const Keymap *keymap, Action action, char *name, size_t bytes) {
    name[0] = '\0';
    for (int i = 0; i < keymap->count; i++) {
        int key = keymap->entries[i].key;
        if (keymap->entries[i].action != action)
            continue;
        if (key > ' ' && key < 127) {
            snprintf(name, bytes, "%c", key);
            return name;
        }
        for (int k = 0; k < NAMES; k++)
            if (names[k].key == key) {
                snprintf(name, bytes, "%s", names[k].name);
                return name;
            }
    }
    return name;
}
