/*
 * anneal: simulated annealing over the drops of the current piece.
 *
 * It starts at a random drop; each step draws a few others (with `redraw` perhaps the present one
 * too), and the best of them is taken when it is better, or else with probability
 * exp(-loss / temperature). The state at the end is played, not the best seen: so it was published.
 *
 * The search walks over indices of drops that were all evaluated before it began.
 */
#include "base/memory.h"
#include "base/options.h"
#include "base/real.h"
#include "player/local.h"
#include "player/registry.h"

#include <stdlib.h>

enum { DRAWS_MAX = 16 };

typedef struct AnnealParameters {
    int64_t draws, steps;
    double temperature, cooling, end;
    bool redraw;
    TurnSlide slide;
} AnnealParameters;

/* The temperature is 4 / -ln 0.6: at the start a loss of 4 is taken with chance 0.6. */
static const Option rows[] = {
    TUNED_INTEGER(AnnealParameters, draws, "draws", "3", 1, DRAWS_MAX, "1..16 log",
                  "drops drawn per step; the best of them is the candidate"),
    TUNED_INTEGER(AnnealParameters, steps, "steps", "300", 1, 1e6, "10..2000 log",
                  "maximum number of steps"),
    TUNED_REAL(AnnealParameters, temperature, "temperature", "7.830460", 1e-9, 1e9, "1..100 log",
               "initial temperature"),
    TUNED_REAL(AnnealParameters, cooling, "cooling", "0.95", 1e-6, 1, "0.5..0.999",
               "factor of the temperature per step"),
    TUNED_REAL(AnnealParameters, end, "end", "0.1", 1e-9, 1e9, "0.001..1 log",
               "the search ends below this temperature"),
    OPTION_ROW(AnnealParameters, FLAG, redraw, "redraw", .argument = "on|off", .fallback = "off",
               .help = "the current drop may be drawn too"),
    OPTIONS_INCLUDE(AnnealParameters, slide, local_options),
};

typedef struct AnnealPlayer {
    LocalPlayer local;
    AnnealParameters parameters;
} AnnealPlayer;

static void *new_player(const AgentSetup *setup, const void *parameters, Status *status) {
    AnnealPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    player->local.evaluator = setup->evaluator;
    player->parameters = *(const AnnealParameters *)parameters;
    player->local.slide = player->parameters.slide;
    return player;
}

/* The best of up to `draws` different drops other than `current` (-1: of all); there is at least
 * one. */
static int draw_best(const LocalDrops *drops, int current, int draws, Rng *rng) {
    int drawn[DRAWS_MAX], count = 0, best = -1, others = drops->count - (current >= 0);
    draws = draws < others ? draws : others;
    while (count < draws) {
        int index = (int)rng_below(rng, (uint32_t)others);
        index += current >= 0 && index >= current;
        bool again = false;
        for (int i = 0; i < count; i++)
            again = again || drawn[i] == index;
        if (again)
            continue;
        drawn[count++] = index;
        if (best < 0 || drops->values[index] > drops->values[best])
            best = index;
    }
    return best;
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    AnnealPlayer *player = given;
    const AnnealParameters *parameters = &player->parameters;
    LocalDrops *drops = &player->local.drops;
    local_evaluate(&player->local, view);
    int current = (int)rng_below(rng, (uint32_t)drops->count);
    double temperature = parameters->temperature;
    int64_t steps = drops->count > 1 ? parameters->steps : 0;
    for (int64_t i = 0; i < steps && temperature >= parameters->end; i++) {
        int next = draw_best(drops, parameters->redraw ? -1 : current, (int)parameters->draws, rng);
        double gain = drops->values[next] - drops->values[current];
        if (gain >= 0 || rng_real(rng) < real_exp(gain / temperature))
            current = next;
        temperature *= parameters->cooling;
    }
    return local_decision(drops, current);
}

const Agent anneal_agent = {
    .name = "anneal",
    .summary = "simulated annealing over the drops of the current piece",
    .abilities = AGENT_DROP | AGENT_GUIDELINE | AGENT_DROP_FIRST,
    .weights = "local-hill",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(AnnealParameters),
    .new_player = new_player,
    .free_player = free,
    .choose = choose,
};
