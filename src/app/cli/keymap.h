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
    ACTION_ROTATE_180,
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

/* The keys of the game and of the program, and those that only `watch` has. */
extern const OptionTable keymap_options, keymap_watch_options;

enum { KEYMAP_MAX = 64 };

typedef struct Keymap {
    struct {
        int key;
        Action action;
    } entries[KEYMAP_MAX];
    int count;
} Keymap;

/* Reads the lists of keys. A key that was given to an action is taken from the defaults of the
 * others. Unknown names, keys that are given twice and actions without a key are errors. */
bool keymap_init(Keymap *keymap, const CliKeys *keys, Status *status);

/* What `key` (of view/terminal) does; capital letters count as small ones. */
Action keymap_action(const Keymap *keymap, int key);

/* The key of the game that an action presses, or -1. */
int keymap_game_key(Action action);

/* The name of the first key of an action, "" when there is none. */
const char *keymap_name(const Keymap *keymap, Action action, char *name, size_t bytes);

#endif
