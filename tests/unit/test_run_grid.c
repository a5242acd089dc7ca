/* Grids: what they expand to, in which order, with which seeds, and where they are wrong. */
#include "store/evolution.h"
#include "store/grid.h"
#include "store/ready.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* A command with the keys a, b and c whose values are anything but `bad`; a = 1 does not go with
 * b = 1. */
static bool known(const char *command) {
    return strcmp(command, "solve") == 0;
}

static bool check_value(const char *command, const char *key, const char *value, Status *status) {
    cr_assert_str_eq(command, "solve");
    if (strlen(key) != 1 || !strchr("abc", key[0]))
        return status_fail(status, STATUS_INPUT, "%s: there is no such option", key);
    return strcmp(value, "bad") != 0 || status_fail(status, STATUS_INPUT, "%s: is bad", key);
}

static bool check(const StoreRun *run, Status *status) {
    const char *a = store_parameter(run, "a"), *b = store_parameter(run, "b");
    if (a && b && strcmp(a, "1") == 0 && strcmp(b, "1") == 0)
        return status_fail(status, STATUS_INPUT, "b: not together");
    return true;
}

static bool run_nothing(const StoreRun *run, const ProgressWatch *watch, ExperimentResult *result,
                        Status *status) {
    (void)run, (void)watch, (void)result, (void)status;
    return false;
}

static const ExperimentCommands commands = {known, check_value, check, run_nothing, NULL};

#define HEAD "[experiment]\ncommand = solve\n"

static RunGrid *parse(const char *text) {
    Status status = {0};
    RunGrid *grid = run_grid_parse("g.ini", text, &commands, &status);
    cr_assert(grid, "%s", status.message);
    return grid;
}

/* All runs as "key=value ... /repeat" lines. */
static void list_runs(const RunGrid *grid, uint64_t seed, char *text, size_t bytes) {
    RunGridWalk walk = {.grid = grid, .seed = seed};
    StoreRun run;
    Status status = {0};
    text[0] = '\0';
    while (run_grid_next(&walk, &run, &status)) {
        for (size_t i = 0; i < run.parameter_count; i++)
            snprintf(text + strlen(text), bytes - strlen(text), "%s=%s ", run.parameters[i].name,
                     run.parameters[i].value);
        snprintf(text + strlen(text), bytes - strlen(text), "/%d\n", (int)run.repeat);
    }
}

Test(run_grid, the_last_dimension_changes_fastest_and_the_repeat_faster_still) {
    RunGrid *grid = parse(HEAD "repeat = 2\n[solve]\na = 1, 2\nb = x,\n  y ; two\nc = 5\n");
    char text[1000];
    list_runs(grid, 1, text, sizeof text);
    cr_assert_str_eq(text, "a=1 b=x c=5 /1\na=1 b=x c=5 /2\na=1 b=y c=5 /1\na=1 b=y c=5 /2\n"
                           "a=2 b=x c=5 /1\na=2 b=x c=5 /2\na=2 b=y c=5 /1\na=2 b=y c=5 /2\n");
    cr_assert_eq(run_grid_runs(grid), 8);
    cr_assert_eq(run_grid_repeat(grid), 2);
    run_grid_free(grid);
}

Test(run_grid, parts_have_dimensions_of_their_own_that_win) {
    RunGrid *grid = parse(HEAD "[solve]\na = 1, 2\nb = x\n[solve one]\nc = 7\n[solve two]\n"
                               "a = 3\nc = 8, 9\n");
    char text[1000];
    list_runs(grid, 1, text, sizeof text);
    cr_assert_str_eq(text, "a=1 b=x c=7 /1\na=2 b=x c=7 /1\nb=x a=3 c=8 /1\nb=x a=3 c=9 /1\n");
    run_grid_free(grid);
}

