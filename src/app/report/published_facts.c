/* published_facts: numbers of the works that follow from a definition and take no runs. */
#include "report/published_facts.h"

#include "problem/partition_game.h"
#include "problem/sat.h"

#include <math.h>

typedef int PartitionMeasure(const PartitionGame *game);

/* Solves the example of the reduction, plays the answer and measures the game at its end. */
static double example_game(PartitionMeasure *measure) {
    Partition partition = {.target = 16, .per_bucket = 3};
    int bucket_of[PARTITION_MAX_NUMBERS], read_back[PARTITION_MAX_NUMBERS];
    PartitionMoves moves = {0};
    PartitionGame *end = NULL;
    Status status = {0};
    uint64_t nodes;
    double value = NAN;
    if (partition_read(&partition, "5,5,6,5,5,6", &status) &&
        partition_solve(&partition, (ProblemCut){0}, bucket_of, &nodes, &status) == PARTITION_YES &&
        partition_moves_build(&partition, bucket_of, &moves, &status) &&
        partition_moves_replay(&partition, &moves, read_back, &end, &status))
        value = measure(end);
    partition_game_free(end);
    partition_moves_release(&moves);
    return value;
}

double fact_partition_pieces(void) {
    return example_game(partition_game_placed);
}

double fact_partition_lines(void) {
    return example_game(partition_game_lines);
}

double fact_partition_cells(void) {
    return example_game(partition_game_cells);
}

/* The assignments after which exhaustive search gives up an unsatisfiable formula. */
static double assignments_of(uint32_t variables) {
    Status status = {0};
    uint8_t values[SAT_EXHAUSTIVE_MAX];
    uint64_t assignments = 0;
    bool complete = false;
    Sat *sat = sat_random(variables, 8, true, 1, (ProblemCut){0}, &status);
    bool satisfied =
        !sat || sat_exhaustive(sat, (ProblemCut){0}, values, &assignments, &complete, &status);
    sat_free(sat);
    return satisfied || !complete ? NAN : (double)assignments;
}

double fact_sat_3(void) {
    return assignments_of(3);
}

double fact_sat_6(void) {
    return assignments_of(6);
}

double fact_sat_9(void) {
    return assignments_of(9);
}
