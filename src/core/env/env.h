/*
 * env: many games that are stepped together, for reinforcement learning: an action per game in,
 * observations, rewards, ends and legal actions out, into memory of the caller.
 *
 * Invariant: after env_reset and after every env_step the caller's memory describes the present
 * turn of every game. Only what changed is written, so nobody else may write to the observations.
 * A step allocates nothing. Games are independent, so the number of threads changes no result.
 *
 * env.c has the life of a game, actions.c what can be done in a turn, observe.c what is seen of it.
 */
#ifndef TETROPT_ENV_ENV_H
#define TETROPT_ENV_ENV_H

#include "base/pool.h"
#include "engine/game.h"
#include "eval/heuristics.h"

/* What an action is: a key; a straight drop by column, rotation and hold; or a number in the list
 * of all placements that can be reached. */
typedef enum EnvActions { ENV_KEYS, ENV_PLACEMENTS, ENV_REACHABLE } EnvActions;

/* The board in an observation: rows as bits (uint16_t), a cell per byte, a cell per float, or
 * heights and heuristics (float). */
typedef enum EnvObservation { ENV_BITS, ENV_PLANES, ENV_FLOAT, ENV_FEATURES } EnvObservation;

/* When a game that ended starts again: at the next step (whose action is ignored), at once, or
 * only by a reset. */
typedef enum EnvAutoreset { ENV_NEXT_STEP, ENV_SAME_STEP, ENV_NO_RESET } EnvAutoreset;

#define ENV_ACTIONS_CHOICES "keys|placements|reachable"
#define ENV_OBSERVATION_CHOICES "bits|planes|float|features"
#define ENV_PIECES_CHOICES "ids|one-hot"
#define ENV_AUTORESET_CHOICES "next-step|same-step|off"

enum {
    ENV_MAX_GAMES = 1 << 20,
    ENV_MAX_PREVIEW = GAME_QUEUE - 2,
    ENV_NO_KEY = KEY_COUNT, /* the action "press nothing" */
    ENV_KEY_ACTIONS = KEY_COUNT + 1,
    ENV_REACHABLE_ACTIONS = 256, /* placements beyond cannot be chosen */
    ENV_FALLING = 2,             /* a cell of the falling piece */
    ENV_HIDDEN_MAX = 3,          /* rows by which a shape with visible cells can be too high */
    ENV_POSITION_ITEMS = 3,      /* rotation, leftmost column, lowest row */
    ENV_KEEPS_KICK = 255
};

typedef struct EnvSettings {
    Rules rules;
    RandomizerKind randomizer;
    const uint8_t *list; /* of RANDOMIZER_LIST; must live as long as the env */
    size_t list_count;
    Board board; /* at the start of a game */
    int preview;
    EnvActions actions;
    EnvObservation observation;
    bool one_hot;
    EnvAutoreset autoreset;
    int reward;                    /* Scoring; SCORING_COUNT: the increase of the game's score */
    int64_t max_pieces, max_steps; /* truncate a game; 0: no limit */
    int64_t gravity;               /* keys from one row of falling to the next; 0: none */
    uint64_t seed;                 /* of game 0; game i has seed + i */
} EnvSettings;

/* The shapes of the caller's memory. */
typedef struct EnvLayout {
    int games, actions;
    size_t item_bytes; /* of an observation: 1 uint8_t, 2 uint16_t, 4 float */
    size_t items;      /* of one observation: board_items, then those of the pieces */
    size_t board_items;
    size_t piece_items; /* of one piece: 1, or 7 */
} EnvLayout;

typedef struct EnvBuffers {
    unsigned char *observations, *final_observations; /* the latter may be NULL */
    float *rewards;
    uint8_t *terminated, *truncated;
    uint8_t *masks; /* may be NULL */
} EnvBuffers;

typedef struct EnvGame {
    Game game;
    uint64_t seed, episode;
    int64_t steps;                        /* of this game */
    uint8_t heights[BOARD_MAX_WIDTH + 4]; /* of the columns; 4 more so that 4 can be read */
    uint8_t highest;
    bool done;  /* it ended, and waits for its reset */
    bool shown; /* the falling piece is in the observation, as follows */
    Placement falling;
    int choice_count; /* of ENV_REACHABLE */
} EnvGame;

/* Where a key brings the falling piece when nothing is in its way: all keys of an open board take
 * the same path, as a processor cannot predict which comes next. */
typedef struct EnvStep {
    uint8_t rotation;
    int8_t x, y;
    uint8_t kick; /* as Game has it, or ENV_KEEPS_KICK: as before */
} EnvStep;

typedef struct Env {
    EnvSettings settings;
    EnvLayout layout;
    EnvBuffers buffers;
    EnvGame *games;
    Move *choices; /* ENV_REACHABLE_ACTIONS of every game; NULL for other actions */
    /* Of ENV_PLACEMENTS: the legal actions of a piece, the rows of `masks` without hold; the last
     * one, of no piece, has none. */
    uint8_t piece_masks[PIECE_COUNT + 1][ROTATION_COUNT * BOARD_MAX_WIDTH];
    /* Offsets of a shape's cells from its centre, by the number of its rows above the board; a
     * hidden cell is replaced by a visible one. */
    int16_t cells[PIECE_COUNT][ROTATION_COUNT][ENV_HIDDEN_MAX + 1][4];
    uint8_t free_height[PIECE_COUNT + 1]; /* up to here the stack blocks no straight drop */
    EnvStep key_steps[PIECE_COUNT][ROTATION_COUNT][ENV_KEY_ACTIONS]; /* of ENV_KEYS */
    HeuristicsMeasure *measure;
    Pool *pool;
    const int32_t *actions; /* of the present step */
    bool started;
} Env;

/* The layout for the settings. */
EnvLayout env_layout(const EnvSettings *settings, int games);

/* Prepares the env; its buffers must be set before env_reset. env_release also after a failure. */
bool env_init(Env *env, const EnvSettings *settings, int games, unsigned threads, Status *status);
void env_release(Env *env);

/* Starts all games: those of the given seeds (one per game), or with NULL the first of the
 * settings' seed and then the next ones. */
void env_reset(Env *env, const uint64_t *seeds);

/* Writes everything again, after the buffers were changed. */
void env_rewrite(Env *env);

/* One action per game, each in 0..layout.actions-1. */
void env_step(Env *env, const int32_t *actions);

/* ---- actions.c */

/* Fills the tables of ENV_PLACEMENTS and ENV_KEYS. */
void env_actions_init(Env *env);

/* Does an action. Returns the lines of the piece that was locked, and where, or -1: none was. */
int env_act(const Env *env, EnvGame *game, int action, Placement *locked);

/* Lists the legal actions of the turn and writes the mask. */
void env_list_actions(Env *env, size_t index);

/* Brings heights and highest up to date with the board. */
void env_measure_heights(EnvGame *game);

/* ---- observe.c */

/* Fills the tables. */
void env_observe_init(Env *env);

/* Writes the whole observation of a game. */
void env_observe(Env *env, size_t index);

/* What a step changed. */
typedef struct EnvChange {
    int lines;        /* -1: no piece was locked */
    Placement locked; /* where one was */
    int highest;      /* before the step */
    bool pieces;      /* current, held or next pieces are others now */
} EnvChange;

/* Writes what a step changed. */
void env_observe_change(Env *env, size_t index, const EnvChange *change);

#endif
