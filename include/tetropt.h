/*
 * tetropt.h: the public interface of libtetropt, to play, solve and measure Tetris from C and C++.
 *
 * Handles: a game, an agent that plays it, a solver for known piece sequences, a simulation of many
 * games, a job, which runs any of the program's computations, a problem with its genotypes, a
 * search on a problem, and an environment for reinforcement learning. All are used the same way:
 * _new, then _set for every option that differs from its default, then the work, then _free.
 * Options are strings with the names and values of the program's command line. Setting an option
 * again replaces its value for the next work; an empty string restores the default. A rejected
 * value changes nothing. A value that can only be checked together with others (a board, for
 * example) is accepted at first; if it is invalid, the work is rejected, and setting the option
 * again fixes it.
 *
 * Functions that write an array or a string return its complete length, whatever the capacity. Pass
 * NULL or a capacity of 0 to get only the length. Strings end with a NUL, also when truncated.
 *
 * A function that can fail returns a code (TETROPT_OK is 0) and stores a one-line message in the
 * handle, which _message returns until another call on the handle fails. Because of the message,
 * such a function takes a non-const handle even if it changes nothing else. A _new function returns
 * NULL when memory runs out, or for an argument that it rejects. The library never prints, exits or
 * changes the process state.
 *
 * NULL for a handle, a string or an output is rejected like any other invalid value, unless its
 * function says otherwise. A function without a return code then returns what it returns when
 * there is nothing: 0, "", NULL, -1 or -INFINITY.
 *
 * Threads may use different handles at the same time. A handle may be used by one thread at a time,
 * except in the _stop functions. A callback (tetropt_watch, tetropt_progress) may use all handles,
 * but must not free those of the call that it comes from.
 *
 * The same options and the same seed give the same results on every machine and with any number of
 * threads, unless a time limit or a stop ends the work early.
 *
 * Coordinates: x from 0 at the left wall, y from 0 at the floor. Pieces are the letters I O T S Z J
 * L; 0 means no piece.
 */
#ifndef TETROPT_H
#define TETROPT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TETROPT_API __attribute__((visibility("default")))
#else
#define TETROPT_API
#endif

/* ---- Version ---- */

/* The version of this header. A program compiled with it runs with any library of the same major
 * version that is not older. */
#define TETROPT_VERSION_MAJOR 1
#define TETROPT_VERSION_MINOR 1
#define TETROPT_VERSION_PATCH 0

/* The version as one number, for comparisons in #if: 10203 for 1.2.3. */
#define TETROPT_VERSION_NUMBER                                                                     \
    (TETROPT_VERSION_MAJOR * 10000 + TETROPT_VERSION_MINOR * 100 + TETROPT_VERSION_PATCH)

/* The version of the library, such as "1.1.0"; a static string. */
TETROPT_API const char *tetropt_version(void);

/* ---- Codes and values ---- */

/* Return codes. */
enum {
    TETROPT_OK = 0,
    TETROPT_UNMET = 1, /* valid, but impossible or unknown now: a blocked key, no result yet */
    TETROPT_INPUT = 2, /* invalid input */
    TETROPT_SYSTEM = 3 /* memory or threads ran out */
};

/* Keys. */
enum {
    TETROPT_KEY_LEFT = 0,
    TETROPT_KEY_RIGHT = 1,
    TETROPT_KEY_CLOCKWISE = 2,
    TETROPT_KEY_COUNTER = 3,
    TETROPT_KEY_TURN_180 = 4,  /* only with "rotate180" or srs-plus */
    TETROPT_KEY_SOFT_DROP = 5, /* one row */
    TETROPT_KEY_HARD_DROP = 6, /* to the floor, and lock */
    TETROPT_KEY_HOLD = 7
};

/* Why a game is over. */
enum {
    TETROPT_OVER_NOT = 0,
    TETROPT_OVER_BLOCK_OUT = 1, /* the next piece cannot spawn */
    TETROPT_OVER_LOCK_OUT = 2,  /* a piece locked above the board */
    TETROPT_OVER_NO_PIECES = 3  /* the piece sequence is used up */
};

/* Spins: of T, and with the option "spins" all of every piece except O. */
enum { TETROPT_SPIN_NONE = 0, TETROPT_SPIN_MINI = 1, TETROPT_SPIN_FULL = 2 };

/* Where a piece locks. The layout of this struct is stable. */
typedef struct tetropt_placement {
    int piece;    /* its letter */
    int rotation; /* clockwise rotations from the spawn state, 0..3 */
    int x, y;     /* its rotation centre; tetropt_placement_cells gives the cells */
    int spin;     /* TETROPT_SPIN_NONE, ... */
    int hold;     /* 1: hold is pressed first; `piece` is the piece after hold */
} tetropt_placement;

/* The four cells of a placement. TETROPT_INPUT if it is invalid on every board: an unknown letter,
 * or a number out of range. */
TETROPT_API int tetropt_placement_cells(const tetropt_placement *placement, int x[4], int y[4]);

/* "left", "right", "cw", "ccw", "180", "down", "drop", "hold"; NULL for an unknown key. This and
 * the names below are static strings. */
