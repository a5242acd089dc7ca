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

/* Reading the clock takes as long as a fast decision, so only some decisions are timed. */
enum { TIMED_DECISIONS = 16 };

/* Asks for a decision; `times` (may be NULL) receives its CPU time without that of the clock. */
static Move timed_choice(const Agent *agent, void *player, const AgentView *view, Rng *rng,
                         Times *times) {
    if (!times)
        return agent->choose(player, view, rng);
    uint64_t before = clock_thread_ns(), start = clock_thread_ns();
    Move decision = agent->choose(player, view, rng);
    uint64_t spent = clock_thread_ns() - start, clock = start - before;
    times_record(times, spent > clock ? spent - clock : 0, 1);
    return decision;
}

static PlayEnd play_by_choice(const Agent *agent, void *player, int preview, Game *game,
                              const AgentLimits *limits, Rng *rng, const PlayObserver *observer) {
    Watcher watcher;
    watcher_init(&watcher, preview);
    bool held = false;
    int64_t turns = 0;
    while (game->over == OVER_NOT && game->pieces < limits->pieces && game->lines < limits->lines) {
        AgentView view;
        watcher_look(&watcher, game,
                     limits->pieces == INT64_MAX ? INT64_MAX : limits->pieces - game->pieces,
                     &view);
        Move decision = timed_choice(agent, player, &view, rng,
                                     turns++ % TIMED_DECISIONS == 0 ? observer->times : NULL);
        if (agent_cut(limits, clock_now_ns()))
            return PLAY_CUT;
        if (decision.hold) {
            game_press(game, KEY_HOLD);
            held = true;
        }
        if (decision.placement.piece == PIECE_NONE || game->over != OVER_NOT)
            continue;
        record_decision(observer->record, decision, held);
        held = false;
        game_place(game, decision.placement);
        if (observer->tick)
            observer->tick(observer->context, 1);
        if (observer->locked)
            observer->locked(observer->context, game);
    }
    return PLAY_DONE;
}

PlayEnd play_game(const Agent *agent, void *player, int preview, Game *game,
                  const AgentLimits *limits, Rng *rng, const PlayObserver *observer,
                  Status *status) {
    if (!agent->play)
        return play_by_choice(agent, player, preview, game, limits, rng, observer);
    uint64_t start = clock_thread_ns();
    if (!agent->play(player, game, limits, rng, observer->record, status))
        return PLAY_FAILED;
    /* The whole game was one decision; its time is shared out over the pieces. */
    if (observer->times && game->pieces > 0)
        times_record(observer->times, (clock_thread_ns() - start) / (uint64_t)game->pieces,
                     (uint64_t)game->pieces);
    if (observer->tick)
        observer->tick(observer->context, game->pieces);
    return agent_cut(limits, clock_now_ns()) ? PLAY_CUT : PLAY_DONE;
}
