/* space: values are rounded to what their text says, so that a configuration is what is run. */
#include "tune/space.h"

#include "base/normal.h"
#include "base/real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_DRAWS = 32 }; /* see space_random */

/* ---- values */

const char *space_text(const SpaceParameter *parameter, double value,
                       char text[SPACE_VALUE_BYTES]) {
    if (isnan(value))
        text[0] = '\0';
    else if (parameter->kind == SPACE_WORD)
        snprintf(text, SPACE_VALUE_BYTES, "%s", parameter->words[(int)value]);
    else if (parameter->kind == SPACE_INTEGER)
        snprintf(text, SPACE_VALUE_BYTES, "%.0f", value);
    else
        snprintf(text, SPACE_VALUE_BYTES, "%.4g", value);
    return text;
}

/* The value that its text has. */
static double rounded(const SpaceParameter *parameter, double value) {
    char text[SPACE_VALUE_BYTES];
    if (parameter->kind == SPACE_WORD)
        return value;
    value = strtod(space_text(parameter, value, text), NULL);
    return fmin(fmax(value, parameter->low), parameter->high);
}

double space_to_unit(const SpaceParameter *parameter, double value) {
    double low = parameter->low, high = parameter->high;
    if (parameter->kind == SPACE_WORD)
        return parameter->word_count > 1 ? value / (parameter->word_count - 1) : 0;
    if (parameter->log)
        return (real_log(value) - real_log(low)) / (real_log(high) - real_log(low));
    return (value - low) / (high - low);
}

double space_from_unit(const SpaceParameter *parameter, double unit) {
    double low = parameter->low, high = parameter->high;
    if (parameter->kind == SPACE_WORD)
        return fmin(floor(unit * parameter->word_count), parameter->word_count - 1);
    double value = parameter->log
                       ? real_exp(real_log(low) + unit * (real_log(high) - real_log(low)))
                       : low + unit * (high - low);
    return rounded(parameter, value);
}

/* ---- building */

static int find(const Space *space, const char *name) {
    for (int i = 0; i < space->count; i++)
        if (strcmp(space->items[i].name, name) == 0)
            return i;
    return -1;
}

void space_remove(Space *space, const char *name) {
    int index = find(space, name);
    if (index < 0)
        return;
    space->count--;
    memmove(&space->items[index], &space->items[index + 1],
            (size_t)(space->count - index) * sizeof *space->items);
}

void space_fix(Space *space, const char *name, const char *value) {
    space_remove(space, name);
    for (int i = space->count - 1; i >= 0; i--) {
        const char *words = space->items[i].condition[1];
        bool active = false;
        for (int k = 0; k < options_choice_count(words); k++) {
            char word[SPACE_WORD_BYTES];
            active = active || strcmp(options_choice_word(words, k, word, sizeof word), value) == 0;
        }
        if (strcmp(space->items[i].condition[0], name) == 0 && !active)
            space_remove(space, space->items[i].name);
    }
}

/* Splits "a|b|c" into the words of a parameter. */
static bool read_words(SpaceParameter *parameter, const char *words, Status *status) {
    int count = options_choice_count(words);
    if (count > SPACE_WORDS)
        return status_option(status, "space", "%s: more than %d words", parameter->name,
                             SPACE_WORDS);
    for (int i = 0; i < count; i++)
        options_choice_word(words, i, parameter->words[i], SPACE_WORD_BYTES);
    parameter->kind = SPACE_WORD;
    parameter->word_count = count;
    return true;
}

bool space_check_words(const Option *row, const char *words, Status *status) {
    union {
        bool flag;
        int choice;
        int64_t integer;
        double real;
        const char *text;
        OptionList list;
    } value;
    Option alone = *row;
    alone.offset = 0;
    for (int i = 0; i < options_choice_count(words); i++) {
        char word[SPACE_WORD_BYTES];
        memset(&value, 0, sizeof value);
        options_choice_word(words, i, word, sizeof word);
        if (!options_set((OptionTable){&alone, 1}, &value, row->name, word, status))
            return status_prefix_option(status, "space");
    }
    return true;
}