TETROPT_API const char *tetropt_key_name(int key);

/* The valid values of the options "agent", "weights" and "algorithm", by index from 0; NULL after
 * the last. */
TETROPT_API const char *tetropt_agent_name(int index);
TETROPT_API const char *tetropt_weights_name(int index);
TETROPT_API const char *tetropt_algorithm_name(int index);

/* ---- A game ---- */

typedef struct tetropt_game tetropt_game;

/* _new returns a handle with the default options, or NULL without memory; free it with _free, which
 * accepts NULL. _message returns the message of the last failure, owned by the handle, or "" if
 * there was none; for NULL, a message that says so. */
TETROPT_API tetropt_game *tetropt_game_new(void);
TETROPT_API void tetropt_game_free(tetropt_game *game);
TETROPT_API const char *tetropt_game_message(const tetropt_game *game);

/* Sets an option for the next start:
 *   "rules"       guideline (default): every placement that keys can reach; drop: hard drops only
 *   "width"       columns, 4..16 (default 10)
 *   "height"      visible rows, 4..40 (default 20), with 20 hidden rows above
 *   "seed"        seed of the piece sequence (default 0)
 *   "randomizer"  bag (default), uniform, list, sz, sz-random
 *   "pieces"      a piece sequence as letters; sets the randomizer to list (default: none)
 *   "preview"     visible next pieces, 0..14 (default 1)
 *   "hold"        on (default) or off
 *   "rotate180"   on or off (default)
 *   "kicks"       srs (default), or srs-plus with 180-degree rotations; with the rules guideline
 *   "spins"       t (default), or all: every piece can spin; likewise
 *   "scoring"     unit, guideline (default), local-search, classic, local-search-published
 *   "bonus"       on or off (default): T-spins, combos and other bonuses of the guideline scoring
 *   "board"       the initial board, rows from the top separated by line ends: '.' is empty,
 *                 letters of pieces, 'G' and '#' are filled (default: empty) */
TETROPT_API int tetropt_game_set(tetropt_game *game, const char *option, const char *value);

/* Starts a game with the current options; another game on the handle ends. TETROPT_INPUT if they
 * are invalid together. Before the first start, a game has an empty board and no pieces, and
 * functions that change it fail. */
TETROPT_API int tetropt_game_start(tetropt_game *game);

/* A new handle with the same options and the same state (started or not); NULL without memory. */
TETROPT_API tetropt_game *tetropt_game_copy(const tetropt_game *game);

/* Copies the state of `from` to `game`, which keeps its options. For trying moves repeatedly
 * without new handles. TETROPT_SYSTEM without memory. */
TETROPT_API int tetropt_game_assign(tetropt_game *game, const tetropt_game *from);

/* The size of the board, as options set it before the first start. */
TETROPT_API int tetropt_game_width(const tetropt_game *game);
TETROPT_API int tetropt_game_height(const tetropt_game *game);

/* 1 if the cell is filled. Cells left, right and below the board count as filled, cells above as
 * empty. NULL has no columns, so all its cells count as filled. */
TETROPT_API int tetropt_game_cell(const tetropt_game *game, int x, int y);

/* A row as bits, bit 0 at the left; 0 outside the board. */
TETROPT_API uint32_t tetropt_game_row(const tetropt_game *game, int y);

/* Writes the board as text, `height` rows or more from the top, '#' filled and '.' empty, each
 * followed by a line end. The text ends with a NUL and is truncated to `bytes`. Returns the
 * complete length, or 0 without memory. */
TETROPT_API size_t tetropt_game_text(const tetropt_game *game, char *text, size_t bytes);

/* The letters of the current piece, the held piece and the visible next pieces (index from 0); 0:
 * none. */
TETROPT_API int tetropt_game_current(const tetropt_game *game);
TETROPT_API int tetropt_game_held(const tetropt_game *game);
TETROPT_API int tetropt_game_next(const tetropt_game *game, int index);

/* The results so far. */
TETROPT_API int64_t tetropt_game_score(const tetropt_game *game);
TETROPT_API int64_t tetropt_game_lines(const tetropt_game *game);
TETROPT_API int64_t tetropt_game_pieces(const tetropt_game *game); /* locked so far */
TETROPT_API int tetropt_game_over(const tetropt_game *game);       /* TETROPT_OVER_NOT, ... */

/* Writes the legal placements, at most `capacity` of them, and returns their number; 0 when the
 * game is over or not started. Those of the current piece come first, then those with `hold`, if
 * hold is allowed and gives a different, visible piece. Placements are distinct by the cells they
 * fill. With the option "bonus", a T that can reach the same cells with and without a spin is
 * listed twice. Placements that end the game are included. */
TETROPT_API int tetropt_game_placements(const tetropt_game *game, tetropt_placement *placements,
                                        int capacity);

/* Writes a shortest key sequence from the spawn to the placement, at most `capacity` keys, and
 * returns its length: hold if used, then moves, rotations and soft drops, then the hard drop. -1,
 * with a message, if the placement is not legal, or if the stack blocks the keys (possible with the
 * rules drop). */
