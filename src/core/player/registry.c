/* registry: the agents in the order in which they are listed, and the settings that they reject. */
#include "player/registry.h"

#include <string.h>

#define ADDRESS(name_) &name_##_agent,
static const Agent *const agents[] = {AGENT_LIST(ADDRESS)};

int agent_count(void) {
    return sizeof agents / sizeof *agents;
}

const Agent *agent_at(int index) {
    return agents[index];
}

const Agent *agent_find(const char *name) {
    for (int i = 0; i < agent_count(); i++)
        if (strcmp(agents[i]->name, name) == 0)
            return agents[i];
    return NULL;
}

bool agent_check(const Agent *agent, const Rules *rules, int preview, Status *status) {
    unsigned abilities = agent->abilities;
    if (rules->set == RULES_DROP && !(abilities & AGENT_DROP))
        return status_fail(status, STATUS_INPUT, "%s: plays by the rules guideline only",
                           agent->name);
    if (rules->set == RULES_GUIDELINE && !(abilities & AGENT_GUIDELINE))
        return status_fail(status, STATUS_INPUT, "%s: plays by the rules drop only", agent->name);
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
