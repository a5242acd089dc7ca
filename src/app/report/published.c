/*
 * published: the works with their numbers, and the comparison of one number with our runs.
 *
 * The numbers are those of the original texts; where a text and its program differ, the grids
 * follow the program, which made the numbers (docs/PUBLISHED.md).
 */
#include "report/published.h"

#include "report/published_facts.h"
#include "stats/sample.h"

#include <math.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- the offline solver: genetic algorithm and annealing */

#define GA_CELL(TABLE, STATISTIC, N, ENCODING, FITNESS, RUNS)                                      \
    {                                                                                              \
        .table = TABLE, .label = #N " pieces, " ENCODING, .statistic = STATISTIC,                  \
        .theirs = FITNESS, .sample = RUNS, .grid = "published-ga",                                 \
        .where = "n=" #N " encoding=" ENCODING, .measure = "fitness"                               \
    }
#define GA_MEDIAN(N, ENCODING, FITNESS, RUNS)                                                      \
    GA_CELL("GA: median fitness", PUBLISHED_MEDIAN, N, ENCODING, FITNESS, RUNS)
#define GA_BEST(N, ENCODING, FITNESS, RUNS)                                                        \
    GA_CELL("GA: best fitness", PUBLISHED_BEST, N, ENCODING, FITNESS, RUNS)
#define GA_BY(TABLE, N, KEY, VALUE, MEDIAN, RUNS)                                                  \
    {                                                                                              \
        .table = TABLE, .label = #N " pieces, " KEY " " #VALUE, .statistic = PUBLISHED_MEDIAN,     \
        .theirs = MEDIAN, .sample = RUNS, .grid = "published-ga",                                  \
        .where = "n=" #N " " KEY "=" #VALUE, .measure = "fitness"                                  \
    }
#define GA_POPULATION(N, VALUE, MEDIAN, RUNS)                                                      \
    GA_BY("GA: median fitness by population", N, "population", VALUE, MEDIAN, RUNS)
#define GA_MUTATION(N, VALUE, MEDIAN, RUNS)                                                        \
    GA_BY("GA: median fitness by mutation", N, "mutation", VALUE, MEDIAN, RUNS)
#define SA_CELL(ENCODING, MEDIAN)                                                                  \
    {                                                                                              \
        .table = "Annealing: median fitness (read off the plots)",                                 \
        .label = "30 pieces, " ENCODING, .statistic = PUBLISHED_MEDIAN, .theirs = MEDIAN,          \
        .sample = 16, .grid = "published-sa", .where = "n=30 encoding=" ENCODING,                  \
        .measure = "fitness"                                                                       \
    }

static const PublishedNumber offline_numbers[] = {
    GA_MEDIAN(10, "simple", -35.25, 9),
    GA_MEDIAN(10, "double", -16.5, 9),
    GA_MEDIAN(10, "swap-simple", -13.25, 9),
    GA_MEDIAN(10, "swap-double", -18.25, 9),
    GA_MEDIAN(20, "simple", -72, 9),
    GA_MEDIAN(20, "double", -86.25, 9),
    GA_MEDIAN(20, "swap-simple", -90.4, 9),
    GA_MEDIAN(20, "swap-double", -11, 9),
    GA_MEDIAN(30, "simple", -466.6, 9),
    GA_MEDIAN(30, "double", -219.3, 9),
    GA_MEDIAN(30, "swap-simple", -456.5, 9),
    GA_MEDIAN(30, "swap-double", -177.2, 22),
    GA_BEST(10, "simple", -11.25, 9),
    GA_BEST(10, "double", -10.25, 9),
    GA_BEST(10, "swap-simple", -11, 9),
    GA_BEST(10, "swap-double", -11.25, 9),
    GA_BEST(20, "simple", -7.75, 9),
    GA_BEST(20, "double", -18.25, 9),
    GA_BEST(20, "swap-simple", -40.5, 9),
    GA_BEST(20, "swap-double", -3.5, 9),
    GA_BEST(30, "simple", -337.5, 9),
    GA_BEST(30, "double", -88.4, 9),
    GA_BEST(30, "swap-simple", -338, 9),
    GA_BEST(30, "swap-double", -15.25, 22),
    GA_POPULATION(10, 10000, -13.75, 12),
    GA_POPULATION(10, 20000, -14.75, 12),
    GA_POPULATION(10, 30000, -18.25, 12),
    GA_POPULATION(20, 10000, -86.25, 12),
    GA_POPULATION(20, 20000, -51.4, 12),
    GA_POPULATION(20, 30000, -45.5, 12),
    GA_POPULATION(30, 10000, -352, 12),
    GA_POPULATION(30, 20000, -267, 12),
    GA_POPULATION(30, 30000, -203, 25),
    GA_MUTATION(10, 0.05, -19.5, 12),
    GA_MUTATION(10, 0.15, -14, 12),
    GA_MUTATION(10, 0.25, -18.25, 12),
    GA_MUTATION(20, 0.05, -100, 12),
    GA_MUTATION(20, 0.15, -72, 12),
    GA_MUTATION(20, 0.25, -18.25, 12),
    GA_MUTATION(30, 0.05, -365, 12),
    GA_MUTATION(30, 0.15, -235, 12),
    GA_MUTATION(30, 0.25, -210, 25),
    SA_CELL("simple", -557),
    SA_CELL("double", -603),
    SA_CELL("swap-simple", -533),
    SA_CELL("swap-double", -728),
};

