/* Any bytes as a DIMACS file: refused with a message, or clauses that can be counted. */
#include "problem/sat.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Status status = {0};
    Sat *sat = sat_parse("fuzz.cnf", (const char *)data, size, (ProblemCut){0}, &status);
    if (!sat) {
        if (status.code != STATUS_INPUT || !status.message[0])
            abort();
        return 0;
    }
    uint32_t variables = sat_variable_count(sat);
    uint8_t *values = calloc(variables + 1, 1);
    for (uint32_t i = 0; i < variables; i++)
        values[i] = data[i % size] & 1;
    if (sat_satisfied(sat, values) > sat_clause_count(sat))
        abort();
    free(values);
    sat_free(sat);
    return 0;
}
