/*
 * instance: what the options of a problem of tetropt.h describe, built once and then read-only.
 *
 * A problem handle and the searches on it share an instance, so a search continues on what it was
 * made for when the options of the problem change or its handle is freed.
 */
#ifndef TETROPT_LIBRARY_INSTANCE_H
#define TETROPT_LIBRARY_INSTANCE_H

#include "job/puzzle.h"
#include "job/solve.h"
#include "problem/custom.h"
#include "problem/queens.h"

#include <stdatomic.h>

typedef struct Instance {
    atomic_int users;
    const Problem *problem;
    size_t genes;
    int16_t *low, *high;          /* the range of every gene */
    int8_t *low_int8, *high_int8; /* the same, limited to what an int8_t can be */
    /* What `problem` belongs to; all but one are unused. */
    SolveRun *solve;
    SolveInstance *tetris;
    Queens *queens;
    Sat *sat;
    Custom *custom;
} Instance;

/* Builds what the question describes. NULL with `status`: rejected, or no memory. */
typedef Instance *InstanceBuild(const Question *question, Status *status);

/* A kind of problem: a question with its defaults (NULL: no memory), and how it is built. */
typedef struct InstanceKind {
    const char *name;
    Question *(*question)(Status *status);
    InstanceBuild *build;
    const char *const *excluded; /* options that are not the problem's, NULL behind; may be NULL */
} InstanceKind;

/* The kind called `name`, or NULL. */
const InstanceKind *instance_kind(const char *name);

/* An instance around `custom`, which belongs to it from now on, also on failure. */
Instance *instance_of_custom(Custom *custom, Status *status);

/* Takes another share, and gives one back; the last one frees the instance. NULL is allowed. */
Instance *instance_share(Instance *instance);
void instance_release(Instance *instance);

/* Converts between the genes of the problem and int16_t. */
void instance_to_genotype(const Instance *instance, const int16_t *genes, void *genotype);
void instance_from_genotype(const Instance *instance, const void *genotype, int16_t *genes);

/* Writes the members of the document about a genotype. False with `status`: no memory. */
bool instance_write(const Instance *instance, const void *genotype, double fitness,
                    JsonWriter *json, Status *status);

#endif
