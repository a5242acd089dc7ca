#include "cli/entrant.h"

#include "agent/registry.h"
#include "base/file.h"
#include "io/weights_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LIST_FILE_LIMIT = 8 << 20, LIST_MAX = 1 << 20 };

static bool given(const EntrantRequest *request, const char *option) {
    return cli_given(request->context, option);
}

bool entrant_read_list(const CliContext *context, const CliGame *game, EntrantList *list,
                       Status *status) {
    const char *value = game->list;
    bool named = cli_given(context, "randomizer");
    bool wanted = named && game->randomizer == RANDOMIZER_LIST;
    if (!value)
        return !wanted || status_fail(status, STATUS_INPUT,
                                      "--randomizer: list needs --list FILE or --list LETTERS");
    if (named && !wanted)
        return status_fail(status, STATUS_INPUT, "--list: goes with --randomizer list");
    list->pieces = malloc(LIST_MAX);
    if (!list->pieces)
        return status_no_memory(status);
    bool is_file = access(value, F_OK) == 0;
    char *text = is_file ? file_read(value, LIST_FILE_LIMIT, NULL, status) : NULL;
    if (is_file && !text)
        return false;
    int count = pieces_parse(is_file ? text : value, list->pieces, LIST_MAX, status);
    free(text);
    if (count < 0)
        return status_prefix(status, is_file ? "%s" : "--list", value);
    if (count == 0)
        return status_fail(status, STATUS_INPUT, "--list: there are no pieces in it");
    list->count = (size_t)count;
    return true;
}

/* The rules an entrant plays by: what was asked for, else what suits it. */
static void set_rules(const EntrantRequest *request, Entrant *entrant) {
    const CliGame *game = request->game;
    bool named = request->named, protocol = request->protocol;
    SimulateTask *task = &entrant->task;
    Rules *rules = &task->setup.rules;
    unsigned abilities = task->agent->abilities;
    bool drop = protocol || abilities & AGENT_DROP_FIRST;
    rules->set = named && given(request, "rules") ? (RuleSet)game->rules
                 : drop                           ? RULES_DROP
                                                  : RULES_GUIDELINE;
    bool modern = rules->set == RULES_GUIDELINE && !protocol;
    rules->hold =
        named && given(request, "hold") ? game->hold == 1 : modern && abilities & AGENT_HOLD;
    task->preview = named && given(request, "preview") ? (int)game->preview
                                                       : modern && abilities & AGENT_PREVIEW;
    rules->scoring =
        protocol && !given(request, "scoring") ? SCORING_LOCAL_SEARCH : (Scoring)game->scoring;
    rules->width = (uint8_t)game->width;
    rules->height = (uint8_t)game->height;
    task->list = request->list->pieces;
    task->list_count = request->list->count;
    task->randomizer = task->list                     ? RANDOMIZER_LIST
                       : given(request, "randomizer") ? (RandomizerKind)game->randomizer
                       : modern || protocol           ? RANDOMIZER_BAG
                                                      : RANDOMIZER_UNIFORM;
}

static bool set_weights(const EntrantRequest *request, Entrant *entrant, Status *status) {
    const Agent *agent = entrant->task.agent;
    AgentSetup *setup = &entrant->task.setup;
    const char *wanted = request->named ? request->player->weights : NULL;
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
    const OptionList *pairs = &request->player->parameters;
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
    return set_weights(request, entrant, status) && set_parameters(request, entrant, status);
}
