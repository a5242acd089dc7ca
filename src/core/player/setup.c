/* setup: resolves a request in five numbered steps, all in setup_init. */
#include "player/setup.h"

#include "player/outside/outside.h"
#include "player/registry.h"

#include <stdio.h>
#include <string.h>

#define WEIGHTS_IS "weights="

enum { NAME_BYTES = 64, QUERY_BYTES = 1024, DEFAULT_WIDTH = 10, DEFAULT_HEIGHT = 20 };

static int given_or(int given, int otherwise) {
    return given != SETUP_DEFAULT ? given : otherwise;
}

const Agent *setup_find(const char *name, const char *option, Status *status) {
    char bare[NAME_BYTES];
    if (outside_is(name)) {
        const Agent *agent = agent_find(name);
        if (!agent)
            status_option(
                status, option,
                "'%.100s' is not available here: programs play on the command line (simulate, "
                "match, watch, grids), and over HTTP only if serve --player lists them",
                name);
        return agent;
    }
    parameters_split(name, bare, sizeof bare);
    const Agent *agent = agent_find(bare);
    if (!agent) {
        Similar similar = similar_to(bare);
        char hint[SIMILAR_HINT_BYTES];
        for (int i = 0; i < agent_count(); i++)
            similar_try(&similar, agent_at(i)->name);
        similar_hint(&similar, hint);
        status_option(status, option, "unknown agent '%s'%s", bare,
                      *hint ? hint : " (see simulate --list)");
    }
    return agent;
}

/* Rules, preview and randomizer: the given value, else the one that suits the agent. */
static void resolve_game(Setup *setup, const SetupGame *game) {
    unsigned abilities = setup->agent->abilities;
    bool uses_hold = abilities & AGENT_HOLD, uses_preview = abilities & AGENT_PREVIEW;
    Rules *rules = &setup->made_for.rules;
    rules->set =
        (RuleSet)given_or(game->rules, abilities & AGENT_DROP_FIRST ? RULES_DROP : RULES_GUIDELINE);
    bool modern = rules->set == RULES_GUIDELINE;
    int usual_preview = setup->agent->preview ? setup->agent->preview : 1;
    rules->hold = given_or(game->hold, modern && uses_hold);
    bool looks = uses_preview && (modern || abilities & AGENT_DROP_FIRST);
    setup->preview = given_or(game->preview, looks ? usual_preview : 0);
    if (game->shared) {
        rules->hold = rules->hold && uses_hold;
        setup->preview = uses_preview ? setup->preview : 0;
    }
    rules->scoring = (Scoring)given_or(game->scoring, SCORING_GUIDELINE);
    rules->width = (uint8_t)given_or(game->width, DEFAULT_WIDTH);
    rules->height = (uint8_t)given_or(game->height, DEFAULT_HEIGHT);
    rules->bonus = game->bonus;
    rules->rotate180 = game->rotate180;
    rules->kicks = (KickKind)game->kicks;
    rules->all_spin = game->all_spin;
    setup->randomizer =
        (RandomizerKind)given_or(game->randomizer, modern ? RANDOMIZER_BAG : RANDOMIZER_UNIFORM);
}

/* Takes "weights=NAME" out of the parameters in the name of an agent: they are no parameter. */
static void split_weights(const char *query, char rest[QUERY_BYTES], char weights[NAME_BYTES]) {
    rest[0] = weights[0] = '\0';
    while (query && *query) {
        size_t length = strcspn(query, "&"), used = strlen(rest);
        if (strncmp(query, WEIGHTS_IS, strlen(WEIGHTS_IS)) == 0)
            snprintf(weights, NAME_BYTES, "%.*s", (int)(length - strlen(WEIGHTS_IS)),
                     query + strlen(WEIGHTS_IS));
        else
            snprintf(rest + used, QUERY_BYTES - used, "%s%.*s", used ? "&" : "", (int)length,
                     query);
        query += length + (query[length] == '&');
    }
}

