/*
 * sat: clauses are stored one after the other, and for every literal the clauses that contain it.
 *
 * In the order of this file: the problem for the optimisers, building a formula, random formulas,
 * DIMACS files, exhaustive search.
 */
#include "problem/sat.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A literal is 2 * variable, plus 1 when negated, so its opposite is one bit away. */
struct Sat {
    Problem problem;
    uint32_t variables;
    uint32_t clauses; /* in the lists */
    uint32_t always;  /* clauses that are always true, not in the lists */
    uint32_t *literals;
    size_t literal_count, literal_capacity;
    size_t *clause_starts; /* clauses + 1 */
    size_t clause_capacity;
    uint32_t *occurrences; /* the clauses of each literal, one literal after the other */
    size_t *occurrence_starts;
    /* While building: */
    uint32_t *marks; /* by literal: the clause (plus 1) that had it last */
    ProblemCut cut;
};

enum { CUT_EVERY = 65536 }; /* clauses or full assignments between two checks of the clock */

typedef struct Ledger {
    uint32_t satisfied;
    uint32_t true_literals[]; /* by clause */
} Ledger;

static const Sat *sat_of(const Problem *problem) {
    return problem->data;
}

/* The literal of `variable` that is true when its value is `value`. */
static uint32_t true_literal(uint32_t variable, uint8_t value) {
    return 2 * variable + (value == 0);
}

uint32_t sat_variable_count(const Sat *sat) {
    return sat->variables;
}

uint32_t sat_clause_count(const Sat *sat) {
    return sat->clauses + sat->always;
}

size_t sat_clause(const Sat *sat, uint32_t clause, int32_t *literals, size_t capacity) {
    size_t count = 0;
    for (size_t i = clause < sat->clauses ? sat->clause_starts[clause] : 0;
         clause < sat->clauses && i < sat->clause_starts[clause + 1] && count < capacity; i++) {
        int32_t variable = (int32_t)(sat->literals[i] / 2 + 1);
        literals[count++] = sat->literals[i] % 2 ? -variable : variable;
    }
    return count;
}

uint32_t sat_satisfied(const Sat *sat, const uint8_t *values) {
    uint32_t satisfied = sat->always;
    for (uint32_t clause = 0; clause < sat->clauses; clause++) {
        for (size_t i = sat->clause_starts[clause]; i < sat->clause_starts[clause + 1]; i++) {
            uint32_t literal = sat->literals[i];
            if (values[literal / 2] != literal % 2) {
                satisfied++;
                break;
            }
        }
    }
    return satisfied;
}

/* ---- the problem ---- */

static double evaluate(const Problem *problem, void *scratch, const void *genotype) {
    (void)scratch;
    return sat_satisfied(sat_of(problem), genotype);
}

static void random_values(const Problem *problem, Rng *rng, void *genotype) {
    uint8_t *values = genotype;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < problem->units; i++) {
        if (i % 64 == 0)
            bits = rng_next(rng);
        values[i] = (uint8_t)(bits >> (i % 64) & 1);
    }
}

/* Number value * V + variable sets one variable. */
static void range(const Problem *problem, size_t gene, int *low, int *high) {
    (void)problem, (void)gene;
    *low = 0;
    *high = 1;
}

static uint32_t pick(const Problem *problem, Rng *rng, const void *genotype, uint32_t unit,
                     ProblemPick how) {
    const uint8_t *values = genotype;
    if (how == PICK_UNIFORM) {
        uint32_t number = rng_below(rng, problem->neighbours);
        return unit == PROBLEM_ANY_UNIT ? number : number - number % problem->units + unit;
    }
    uint32_t variable = unit == PROBLEM_ANY_UNIT ? rng_below(rng, problem->units) : unit;
    return (values[variable] ? 0 : problem->units) + variable;
}

static uint32_t change(const Problem *problem, void *genotype, uint32_t number, uint32_t *undo) {
    uint8_t *values = genotype;
    uint8_t value = number >= problem->units;
    uint32_t variable = value ? number - problem->units : number;
    *undo = (values[variable] ? problem->units : 0) + variable;
    if (values[variable] == value)
        return PROBLEM_UNCHANGED;
    values[variable] = value;
    return variable;
}

