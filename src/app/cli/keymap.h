/*
 * keymap: which key does what in the interactive commands. The defaults and what a user changes
 * (--key-left a,left on the command line or in the configuration file) come from one table.
 */
#ifndef TETROPT_CLI_KEYMAP_H
#define TETROPT_CLI_KEYMAP_H

#include "cli/cli.h"

/* What a key can do. The first ones are keys of the game. */
typedef enum Action {
    ACTION_LEFT,
    ACTION_RIGHT,
    ACTION_ROTATE,
    ACTION_COUNTER,
    ACTION_DOWN,
    ACTION_DROP,
    ACTION_HOLD,
    ACTION_PAUSE,
    ACTION_RESTART,
    ACTION_QUIT,
    ACTION_TAKE, /* takes over from the agent, or hands back */
    ACTION_STEP, /* one key press of the agent */
    ACTION_FASTER,
    ACTION_SLOWER,
    ACTION_COUNT,
    ACTION_NONE = ACTION_COUNT
} Action;

/* Put `CliKeys keys;` into the settings. */
typedef struct CliKeys {
    const char *keys[ACTION_COUNT];
} CliKeys;

#define KEYMAP_ROW(Settings, action_, name_, default_, help_)                                      \
    {                                                                                              \
        .name = "key-" name_, .kind = OPTION_TEXT,                                                 \
        .offset = offsetof(Settings, keys.keys[action_]), .fallback = default_,                    \
        .argument = "KEYS", .help = help_                                                          \
    }

#define CLI_KEY_ROWS(Settings)                                                                     \
    KEYMAP_ROW(Settings, ACTION_LEFT, "left", "a,left", "keys that move to the left"),             \
        KEYMAP_ROW(Settings, ACTION_RIGHT, "right", "d,right", "to the right"),                    \
        KEYMAP_ROW(Settings, ACTION_ROTATE, "rotate", "w,up", "turn clockwise"),                   \
        KEYMAP_ROW(Settings, ACTION_COUNTER, "counter", "z", "turn counter-clockwise"),            \
        KEYMAP_ROW(Settings, ACTION_DOWN, "down", "s,down", "soft drop"),                          \
        KEYMAP_ROW(Settings, ACTION_DROP, "drop", "space", "hard drop"),                           \
        KEYMAP_ROW(Settings, ACTION_HOLD, "hold", "tab,c", "hold"),                                \
        KEYMAP_ROW(Settings, ACTION_PAUSE, "pause", "esc,p", "pause"),                             \
        KEYMAP_ROW(Settings, ACTION_RESTART, "restart", "r", "begin again"),                       \
        KEYMAP_ROW(Settings, ACTION_QUIT, "quit", "q", "quit")

#define CLI_WATCH_KEY_ROWS(Settings)                                                               \
    KEYMAP_ROW(Settings, ACTION_TAKE, "take", "t,enter", "take over from the agent, hand back"),   \
        KEYMAP_ROW(Settings, ACTION_STEP, "step", "n,period", "pause and let it press one key"),   \
        KEYMAP_ROW(Settings, ACTION_FASTER, "faster", "plus,equals", "run faster"),                \
        KEYMAP_ROW(Settings, ACTION_SLOWER, "slower", "minus", "run slower")

enum { KEYMAP_MAX = 64 };

typedef struct Keymap {
    struct {
        int key;
        Action action;
    } entries[KEYMAP_MAX];
    int count;
} Keymap;

/* Reads the lists of keys. Unknown names and keys that are given twice are errors. */
bool keymap_init(Keymap *keymap, const CliKeys *keys, Status *status);

/* What `key` (of view/terminal) does; capital letters count as small ones. */
Action keymap_action(const Keymap *keymap, int key);

/* The key of the game that an action presses, or -1. */
int keymap_game_key(Action action);

/* The name of the first key of an action, "" when there is none. */
const char *keymap_name(const Keymap *keymap, Action action, char *name, size_t bytes);

#endif
