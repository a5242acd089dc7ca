/*
 * islands: what islands exchange, and how all of them come to the same decision.
 *
 * A meeting is one sum over all islands: votes, and a fingerprint of the problem. Everyone sees the
 * same sum and decides the same. Migration is one shift along the ring. In the end the best travels
 * round the ring once.
 */
#include "optim/islands.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What an island says at a meeting: an OptimEnd or one of these. */
enum { GO_ON = OPTIM_STOPPED + 1, FAILED, VOTES, DIFFERENT = VOTES };

enum { FINGERPRINT_BITS = 20 }; /* so few that sums of squares stay exact (all_equal) */
static const uint64_t PROBE_STREAM = 0x70726f6265; /* apart from the streams of individuals */

/* A genotype on its way; the genotype follows. */
typedef struct Entry {
    double fitness;
    int64_t island;
} Entry;

static unsigned char *entry_genotype(unsigned char *entry) {
    return entry + sizeof(Entry);
}

static void write_entry(const Islands *islands, unsigned char *entry, const void *genotype,
                        double fitness, int64_t island) {
    Entry head = {fitness, island};
    memcpy(entry, &head, sizeof head);
    memcpy(entry_genotype(entry), genotype, islands->control->problem->genotype_bytes);
}

static Entry entry_head(const unsigned char *entry) {
    Entry head;
    memcpy(&head, entry, sizeof head);
    return head;
}

/* ---- beginning ---- */

OptimRun islands_part(const OptimRun *run) {
    OptimRun part = *run;
    uint64_t index = (uint64_t)run->exchange->index, count = (uint64_t)run->exchange->count;
    if (index > 0)
        part.seed = rng_derive(run->seed, index);
    if (run->evaluations > 0) {
        part.evaluations = run->evaluations / count + (index < run->evaluations % count);
        part.evaluations += part.evaluations == 0; /* 0 would be no limit */
    }
    return part;
}

/* A few bits that depend on the problem, the seed and what the exchange relies on: islands that
 * were started with different arguments or read different files must notice it. One evaluation that
 * is not counted distinguishes problems. */
static uint64_t fingerprint_of(const Islands *islands, const OptimRun *run) {
    const Problem *problem = run->problem;
    void *scratch = control_scratch(islands->control, 0);
    Rng rng;
    rng_init(&rng, run->seed, PROBE_STREAM);
    problem->random(problem, &rng, islands->sent);
    double fitness = problem->evaluate(problem, scratch, islands->sent);
    uint64_t bits, mixed = rng_derive(run->seed, problem->genotype_bytes);
    memcpy(&bits, &fitness, sizeof bits);
    mixed = rng_derive(mixed, bits);
    mixed = rng_derive(mixed, islands->migrants);
    return rng_derive(mixed, islands->interval) >> (64 - FINGERPRINT_BITS);
}

bool islands_init(Islands *islands, const OptimRun *run, Control *control,
                  const GaParameters *parameters, Status *status) {
    *islands = (Islands){.exchange = run->exchange,
                         .control = control,
                         .migrants = (size_t)parameters->migrants,
                         .interval = (uint64_t)parameters->interval,
                         .next = (uint64_t)parameters->interval,
                         .verdict = GO_ON};
    size_t most = (size_t)parameters->population / 2;
    islands->migrants = islands->migrants < most ? islands->migrants : most;
    islands->entry_bytes = control_stride(sizeof(Entry) + run->problem->genotype_bytes);
    islands->sent = control_allocate(islands->migrants, islands->entry_bytes, status);
    islands->received = control_allocate(islands->migrants, islands->entry_bytes, status);
    islands->ranks = control_allocate(islands->migrants, sizeof *islands->ranks, status);
    islands->worst = control_allocate(islands->migrants, sizeof *islands->worst, status);
    if (!islands->sent || !islands->received || !islands->ranks || !islands->worst)
        return false;
    islands->fingerprint = fingerprint_of(islands, run);
    return true;
}

void islands_release(Islands *islands) {
    free(islands->sent);
    free(islands->received);
    free(islands->ranks);
    free(islands->worst);
}

/* ---- meetings ---- */

/* What all decide from what all said; the order is that of control_over. */
static int decide(const int64_t *votes, int64_t islands) {
    static const int alone[] = {FAILED,        OPTIM_TARGET, OPTIM_EVALUATIONS,
                                OPTIM_STOPPED, OPTIM_TIME,   OPTIM_FINISHED};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (votes[alone[i]] > 0)
            return alone[i];
    return votes[OPTIM_PATIENCE] == islands ? OPTIM_PATIENCE : GO_ON;
}

/* Whether all fingerprints are the same follows from their sum and that of their squares:
 * n * sum(f^2) - sum(f)^2 is the sum of (f_i - f_j)^2 over all pairs. */
