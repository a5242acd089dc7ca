/*
 * tuner: `race` is one race in numbered steps, `race_all` and `halve` are the two methods, and
 * `decide` lets the held-out instances choose.
 *
 * The numbers are those of irace: 2 + log2(p) races over p parameters, as many survivors, the
 * budget of a race shared evenly among those that are left, (instances of the first test + the
 * number of the race, at most 5) runs expected per candidate, and a spread that shrinks with every
 * race by the p-th root of the number of new candidates.
 */
#include "tune/tuner.h"

#include "base/memory.h"
#include "base/real.h"
#include "stats/rank_test.h"
#include "tune/eliminate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CANDIDATES = 4, TRIES = 50 };

/* What shrinks from race to race. */
typedef struct Model {
    double spread, keep;
} Model;

static int survivors(const Space *space) {
    return 2 + (int)floor(log2((double)space->count));
}

int64_t tuner_least_budget(const TunerTask *task) {
    int races = task->method == TUNER_RACE ? survivors(task->space) : 1;
    return (int64_t)races * LEAST_CANDIDATES * (task->first_test + 1);
}

/* ---- configurations and their results */

static double result(const TunerConfig *config, int instance) {
    return instance < config->result_count ? config->results[instance] : NAN;
}

static bool note_result(TunerConfig *config, int instance, double value, Status *status) {
    if (instance >= config->result_count) {
        int count = 2 * instance + 8;
        double *grown = realloc(config->results, (size_t)count * sizeof *grown);
        if (!grown)
            return status_no_memory(status);
        for (int i = config->result_count; i < count; i++)
            grown[i] = NAN;
        config->results = grown;
        config->result_count = count;
    }
    config->results[instance] = value;
    double sum = 0;
    int known = 0;
    for (int i = 0; i < config->result_count; i++)
        if (!isnan(config->results[i])) {
            sum += config->results[i];
            known++;
        }
    config->mean = sum / known;
    return true;
}

static int add_config(Tuner *tuner, const SpaceConfig *values, int race, int parent,
                      Status *status) {
    if (!MEMORY_HAS_PLACE(tuner->configs, tuner->count, tuner->capacity)) {
        status_no_memory(status);
        return -1;
    }
    tuner->configs[tuner->count] =
        (TunerConfig){.values = *values, .race = race, .parent = parent, .mean = NAN};
    return (int)tuner->count++;
}

static bool is_known(const Tuner *tuner, const SpaceConfig *values) {
    for (size_t i = 0; i < tuner->count; i++)
        if (space_same(tuner->task->space, &tuner->configs[i].values, values))
            return true;
    return false;
}

void tuner_release(Tuner *tuner) {
    for (size_t i = 0; i < tuner->count; i++) {
        free(tuner->configs[i].results);
        free(tuner->configs[i].held_out);
    }
    free(tuner->configs);
    free(tuner->steps);
    *tuner = (Tuner){0};
}

/* Asks for a batch; held-out instances are kept apart. */
static bool evaluate(Tuner *tuner, const TunerPair *pairs, size_t count, Status *status) {
    const TunerTask *task = tuner->task;
    double *values = count ? memory_new(count, sizeof *values, status) : NULL;
    if (count == 0)
        return true;
    bool ok = values &&
              task->evaluate(task->context, tuner, pairs, count, values, &tuner->seconds, status);
    for (size_t i = 0; ok && i < count; i++) {
        TunerConfig *config = &tuner->configs[pairs[i].config];
        if (pairs[i].instance < TUNER_HELD_OUT)
            ok = note_result(config, pairs[i].instance, values[i], status);
        else if (config->held_out)
            config->held_out[pairs[i].instance - TUNER_HELD_OUT] = values[i];
    }
    free(values);
    return ok;
}

/* The pairs of candidates and instances whose results are missing; returns their number. */
static size_t missing(const Tuner *tuner, const int *alive, int alive_count, const int *order,
                      int from, int to, TunerPair *pairs) {
    size_t count = 0;
    for (int t = from; t < to; t++)
        for (int i = 0; i < alive_count; i++)
            if (isnan(result(&tuner->configs[alive[i]], order[t])))
                pairs[count++] = (TunerPair){alive[i], order[t]};
    return count;
}

/* ---- one race */

