/*
 * beam: run_levels is the search, one level per round, in numbered steps; everything before it is
 * one of these steps.
 *
 * Invariant: `nodes` holds the `count` partial solutions of level `depth`, the best first; links[d]
 * says for every node of level d + 1 from which node and by which action it was made. Workers write
 * only to the chunk they expand; chunks are in the order of the parents, so the candidates have the
 * same order for any number of threads.
 *
 * Memory limits the width, so two lists are never kept as a whole. Candidates: parents are expanded
 * in batches, and the list is reduced to the best KEEP_FACTOR * width whenever it has half as many
 * again. Links: only those are kept that a node still needs, and the nodes of a level soon share a
 * few ancestors.
 */
#include "optim/beam.h"

#include "base/memory.h"
#include "base/options.h"
#include "optim/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARENTS_PER_CHUNK = 4, /* nodes that a worker expands at a time */
    NODES_PER_CHUNK = 64,  /* nodes that a worker makes at a time */
    CHUNKS_PER_BATCH = 128,
    PARENTS_PER_BATCH = PARENTS_PER_CHUNK * CHUNKS_PER_BATCH,
    KEEP_FACTOR = 4,   /* candidates kept per place: some are duplicates */
    SORT_ALL = 16,     /* sorting so few is faster than selecting from them */
    PRUNE_INTERVAL = 8 /* levels between two removals of links that are not needed */
};

static const Option rows[] = {
    PARAMETER_INTEGER(BeamParameters, width, "width", "1000", 1, 1e6,
                      "partial solutions kept at every depth"),
};

/* A child that may become a node of the next level. */
typedef struct Candidate {
    double promise, gain;
    uint64_t key;
    TreeAction action;
    uint32_t parent;
    uint32_t rank; /* among its parent's children */
} Candidate;

/* The candidates of a few parents, in order. On a cache line of its own: neighbours belong to
 * different threads (the speed-up with two threads rose from 1.5 to 1.6). */
typedef struct Chunk {
    _Alignas(64) Candidate *list;
    size_t count, capacity;
    size_t children; /* with those that are not candidates */
    bool failed;
} Chunk;

/* How a node of a level was made, to walk back to the root. */
typedef struct Link {
    TreeAction action;
    uint32_t parent;
} Link;

typedef struct Beam {
    Control *control;
    const Tree *tree;
    uint32_t width;
    unsigned char *nodes, *next; /* width nodes each */
    size_t node_stride;
    uint32_t count;        /* nodes of this level */
    Chunk *chunks;         /* of a batch */
    uint32_t first;        /* parent of the batch */
    Candidate *candidates; /* the best of this level so far */
    size_t candidate_count, candidate_capacity;
    double least;   /* promise of a candidate */
    uint64_t *seen; /* keys of the next level, open addressing */
    size_t seen_slots;
    unsigned char *workers; /* a child and a list of actions per worker */
    size_t worker_stride;
    Link **links; /* one array per depth */
    uint32_t *link_counts;
    uint32_t *places; /* width numbers, for pruning links */
    uint32_t depth;
    uint32_t prefix_length;
} Beam;

static void *node_at(const Beam *beam, uint32_t index) {
    return beam->nodes + index * beam->node_stride;
}

static bool push(Chunk *chunk, Candidate candidate) {
    if (!MEMORY_HAS_PLACE(chunk->list, chunk->count, chunk->capacity))
        return false;
    chunk->list[chunk->count++] = candidate;
    return true;
}

static void expand_parent(const Beam *beam, uint32_t parent, unsigned worker, Chunk *chunk) {
    const Tree *tree = beam->tree;
    unsigned char *child = beam->workers + worker * beam->worker_stride;
    TreeAction *actions = (TreeAction *)(child + control_stride(tree->node_bytes));
    uint32_t count = tree->actions(tree, node_at(beam, parent), actions);
    for (uint32_t i = 0; i < count; i++) {
        tree->apply(tree, node_at(beam, parent), actions[i], child);
        bool last = beam->depth + 1 == tree->depth;
        chunk->children++;
        Candidate candidate = {.promise =
                                   last ? tree->fitness(tree, child) : tree->promise(tree, child),
                               .gain = tree->gain(tree, child),
                               .key = tree->key(tree, child),
                               .action = actions[i],
                               .parent = parent,
                               .rank = i};
        if (candidate.promise >= beam->least && !push(chunk, candidate)) {
            chunk->failed = true;
            return;
        }
    }
}

static void expand_chunk(void *context, size_t first, size_t last, unsigned worker) {
    Beam *beam = context;
    for (size_t c = first; c < last; c++) {
        Chunk *chunk = &beam->chunks[c];
        chunk->count = chunk->children = 0;
        if (control_cut(beam->control))
            continue;
        uint32_t start = beam->first + (uint32_t)c * PARENTS_PER_CHUNK;
        for (uint32_t i = start; i < beam->count && i < start + PARENTS_PER_CHUNK; i++)
            expand_parent(beam, i, worker, chunk);
    }
}

