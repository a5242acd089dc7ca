/*
 * parameters: the table of parameters of an algorithm or an agent, told to the page, which makes a
 * form of it; and what the page sends back. There is no second list of them anywhere.
 */
#ifndef TETROPT_WEB_PARAMETERS_H
#define TETROPT_WEB_PARAMETERS_H

#include "base/options.h"

enum { PARAMETERS_MAX_BYTES = 2048 }; /* of the pairs that are sent */

/* What takes memory is bounded for those who ask over the network: no more than this. */
typedef struct ParameterBound {
    const char *name;
    double max;
} ParameterBound;

/* Bounds end with a name that is NULL; the pointer may be NULL: none. */

/* Adds [{"name", "kind": "flag"|"integer"|"real"|"text"|"choice", "default", "min", "max",
 * "choices": [...], "help"}]; the default as a text, a range and choices only where there are
 * some. */
void parameters_tell(OptionTable table, const ParameterBound *bounds, Text *text);

/* Fills `target` with the defaults, then with lines "name=value". `storage` keeps the values as
 * long as `target` is used. */
bool parameters_set(OptionTable table, const ParameterBound *bounds, void *target,
                    const char *lines, char storage[PARAMETERS_MAX_BYTES], Status *status);

#endif
