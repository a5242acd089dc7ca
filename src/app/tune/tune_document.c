/* tune_document: nothing in it depends on times or on the number of workers. */
#include "tune/tune_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_value(JsonWriter *json, const char *name, const SpaceParameter *parameter,
                        double value) {
    char text[SPACE_VALUE_BYTES];
    if (isnan(value))
        jw_null(json, name);
    else if (parameter->kind == SPACE_WORD)
        jw_string(json, name, space_text(parameter, value, text));
    else
        jw_real(json, name, value);
}

static void write_values(JsonWriter *json, const Space *space, const SpaceConfig *config) {
    jw_object(json, "values");
    for (int i = 0; i < space->count; i++)
        if (!isnan(config->values[i]))
            write_value(json, space->items[i].name, &space->items[i], config->values[i]);
    jw_end(json);
}

static void write_space(JsonWriter *json, const Space *space) {
    jw_array(json, "parameters");
    for (int i = 0; i < space->count; i++) {
        const SpaceParameter *own = &space->items[i];
        jw_object(json, NULL);
        jw_string(json, "name", own->name);
        if (own->kind == SPACE_WORD) {
            jw_array(json, "words");
            for (int k = 0; k < own->word_count; k++)
                jw_string(json, NULL, own->words[k]);
            jw_end(json);
        } else
            jw_put(json, JR("low", own->low), JR("high", own->high), JB("log", own->log));
        write_value(json, "default", own, own->fallback);
        if (own->parent >= 0)
            jw_put(json, JS("if", own->condition[0]), JS("is", own->condition[1]));
        jw_end(json);
    }
    jw_end(json);
}

static bool is_elite(const Tuner *tuner, int config) {
    for (int i = 0; i < tuner->elite_count; i++)
        if (tuner->elites[i] == config)
            return true;
    return false;
}

static int known_results(const TunerConfig *config) {
    int known = 0;
    for (int i = 0; i < config->result_count; i++)
        known += !isnan(config->results[i]);
    return known;
}

/* Those that took part in a race; units are what parallel coordinates show. */
static void write_configs(JsonWriter *json, const Tuner *tuner) {
    const Space *space = tuner->task->space;
    jw_array(json, "configurations");
    for (size_t i = 0; i < tuner->count; i++) {
        const TunerConfig *config = &tuner->configs[i];
        if (known_results(config) == 0 && i > 0)
            continue;
        jw_object(json, NULL);
        jw_put(json, JI("id", (int64_t)i), JI("race", config->race + 1),
               JI("parent", config->parent), JI("results", known_results(config)),
               JR("mean", config->mean), JB("elite", is_elite(tuner, (int)i)));
        write_values(json, space, &config->values);
        jw_array(json, "units");
        for (int k = 0; k < space->count; k++)
            jw_real(json, NULL, space_to_unit(&space->items[k], config->values.values[k]));
        jw_end(json);
        jw_end(json);
    }
    jw_end(json);
}

static void write_steps(JsonWriter *json, const Tuner *tuner) {
    jw_array(json, "steps");
    for (size_t i = 0; i < tuner->step_count; i++) {
        const TunerStep *step = &tuner->steps[i];
        jw_object(json, NULL);
        jw_put(json, JI("race", step->race + 1), JI("instances", step->instances),
               JI("started", step->started), JI("alive", step->alive), JI("runs", step->runs),
               JI("best", step->best), JR("best_mean", step->best_mean));
        jw_end(json);
    }
    jw_end(json);
}

static void write_held_out(JsonWriter *json, const Tuner *tuner) {
    int count = tuner->task->held_out;
    jw_object(json, "winner");
    jw_integer(json, "id", tuner->winner);
    write_values(json, tuner->task->space, &tuner->configs[tuner->winner].values);
    jw_put(json, JR("mean", tuner->winner_mean), JR("default_mean", tuner->default_mean),
           JR("p", tuner->p));
    jw_end(json);
    jw_object(json, "held_out");
    if (count > 0) {
        jw_reals(json, "default", tuner->configs[0].held_out, (size_t)count);
        jw_reals(json, "winner", tuner->configs[tuner->winner].held_out, (size_t)count);
    }
    jw_end(json);
}

