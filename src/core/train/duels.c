/* duels: one trial is one game of a match; points or lines sent over trials. */
#include "train/duels.h"

#include "match/duel.h"
#include "simulate/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIN = 2, DRAW = 1 }; /* a trial's score by points, in halves */

/* Parameters of one player. */
typedef struct Values {
    _Alignas(max_align_t) unsigned char bytes[PARAMETERS_BYTES];
} Values;

/* Where weight number `index` stands in the parameters of its agent. */
static Option row_of(const Agent *agent, int index) {
    const char *name = options_row(*agent->trained, index).name;
    return options_row(agent->parameters, options_find(agent->parameters, name));
}

static int count_of(const Agent *agent) {
    return options_count(*agent->trained);
}

void duels_kind(const Agent *agent, const char **names, EvaluatorKind *kind) {
    for (int i = 0; i < count_of(agent); i++)
        names[i] = options_row(*agent->trained, i).name;
    *kind = (EvaluatorKind){
        .name = agent->name, .summary = agent->summary, .count = count_of(agent), .names = names};
}

void duels_weights(const Setup *player, double *weights) {
    for (int i = 0; i < count_of(player->agent); i++)
        weights[i] = (double)*(const int64_t *)(const void *)(player->parameters.values +
                                                              row_of(player->agent, i).offset);
}

int64_t duels_weight(const Agent *agent, int index, double weight) {
    Option row = row_of(agent, index);
    return (int64_t)round(fmin(fmax(weight, row.min), row.max));
}

static void *new_player(const Setup *setup, const double *weights, Status *status) {
    Values values;
    memcpy(values.bytes, setup->parameters.values, sizeof values.bytes);
    for (int i = 0; i < count_of(setup->agent); i++) {
        int64_t whole = duels_weight(setup->agent, i, weights[i]);
        memcpy(values.bytes + row_of(setup->agent, i).offset, &whole, sizeof whole);
    }
    return setup->agent->new_player(&setup->made_for, values.bytes, status);
}

static bool play(const void *context, size_t candidate, const double *weights, uint64_t seed,
                 int64_t trial, int64_t pieces, TrialResult *result, Status *status) {
    (void)candidate;
    const TrainDuels *duels = context;
    const Agent *agent = duels->player->agent;
    int side = (int)(trial % 2);
    DuelPlayer players[DUEL_SIDES] = {{duels->player, NULL}, {duels->player, NULL}};
    players[side].player = new_player(duels->player, weights, status);
    players[!side].player = new_player(duels->player, duels->start, status);
    DuelSetup setup = {.rules = &duels->rules,
                       .timing = DUEL_TURNS,
                       .seed = seed + (uint64_t)(trial / 2),
                       .max_pieces = pieces,
                       .stop = duels->stop};
    DuelResult played = {0};
    bool ok = players[0].player && players[1].player && duel_play(&setup, players, &played, status);
    const DuelSide *own = &played.sides[side];
    int points = played.winner < 0 ? DRAW : played.winner == side ? WIN : 0;
    *result = (TrialResult){.score = duels->by_attack ? own->attack : points,
                            .lines = own->lines,
                            .pieces = own->pieces,
                            .deaths = played.winner == !side,
                            .complete = !played.cut};
    duel_release(&played);
    for (int i = 0; i < DUEL_SIDES; i++)
        if (players[i].player)
            agent->free_player(players[i].player);
    return ok;
}

static double value_of(const TrainDuels *duels, const TrialResult *result) {
    double pieces = result->pieces > 0 ? (double)result->pieces : 1;
    return (double)result->score / (duels->by_attack ? pieces : WIN);
}

static double score(const void *context, const TrialResult *results, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += value_of(context, &results[i]);
    return sum / (double)count;
}

static bool summarise(const void *context, const TrialResult *results, size_t count,
                      TrialSummary *summary, Status *status) {
    double *values = malloc(count * sizeof *values);
    if (!values)
        return status_no_memory(status);
    /* Games of a pair depend on each other, so a pair is one value. */
    size_t pairs = 0;
    for (size_t i = 0; i < count; i += 2) {
        double first = value_of(context, &results[i]);
        values[pairs++] = i + 1 < count ? (first + value_of(context, &results[i + 1])) / 2 : first;
    }
    Summary found = summary_of(values, pairs);
    *summary = (TrialSummary){score(context, results, count), found.low, found.high};
    free(values);
    return true;
}

TrainObjective duels_objective(const TrainDuels *duels) {
    return (TrainObjective){
        .measure = duels->by_attack ? "app" : "match",
        .play = play,
        .score = score,
        .summarise = summarise,
        .context = duels,
    };
}
