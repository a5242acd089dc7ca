/*
 * tetropt.h: the public interface of libtetropt, to play, solve and measure Tetris from C and C++.
 *
 * There are four handles: a game, an agent that plays it, a solver for known lists of pieces, and a
 * simulation of many games. Each has the same life: _new, _set for every option that shall differ
 * from its default, the work, _free. Options are texts with the names and values of the program's
 * command line. An option can be set as often as one likes: the newest value counts, from the next
 * work on, and an empty text brings the default back. A value that is refused changes nothing. One
 * that can only be judged together with others (a board, say) is taken, and refused when the work
 * begins; set it anew, and the work can begin.
 *
 * What writes a list or a text returns how long the whole is, whatever the capacity; NULL, or a
 * capacity of 0, only asks for that.
 *
 * A function that can fail returns a code (TETROPT_OK is 0) and leaves a line that says why, which
 * _message returns until another call on the handle fails. That line is kept in the handle, so such
 * a function takes it without const even where it only looks. A _new function returns NULL when
 * memory runs out, and nothing else. Nothing prints, exits, or changes the state of the process.
 *
 * NULL in place of a handle, a text or something to be written is refused as any other wrong value,
 * where it is not said to be allowed; what returns no code then returns what it does when there is
 * nothing (0, "", NULL, -1 for keys).
 *
 * Different handles may be used by different threads at the same time; one handle by one thread at
 * a time, but for the _stop functions. A callback (tetropt_watch, tetropt_progress) may use all
 * handles, but must not free those of the call that it comes from.
 *
 * The same options and the same seed give the same results on every machine and with any number of
 * threads, as long as no time limit and no stop cuts the work off.
 *
 * Coordinates: x from 0 at the left wall, y from 0 at the floor. Pieces are the letters I O T S Z J
 * L; 0 stands for none.
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

/* Of this header. A program that was compiled with it runs with any library of the same major
 * number that is not older. */
#define TETROPT_VERSION_MAJOR 1
#define TETROPT_VERSION_MINOR 0
#define TETROPT_VERSION_PATCH 0

/* The same as one number, to compare in #if: 10203 for 1.2.3. */
#define TETROPT_VERSION_NUMBER                                                                     \
    (TETROPT_VERSION_MAJOR * 10000 + TETROPT_VERSION_MINOR * 100 + TETROPT_VERSION_PATCH)

/* The version of the library, as "1.0.0". */
TETROPT_API const char *tetropt_version(void);

/* ---- Codes and values ---- */

/* What functions return that can fail. */
enum {
    TETROPT_OK = 0,
    TETROPT_UNMET = 1, /* nothing is wrong, but it did not happen: a blocked key, no way by keys */
    TETROPT_INPUT = 2, /* what was given is wrong */
    TETROPT_SYSTEM = 3 /* memory or threads ran out */
};

/* The keys of a player. */
enum {
    TETROPT_KEY_LEFT = 0,
    TETROPT_KEY_RIGHT = 1,
    TETROPT_KEY_CLOCKWISE = 2,
    TETROPT_KEY_COUNTER = 3,
    TETROPT_KEY_TURN_180 = 4,  /* only where the game allows it */
    TETROPT_KEY_SOFT_DROP = 5, /* one row */
    TETROPT_KEY_HARD_DROP = 6, /* down and locked */
    TETROPT_KEY_HOLD = 7
};

/* Why a game is over. */
enum {
    TETROPT_OVER_NOT = 0,
    TETROPT_OVER_BLOCK_OUT = 1, /* the next piece has no room */
    TETROPT_OVER_LOCK_OUT = 2,  /* a piece locked above the board */
    TETROPT_OVER_NO_PIECES = 3  /* a list of pieces is used up */
};

/* T-spins. */
enum { TETROPT_SPIN_NONE = 0, TETROPT_SPIN_MINI = 1, TETROPT_SPIN_FULL = 2 };

