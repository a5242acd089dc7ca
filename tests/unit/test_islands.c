/* islands: runs in threads of this process that exchange through mailboxes. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "optim/islands.h"
#include "optim/registry.h"

#include "unit/toy.h"

enum { ISLANDS_MAX = 4, UNITS = 40, BYTES = TOY_GENES * UNITS };

/* Where the islands leave what the others read, between two barriers. */
typedef struct Harbour {
    pthread_barrier_t barrier;
    int count;
    const void *boxes[ISLANDS_MAX];
} Harbour;

typedef struct Island {
    Harbour *harbour;
    Exchange exchange;
    Toy toy;
    OptimRun run;
    GaParameters parameters;
    unsigned threads;
    bool gives_up; /* cannot even begin */
    unsigned char genotype[BYTES];
    OptimOutcome outcome;
    bool ok;
    Status status;
    uint64_t first_at_best; /* generation of the first report of a population with fitness 0 */
    double current;         /* of the last report */
    bool fell;              /* it was higher before */
    pthread_t thread;
} Island;

static void harbour_shift(void *context, const void *sent, void *received, size_t bytes) {
    const Island *island = context;
    Harbour *harbour = island->harbour;
    int index = island->exchange.index, count = harbour->count;
    harbour->boxes[index] = sent;
    pthread_barrier_wait(&harbour->barrier);
    memcpy(received, harbour->boxes[(index + count - 1) % count], bytes);
    pthread_barrier_wait(&harbour->barrier);
}

static void harbour_sum(void *context, int64_t *values, size_t count) {
    const Island *island = context;
    Harbour *harbour = island->harbour;
    int64_t sums[64] = {0};
    cr_assert(count <= 64);
    harbour->boxes[island->exchange.index] = values;
    pthread_barrier_wait(&harbour->barrier);
    for (int i = 0; i < harbour->count; i++)
        for (size_t k = 0; k < count; k++)
            sums[k] += ((const int64_t *)harbour->boxes[i])[k];
    pthread_barrier_wait(&harbour->barrier);
    memcpy(values, sums, count * sizeof *values);
}

static void note(void *context, const Progress *progress) {
    Island *island = context;
    /* Nothing takes the place of the best. */
    island->fell |= progress->current < island->current;
    island->current = progress->current;
    if (progress->best == 0 && progress->current == 0 && island->first_at_best == UINT64_MAX)
        island->first_at_best = progress->generation;
}

/* Islands with small populations and no limit but 1000 generations. */
static void settle(Island *islands, int count, Harbour *harbour) {
    *harbour = (Harbour){.count = count};
    pthread_barrier_init(&harbour->barrier, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        Island *island = &islands[i];
        memset(island, 0, sizeof *island);
        island->harbour = harbour;
        island->exchange = (Exchange){i, count, island, harbour_shift, harbour_sum, NULL};
        toy_init(&island->toy, UNITS, true);
        options_defaults(ga_optimiser.parameters, &island->parameters);
        island->parameters.population = 40;
        island->parameters.generations = 1000;
        island->parameters.interval = 5;
        island->parameters.migrants = 3;
        island->run = (OptimRun){.problem = &island->toy.problem,
                                 .seed = 7,
                                 .exchange = &island->exchange,
                                 .report = note,
                                 .report_context = island};
        island->threads = 1;
        island->first_at_best = UINT64_MAX;
        island->current = -INFINITY;
        island->outcome.genotype = island->genotype;
    }
}

static void *live(void *context) {
    Island *island = context;
    if (island->gives_up) {
        islands_give_up(&island->exchange);
        return NULL;
    }
    island->run.pool = pool_new(island->threads, &island->status);
    island->ok = optim_run(&ga_optimiser, &island->run, &island->parameters, &island->outcome,
                           &island->status);
    pool_free(island->run.pool);
    return NULL;
}

