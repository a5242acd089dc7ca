/*
 * parameters: the values of the parameters of an optimiser, a player or a training method.
 *
 * The only place that applies NAME=VALUE to a parameter table (base/options.h). A Parameters owns
 * the struct that the table describes and copies of the texts in it, so the caller's strings may be
 * freed and the struct may be moved. Every error begins with the owner's name, in every front end:
 * "lookahead: width: 0 is not in 1..64".
 */
#ifndef TETROPT_BASE_PARAMETERS_H
#define TETROPT_BASE_PARAMETERS_H

#include "base/options.h"

enum {
    PARAMETERS_BYTES = 1024,    /* no struct described by a parameter table is larger */
    PARAMETERS_PAIR_BYTES = 256 /* a NAME=VALUE is shorter, so that its error message fits */
};

/* A lower maximum for one parameter, e.g. for requests over the network. */
typedef struct ParameterBound {
    const char *name;
    double max;
} ParameterBound;

typedef struct Parameters {
    const char *owner; /* the name that begins every error */
    OptionTable table;
    uint64_t given;               /* bit i: row i of the table was set */
    const ParameterBound *bounds; /* ends with a name that is NULL; NULL: no bounds */
    struct ParametersText *texts; /* copies that `values` points to */
    _Alignas(max_align_t) unsigned char values[PARAMETERS_BYTES]; /* the struct */
} Parameters;

/* Fills in the defaults. */
void parameters_init(Parameters *parameters, const char *owner, OptionTable table);

/* Frees the copies of texts. All bytes 0 is a valid argument. */
void parameters_release(Parameters *parameters);

/* Sets one NAME=VALUE, all of a list, or all of "NAME=VALUE&NAME=VALUE..." (other separators are
 * possible; NULL and empty items are skipped). On failure earlier pairs stay set. */
bool parameters_set(Parameters *parameters, const char *pair, Status *status);
bool parameters_set_list(Parameters *parameters, const OptionList *pairs, Status *status);
bool parameters_set_all(Parameters *parameters, const char *pairs, char separator, Status *status);

/* True when the parameter, which exists, was set after parameters_init. */
bool parameters_given(const Parameters *parameters, const char *name);

/* Splits "lookahead?width=8&depth=2": copies "lookahead" to `name` (truncated to `bytes`) and
 * returns the pairs for parameters_set_all with '&', or NULL when there is no '?'. */
const char *parameters_split(const char *text, char *name, size_t bytes);

/* The largest value that a row accepts under these bounds (NULL: none). */
double parameters_max(const Option *row, const ParameterBound *bounds);

#endif