/* Where a piece locks. This struct stays as it is. */
typedef struct tetropt_placement {
    int piece;    /* its letter */
    int rotation; /* 0 as it appears, 1 turned clockwise once, 2, 3 */
    int x, y;     /* its rotation centre; tetropt_placement_cells says what that fills */
    int spin;     /* TETROPT_SPIN_NONE, ... */
    int hold;     /* 1: hold is pressed first, and this is the piece that hold brings */
} tetropt_placement;

/* The four cells of a placement. TETROPT_INPUT when it is none on any board: a letter, a number or
 * a place that does not exist. */
TETROPT_API int tetropt_placement_cells(const tetropt_placement *placement, int x[4], int y[4]);

/* "left", "right", "cw", "ccw", "180", "down", "drop", "hold"; NULL when there is no such key. */
TETROPT_API const char *tetropt_key_name(int key);

/* The names that the options "agent", "weights" and "algorithm" take, by index from 0; NULL after
 * the last. */
TETROPT_API const char *tetropt_agent_name(int index);
TETROPT_API const char *tetropt_weights_name(int index);
TETROPT_API const char *tetropt_algorithm_name(int index);

/* ---- A game ---- */

typedef struct tetropt_game tetropt_game;

/* A handle with the default options, to be freed by its _free (which takes NULL, too); NULL: no
 * memory. The message of the last failure belongs to the handle; "" when there was none. That of
 * NULL says that it is no handle. */
TETROPT_API tetropt_game *tetropt_game_new(void);
TETROPT_API void tetropt_game_free(tetropt_game *game);
TETROPT_API const char *tetropt_game_message(const tetropt_game *game);

/* Sets an option; it counts from the next start on:
 *   "rules"       guideline (default): every place that keys can reach; drop: straight down only
 *   "width"       columns, 4..16 (default 10)
 *   "height"      visible rows, 4..40 (default 20); 20 hidden ones are above
 *   "seed"        the game's number (default 0)
 *   "randomizer"  bag (default), uniform, list, sz, sz-random
 *   "pieces"      the letters of the list; with it the randomizer is list (default: none)
 *   "preview"     next pieces that can be seen, 0..14 (default 1)
 *   "hold"        on (default) or off
 *   "rotate180"   on or off (default)
 *   "scoring"     unit, guideline (default), local-search, classic, local-search-published
 *   "bonus"       on or off (default): T-spins, combos and so on; for the scoring guideline
 *   "board"       the board to begin with, rows from the top with line ends between: '.' is empty,
 *                 letters of pieces, 'G' and '#' are filled (default: nothing is) */
TETROPT_API int tetropt_game_set(tetropt_game *game, const char *option, const char *value);

/* Begins a game by the options. To be called before everything below. */
TETROPT_API int tetropt_game_start(tetropt_game *game);

/* Another game with the same options in the same state; NULL when memory runs out. The copy of one
 * that is not started is not started. */
TETROPT_API tetropt_game *tetropt_game_copy(const tetropt_game *game);

/* Brings `game` into the state of `from`; its options stay. For trying things out again and again
 * without new handles. */
TETROPT_API int tetropt_game_assign(tetropt_game *game, const tetropt_game *from);

TETROPT_API int tetropt_game_width(const tetropt_game *game);
TETROPT_API int tetropt_game_height(const tetropt_game *game);

/* 1 when a cell is filled. What is left, right and below of the board counts as filled, what is
 * above as empty. */
TETROPT_API int tetropt_game_cell(const tetropt_game *game, int x, int y);

/* A row as bits, bit 0 at the left; 0 outside of the board. */
TETROPT_API uint32_t tetropt_game_row(const tetropt_game *game, int y);

/* Writes the board as text, `height` rows or more from the top, '#' filled and '.' empty, a line
 * end behind each, ended by a NUL and cut where `bytes` ends; returns the length that it has uncut,
 * 0 when memory runs out. */
