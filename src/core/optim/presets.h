/*
 * presets: named settings of the parameters of optimisers, besides their defaults.
 *
 * The defaults of ga, sa, abc, hill and hybrid come from a tuning (scripts/tune-defaults). The
 * presets keep what was there before: the settings of the published experiments, those that were
 * the defaults before the tuning, and those of version 1.0, so that its runs can be repeated. A
 * preset sets every parameter that it could differ in, so it stays the same when defaults change.
 */
#ifndef TETROPT_OPTIM_PRESETS_H
#define TETROPT_OPTIM_PRESETS_H

#include "base/text.h"

#include <stdbool.h>

/* "NAME=VALUE&NAME=VALUE..." for parameters_set_all, of the preset for this optimiser; NULL: the
 * preset has none. */
const char *optim_preset(const char *preset, const char *optimiser);

/* Whether there is a preset of this name. */
bool optim_preset_exists(const char *preset);

/* Adds "ga, sa": the optimisers that the preset has settings for. */
void optim_preset_owners(const char *preset, Text *text);

/* Adds all of them with their settings, for --list. */
void optim_presets_list(Text *text);

#endif
