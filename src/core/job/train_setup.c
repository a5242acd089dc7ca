/*
 * train_setup: from a question about a training to its task, in the order of train_setup: preset,
 * resumed state, who is trained, which weights, by which method, for how long. Options of the
 * preset and of the state are set in the run's own copy of the question.
 */
#include "base/json_writer.h"
#include "base/rng.h"
#include "formats/weights.h"
#include "job/train.h"
#include "optim/registry.h"
#include "train/presets.h"
#include "train/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZERO_WEIGHTS "zero"

/* Options that define a training, and options that are only remembered with it. */
static const char *const defining[] = {
    "method",     "param",       "features",   "weights", "pin",   "games",   "max-pieces",
    "grow-every", "prune",       "width",      "height",  "seed",  "agent",   "agent-param",
    "measure",    "rules",       "randomizer", "preview", "hold",  "scoring", "profile",
    "algorithm",  "evaluations", "encoding",   "grow-to", "kicks", "spins",
};
/* Options that 1.0 did not have are only written where they were given, so that the trainings it
 * began keep their settings. */
static const char *const added[] = {"grow-to", "kicks", "spins"};
/* Of these the last ones are about games, or about profiles. */
static const char *const about_games[] = {"agent",      "agent-param", "measure", "rules",
                                          "randomizer", "preview",     "hold",    "scoring",
                                          "kicks",      "spins"};
static const char *const about_profiles[] = {"algorithm", "evaluations", "encoding"};
static const char *const remembered[] = {"generations", "held-out"};
/* Settings of the command line in states; not options of the job. */
static const char *const extra[] = {"out", "log", "plot"};

_Static_assert((int)EVALUATOR_MAX <= (int)TRAIN_MAX_WEIGHTS, "a vector must hold every weight");

enum {
    DEFINING = sizeof defining / sizeof *defining,
    REMEMBERED = sizeof remembered / sizeof *remembered,
    EXTRA = sizeof extra / sizeof *extra,
    ADDED = sizeof added / sizeof *added,
    ABOUT_GAMES = sizeof about_games / sizeof *about_games,
    ABOUT_PROFILES = sizeof about_profiles / sizeof *about_profiles
};

enum { SHORT_GENERATIONS = 10 };

static bool given(const TrainRun *run, const char *option) {
    return question_given(run->question, option);
}

/* Sets an option as if it had been given. */
static bool set_option(TrainRun *run, const char *name, const char *value, Status *status) {
    return question_set(run->question, name, value, status);
}

/* ---- presets */

/* True when the user set the option; of a list, when one of its items has the same NAME. */
static bool is_overridden(const TrainRun *run, const char *name, const char *pair) {
    Option row = options_row(run->question->table, options_find(run->question->table, name));
    if (row.kind != OPTION_LIST)
        return given(run, name);
    const OptionList *list = (const void *)((const char *)run->asked + row.offset);
    size_t length = strcspn(pair, "=") + 1;
    for (int i = 0; i < list->count; i++)
        if (strncmp(list->items[i], pair, length) == 0)
            return true;
    return false;
}

static bool apply_preset(TrainRun *run, Status *status) {
    const char *name = run->asked->preset;
    if (!name)
        return true;
    if (run->asked->resume)
        return status_option(status, "preset", "cannot be combined with resume");
    const TrainPreset *preset = train_preset_find(name);
    if (!preset)
        return status_option(status, "preset", "unknown preset '%s' (see train --list)", name);
    for (int i = 0; i < TRAIN_PRESET_PAIRS && preset->pairs[i][0]; i++)
        if (!is_overridden(run, preset->pairs[i][0], preset->pairs[i][1]) &&
            !set_option(run, preset->pairs[i][0], preset->pairs[i][1], status))
            return status_prefix_option(status, "preset");
    return true;
}

/* ---- settings to and from a state */

