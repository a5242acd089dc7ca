#include "cli/train_setup.h"

#include "base/json.h"
#include "base/json_writer.h"
#include "cli/train_presets.h"
#include "io/train_state.h"
#include "io/weights_document.h"
#include "optim/registry.h"
#include "player/registry.h"
#include "system/file.h"
#include "train/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZERO_WEIGHTS "zero"

/* What a training is, and what is only remembered with it. */
static const char *const defining[] = {
    "method",     "param",       "features", "weights",   "pin",         "games",
    "max-pieces", "grow-every",  "prune",    "width",     "height",      "seed",
    "agent",      "agent-param", "measure",  "rules",     "randomizer",  "preview",
    "hold",       "scoring",     "profile",  "algorithm", "evaluations", "encoding",
};
/* Of these the last ones are about games, or about profiles. */
static const char *const about_games[] = {"agent",      "agent-param", "measure", "rules",
                                          "randomizer", "preview",     "hold",    "scoring"};
static const char *const about_profiles[] = {"algorithm", "evaluations", "encoding"};
static const char *const remembered[] = {"generations", "held-out", "out", "log", "plot"};

_Static_assert((int)EVALUATOR_MAX <= (int)TRAIN_MAX_WEIGHTS, "a vector must hold every weight");

enum {
    DEFINING = sizeof defining / sizeof *defining,
    REMEMBERED = sizeof remembered / sizeof *remembered,
    ABOUT_GAMES = sizeof about_games / sizeof *about_games,
    ABOUT_PROFILES = sizeof about_profiles / sizeof *about_profiles
};

static bool given(const TrainSetup *setup, const char *option) {
    return cli_given(setup->context, option);
}

/* Sets an option as if it had been given. */
static bool set_option(TrainSetup *setup, const char *name, const char *value, Status *status) {
    bool ok = question_set(setup->context->settings, name, value, status);
    setup->settings = *(const TrainSettings *)setup->context->settings->values;
    return ok;
}

/* ---- presets */

/* True when the user set the option; of a list, when one of its items has the same NAME. */
static bool is_overridden(const TrainSetup *setup, const char *name, const char *pair) {
    Option row = options_row(train_options, options_find(train_options, name));
    if (row.kind != OPTION_LIST)
        return given(setup, name);
    const OptionList *list = (const void *)((const char *)&setup->settings + row.offset);
    size_t length = strcspn(pair, "=") + 1;
    for (int i = 0; i < list->count; i++)
        if (strncmp(list->items[i], pair, length) == 0)
            return true;
    return false;
}

static bool apply_preset(TrainSetup *setup, Status *status) {
    const char *name = setup->settings.preset;
    if (!name)
        return true;
    if (setup->settings.resume)
        return status_option(status, "preset", "cannot be combined with resume");
    const TrainPreset *preset = train_preset_find(name);
    if (!preset)
        return status_option(status, "preset", "unknown preset '%s' (see train --list)", name);
    for (int i = 0; i < TRAIN_PRESET_PAIRS && preset->pairs[i][0]; i++)
        if (!is_overridden(setup, preset->pairs[i][0], preset->pairs[i][1]) &&
            !set_option(setup, preset->pairs[i][0], preset->pairs[i][1], status))
            return status_prefix(status, "--preset");
    return true;
}

/* ---- settings to and from a state */

/* Writes a setting, a list as an array; nothing where the option was not given. */
static void write_setting(JsonWriter *w, const char *name, const TrainSetup *setup,
                          const Option *row) {
    Text text;
    text_init(&text);
    bool list = row->kind == OPTION_LIST;
    if (list)
        jw_array(w, name);
    for (int i = 0; (list || i == 0) && options_get(row, &setup->settings, i, &text); i++) {
        jw_string(w, list ? NULL : name, text.data ? text.data : "");
        w->text->failed |= text.failed;
        text_clear(&text);
    }
    if (list)
        jw_end(w);
    text_release(&text);
}

