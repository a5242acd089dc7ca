/*
 * genetic: a genetic algorithm over the drops of the current piece.
 *
 * An individual is a drop: its genes are the leftmost column (with `box` that of the middle of its
 * box, as in the published program) and the rotation. The population
 * begins with different random drops. In a generation random pairs compete (a trio when the number
 * is odd; of equals the one that lies lower wins, then either), every winner is crossed with every
 * other (column of one, rotation of the other; where that stands out of the board, the first
 * parent instead), children mutate, and they are sorted, truncated and joined to the elite.
 *
 * A mutant replaces its child with another rotation in the same column (`mutants = replace`, ours).
 * The published text adds it to the children, as any drop of its rotation (`add`); the published
 * program makes mutants and never uses them (`none`). The population is shuffled, so the trio is
 * any group, as the text has it.
 *
 * Generations of indices; drops are evaluated and sorted once per turn.
 */
#include "base/memory.h"
#include "base/options.h"
#include "player/local.h"
#include "player/registry.h"

#include <stdlib.h>
#include <string.h>

enum { POPULATION_MAX = 64, WINNERS_MAX = POPULATION_MAX / 2 };

typedef struct GeneticParameters {
    int64_t population, elites, generations;
    double mutation;
    int mutants;
    TurnSlide slide;
} GeneticParameters;

enum { MUTANTS_REPLACE, MUTANTS_ADD, MUTANTS_NONE };

static const Option rows[] = {
    TUNED_INTEGER(GeneticParameters, population, "population", "20", 2, POPULATION_MAX, "4..64 log",
                  "individuals, or fewer where there are fewer drops"),
    TUNED_INTEGER(GeneticParameters, elites, "elites", "2", 0, POPULATION_MAX, "0..4",
                  "best individuals that survive unchanged"),
    TUNED_INTEGER(GeneticParameters, generations, "generations", "10", 0, 1e6, "1..100 log",
                  "number of generations"),
    TUNED_REAL(GeneticParameters, mutation, "mutation", "0.5", 0, 1, "0..1 if mutants=replace|add",
               "probability that a child gets another rotation"),
    PARAMETER_CHOICE(GeneticParameters, mutants, "mutants", "replace", "replace|add|none",
                     "replace: another rotation in the same column, in place of the child; add: "
                     "any drop of another rotation, beside the child; none: no mutation"),
    OPTIONS_INCLUDE(GeneticParameters, slide, local_options),
};

/* Individuals are indices of drops. The drops are sorted once, best first; after that a child costs
 * a look into a table, and sorting children is counting them. */
typedef struct GeneticPlayer {
    LocalPlayer local;
    GeneticParameters parameters;
    int16_t order[REACH_MAX];                    /* the drops, best first */
    int8_t left[REACH_MAX], low[REACH_MAX];      /* gene for the column, and lowest row of a drop */
    int16_t at[ROTATION_COUNT][BOARD_MAX_WIDTH]; /* the drop of a rotation and column, or -1 */
    int16_t population[POPULATION_MAX];
    int size;
    int16_t winners[WINNERS_MAX];
    int16_t children[REACH_MAX]; /* how many children are this drop */
} GeneticPlayer;

static void *new_player(const AgentSetup *setup, const void *parameters, Status *status) {
    GeneticPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    player->local.evaluator = setup->evaluator;
    player->parameters = *(const GeneticParameters *)parameters;
    player->local.slide = player->parameters.slide;
    return player;
}

/* Fills order, left, low and at. */
static void index_drops(GeneticPlayer *player) {
    const LocalDrops *drops = &player->local.drops;
    memset(player->at, -1, sizeof player->at);
    for (int i = 0; i < drops->count; i++) {
        Placement placement = drops->placements[i];
        const Shape *shape = &piece_shapes[placement.piece][placement.rotation];
        player->left[i] = (int8_t)(placement.x + (player->local.slide.box ? 0 : shape->min_x));
        player->low[i] = (int8_t)(placement.y + shape->min_y);
        player->at[placement.rotation][player->left[i]] = (int16_t)i;
        int k = i;
        for (; k > 0 && drops->values[player->order[k - 1]] < drops->values[i]; k--)
            player->order[k] = player->order[k - 1];
        player->order[k] = (int16_t)i;
    }
}

/* Different drops, drawn at random. */
static void first_generation(GeneticPlayer *player, Rng *rng) {
    int16_t order[REACH_MAX];
    int count = player->local.drops.count;
    for (int i = 0; i < count; i++)
        order[i] = (int16_t)i;
    int wanted = (int)player->parameters.population;
    player->size = wanted < count ? wanted : count;
    for (int i = 0; i < player->size; i++) {
        int other = i + (int)rng_below(rng, (uint32_t)(count - i));
        player->population[i] = order[other];
        order[other] = order[i];
    }
}

/* The better of two; of equals the lower, then either. */
static int16_t compete(const GeneticPlayer *player, int16_t a, int16_t b, Rng *rng) {
    double gain = player->local.drops.values[a] - player->local.drops.values[b];
    if (gain > LOCAL_EQUAL || gain < -LOCAL_EQUAL)
        return gain > 0 ? a : b;
    if (player->low[a] != player->low[b])
        return player->low[a] < player->low[b] ? a : b;
    return rng_next(rng) >> 63 ? a : b;
}

