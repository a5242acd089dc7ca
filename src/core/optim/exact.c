/*
 * exact: `visit` is the branch and bound, in numbered steps; `run` gives it a good first answer.
 *
 * Invariant: levels[d].node is the node after the first d actions of `path`. Nothing is allocated
 * during the search: every depth has its own node, children and actions. Excluding a node never
 * loses a better solution, since the tree's bound is proved and a node with the same key has the
 * same future; so a search that was not stopped proves its answer.
 */
#include "optim/exact.h"

#include "base/options.h"
#include "optim/registry.h"

#include <stdlib.h>
#include <string.h>

enum {
    CUT_INTERVAL = 256,       /* nodes between two checks of the clock */
    REPORT_INTERVAL = 1 << 16 /* nodes between two reports */
};

static const Option rows[] = {
    PARAMETER_INTEGER(ExactParameters, beam_width, "beam", "200", 1, 1e6,
                      "width of the beam that gives the first answer"),
    PARAMETER_INTEGER(ExactParameters, guess_effort, "guess", "1000000000", 0, 1e12,
                      "placements that the search for perfect clears may try"),
    PARAMETER_INTEGER(ExactParameters, table_bits, "table", "20", 10, 26,
                      "the table of nodes seen has 2^N places of 16 bytes"),
};

typedef struct Place {
    uint64_t key;
    double gain;
} Place;

typedef struct Child {
    double promise;
    TreeAction action;
} Child;

/* The memory of one depth of the search. */
typedef struct Level {
    unsigned char *node;
    Child *children;
    TreeAction *actions;
} Level;

typedef struct Search {
    Control *control;
    const Tree *tree;
    Level *levels;
    TreeAction *path;
    Place *table;
    uint64_t table_mask;
    uint64_t steps;
    bool stopped;
    Status *status;
} Search;

static void keep_within_limits(Search *search) {
    control_spend(search->control, 1);
    if (control_left(search->control) == 0)
        search->stopped = true;
    if (++search->steps % CUT_INTERVAL == 0 && control_cut(search->control))
        search->stopped = true;
    if (search->steps % REPORT_INTERVAL == 0) {
        double best = search->control->outcome->fitness;
        control_report(search->control, (Progress){.current = best, .mean = best});
    }
}

/* Offers the first `depth` actions of the path, a complete solution. */
static void offer(Search *search, uint32_t depth, double fitness) {
    const OptimRun *run = search->control->run;
    if (!beam_offer(search->control, search->tree, search->path, depth, fitness, search->status) ||
        (run->has_target && search->control->outcome->fitness >= run->target))
        search->stopped = true;
}

/* The children of the last level are complete solutions: offers the best one, the first of equals.
 */
static void finish(Search *search, uint32_t depth, uint32_t actions) {
    const Tree *tree = search->tree;
    const Level *level = &search->levels[depth];
    void *child = search->levels[depth + 1].node;
    double best = search->control->outcome->fitness;
    bool found = false;
    for (uint32_t i = 0; i < actions && !search->stopped; i++) {
        tree->apply(tree, level->node, level->actions[i], child);
        keep_within_limits(search);
        double fitness = tree->fitness(tree, child);
        if (fitness > best) {
            best = fitness;
            search->path[depth] = level->actions[i];
            found = true;
        }
    }
    if (found)
        offer(search, depth + 1, best);
}

/* True when the node was visited before with at least this gain; else it is stored. */
static bool was_seen(Search *search, const void *node, uint32_t depth) {
    uint64_t key = search->tree->key(search->tree, node) * 2 + 1 + ((uint64_t)depth << 58);
    double gain = search->tree->gain(search->tree, node);
    Place *place = &search->table[(key >> 20) & search->table_mask];
    if (place->key == key && place->gain >= gain)
        return true;
    *place = (Place){key, gain};
    return false;
}

static int more_promising(const void *first, const void *second) {
    const Child *a = first, *b = second;
    if (a->promise != b->promise)
        return a->promise > b->promise ? -1 : 1;
    return a->action < b->action ? -1 : a->action > b->action;
}

static void visit(Search *search, uint32_t depth) {
    const Tree *tree = search->tree;
    Control *control = search->control;
    Level *level = &search->levels[depth];
    void *child = depth < tree->depth ? search->levels[depth + 1].node : NULL;
    uint32_t actions = child ? tree->actions(tree, level->node, level->actions) : 0, count = 0;
    /* 1. Without actions the path is a complete solution; before the last action, all its children
     * are. */
    if (actions == 0) {
        offer(search, depth, tree->fitness(tree, level->node));
        return;
    }
    if (depth + 1 == tree->depth) {
        finish(search, depth, actions);
        return;
    }
    /* 2. List the children whose bound is above the best fitness so far. */
    for (uint32_t i = 0; i < actions && !search->stopped; i++) {
        tree->apply(tree, level->node, level->actions[i], child);
        keep_within_limits(search);
        if (!tree->hopeless(tree, child, depth + 1, control->outcome->fitness))
            level->children[count++] = (Child){tree->promise(tree, child), level->actions[i]};
    }
    /* 3. Most promising children first: a good solution found early excludes more. */
    qsort(level->children, count, sizeof *level->children, more_promising);
    for (uint32_t i = 0; i < count && !search->stopped; i++) {
        tree->apply(tree, level->node, level->children[i].action, child);
        /* 4. The best may have risen since the children were listed. */
        if (tree->hopeless(tree, child, depth + 1, control->outcome->fitness))
            continue;
        /* 5. Skip a node that was visited before with at least the same gain. */
        if (was_seen(search, child, depth + 1))
            continue;
        /* 6. Search below the child. */
        search->path[depth] = level->children[i].action;
        visit(search, depth + 1);
    }
}