static bool is_in(const char *name, const char *const *list, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* True when an option says nothing about this training. */
static bool is_idle(const TrainSetup *setup, const char *name) {
    return setup->settings.profile ? is_in(name, about_games, ABOUT_GAMES)
                                   : is_in(name, about_profiles, ABOUT_PROFILES);
}

void train_setup_settings(const TrainSetup *setup, bool defining_only, Text *text) {
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    for (int i = 0; i < DEFINING + (defining_only ? 0 : REMEMBERED); i++) {
        const char *name = i < DEFINING ? defining[i] : remembered[i - DEFINING];
        Option row = options_row(train_options, options_find(train_options, name));
        if (!is_idle(setup, name))
            write_setting(&w, name, setup, &row);
    }
    jw_end(&w);
}

static bool is_defining(const char *name) {
    return is_in(name, defining, DEFINING);
}

static bool is_remembered(const char *name) {
    return is_in(name, remembered, REMEMBERED);
}

/* A given option must be what the state says. */
static bool compare_setting(const TrainSetup *setup, const Option *row, const Json *value,
                            Status *status) {
    Text here, there;
    JsonWriter w;
    text_init(&here);
    text_init(&there);
    jw_init(&w, &here);
    write_setting(&w, NULL, setup, row);
    jw_init(&w, &there);
    jw_json(&w, NULL, value);
    bool failed = here.failed || there.failed;
    bool same =
        !failed && here.length == there.length && memcmp(here.data, there.data, here.length) == 0;
    text_clear(&here);
    if (row->kind == OPTION_LIST || !options_get(row, &setup->settings, 0, &here))
        text_add(&here, "something else");
    if (failed)
        status_no_memory(status);
    else if (!same)
        status_fail(status, STATUS_INPUT, "--%s: %.63s, but the training was begun with %.60s",
                    row->name, here.failed ? "something else" : here.data,
                    json_is_string(value) ? json_text(value) : "another list");
    text_release(&here);
    text_release(&there);
    return same;
}

static bool take_setting(TrainSetup *setup, const char *name, const Json *value, Status *status) {
    bool known = is_defining(name) || is_remembered(name);
    Option found =
        known ? options_row(train_options, options_find(train_options, name)) : (Option){0};
    const Option *row = known ? &found : NULL;
    bool fits = row && (row->kind == OPTION_LIST ? json_is_array(value) : json_is_string(value));
    if (!fits)
        return status_fail(status, STATUS_INPUT, "%s: settings.%.40s: %s", setup->settings.resume,
                           name, row ? "of the wrong type" : "there is no such setting");
    if (given(setup, name))
        return is_remembered(name) || compare_setting(setup, row, value, status);
    bool ok = true;
    if (row->kind != OPTION_LIST)
        ok = set_option(setup, name, json_text(value), status);
    for (size_t i = 0; ok && row->kind == OPTION_LIST && i < json_count(value); i++) {
        const char *item = json_text(json_at(value, i));
        ok = item ? set_option(setup, name, item, status)
                  : status_fail(status, STATUS_INPUT, "%s: not a string", name);
    }
    return ok || status_prefix(status, "%s: settings", setup->settings.resume);
}

static bool resume(TrainSetup *setup, Status *status) {
    const char *path = setup->settings.resume;
    if (!path)
        return true;
    size_t length;
    char *text = file_read(path, TRAIN_STATE_LIMIT, &length, status);
    if (!text)
        return false;
    setup->resumed = train_state_parse(text, length, status);
    free(text);
    if (!setup->resumed)
        return status_prefix(status, "%s", path);
    const Json *settings = json_get(setup->resumed, "settings");
    for (size_t i = 0; i < json_count(settings); i++)
        if (!take_setting(setup, json_name_at(settings, i), json_at(settings, i), status))
            return false;
    return true;
}

/* ---- from settings to the task */

static bool fill_agent(TrainSetup *setup, Status *status) {
    TrainSettings *settings = &setup->settings;
    SimulateTask *task = &setup->games.task;
    SetupAgent asked = {.name = settings->agent, .parameters = &settings->agent_parameters};
    SetupGame game = cli_play_game(setup->context, &settings->play, true, false);
    if (!setup_init(&setup->player, &asked, &game, status))
        return false;
    simulate_use(task, &setup->player);
    if (!task->agent->weights)
        return status_option(status, "agent", "%s takes no weights", task->agent->name);
    if (task->randomizer == RANDOMIZER_LIST)
        return status_option(status, "randomizer",
                             "training on one list would overfit to it; use a random source");
    settings->play.rules = (int)task->setup.rules.set;
    settings->play.hold = task->setup.rules.hold;
    settings->play.preview = task->preview;
    settings->play.randomizer = (int)task->randomizer;
    return true;
}

/* Weights of one kind as those of another that has all the features they use, by their names. */
static bool convert(Evaluator *evaluator, const EvaluatorKind *kind, Status *status) {
    const EvaluatorKind *own = evaluator->kind;
    double written[EVALUATOR_MAX] = {0};
    for (int i = 0; i < own->count; i++) {
        int feature = evaluator_feature(kind, own->names[i]);
        double value = evaluator->weights[i];
        if (value == 0)
            continue;
        if (feature < 0 || (own != kind && (own->against || kind->against)))
            return status_fail(status, STATUS_INPUT,
                               "--weights: of the features '%s', which '%s' does not have",
                               own->name, kind->name);
        written[feature] = own->against >> i & 1 ? -value : value;
    }
    evaluator_init(evaluator, kind, written);
    return true;
}

/* The start and the kind of features: of the state, of the weights named, or zeros. */
static bool fill_weights(TrainSetup *setup, Status *status) {
    TrainSettings *settings = &setup->settings;
    const EvaluatorKind *kind = setup->player.made_for.evaluator.kind;
    if (settings->features && !(kind = evaluator_kind_find(settings->features)))
        return status_fail(status, STATUS_INPUT,
                           "--features: there are none called '%s' (see simulate --list)",
                           settings->features);
    double zeros[EVALUATOR_MAX] = {0};
    evaluator_init(&setup->evaluator, kind, zeros);
    bool zero = strcmp(settings->weights, ZERO_WEIGHTS) == 0;
    if (!setup->resumed && !zero &&
        !weights_find(settings->weights, kind, &setup->evaluator, status))
        return status_prefix(status, "--weights");
    if (settings->features && !convert(&setup->evaluator, kind, status))
        return false;
    kind = setup->evaluator.kind;
    for (int i = 0; i < kind->count; i++) {
        double value = setup->evaluator.weights[i];
        setup->start[i] = value == 0 ? 0 : kind->against >> i & 1 ? -value : value;
    }
    settings->features = kind->name;
    setup->games.task.setup.evaluator = setup->evaluator;
    if (!setup_check_weights(&setup->player, kind, status))
        return false;
    if (setup->resumed && !train_state_start(setup->resumed, setup->start, kind->count, status))
        return status_prefix(status, "%s", settings->resume);
    return true;
}

/* The start of a profile, and how it is tried. */
static bool fill_profile(TrainSetup *setup, Status *status) {
    TrainSettings *settings = &setup->settings;
    TrainOffline *offline = &setup->offline;
    int index = 0, count = options_choice_count(PROFILE_CHOICES);
    char word[32];
    while (index < count && strcmp(options_choice_word(PROFILE_CHOICES, index, word, sizeof word),
                                   settings->profile) != 0)
        index++;
    if (index == count)
        return status_fail(status, STATUS_INPUT, "--profile: '%s' is not one of %s",
                           settings->profile, PROFILE_CHOICES);
    offline_weights(&fitness_profiles[index], setup->start);
    evaluator_init(&setup->evaluator, &offline_kind, setup->start);
    bool zero = strcmp(settings->weights, ZERO_WEIGHTS) == 0;
    if (!setup->resumed && !zero) {
        if (!weights_find(settings->weights, &offline_kind, &setup->evaluator, status) ||
            !convert(&setup->evaluator, &offline_kind, status))
            return status_prefix(status, "--weights");
        memcpy(setup->start, setup->evaluator.weights,
               (size_t)offline_kind.count * sizeof *setup->start);
    }
    if (setup->resumed &&
        !train_state_start(setup->resumed, setup->start, offline_kind.count, status))
        return status_prefix(status, "%s", settings->resume);
    settings->features = offline_kind.name;
    *offline = (TrainOffline){.encoding = (Encoding)settings->encoding,
                              .width = (int)settings->play.width,
                              .height = (int)settings->play.height,
                              .optimiser = optim_find(settings->algorithm),
                              .evaluations = (uint64_t)settings->evaluations};
    if (!offline->optimiser)
        return status_fail(status, STATUS_INPUT, "--algorithm: there is none called '%s'",
                           settings->algorithm);
    if (offline->encoding == ENCODING_PLACEMENTS && !offline->optimiser->searches_tree)
        return status_fail(status, STATUS_INPUT, "--algorithm: %s works on genes",
                           settings->algorithm);
    return true;
}

/* Options that would be idle are mistakes. */
static bool check_idle(const TrainSetup *setup, Status *status) {
    for (int i = 0; i < DEFINING; i++)
        if (is_idle(setup, defining[i]) && given(setup, defining[i]))
            return status_fail(status, STATUS_INPUT, "--%s: %s --profile", defining[i],
                               setup->settings.profile ? "does not go with" : "goes with");
    return true;
}

/* Reads NAME or NAME=VALUE. */
static bool read_pin(TrainSetup *setup, const char *text, bool *pinned, Status *status) {
    const EvaluatorKind *kind = setup->evaluator.kind;
    char name[PARAMETERS_PAIR_BYTES]; /* longer than the name of any feature */
    size_t length = strcspn(text, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    int feature = evaluator_feature(kind, name);
    if (feature < 0)
        return status_fail(status, STATUS_INPUT, "--pin: the features '%s' have no '%.60s'",
                           kind->name, text);
    pinned[feature] = true;
    if (text[length] == '\0')
        return true;
    double value;
    if (!options_read_real(text + length + 1, &value))
        return status_fail(status, STATUS_INPUT, "--pin: %.60s: not a number", text);
    setup->start[feature] = value;
    return true;
}

/* Which weights are trained, and where. */
static bool fill_space(TrainSetup *setup, Status *status) {
    const EvaluatorKind *kind = setup->evaluator.kind;
    TrainTask *task = &setup->task;
    TrainSpace *space = &task->space;
    const OptionList *pins = &setup->settings.pins;
    bool pinned[EVALUATOR_MAX] = {false};
    for (int i = 0; i < pins->count; i++)
        if (!read_pin(setup, pins->items[i], pinned, status))
            return false;
    task->weights = kind->count;
    const Agent *agent = setup->games.task.agent;
    space->direction = !setup->settings.profile && agent->abilities & AGENT_SCALE_FREE;
    for (int i = 0; i < kind->count; i++) {
        task->pinned[i] = setup->start[i];
        if (pinned[i]) {
            space->direction = space->direction && setup->start[i] == 0;
            continue;
        }
        task->trained[space->count] = i;
        space->low[space->count] = kind->against ? 0 : -INFINITY; /* magnitudes */
        space->start[space->count++] = setup->start[i];
    }
    return space->count > 0 || status_fail(status, STATUS_INPUT, "--pin: nothing is left to train");
}

static bool fill_method(TrainSetup *setup, Status *status) {
    const TrainSettings *settings = &setup->settings;
    TrainTask *task = &setup->task;
    const TrainMethod *method = task->method = train_find(settings->method);
    if (!method)
        return status_fail(status, STATUS_INPUT,
                           "--method: there is none called '%s' (see train --list)",
                           settings->method);
    parameters_init(&setup->parameters, method->name, method->parameters);
    task->parameters = setup->parameters.values;
    return parameters_set_list(&setup->parameters, &settings->parameters, status) &&
           (!method->check || method->check(&task->space, task->parameters, status) ||
            status_prefix(status, "%s", method->name));
}

/* What counts, and how long a game is. */
static bool fill_games(TrainSetup *setup, Status *status) {
    TrainSettings *settings = &setup->settings;
    if (!given(setup, "measure"))
        settings->measure = setup->games.task.agent->stream ? GAMES_LINES_PER_DEATH : GAMES_SCORE;
    setup->games.measure = (GamesMeasure)settings->measure;
    setup->games.task.max_pieces = setup->games.task.max_lines = INT64_MAX;
    bool splits = settings->measure == GAMES_SPLITTING;
    bool streams = settings->measure == GAMES_LINES_PER_DEATH;
    if (splits && !games_can_split(&setup->games, status))
        return false;
    if (!given(setup, "max-pieces"))
        settings->max_pieces = streams ? 100000 : splits ? 20000 : 10000;
    if ((streams || splits) && settings->max_pieces == 0)
        return status_fail(status, STATUS_INPUT,
                           "--max-pieces: %s needs a limit, its games do not end by themselves",
                           splits ? "splitting" : "lines-per-death");
    setup->objective = games_objective(&setup->games);
    return true;
}

static bool fill_lists(TrainSetup *setup, Status *status) {
    TrainSettings *settings = &setup->settings;
    if (!given(setup, "max-pieces"))
        settings->max_pieces = 20;
    if (settings->max_pieces < 1 || settings->max_pieces > GENOTYPE_MAX_PIECES)
        return status_fail(status, STATUS_INPUT, "--max-pieces: a list has 1..%d pieces",
                           GENOTYPE_MAX_PIECES);
    if (settings->grow_every > 0)
        return status_fail(status, STATUS_INPUT, "--grow-every: does not go with --profile");
    setup->objective = offline_objective(&setup->offline);
    return true;
}

static bool fill_amount(TrainSetup *setup, Status *status) {
    TrainSettings *settings = &setup->settings;
    TrainTask *task = &setup->task;
    if (!(settings->profile ? fill_lists(setup, status) : fill_games(setup, status)))
        return false;
    if (!given(setup, "games"))
        settings->games = task->method->games;
    if (task->method->one_scale && settings->grow_every > 0)
        return status_fail(status, STATUS_INPUT,
                           "--grow-every: %s compares generations, so the limit must stay",
                           task->method->name);
    if (!given(setup, "seed"))
        settings->seed = (int64_t)cli_seed(setup->context, 0);
    task->objective = &setup->objective;
    task->games = settings->games;
    task->max_pieces = settings->max_pieces > 0 ? settings->max_pieces : INT64_MAX;
    task->grow_every = settings->grow_every;
    task->prune = settings->prune;
    task->seed = (uint64_t)settings->seed;
    return true;
}

/* Where the state is kept: --state, the file resumed, or OUT.state. A training that is there
 * already is not overwritten: it may be days of work. */
static bool fill_paths(TrainSetup *setup, Status *status) {
    const TrainSettings *settings = &setup->settings;
    const char *base = settings->state ? settings->state : settings->resume;
    int length = 0;
    if (base)
        length = snprintf(setup->state_path, sizeof setup->state_path, "%s", base);
    else if (settings->out)
        length = snprintf(setup->state_path, sizeof setup->state_path, "%s.state", settings->out);
    if (length >= (int)sizeof setup->state_path)
        return status_fail(status, STATUS_INPUT, "--state: the path is too long");
    bool exists = false;
    if (!settings->resume && length > 0 && !file_exists(setup->state_path, &exists, status))
        return false;
    if (exists)
        return status_fail(status, STATUS_INPUT,
                           "%s: holds a training already; --resume it or remove it",
                           setup->state_path);
    return true;
}

static bool fill_subject(TrainSetup *setup, Status *status) {
    return setup->settings.profile ? fill_profile(setup, status)
                                   : fill_agent(setup, status) && fill_weights(setup, status);
}

bool train_setup_fill(TrainSetup *setup, Status *status) {
    return apply_preset(setup, status) && resume(setup, status) && check_idle(setup, status) &&
           fill_subject(setup, status) && fill_space(setup, status) && fill_method(setup, status) &&
           fill_amount(setup, status) && fill_paths(setup, status);
}

void train_setup_release(TrainSetup *setup) {
    parameters_release(&setup->parameters);
    setup_release(&setup->player);
    json_free(setup->resumed);
}

const char *const *train_setup_names(const TrainSetup *setup) {
    return setup->evaluator.kind->names;
}
