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

static bool set_parameters(const EntrantRequest *request, Entrant *entrant, Status *status) {
    OptionTable table = entrant->task.agent->parameters;
    const OptionList *pairs = &request->options->parameters;
    options_defaults(table, entrant->parameters);
    entrant->task.parameters = entrant->parameters;
    for (int i = 0; request->named && i < pairs->count; i++)
        if (!options_set_pair(table, entrant->parameters, pairs->items[i], entrant->pairs[i],
                              ENTRANT_PAIR_BYTES, status))
            return status_prefix(status, "--param (%s)", entrant->task.agent->name);
    return true;
}

bool entrant_set_up(const EntrantRequest *request, Entrant *entrant, Status *status) {
    entrant->task.agent = agent_find(request->name);
    if (!entrant->task.agent)
        return status_fail(status, STATUS_INPUT,
                           "--agent: there is none called '%s' (see simulate --list)",
                           request->name);
    set_rules(request, entrant);
    bool wanted = request->named && request->options->weights;
    return set_weights(request, entrant, status) && set_parameters(request, entrant, status) &&
           (!wanted || agent_check_effect(entrant->task.agent, entrant->parameters, status));
}