/* ---- local search: one piece at a time */

#define LOCAL(WHAT, STATISTIC, AGENT, SCORE)                                                       \
    {                                                                                              \
        .table = "Score of 400 pieces: " WHAT, .label = AGENT, .statistic = STATISTIC,             \
        .theirs = SCORE, .sample = 15, .grid = "published-local-search", .where = "agent=" AGENT,  \
        .measure = "score", .games = true                                                          \
    }

static const PublishedNumber local_numbers[] = {
    LOCAL("mean", PUBLISHED_MEAN, "hill", 128940),
    LOCAL("mean", PUBLISHED_MEAN, "anneal", 101093),
    LOCAL("mean", PUBLISHED_MEAN, "genetic", 99380),
    LOCAL("standard deviation", PUBLISHED_DEVIATION, "hill", 32083),
    LOCAL("standard deviation", PUBLISHED_DEVIATION, "anneal", 49956),
    LOCAL("standard deviation", PUBLISHED_DEVIATION, "genetic", 41229),
    LOCAL("median", PUBLISHED_MEDIAN, "hill", 138000),
    LOCAL("median", PUBLISHED_MEDIAN, "anneal", 128000),
    LOCAL("median", PUBLISHED_MEDIAN, "genetic", 110000),
};

/* ---- the weighted agent and its trainings */

#define TRAINING(PRESET, POINTS, RUNS)                                                             \
    {                                                                                              \
        .table = "Points per piece after training", .label = PRESET, .statistic = PUBLISHED_MEAN,  \
        .theirs = POINTS, .sample = RUNS, .grid = "published-training", .where = "preset=" PRESET, \
        .measure = "held_out_per_piece"                                                            \
    }

static const PublishedNumber training_numbers[] = {
    TRAINING("competition-1", 15, 1),
    TRAINING("competition-2", 15, 1),
    TRAINING("gradient", 17.5, 1),
    TRAINING("genetic-200", 24.7, 2),
};

/* ---- the bee colony */

#define BEES(BEES_, NECTAR, LINES, GAMES)                                                          \
    {                                                                                              \
        .table = "Mean lines of a colony", .label = #BEES_ " bees, " NECTAR,                       \
        .statistic = PUBLISHED_MEAN, .theirs = LINES, .sample = GAMES, .grid = "published-bees",   \
        .where = "bees=" #BEES_ " nectar=" NECTAR, .measure = "lines", .games = true               \
    }

static const PublishedNumber bees_numbers[] = {
    BEES(100, "weights", 2.6, 6),
    BEES(1000, "weights", 20.0, 6),
    BEES(1000, "skyline", 11.5, 2),
};

