/* parameters: a parameter table as JSON, from which the web UI builds its form. */
#ifndef TETROPT_WEB_PARAMETERS_H
#define TETROPT_WEB_PARAMETERS_H

#include "base/parameters.h"

typedef struct JsonWriter JsonWriter;

/* Writes a row as {"name", "kind": "flag"|"integer"|"real"|"text"|"choice"|"list", "default",
 * "min", "max", "choices": [...], "help"}; the default as a text, a range and choices only where
 * there are some. `bounds` may be NULL. */
void parameters_row_json(JsonWriter *w, const Option *row, const ParameterBound *bounds);

/* Writes an array of all rows. */
void parameters_json(JsonWriter *w, const char *name, OptionTable table,
                     const ParameterBound *bounds);

#endif
