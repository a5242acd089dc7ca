/* sat: the reader, the ledger against whole evaluations, exhaustive counts, solving. */
#include <signal.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optim/registry.h"
#include "problem/sat.h"

static const ProblemCut never = {NULL, NULL};

static Sat *parse(const char *text, Status *status) {
    *status = (Status){0};
    return sat_parse("f.cnf", text, strlen(text), (ProblemCut){0}, status);
}

static void refuses(const char *text, const char *message) {
    Status status;
    Sat *sat = parse(text, &status);
    cr_assert_null(sat, "accepted: %s", text);
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert_str_eq(status.message, message);
}

Test(sat, reads_dimacs) {
    Status status;
    Sat *sat =
        parse("c a comment\n\nc\np cnf 3 4\n1 -2 0 2\n3 0\nc between\n-1 0\n\t-3 2 1 0\n", &status);
    cr_assert_not_null(sat, "%s", status.message);
    cr_assert_eq(sat_variable_count(sat), 3);
    cr_assert_eq(sat_clause_count(sat), 4);
    cr_assert_eq(sat_satisfied(sat, (uint8_t[]){0, 0, 0}), 3);
    cr_assert_eq(sat_satisfied(sat, (uint8_t[]){1, 1, 1}), 3);
    cr_assert_eq(sat_satisfied(sat, (uint8_t[]){0, 0, 1}), 3);
    cr_assert_eq(sat_satisfied(sat, (uint8_t[]){0, 1, 1}), 3);
    sat_free(sat);
    sat = parse("p cnf 2 1\r\n1 2 0\r\n%\r\n0\r\n", &status);
    cr_assert_not_null(sat, "%s", status.message);
    sat_free(sat);
    sat = parse("p cnf 1 0", &status);
    cr_assert_not_null(sat, "%s", status.message);
    sat_free(sat);
}

Test(sat, refuses_what_is_not_dimacs) {
    const char *header = "expected 'p cnf VARIABLES CLAUSES'";
    char message[100];
    snprintf(message, sizeof message, "f.cnf:1: %s", header);
    refuses("", message);
    refuses("1 2 0\n", message);
    refuses("p dnf 1 1\n", message);
    refuses("pcnf 1 1\n", message);
    refuses("p cnf 1 1 1\n", message);
    refuses("p cnf 1", message);
    refuses("p cnf x 1\n", "f.cnf:1: expected an integer");
    refuses("p cnf 0 0\n", "f.cnf:1: the number of variables is not in 1..1000000");
    refuses("p cnf 1000001 0\n", "f.cnf:1: the number of variables is not in 1..1000000");
    refuses("p cnf 3 -1\n", "f.cnf:1: the number of clauses is not in 0..10000000");
    refuses("p cnf 9999999999 1\n", "f.cnf:1: the number is too long");
    refuses("c x\np cnf 2 1\n3 0\n", "f.cnf:3: unknown variable");
    refuses("p cnf 2 1\n-3 0\n", "f.cnf:2: unknown variable");
    refuses("p cnf 2 1\n1 2\n", "f.cnf:3: the last clause has no 0 at its end");
    refuses("p cnf 2 2\n1 2 0\n", "f.cnf:3: there are fewer clauses than announced");
    refuses("p cnf 2 1\n1 2 0\n1 0\n", "f.cnf:3: there are more clauses than announced");
    refuses("p cnf 2 1\n1 a 0\n", "f.cnf:2: expected an integer");
    refuses("p cnf 2 1\n1 2x 0\n", "f.cnf:2: expected an integer");
    refuses("p cnf 2 1\n1 - 0\n", "f.cnf:2: expected an integer");
}

Test(sat, repeated_and_opposite_literals) {
    Status status;
    Sat *sat = parse("p cnf 2 4\n1 1 1 0\n1 -1 0\n2 1 0\n0\n", &status);
    cr_assert_not_null(sat, "%s", status.message);
    cr_assert_eq(sat_clause_count(sat), 4);
    cr_assert_eq(sat_satisfied(sat, (uint8_t[]){0, 0}), 1);
    cr_assert_eq(sat_satisfied(sat, (uint8_t[]){1, 0}), 3);
    sat_free(sat);
}

static void check_walk(const Sat *sat, uint64_t seed) {
    const Problem *problem = sat_problem(sat);
    uint8_t *values = malloc(problem->genotype_bytes);
    void *ledger = malloc(problem->ledger_bytes);
    Rng rng;
    rng_init(&rng, seed, 0);
    problem->random(problem, &rng, values);
    problem->open(problem, values, ledger);
    for (int step = 0; step < 500; step++) {
        uint32_t number = problem->pick(problem, &rng, values, PROBLEM_ANY_UNIT,
                                        step % 2 ? PICK_NEARBY : PICK_UNIFORM);
        uint32_t undo, back;
        uint32_t unit = problem->change(problem, values, number, &undo);
        cr_assert(step % 2 == 0 || unit != PROBLEM_UNCHANGED);
        if (unit == PROBLEM_UNCHANGED)
            continue;
        cr_assert_eq(problem->peek(problem, values, ledger, number),
                     problem->evaluate(problem, NULL, values));
        if (step % 3 == 0) {
            cr_assert_eq(problem->change(problem, values, undo, &back), unit);
            cr_assert_eq(back, number);
        } else {
            problem->book(problem, values, ledger, number);
        }
    }
    free(ledger);
    free(values);
}

