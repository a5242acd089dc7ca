/* play: one game, asked for piece by piece or played at once by the agent. */
#include "simulate/play.h"

#include "base/clock.h"
#include "player/view.h"

bool play_died(const Game *game) {
    return game->over == OVER_BLOCK_OUT || game->over == OVER_LOCK_OUT;
}

/* A hold that was decided apart belongs to the next placement. */
static void record_decision(AgentRecord *record, Move decision, bool held) {
    if (!record || record->count == record->capacity)
        return;
    decision.hold = decision.hold || held;
    record->moves[record->count++] = decision;
}

static PlayEnd play_by_choice(const Agent *agent, void *player, int preview, Game *game,
                              const AgentLimits *limits, Rng *rng, const PlayWitness *witness) {
    Watcher watcher;
    watcher_init(&watcher, preview);
    bool held = false;
    while (game->over == OVER_NOT && game->pieces < limits->pieces && game->lines < limits->lines) {
        AgentView view;
        watcher_look(&watcher, game,
                     limits->pieces == INT64_MAX ? INT64_MAX : limits->pieces - game->pieces,
                     &view);
        uint64_t start = clock_now_ns();
        Move decision = agent->choose(player, &view, rng);
        uint64_t now = clock_now_ns();
        if (witness->times)
            times_record(witness->times, now - start, 1);
        if (agent_cut(limits, now))
            return PLAY_CUT;
        if (decision.hold) {
            game_press(game, KEY_HOLD);
            held = true;
        }
        if (decision.placement.piece == PIECE_NONE || game->over != OVER_NOT)
            continue;
        record_decision(witness->record, decision, held);
        held = false;
        game_place(game, decision.placement);
        if (witness->tick)
            witness->tick(witness->context, 1);
        if (witness->locked)
            witness->locked(witness->context, game);
    }
    return PLAY_DONE;
}

PlayEnd play_game(const Agent *agent, void *player, int preview, Game *game,
                  const AgentLimits *limits, Rng *rng, const PlayWitness *witness, Status *status) {
    if (!agent->play)
        return play_by_choice(agent, player, preview, game, limits, rng, witness);
    uint64_t start = clock_now_ns();
    if (!agent->play(player, game, limits, rng, witness->record, status))
        return PLAY_FAILED;
    uint64_t now = clock_now_ns();
    /* The whole game was one decision; its time is shared out over the pieces. */
    if (witness->times && game->pieces > 0)
        times_record(witness->times, (now - start) / (uint64_t)game->pieces,
                     (uint64_t)game->pieces);
    if (witness->tick)
        witness->tick(witness->context, game->pieces);
    return agent_cut(limits, now) ? PLAY_CUT : PLAY_DONE;
}
