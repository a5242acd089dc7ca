/*
 * beam: keeps the best `width` partial solutions of every depth of a Tree, and of those with the
 * same future only the best.
 *
 * Deterministic for any number of threads: candidates are ordered by promise, then by gain, then by
 * their parent and their place among its children, so there are no ties.
 */
#ifndef TETROPT_OPTIM_BEAM_H
#define TETROPT_OPTIM_BEAM_H

#include "optim/control.h"
#include "problem/tree.h"

typedef struct BeamParameters {
    int64_t width;
} BeamParameters;

/* The decisions made so far. */
typedef struct BeamPath {
    TreeAction *actions; /* tree->depth of them */
    uint32_t length;
} BeamPath;

/* Runs one beam of the given width after the decisions of `prefix` (NULL or length 0: from the
 * root) and offers what it finds to the control. Returns false only when memory runs out. */
bool beam_run(Control *control, const Tree *tree, uint32_t width, const BeamPath *prefix,
              Status *status);

/* Encodes a path and offers it to the control, if its fitness is the best so far. False with
 * `status` when memory runs out. */
bool beam_offer(Control *control, const Tree *tree, const TreeAction *path, uint32_t length,
                double fitness, Status *status);

#endif