TETROPT_API size_t tetropt_game_text(const tetropt_game *game, char *text, size_t bytes);

/* The letter of the falling piece, of the held one, and of the visible next ones from 0; 0: none.
 */
TETROPT_API int tetropt_game_current(const tetropt_game *game);
TETROPT_API int tetropt_game_held(const tetropt_game *game);
TETROPT_API int tetropt_game_next(const tetropt_game *game, int index);

TETROPT_API int64_t tetropt_game_score(const tetropt_game *game);
TETROPT_API int64_t tetropt_game_lines(const tetropt_game *game);
TETROPT_API int64_t tetropt_game_pieces(const tetropt_game *game); /* that were locked */
TETROPT_API int tetropt_game_over(const tetropt_game *game);       /* TETROPT_OVER_NOT, ... */

/* Writes the placements of this turn, at most `capacity` of them, and returns how many there are;
 * 0 when the game is over. First those of the falling piece, then, where hold may be used and
 * brings another piece that can be seen, those with `hold`. Each fills other cells; with the option
 * "bonus" a T that can get to the same cells with and without a spin is listed once for each.
 * Placements that end the game are among them. */
TETROPT_API int tetropt_game_placements(const tetropt_game *game, tetropt_placement *placements,
                                        int capacity);

/* Writes the fewest keys that bring the piece from where it appears to the placement, at most
 * `capacity` of them, and returns how many there are: hold where it is used, then left, right,
 * turns and soft drops, then the hard drop. -1 when there is no such placement, and when under the
 * rules drop the stack stands in the way of keys. */
TETROPT_API int tetropt_game_keys(tetropt_game *game, const tetropt_placement *placement, int *keys,
                                  int capacity);

/* Locks a piece. TETROPT_INPUT when that placement cannot be made now. */
TETROPT_API int tetropt_game_place(tetropt_game *game, const tetropt_placement *placement);

/* Presses a key. TETROPT_UNMET when it did nothing. */
TETROPT_API int tetropt_game_press(tetropt_game *game, int key);

/* ---- An agent ---- */

typedef struct tetropt_agent tetropt_agent;

TETROPT_API tetropt_agent *tetropt_agent_new(void);
TETROPT_API void tetropt_agent_free(tetropt_agent *agent);
TETROPT_API const char *tetropt_agent_message(const tetropt_agent *agent);

/* Sets an option:
 *   "agent"    who plays (default weighted); `tetropt simulate --list` explains them. Setting it
 *              brings all parameters back to their defaults, so it comes before them
 *   "weights"  a named set of weights in place of the agent's own (the default, also after
 *              tetropt_agent_set_weights)
 *   "param"    NAME=VALUE, a parameter of the agent that was set; each keeps its newest value. An
 *              empty text brings all of them back to their defaults
 *   "seed"     of its chance (default 0), which begins anew */
TETROPT_API int tetropt_agent_set(tetropt_agent *agent, const char *option, const char *value);

/* Weights of one's own for the features of a kind (literature, local, placement, stack, surface,
 * local-published), as many as the kind has. They replace "weights". */
TETROPT_API int tetropt_agent_set_weights(tetropt_agent *agent, const char *kind,
                                          const double *weights, int count);

/* The features of a kind in the order of their weights, from 0; NULL after the last. */
TETROPT_API const char *tetropt_feature_name(const char *kind, int index);

/* Decides about the turn of a game and writes the placement; the game stays as it is. An agent that
 * uses neither hold nor the next pieces does not see them. TETROPT_UNMET when the game is over. */
TETROPT_API int tetropt_agent_choose(tetropt_agent *agent, const tetropt_game *game,
                                     tetropt_placement *placement);

/* Is told of every piece that was locked; another value than 0 ends the play. */
typedef int tetropt_watch(void *context, const tetropt_game *game);