typedef struct Race {
    int *alive;
    int alive_count, started;
    int *order; /* of instances */
    int order_count;
    int seen;        /* instances so far */
    int protected;   /* elites stay until this many were seen */
    int elite_count; /* how many of the first candidates are elites */
    int64_t budget, used;
    bool *elite; /* by candidate in `alive` */
    bool *worse;
    double *score;
    double *values; /* of those that are left, row by row; grows, since few see many instances */
    size_t value_capacity;
    TunerPair *pairs;
} Race;

static void race_release(Race *race) {
    free(race->alive);
    free(race->order);
    free(race->elite);
    free(race->worse);
    free(race->score);
    free(race->values);
    free(race->pairs);
}

static bool race_init(Race *race, int candidates, int order_count, int first, Status *status) {
    size_t n = (size_t)candidates;
    race->alive = memory_new(n, sizeof *race->alive, status);
    race->order = memory_new((size_t)order_count, sizeof *race->order, status);
    race->elite = memory_new(n, sizeof *race->elite, status);
    race->worse = memory_new(n, sizeof *race->worse, status);
    race->score = memory_new(n, sizeof *race->score, status);
    /* No later batch is larger: the others are one instance, or half of the candidates. */
    race->pairs = memory_new(n * (size_t)first, sizeof *race->pairs, status);
    race->order_count = order_count;
    return race->alive && race->order && race->elite && race->worse && race->score && race->pairs;
}

/* Instances that elites have seen come first, after a new one; both parts in random order. */
static void order_instances(const Tuner *tuner, Race *race, Rng *rng) {
    int seen = 0, count = 0;
    for (int e = 0; e < tuner->elite_count; e++) {
        const TunerConfig *elite = &tuner->configs[tuner->elites[e]];
        for (int i = 0; i < elite->result_count; i++)
            if (!isnan(elite->results[i]) && i + 1 > seen)
                seen = i + 1;
    }
    if (seen > 0)
        race->order[count++] = seen;
    for (int i = 0; i < seen && count < race->order_count; i++)
        race->order[count++] = i;
    for (int i = count - 1; i > 1; i--) {
        int j = 1 + (int)rng_below(rng, (uint32_t)i);
        int swap = race->order[i];
        race->order[i] = race->order[j];
        race->order[j] = swap;
    }
    race->protected = count;
    for (int i = seen > 0 ? seen + 1 : 0; count < race->order_count; i++)
        race->order[count++] = i;
}

static bool note_step(Tuner *tuner, const Race *race, Status *status) {
    if (!MEMORY_HAS_PLACE(tuner->steps, tuner->step_count, tuner->step_capacity))
        return status_no_memory(status);
    int best = 0;
    for (int i = 1; i < race->alive_count; i++)
        best = race->score[i] < race->score[best] ? i : best;
    double sum = 0;
    for (int t = 0; t < race->seen; t++)
        sum += result(&tuner->configs[race->alive[best]], race->order[t]);
    tuner->steps[tuner->step_count++] = (TunerStep){.race = tuner->races,
                                                    .instances = race->seen,
                                                    .started = race->started,
                                                    .alive = race->alive_count,
                                                    .runs = tuner->runs,
                                                    .best = race->alive[best],
                                                    .best_mean = sum / race->seen};
    if (tuner->task->report)
        tuner->task->report(tuner->task->context, tuner);
    return true;
}

static bool test(const Tuner *tuner, Race *race, Status *status) {
    size_t needed = (size_t)race->seen * (size_t)race->alive_count;
    if (needed > race->value_capacity) {
        double *grown = realloc(race->values, 2 * needed * sizeof *grown);
        if (!grown)
            return status_no_memory(status);
        race->values = grown;
        race->value_capacity = 2 * needed;
    }
    for (int t = 0; t < race->seen; t++)
        for (int i = 0; i < race->alive_count; i++)
            race->values[t * race->alive_count + i] =
                result(&tuner->configs[race->alive[i]], race->order[t]);
    return eliminate(tuner->task->test, tuner->task->alpha, race->values, (size_t)race->seen,
                     (size_t)race->alive_count, race->worse, race->score, status);
}

/* Removes the candidates that are marked. */
static void drop(Race *race) {
    int kept = 0;
    for (int i = 0; i < race->alive_count; i++) {
        if (race->worse[i])
            continue;
        race->alive[kept] = race->alive[i];
        race->elite[kept] = race->elite[i];
        race->score[kept++] = race->score[i];
    }
    race->alive_count = kept;
}

