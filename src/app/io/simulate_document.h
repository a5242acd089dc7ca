/*
 * simulate_document: the outcome of a simulation, and a game to be played again, as JSON.
 *
 * What is not known is null: a measure that fast players do not keep, the interval of a single
 * game.
 */
#ifndef TETROPT_IO_SIMULATE_DOCUMENT_H
#define TETROPT_IO_SIMULATE_DOCUMENT_H

#include "base/json_writer.h"
#include "simulate/simulate.h"

/* Above so many games the single ones are listed only when asked for. */
enum { SIMULATE_LISTED_GAMES = 1000 };

/* What to leave out or put in. */
typedef struct SimulateDocumentOptions {
    bool times;          /* what differs from run to run */
    bool per_game;       /* even above SIMULATE_LISTED_GAMES */
    const char *weights; /* the name they were given by; NULL: none */
} SimulateDocumentOptions;

/* Writes the document that `simulate --json` prints. */
void simulate_document(JsonWriter *w, const SimulateTask *task, const SimulateResult *result,
                       SimulateDocumentOptions options);

/* Writes only the members that `times` adds, in the open object. */
void simulate_document_times(JsonWriter *w, const SimulateResult *result);

/* Adds game number `index`, whose decisions were recorded, as a replay with its key presses. */
bool simulate_replay(const SimulateTask *task, int64_t index, const AgentRecord *record, Text *text,
                     Status *status);

#endif