Test(run_grid, pieces_depend_on_the_repeat_alone) {
    RunGrid *grid = parse(HEAD "repeat = 3\n[solve]\na = 1, 2, 3, 4\n");
    RunGridWalk walk = {.grid = grid, .seed = 99}, other = {.grid = grid, .seed = 98};
    StoreRun run, elsewhere;
    Status status = {0};
    uint64_t pieces[3], seeds[12];
    for (int i = 0; i < 12; i++) {
        cr_assert(run_grid_next(&walk, &run, &status));
        cr_assert(run_grid_next(&other, &elsewhere, &status));
        if (i < 3)
            pieces[i] = run.piece_seed;
        cr_assert_eq(run.piece_seed, pieces[i % 3]);
        cr_assert_neq(run.piece_seed, elsewhere.piece_seed);
        cr_assert_lt(run.seed, (uint64_t)1 << 53);
        seeds[i] = run.seed;
        for (int k = 0; k < i; k++)
            cr_assert_neq(seeds[k], seeds[i]);
    }
    cr_assert_neq(pieces[0], pieces[1]);
    cr_assert(!run_grid_next(&walk, &run, &status));
    run_grid_free(grid);
}

static StoreParameter pin_c(const char *command) {
    (void)command;
    return (StoreParameter){"c", "9"};
}

Test(run_grid, a_changed_default_is_written_into_runs_that_do_not_name_it) {
    const ExperimentCommands pinning = {known, check_value, check, run_nothing, pin_c};
    Status status = {0};
    RunGrid *grid = run_grid_parse(
        "g.ini", HEAD "[solve]\na = 1\n[solve x]\nb = x\n[solve y]\nc = 7\n", &pinning, &status);
    cr_assert(grid, "%s", status.message);
    char text[1000];
    list_runs(grid, 1, text, sizeof text);
    cr_assert_str_eq(text, "a=1 b=x c=9 /1\na=1 c=7 /1\n");
    run_grid_free(grid);
}

Test(run_grid, every_run_can_have_pieces_of_its_own) {
    RunGrid *grid = parse(HEAD "repeat = 2\nlists = run\n[solve]\na = 1, 2\n");
    RunGridWalk walk = {.grid = grid, .seed = 99};
    StoreRun run;
    Status status = {0};
    uint64_t pieces[4];
    for (int i = 0; i < 4; i++) {
        cr_assert(run_grid_next(&walk, &run, &status));
        pieces[i] = run.piece_seed;
        for (int k = 0; k < i; k++)
            cr_assert_neq(pieces[k], pieces[i]);
    }
    run_grid_free(grid);
}

Test(run_grid, complaints_name_the_line) {
    static const struct {
        const char *text, *place, *word;
    } cases[] = {
        {HEAD "[solve]\na = 1, bad\n", "g.ini:4: ", "bad"},
        {HEAD "[solve]\na = 1,\n 2,\n bad\n", "g.ini:6: ", "bad"},
        {HEAD "[solve]\nd = 1\n", "g.ini:4: ", "d: there"},
        {HEAD "[solve]\na = 1\na = 2\n", "g.ini:5: ", "twice"},
        {HEAD "\n\n[perft]\na = 1\n", "g.ini:6: ", "perft"},
        {HEAD "what\n[solve]\na = 1\n", "g.ini:3: ", "form"},
        {HEAD "[solve]\na = 1\n[solve\nb = bad\n", "g.ini:5: ", "form"},
        {HEAD, "g.ini: ", "nothing"},
        {"", "g.ini: ", "command"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Status status = {0};
        cr_assert_null(run_grid_parse("g.ini", cases[i].text, &commands, &status));
        cr_assert_eq(status.code, STATUS_INPUT);
        cr_assert(strncmp(status.message, cases[i].place, strlen(cases[i].place)) == 0, "%s",
                  status.message);
        cr_assert(strstr(status.message, cases[i].word), "%s", status.message);
    }
}

Test(run_grid, combinations_are_checked_too) {
    RunGrid *grid = parse(HEAD "[solve]\na = 0, 1\nb = 0, 2,\n   1\n");
    Status status = {0};
    cr_assert(!run_grid_check(grid, &commands, &status));
    cr_assert_str_eq(status.message, "g.ini:6: b: not together");
    run_grid_free(grid);
}

static const char *complaint;

static bool check_never(const StoreRun *run, Status *status) {
    (void)run;
    return status_fail(status, STATUS_INPUT, "%s", complaint);
}

/* A key is looked for as a word: `b` is neither the end of `crab` nor that of `half-b`. */
Test(run_grid, complaints_name_whole_words) {
    static const struct {
        const char *complaint;
        int line;
    } cases[] = {{"--b: no", 5},          {"--param: b: no", 5}, {"b: no", 5},
                 {"--crab: no", 4},       {"half-b: no", 4},     {"no_b: no", 4},
                 {"crab: --b: again", 5}, {"nothing", 4}};
    const ExperimentCommands never = {known, check_value, check_never, run_nothing, NULL};
    RunGrid *grid = parse(HEAD "[solve]\na = 0\nb = 0\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char place[32];
        Status status = {0};
        complaint = cases[i].complaint;
        cr_assert(!run_grid_check(grid, &never, &status));
        snprintf(place, sizeof place, "g.ini:%d: ", cases[i].line);
        cr_assert(strncmp(status.message, place, strlen(place)) == 0, "%s", status.message);
    }
    run_grid_free(grid);
}

Test(run_grid, the_number_of_runs_has_an_end) {
    char text[2000] = HEAD "repeat = 50000\n[solve]\n";
    for (int i = 0; i < 3; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%c = 0", 'a' + i);
        for (int k = 1; k < 20; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), ", %d", k);
        strcat(text, "\n");
    }
    Status status = {0};
    cr_assert_null(run_grid_parse("g.ini", text, &commands, &status));
    cr_assert(strstr(status.message, "more than"), "%s", status.message);
}