static bool allocate(Search *search, int table_bits, Status *status) {
    const Tree *tree = search->tree;
    search->levels = control_allocate(tree->depth + 1, sizeof *search->levels, status);
    search->path = control_allocate(tree->depth, sizeof *search->path, status);
    search->table = control_allocate((size_t)1 << table_bits, sizeof *search->table, status);
    search->table_mask = ((uint64_t)1 << table_bits) - 1;
    bool ok = search->levels && search->path && search->table;
    for (uint32_t i = 0; ok && i <= tree->depth; i++) {
        Level *level = &search->levels[i];
        level->node = control_allocate(1, tree->node_bytes, status);
        level->children = control_allocate(tree->max_actions, sizeof *level->children, status);
        level->actions = control_allocate(tree->max_actions, sizeof *level->actions, status);
        ok = level->node && level->children && level->actions;
    }
    return ok;
}

static void release(Search *search) {
    for (uint32_t i = 0; search->levels && i <= search->tree->depth; i++) {
        free(search->levels[i].node);
        free(search->levels[i].children);
        free(search->levels[i].actions);
    }
    free(search->levels);
    free(search->path);
    free(search->table);
}

bool exact_search(Control *control, const Tree *tree, const BeamPath *prefix, int table_bits,
                  Status *status) {
    Search search = {.control = control, .tree = tree, .status = status};
    bool ok = allocate(&search, table_bits, status);
    if (ok && control_left(control) > 0) {
        uint32_t depth = 0;
        tree->root(tree, search.levels[0].node);
        for (; prefix && depth < prefix->length; depth++) {
            search.path[depth] = prefix->actions[depth];
            tree->apply(tree, search.levels[depth].node, prefix->actions[depth],
                        search.levels[depth + 1].node);
        }
        /* A root that cannot improve on the best so far proves that best. */
        if (!tree->hopeless(tree, search.levels[depth].node, depth, control->outcome->fitness))
            visit(&search, depth);
        control->outcome->optimal = !search.stopped;
        if (!search.stopped && !prefix)
            control->outcome->bound = control->outcome->fitness;
    }
    release(&search);
    return ok;
}

static double fitness_of(const Tree *tree, const TreeAction *path, uint32_t length,
                         unsigned char *nodes) {
    unsigned char *node = nodes, *next = nodes + control_stride(tree->node_bytes);
    tree->root(tree, node);
    for (uint32_t i = 0; i < length; i++) {
        tree->apply(tree, node, path[i], next);
        unsigned char *swap = node;
        node = next;
        next = swap;
    }
    return tree->fitness(tree, node);
}

bool exact_guess(Control *control, const Tree *tree, uint64_t effort, uint32_t beam_width,
                 ExactGuess *guess, Status *status) {
    uint64_t left = control_left(control), used = 0;
    *guess = (ExactGuess){.final = !tree->guess || left == 0};
    if (guess->final)
        return true;
    effort = effort < left ? effort : left;
    BeamPath path = {.actions = control_allocate(tree->depth, sizeof(TreeAction), status)};
    unsigned char *nodes = control_allocate(2, control_stride(tree->node_bytes), status);
    bool ok = path.actions && nodes;
    if (ok && effort > 0) {
        path.length = tree->guess(tree, effort, control_problem_cut(control), path.actions, &used,
                                  &control->outcome->bound, &guess->final);
        control_spend(control, used < left ? used : left);
    }
    guess->complete = ok && path.length == tree->depth;
    if (guess->complete)
        ok = beam_offer(control, tree, path.actions, path.length,
                        fitness_of(tree, path.actions, path.length, nodes), status);
    else if (ok && path.length > 0 && !control_over(control))
        ok = beam_run(control, tree, beam_width, &path, status);
    control->outcome->optimal = control->outcome->fitness >= control->outcome->bound;
    free(nodes);
    free(path.actions);
    return ok;
}

static bool run(const OptimRun *run, const void *given, OptimOutcome *outcome, Status *status) {
    const ExactParameters *parameters = given;
    const Tree *tree = run->problem->tree;
    if (!tree)
        return status_fail(status, STATUS_INPUT, "exact: this problem has no tree to search");
    Control control;
    uint32_t width = (uint32_t)parameters->beam_width;
    /* 1. A beam of width 1: even a run that is stopped at once has an answer. 2. A wider beam. */
    bool ok =
        control_init(&control, run, outcome, status) && beam_run(&control, tree, 1, NULL, status);
    if (ok && !control_over(&control))
        ok = beam_run(&control, tree, width, NULL, status);
    /* 3. The problem's own construction, which may prove its answer. */
    ExactGuess guess;
    if (ok && !control_over(&control))
        ok = exact_guess(&control, tree, (uint64_t)parameters->guess_effort, width, &guess, status);
    /* 4. Branch and bound, unless a target that was given is proved to be out of reach. */
    bool missed = run->has_target && !run->target_is_bound && outcome->bound < run->target;
    if (ok && !outcome->optimal && !missed && !control_over(&control))
        ok = exact_search(&control, tree, NULL, (int)parameters->table_bits, status);
    if (ok && (outcome->optimal || missed || !control_over(&control)))
        outcome->end = OPTIM_FINISHED;
    control_release(&control);
    return ok;
}

const Optimiser exact_optimiser = {
    .name = "exact",
    .summary = "perfect-clear search, then branch and bound; optimal where it is proved",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(ExactParameters),
    .searches_tree = true,
    .needs_tree = true,
    .run = run,
};
