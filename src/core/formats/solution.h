/*
 * solution: a piece sequence with the genes or moves that place it, as JSON.
 *
 * One reader for the documents that hold a solution: what `eval` takes, what `solve` writes, and
 * replays. Every gene that is read is checked: a request that was read can be decoded. Only
 * whether a move can be reached is decided by the rules, later.
 */
#ifndef TETROPT_FORMATS_SOLUTION_H
#define TETROPT_FORMATS_SOLUTION_H

#include "base/json.h"
#include "base/json_writer.h"
#include "formats/replay.h"
#include "problem/evaluate.h"

/* Options given together with a document. */
typedef struct SolutionGiven {
    const char *fumen; /* the board at the start, for an eval document that has none; NULL: none */
    DecodeRules rules; /* those that replace what the document says: */
    bool order, game_over, perfect_points;
} SolutionGiven;

/* Reads a solution; `given` may be NULL. Messages name the member, or the kind of document that
 * this is instead. */
bool solution_read(const char *text, size_t length, const SolutionGiven *given,
                   EvalRequest *request, EvalSolution *solution, Status *status);

/* Reads the problem of an eval document, which needs no genes; the encoding must have some. */
bool solution_read_problem(const char *text, size_t length, const SolutionGiven *given,
                           EvalRequest *request, Status *status);

/* Reads the genes of a solution for a given request. The document must have as many placements and
 * the same encoding, or moves that the request's encoding can make. Genes for other rules are
 * replaced by genes that make the same placements. */
bool solution_read_genes(const char *text, size_t length, const EvalRequest *request, int8_t *genes,
                         Status *status);

/* Reads a replay, or plays a solution and makes a replay of it. On success the caller releases it.
 */
bool solution_read_replay(const char *text, size_t length, Replay *replay, Status *status);

/* Writes the members of the result of a solution: fitness, score, features, the final board... */
void solution_write_result(JsonWriter *json, const EvalResult *result);

/* Writes the members of a solution that was played: encoding, pieces, genes, moves with their keys,
 * the board at the start and a fumen where the game fits one. */
void solution_write(JsonWriter *json, const EvalRequest *request, const EvalSolution *solution,
                    const EvalResult *result);

#endif