TETROPT_API int tetropt_game_keys(tetropt_game *game, const tetropt_placement *placement, int *keys,
                                  int capacity);

/* Locks a piece. TETROPT_INPUT if the placement is not legal now. */
TETROPT_API int tetropt_game_place(tetropt_game *game, const tetropt_placement *placement);

/* Presses a key. TETROPT_UNMET if it has no effect, also because the game is over. */
TETROPT_API int tetropt_game_press(tetropt_game *game, int key);

/* ---- An agent ---- */

typedef struct tetropt_agent tetropt_agent;

/* These three work as for a game. */
TETROPT_API tetropt_agent *tetropt_agent_new(void);
TETROPT_API void tetropt_agent_free(tetropt_agent *agent);
TETROPT_API const char *tetropt_agent_message(const tetropt_agent *agent);

/* Sets an option:
 *   "agent"    the agent (default weighted); `tetropt simulate --list` explains all. Setting it
 *              resets all parameters, so set it before them
 *   "weights"  a named weight set (default: the agent's own, also after
 *              tetropt_agent_set_weights)
 *   "param"    NAME=VALUE, a parameter of this agent; can be set for several parameters. An empty
 *              string restores the defaults of all of them
 *   "seed"     seed of the agent's random numbers (default 0); restarts them */
TETROPT_API int tetropt_agent_set(tetropt_agent *agent, const char *option, const char *value);

/* Sets custom weights for the features of a kind (literature, local, placement, stack, surface,
 * local-published), one per feature. They are copied and replace "weights". TETROPT_INPUT for an
 * unknown kind, another count, or a number that is not finite. */
TETROPT_API int tetropt_agent_set_weights(tetropt_agent *agent, const char *kind,
                                          const double *weights, int count);

/* The features of a kind in the order of the weights, by index from 0; NULL after the last, and for
 * an unknown kind. */
TETROPT_API const char *tetropt_feature_name(const char *kind, int index);

/* Chooses a placement for the current piece; does not change the game. An agent that uses neither
 * hold nor preview does not see them. TETROPT_UNMET if the game is over; TETROPT_INPUT if the agent
 * cannot play by the rules of the game, or plans complete games (bees). */
TETROPT_API int tetropt_agent_choose(tetropt_agent *agent, const tetropt_game *game,
                                     tetropt_placement *placement);

/* Called after every locked piece; a nonzero return value ends the play. */
typedef int tetropt_watch(void *context, const tetropt_game *game);

/* Plays the game until it is over, or until `pieces` pieces are locked in total, including those
 * before the call (0: no limit). `watch` may be NULL. TETROPT_INPUT if the agent cannot play by the
 * rules of the game. Agents that plan a complete game at once (bees) can only start at the first
 * piece, and call `watch` once, at the end. */
TETROPT_API int tetropt_agent_play(tetropt_agent *agent, tetropt_game *game, int64_t pieces,
                                   tetropt_watch *watch, void *context);

/* ---- A solver: the best placements of a known piece sequence ---- */

typedef struct tetropt_solver tetropt_solver;

/* These three work as for a game. */
TETROPT_API tetropt_solver *tetropt_solver_new(void);
TETROPT_API void tetropt_solver_free(tetropt_solver *solver);
TETROPT_API const char *tetropt_solver_message(const tetropt_solver *solver);

/* Sets an option:
 *   "instance"     an instance of the benchmark, such as bag-10-001, which sets pieces, placements
 *                  and board. This, "pieces" or "n" is required
 *   "pieces"       the letters of the piece sequence
 *   "n"            instead: draw whole bags with at least n + 1 pieces and place n, 1..1000
 *   "randomizer"   for "n": bag (default), uniform, sz, sz-random
 *   "piece-seed"   for "n" (default: the value of "seed")
 *   "placements"   number of pieces to place, 1..1000 (default: all)
 *   "width"        columns, 4..16 (default 10)
 *   "height"       visible rows, 4..40 (default 20)
 *   "board"        the initial board, as for a game
 *   "fumen"        instead: the field of the first page of a fumen
 *   "encoding"     simple, double, swap-simple, swap-double (default), placements
 *   "order"        order of the genes of a piece: turn-first (default), move-first, published
 *   "game-over"    on (default); off: pieces also spawn and lock on filled cells
 *   "perfect-clear-points"  points for a perfect clear (default 0)
 *   "hold"         on (default) or off; only for the encoding placements
 *   "algorithm"    auto (default), ga, sa, abc, hill, hybrid, beam, exact. Setting it resets all
 *                  parameters, so set it before them
 *   "preset"       settings of the algorithm in place of its defaults: published, untuned, 1.0
 *   "param"        NAME=VALUE, a parameter of this algorithm; can be set for several parameters.
 *                  An empty string restores the defaults of all of them
 *   "profile"      the fitness: blocks (default), rows, pieces, tetrises, height
 *   "weights"      instead: the content of a weight file for a profile, as written by `train`
 *   "start"        the content of a document with an initial solution
 *   "seed"         seed of the search (default 0)
 *   "time"         time limit in seconds; 0 (default): no limit
 *   "evaluations"  limit of evaluated solutions; 0 (default): no limit
 *   "target"       stop at this fitness (default: none)
 *   "threads"      1..256 (default 1) */
