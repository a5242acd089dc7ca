/* train_presets: named settings of `train`, the published ones among them. */
#ifndef TETROPT_TRAIN_PRESETS_H
#define TETROPT_TRAIN_PRESETS_H

#include "base/text.h"

enum { TRAIN_PRESET_PAIRS = 12 };

/* Options as a user would give them. */
typedef struct TrainPreset {
    const char *name, *summary;
    const char *pairs[TRAIN_PRESET_PAIRS][2]; /* ends at a NULL */
} TrainPreset;

/* The one called `name`, or NULL. */
const TrainPreset *train_preset_find(const char *name);

/* Adds all of them, for --list. */
void train_presets_list(Text *text);

#endif
