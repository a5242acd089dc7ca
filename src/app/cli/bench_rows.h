/*
 * bench_rows: what `bench` measures, one row per number.
 *
 * Every row does fixed work. A rate is that of the best of several rounds: whatever else the
 * machine does makes a round slower and never faster. A ratio takes the best time of each side,
 * one thread and two in turn.
 */
#ifndef TETROPT_CLI_BENCH_ROWS_H
#define TETROPT_CLI_BENCH_ROWS_H

#include "base/pool.h"
#include "base/status.h"

#include <stdint.h>

typedef enum BenchGroup { BENCH_RATE, BENCH_MILLISECONDS, BENCH_RATIO, BENCH_GROUPS } BenchGroup;

/* The object of the JSON document that has the numbers of a group. */
extern const char *const bench_group_names[BENCH_GROUPS];

typedef struct BenchRow BenchRow;

struct BenchRow {
    const char *name;    /* for --only */
    const char *member;  /* of the JSON object of its group */
    const char *meaning; /* one line */
    BenchGroup group;
    double (*measure)(const BenchRow *row, bool quick, unsigned threads, Status *status);
    /* What `measure` is to do: */
    const char *subject;   /* the algorithm, agent or pieces */
    int size;              /* rows of a messy stack, or decisions */
    const char *preset;    /* of the algorithm; may be NULL */
    const char *parameter; /* NAME=VALUE of the algorithm; may be NULL */
};

/* Row number `index`; NULL after the last. */
const BenchRow *bench_row_at(int index);

/* The row called `name`; NULL with `status` when there is none. */
const BenchRow *bench_row_find(const char *name, Status *status);

/* Measures; `threads` is what the rows `genotypes` and `problem` use. Check `status` for failure.
 */
double bench_row_measure(const BenchRow *row, bool quick, unsigned threads, Status *status);

/* A checksum of the results of genotypes, perft and the drop player, the same on every machine,
 * compiler and CPU level; 0 with `status` on failure. */
uint64_t bench_signature(Status *status);

#endif