TETROPT_API int tetropt_solver_set(tetropt_solver *solver, const char *option, const char *value);

/* Receives the progress of a search on the thread that runs it; a nonzero return value ends it. */
typedef int tetropt_progress(void *context, uint64_t evaluations, double best);

/* Sets the progress callback; NULL: none. */
TETROPT_API void tetropt_solver_on_progress(tetropt_solver *solver, tetropt_progress *progress,
                                            void *context);

/* Runs the search. However it ends, the functions below then return the best solution found; after
 * a failure (TETROPT_INPUT: rejected options, TETROPT_SYSTEM) there is none. A progress callback
 * cannot start a search on the same handle. */
TETROPT_API int tetropt_solver_run(tetropt_solver *solver);

/* Ends a search from another thread, within a fraction of a second. If none is running, the next
 * search ends as soon as it starts. */
TETROPT_API void tetropt_solver_stop(tetropt_solver *solver);

/* The best solution. Before a search, the fitness is -INFINITY and the other values are 0. */
TETROPT_API double tetropt_solver_fitness(const tetropt_solver *solver);
TETROPT_API int tetropt_solver_lines(const tetropt_solver *solver);
TETROPT_API int tetropt_solver_perfect_clear(const tetropt_solver *solver);
TETROPT_API int tetropt_solver_optimal(const tetropt_solver *solver); /* 1: proved optimal */
TETROPT_API uint64_t tetropt_solver_evaluations(const tetropt_solver *solver);

/* Why the search ended: "finished", "patience", "target", "evaluations", "time", "stopped"; ""
 * before a search. A static string. */
TETROPT_API const char *tetropt_solver_end(const tetropt_solver *solver);

/* The number of placed pieces; a placement by index from 0 (TETROPT_INPUT if out of range); and its
 * keys, as from tetropt_game_keys (-1 if out of range, or if the stack blocks the keys). */
TETROPT_API int tetropt_solver_count(const tetropt_solver *solver);
TETROPT_API int tetropt_solver_placement(tetropt_solver *solver, int index,
                                         tetropt_placement *placement);
TETROPT_API int tetropt_solver_keys(tetropt_solver *solver, int index, int *keys, int capacity);

/* Writes the final board as tetropt_game_text does, with the letters of the pieces. 0 if there is
 * no solution. */
TETROPT_API size_t tetropt_solver_text(const tetropt_solver *solver, char *text, size_t bytes);

/* ---- A simulation: measures an agent in many games ---- */

typedef struct tetropt_simulation tetropt_simulation;

/* These three work as for a game. */
TETROPT_API tetropt_simulation *tetropt_simulation_new(void);
TETROPT_API void tetropt_simulation_free(tetropt_simulation *simulation);
TETROPT_API const char *tetropt_simulation_message(const tetropt_simulation *simulation);

/* Sets an option:
 *   "games"         number of games (default 100); game i, from 0, has the seed "seed" + i
 *   "max-pieces"    limit per game (default 10000); 0: no limit; not with "total-pieces"
 *   "total-pieces"  0 (default): play games; N: 64 streams, which start a new game after each
 *                   top-out, until N pieces are placed in total
 *   "time"          time limit in seconds; 0 (default): no limit
 *   "threads"       1..256 (default 1) */
TETROPT_API int tetropt_simulation_set(tetropt_simulation *simulation, const char *option,
                                       const char *value);

/* Runs the agent on games with the options of `game`, which need not be started. The game's option
 * "board" and the agent's "seed" are ignored: all random numbers come from the seeds of the games.
 * After a failure there are no results. */
TETROPT_API int tetropt_simulation_run(tetropt_simulation *simulation, const tetropt_agent *agent,
                                       const tetropt_game *game);

/* Ends it from another thread, like tetropt_solver_stop; completed games count. */
TETROPT_API void tetropt_simulation_stop(tetropt_simulation *simulation);

/* The number of completed games (or streams), and their total pieces, lines and top-outs. With
 * "total-pieces", lines / deaths is the mean number of lines per game. */
TETROPT_API int64_t tetropt_simulation_games(const tetropt_simulation *simulation);
TETROPT_API int64_t tetropt_simulation_pieces(const tetropt_simulation *simulation);
TETROPT_API int64_t tetropt_simulation_lines(const tetropt_simulation *simulation);
TETROPT_API int64_t tetropt_simulation_deaths(const tetropt_simulation *simulation);

/* The mean of a measure over these games (or streams) with its 95 % confidence interval (NaN for a
 * single game); `low` and `high` may be NULL. Measures: score, lines, pieces, level, singles,
 * doubles, triples, tetrises, max_height, holes. TETROPT_INPUT for any other name; TETROPT_UNMET if
 * unknown: before a run, and for some measures of fast runs with "total-pieces". */
TETROPT_API int tetropt_simulation_mean(tetropt_simulation *simulation, const char *measure,
                                        double *mean, double *low, double *high);

/* ---- Any job ---- */