/* Reads what is tried of a parameter; its kind says whether the numbers are integers. */
static bool read_range(SpaceParameter *parameter, const char *text, Status *status) {
    char range[SPACE_WORDS * SPACE_WORD_BYTES], scale[16] = "", *end;
    const char *condition = strstr(text, "if ");
    if (condition) {
        const char *equal = strchr(condition, '=');
        if (!equal || equal - condition - 3 >= (int)sizeof parameter->condition[0])
            return status_option(status, "space", "%s: 'if' requires NAME=WORD", parameter->name);
        snprintf(parameter->condition[0], sizeof parameter->condition[0], "%.*s",
                 (int)(equal - condition) - 3, condition + 3);
        snprintf(parameter->condition[1], sizeof parameter->condition[1], "%s", equal + 1);
    }
    size_t length = condition ? (size_t)(condition - text) : strlen(text);
    if (length >= sizeof range)
        return status_option(status, "space", "%s: '%.40s...' is too long", parameter->name, text);
    snprintf(range, sizeof range, "%.*s", (int)length, text);
    while (length > 0 && range[length - 1] == ' ')
        range[--length] = '\0';
    if (!range[0])
        return true; /* only a condition */
    char *dots = strstr(range, "..");
    if (!dots)
        return read_words(parameter, range, status);
    *dots = '\0'; /* or "0..1" would begin with the number "0." */
    parameter->low = strtod(range, &end);
    bool ok = end == dots && end > range;
    parameter->high = strtod(dots + 2, &end);
    ok = ok && end > dots + 2 && sscanf(end, " %15s", scale) <= 1;
    parameter->log = strcmp(scale, "log") == 0;
    if (!ok || (scale[0] && !parameter->log) || !(parameter->low < parameter->high) ||
        (parameter->log && parameter->low <= 0))
        return status_option(status, "space", "'%.60s' is not NAME=LOW..HIGH [log] or NAME=A|B",
                             text);
    return true;
}

/* Whether the table says that a parameter is tuned only when it is named. */
static bool only_named(const Option *row) {
    bool number = row->kind == OPTION_INTEGER || row->kind == OPTION_REAL;
    return row->tune ? strcmp(row->tune, "no") == 0 : number;
}

/* The parameter of an option as its table says; false: it is not one that can be tuned. */
static bool from_row(const Option *row, SpaceParameter *parameter) {
    const char *tune = only_named(row) ? NULL : row->tune;
    *parameter = (SpaceParameter){.parent = -1};
    snprintf(parameter->name, sizeof parameter->name, "%s", row->name);
    Status ignored = {0};
    const char *fallback = row->fallback ? row->fallback : "0";
    if (row->kind == OPTION_CHOICE || row->kind == OPTION_FLAG) {
        if (!read_words(parameter, row->kind == OPTION_FLAG ? "off|on" : row->choices, &ignored))
            return false;
        for (int i = 0; i < parameter->word_count; i++)
            if (strcmp(parameter->words[i], fallback) == 0)
                parameter->fallback = i;
        return !tune || read_range(parameter, tune, &ignored);
    }
    if (row->kind != OPTION_INTEGER && row->kind != OPTION_REAL)
        return false;
    parameter->kind = row->kind == OPTION_INTEGER ? SPACE_INTEGER : SPACE_REAL;
    parameter->fallback = strtod(fallback, NULL);
    return !tune || read_range(parameter, tune, &ignored);
}

static bool append(Space *space, const SpaceParameter *parameter, Status *status) {
    if (space->count == SPACE_MAX)
        return status_option(status, "space", "more than %d parameters", SPACE_MAX);
    space->items[space->count++] = *parameter;
    return true;
}