/* Pairs in a random order, the last one a trio when the number is odd; returns how many won. */
static int tournament(GeneticPlayer *player, Rng *rng) {
    int16_t *ring = player->population;
    for (int i = player->size - 1; i > 0; i--) {
        int other = (int)rng_below(rng, (uint32_t)(i + 1));
        int16_t swapped = ring[i];
        ring[i] = ring[other];
        ring[other] = swapped;
    }
    int count = 0;
    for (int i = 0; i + 1 < player->size; i += 2)
        player->winners[count++] = compete(player, ring[i], ring[i + 1], rng);
    if (player->size % 2 == 1 && count > 0)
        player->winners[count - 1] =
            compete(player, player->winners[count - 1], ring[player->size - 1], rng);
    return count;
}

/* The child of two drops: the column of a, the rotation of b. */
static int16_t cross(const GeneticPlayer *player, int16_t a, int16_t b) {
    int16_t child = player->at[player->local.drops.placements[b].rotation][player->left[a]];
    return child < 0 ? a : child;
}

/* Any drop of a rotation, or the child where there is none. */
static int16_t draw_rotated(const GeneticPlayer *player, unsigned rotation, int16_t child,
                            Rng *rng) {
    uint32_t seen = 0;
    for (int x = 0; x < BOARD_MAX_WIDTH; x++)
        seen += player->at[rotation][x] >= 0;
    uint32_t wanted = seen > 0 ? rng_below(rng, seen) : 0;
    for (int x = 0; x < BOARD_MAX_WIDTH && seen > 0; x++)
        if (player->at[rotation][x] >= 0 && wanted-- == 0)
            return player->at[rotation][x];
    return child;
}

/* Counts a child and what mutation makes of it. */
static void add_child(GeneticPlayer *player, int16_t child, Rng *rng) {
    int mutants = player->parameters.mutants;
    /* One draw for both questions; a piece has 1, 2 or 4 states. */
    uint64_t draw = mutants == MUTANTS_NONE ? UINT64_MAX : rng_next(rng);
    bool mutates = (double)(draw >> 11) * 0x1p-53 < player->parameters.mutation;
    Piece piece = (Piece)player->local.drops.placements[child].piece;
    unsigned rotation = (unsigned)draw & (piece_distinct_rotations[piece] - 1u);
    int16_t replaced = player->at[rotation][player->left[child]];
    if (mutates && mutants == MUTANTS_ADD)
        player->children[draw_rotated(player, rotation, child, rng)]++;
    player->children[mutates && mutants == MUTANTS_REPLACE && replaced >= 0 ? replaced : child]++;
}

/* Every winner with every other; counts the children by the drop that they are. */
static void breed(GeneticPlayer *player, int winners, Rng *rng) {
    memset(player->children, 0, (size_t)player->local.drops.count * sizeof *player->children);
    for (int i = 0; i < winners; i++)
        for (int k = 0; k < winners; k++)
            if (i != k)
                add_child(player, cross(player, player->winners[i], player->winners[k]), rng);
}

/* Writes the drops that are counted, best first, until `room` is full; returns how many. */
static int take_best(const GeneticPlayer *player, const int16_t *counts, int16_t *out, int room) {
    int taken = 0;
    for (int i = 0; i < player->local.drops.count && taken < room; i++)
        for (int16_t left = counts[player->order[i]]; left > 0 && taken < room; left--)
            out[taken++] = player->order[i];
    return taken;
}

static void next_generation(GeneticPlayer *player, Rng *rng) {
    int16_t counts[REACH_MAX], next[POPULATION_MAX];
    memset(counts, 0, (size_t)player->local.drops.count * sizeof *counts);
    for (int i = 0; i < player->size; i++)
        counts[player->population[i]]++;
    int elites = (int)player->parameters.elites;
    elites = take_best(player, counts, next, elites < player->size ? elites : player->size);
    breed(player, tournament(player, rng), rng);
    player->size =
        elites + take_best(player, player->children, next + elites, player->size - elites);
    memcpy(player->population, next, sizeof next);
}

static int best_of_population(const GeneticPlayer *player) {
    int best = player->population[0];
    for (int i = 1; i < player->size; i++)
        if (player->local.drops.values[player->population[i]] > player->local.drops.values[best])
            best = player->population[i];
    return best;
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    GeneticPlayer *player = given;
    LocalDrops *drops = &player->local.drops;
    local_evaluate(&player->local, view);
    index_drops(player);
    first_generation(player, rng);
    for (int64_t i = 0; i < player->parameters.generations && player->size > 1; i++)
        next_generation(player, rng);
    return local_decision(drops, best_of_population(player));
}

const Agent genetic_agent = {
    .name = "genetic",
    .summary = "a genetic algorithm over the drops of the current piece",
    .abilities = AGENT_DROP | AGENT_GUIDELINE | AGENT_DROP_FIRST,
    .weights = "local-genetic",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(GeneticParameters),
    .new_player = new_player,
    .free_player = free,
    .choose = choose,
};