/* Best promise first, then more gain, then the order in which they were found. */
static int compare(const void *first, const void *second) {
    const Candidate *a = first, *b = second;
    if (a->promise != b->promise)
        return a->promise > b->promise ? -1 : 1;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static const Candidate *median_of(const Candidate *a, const Candidate *b, const Candidate *c) {
    if (compare(a, b) < 0)
        return compare(b, c) < 0 ? b : compare(a, c) < 0 ? c : a;
    return compare(a, c) < 0 ? a : compare(b, c) < 0 ? c : b;
}

/* Moves the best `keep` of `count` to the front, in any order (quickselect, median of three). */
static void select_best(Candidate *list, size_t count, size_t keep) {
    size_t low = 0, high = count;
    while (high - low > SORT_ALL && keep > low && keep < high) {
        Candidate pivot = *median_of(&list[low], &list[low + (high - low) / 2], &list[high - 1]);
        size_t i = low, k = high - 1;
        for (;;) {
            while (compare(&list[i], &pivot) < 0)
                i++;
            while (compare(&pivot, &list[k]) < 0)
                k--;
            if (i >= k)
                break;
            Candidate swap = list[i];
            list[i++] = list[k];
            list[k--] = swap;
        }
        if (keep <= i)
            high = i;
        else
            low = i;
    }
    qsort(list + low, high - low, sizeof *list, compare);
}

/* Adds the candidates of a batch to those of the level, which stay a superset of the best
 * KEEP_FACTOR * width. */
static bool merge(Beam *beam, size_t chunks, Status *status) {
    size_t keep = (size_t)beam->width * KEEP_FACTOR, count = beam->candidate_count;
    for (size_t i = 0; i < chunks; i++) {
        if (beam->chunks[i].failed)
            return status_no_memory(status);
        count += beam->chunks[i].count;
    }
    if (count > beam->candidate_capacity) {
        Candidate *list = realloc(beam->candidates, count * sizeof *list);
        if (!list)
            return status_no_memory(status);
        beam->candidates = list;
        beam->candidate_capacity = count;
    }
    for (size_t i = 0; i < chunks; i++) {
        const Chunk *chunk = &beam->chunks[i];
        if (chunk->count > 0)
            memcpy(beam->candidates + beam->candidate_count, chunk->list,
                   chunk->count * sizeof *chunk->list);
        beam->candidate_count += chunk->count;
    }
    if (beam->candidate_count <= keep + keep / 2)
        return true;
    select_best(beam->candidates, beam->candidate_count, keep);
    beam->candidate_count = keep;
    beam->least = INFINITY;
    for (size_t i = 0; i < keep; i++)
        if (beam->candidates[i].promise < beam->least)
            beam->least = beam->candidates[i].promise;
    return true;
}

/* Expands the nodes of this level; *children is how many they have. */
static bool expand(Beam *beam, size_t *children, Status *status) {
    beam->candidate_count = *children = 0;
    beam->least = -INFINITY;
    for (beam->first = 0; beam->first < beam->count; beam->first += PARENTS_PER_BATCH) {
        uint32_t parents = beam->count - beam->first;
        size_t chunks = parents < PARENTS_PER_BATCH
                            ? (parents + PARENTS_PER_CHUNK - 1) / PARENTS_PER_CHUNK
                            : CHUNKS_PER_BATCH;
        pool_run(beam->control->run->pool, chunks, 1, expand_chunk, beam);
        for (size_t i = 0; i < chunks; i++)
            *children += beam->chunks[i].children;
        if (!merge(beam, chunks, status))
            return false;
    }
    return true;
}

/* True when the key is new. */
static bool take_key(Beam *beam, uint64_t key) {
    key = key ? key : 1;
    size_t i = (size_t)(key >> 20) & (beam->seen_slots - 1);
    while (beam->seen[i] != 0 && beam->seen[i] != key)
        i = (i + 1) & (beam->seen_slots - 1);
    bool fresh = beam->seen[i] == 0;
    beam->seen[i] = key;
    return fresh;
}

/* Removes the links that no node of this level leads back to. Stops at a level that needs all. */
static void prune_links(Beam *beam) {
    uint32_t depth = beam->depth;
    while (--depth > beam->prefix_length) {
        Link *links = beam->links[depth], *parents = beam->links[depth - 1];
        uint32_t count = beam->link_counts[depth - 1], left = 0;
        memset(beam->places, 0, count * sizeof *beam->places);
        for (uint32_t i = 0; i < beam->link_counts[depth]; i++)
            beam->places[links[i].parent] = 1;
        for (uint32_t i = 0; i < count; i++)
            if (beam->places[i]) {
                parents[left] = parents[i];
                beam->places[i] = left++;
            }
        if (left == count)
            return;
        for (uint32_t i = 0; i < beam->link_counts[depth]; i++)
            links[i].parent = beam->places[links[i].parent];
        Link *smaller = realloc(parents, left * sizeof *parents);
        beam->links[depth - 1] = smaller ? smaller : parents;
        beam->link_counts[depth - 1] = left;
    }
}

/* Makes the nodes first..last-1 of the next level from their links. */
static void make_nodes(void *context, size_t first, size_t last, unsigned worker) {
    (void)worker;
    Beam *beam = context;
    const Link *links = beam->links[beam->depth];
    for (size_t i = first; i < last; i++)
        beam->tree->apply(beam->tree, node_at(beam, links[i].parent), links[i].action,
                          beam->next + i * beam->node_stride);
}

/* Makes the next level from the best candidates, one per key. */
static bool descend(Beam *beam, Status *status) {
    size_t total = beam->candidate_count;
    /* Some are duplicates: sort twice as many as are needed, and all if that is not enough. */
    size_t ordered = (size_t)beam->width * 2 < total ? (size_t)beam->width * 2 : total;
    if (ordered < total)
        select_best(beam->candidates, total, ordered);
    qsort(beam->candidates, ordered, sizeof *beam->candidates, compare);
    Link *links =
        control_allocate(total < beam->width ? total : beam->width, sizeof *links, status);
    if (!links)
        return false;
    beam->links[beam->depth] = links;
    memset(beam->seen, 0, beam->seen_slots * sizeof *beam->seen);
    uint32_t count = 0;
    for (size_t i = 0; i < total && count < beam->width; i++) {
        if (i == ordered) {
            qsort(beam->candidates + ordered, total - ordered, sizeof *beam->candidates, compare);
            ordered = total;
        }
        const Candidate *candidate = &beam->candidates[i];
        if (!take_key(beam, candidate->key))
            continue;
        links[count++] = (Link){candidate->action, candidate->parent};
    }
    pool_run(beam->control->run->pool, count, NODES_PER_CHUNK, make_nodes, beam);
    unsigned char *swap = beam->nodes;
    beam->nodes = beam->next;
    beam->next = swap;
    beam->count = count;
    beam->link_counts[beam->depth++] = count;
    if (beam->depth % PRUNE_INTERVAL == 0)
        prune_links(beam);
    return true;
}

bool beam_offer(Control *control, const Tree *tree, const TreeAction *path, uint32_t length,
                double fitness, Status *status) {
    if (!(fitness > control->outcome->fitness))
        return true;
    void *genotype = control_allocate(1, control->problem->genotype_bytes, status);
    if (!genotype)
        return false;
    tree->encode(tree, path, length, genotype);
    control_offer(control, genotype, fitness);
    free(genotype);
    control_report(control, (Progress){.generation = length, .current = fitness, .mean = fitness});
    return true;
}

/* Offers the first node of the level, which is its best; at the full depth, or where no action is
 * left, it is a complete solution. */
static bool offer_best(Beam *beam, const BeamPath *prefix, Status *status) {
    const Tree *tree = beam->tree;
    TreeAction *path = control_allocate(tree->depth, sizeof *path, status);
    if (!path)
        return false;
    if (prefix)
        memcpy(path, prefix->actions, prefix->length * sizeof *path);
    for (uint32_t depth = beam->depth, index = 0; depth-- > beam->prefix_length;) {
        path[depth] = beam->links[depth][index].action;
        index = beam->links[depth][index].parent;
    }
    bool ok = beam_offer(beam->control, tree, path, beam->depth,
                         tree->fitness(tree, node_at(beam, 0)), status);
    free(path);
    return ok;
}

/* Completes the first node by its first child at every level, without evaluating. */
static bool complete_first(Beam *beam, Status *status) {
    const Tree *tree = beam->tree;
    TreeAction *actions = (TreeAction *)(beam->workers + control_stride(tree->node_bytes));
    while (beam->depth < tree->depth) {
        if (tree->actions(tree, node_at(beam, 0), actions) == 0)
            break;
        Link *links = control_allocate(1, sizeof *links, status);
        if (!links)
            return false;
        tree->apply(tree, node_at(beam, 0), actions[0], beam->next);
        memcpy(node_at(beam, 0), beam->next, tree->node_bytes);
        links[0] = (Link){actions[0], 0};
        beam->links[beam->depth++] = links;
    }
    return true;
}

static bool run_levels(Beam *beam, const BeamPath *prefix, Status *status) {
    const Tree *tree = beam->tree;
    /* 1. The first level: one node, the root after the decisions of the prefix. */
    tree->root(tree, beam->nodes);
    for (uint32_t i = 0; prefix && i < prefix->length; i++) {
        tree->apply(tree, beam->nodes, prefix->actions[i], beam->next);
        memcpy(beam->nodes, beam->next, tree->node_bytes);
    }
    beam->count = 1;
    beam->depth = beam->prefix_length = prefix ? prefix->length : 0;
    while (beam->depth < tree->depth) {
        /* 2. All children of the level, in parallel; each counts as one evaluation. 3. Only the
         * best are kept as candidates. */
        size_t total;
        if (!expand(beam, &total, status))
            return false;
        control_spend(beam->control,
                      total < control_left(beam->control) ? total : control_left(beam->control));
        /* 4. Out of budget: an unfinished beam gives no answer, unless there is no other. */
        if (control_cut(beam->control) || control_left(beam->control) == 0) {
            if (beam->control->outcome->fitness > -INFINITY)
                return true;
            return complete_first(beam, status) && offer_best(beam, prefix, status);
        }
        if (total == 0)
            break;
        /* 5. The best `width` of them, one per key, are the next level. */
        if (!descend(beam, status))
            return false;
        /* 6. Report the best complete solution: the promise of a partial one has another scale. */
        double best = beam->control->outcome->fitness;
        control_report(beam->control,
                       (Progress){.generation = beam->depth, .current = best, .mean = best});
    }
    /* 7. The best node of the last level is the answer. */
    return offer_best(beam, prefix, status);
}

static size_t power_of_two(size_t least) {
    size_t size = 64;
    while (size < least)
        size *= 2;
    return size;
}

bool beam_run(Control *control, const Tree *tree, uint32_t width, const BeamPath *prefix,
              Status *status) {
    Beam beam = {.control = control,
                 .tree = tree,
                 .width = width,
                 .node_stride = control_stride(tree->node_bytes),
                 .seen_slots = power_of_two((size_t)width * 4)};
    size_t chunks = width < PARENTS_PER_BATCH ? (width + PARENTS_PER_CHUNK - 1) / PARENTS_PER_CHUNK
                                              : CHUNKS_PER_BATCH;
    beam.worker_stride =
        control_stride(tree->node_bytes) + control_stride(tree->max_actions * sizeof(TreeAction));
    beam.nodes = control_allocate(width, beam.node_stride, status);
    beam.next = control_allocate(width, beam.node_stride, status);
    beam.chunks = control_allocate(chunks, sizeof *beam.chunks, status);
    beam.seen = control_allocate(beam.seen_slots, sizeof *beam.seen, status);
    beam.workers = control_allocate(pool_threads(control->run->pool), beam.worker_stride, status);
    beam.links = control_allocate(tree->depth + 1, sizeof *beam.links, status);
    beam.link_counts = control_allocate(tree->depth + 1, sizeof *beam.link_counts, status);
    beam.places = control_allocate(width, sizeof *beam.places, status);
    bool ok = beam.nodes && beam.next && beam.chunks && beam.seen && beam.workers && beam.links &&
              beam.link_counts && beam.places;
    ok = ok && run_levels(&beam, prefix, status);
    for (uint32_t i = 0; beam.links && i < tree->depth; i++)
        free(beam.links[i]);
    for (size_t i = 0; beam.chunks && i < chunks; i++)
        free(beam.chunks[i].list);
    free(beam.links);
    free(beam.link_counts);
    free(beam.places);
    free(beam.workers);
    free(beam.seen);
    free(beam.candidates);
    free(beam.chunks);
    free(beam.next);
    free(beam.nodes);
    return ok;
}

static bool run(const OptimRun *run, const void *given, OptimOutcome *outcome, Status *status) {
    const BeamParameters *parameters = given;
    const Tree *tree = run->problem->tree;
    if (!tree)
        return status_fail(status, STATUS_INPUT, "beam: this problem has no tree to search");
    Control control;
    bool ok = control_init(&control, run, outcome, status);
    /* Narrow beams first, which add a seventh to the cost: a run that is stopped has an answer. */
    uint32_t width = (uint32_t)parameters->width;
    for (uint32_t now = 1; ok; now = now * 8 < width ? now * 8 : width) {
        ok = beam_run(&control, tree, now, NULL, status);
        if (now == width || control_over(&control))
            break;
    }
    if (ok && !control_over(&control))
        outcome->end = OPTIM_FINISHED;
    control_release(&control);
    return ok;
}

const Optimiser beam_optimiser = {
    .name = "beam",
    .summary = "the best partial solutions of every depth",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(BeamParameters),
    .searches_tree = true,
    .needs_tree = true,
    .run = run,
};