/* These commands of the program are jobs: "solve", "eval", "simulate", "train", "match" and
 * "clears". The options of a job are those of the command line without dashes (for a file, its
 * content); its result is the JSON document that `--json` prints. A parameter of an algorithm,
 * agent or method can be set by its own name. Unlike a solver, a job draws a random seed and uses
 * all CPUs by default, as the program does. */
typedef struct tetropt_job tetropt_job;

/* The names of the jobs, by index from 0; NULL after the last. Static strings. */
TETROPT_API const char *tetropt_job_name(int index);

/* NULL for an unknown name, or without memory. */
TETROPT_API tetropt_job *tetropt_job_new(const char *name);
TETROPT_API void tetropt_job_free(tetropt_job *job);
TETROPT_API const char *tetropt_job_message(const tetropt_job *job);

/* Sets an option, a repeatable one (such as "agent" of simulate) once per value; an empty string
 * restores the default. The combination of all options is checked by tetropt_job_run. */
TETROPT_API int tetropt_job_set(tetropt_job *job, const char *option, const char *value);

/* Like tetropt_solver_on_progress. The callback receives evaluations and the best fitness (solve),
 * pieces (simulate), games (match), generations and their best score (train), or what the search
 * has examined so far (clears). */
TETROPT_API void tetropt_job_on_progress(tetropt_job *job, tetropt_progress *progress,
                                         void *context);

/* Runs the job. TETROPT_INPUT: the options were rejected, with the message of the command line. A
 * progress callback cannot start a run on the same handle. */
TETROPT_API int tetropt_job_run(tetropt_job *job);

/* Ends a run from another thread, like tetropt_solver_stop; the result is the best so far. */
TETROPT_API void tetropt_job_stop(tetropt_job *job);

/* Writes the result of the last run, one line of JSON, truncated to `bytes`. Returns its complete
 * length; 0 if there is none. */
TETROPT_API size_t tetropt_job_document(const tetropt_job *job, char *text, size_t bytes);

/* ---- Fumen: boards as a short text that other Tetris tools read ---- */

/* The number of pages of a fumen; 0 if it is invalid. */
TETROPT_API int tetropt_fumen_pages(const char *fumen);

/* Writes the field of a page, from 1, as 23 rows of 10 cells from the top with a line end after
 * each: '.' is empty, then the letters of pieces, and 'G' for grey. Truncated to `bytes`. Returns
 * the complete length; 0 on failure, and `text` is then the message. */
TETROPT_API size_t tetropt_fumen_board(const char *fumen, int page, char *text, size_t bytes);

/* Writes a board, rows from the top as in the option "board" of a game, ten columns wide and at
 * most 23 rows, as a fumen of one page. Returns as tetropt_fumen_board. */
TETROPT_API size_t tetropt_board_fumen(const char *board, char *text, size_t bytes);

/* ---- A problem: genotypes and their fitness ---- */

/* A genotype is a row of `tetropt_problem_genes` integers, each within its range. Rows of a batch
 * follow one another in memory. The largest fitness is the best. */
typedef struct tetropt_problem tetropt_problem;

/* A problem of a kind: "tetris" (the genes place a known piece sequence), "queens" (gene i is the
 * column of the queen in row i: a permutation) or "sat" (gene i is the value of variable i). NULL
 * for an unknown kind, or without memory. */
TETROPT_API tetropt_problem *tetropt_problem_new(const char *kind);

/* Writes the fitness of `count` genotypes; returns 0, or another value on failure. */
typedef int tetropt_evaluate(void *context, const int16_t *genes, size_t count, double *fitness);

/* A problem of the caller: genes 0..genes-1, gene i in low[i]..high[i], and their fitness, which
 * must be finite. The ranges are copied. `evaluate` is called by tetropt_problem_evaluate and
 * tetropt_search_run, in their thread; it and `context` must stay valid as long as the problem or a
 * search on it exists. At most 1000000 genes within -32768..32767, and genes times values below
 * 2^32. NULL for an invalid range or pointer, or without memory. */
TETROPT_API tetropt_problem *tetropt_problem_custom(int genes, const int *low, const int *high,
                                                    tetropt_evaluate *evaluate, void *context);

TETROPT_API void tetropt_problem_free(tetropt_problem *problem);
TETROPT_API const char *tetropt_problem_message(const tetropt_problem *problem);

/* Sets an option. All are checked together when the problem is next used.
 *   tetris: "instance", "pieces", "n", "randomizer", "piece-seed", "seed", "placements", "width",
 *           "height", "board", "fumen", "encoding" (not placements), "order", "game-over",
 *           "perfect-clear-points", "profile" and "weights", as a solver has them
 *   queens: "n" (4..1000, default 8)
 *   sat:    "variables" (default 50), "clauses" (default 200), "impossible" (on or off) and "seed"
 *           (default 0) of a random formula; or "dimacs", the text of a DIMACS CNF file
 * A custom problem has no options. */
TETROPT_API int tetropt_problem_set(tetropt_problem *problem, const char *option,
                                    const char *value);

/* The number of genes of a genotype; 0 if the options are invalid, with a message. */
TETROPT_API int tetropt_problem_genes(tetropt_problem *problem);

