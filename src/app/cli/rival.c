/* rival: a live game with a pilot, and the two sides of the race. */
#include "cli/rival.h"

enum { PRESS_US = 60000, PREVIEW = 5 };

bool rival_init(Rival *rival, const char *agent, const Rules *rules, double speed, Status *status) {
    *rival = (Rival){.speed = speed};
    SetupAgent player = {.name = agent, .recorded = true};
    SetupGame game = SETUP_GAME_DEFAULT;
    game.rules = RULES_GUIDELINE;
    game.hold = rules->hold;
    game.preview = PREVIEW;
    game.kicks = (int)rules->kicks;
    game.all_spin = rules->all_spin;
    const Agent *found = setup_find(agent, "against", status);
    if (!found)
        return false;
    if (!found->choose)
        return status_option(status, "against", "'%s' plans whole games and cannot race", agent);
    if (!(found->abilities & AGENT_PREVIEW))
        game.preview = 0;
    return setup_init(&rival->setup, &player, &game, status) ||
           (status->option ? false : status_prefix_option(status, "against"));
}

void rival_release(Rival *rival) {
    pilot_free(rival->pilot);
    setup_release(&rival->setup);
}

static void locked(void *context, Live *live) {
    Rival *rival = context;
    race_locked(&rival->side, live);
}

bool rival_begin(Rival *rival, const LiveSetup *setup, uint64_t seed, Status *status) {
    LiveSetup own = {.rules = rival->setup.made_for.rules,
                     .randomizer = setup->randomizer,
                     .max_pieces = INT64_MAX,
                     .max_lines = INT64_MAX};
    PilotSetup pilot = {.player = &rival->setup,
                        .seed = seed,
                        .press_us = PRESS_US,
                        .max_pieces = INT64_MAX,
                        .waiting = &rival->side.waiting};
    pilot_free(rival->pilot);
    rival->pilot = pilot_new(&pilot, status);
    live_init(&rival->live, &own);
    rival->live.hooks = (LiveHooks){.locked = locked, .context = rival};
    return rival->pilot && race_init(&rival->own, seed, status) &&
           race_init(&rival->side, seed, status);
}

void rival_advance(Rival *rival, Live *own, int64_t microseconds) {
    if (own->end != LIVE_RUNNING || own->paused)
        return;
    pilot_advance(rival->pilot, &rival->live, (int64_t)((double)microseconds * rival->speed));
    race_exchange(&rival->own, &rival->side);
    if (rival->live.end != LIVE_RUNNING)
        own->end = LIVE_WON;
}