static bool resolve_weights(Setup *setup, const SetupAgent *asked, Status *status) {
    Evaluator *evaluator = &setup->made_for.evaluator;
    const char *name = asked->weights ? asked->weights : setup->agent->weights;
    if (asked->own_weights)
        *evaluator = *asked->own_weights;
    else if (name && !evaluator_from_preset(evaluator, name))
        return status_option(status, "weights", "unknown weights '%.100s'", name);
    for (int i = 0; name && !asked->own_weights && i < evaluator_preset_count(); i++)
        if (strcmp(evaluator_preset_at(i).name, name) == 0)
            setup->weights = evaluator_preset_at(i).name; /* which lives on */
    return true;
}

static bool resolve_parameters(Setup *setup, const SetupAgent *asked, const char *query,
                               Status *status) {
    Parameters *parameters = &setup->parameters;
    const Agent *agent = setup->agent;
    parameters_init(parameters, agent->name, agent->parameters);
    parameters->bounds = asked->bounds;
    return (!asked->parameters || parameters_set_list(parameters, asked->parameters, status)) &&
           parameters_set_all(parameters, asked->parameter_lines, '\n', status) &&
           parameters_set_all(parameters, query, '&', status) &&
           !(asked->recorded && agent->cannot_record &&
             agent->cannot_record(parameters->values, 0, status));
}

bool setup_init(Setup *setup, const SetupAgent *request, const SetupGame *game, Status *status) {
    *setup = (Setup){0};
    SetupAgent copy = *request, *asked = &copy;

    /* 1. The agent. */
    char bare[NAME_BYTES], outside[OUTSIDE_NAME_BYTES];
    const char *name = asked->name                 ? asked->name
                       : game->rules == RULES_DROP ? "surface"
                                                   : "weighted";
    const char *query = parameters_split(name, bare, sizeof bare);
    setup->agent = setup_find(name, "agent", status);
    if (!setup->agent)
        return false;
    if (setup->agent->abilities & AGENT_OUTSIDE) {
        outside_query(name, outside);
        query = outside;
    }
    setup->made_for.agent = setup->agent;
    char rest[QUERY_BYTES], weights[NAME_BYTES];
    if (query && strstr(query, WEIGHTS_IS) && strlen(query) < QUERY_BYTES) {
        split_weights(query, rest, weights);
        query = rest;
        if (weights[0] && !asked->own_weights)
            asked->weights = weights;
    }

    /* 2. How it plays, 3. with which weights, 4. with which parameters. */
    resolve_game(setup, game);
    if (!resolve_weights(setup, asked, status) || !resolve_parameters(setup, asked, query, status))
        return false;

    /* 5. All of it must fit the agent. */
    return agent_check(setup->agent, &setup->made_for.rules, setup->preview, status) &&
           ((!asked->weights && !asked->own_weights) ||
            setup_check_weights(setup, setup->made_for.evaluator.kind, status));
}

void setup_release(Setup *setup) {
    parameters_release(&setup->parameters);
}

bool setup_check_weights(const Setup *setup, const EvaluatorKind *kind, Status *status) {
    const Agent *agent = setup->agent;
    if (!agent->weights)
        return status_fail(status, STATUS_INPUT, "%s: takes no weights", agent->name);
    if (agent->only_kind && kind != agent->only_kind)
        return status_fail(status, STATUS_INPUT, "%s: takes weights of the features '%s', not '%s'",
                           agent->name, agent->only_kind->name, kind->name);
    if (agent->weights_count && !agent->weights_count(setup->parameters.values))
        return status_fail(status, STATUS_INPUT, "%s: weights have no effect with these parameters",
                           agent->name);
    return true;
}

void *setup_player(const Setup *setup, Status *status) {
    return setup->agent->new_player(&setup->made_for, setup->parameters.values, status);
}