/* The best candidates of a race become the elites, the best first. */
static void choose_elites(Tuner *tuner, Race *race, int most) {
    tuner->elite_count = 0;
    while (tuner->elite_count < most && tuner->elite_count < race->alive_count) {
        int best = -1;
        for (int i = 0; i < race->alive_count; i++)
            if (race->alive[i] >= 0 && (best < 0 || race->score[i] < race->score[best]))
                best = i;
        tuner->elites[tuner->elite_count++] = race->alive[best];
        race->alive[best] = -1;
    }
}

static bool out_of_time(const Tuner *tuner) {
    return tuner->task->seconds > 0 && tuner->seconds >= tuner->task->seconds;
}

static bool race(Tuner *tuner, Race *race, Status *status) {
    int least = survivors(tuner->task->space), first = tuner->task->first_test;
    for (;;) {
        /* 1. The first instances at once, then one after the other. */
        int next = race->seen == 0 ? first : race->seen + 1;
        if (next > race->order_count)
            break;
        size_t count = missing(tuner, race->alive, race->alive_count, race->order, race->seen, next,
                               race->pairs);
        if (race->seen > 0 && (race->used + (int64_t)count > race->budget || out_of_time(tuner)))
            break;
        if (!evaluate(tuner, race->pairs, count, status))
            return false;
        race->seen = next;
        race->used += (int64_t)count;
        tuner->runs += (int64_t)count;
        /* 2. Who is worse? Elites stay until the others have seen their instances. */
        if (!test(tuner, race, status))
            return false;
        for (int i = 0; i < race->alive_count; i++)
            if (race->elite[i] && race->seen < race->protected)
                race->worse[i] = false;
        drop(race);
        if (!note_step(tuner, race, status))
            return false;
        /* 3. Few enough are left. */
        if (race->alive_count <= least && race->seen >= race->protected)
            break;
    }
    choose_elites(tuner, race, least);
    return true;
}

/* ---- racing */

enum { NOTHING_NEW = -2 };

/* A new candidate near an elite, better ones more often; -1: no memory. When only known ones come,
 * the model is widened (a soft restart), until there is nothing new. */
static int sample(Tuner *tuner, Model *model, Rng *rng, Status *status) {
    const Space *space = tuner->task->space;
    SpaceConfig values = {{0}};
    int parent = -1;
    for (int tries = 0; tries < TRIES; tries++) {
        if (tuner->elite_count == 0)
            values = space_random(space, rng);
        else {
            int n = tuner->elite_count, place = 0;
            int draw = (int)rng_below(rng, (uint32_t)(n * (n + 1) / 2));
            while (draw >= n - place)
                draw -= n - place++;
            parent = tuner->elites[place];
            values =
                space_near(space, &tuner->configs[parent].values, model->spread, model->keep, rng);
        }
        if (!is_known(tuner, &values))
            return add_config(tuner, &values, tuner->races, parent, status);
        if (tries % 10 == 9) {
            tuner->restarts++;
            model->spread = fmin(2 * model->spread, 0.5);
            model->keep /= 2;
        }
    }
    return NOTHING_NEW;
}

/* Samples until there are so many candidates. False: no memory. */
static bool fill(Tuner *tuner, Race *race, int candidates, Model *model, Rng *rng, Status *status) {
    while (race->alive_count < candidates) {
        int index = sample(tuner, model, rng, status);
        if (index < 0)
            return index == NOTHING_NEW;
        race->alive[race->alive_count++] = index;
    }
    return true;
}

/* Makes the candidates of the next race and runs it. */
static bool one_race(Tuner *tuner, Model *model, int64_t budget, int candidates, bool *is_last,
                     Status *status) {
    const TunerTask *task = tuner->task;
    Rng rng;
    rng_init(&rng, task->seed, (uint64_t)tuner->races);
    Race state = {.budget = budget};
    size_t known = tuner->count;
    int longest = (int)(budget / 2) + task->first_test + 1;
    bool ok = race_init(&state, candidates, longest, task->first_test, status);
    for (int i = 0; ok && i < tuner->elite_count; i++) {
        state.elite[state.alive_count] = true;
        state.alive[state.alive_count++] = tuner->elites[i];
    }
    if (ok && tuner->races == 0) /* the default */
        state.alive[state.alive_count++] = 0;
    ok = ok && fill(tuner, &state, candidates, model, &rng, status);
    state.started = state.alive_count;
    if (ok)
        order_instances(tuner, &state, &rng);
    *is_last = ok && tuner->races > 0 && tuner->count == known; /* all of the space was tried */
    ok = ok && race(tuner, &state, status);
    race_release(&state);
    tuner->races++;
    return ok;
}