Test(run_grid, ready_grids_are_there) {
    static const char *const names[] = {"ga",           "sa",   "published-ga", "published-sa",
                                        "local-search", "bees", "quick"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const EmbeddedText *ready = ready_grids;
        while (ready->name && strcmp(ready->name, names[i]) != 0)
            ready++;
        cr_assert(ready->name && strstr(ready->text, "[experiment]\n"), "%s", names[i]);
    }
}

Test(run_grid, an_evolution_keeps_every_improvement) {
    static Evolution evolution;
    evolution_init(&evolution);
    /* 100 improvements among 100,000 reports, at squares so that no stride meets them all. */
    uint64_t next = 1, found = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        if (i == next * next * 10)
            next++;
        evolution_add(&evolution, &(StorePoint){.evaluation = i, .best = (double)next});
    }
    evolution_end(&evolution);
    cr_assert_leq(evolution.count, EVOLUTION_MAX + 1);
    for (size_t i = 1; i < evolution.count; i++)
        if (evolution.points[i].best > evolution.points[i - 1].best) {
            uint64_t root = (uint64_t)evolution.points[i - 1].best;
            cr_assert_eq(evolution.points[i].evaluation, root * root * 10);
            found++;
        }
    cr_assert_eq(found, next - 1);
    /* More improvements than fit: still within the limit, and the last one is there. */
    evolution_init(&evolution);
    for (uint64_t i = 0; i < 100000; i++)
        evolution_add(&evolution, &(StorePoint){.evaluation = i, .best = (double)i});
    evolution_end(&evolution);
    cr_assert_leq(evolution.count, EVOLUTION_MAX + 1);
    cr_assert_eq(evolution.points[evolution.count - 1].evaluation, 99999);
}

Test(run_grid, an_evolution_is_thinned_evenly_and_keeps_its_end) {
    for (uint64_t reports = 0; reports < 3000; reports = reports * 5 / 4 + 1) {
        static Evolution evolution;
        evolution_init(&evolution);
        for (uint64_t i = 0; i < reports; i++)
            evolution_add(&evolution, &(StorePoint){.evaluation = 10 * i});
        evolution_end(&evolution);
        cr_assert_leq(evolution.count, EVOLUTION_MAX + 1);
        cr_assert_geq(evolution.count, reports < EVOLUTION_MAX / 2 ? reports : EVOLUTION_MAX / 2);
        if (reports == 0)
            continue;
        cr_assert_eq(evolution.points[0].evaluation, 0);
        cr_assert_eq(evolution.points[evolution.count - 1].evaluation, 10 * (reports - 1));
        uint64_t step = evolution.count > 1 ? evolution.points[1].evaluation : 0;
        for (size_t i = 1; i + 1 < evolution.count; i++)
            cr_assert_eq(evolution.points[i].evaluation, i * step);
    }
}