static void cross(const Problem *problem, const void *first, const void *second, void *child,
                  uint32_t cut, const uint64_t *mask) {
    const uint8_t *one = first, *two = second;
    uint8_t *values = child;
    for (uint32_t i = 0; i < problem->units; i++)
        values[i] = problem_from_first(i, cut, mask) ? one[i] : two[i];
}

static uint32_t resample(const Problem *problem, Rng *rng, void *genotype, uint32_t begin,
                         uint32_t end) {
    (void)problem;
    uint8_t *values = genotype;
    for (uint32_t i = begin; i < end; i++)
        values[i] = (uint8_t)(rng_next(rng) >> 63);
    return begin;
}

static void open_ledger(const Problem *problem, const void *genotype, void *memory) {
    const Sat *sat = sat_of(problem);
    const uint8_t *values = genotype;
    Ledger *ledger = memory;
    ledger->satisfied = sat->always;
    for (uint32_t clause = 0; clause < sat->clauses; clause++) {
        uint32_t count = 0;
        for (size_t i = sat->clause_starts[clause]; i < sat->clause_starts[clause + 1]; i++)
            count += values[sat->literals[i] / 2] != sat->literals[i] % 2;
        ledger->true_literals[clause] = count;
        ledger->satisfied += count > 0;
    }
}

/* `values` has the variable already flipped: one of its literals was true and the other is now. */
static double peek(const Problem *problem, const void *genotype, const void *memory,
                   uint32_t number) {
    const Sat *sat = sat_of(problem);
    const Ledger *ledger = memory;
    uint32_t variable = number % problem->units;
    uint32_t now = true_literal(variable, ((const uint8_t *)genotype)[variable]), was = now ^ 1;
    uint32_t satisfied = ledger->satisfied;
    for (size_t i = sat->occurrence_starts[now]; i < sat->occurrence_starts[now + 1]; i++)
        satisfied += ledger->true_literals[sat->occurrences[i]] == 0;
    for (size_t i = sat->occurrence_starts[was]; i < sat->occurrence_starts[was + 1]; i++)
        satisfied -= ledger->true_literals[sat->occurrences[i]] == 1;
    return satisfied;
}

/* Brings the ledger up to date after `variable` took the value `value`. */
static void flip(const Sat *sat, Ledger *ledger, uint32_t variable, uint8_t value) {
    uint32_t now = true_literal(variable, value), was = now ^ 1;
    for (size_t i = sat->occurrence_starts[now]; i < sat->occurrence_starts[now + 1]; i++)
        ledger->satisfied += ledger->true_literals[sat->occurrences[i]]++ == 0;
    for (size_t i = sat->occurrence_starts[was]; i < sat->occurrence_starts[was + 1]; i++)
        ledger->satisfied -= --ledger->true_literals[sat->occurrences[i]] == 0;
}

static void book(const Problem *problem, const void *genotype, void *ledger, uint32_t number) {
    uint32_t variable = number % problem->units;
    flip(sat_of(problem), ledger, variable, ((const uint8_t *)genotype)[variable]);
}

static size_t ledger_bytes(const Sat *sat) {
    return sizeof(Ledger) + sat->clauses * sizeof(uint32_t);
}

const Problem *sat_problem(const Sat *sat) {
    return &sat->problem;
}

/* ---- building a formula ---- */

void sat_free(Sat *sat) {
    if (!sat)
        return;
    free(sat->literals);
    free(sat->clause_starts);
    free(sat->occurrences);
    free(sat->occurrence_starts);
    free(sat->marks);
    free(sat);
}

static Sat *sat_new(uint32_t variables, ProblemCut cut, Status *status) {
    Sat *sat = calloc(1, sizeof *sat);
    if (sat) {
        sat->variables = variables;
        sat->cut = cut;
        sat->clause_capacity = 16;
        sat->literal_capacity = 64;
        sat->clause_starts = calloc(sat->clause_capacity, sizeof *sat->clause_starts);
        sat->literals = calloc(sat->literal_capacity, sizeof *sat->literals);
        sat->marks = calloc(2 * (size_t)variables, sizeof *sat->marks);
    }
    if (sat && sat->clause_starts && sat->literals && sat->marks)
        return sat;
    status_no_memory(status);
    sat_free(sat);
    return NULL;
}

