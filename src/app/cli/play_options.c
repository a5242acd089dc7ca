#include "cli/play_options.h"

void cli_play_resolve(const CliContext *context, const CliPlay *play, CliPlayer player,
                      SimulateTask *task) {
    Rules *rules = &task->setup.rules;
    unsigned abilities = player.agent->abilities;
    bool drop = player.protocol || abilities & AGENT_DROP_FIRST;
    rules->set = player.named && cli_given(context, "rules") ? (RuleSet)play->rules
                 : drop                                      ? RULES_DROP
                                                             : RULES_GUIDELINE;
    bool modern = rules->set == RULES_GUIDELINE && !player.protocol;
    rules->hold = player.named && cli_given(context, "hold") ? play->hold == 1
                                                             : modern && abilities & AGENT_HOLD;
    task->preview = player.named && cli_given(context, "preview")
                        ? (int)play->preview
                        : modern && abilities & AGENT_PREVIEW;
    rules->scoring = player.protocol && !cli_given(context, "scoring") ? SCORING_LOCAL_SEARCH
                                                                       : (Scoring)play->scoring;
    rules->width = (uint8_t)play->width;
    rules->height = (uint8_t)play->height;
    task->randomizer = cli_given(context, "randomizer") ? (RandomizerKind)play->randomizer
                       : modern || player.protocol      ? RANDOMIZER_BAG
                                                        : RANDOMIZER_UNIFORM;
}