/* ---- 3-PARTITION as a game, and 3-SAT */

#define PARTITION(LABEL, VALUE, FACT)                                                              \
    {                                                                                              \
        .table = "The game of {5,5,6,5,5,6} with sum 16", .label = LABEL,                          \
        .statistic = PUBLISHED_FACT, .theirs = VALUE, .fact = FACT,                                \
        .fact_command = "tetropt demo partition --numbers 5,5,6,5,5,6 --target 16"                 \
    }
#define ASSIGNMENTS(N, VALUE, FACT)                                                                \
    {                                                                                              \
        .table = "Assignments tried for an unsatisfiable formula", .label = #N " variables",       \
        .statistic = PUBLISHED_FACT, .theirs = VALUE, .fact = FACT,                                \
        .fact_command = "tetropt demo sat --algorithm exhaustive --impossible --variables " #N     \
    }

static const PublishedNumber complexity_numbers[] = {
    PARTITION("pieces", 222, fact_partition_pieces),
    PARTITION("lines cleared", 118, fact_partition_lines),
    PARTITION("cells left", 0, fact_partition_cells),
    ASSIGNMENTS(3, 14, fact_sat_3),
    ASSIGNMENTS(6, 126, fact_sat_6),
    ASSIGNMENTS(9, 1022, fact_sat_9),
};

/* ---- the works */

static const PublishedWork works[] = {
    {.name = "offline",
     .title = "Offline solver: a known piece sequence (genetic algorithm, annealing)",
     .grids = {"published-ga", "published-sa"},
     .numbers = offline_numbers,
     .count = COUNT(offline_numbers)},
    {.name = "local-search",
     .title = "Local search: hill climbing, annealing, genetic; one piece at a time",
     .grids = {"published-local-search"},
     .numbers = local_numbers,
     .count = COUNT(local_numbers)},
    {.name = "training",
     .title = "Weighted agent: trained by competition, gradient and a genetic algorithm",
     .grids = {"published-training"},
     .numbers = training_numbers,
     .count = COUNT(training_numbers)},
    {.name = "bees",
     .title = "Bee colony: many games at once (published on one piece sequence, ours on twenty)",
     .grids = {"published-bees"},
     .numbers = bees_numbers,
     .count = COUNT(bees_numbers)},
    {.name = "complexity",
     .title = "Tetris is NP-complete: 3-PARTITION as a game; 3-SAT",
     .numbers = complexity_numbers,
     .count = COUNT(complexity_numbers)},
};

const PublishedWork *published_at(size_t index) {
    return index < COUNT(works) ? &works[index] : NULL;
}

const PublishedWork *published_find(const char *name) {
    for (size_t i = 0; i < COUNT(works); i++)
        if (strcmp(works[i].name, name) == 0)
            return &works[i];
    return NULL;
}

/* ---- comparing */

const char *const published_verdicts[] = {
    [PUBLISHED_NOT_RUN] = "not run", [PUBLISHED_AGREES] = "agrees",   [PUBLISHED_BETTER] = "better",
    [PUBLISHED_WORSE] = "worse",     [PUBLISHED_DIFFERS] = "differs",
};

static double median(double *values, size_t count) {
    sample_sort(values, count);
    return sample_quantile(values, count, 0.5);
}

static double mean(double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static double deviation(double *values, size_t count) {
    double center = mean(values, count), squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - center) * (values[i] - center);
    return count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
}

static double best(double *values, size_t count) {
    double largest = values[0];
    for (size_t i = 1; i < count; i++)
        largest = values[i] > largest ? values[i] : largest;
    return largest;
}

static SampleStatistic *const statistics[] = {[PUBLISHED_MEDIAN] = median,
                                              [PUBLISHED_MEAN] = mean,
                                              [PUBLISHED_DEVIATION] = deviation,
                                              [PUBLISHED_BEST] = best};

