/*
 * sat: satisfiability of clauses, as a problem for the optimisers; random 3-SAT and DIMACS files.
 *
 * A genotype is one byte per variable, 0 or 1. The fitness is the number of satisfied clauses, so a
 * solution has the fitness `sat_clause_count`. The ledger counts the true literals of every clause;
 * a flip touches only the clauses that hold the variable.
 *
 * Invariant: no clause in the lists has a literal twice or a literal and its negation: the former
 * is dropped, and a clause with the latter is always true and only counted.
 */
#ifndef TETROPT_PROBLEM_SAT_H
#define TETROPT_PROBLEM_SAT_H

#include "base/status.h"
#include "problem/problem.h"

enum {
    SAT_MAX_VARIABLES = 1000000,
    SAT_MAX_CLAUSES = 10000000,
    SAT_MAX_LITERALS = 50000000, /* in all clauses together */
    SAT_EXHAUSTIVE_MAX = 40      /* variables; 2^41 assignments would take a day */
};

typedef struct Sat Sat;

/* A random formula: every clause has three different variables, each negated or not. With
 * `impossible` the eight clauses over the first three variables are added, which no assignment
 * satisfies. At least three variables. NULL with `status` on failure; that of STATUS_UNMET when it
 * was cut. */
Sat *sat_random(uint32_t variables, uint32_t clauses, bool impossible, uint64_t seed,
                ProblemCut cut, Status *status);

/* Reads a DIMACS CNF text: comment lines, "p cnf V C", then C clauses that end with 0. Messages are
 * "NAME:LINE: WHY". NULL with `status` on failure; that of STATUS_UNMET when it was cut. */
Sat *sat_parse(const char *name, const char *text, size_t length, ProblemCut cut, Status *status);

void sat_free(Sat *sat);

/* Lives as long as `sat`. */
const Problem *sat_problem(const Sat *sat);

uint32_t sat_variable_count(const Sat *sat);
uint32_t sat_clause_count(const Sat *sat);

/* The literals of a clause as DIMACS writes them, 1 for the first variable and -1 for its negation.
 * Writes at most `capacity` and returns their number. Clauses that are always true are empty and
 * come last. */
size_t sat_clause(const Sat *sat, uint32_t clause, int32_t *literals, size_t capacity);

/* The satisfied clauses. */
uint32_t sat_satisfied(const Sat *sat, const uint8_t *values);

/* Tries assignments in order until one satisfies all: variable after variable takes 0, then 1, and
 * clauses are checked when all variables are set. Every value that a variable is given counts as
 * one assignment, so a formula of v variables without a solution takes 2^(v+1) - 2. True with
 * `values` filled when there is a solution. False otherwise: *complete tells whether all were tried
 * or the search was cut. At most SAT_EXHAUSTIVE_MAX variables. */
bool sat_exhaustive(const Sat *sat, ProblemCut cut, uint8_t *values, uint64_t *assignments,
                    bool *complete, Status *status);

#endif
