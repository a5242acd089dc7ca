/*
 * parameter: rows of a parameter table in one line each (struct, field, name, default, limits or
 * choices, help). For the parameters of algorithms, which all have a default and mostly are
 * numbers; the options of commands write their rows out.
 */
#ifndef TETROPT_BASE_PARAMETER_H
#define TETROPT_BASE_PARAMETER_H

#include "base/options.h"

#define PARAMETER_NUMBER(kind_, struct_, field_, name_, default_, min_, max_, help_)               \
    {                                                                                              \
        .name = name_, .kind = kind_, .offset = offsetof(struct_, field_), .fallback = default_,   \
        .min = min_, .max = max_, .argument = "N", .help = help_                                   \
    }

#define PARAMETER_INTEGER(...) PARAMETER_NUMBER(OPTION_INTEGER, __VA_ARGS__)
#define PARAMETER_REAL(...) PARAMETER_NUMBER(OPTION_REAL, __VA_ARGS__)

#define PARAMETER_CHOICE(struct_, field_, name_, default_, choices_, help_)                        \
    {                                                                                              \
        .name = name_, .kind = OPTION_CHOICE, .offset = offsetof(struct_, field_),                 \
        .fallback = default_, .choices = choices_, .argument = "WORD", .help = help_               \
    }

#define PARAMETER_TABLE(rows)                                                                      \
    { (rows), sizeof(rows) / sizeof *(rows) }

#endif
