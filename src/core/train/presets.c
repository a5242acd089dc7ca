/* presets: the table. Options given by the user override it. */
#include "train/presets.h"

#include <string.h>

/* What the published trainings of `weighted` share; from zeros, scored 40, 100, 300, 1200 without
 * the level. */
#define PUBLISHED(method_, pieces_, generations_)                                                  \
    {"method", method_}, {"agent", "weighted"}, {"scoring", "classic"}, {"pin", "tetris=100"},     \
        {"games", "3"}, {"max-pieces", pieces_}, {                                                 \
        "generations", generations_                                                                \
    }

static const TrainPreset presets[] = {
    {"competition-1",
     "published: steps compete, 350 generations, the limit grows every 30",
     {PUBLISHED("competition", "1000", "350"), {"grow-every", "30"}, {"grow-to", "11390"}}},
    {"competition-2",
     "published: the same, 150 generations, the limit grows every 10",
     {PUBLISHED("competition", "1000", "150"), {"grow-every", "10"}, {"grow-to", "25627"}}},
    {"gradient",
     "published: one weight in turn, 380 generations, the limit grows every 70",
     {PUBLISHED("gradient", "1000", "380"), {"grow-every", "70"}}},
    {"genetic-50",
     "published: 14 individuals, 1135 pieces, 50 generations",
     {PUBLISHED("genetic", "1135", "50")}},
    {"genetic-200", "published: the same, 200 generations", {PUBLISHED("genetic", "1135", "200")}},
    {"hybrid",
     "genetic until it stagnates, then gradient",
     {{"method", "hybrid"},
      {"agent", "weighted"},
      {"pin", "tetris=100"},
      {"games", "3"},
      {"max-pieces", "1135"},
      {"generations", "200"}}},
    {"cma-dellacherie",
     "cma-es on Dellacherie's six features, on low boards",
     {{"method", "cma-es"},
      {"agent", "cma-dellacherie"},
      {"pin", "hole_depth=0"},
      {"pin", "rows_with_holes=0"},
      {"pin", "diversity=0"},
      {"pin", "rows_removed=0"},
      {"height", "10"},
      {"games", "4"},
      {"max-pieces", "25000"}}},
    {"cross-entropy",
     "published: 100 vectors, the best 10, decreasing noise; on low boards",
     {{"method", "cross-entropy"},
      {"agent", "bcts"},
      {"pin", "diversity=0"},
      {"pin", "rows_removed=0"},
      {"measure", "lines"},
      {"max-pieces", "0"},
      {"games", "1"},
      {"height", "10"}}},
    {"controller",
     "cma-es on all features of the literature, 10x14",
     {{"method", "cma-es"},
      {"agent", "dt20"},
      {"height", "14"},
      {"measure", "lines-per-death"},
      {"games", "4"},
      {"max-pieces", "125000"}}},
};

enum { PRESETS = sizeof presets / sizeof *presets };

const TrainPreset *train_preset_find(const char *name) {
    for (int i = 0; i < PRESETS; i++)
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    return NULL;
}

void train_presets_list(Text *text) {
    for (int i = 0; i < PRESETS; i++) {
        text_entry(text, presets[i].name, presets[i].summary);
        Text options = {0};
        for (int k = 0; k < TRAIN_PRESET_PAIRS && presets[i].pairs[k][0]; k++)
            text_format(&options, "%s--%s %s", k ? " " : "", presets[i].pairs[k][0],
                        presets[i].pairs[k][1]);
        text_entry(text, "  options", options.data ? options.data : "");
        text->failed |= options.failed;
        text_release(&options);
    }
}