/* Writes the lowest and the highest value of a gene. TETROPT_INPUT if the number of the gene or the
 * options are invalid. */
TETROPT_API int tetropt_problem_range(tetropt_problem *problem, int gene, int *low, int *high);

/* Writes the fitness of `count` genotypes, computed on `threads` threads (1..256; 0: one per CPU),
 * which the handle keeps for the next call. The number of threads does not change results.
 * TETROPT_INPUT, before any work: a gene is out of range (the message names row and gene), or a row
 * is not a permutation. `threads` does not apply to custom problems, whose function gets all rows
 * in one call. */
TETROPT_API int tetropt_problem_evaluate(tetropt_problem *problem, const int8_t *genes,
                                         size_t count, double *fitness, int threads);
TETROPT_API int tetropt_problem_evaluate16(tetropt_problem *problem, const int16_t *genes,
                                           size_t count, double *fitness, int threads);

/* Writes everything about one genotype as one line of JSON, truncated to `bytes`, and returns its
 * complete length; 0 on failure, with a message. For tetris that is what `tetropt eval --json`
 * prints, with the fitness by the problem's profile. */
TETROPT_API size_t tetropt_problem_document(tetropt_problem *problem, const int16_t *genes,
                                            char *text, size_t bytes);

/* Operators. The same seed gives the same result; input and output may be the same memory.
 *   random     writes `count` random genotypes; row i depends on the seed and i only
 *   neighbour  changes one random gene (queens: swaps two rows)
 *   cross      takes the first part from `first`, the rest from `second`, cut at a random unit (a
 *              piece of tetris, else a gene)
 *   mutate     changes a random gene of every unit with probability `rate`, 0..1 */
TETROPT_API int tetropt_problem_random(tetropt_problem *problem, uint64_t seed, size_t count,
                                       int16_t *genes);
TETROPT_API int tetropt_problem_neighbour(tetropt_problem *problem, const int16_t *genes,
                                          uint64_t seed, int16_t *neighbour);
TETROPT_API int tetropt_problem_cross(tetropt_problem *problem, const int16_t *first,
                                      const int16_t *second, uint64_t seed, int16_t *child);
TETROPT_API int tetropt_problem_mutate(tetropt_problem *problem, const int16_t *genes, double rate,
                                       uint64_t seed, int16_t *mutant);

/* ---- A search: one of our optimisers on a problem, step by step ---- */

/* Ask for genotypes, tell their fitness, until ask returns 0:
 *
 *     while ((count = tetropt_search_ask(search, genes, capacity)) > 0) {
 *         ... the fitness of `count` genotypes ...
 *         tetropt_search_tell(search, fitness, count);
 *     }
 *
 * With the fitness of tetropt_problem_evaluate this is the run that `tetropt solve` makes with the
 * same options and seed. A search runs once. */
typedef struct tetropt_search tetropt_search;

/* A search on the problem with its present options; the problem may be changed or freed
 * afterwards. Algorithms: tetropt_algorithm_name. NULL for an unknown algorithm, for invalid
 * options (see tetropt_problem_message), or without memory. */
TETROPT_API tetropt_search *tetropt_search_new(tetropt_problem *problem, const char *algorithm);
TETROPT_API void tetropt_search_free(tetropt_search *search);
TETROPT_API const char *tetropt_search_message(const tetropt_search *search);

/* Sets an option, before the first ask or the run:
 *   "seed"         seed of the search (default 0)
 *   "evaluations"  limit of evaluated genotypes; 0 (default): no limit
 *   "target"       stop at this fitness (default: none)
 *   "time"         time limit in seconds; 0 (default): no limit
 *   "threads"      of tetropt_search_run, 1..256 (default 1)
 *   "param"        NAME=VALUE, a parameter of the algorithm
 * A parameter of the algorithm can also be set by its own name, such as "population". */
TETROPT_API int tetropt_search_set(tetropt_search *search, const char *option, const char *value);

/* Writes the genotypes to evaluate next, at most `capacity` rows, and returns their number; with
 * NULL or a capacity of 0 it only returns how many wait. Returns 0 when the search is over, and -1
 * on failure. ga, abc and hybrid ask for whole generations, sa, hill and the refinements of hybrid
 * for one genotype at a time. Asking again before telling gives the same genotypes. beam and exact,
 * and auto where it begins with them (tetris), search placements and cannot be asked. */
TETROPT_API int64_t tetropt_search_ask(tetropt_search *search, int16_t *genes, size_t capacity);

/* Tells the fitness of all genotypes of the last ask, in its order. TETROPT_INPUT if there are more
 * or fewer, or if one is not finite. */
TETROPT_API int tetropt_search_tell(tetropt_search *search, const double *fitness, size_t count);

/* Runs the whole search instead, with the fitness of the problem. For a custom problem all calls of
 * its function come from this thread; if one fails, so does the run. */
TETROPT_API int tetropt_search_run(tetropt_search *search);

/* Sets the progress callback of a run, like tetropt_solver_on_progress. */
TETROPT_API void tetropt_search_on_progress(tetropt_search *search, tetropt_progress *progress,
                                            void *context);