static bool race_all(Tuner *tuner, Status *status) {
    const TunerTask *task = tuner->task;
    double p = task->space->count;
    int races = survivors(task->space);
    Model model = {.spread = 0.5, .keep = 0};
    bool is_last = false;
    for (;;) {
        int64_t left = task->budget - tuner->runs, budget;
        int rest = races > tuner->races ? races - tuner->races : 1, candidates;
        int expected = task->first_test + (tuner->races + 1 < 5 ? tuner->races + 1 : 5);
        int least =
            tuner->elite_count + 2 > LEAST_CANDIDATES ? tuner->elite_count + 2 : LEAST_CANDIDATES;
        do { /* fewer races, where a share would be too small for one */
            budget = left / rest;
            candidates = (int)(budget / expected);
        } while (candidates < least && --rest > 0);
        if (candidates < least || tuner->races > 4 * races || is_last || out_of_time(tuner))
            return true;
        if (tuner->races > 0) {
            int made = candidates - tuner->elite_count;
            model.spread = fmax(model.spread * real_exp(-real_log(made) / p), 0.001);
            model.keep = fmin((double)tuner->races / races, 0.95);
        }
        if (!one_race(tuner, &model, budget, candidates, &is_last, status))
            return false;
    }
}

/* ---- successive halving */

/* The runs of n candidates: the instances of the first rung, and as many more as before in each of
 * the others, where half of the candidates is left. */
static int64_t halving_runs(int n, int first, int rungs) {
    int64_t runs = (int64_t)n * first;
    for (int rung = 1; rung <= rungs; rung++) {
        n = (n + 1) / 2;
        runs += (int64_t)n * (first << (rung - 1));
    }
    return runs;
}

/* Every rung keeps the better half and doubles the instances. */
static bool halve(Tuner *tuner, Status *status) {
    const TunerTask *task = tuner->task;
    int candidates = 2, rungs = 1;
    for (int n = 2;; n++) { /* as many candidates as the budget allows */
        int own = (int)floor(log2((double)n));
        if (halving_runs(n, task->first_test, own) > task->budget)
            break;
        candidates = n;
        rungs = own;
    }
    Rng rng;
    rng_init(&rng, task->seed, 0);
    Race state = {.budget = INT64_MAX};
    Model model = {.spread = 0.5};
    int longest = task->first_test << rungs;
    bool ok = race_init(&state, candidates, longest, task->first_test, status);
    if (ok)
        state.alive[state.alive_count++] = 0;
    ok = ok && fill(tuner, &state, candidates, &model, &rng, status);
    state.started = state.alive_count;
    if (ok)
        order_instances(tuner, &state, &rng);
    for (int rung = 0; ok && rung <= rungs && !out_of_time(tuner); rung++) {
        int next = task->first_test << rung;
        size_t count = missing(tuner, state.alive, state.alive_count, state.order, state.seen, next,
                               state.pairs);
        ok = evaluate(tuner, state.pairs, count, status);
        state.seen = next;
        tuner->runs += ok ? (int64_t)count : 0;
        ok = ok && test(tuner, &state, status);
        int keep = rung == rungs ? state.alive_count : (state.alive_count + 1) / 2;
        for (int i = 0; ok && i < state.alive_count; i++) { /* those behind the better half go */
            int before = 0;
            for (int k = 0; k < state.alive_count; k++)
                before +=
                    state.score[k] < state.score[i] || (k < i && state.score[k] <= state.score[i]);
            state.worse[i] = before >= keep;
        }
        if (ok) {
            drop(&state);
            ok = note_step(tuner, &state, status);
        }
    }
    if (ok)
        choose_elites(tuner, &state, survivors(task->space));
    race_release(&state);
    tuner->races = 1;
    return ok;
}

/* ---- held-out instances */

double tuner_held_out(const Tuner *tuner, int config, int instance) {
    const double *values = tuner->configs[config].held_out;
    return values ? values[instance] : NAN;
}

static double held_out_mean(const Tuner *tuner, int config, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += tuner_held_out(tuner, config, i);
    return count > 0 ? sum / count : NAN;
}

