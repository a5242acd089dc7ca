#include "cli/entrant.h"

#include "io/weights_document.h"
#include "player/registry.h"
#include "system/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIST_MAX = 1 << 20 };

bool entrant_read_list(const CliContext *context, const CliPlay *play, const char *value,
                       EntrantList *list, Status *status) {
    bool named = cli_given(context, "randomizer");
    bool wanted = named && play->randomizer == RANDOMIZER_LIST;
    if (!value)
        return !wanted || status_fail(status, STATUS_INPUT,
                                      "--randomizer: list needs --list FILE or --list LETTERS");
    if (named && !wanted)
        return status_fail(status, STATUS_INPUT, "--list: goes with --randomizer list");
    list->pieces = malloc(LIST_MAX);
    if (!list->pieces)
        return status_no_memory(status);
    bool is_file;
    if (!file_exists(value, &is_file, status))
        return false;
    int count = is_file ? cli_read_pieces(value, list->pieces, LIST_MAX, status)
                        : pieces_parse(value, list->pieces, LIST_MAX, status);
    if (count < 0)
        return !is_file && status_prefix(status, "--list");
    if (count == 0)
        return status_fail(status, STATUS_INPUT, "--list: there are no pieces in it");
    list->count = (size_t)count;
    return true;
}

static void set_rules(const EntrantRequest *request, Entrant *entrant) {
    SimulateTask *task = &entrant->task;
    CliPlayer player = {task->agent, request->named, request->protocol};
    cli_play_resolve(request->context, request->play, player, task);
    if (request->list->pieces)
        task->randomizer = RANDOMIZER_LIST;
    task->list = request->list->pieces;
    task->list_count = request->list->count;
}

static bool set_weights(const EntrantRequest *request, Entrant *entrant, Status *status) {
    const Agent *agent = entrant->task.agent;
    AgentSetup *setup = &entrant->task.setup;
    const char *wanted = request->named ? request->options->weights : NULL;
    entrant->weights = wanted ? wanted : agent->weights;
    if (agent->weights)
        evaluator_from_preset(&setup->evaluator, agent->weights);
    if (wanted && !weights_find(wanted, setup->evaluator.kind, &setup->evaluator, status))
        return status_prefix(status, "--weights");
    snprintf(entrant->label, sizeof entrant->label, "%s%s%s", agent->name, wanted ? " " : "",
             wanted ? wanted : "");
    return agent_check(agent, &setup->rules, entrant->task.preview,
                       wanted ? setup->evaluator.kind : NULL, status);
}

static bool set_parameters(const EntrantRequest *request, Entrant *entrant, const char *query,
                           Status *status) {
    const Agent *agent = entrant->task.agent;
    Parameters *parameters = &entrant->parameters;
    parameters_init(parameters, agent->name, agent->parameters);
    entrant->task.parameters = parameters->values;
    return !request->named ||
           (parameters_set_list(parameters, &request->options->parameters, status) &&
            parameters_set_all(parameters, query, '&', status));
}

bool entrant_set_up(const EntrantRequest *request, Entrant *entrant, Status *status) {
    char name[ENTRANT_LABEL_BYTES];
    const char *query = parameters_split(request->name, name, sizeof name);
    entrant->task.agent = agent_find(name);
    if (!entrant->task.agent)
        return status_fail(status, STATUS_INPUT,
                           "--agent: unknown agent '%s' (see simulate --list)", name);
    set_rules(request, entrant);
    bool wanted = request->named && request->options->weights;
    return set_weights(request, entrant, status) &&
           set_parameters(request, entrant, query, status) &&
           (!wanted || agent_check_effect(entrant->task.agent, entrant->parameters.values, status));
}

void entrant_release(Entrant *entrant) {
    parameters_release(&entrant->parameters);
}