/* Ends a run from another thread; after asking, the next ask returns 0. */
TETROPT_API void tetropt_search_stop(tetropt_search *search);

/* Writes the best genotype so far and its fitness; each may be NULL. TETROPT_UNMET if there is
 * none. */
TETROPT_API int tetropt_search_best(tetropt_search *search, int16_t *genes, double *fitness);

/* Genotypes evaluated so far. */
TETROPT_API uint64_t tetropt_search_evaluations(const tetropt_search *search);

/* Why it ended, as tetropt_solver_end; "" before, and after a failure. */
TETROPT_API const char *tetropt_search_end(tetropt_search *search);

/* ---- A vector environment: many games stepped at once, for reinforcement learning ---- */

/* One action per game in; observations, rewards, ends and legal actions out, into memory of the
 * caller. Call _new, _set, _sizes, _bind and _reset, then _step. A step allocates nothing, and the
 * number of threads does not change results. */
typedef struct tetropt_env tetropt_env;

/* An environment of `games` games, 1..1048576. NULL for another number, or without memory. */
TETROPT_API tetropt_env *tetropt_env_new(int games);
TETROPT_API void tetropt_env_free(tetropt_env *env);
TETROPT_API const char *tetropt_env_message(const tetropt_env *env);

/* Sets an option; then _bind and _reset must be called again. The options of a game
 * (tetropt_game_set), where game i has the seed "seed" + i, and:
 *   "actions"      what the numbers mean that _step takes:
 *                  keys: TETROPT_KEY_LEFT, ..., and 8: no key
 *                  placements (default): straight drops (rotate where the piece appears, move
 *                  sideways, hard drop); number rotation * width + x leaves the leftmost cell in
 *                  column x; 4 * width more presses hold first
 *                  reachable: a number in the list of tetropt_env_placements; at most 256
 *   "observation"  the board, row 0 at the floor:
 *                  planes (default): a uint8 per cell of the visible rows: 0 empty, 1 filled, and
 *                  for keys 2 a cell of the falling piece
 *                  float: the same as float32
 *                  bits: a uint16 per visible row, bit 0 at the left
 *                  features: float32; the height of every column, then the nine features that
 *                  `tetropt eval` prints
 *   "pieces-as"    how pieces follow the board in an observation: ids (default; I O T S Z J L are
 *                  0..6, 7 is none) or one-hot (7 items)
 *   "reward"       score (default): the increase of the game's score; or a scoring table (see
 *                  "scoring") that counts the lines of this step
 *   "autoreset"    when a game that ended starts again: next-step (default; that step ignores its
 *                  action and has reward 0), same-step, or off (by tetropt_env_reset only)
 *   "max-pieces"   truncates a game after this number of pieces; 0 (default): no limit
 *   "max-steps"    the same for steps
 *   "gravity"      for keys: the piece falls one row, or locks, after this number of steps; 0
 *                  (default): it only falls by keys
 *   "threads"      1..256 (default 1) */
TETROPT_API int tetropt_env_set(tetropt_env *env, const char *option, const char *value);

/* The shapes of the buffers. An observation has `items` items of one type: the board, the current
 * piece, the held piece, `preview` next pieces, 1 if hold can be used; for keys also rotation,
 * leftmost column and lowest row of the falling piece. The layout of this struct is stable. */
typedef struct tetropt_env_layout {
    int games, actions;
    int item_bytes;  /* 1: uint8_t, 2: uint16_t, 4: float */
    int items;       /* of one observation */
    int board_items; /* how many of them are the board */
    int board_rows;  /* of the board items: height for planes and float, else 1 */
    int piece_items; /* of one piece: 1 or 7 */
    int preview;
    size_t observation_bytes, reward_bytes, flag_bytes, mask_bytes; /* of the whole buffers */
} tetropt_env_layout;

/* Writes the layout for the present options. TETROPT_INPUT if they are invalid. */
TETROPT_API int tetropt_env_sizes(tetropt_env *env, tetropt_env_layout *layout);

/* Memory of the caller, one element (or row) per game. The library writes only what changed, so
 * nobody else may write to observations and masks. The layout of this struct is stable. */
typedef struct tetropt_env_buffers {
    void *observations;       /* games x items */
    void *final_observations; /* the same: the last one of a game that was reset in the same step;
                                 may be NULL */
    float *rewards;
    uint8_t *terminated; /* 1: the game is over */
    uint8_t *truncated;  /* 1: a limit ended it */
    uint8_t *masks;      /* games x actions, 1: legal; may be NULL */
} tetropt_env_buffers;

/* Uses these buffers from now on; they must exist as long as the environment or until the next
 * call. If games are running, their present state is written. TETROPT_INPUT if a buffer that is
 * required is NULL or not aligned to its items. */
TETROPT_API int tetropt_env_bind(tetropt_env *env, const tetropt_env_buffers *buffers);

/* Starts all games, with one seed per game, or (NULL) with those of the option "seed" at first and
 * then the next game of each seed. Game 0 of a seed has the pieces of a tetropt_game with it.
 * TETROPT_INPUT if there are no buffers. */
TETROPT_API int tetropt_env_reset(tetropt_env *env, const uint64_t *seeds);