static void write_importance(JsonWriter *json, const Tuner *tuner, const Importance *importance) {
    const Space *space = tuner->task->space;
    jw_array(json, "ablation");
    for (int i = 0; i < tuner->ablation_count; i++) {
        const TunerAblation *step = &tuner->ablation[i];
        const SpaceParameter *own = &space->items[step->parameter];
        double before = i > 0 ? tuner->ablation[i - 1].mean : tuner->ablation_start;
        jw_object(json, NULL);
        jw_string(json, "parameter", own->name);
        write_value(json, "value", own,
                    tuner->configs[tuner->winner].values.values[step->parameter]);
        jw_put(json, JR("mean", step->mean), JR("gain", step->mean - before));
        jw_end(json);
    }
    jw_end(json);
    jw_array(json, "importance");
    for (int i = 0; i < importance->count; i++)
        jw_real(json, NULL, importance->single[i]);
    jw_end(json);
    jw_array(json, "interactions");
    for (int i = 0; i < importance->count; i++)
        jw_reals(json, NULL, importance->pair[i], (size_t)importance->count);
    jw_end(json);
}

void tune_document_write(const TuneStore *tune, const Tuner *tuner, const Importance *importance,
                         JsonWriter *json) {
    static const char *const methods[] = {"race", "halving"}, *const tests[] = {"friedman", "t"};
    jw_put(json, JS("tuning", tune->name), JS("command", tune->job->name),
           JS("measure", tune->measure), JS("method", methods[tuner->task->method]),
           JS("test", tests[tuner->task->test]), JI("seed", (int64_t)tune->seed));
    jw_object(json, "fixed");
    for (int i = 0; i < tune->fixed_count; i++)
        jw_string(json, tune->fixed[i].name, tune->fixed[i].value);
    jw_end(json);
    jw_put(json, JI("training_instances", tune->training), JI("held_out_instances", tune->held_out),
           JI("budget", tuner->task->budget), JI("runs", tuner->runs),
           JI("held_out_runs", tuner->held_out_runs), JI("ablation_runs", tuner->ablation_runs),
           JI("races", tuner->races), JI("restarts", tuner->restarts));
    write_held_out(json, tuner);
    write_importance(json, tuner, importance);
    write_space(json, tuner->task->space);
    write_steps(json, tuner);
    write_configs(json, tuner);
}

void tune_document_config(const TuneStore *tune, const Tuner *tuner, Text *text) {
    const Space *space = tuner->task->space;
    const SpaceConfig *winner = &tuner->configs[tuner->winner].values;
    text_format(text, "; tetropt tune: %lld runs, seed %llu\n; tuned with", (long long)tuner->runs,
                (unsigned long long)tune->seed);
    for (int i = 0; i < tune->fixed_count; i++)
        text_format(text, " %s=%s", tune->fixed[i].name, tune->fixed[i].value);
    text_format(text, "\n; mean on %d held-out instances %.6g, of the defaults %.6g",
                tune->held_out, tuner->winner_mean, tuner->default_mean);
    if (!isnan(tuner->p))
        text_format(text, " (p = %.3g)", tuner->p);
    text_format(text, "\n[%s]\n", tune->job->name);
    for (int i = 0; i < tune->fixed_count; i++) {
        int row = options_find(tune->job->options, tune->fixed[i].name);
        if (row < 0 || options_row(tune->job->options, row).word_at) /* not the limits of a run */
            text_format(text, "%s = %s\n", tune->fixed[i].name, tune->fixed[i].value);
    }
    for (int i = 0; i < space->count; i++) {
        char value[SPACE_VALUE_BYTES];
        if (!isnan(winner->values[i]))
            text_format(text, "%s = %s\n", space->items[i].name,
                        space_text(&space->items[i], winner->values[i], value));
    }
}