/* Adds a literal to the clause that is being built, unless it has it. */
static bool add_literal(Sat *sat, uint32_t literal, Status *status) {
    if (sat->marks[literal] == sat->clauses + 1)
        return true;
    if (sat->literal_count == SAT_MAX_LITERALS)
        return status_fail(status, STATUS_INPUT, "more than %d literals", SAT_MAX_LITERALS);
    if (!MEMORY_HAS_PLACE(sat->literals, sat->literal_count, sat->literal_capacity))
        return status_no_memory(status);
    sat->marks[literal] = sat->clauses + 1;
    sat->literals[sat->literal_count++] = literal;
    return true;
}

/* Fails now and then, by the number of the clause, when the work was cut. */
static bool go_on(const Sat *sat, uint32_t clause, Status *status) {
    return clause % CUT_EVERY != 0 || !sat->cut.asked || !sat->cut.asked(sat->cut.context) ||
           status_fail(status, STATUS_UNMET, "sat: stopped before the formula was complete");
}

/* Ends the clause that is being built. One with a literal and its opposite leaves the lists again;
 * its marks are wiped because the next clause gets its number. */
static bool end_clause(Sat *sat, Status *status) {
    size_t start = sat->clause_starts[sat->clauses];
    bool always = false;
    for (size_t i = start; i < sat->literal_count; i++)
        always |= sat->marks[sat->literals[i] ^ 1] == sat->clauses + 1;
    if (always) {
        for (size_t i = start; i < sat->literal_count; i++)
            sat->marks[sat->literals[i]] = 0;
        sat->literal_count = start;
        sat->always++;
        return true;
    }
    if (!MEMORY_HAS_PLACE(sat->clause_starts, (size_t)sat->clauses + 1, sat->clause_capacity))
        return status_no_memory(status);
    sat->clause_starts[++sat->clauses] = sat->literal_count;
    return go_on(sat, sat->clauses, status);
}

/* Lists the clauses of every literal by counting. */
static bool list_occurrences(Sat *sat, Status *status) {
    size_t literals = 2 * (size_t)sat->variables;
    sat->occurrence_starts = calloc(literals + 1, sizeof *sat->occurrence_starts);
    sat->occurrences = calloc(sat->literal_count + 1, sizeof *sat->occurrences);
    if (!sat->occurrence_starts || !sat->occurrences)
        return status_no_memory(status);
    for (size_t i = 0; i < sat->literal_count; i++)
        sat->occurrence_starts[sat->literals[i] + 1]++;
    for (size_t i = 0; i < literals; i++)
        sat->occurrence_starts[i + 1] += sat->occurrence_starts[i];
    /* Filling moves each start to its end, which is the start of the next: shifted back below. */
    for (uint32_t clause = 0; clause < sat->clauses; clause++) {
        if (!go_on(sat, clause, status))
            return false;
        for (size_t i = sat->clause_starts[clause]; i < sat->clause_starts[clause + 1]; i++)
            sat->occurrences[sat->occurrence_starts[sat->literals[i]]++] = clause;
    }
    for (size_t i = literals; i > 0; i--)
        sat->occurrence_starts[i] = sat->occurrence_starts[i - 1];
    sat->occurrence_starts[0] = 0;
    return true;
}

static bool finish(Sat *sat, Status *status) {
    free(sat->marks);
    sat->marks = NULL;
    if (!list_occurrences(sat, status))
        return false;
    sat->problem = (Problem){
        .name = "sat",
        .data = sat,
        .genotype_bytes = sat->variables,
        .units = sat->variables,
        .neighbours = 2 * sat->variables,
        .gene_bytes = 1,
        .range = range,
        .random = random_values,
        .evaluate = evaluate,
        .pick = pick,
        .change = change,
        .cross = cross,
        .resample = resample,
        .ledger_bytes = ledger_bytes(sat),
        .open = open_ledger,
        .peek = peek,
        .book = book,
    };
    return true;
}

/* ---- random formulas ---- */

static bool add_random_clause(Sat *sat, Rng *rng, Status *status) {
    uint32_t chosen[3];
    for (int i = 0; i < 3; i++) {
        bool again;
        do {
            chosen[i] = rng_below(rng, sat->variables);
            again = false;
            for (int j = 0; j < i; j++)
                again |= chosen[j] == chosen[i];
        } while (again);
        if (!add_literal(sat, 2 * chosen[i] + (uint32_t)(rng_next(rng) >> 63), status))
            return false;
    }
    return end_clause(sat, status);
}