static void run_all(Island *islands, int count) {
    for (int i = 0; i < count; i++)
        cr_assert(pthread_create(&islands[i].thread, NULL, live, &islands[i]) == 0);
    for (int i = 0; i < count; i++)
        pthread_join(islands[i].thread, NULL);
    pthread_barrier_destroy(&islands[0].harbour->barrier);
}

static void same_answer(const Island *islands, int count) {
    for (int i = 0; i < count; i++) {
        const Island *island = &islands[i];
        cr_assert(island->ok, "island %d: %s", i, island->status.message);
        cr_assert_not(island->fell);
        cr_assert_eq(island->outcome.fitness, islands[0].outcome.fitness);
        cr_assert_eq(island->outcome.evaluations, islands[0].outcome.evaluations);
        cr_assert_eq(island->outcome.end, islands[0].outcome.end);
        cr_assert_arr_eq(island->genotype, islands[0].genotype, BYTES);
        cr_assert_eq(toy_evaluate(&island->toy.problem, NULL, island->genotype),
                     island->outcome.fitness);
    }
}

/* The genotype whose fitness is 0. */
static void perfect(unsigned char *genotype) {
    for (unsigned u = 0; u < UNITS; u++) {
        genotype[TOY_GENES * u] = (unsigned char)(u * 7 % 5);
        genotype[TOY_GENES * u + 1] = (unsigned char)(u % 3);
    }
}

Test(islands, the_same_every_time_on_any_threads, .timeout = 60) {
    for (int count = 2; count <= ISLANDS_MAX; count++) {
        static Island one[ISLANDS_MAX], two[ISLANDS_MAX];
        Harbour harbour;
        settle(one, count, &harbour);
        for (int i = 0; i < count; i++)
            one[i].run.evaluations = 5003;
        run_all(one, count);
        same_answer(one, count);
        cr_assert_eq(one[0].outcome.evaluations, 5003);
        cr_assert_eq(one[0].outcome.end, OPTIM_EVALUATIONS);
        settle(two, count, &harbour);
        for (int i = 0; i < count; i++) {
            two[i].run.evaluations = 5003;
            two[i].threads = 1 + (unsigned)i;
        }
        run_all(two, count);
        same_answer(two, count);
        cr_assert_arr_eq(one[0].genotype, two[0].genotype, BYTES);
        /* What was counted was done, and one more to see that all have the same work. */
        unsigned long done = 0;
        for (int i = 0; i < count; i++)
            done += atomic_load(&two[i].toy.evaluations);
        cr_assert_eq(done, 5003u + 2 * (unsigned)count); /* the other is same_answer's */
    }
}

Test(islands, the_best_travel_one_island_an_exchange, .timeout = 60) {
    static Island islands[3];
    Harbour harbour;
    settle(islands, 3, &harbour);
    unsigned char start[BYTES];
    perfect(start);
    islands[1].run.start = start;
    islands[1].run.start_count = 1;
    for (int i = 0; i < 3; i++)
        islands[i].parameters.generations = 30;
    run_all(islands, 3);
    same_answer(islands, 3);
    cr_assert_eq(islands[1].first_at_best, 0);
    cr_assert_eq(islands[2].first_at_best, 6);  /* exchanged after generation 5 */
    cr_assert_eq(islands[0].first_at_best, 11); /* after generation 10 */
    cr_assert_eq(islands[0].outcome.end, OPTIM_FINISHED);
}

Test(islands, one_that_is_there_ends_all, .timeout = 60) {
    static Island islands[3];
    Harbour harbour;
    settle(islands, 3, &harbour);
    unsigned char start[BYTES];
    perfect(start);
    for (int i = 0; i < 3; i++) {
        islands[i].run.has_target = true;
        islands[i].run.target = 0;
        islands[i].parameters.interval = 20;
    }
    islands[2].run.start = start;
    islands[2].run.start_count = 1;
    run_all(islands, 3);
    same_answer(islands, 3);
    cr_assert_eq(islands[0].outcome.end, OPTIM_TARGET);
    cr_assert_arr_eq(islands[0].genotype, start, BYTES);
    /* The others went on to the meeting, and not further. */
    cr_assert_eq(islands[0].outcome.evaluations, 40u + 2 * (40 + 20 * 20));
}

