/* handles: the structs behind the handles of tetropt.h that more than one file uses. */
#ifndef TETROPT_LIBRARY_HANDLES_H
#define TETROPT_LIBRARY_HANDLES_H

#include "engine/game.h"
#include "library/settings.h"
#include "player/setup.h"
#include "player/view.h"
#include "tetropt.h"

/* The options of a game. */
typedef struct GameOptions {
    int rules, randomizer, scoring;
    int64_t width, height, seed, preview;
    bool hold, rotate180, bonus;
    const char *pieces, *board;
} GameOptions;

struct tetropt_game {
    Settings settings;
    GameOptions options;
    bool started;
    Game game;
    Watcher watcher;   /* of the pieces that came into view */
    uint8_t *list;     /* the pieces of a list; the game's randomizer points there */
    size_t list_count; /* room in it */
};

/* True when there is a game. */
static inline bool game_is_started(const tetropt_game *game) {
    return game && game->started;
}

/* How the game is played, by its options. */
Rules game_rules(const GameOptions *options);

/* Reads "pieces" if there is one: *list is to be freed and NULL when there is none. Fails when the
 * randomizer asks for a list and there is none. */
bool game_list(const GameOptions *options, uint8_t **list, size_t *count, Status *status);
RandomizerKind game_randomizer(const GameOptions *options);

/* Counts what came into view; after every change of the pieces. */
void game_look(tetropt_game *game);

/* The placement of the engine as that of the interface, and back; false when it is invalid. */
tetropt_placement placement_out(Placement placement, bool hold);
bool placement_in(const tetropt_placement *given, Placement *placement);

enum { KEYS_NO_WAY = -1, KEYS_NO_MEMORY = -2 };

/* Writes the fewest keys to a placement on a board, after hold if it is used; returns their number,
 * or one of the above. NULL for `keys` only asks for it. */
int keys_fewest(const Columns *columns, Placement goal, bool rotate180, bool hold, int *keys,
                int capacity);

/* A grid (NULL: an empty text) as text, cut where `bytes` ends; returns the whole length. `text`
 * may be NULL. */
size_t grid_text(const Grid *grid, char *text, size_t bytes);

/* The setup of the agent for a game by these rules; it ignores hold and preview if it does not use
 * them. To be released also on failure. */
bool agent_setup(const tetropt_agent *agent, const Rules *rules, int preview, Setup *setup,
                 Status *status);

#endif
