/* puzzle: the option tables of n queens and SAT. */
#include "job/puzzle.h"

static const Option queens_rows[] = {
    OPTION_ROW(QueensOptions, INTEGER, n, "n", .fallback = "8", .min = 4, .max = 1000,
               .argument = "N", .only = "queens", .help = "the size of the board"),
};

const OptionTable queens_options = OPTIONS_TABLE(queens_rows);

static const Option sat_rows[] = {
    OPTION_ROW(SatOptions, INTEGER, variables, "variables", .fallback = "50", .min = 3,
               .max = SAT_MAX_VARIABLES, .argument = "V", .only = "sat",
               .help = "variables of a random formula"),
    OPTION_ROW(SatOptions, INTEGER, clauses, "clauses", .fallback = "200", .min = 1,
               .max = SAT_MAX_CLAUSES, .argument = "C", .only = "sat",
               .help = "its number of clauses, of three literals each"),
    OPTION_ROW(SatOptions, TEXT, dimacs, "dimacs", .argument = "FILE", .file = OPTION_READS,
               .only = "sat", .help = "read a formula in DIMACS CNF instead"),
    OPTION_ROW(SatOptions, FLAG, impossible, "impossible", .only = "sat",
               .help = "add the eight clauses over three variables that cannot all be satisfied"),
};

const OptionTable sat_options = OPTIONS_TABLE(sat_rows);

Sat *puzzle_random_sat(const SatOptions *options, uint64_t seed, ProblemCut cut, Status *status) {
    return sat_random((uint32_t)options->variables, (uint32_t)options->clauses, options->impossible,
                      seed, cut, status);
}