bool space_add_table(Space *space, OptionTable table, OptionTable taken, const char *prefix,
                     Status *status) {
    for (int i = 0; i < options_count(table); i++) {
        Option row = options_row(table, i);
        SpaceParameter parameter;
        if (only_named(&row) || !from_row(&row, &parameter))
            continue;
        if (options_find(taken, row.name) >= 0)
            snprintf(parameter.name, sizeof parameter.name, "%s%s", prefix, row.name);
        if (!append(space, &parameter, status))
            return false;
    }
    return true;
}

bool space_set(Space *space, const char *text, const Option *row, Status *status) {
    const char *equal = strchr(text, '=');
    char name[SPACE_NAME_BYTES];
    if (!equal || equal == text || equal - text >= SPACE_NAME_BYTES)
        return status_option(status, "space", "'%.60s' is not NAME=RANGE", text);
    snprintf(name, sizeof name, "%.*s", (int)(equal - text), text);
    if (!row)
        return status_option(status, "space", "unknown parameter '%s'", name);
    if (strcmp(equal + 1, "no") == 0) {
        space_fix(space, name, row->fallback ? row->fallback : "");
        return true;
    }
    SpaceParameter parameter;
    int index = find(space, name);
    if (index >= 0)
        parameter = space->items[index];
    else if (!from_row(row, &parameter))
        return status_option(status, "space", "%s: is not a number or a choice", name);
    double fallback = parameter.fallback;
    char word[SPACE_WORD_BYTES] = "";
    if (parameter.kind == SPACE_WORD)
        snprintf(word, sizeof word, "%s", parameter.words[(int)fallback]);
    snprintf(parameter.name, sizeof parameter.name, "%s", name);
    bool words = row->kind == OPTION_CHOICE || row->kind == OPTION_FLAG;
    if (words && strstr(equal, ".."))
        return status_option(status, "space", "%s: takes words, not a range", name);
    if (!words) {
        parameter.kind = row->kind == OPTION_INTEGER ? SPACE_INTEGER : SPACE_REAL;
        parameter.word_count = 0;
    }
    if (!read_range(&parameter, equal + 1, status))
        return false;
    if (parameter.kind == SPACE_INTEGER &&
        (parameter.low != floor(parameter.low) || parameter.high != floor(parameter.high)))
        return status_option(status, "space", "%s: %g..%g is not a range of integers", name,
                             parameter.low, parameter.high);
    if (!words && parameter.kind != SPACE_WORD && row->min < row->max &&
        (parameter.low < row->min || parameter.high > row->max))
        return status_option(status, "space", "%s: %g..%g is not in %g..%g", name, parameter.low,
                             parameter.high, row->min, row->max);
    for (int i = 0; i < parameter.word_count; i++)
        if (!space_check_words(row, parameter.words[i], status))
            return false;
    if (parameter.kind == SPACE_WORD) { /* the default may be a number, or not among the words */
        char number[SPACE_VALUE_BYTES];
        snprintf(number, sizeof number, "%g", fallback);
        parameter.fallback = 0;
        for (int i = 0; i < parameter.word_count; i++)
            if (strcmp(parameter.words[i], word[0] ? word : number) == 0)
                parameter.fallback = i;
    }
    if (index < 0)
        return append(space, &parameter, status);
    space->items[index] = parameter;
    return true;
}

/* A parameter must not depend on itself, directly or by others. */
static bool check_circles(const Space *space, Status *status) {
    for (int i = 0; i < space->count; i++) {
        int at = i;
        for (int steps = 0; at >= 0 && steps < space->count; steps++)
            at = space->items[at].parent;
        if (at >= 0)
            return status_option(status, "space", "%s: its 'if' depends on itself",
                                 space->items[at].name);
    }
    return true;
}