/* The runs of the number's grid with all values of "key=value key=value". */
static RunList runs_of(const PublishedNumber *number, RunList done, Arena *arena) {
    RunList list = runs_select(done, (RunFilter){.grid = number->grid}, arena);
    for (const char *at = number->where; at && *at;) {
        size_t name = strcspn(at, "="), value = strcspn(at + name + 1, " ");
        RunFilter filter = {.key = arena_format(arena, "%.*s", (int)name, at),
                            .value = arena_format(arena, "%.*s", (int)value, at + name + 1)};
        list = runs_select(list, filter, arena);
        at += name + 1 + value;
        at += *at == ' ';
    }
    return list;
}

/* The command line of a run. A seed that the grid sets is a parameter. */
static const char *command_of(const StoreRun *run, Arena *arena) {
    const char *text = arena_format(arena, "tetropt %s", run->command);
    bool seed = false, piece_seed = strcmp(run->command, "train") == 0; /* given, or not taken */
    for (size_t i = 0; i < run->parameter_count; i++) {
        const StoreParameter *parameter = &run->parameters[i];
        seed |= strcmp(parameter->name, "seed") == 0;
        piece_seed |= strcmp(parameter->name, "piece-seed") == 0;
        text = arena_format(arena, "%s --%s %s", text, parameter->name, parameter->value);
    }
    if (!seed)
        text = arena_format(arena, "%s --seed %llu", text, (unsigned long long)run->seed);
    if (!piece_seed)
        text =
            arena_format(arena, "%s --piece-seed %llu", text, (unsigned long long)run->piece_seed);
    return text;
}

static PublishedAnswer compare_fact(const PublishedNumber *number, Arena *arena) {
    double ours = number->fact();
    arena->failed |= isnan(ours); /* only without memory */
    return (PublishedAnswer){.verdict =
                                 ours == number->theirs ? PUBLISHED_AGREES : PUBLISHED_DIFFERS,
                             .count = 1,
                             .ours = ours,
                             .low = ours,
                             .high = ours,
                             .command = number->fact_command};
}

PublishedAnswer published_compare(const PublishedNumber *number, RunList done, Arena *arena) {
    if (number->statistic == PUBLISHED_FACT)
        return compare_fact(number, arena);
    PublishedAnswer answer = {.command = ""};
    /* 1. The values of our runs or games. */
    RunList list = runs_of(number, done, arena);
    Numbers values = number->games ? runs_games(list, number->measure, 0, arena)
                                   : runs_measures(list, number->measure, arena);
    size_t drawn = number->sample > 0 ? (size_t)number->sample : values.count;
    size_t room = SAMPLE_RESAMPLES + (values.count > drawn ? values.count : drawn);
    double *scratch = arena_zeroed(arena, room, sizeof *scratch);
    if (values.count == 0 || !scratch)
        return answer;
    /* 2. Our statistic with its interval. */
    SampleStatistic *statistic = statistics[number->statistic];
    answer.count = values.count;
    answer.command = command_of(list.items[0], arena);
    if (number->statistic == PUBLISHED_MEDIAN) {
        sample_sort(values.values, values.count);
        sample_median_interval(values.values, values.count, &answer.low, &answer.high);
    } else
        sample_bootstrap(values.values, values.count, values.count, statistic, scratch, &answer.low,
                         &answer.high);
    /* 3. Where the statistic of a sample of their size would lie. */
    double low, high;
    sample_bootstrap(values.values, values.count, drawn, statistic, scratch, &low, &high);
    answer.ours = statistic(values.values, values.count);
    low = fmin(low, answer.low);
    high = fmax(high, answer.high);
    bool larger = number->theirs > high;
    /* No resample is better than our best run, but the best of their runs is the best of all with
     * this probability, if they come from the same distribution. */
    if (number->statistic == PUBLISHED_BEST && larger)
        larger = (double)drawn / (double)(drawn + values.count) < 0.025;
    if (number->theirs >= low && !larger)
        answer.verdict = PUBLISHED_AGREES;
    else if (number->statistic == PUBLISHED_DEVIATION)
        answer.verdict = PUBLISHED_DIFFERS;
    else
        answer.verdict =
            larger == runs_larger_is_better(number->measure) ? PUBLISHED_WORSE : PUBLISHED_BETTER;
    return answer;
}