/* The eight ways to negate three variables: each assignment breaks one. */
static bool add_impossible(Sat *sat, Status *status) {
    for (uint32_t signs = 0; signs < 8; signs++) {
        for (uint32_t i = 0; i < 3; i++)
            if (!add_literal(sat, 2 * i + (signs >> i & 1), status))
                return false;
        if (!end_clause(sat, status))
            return false;
    }
    return true;
}

Sat *sat_random(uint32_t variables, uint32_t clauses, bool impossible, uint64_t seed,
                ProblemCut cut, Status *status) {
    if (variables < 3 || variables > SAT_MAX_VARIABLES) {
        status_fail(status, STATUS_INPUT, "variables: %u is not in 3..%d", variables,
                    SAT_MAX_VARIABLES);
        return NULL;
    }
    if (clauses > SAT_MAX_CLAUSES) {
        status_fail(status, STATUS_INPUT, "clauses: %u is not in 0..%d", clauses, SAT_MAX_CLAUSES);
        return NULL;
    }
    Sat *sat = sat_new(variables, cut, status);
    if (!sat)
        return NULL;
    Rng rng;
    rng_init(&rng, seed, 0);
    bool ok = true;
    for (uint32_t i = 0; ok && i < clauses; i++)
        ok = add_random_clause(sat, &rng, status);
    if (ok && impossible)
        ok = add_impossible(sat, status);
    if (ok && finish(sat, status))
        return sat;
    sat_free(sat);
    return NULL;
}

/* ---- DIMACS ---- */

typedef struct Reader {
    const char *name, *at, *end;
    int line;
    Status *status;
} Reader;

