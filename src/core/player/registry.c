/* registry: the agents in the order in which they are listed, and the settings that they reject. */
#include "player/registry.h"

#include <stdatomic.h>
#include <string.h>

#define ADDRESS(name_) &name_##_agent,
static const Agent *const agents[] = {AGENT_LIST(ADDRESS)};

enum { BUILT_IN = sizeof agents / sizeof *agents };

/* Those of users; the count grows after the place is filled, so nobody waits who only looks. */
static const Agent *added[AGENT_ADDED_MAX];
static atomic_int added_count;
static atomic_flag adding = ATOMIC_FLAG_INIT;

int agent_count(void) {
    return BUILT_IN + atomic_load(&added_count);
}

const Agent *agent_at(int index) {
    return index < BUILT_IN ? agents[index] : added[index - BUILT_IN];
}

/* Names are written in options and files. */
static bool name_is_valid(const char *name) {
    size_t length = strlen(name);
    return length > 0 && length < 32 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length;
}

static bool add(const Agent *agent, const EvaluatorPreset *weights, Status *status) {
    int count = atomic_load(&added_count);
    if (!(agent->abilities & AGENT_OUTSIDE) && !name_is_valid(agent->name))
        return status_fail(status, STATUS_INPUT,
                           "name: '%.40s' is not 1 to 31 of the characters a-z 0-9 - _",
                           agent->name);
    Evaluator taken;
    if (agent_find(agent->name) || evaluator_kind_find(agent->name) ||
        evaluator_from_preset(&taken, agent->name))
        return status_fail(status, STATUS_INPUT, "name: '%s' is taken", agent->name);
    if (count == AGENT_ADDED_MAX || (weights && !evaluator_add(weights)))
        return status_fail(status, STATUS_INPUT, "agents: more than %d", AGENT_ADDED_MAX);
    added[count] = agent;
    atomic_store(&added_count, count + 1);
    return true;
}

bool agent_add(const Agent *agent, const EvaluatorPreset *weights, Status *status) {
    while (atomic_flag_test_and_set(&adding)) {
    }
    bool ok = agent_find(agent->name) == agent || add(agent, weights, status);
    atomic_flag_clear(&adding);
    return ok;
}

const Agent *agent_find(const char *name) {
    for (int i = 0; i < agent_count(); i++)
        if (strcmp(agent_at(i)->name, name) == 0)
            return agent_at(i);
    return NULL;
}

bool agent_check(const Agent *agent, const Rules *rules, int preview, Status *status) {
    unsigned abilities = agent->abilities;
    if (rules->set == RULES_DROP && !(abilities & AGENT_DROP))
        return status_fail(status, STATUS_INPUT, "%s: plays by the rules guideline only",
                           agent->name);
    if (rules->set == RULES_GUIDELINE && !(abilities & AGENT_GUIDELINE))
        return status_fail(status, STATUS_INPUT, "%s: plays by the rules drop only", agent->name);
    if (rules->set == RULES_DROP && (rules->kicks != KICKS_SRS || rules->all_spin))
        return status_fail(status, STATUS_INPUT, "kicks and spins: not used by the rules drop");
    if (rules->kicks != KICKS_SRS && !(abilities & AGENT_KICKS))
        return status_fail(status, STATUS_INPUT, "%s: plays with the kicks srs only", agent->name);
    if ((agent->only_width && rules->width != agent->only_width) ||
        (agent->only_height && rules->height != agent->only_height))
        return status_fail(status, STATUS_INPUT, "%s: plays on boards of %dx%d only, not %dx%d",
                           agent->name, agent->only_width, agent->only_height, rules->width,
                           rules->height);
    if (rules->hold && !(abilities & AGENT_HOLD))
        return status_fail(status, STATUS_INPUT, "%s: does not use hold", agent->name);
    if (preview > 0 && !(abilities & AGENT_PREVIEW))
        return status_fail(status, STATUS_INPUT, "%s: does not look at next pieces (preview)",
                           agent->name);
    return true;
}
