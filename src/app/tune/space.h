/*
 * space: the parameters that a tuning may set, and configurations, which are points in it.
 *
 * A parameter is a number in a range, perhaps on a logarithmic scale, or one of a few words. It may
 * be active only where another one has certain words ("tournament" only with
 * selection=tournament); an inactive value is NaN. Spaces come from option tables (Option.tune) and
 * are narrowed or extended by texts such as
 *
 *     cooling=0.0001..0.1 log     tabu=100..10000     neighbourhood=ordered|random
 *     tournament=2..10 if selection=tournament        chains=no
 */
#ifndef TETROPT_TUNE_SPACE_H
#define TETROPT_TUNE_SPACE_H

#include "base/options.h"
#include "base/rng.h"

enum {
    SPACE_MAX = 40, /* parameters */
    SPACE_WORDS = 16,
    SPACE_NAME_BYTES = 64,
    SPACE_WORD_BYTES = 32,
    SPACE_VALUE_BYTES = 40
};

typedef enum SpaceKind { SPACE_INTEGER, SPACE_REAL, SPACE_WORD } SpaceKind;

typedef struct SpaceParameter {
    char name[SPACE_NAME_BYTES]; /* as the job takes it */
    SpaceKind kind;
    double low, high;
    bool log;
    char words[SPACE_WORDS][SPACE_WORD_BYTES];
    int word_count;
    double fallback;        /* the default: a number, or the number of its word */
    char condition[2][128]; /* as it was written, until space_finish: the name and its words */
    int parent;             /* -1: always active */
    uint32_t parent_words;  /* bits: the words of the parent with which it is active */
} SpaceParameter;

typedef struct Space {
    SpaceParameter items[SPACE_MAX];
    int count;
} Space;

typedef struct SpaceConfig {
    double values[SPACE_MAX];
} SpaceConfig;

/* Adds the marked rows of a table, and its choices and flags. `prefix` is put before names that
 * `taken` has too. */
bool space_add_table(Space *space, OptionTable table, OptionTable taken, const char *prefix,
                     Status *status);

/* Applies one text as above. `row` is the option of that name; NULL: unknown. */
bool space_set(Space *space, const char *text, const Option *row, Status *status);

/* False with `status`: the option does not take all of the words A|B|C. */
bool space_check_words(const Option *row, const char *words, Status *status);

/* Removes the parameter of this name, if it is there. */
void space_remove(Space *space, const char *name);

/* Removes it because it has this value always, and with it what the value makes inactive. */
void space_fix(Space *space, const char *name, const char *value);

/* Resolves conditions. Fails when the space is empty, or a condition depends on itself or on a
 * number. */
bool space_finish(Space *space, Status *status);

/* The default configuration, clamped to the ranges. */
SpaceConfig space_default(const Space *space);

/* A uniform random configuration. */
SpaceConfig space_random(const Space *space, Rng *rng);

/* One near `parent`: numbers from a normal distribution of deviation `spread` (a share of the
 * range) truncated to the range; words keep the parent's with probability `keep` and are drawn
 * evenly otherwise. */
SpaceConfig space_near(const Space *space, const SpaceConfig *parent, double spread, double keep,
                       Rng *rng);

/* Sets what is inactive to NaN, and what became active to the value of `from`, or its default. */
void space_settle(const Space *space, SpaceConfig *config, const SpaceConfig *from);

bool space_is_active(const Space *space, const SpaceConfig *config, int index);
bool space_same(const Space *space, const SpaceConfig *a, const SpaceConfig *b);

/* The value as the job takes it; "" where it is inactive. */
const char *space_text(const SpaceParameter *parameter, double value, char text[SPACE_VALUE_BYTES]);

/* The value as a number from 0 to 1, on the scale of the parameter; NaN stays. And back. */
double space_to_unit(const SpaceParameter *parameter, double value);
double space_from_unit(const SpaceParameter *parameter, double unit);

#endif