Test(islands, a_stop_of_one_ends_all, .timeout = 60) {
    static Island islands[3];
    Harbour harbour;
    settle(islands, 3, &harbour);
    atomic_bool stop = true;
    islands[1].run.stop = &stop;
    run_all(islands, 3);
    same_answer(islands, 3);
    cr_assert_eq(islands[0].outcome.end, OPTIM_STOPPED);
}

Test(islands, patience_is_that_of_all, .timeout = 60) {
    static Island islands[2];
    Harbour harbour;
    settle(islands, 2, &harbour);
    for (int i = 0; i < 2; i++)
        islands[i].toy.flat = true;
    islands[0].parameters.patience = 3;
    islands[1].parameters.patience = 12;
    run_all(islands, 2);
    same_answer(islands, 2);
    cr_assert_eq(islands[0].outcome.end, OPTIM_PATIENCE);
    cr_assert_eq(islands[0].outcome.generations, 15); /* the first meeting after 12 */
}

Test(islands, of_equals_the_lowest_wins, .timeout = 60) {
    static Island islands[3];
    Harbour harbour;
    settle(islands, 3, &harbour);
    for (int i = 0; i < 3; i++) {
        islands[i].toy.flat = true;
        islands[i].parameters.generations = 0;
    }
    run_all(islands, 3);
    same_answer(islands, 3);
    unsigned char first[BYTES]; /* the first of island 0, whose seed is that of the run */
    Rng rng;
    rng_init(&rng, 7, 0);
    toy_random(&islands[0].toy.problem, &rng, first);
    cr_assert_arr_eq(islands[2].genotype, first, BYTES);
}

Test(islands, one_that_fails_ends_all, .timeout = 60) {
    static Island islands[3];
    Harbour harbour;
    settle(islands, 3, &harbour);
    islands[1].gives_up = true;
    run_all(islands, 3);
    for (int i = 0; i < 3; i += 2) {
        cr_assert_not(islands[i].ok);
        cr_assert_eq(islands[i].status.code, STATUS_SYSTEM);
        cr_assert_str_eq(islands[i].status.message, "");
    }
}

Test(islands, different_work_is_noticed, .timeout = 60) {
    for (int what = 0; what < 3; what++) {
        static Island islands[4];
        Harbour harbour;
        settle(islands, 4, &harbour);
        if (what == 0)
            islands[2].run.seed = 8;
        else if (what == 1)
            islands[3].toy.flat = true;
        else
            islands[1].parameters.migrants = 4;
        run_all(islands, 4);
        for (int i = 0; i < 4; i++) {
            cr_assert_not(islands[i].ok);
            cr_assert_eq(islands[i].status.code, STATUS_INPUT);
            cr_assert_eq(islands[i].status.message[0] != '\0', i == 0);
        }
    }
}

/* The smallest population there is; more migrants than fit. */
Test(islands, migrants_leave_half_of_the_population, .timeout = 60) {
    static Island islands[2];
    Harbour harbour;
    settle(islands, 2, &harbour);
    unsigned char start[BYTES];
    perfect(start);
    islands[0].run.start = start;
    islands[0].run.start_count = 1;
    for (int i = 0; i < 2; i++) {
        islands[i].parameters.population = 2;
        islands[i].parameters.migrants = 100; /* held to half of the population */
        islands[i].parameters.interval = 1;
        islands[i].parameters.generations = 3;
    }
    run_all(islands, 2);
    same_answer(islands, 2);
    cr_assert_eq(islands[1].first_at_best, 2);
}
