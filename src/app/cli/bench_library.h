/*
 * bench_library: the rows of `bench` that go through the public library (include/tetropt.h), as
 * programs that use it do.
 */
#ifndef TETROPT_CLI_BENCH_LIBRARY_H
#define TETROPT_CLI_BENCH_LIBRARY_H

#include "cli/bench_rows.h"

/* Pieces of genotypes that tetropt_problem_evaluate evaluates per second. */
double bench_problem(const BenchRow *row, bool quick, unsigned threads, Status *status);

/* Steps of tetropt_env_step per second, with random actions of the kind row->subject, uint8
 * observations and masks. */
double bench_env(const BenchRow *row, bool quick, unsigned threads, Status *status);

#endif