/* Steps every game by one action. TETROPT_INPUT if a number is not in 0..actions-1; then no game
 * changes. An action that is not legal now is still defined: a key that is blocked does nothing,
 * also as part of a straight drop; hold that brings no other piece is left out; a column too far to
 * the right is the last one where the piece fits; a number beyond the reachable placements is taken
 * modulo their number. */
TETROPT_API int tetropt_env_step(tetropt_env *env, const int32_t *actions);

/* The state of one game. The layout of this struct is stable. */
typedef struct tetropt_env_info {
    uint64_t seed, episode; /* the game is number `episode` of its seed, from 0 */
    int64_t steps, pieces, lines, score;
    int over; /* TETROPT_OVER_NOT, ... */
} tetropt_env_info;

/* Writes the state of a game, by index from 0. TETROPT_INPUT if out of range, or before a reset. */
TETROPT_API int tetropt_env_look(tetropt_env *env, int game, tetropt_env_info *info);

/* For the actions reachable: writes the placements of a game by their numbers, at most `capacity`,
 * and returns how many there are; 0 for other actions. */
TETROPT_API int tetropt_env_placements(tetropt_env *env, int game, tetropt_placement *placements,
                                       int capacity);

/* ---- Agents of the caller ---- */

/* The version of the structs below. A definition names the one that it was compiled with. */
#define TETROPT_AGENT_ABI 1

/* What an agent sees in a turn. Members may be added at the end. */
typedef struct tetropt_view {
    int width, height;
    const uint64_t *columns;             /* the board: bit y of columns[x] is cell x, y */
    int current, held;                   /* letters; 0: none */
    const char *queue;                   /* the letters of the visible next pieces */
    const tetropt_placement *placements; /* the legal ones; those that end the game only if there
                                            are no others */
    int placement_count;
    int64_t lines;       /* cleared so far */
    int64_t pieces_left; /* that may still be placed, including this one; INT64_MAX: no limit */
    uint64_t random;     /* a random number for this turn, the same in every run */
} tetropt_view;

/* A placement to describe by features. Members may be added at the end. */
typedef struct tetropt_move {
    int width, height;
    const uint64_t *before, *after; /* the boards, as columns; `after` without full lines */
    tetropt_placement placement;    /* its `hold` is always 0, see `held` */
    int lines;                      /* that it clears */
    int held;                       /* the letter held afterwards; 0: none */
} tetropt_move;

/* An agent of the caller, one of two kinds:
 *   choose    returns the index of one of view->placements (any other number counts as 0)
 *   features  writes `feature_count` numbers about a placement; the agent plays the placement with
 *             the largest sum of weights times features. It takes weights, so `train` improves it
 * Both may be called by several threads at the same time, and must depend on their arguments only.
 * A definition is not copied: it must stay as it is until the process ends. */
typedef struct tetropt_agent_definition {
    int abi;             /* TETROPT_AGENT_ABI */
    const char *name;    /* 1 to 31 of the characters a-z 0-9 - _ */
    const char *summary; /* one line */
    int hold;            /* 1: it uses hold */
    int preview;         /* next pieces that it uses, 0..14 */
    int (*choose)(void *context, const tetropt_view *view); /* NULL: `features` is set */
    void (*features)(void *context, const tetropt_move *move, double *values);
    int feature_count;                /* 1..40 */
    const char *const *feature_names; /* as many */
    const double *weights;            /* as many, the default */
    void *context;                    /* for the functions */
} tetropt_agent_definition;

/* Registers the agent by its name for everything in this process: the option "agent" of agents and
 * jobs, and for features also "weights" and the kind of tetropt_agent_set_weights, all with the
 * same name. Registering a definition again has no effect. At most 32 agents. TETROPT_INPUT if the
 * definition is invalid or the name is taken; `message` (may be NULL) receives the reason. */
TETROPT_API int tetropt_agent_custom(const tetropt_agent_definition *definition, char *message,
                                     size_t bytes);

/* A shared object can be an agent of the program: `tetropt simulate --agent ./my_agent.so`. It
 * exports this function under this name, which returns its definition for the version `abi`, or
 * NULL if it was made for another one. The name of the file must contain a slash and end with .so.
 */
typedef const tetropt_agent_definition *tetropt_agent_define_function(int abi);
#define TETROPT_AGENT_DEFINE "tetropt_agent_define"

/* ---- More about a job ---- */

/* After a run of "train", "match" or "clears": writes the text that its option "resume" takes to
 * continue it (a training with more "generations", for example), as tetropt_job_document writes the
 * result. The continued run gives the same result as one without an interruption. 0 if the job
 * cannot be resumed, or if there was no run. */
TETROPT_API size_t tetropt_job_state(const tetropt_job *job, char *text, size_t bytes);

/* ---- More about a game ---- */

/* Writes where the falling piece is: its rotation centre and rotation, as in a tetropt_placement.
 * TETROPT_UNMET if the game is over, TETROPT_INPUT if it is not started. Stores no message. */
TETROPT_API int tetropt_game_position(const tetropt_game *game, int *x, int *y, int *rotation);

#ifdef __cplusplus
}
#endif

#endif