/* Plays the game to its end, or until so many pieces are locked, those before the call counted too
 * (0: no limit). `watch` may be NULL; of agents that play whole games at once (bees), which begin
 * with the first piece, it sees the end only. */
TETROPT_API int tetropt_agent_play(tetropt_agent *agent, tetropt_game *game, int64_t pieces,
                                   tetropt_watch *watch, void *context);

/* ---- A solver: the best arrangement of known pieces ---- */

typedef struct tetropt_solver tetropt_solver;

TETROPT_API tetropt_solver *tetropt_solver_new(void);
TETROPT_API void tetropt_solver_free(tetropt_solver *solver);
TETROPT_API const char *tetropt_solver_message(const tetropt_solver *solver);

/* Sets an option:
 *   "pieces"       the letters of the piece sequence; this or "n" must be given
 *   "n"            instead: draws whole bags, at least this number + 1 pieces, and places 1..1000
 *   "randomizer"   of "n": bag (default), uniform, sz, sz-random
 *   "piece-seed"   of "n" (default: as "seed")
 *   "placements"   how many of them to place, 1..1000 (default: all)
 *   "width"        columns, 4..16 (default 10)
 *   "height"       visible rows, 4..40 (default 20)
 *   "board"        the board to begin with, as for a game
 *   "fumen"        instead: the field of the first page of a fumen
 *   "encoding"     simple, double, swap-simple, swap-double (default), placements
 *   "order"        how genes are applied: turn-first (default), move-first, published
 *   "game-over"    on (default); off: pieces appear and lock on filled cells too
 *   "perfect-clear-points"  score of a perfect clear, 0 by default
 *   "hold"         on (default) or off; for the encoding placements
 *   "algorithm"    auto (default), ga, sa, abc, hill, hybrid, beam, exact. Setting it brings all
 *                  parameters back to their defaults, so it comes before them
 *   "param"        NAME=VALUE, a parameter of the algorithm that was set; each keeps its newest
 *                  value. An empty text brings all of them back to their defaults
 *   "profile"      what is maximised: blocks (default), rows, pieces, tetrises, height
 *   "weights"      instead: the text of a file of weights of a profile, as `train` writes it
 *   "start"        the text of a document with a solution to start from
 *   "seed"         default 0
 *   "time"         seconds after which the search is cut off; 0 (default): no limit
 *   "evaluations"  the most solutions to look at; 0 (default): no limit
 *   "target"       stops at this fitness (default: at none)
 *   "threads"      1..256 (default 1) */
TETROPT_API int tetropt_solver_set(tetropt_solver *solver, const char *option, const char *value);

/* Is told how far a search is, by the thread that runs it; another value than 0 ends it. */
typedef int tetropt_progress(void *context, uint64_t evaluations, double best);

/* NULL: nobody is told. */
TETROPT_API void tetropt_solver_on_progress(tetropt_solver *solver, tetropt_progress *progress,
                                            void *context);

/* Searches. What was found when it ended, however it ended, is then there to be asked for below; a
 * search that was refused leaves nothing. One that runs cannot be begun again by those who are told
 * of it. */
TETROPT_API int tetropt_solver_run(tetropt_solver *solver);

/* Ends a search from another thread, within a fraction of a second; when there is none, the next
 * one as soon as it begins. */
TETROPT_API void tetropt_solver_stop(tetropt_solver *solver);

/* Of the best solution; before a search the fitness is -INFINITY and the rest 0. */
TETROPT_API double tetropt_solver_fitness(const tetropt_solver *solver);
TETROPT_API int tetropt_solver_lines(const tetropt_solver *solver);
TETROPT_API int tetropt_solver_perfect_clear(const tetropt_solver *solver); /* an empty board */
TETROPT_API int
tetropt_solver_optimal(const tetropt_solver *solver); /* proved; exact, at times auto */
TETROPT_API uint64_t tetropt_solver_evaluations(const tetropt_solver *solver);

