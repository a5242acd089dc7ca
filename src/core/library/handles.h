/* handles: the structs behind the handles of tetropt.h that more than one file uses. */
#ifndef TETROPT_LIBRARY_HANDLES_H
#define TETROPT_LIBRARY_HANDLES_H

#include "engine/game.h"
#include "engine/grid.h"
#include "job/job.h"
#include "player/setup.h"
#include "player/view.h"
#include "tetropt.h"

#include <string.h>

/* The message of a handle that is NULL. */
#define HANDLE_NULL "handle: is NULL"

/* Fails with a message in the status of the handle; its value is the code. */
#define HANDLE_FAIL(handle, code, ...)                                                             \
    (status_fail(&(handle)->status, (code), __VA_ARGS__), (int)(code))

/* The code of the last call. */
static inline int handle_code(const Status *status, bool ok) {
    return ok ? TETROPT_OK : (int)status->code;
}

/* Sets an option by its name; returns the code. */
static inline int handle_set(Question *question, const char *name, const char *value,
                             Status *status) {
    bool ok = name && value
                  ? question_set(question, name, value, status)
                  : status_fail(status, STATUS_INPUT, "option: the name or the value is NULL");
    return handle_code(status, ok);
}

/* Copies a text (empty: "") to the caller, truncated at `bytes`; returns its whole length. */
static inline size_t handle_copy_text(const Text *whole, char *text, size_t bytes) {
    if (text && bytes > 0) {
        size_t kept = whole->length < bytes ? whole->length : bytes - 1;
        if (kept > 0)
            memcpy(text, whole->data, kept);
        text[kept] = '\0';
    }
    return whole->length;
}

/* Any job by its name; the solver has one too. */
struct tetropt_job {
    const Job *job;
    Question *question;
    Status status; /* of the last call that failed */
    atomic_bool stop;
    tetropt_progress *progress;
    void *context;
    bool running;  /* a callback may not begin another run */
    void *run;     /* the last one, if it has an answer; else NULL */
    Text document; /* of the last run; empty: there is none */
    Text state;    /* to resume it; empty: there is none */
};

/* Runs the job and keeps the run. */
bool job_handle_run(tetropt_job *job);

/* Frees the run that was kept. */
void job_handle_drop_run(tetropt_job *job);

/* The options of a game. */
typedef struct GameOptions {
    int rules, randomizer, scoring, kicks, spins;
    int64_t width, height, seed, preview;
    bool hold, rotate180, bonus;
    const char *pieces, *board;
} GameOptions;

extern const OptionTable game_options;

struct tetropt_game {
    Question *question;         /* about GameOptions */
    const GameOptions *options; /* its values */
    Status status;              /* of the last call that failed */
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

/* False with `status` when options contradict the rules. */
bool game_check_rules(const GameOptions *options, Status *status);

/* Reads "pieces" if there is one: *list is to be freed and NULL when there is none. Fails when the
 * randomizer asks for a list and there is none. */
bool game_list(const GameOptions *options, uint8_t **list, size_t *count, Status *status);
RandomizerKind game_randomizer(const GameOptions *options);

/* The board to begin with. */
bool game_board(const GameOptions *options, Board *board, Status *status);

/* Counts what came into view; after every change of the pieces. */
void game_look(tetropt_game *game);

/* The placement of the engine as that of the interface, and back; false when it is invalid. */
tetropt_placement placement_out(Placement placement, bool hold);
bool placement_in(const tetropt_placement *given, Placement *placement);

enum { KEYS_NO_WAY = -1, KEYS_NO_MEMORY = -2 };

/* Writes the fewest keys to a placement on a board, after hold if it is used; returns their number,
 * or one of the above. NULL for `keys` only asks for it. */
int keys_fewest(const Columns *columns, Placement goal, unsigned moves, bool hold, int *keys,
                int capacity);

/* A grid (NULL: an empty text) as text, cut where `bytes` ends; returns the whole length. `text`
 * may be NULL. */
size_t grid_text(const Grid *grid, char *text, size_t bytes);

/* The setup of the agent for a game by these rules; it ignores hold and preview if it does not use
 * them. To be released also on failure. */
bool agent_setup(const tetropt_agent *agent, const Rules *rules, int preview, Setup *setup,
                 Status *status);

#endif