static bool complain(Reader *reader, const char *why) {
    return status_fail(reader->status, STATUS_INPUT, "%s:%d: %s", reader->name, reader->line, why);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bool at_end(const Reader *reader) {
    return reader->at == reader->end;
}

/* True when the next character begins a line. */
static bool at_line_start(const Reader *reader, const char *text) {
    return reader->at == text || reader->at[-1] == '\n';
}

static void skip_line(Reader *reader) {
    while (!at_end(reader) && *reader->at != '\n')
        reader->at++;
}

/* Skips blanks, line ends and comment lines; `text` is the start of all. */
static void skip_space(Reader *reader, const char *text) {
    for (; !at_end(reader); reader->at++) {
        if (*reader->at == 'c' && at_line_start(reader, text)) {
            skip_line(reader);
            if (at_end(reader))
                return;
        }
        if (*reader->at == '\n')
            reader->line++;
        else if (!is_blank(*reader->at))
            return;
    }
}

/* Reads an integer of at most nine digits that ends at a blank, a line end or the end. */
static bool read_number(Reader *reader, int64_t *number) {
    bool minus = !at_end(reader) && *reader->at == '-';
    reader->at += minus;
    int digits = 0;
    *number = 0;
    for (; !at_end(reader) && *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
        if (++digits > 9)
            return complain(reader, "the number is too long");
        *number = 10 * *number + (*reader->at - '0');
    }
    if (digits == 0 || (!at_end(reader) && !is_blank(*reader->at) && *reader->at != '\n'))
        return complain(reader, "expected an integer");
    *number = minus ? -*number : *number;
    return true;
}

/* Skips the blanks between two words of a line; there must be one at least. */
static bool read_gap(Reader *reader) {
    if (at_end(reader) || !is_blank(*reader->at))
        return complain(reader, "expected 'p cnf VARIABLES CLAUSES'");
    while (!at_end(reader) && is_blank(*reader->at))
        reader->at++;
    return true;
}

static bool read_word(Reader *reader, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
        return complain(reader, "expected 'p cnf VARIABLES CLAUSES'");
    reader->at += length;
    return true;
}

static bool read_header(Reader *reader, int64_t *variables, int64_t *clauses) {
    if (!read_word(reader, "p") || !read_gap(reader) || !read_word(reader, "cnf") ||
        !read_gap(reader) || !read_number(reader, variables) || !read_gap(reader) ||
        !read_number(reader, clauses))
        return false;
    while (!at_end(reader) && is_blank(*reader->at))
        reader->at++;
    if (!at_end(reader) && *reader->at != '\n')
        return complain(reader, "expected 'p cnf VARIABLES CLAUSES'");
    if (*variables < 1 || *variables > SAT_MAX_VARIABLES)
        return complain(reader, "the number of variables is not in 1..1000000");
    if (*clauses < 0 || *clauses > SAT_MAX_CLAUSES)
        return complain(reader, "the number of clauses is not in 0..10000000");
    return true;
}

/* Takes one number of the clauses. */
static bool take_number(Reader *reader, Sat *sat, int64_t number, int64_t clauses, bool *open) {
    if (!*open && sat_clause_count(sat) == clauses)
        return complain(reader, "there are more clauses than announced");
    if (number > sat->variables || -number > sat->variables)
        return complain(reader, "unknown variable");
    *open = number != 0;
    bool ok = number == 0 ? end_clause(sat, reader->status)
                          : add_literal(sat,
                                        number > 0 ? 2 * (uint32_t)(number - 1)
                                                   : 2 * (uint32_t)(-number - 1) + 1,
                                        reader->status);
    return ok || status_prefix(reader->status, "%s:%d", reader->name, reader->line);
}

/* Reads the clauses up to the end, or up to a line "%", which ends the files of a well-known
 * collection. */
static bool read_clauses(Reader *reader, const char *text, Sat *sat, int64_t clauses) {
    bool open = false;
    for (;;) {
        skip_space(reader, text);
        if (at_end(reader) || (*reader->at == '%' && at_line_start(reader, text)))
            break;
        int64_t number;
        if (!read_number(reader, &number) || !take_number(reader, sat, number, clauses, &open))
            return false;
    }
    if (open)
        return complain(reader, "the last clause has no 0 at its end");
    if (sat_clause_count(sat) != clauses)
        return complain(reader, "there are fewer clauses than announced");
    return true;
}

Sat *sat_parse(const char *name, const char *text, size_t length, ProblemCut cut, Status *status) {
    Reader reader = {name, text, text + length, 1, status};
    int64_t variables, clauses;
    skip_space(&reader, text);
    if (!read_header(&reader, &variables, &clauses))
        return NULL;
    Sat *sat = sat_new((uint32_t)variables, cut, status);
    if (!sat)
        return NULL;
    if (read_clauses(&reader, text, sat, clauses) && finish(sat, status))
        return sat;
    sat_free(sat);
    return NULL;
}

/* ---- exhaustive search ---- */

/* Sets the next assignment, variable 0 being the slowest: the trailing ones are taken back, the
 * variable before them goes from 0 to 1, and those behind it get 0 anew. Returns how many variables
 * were given a value, 0 after the last assignment. */
static uint32_t next_assignment(const Sat *sat, Ledger *ledger, uint8_t *values) {
    uint32_t at = sat->variables;
    while (at > 0 && values[at - 1] == 1) {
        values[--at] = 0;
        flip(sat, ledger, at, 0);
    }
    if (at == 0)
        return 0;
    values[at - 1] = 1;
    flip(sat, ledger, at - 1, 1);
    return sat->variables - at + 1;
}

bool sat_exhaustive(const Sat *sat, ProblemCut cut, uint8_t *values, uint64_t *assignments,
                    bool *complete, Status *status) {
    *assignments = 0;
    *complete = false;
    if (sat->variables > SAT_EXHAUSTIVE_MAX)
        return status_fail(status, STATUS_INPUT, "exhaustive: %u variables are more than %d",
                           sat->variables, SAT_EXHAUSTIVE_MAX);
    Ledger *ledger = malloc(ledger_bytes(sat));
    if (!ledger)
        return status_no_memory(status);
    memset(values, 0, sat->variables);
    open_ledger(&sat->problem, values, ledger);
    *assignments = sat->variables;
    bool solved = ledger->satisfied == sat_clause_count(sat);
    for (uint64_t leaf = 1; !solved && !*complete; leaf++) {
        if (leaf % CUT_EVERY == 0 && cut.asked && cut.asked(cut.context))
            break;
        uint32_t given = next_assignment(sat, ledger, values);
        *assignments += given;
        *complete = given == 0;
        solved = given > 0 && ledger->satisfied == sat_clause_count(sat);
    }
    free(ledger);
    if (!solved)
        status_fail(status, STATUS_UNMET, "sat: %s",
                    *complete ? "no assignment satisfies all clauses" : "stopped before the end");
    return solved;
}