/* Writes a setting, a list as an array; nothing where the option was not given. */
static void write_setting(JsonWriter *w, const char *name, const TrainRun *run, const Option *row) {
    Text text = {0};
    bool list = row->kind == OPTION_LIST;
    if (list)
        jw_array(w, name);
    for (int i = 0; (list || i == 0) && options_get(row, run->asked, i, &text); i++) {
        const char *path = row->file ? question_name(run->question, row->name) : NULL;
        jw_string(w, list ? NULL : name, path ? path : text.data ? text.data : "");
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
static bool is_idle(const TrainRun *run, const char *name) {
    return run->asked->profile ? is_in(name, about_games, ABOUT_GAMES)
                               : is_in(name, about_profiles, ABOUT_PROFILES);
}

void train_write_settings(const TrainRun *run, bool defining_only, const TrainExtra *extras,
                          int count, Text *text) {
    JsonWriter w;
    jw_init(&w, text);
    jw_object(&w, NULL);
    for (int i = 0; i < DEFINING + (defining_only ? 0 : REMEMBERED); i++) {
        const char *name = i < DEFINING ? defining[i] : remembered[i - DEFINING];
        Option row = options_row(run->question->table, options_find(run->question->table, name));
        if (!is_idle(run, name) && (given(run, name) || !is_in(name, added, ADDED)))
            write_setting(&w, name, run, &row);
    }
    for (int i = 0; i < count; i++)
        if (extras[i].value)
            jw_string(&w, extras[i].name, extras[i].value);
    jw_end(&w);
}

const char *train_resumed_setting(const TrainRun *run, const char *name) {
    return json_text(json_get(json_get(run->resumed, "settings"), name));
}

static bool is_defining(const char *name) {
    return is_in(name, defining, DEFINING);
}

static bool is_remembered(const char *name) {
    return is_in(name, remembered, REMEMBERED);
}

/* A given option must be what the state says. */
static bool compare_setting(const TrainRun *run, const Option *row, const Json *value,
                            Status *status) {
    Text here = {0}, there = {0};
    JsonWriter w;
    jw_init(&w, &here);
    write_setting(&w, NULL, run, row);
    jw_init(&w, &there);
    jw_json(&w, NULL, value);
    bool failed = here.failed || there.failed;
    bool same =
        !failed && here.length == there.length && memcmp(here.data, there.data, here.length) == 0;
    text_clear(&here);
    if (row->kind == OPTION_LIST || !options_get(row, run->asked, 0, &here))
        text_add(&here, "something else");
    if (failed)
        status_no_memory(status);
    else if (!same)
        status_option(status, row->name, "%.63s, but the training was begun with %.60s",
                      here.failed ? "something else" : here.data,
                      json_is_string(value) ? json_text(value) : "another list");
    text_release(&here);
    text_release(&there);
    return same;
}

static bool take_setting(TrainRun *run, const char *name, const Json *value, Status *status) {
    if (is_in(name, extra, EXTRA))
        return true;
    if (!is_defining(name) && !is_remembered(name))
        return status_fail(status, STATUS_INPUT, "settings.%.40s: unknown setting", name);
    Option row = options_row(run->question->table, options_find(run->question->table, name));
    bool list = row.kind == OPTION_LIST;
    if (list ? !json_is_array(value) : !json_is_string(value))
        return status_fail(status, STATUS_INPUT, "settings.%.40s: of the wrong type", name);
    if (given(run, name))
        return is_remembered(name) || compare_setting(run, &row, value, status);
    if (!list)
        return set_option(run, name, json_text(value), status) || status_prefix(status, "settings");
    for (size_t i = 0; i < json_count(value); i++) {
        const char *item = json_text(json_at(value, i));
        if (!item)
            return status_fail(status, STATUS_INPUT, "settings.%.40s: not a string", name);
        if (!set_option(run, name, item, status))
            return status_prefix(status, "settings");
    }
    return true;
}

static bool resume(TrainRun *run, Status *status) {
    const char *text = run->asked->resume;
    if (!text)
        return true;
    run->resumed = train_state_parse(text, strlen(text), status);
    if (!run->resumed)
        return status_prefix_option(status, "resume");
    const Json *settings = json_get(run->resumed, "settings");
    for (size_t i = 0; i < json_count(settings); i++)
        if (!take_setting(run, json_name_at(settings, i), json_at(settings, i), status))
            return status->option ? false : status_prefix_option(status, "resume");
    return true;
}

/* ---- from settings to the task */

static bool fill_agent(TrainRun *run, Status *status) {
    TrainQuestion *asked = run->asked;
    SimulateTask *task = &run->games.task;
    PlayRequest request = {.question = run->question, .play = &asked->play, .named = true};
    SetupAgent agent = {.name = asked->agent,
                        .parameters = &asked->agent_parameters,
                        .bounds = run->question->bounds};
    SetupGame game = play_setup_game(&request);
    if (!setup_init(&run->player, &agent, &game, status))
        return false;
    simulate_use(task, &run->player);
    if (!task->agent->weights && !task->agent->trained)
        return status_option(status, "agent", "%s takes no weights", task->agent->name);
    if (task->randomizer == RANDOMIZER_LIST)
        return status_option(status, "randomizer",
                             "training on one list would overfit to it; use a random source");
    asked->play.rules = (int)task->setup.rules.set;
    asked->play.hold = task->setup.rules.hold;
    asked->play.preview = task->preview;
    asked->play.randomizer = (int)task->randomizer;
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
            return status_option(status, "weights",
                                 "of the features '%s', which '%s' does not have", own->name,
                                 kind->name);
        written[feature] = own->against >> i & 1 ? -value : value;
    }
    evaluator_init(evaluator, kind, written);
    return true;
}

/* The weights that the agent has without training, where they are of the kind trained. */
static void note_reference(TrainRun *run, const EvaluatorKind *kind) {
    const Evaluator *own = &run->player.made_for.evaluator;
    run->has_reference = own->kind == kind;
    for (int i = 0; run->has_reference && i < kind->count; i++)
        run->reference_weights[i] = kind->against >> i & 1 ? 0 - own->weights[i] : own->weights[i];
}

/* The start and the kind of features: of the state, of the weights named, or zeros. */
static bool fill_weights(TrainRun *run, Status *status) {
    TrainQuestion *asked = run->asked;
    const EvaluatorKind *kind = run->player.made_for.evaluator.kind;
    if (asked->features && !(kind = evaluator_kind_find(asked->features)))
        return status_option(status, "features", "unknown name '%s' (see simulate --list)",
                             asked->features);
    double zeros[EVALUATOR_MAX] = {0};
    evaluator_init(&run->evaluator, kind, zeros);
    bool zero = strcmp(asked->weights, ZERO_WEIGHTS) == 0;
    if (!run->resumed && !zero && !weights_read(asked->weights, kind, &run->evaluator, status))
        return status_prefix_option(status, "weights");
    if (asked->features && !convert(&run->evaluator, kind, status))
        return false;
    kind = run->evaluator.kind;
    note_reference(run, kind);
    for (int i = 0; i < kind->count; i++) {
        double value = run->evaluator.weights[i];
        run->start[i] = value == 0 ? 0 : kind->against >> i & 1 ? -value : value;
    }
    asked->features = kind->name;
    run->games.task.setup.evaluator = run->evaluator;
    if (!setup_check_weights(&run->player, kind, status))
        return false;
    if (run->resumed && !train_state_start(run->resumed, run->start, kind->count, status))
        return status_prefix_option(status, "resume");
    return true;
}

/* The same for an agent whose weights are parameters: it starts with those it has. */
static bool fill_own_weights(TrainRun *run, Status *status) {
    TrainQuestion *asked = run->asked;
    const Agent *agent = run->player.agent;
    if (given(run, "features") && strcmp(asked->features, agent->name) != 0)
        return status_option(status, "features", "%s has its own", agent->name);
    duels_kind(agent, run->own_names, &run->own_kind);
    duels_weights(&run->player, run->start);
    memcpy(run->reference_weights, run->start, sizeof run->start);
    run->has_reference = true;
    evaluator_init(&run->evaluator, &run->own_kind, run->start);
    if (!run->resumed && given(run, "weights")) {
        if (strcmp(asked->weights, ZERO_WEIGHTS) == 0)
            return status_option(status, "weights", "%s starts with its own or a file's",
                                 agent->name);
        if (!weights_read(asked->weights, &run->own_kind, &run->evaluator, status) ||
            !convert(&run->evaluator, &run->own_kind, status))
            return status_prefix_option(status, "weights");
        memcpy(run->start, run->evaluator.weights, (size_t)run->own_kind.count * sizeof(double));
    }
    if (run->resumed && !train_state_start(run->resumed, run->start, run->own_kind.count, status))
        return status_prefix_option(status, "resume");
    asked->features = run->own_kind.name;
    run->duels = (TrainDuels){.player = &run->player, .start = run->start};
    return match_rules_read(match_rules_name(0), &run->duels.rules, status);
}

/* The start of a profile, and how it is tried. */
static bool fill_profile(TrainRun *run, Status *status) {
    TrainQuestion *asked = run->asked;
    TrainOffline *offline = &run->offline;
    int index = 0, count = options_choice_count(PROFILE_CHOICES);
    char word[32];
    while (index < count && strcmp(options_choice_word(PROFILE_CHOICES, index, word, sizeof word),
                                   asked->profile) != 0)
        index++;
    if (index == count)
        return status_option(status, "profile", "'%s' is not one of %s", asked->profile,
                             PROFILE_CHOICES);
    offline_weights(&fitness_profiles[index], run->start);
    memcpy(run->reference_weights, run->start, sizeof run->start);
    run->has_reference = true;
    evaluator_init(&run->evaluator, &offline_kind, run->start);
    bool zero = strcmp(asked->weights, ZERO_WEIGHTS) == 0;
    if (!run->resumed && !zero) {
        if (!weights_read(asked->weights, &offline_kind, &run->evaluator, status) ||
            !convert(&run->evaluator, &offline_kind, status))
            return status_prefix_option(status, "weights");
        memcpy(run->start, run->evaluator.weights, (size_t)offline_kind.count * sizeof *run->start);
    }
    if (run->resumed && !train_state_start(run->resumed, run->start, offline_kind.count, status))
        return status_prefix_option(status, "resume");
    asked->features = offline_kind.name;
    *offline = (TrainOffline){.encoding = (Encoding)asked->encoding,
                              .width = (int)asked->play.width,
                              .height = (int)asked->play.height,
                              .optimiser = optim_find(asked->algorithm),
                              .evaluations = (uint64_t)asked->evaluations};
    if (!offline->optimiser)
        return status_option(status, "algorithm", "unknown name '%s'", asked->algorithm);
    if (offline->encoding == ENCODING_PLACEMENTS && !offline->optimiser->searches_tree)
        return status_option(status, "algorithm", "%s works on genes", asked->algorithm);
    return true;
}

/* Options that would be idle are mistakes. */
static bool check_idle(const TrainRun *run, Status *status) {
    for (int i = 0; i < DEFINING; i++)
        if (is_idle(run, defining[i]) && given(run, defining[i]))
            return status_option(status, defining[i],
                                 run->asked->profile ? "cannot be combined with profile"
                                                     : "requires profile");
    return true;
}

/* Reads NAME or NAME=VALUE. */
static bool read_pin(TrainRun *run, const char *text, bool *pinned, Status *status) {
    const EvaluatorKind *kind = run->evaluator.kind;
    char name[PARAMETERS_PAIR_BYTES]; /* longer than the name of any feature */
    size_t length = strcspn(text, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    int feature = evaluator_feature(kind, name);
    if (feature < 0)
        return status_option(status, "pin", "the features '%s' have no '%.60s'", kind->name, text);
    pinned[feature] = true;
    if (text[length] == '\0')
        return true;
    double value;
    if (!options_read_real(text + length + 1, &value))
        return status_option(status, "pin", "%.60s: not a number", text);
    run->start[feature] = value;
    return true;
}

/* Which weights are trained, and where. */
static bool fill_space(TrainRun *run, Status *status) {
    const EvaluatorKind *kind = run->evaluator.kind;
    TrainTask *task = &run->task;
    TrainSpace *space = &task->space;
    const OptionList *pins = &run->asked->pins;
    bool pinned[EVALUATOR_MAX] = {false};
    for (int i = 0; i < pins->count; i++)
        if (!read_pin(run, pins->items[i], pinned, status))
            return false;
    task->weights = kind->count;
    const Agent *agent = run->games.task.agent;
    space->direction = !run->asked->profile && agent->abilities & AGENT_SCALE_FREE;
    for (int i = 0; i < kind->count; i++) {
        task->pinned[i] = run->start[i];
        if (pinned[i]) {
            space->direction = space->direction && run->start[i] == 0;
            continue;
        }
        task->trained[space->count] = i;
        space->low[space->count] = kind->against ? 0 : -INFINITY; /* magnitudes */
        space->start[space->count++] = run->start[i];
    }
    return space->count > 0 || status_option(status, "pin", "nothing is left to train");
}

static bool fill_method(TrainRun *run, Status *status) {
    const TrainQuestion *asked = run->asked;
    TrainTask *task = &run->task;
    const TrainMethod *method = task->method = train_find(asked->method);
    if (!method)
        return status_option(status, "method", "unknown name '%s' (see train --list)",
                             asked->method);
    parameters_init(&run->parameters, method->name, method->parameters);
    run->parameters.bounds = run->question->bounds;
    task->parameters = run->parameters.values;
    return parameters_set_list(&run->parameters, &asked->parameters, status) &&
           (!method->check || method->check(&task->space, task->parameters, status) ||
            status_prefix(status, "%s", method->name));
}

/* A training about whose length nothing was said is a first try that takes seconds. */
static bool is_short(const TrainRun *run) {
    static const char *const lengths[] = {"preset",     "resume",  "generations", "games",
                                          "max-pieces", "grow-to", "grow-every",  "time",
                                          "held-out",   "profile"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (given(run, lengths[i]))
            return false;
    return true;
}

/* What counts in games against the start, and how long they are. */
static bool fill_duels(TrainRun *run, Status *status) {
    enum { PIECES = 500 };
    TrainQuestion *asked = run->asked;
    if (!given(run, "measure"))
        asked->measure = GAMES_MATCH;
    if (asked->measure != GAMES_MATCH && asked->measure != GAMES_APP)
        return status_option(status, "measure", "%s is trained by match or app",
                             run->player.agent->name);
    if (!given(run, "max-pieces"))
        asked->max_pieces = is_short(run) ? PIECES / 5 : PIECES;
    run->duels.by_attack = asked->measure == GAMES_APP;
    run->objective = duels_objective(&run->duels);
    return true;
}

/* What counts, and how long a game is. */
static bool fill_games(TrainRun *run, Status *status) {
    TrainQuestion *asked = run->asked;
    const Agent *agent = run->games.task.agent;
    if (agent->trained)
        return fill_duels(run, status);
    if (asked->measure == GAMES_MATCH || asked->measure == GAMES_APP)
        return status_option(status, "measure", "%s is not trained by matches", agent->name);
    if (!given(run, "measure"))
        asked->measure = agent->stream ? GAMES_LINES_PER_DEATH : GAMES_SCORE;
    run->games.measure = (GamesMeasure)asked->measure;
    run->games.task.max_pieces = run->games.task.max_lines = INT64_MAX;
    bool splits = asked->measure == GAMES_SPLITTING;
    bool streams = asked->measure == GAMES_LINES_PER_DEATH;
    if (splits && !games_can_split(&run->games, status))
        return false;
    if (!given(run, "max-pieces"))
        asked->max_pieces = (streams ? 100000 : splits ? 20000 : 10000) / (is_short(run) ? 20 : 1);
    if ((streams || splits) && asked->max_pieces == 0)
        return status_option(status, "max-pieces",
                             "%s needs a limit, its games do not end by themselves",
                             splits ? "splitting" : "lines-per-death");
    run->objective = games_objective(&run->games);
    return true;
}

static bool fill_lists(TrainRun *run, Status *status) {
    TrainQuestion *asked = run->asked;
    if (!given(run, "max-pieces"))
        asked->max_pieces = 20;
    if (asked->max_pieces < 1 || asked->max_pieces > GENOTYPE_MAX_PIECES)
        return status_option(status, "max-pieces", "a list has 1..%d pieces", GENOTYPE_MAX_PIECES);
    if (asked->grow_every > 0)
        return status_option(status, "grow-every", "cannot be combined with profile");
    run->objective = offline_objective(&run->offline);
    return true;
}

static bool fill_amount(TrainRun *run, Status *status) {
    TrainQuestion *asked = run->asked;
    TrainTask *task = &run->task;
    if (!(asked->profile ? fill_lists(run, status) : fill_games(run, status)))
        return false;
    if (is_short(run))
        asked->generations = SHORT_GENERATIONS;
    if (!given(run, "games"))
        asked->games = task->method->games;
    if (given(run, "grow-to") && asked->grow_every == 0 && !asked->preset)
        return status_option(status, "grow-to", "requires grow-every");
    if (task->method->one_scale && asked->grow_every > 0)
        return status_option(status, "grow-every",
                             "%s compares generations, so the limit must stay", task->method->name);
    if (!given(run, "seed"))
        asked->seed = (int64_t)rng_entropy();
    task->objective = &run->objective;
    task->games = asked->games;
    task->max_pieces = asked->max_pieces > 0 ? asked->max_pieces : INT64_MAX;
    task->grow_every = asked->grow_every;
    task->grow_to = asked->grow_to;
    task->prune = asked->prune;
    task->seed = (uint64_t)asked->seed;
    return true;
}

static bool fill_subject(TrainRun *run, Status *status) {
    return run->asked->profile ? fill_profile(run, status)
                               : fill_agent(run, status) &&
                                     (run->player.agent->trained ? fill_own_weights(run, status)
                                                                 : fill_weights(run, status));
}

/* The start needs no second score. */
static bool drop_same_reference(TrainRun *run) {
    if (memcmp(run->start, run->reference_weights, sizeof run->start) == 0)
        run->has_reference = false;
    return true;
}

bool train_setup(TrainRun *run, Status *status) {
    return apply_preset(run, status) && resume(run, status) && check_idle(run, status) &&
           fill_subject(run, status) && fill_space(run, status) && fill_method(run, status) &&
           fill_amount(run, status) && drop_same_reference(run);
}

const char *const *train_names(const TrainRun *run) {
    return run->evaluator.kind->names;
}