bool space_finish(Space *space, Status *status) {
    if (space->count == 0)
        return status_option(status, "space",
                             "there is nothing to tune; name parameters as NAME=LOW..HIGH");
    for (int i = 0; i < space->count; i++) {
        SpaceParameter *own = &space->items[i];
        own->parent = -1;
        if (own->kind != SPACE_WORD && !(own->low < own->high))
            return status_option(status, "space", "%s: requires a range", own->name);
        if (!own->condition[0][0])
            continue;
        own->parent = find(space, own->condition[0]);
        if (own->parent < 0) /* fixed: the caller removed what it excludes */
            continue;
        const SpaceParameter *parent = &space->items[own->parent];
        if (parent->kind != SPACE_WORD)
            return status_option(status, "space",
                                 "%s: 'if' requires a parameter with words, not %s", own->name,
                                 parent->name);
        own->parent_words = 0;
        for (int word = 0; word < options_choice_count(own->condition[1]); word++) {
            char text[SPACE_WORD_BYTES];
            options_choice_word(own->condition[1], word, text, sizeof text);
            for (int k = 0; k < parent->word_count; k++)
                if (strcmp(parent->words[k], text) == 0)
                    own->parent_words |= 1u << k;
        }
    }
    return check_circles(space, status);
}

/* ---- configurations */

bool space_is_active(const Space *space, const SpaceConfig *config, int index) {
    const SpaceParameter *own = &space->items[index];
    if (own->parent < 0)
        return true;
    double word = config->values[own->parent];
    return space_is_active(space, config, own->parent) && !isnan(word) &&
           own->parent_words >> (int)word & 1;
}

void space_settle(const Space *space, SpaceConfig *config, const SpaceConfig *from) {
    for (int i = 0; i < space->count; i++)
        if (isnan(config->values[i]))
            config->values[i] = !isnan(from->values[i])
                                    ? from->values[i]
                                    : rounded(&space->items[i], space->items[i].fallback);
    SpaceConfig whole = *config;
    for (int i = 0; i < space->count; i++)
        if (!space_is_active(space, &whole, i))
            config->values[i] = NAN;
}

SpaceConfig space_default(const Space *space) {
    SpaceConfig config;
    for (int i = 0; i < SPACE_MAX; i++)
        config.values[i] = NAN;
    SpaceConfig none = config;
    space_settle(space, &config, &none);
    return config;
}

SpaceConfig space_random(const Space *space, Rng *rng) {
    SpaceConfig config;
    for (int i = 0; i < SPACE_MAX; i++) {
        /* Small spaces draw as many numbers as those that SPACE_MAX once allowed, so that a tuning
         * repeats. */
        double unit = i < space->count || i < LEAST_DRAWS ? rng_real(rng) : 0;
        config.values[i] = i < space->count ? space_from_unit(&space->items[i], unit) : NAN;
    }
    SpaceConfig whole = config;
    space_settle(space, &config, &whole);
    return config;
}

SpaceConfig space_near(const Space *space, const SpaceConfig *parent, double spread, double keep,
                       Rng *rng) {
    SpaceConfig config = space_random(space, rng), any = config;
    for (int i = 0; i < space->count; i++) {
        const SpaceParameter *own = &space->items[i];
        double value = parent->values[i];
        if (isnan(config.values[i])) /* it may become active by another word */
            config.values[i] = space_from_unit(own, rng_real(rng));
        if (isnan(value))
            continue;
        if (own->kind == SPACE_WORD) {
            if (rng_chance(rng, keep))
                config.values[i] = value;
            continue;
        }
        double center = space_to_unit(own, value), unit = center;
        for (int tries = 0; tries < 100; tries++) { /* rejection truncates the normal */
            unit = center + spread * normal_draw(rng);
            if (unit >= 0 && unit <= 1)
                break;
        }
        config.values[i] = space_from_unit(own, fmin(fmax(unit, 0), 1));
    }
    space_settle(space, &config, &any);
    return config;
}

bool space_same(const Space *space, const SpaceConfig *a, const SpaceConfig *b) {
    for (int i = 0; i < space->count; i++)
        if (a->values[i] != b->values[i] && !(isnan(a->values[i]) && isnan(b->values[i])))
            return false;
    return true;
}