static bool all_equal(const int64_t *sums, int64_t islands) {
    uint64_t sum = (uint64_t)sums[0], squares = (uint64_t)sums[1];
    return (uint64_t)islands * squares == sum * sum;
}

static int meet(const Exchange *exchange, int vote, uint64_t fingerprint) {
    int64_t sums[VOTES + 2] = {0};
    sums[vote] = 1;
    sums[VOTES] = (int64_t)fingerprint;
    sums[VOTES + 1] = (int64_t)(fingerprint * fingerprint);
    exchange->sum(exchange->context, sums, VOTES + 2);
    int verdict = decide(sums, exchange->count);
    if (verdict != FAILED && !all_equal(sums + VOTES, exchange->count))
        return DIFFERENT;
    return verdict;
}

/* Whether entry `number` is among the `sent` ones or came in this exchange before: those that come
 * round again and copies would only crowd the population. */
static bool known(const Islands *islands, size_t number, size_t sent) {
    size_t genotype_bytes = islands->control->problem->genotype_bytes;
    unsigned char *entry = islands->received + number * islands->entry_bytes;
    for (size_t i = 0; i < sent + number; i++) {
        unsigned char *other = i < sent ? islands->sent + i * islands->entry_bytes
                                        : islands->received + (i - sent) * islands->entry_bytes;
        if (entry_head(entry).fitness == entry_head(other).fitness &&
            memcmp(entry_genotype(entry), entry_genotype(other), genotype_bytes) == 0)
            return true;
    }
    return false;
}

static void migrate(Islands *islands, Ga *ga) {
    const Exchange *exchange = islands->exchange;
    size_t count = ga_best(ga, islands->ranks, islands->migrants);
    assert(count == islands->migrants);
    for (size_t i = 0; i < count; i++)
        write_entry(islands, islands->sent + i * islands->entry_bytes,
                    ga_genotype(ga, islands->ranks[i].index), islands->ranks[i].fitness,
                    exchange->index);
    exchange->shift(exchange->context, islands->sent, islands->received,
                    count * islands->entry_bytes);
    ga_worst(ga, islands->worst, count);
    for (size_t i = 0; i < count; i++) {
        if (known(islands, i, count))
            continue;
        unsigned char *entry = islands->received + i * islands->entry_bytes;
        double fitness = entry_head(entry).fitness;
        ga_replace(ga, islands->worst[i], entry_genotype(entry), fitness);
        control_offer(islands->control, entry_genotype(entry), fitness);
    }
}

bool islands_over(Islands *islands, Ga *ga, bool over) {
    OptimEnd *end = &islands->control->outcome->end;
    bool waits = !over || *end == OPTIM_PATIENCE;
    if (waits && ga_generation(ga) < islands->next)
        return false;
    islands->next += islands->interval;
    islands->verdict = meet(islands->exchange, over ? (int)*end : GO_ON, islands->fingerprint);
    if (islands->verdict == GO_ON) {
        migrate(islands, ga);
        return false;
    }
    if (islands->verdict < GO_ON)
        *end = (OptimEnd)islands->verdict;
    return true;
}

/* ---- ending ---- */

/* Everyone passes on the best it knows; after a whole round but one step all know the same. */
static void spread_best(Islands *islands) {
    const Exchange *exchange = islands->exchange;
    OptimOutcome *outcome = islands->control->outcome;
    int64_t owner = exchange->index;
    for (int step = 1; step < exchange->count; step++) {
        write_entry(islands, islands->sent, outcome->genotype, outcome->fitness, owner);
        exchange->shift(exchange->context, islands->sent, islands->received, islands->entry_bytes);
        Entry head = entry_head(islands->received);
        if (head.fitness < outcome->fitness ||
            (head.fitness == outcome->fitness && head.island >= owner))
            continue;
        owner = head.island;
        outcome->fitness = head.fitness;
        memcpy(outcome->genotype, entry_genotype(islands->received),
               islands->control->problem->genotype_bytes);
    }
}

/* One island has the message: the one that failed, or the first. */
static bool fail(const Islands *islands, Status *status) {
    if (islands->verdict == DIFFERENT)
        status_fail(status, STATUS_INPUT,
                    "islands: not all were given the same work (arguments, files)");
    else
        status_fail(status, STATUS_SYSTEM, "islands: another one failed");
    if (islands->verdict == FAILED || islands->exchange->index > 0)
        status->message[0] = '\0';
    return false;
}

bool islands_finish(Islands *islands, Status *status) {
    if (islands->verdict > GO_ON)
        return fail(islands, status);
    spread_best(islands);
    int64_t evaluations = (int64_t)islands->control->outcome->evaluations;
    islands->exchange->sum(islands->exchange->context, &evaluations, 1);
    islands->control->outcome->evaluations = (uint64_t)evaluations;
    return true;
}

void islands_give_up(const Exchange *exchange) {
    if (exchange)
        (void)meet(exchange, FAILED, 0);
}