/* Why the search ended: "finished", "patience", "target", "evaluations", "time", "stopped"; "" when
 * there was none. */
TETROPT_API const char *tetropt_solver_end(const tetropt_solver *solver);

/* How many pieces are placed; placement number `index` from 0 (TETROPT_INPUT when there is none);
 * and its keys as tetropt_game_keys gives them (-1 when there is none). */
TETROPT_API int tetropt_solver_count(const tetropt_solver *solver);
TETROPT_API int tetropt_solver_placement(tetropt_solver *solver, int index,
                                         tetropt_placement *placement);
TETROPT_API int tetropt_solver_keys(tetropt_solver *solver, int index, int *keys, int capacity);

/* The final board with the letters of the pieces; as tetropt_game_text. */
TETROPT_API size_t tetropt_solver_text(const tetropt_solver *solver, char *text, size_t bytes);

/* ---- A simulation: an agent plays many games, and is measured ---- */

typedef struct tetropt_simulation tetropt_simulation;

TETROPT_API tetropt_simulation *tetropt_simulation_new(void);
TETROPT_API void tetropt_simulation_free(tetropt_simulation *simulation);
TETROPT_API const char *tetropt_simulation_message(const tetropt_simulation *simulation);

/* Sets an option:
 *   "games"         to play (default 100); game number i has the seed of the game plus i
 *   "max-pieces"    of a game (default 10000); 0: no limit; not with "total-pieces"
 *   "total-pieces"  0 (default): games; else 64 streams in which a new game follows every end,
 *                   until so many pieces are placed in all
 *   "time"          seconds after which it is cut off; 0 (default): no limit
 *   "threads"       1..256 (default 1) */
TETROPT_API int tetropt_simulation_set(tetropt_simulation *simulation, const char *option,
                                       const char *value);

/* Lets the agent play games with the options of `game`, which need not be started; its option
 * "board" is not used. The agent's seed is not used either: its chance comes from the game's. */
TETROPT_API int tetropt_simulation_run(tetropt_simulation *simulation, const tetropt_agent *agent,
                                       const tetropt_game *game);

/* Ends it from another thread, as tetropt_solver_stop; the games that were completed count. */
TETROPT_API void tetropt_simulation_stop(tetropt_simulation *simulation);

/* The games (or streams) that count, and their pieces, lines and ends by the rules in all. With
 * "total-pieces", lines by ends is the mean of a game. */
TETROPT_API int64_t tetropt_simulation_games(const tetropt_simulation *simulation);
TETROPT_API int64_t tetropt_simulation_pieces(const tetropt_simulation *simulation);
TETROPT_API int64_t tetropt_simulation_lines(const tetropt_simulation *simulation);
TETROPT_API int64_t tetropt_simulation_deaths(const tetropt_simulation *simulation);

/* The mean of a measure of those games (or streams) with its 95 % interval (NaN for a single game);
 * `low` and `high` may be NULL. Measures: score, lines, pieces, level, singles, doubles, triples,
 * tetrises, max_height, holes. TETROPT_INPUT for another one, TETROPT_UNMET when it is not known:
 * before a run, and for some measures of fast runs by "total-pieces". */
TETROPT_API int tetropt_simulation_mean(tetropt_simulation *simulation, const char *measure,
                                        double *mean, double *low, double *high);

/* ---- Any job ---- */

/* Everything that the program computes is a job with one question and one answer: "solve", "eval",
 * "simulate" and "train". The question is made of the options of the command line (without dashes;
 * options about files take their content), the answer is the JSON document that `--json` prints. A
 * parameter of an algorithm, agent or method can be set by its own name. Unlike a solver, a job
 * draws its seed and uses all processors when nothing else is set, as the program does. */
typedef struct tetropt_job tetropt_job;

/* The names of the jobs, by index from 0; NULL after the last. */
TETROPT_API const char *tetropt_job_name(int index);

