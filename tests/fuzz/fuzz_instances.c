/* Any bytes as what `instances check` and `demo partition --check` take: a solution, which is
 * played on the instance that it belongs to and is not better than the proved bound; and the
 * certificate of a partition, whose moves are played again. */
#include "formats/solution.h"
#include "problem/instances.h"
#include "problem/partition_game.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_solution(const char *text, size_t length) {
    static EvalRequest request;
    static EvalSolution solution;
    static EvalResult result;
    Status status = {0};
    if (!solution_read(text, length, NULL, &request, &solution, &status)) {
        if (!status.message[0])
            abort();
        return;
    }
    for (int i = 0; i < instances_count(); i++) {
        BenchInstance instance = instances_at(i);
        if (instance.placements != request.placements || !instance_is(&instance, &request) ||
            !instance_rules_ok(&request.rules))
            continue;
        if (eval_run(&request, &solution, &fitness_profiles[PROFILE_BLOCKS], &result, &status)
                ? result.fitness > instance.bound
                : !status.message[0])
            abort();
        return;
    }
}

static void check_partition(const char *text, size_t length) {
    static Partition partition;
    PartitionMoves moves = {0};
    Status status = {0};
    if (partition_certificate_read(text, length, &partition, &moves, &status)) {
        int bucket_of[PARTITION_MAX_NUMBERS];
        PartitionGame *end = NULL;
        if (!partition_moves_replay(&partition, &moves, bucket_of, &end, &status) &&
            !status.message[0])
            abort();
        partition_game_free(end);
    } else if (!status.message[0])
        abort();
    partition_moves_release(&moves);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_solution((const char *)data, size);
    check_partition((const char *)data, size);
    return 0;
}
