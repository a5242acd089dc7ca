/* presets: the table. Options that the user gives override it. */
#include "optim/presets.h"

#include <stddef.h>
#include <string.h>

typedef struct OptimPreset {
    const char *name, *optimiser, *parameters;
} OptimPreset;

/* What the presets of ga and hybrid share. */
#define GA(population_, per_, kind_, cut_)                                                         \
    "population=" population_ "&generations=3000&patience=400&mutation=0.15&mutation-per=" per_    \
    "&mutation-kind=" kind_ "&selection=softmax&temperature=100&temperature-floor=0.1"             \
    "&children=2&crossover=half&cut=" cut_ "&immigrants=0&adaptive=1"
#define REFINE                                                                                     \
    "&refine=sa&refine-count=8&refine-every=10&refine-effort=2000&refine-temperature=2"            \
    "&refine-cooling=0.002&refine-tabu=1000"
#define SA                                                                                         \
    "steps=100000&patience=10000&temperature=2&temperature-floor=0.1&cooling=0.0005&reheat=0"      \
    "&tabu=10000&neighbourhood=ordered&chains=1"
#define ABC                                                                                        \
    "colony=1000&cycles=3000&patience=400&limit=500&neighbourhood=random&unit-share=0.1"           \
    "&tail-share=0.05"
#define HILL "climb=steepest&restarts=100&patience=1000000&sideways=0&kick=0&chains=1"

static const OptimPreset presets[] = {
    {"published", "ga", GA("10000", "piece", "published", "0.8")},
    {"published", "sa", SA},
    {"untuned", "ga", GA("10000", "piece", "uniform", "0.5")},
    {"untuned", "sa", SA},
    {"untuned", "abc", ABC},
    {"untuned", "hill", HILL},
    {"untuned", "hybrid", GA("2000", "piece", "uniform", "0.5") REFINE},
    {"1.0", "ga", GA("10000", "child", "uniform", "0.5")},
    {"1.0", "sa", SA},
    {"1.0", "abc", ABC},
    {"1.0", "hill", HILL},
    {"1.0", "hybrid", GA("2000", "child", "uniform", "0.5") REFINE},
};

enum { PRESETS = sizeof presets / sizeof *presets };

const char *optim_preset(const char *preset, const char *optimiser) {
    for (size_t i = 0; i < PRESETS; i++)
        if (strcmp(presets[i].name, preset) == 0 && strcmp(presets[i].optimiser, optimiser) == 0)
            return presets[i].parameters;
    return NULL;
}

bool optim_preset_exists(const char *preset) {
    for (size_t i = 0; i < PRESETS; i++)
        if (strcmp(presets[i].name, preset) == 0)
            return true;
    return false;
}

void optim_preset_owners(const char *preset, Text *text) {
    bool more = false;
    for (size_t i = 0; i < PRESETS; i++)
        if (strcmp(presets[i].name, preset) == 0) {
            text_format(text, "%s%s", more ? ", " : "", presets[i].optimiser);
            more = true;
        }
}

void optim_presets_list(Text *text) {
    for (size_t i = 0; i < PRESETS; i++) {
        Text entry = {0}, values = {0};
        text_format(&entry, "preset %s of %s", presets[i].name, presets[i].optimiser);
        text_add(&values, presets[i].parameters);
        for (char *place = values.data; place && (place = strchr(place, '&'));)
            *place = ' ';
        text_entry(text, entry.data ? entry.data : "", values.data ? values.data : "");
        text->failed |= entry.failed || values.failed;
        text_release(&entry);
        text_release(&values);
    }
}