/* NULL when there is no job of that name, or no memory. */
TETROPT_API tetropt_job *tetropt_job_new(const char *name);
TETROPT_API void tetropt_job_free(tetropt_job *job);
TETROPT_API const char *tetropt_job_message(const tetropt_job *job);

/* Sets an option; the whole question is checked when it runs. */
TETROPT_API int tetropt_job_set(tetropt_job *job, const char *option, const char *value);

/* As tetropt_solver_on_progress. The numbers are evaluations and the best fitness (solve), pieces
 * (simulate), or generations and their best score (train). */
TETROPT_API void tetropt_job_on_progress(tetropt_job *job, tetropt_progress *progress,
                                         void *context);

/* Runs the job. TETROPT_INPUT: the question was rejected, with the message of the command line. */
TETROPT_API int tetropt_job_run(tetropt_job *job);

/* Ends a run from another thread, as tetropt_solver_stop; the answer is what was found so far. */
TETROPT_API void tetropt_job_stop(tetropt_job *job);

/* Writes the answer of the last run, one line of JSON, truncated at `bytes`; returns its whole
 * length; 0: there is none. */
TETROPT_API size_t tetropt_job_document(const tetropt_job *job, char *text, size_t bytes);

/* ---- A problem: genotypes and their fitness ---- */

/* A genotype is a row of `tetropt_problem_genes` integers, each within its range. Rows of a batch
 * follow one another in memory. The largest fitness is the best. */
typedef struct tetropt_problem tetropt_problem;

/* A problem of a kind: "tetris" (the genes place a known piece sequence), "queens" (gene i is the
 * column of the queen in row i: a permutation) or "sat" (gene i is the value of variable i). NULL:
 * unknown kind, or no memory. */
TETROPT_API tetropt_problem *tetropt_problem_new(const char *kind);

/* The fitness of `count` genotypes into `fitness`; returns 0, or another value if it failed. */
typedef int tetropt_evaluate(void *context, const int16_t *genes, size_t count, double *fitness);

/* A problem of the caller: genes 0..genes-1, gene i in low[i]..high[i], and their fitness, which
 * must be finite. `evaluate` is called only by the thread that called the library (tetropt_search
 * has an exception), and must be able to as long as the problem or a search on it exists. NULL: a
 * range or pointer is invalid, or no memory. At most 1000000 genes within -32768..32767, and genes
 * times values below 2^32. */
TETROPT_API tetropt_problem *tetropt_problem_custom(int genes, const int *low, const int *high,
                                                    tetropt_evaluate *evaluate, void *context);

TETROPT_API void tetropt_problem_free(tetropt_problem *problem);
TETROPT_API const char *tetropt_problem_message(const tetropt_problem *problem);

/* Sets an option. All are checked together when the problem is next used.
 *   tetris: "pieces", "n", "randomizer", "piece-seed", "seed", "placements", "width", "height",
 *           "board", "fumen", "encoding" (not placements), "order", "game-over",
 *           "perfect-clear-points", "profile" and "weights", as a solver has them
 *   queens: "n" (4..1000, default 8)
 *   sat:    "variables" (default 50), "clauses" (default 200), "impossible" (on or off) and "seed"
 *           (default 0) of a random formula; or "dimacs", the text of a DIMACS CNF file
 * A custom problem has no options. */
TETROPT_API int tetropt_problem_set(tetropt_problem *problem, const char *option,
                                    const char *value);

/* The genes of a genotype; 0: the options are invalid, and the message says why. */
TETROPT_API int tetropt_problem_genes(tetropt_problem *problem);

/* The lowest and the highest value of a gene. */
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

/* Writes everything about one genotype as one line of JSON, truncated at `bytes`, and returns its
 * whole length; 0: it failed. For tetris that is what `tetropt eval --json` prints, with the
 * fitness by the problem's profile. */
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

#ifdef __cplusplus
}
#endif

#endif
