/*
 * tree: a problem as a sequence of decisions, for the searches that build a solution step by step
 * (beam, exact). The same problem usually has a Problem too (problem.h); a whole path of decisions
 * becomes a genotype by `encode`.
 *
 * A node is `node_bytes` of plain bytes that may be copied. Functions change nothing but their
 * non-const arguments, so threads may share a Tree.
 */
#ifndef TETROPT_PROBLEM_TREE_H
#define TETROPT_PROBLEM_TREE_H

#include "problem/problem.h"

typedef struct Tree Tree;

/* One decision, opaque to the searches. */
typedef uint64_t TreeAction;

struct Tree {
    const void *data;
    uint32_t depth; /* decisions in a whole solution */
    size_t node_bytes;
    uint32_t max_actions; /* of one node */

    void (*root)(const Tree *tree, void *node);

    /* Writes the decisions possible at a node; 0: the path ends here (its fitness still counts). */
    uint32_t (*actions)(const Tree *tree, const void *node, TreeAction *actions);

    /* Makes the child (which must not be the node itself). */
    void (*apply)(const Tree *tree, const void *node, TreeAction action, void *child);

    /* How promising a node is; larger is better. Compared only within one depth. */
    double (*promise)(const Tree *tree, const void *node);

    /* The fitness of a path that ends at this node. */
    double (*fitness)(const Tree *tree, const void *node);

    /* Proves (true) that no path through this node, which has made `made` decisions, ends with a
     * fitness above `threshold`. False proves nothing. */
    bool (*hopeless)(const Tree *tree, const void *node, uint32_t made, double threshold);

    /* A proved upper bound of the fitness of every path; INFINITY when none is known. */
    double (*bound)(const Tree *tree);

    /* Nodes of one depth with equal keys have the same future; the one with the larger `gain` is at
     * least as good. 64 well-mixed bits. */
    uint64_t (*key)(const Tree *tree, const void *node);
    double (*gain)(const Tree *tree, const void *node);

    /* Optional: an initial solution by the problem's own method, with at most `effort` applied
     * decisions; writes it and returns its length: 0 when it found none, less than `depth` when a
     * search should continue from there. Adds what it used to *used, lowers *bound to what it
     * proved, and sets *final if a larger budget would find nothing else. */
    uint32_t (*guess)(const Tree *tree, uint64_t effort, ProblemCut cut, TreeAction *path,
                      uint64_t *used, double *bound, bool *final);

    /* The genotype of a path of `length` decisions; what the path leaves open is filled somehow. */
    void (*encode)(const Tree *tree, const TreeAction *path, uint32_t length, void *genotype);
};

#endif