/* Runs the configurations on the first `count` held-out instances. */
static bool run_held_out(Tuner *tuner, const int *configs, int config_count, int count,
                         int64_t *runs, Status *status) {
    TunerPair *pairs = memory_new((size_t)config_count * (size_t)count, sizeof *pairs, status);
    size_t pair_count = 0;
    bool ok = pairs != NULL;
    for (int i = 0; ok && i < config_count; i++) {
        TunerConfig *config = &tuner->configs[configs[i]];
        if (!config->held_out) {
            config->held_out = memory_new((size_t)tuner->task->held_out, sizeof(double), status);
            ok = config->held_out != NULL;
            for (int k = 0; ok && k < tuner->task->held_out; k++)
                config->held_out[k] = NAN;
        }
        for (int k = 0; ok && k < count; k++)
            if (isnan(config->held_out[k]))
                pairs[pair_count++] = (TunerPair){configs[i], TUNER_HELD_OUT + k};
    }
    ok = ok && evaluate(tuner, pairs, pair_count, status);
    *runs += ok ? (int64_t)pair_count : 0;
    free(pairs);
    return ok;
}

/* The elite with the best mean wins, unless the default is better. */
static bool decide(Tuner *tuner, Status *status) {
    int count = tuner->task->held_out, list[SPACE_MAX + 1] = {0}, listed = 1;
    tuner->winner = tuner->elite_count > 0 ? tuner->elites[0] : 0;
    tuner->winner_mean = tuner->default_mean = tuner->p = NAN;
    if (count == 0)
        return true;
    for (int i = 0; i < tuner->elite_count; i++)
        if (tuner->elites[i] != 0)
            list[listed++] = tuner->elites[i];
    if (!run_held_out(tuner, list, listed, count, &tuner->held_out_runs, status))
        return false;
    tuner->winner = 0;
    tuner->default_mean = held_out_mean(tuner, 0, count);
    for (int i = 0; i < listed; i++)
        if (held_out_mean(tuner, list[i], count) > held_out_mean(tuner, tuner->winner, count))
            tuner->winner = list[i];
    tuner->winner_mean = held_out_mean(tuner, tuner->winner, count);
    if (tuner->winner == 0)
        return true;
    RankTest wilcoxon;
    if (!rank_wilcoxon(tuner->configs[tuner->winner].held_out, tuner->configs[0].held_out,
                       (size_t)count, &wilcoxon, status))
        return false;
    tuner->p = fmin(wilcoxon.p * (listed - 1), 1); /* the winner was chosen among so many */
    return true;
}

/* From the default to the winner, one parameter at a time, each time the one that gains most
 * (Fawcett and Hoos, "Analysing differences between algorithm configurations through ablation",
 * 2016). */
static bool ablate(Tuner *tuner, Status *status) {
    const Space *space = tuner->task->space;
    int count = tuner->task->ablation < tuner->task->held_out ? tuner->task->ablation
                                                              : tuner->task->held_out;
    if (count == 0 || tuner->winner == 0)
        return true;
    const SpaceConfig goal = tuner->configs[tuner->winner].values;
    SpaceConfig current = tuner->configs[0].values;
    tuner->ablation_start = held_out_mean(tuner, 0, count);
    bool done[SPACE_MAX] = {false};
    for (;;) {
        int list[SPACE_MAX], parameter[SPACE_MAX], listed = 0;
        for (int i = 0; i < space->count; i++) {
            SpaceConfig next = current;
            if (done[i] || isnan(goal.values[i]) || next.values[i] == goal.values[i])
                continue;
            next.values[i] = goal.values[i];
            space_settle(space, &next, &goal);
            if (space_same(space, &next, &current))
                continue; /* it is not active yet */
            int index = add_config(tuner, &next, tuner->races, 0, status);
            if (index < 0)
                return false;
            parameter[listed] = i;
            list[listed++] = index;
        }
        if (listed == 0)
            return true;
        if (!run_held_out(tuner, list, listed, count, &tuner->ablation_runs, status))
            return false;
        int best = 0;
        for (int i = 1; i < listed; i++)
            if (held_out_mean(tuner, list[i], count) > held_out_mean(tuner, list[best], count))
                best = i;
        current = tuner->configs[list[best]].values;
        done[parameter[best]] = true;
        tuner->ablation[tuner->ablation_count++] =
            (TunerAblation){parameter[best], held_out_mean(tuner, list[best], count)};
    }
}

bool tuner_run(const TunerTask *task, Tuner *tuner, Status *status) {
    *tuner = (Tuner){.task = task, .p = NAN};
    SpaceConfig first = space_default(task->space);
    return add_config(tuner, &first, 0, -1, status) == 0 &&
           (task->method == TUNER_RACE ? race_all : halve)(tuner, status) &&
           decide(tuner, status) && ablate(tuner, status);
}