Test(sat, ledger_agrees_with_evaluation) {
    Status status;
    Sat *sat = parse("p cnf 3 5\n1 1 0\n1 -1 2 0\n2 1 0\n0\n-3 0\n", &status);
    check_walk(sat, 1);
    sat_free(sat);
    for (uint64_t seed = 0; seed < 5; seed++) {
        sat = sat_random(20, 90, seed % 2, seed, (ProblemCut){0}, &status);
        cr_assert_eq(sat_clause_count(sat), seed % 2 ? 98 : 90);
        check_walk(sat, seed);
        sat_free(sat);
    }
}

Test(sat, exhaustive_counts_every_value_given) {
    uint32_t variables[] = {3, 6, 9};
    uint64_t expected[] = {14, 126, 1022};
    for (int i = 0; i < 3; i++) {
        Status status = {0};
        Sat *sat = sat_random(variables[i], 5, true, 1, (ProblemCut){0}, &status);
        uint8_t values[9];
        uint64_t assignments;
        bool complete;
        cr_assert_not(sat_exhaustive(sat, never, values, &assignments, &complete, &status));
        cr_assert(complete);
        cr_assert_eq(status.code, STATUS_UNMET);
        cr_assert_eq(assignments, expected[i]);
        sat_free(sat);
    }
    /* x2 alone: 00 then 01. The nodes are 0, 0 0, 0 1. */
    Status status;
    Sat *sat = parse("p cnf 2 1\n2 0\n", &status);
    uint8_t values[2];
    uint64_t assignments;
    bool complete;
    cr_assert(sat_exhaustive(sat, never, values, &assignments, &complete, &status));
    cr_assert_eq(assignments, 3);
    cr_assert(values[0] == 0 && values[1] == 1);
    sat_free(sat);
    sat = sat_random(41, 5, true, 1, (ProblemCut){0}, &status);
    cr_assert_not(sat_exhaustive(sat, never, values, &assignments, &complete, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    sat_free(sat);
}

static bool always(const void *context) {
    (void)context;
    return true;
}

Test(sat, exhaustive_can_be_cut) {
    Status status = {0};
    Sat *sat = sat_random(40, 100, true, 1, (ProblemCut){0}, &status);
    uint8_t values[40];
    uint64_t assignments;
    bool complete;
    cr_assert_not(
        sat_exhaustive(sat, (ProblemCut){always, NULL}, values, &assignments, &complete, &status));
    cr_assert_not(complete);
    sat_free(sat);
}

Test(sat, random_clauses_have_three_different_variables) {
    Status status = {0};
    Sat *sat = sat_random(3, 200, false, 9, (ProblemCut){0}, &status);
    uint8_t values[3];
    /* Over three variables every assignment breaks the clauses of one sign pattern of eight. */
    uint32_t sum = 0;
    for (int bits = 0; bits < 8; bits++) {
        for (int i = 0; i < 3; i++)
            values[i] = bits >> i & 1;
        sum += 200 - sat_satisfied(sat, values);
    }
    cr_assert_eq(sum, 200);
    cr_assert_null(sat_random(2, 1, false, 1, (ProblemCut){0}, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    sat_free(sat);
}

Test(sat, every_optimiser_satisfies_an_easy_formula) {
    Status status = {0};
    Sat *sat = sat_random(30, 90, false, 4, (ProblemCut){0}, &status);
    Pool *pool = pool_new(2, &status);
    for (size_t i = 0; i < optim_count(); i++) {
        if (optim_at(i)->needs_tree)
            continue; /* tested on the Tetris problem */
        uint8_t values[30];
        OptimRun run = {.problem = sat_problem(sat),
                        .seed = 1,
                        .seconds = 20,
                        .has_target = true,
                        .target = sat_clause_count(sat),
                        .pool = pool};
        OptimOutcome outcome = {.genotype = values};
        cr_assert(optim_run(optim_at(i), &run, NULL, &outcome, &status));
        cr_assert_eq(outcome.end, OPTIM_TARGET, "%s: %g", optim_at(i)->name, outcome.fitness);
        cr_assert_eq(sat_satisfied(sat, values), sat_clause_count(sat));
    }
    pool_free(pool);
    sat_free(sat);
}

/* Says yes when it was asked so often. */
static bool asked(const void *context) {
    int *left = *(int *const *)context;
    return --*left < 0;
}

Test(sat, building_can_be_cut) {
    int left = 3, *place = &left;
    Status status = {0};
    cr_assert_null(sat_random(1000, 10000000, false, 1, (ProblemCut){asked, &place}, &status));
    cr_assert_eq(status.code, STATUS_UNMET);
    cr_assert_eq(left, -1, "asked again after it was cut");
    const char text[] = "p cnf 1 1\n1 0\n";
    left = 0;
    cr_assert_null(sat_parse("f", text, strlen(text), (ProblemCut){asked, &place}, &status));
    left = 5;
    Sat *sat = sat_parse("f", text, strlen(text), (ProblemCut){asked, &place}, &status);
    cr_assert(sat);
    sat_free(sat);
}
