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

/*
 * Measures the CPU time of decisions. Reading the CPU clock takes longer than a fast decision and
 * slows it down, so fast ones are measured by the wall clock; at the end of the game their sum is
 * reduced by the share of its time in which the thread did not run. That is right on average, since
 * the waiting falls on decisions and on the rest of the game alike. An outside player decides in
 * another process, so only the wall clock shows its time, and nothing is subtracted.
 */
typedef struct Stopwatch {
    Times *times;             /* NULL: nothing is measured */
    uint64_t wall_ns, cpu_ns; /* when the game began */
    uint64_t by_wall_ns;      /* the sum of decisions that the wall clock measured */
    bool slow;                /* the last decision was, so the CPU clock measures the next */
    bool outside;
} Stopwatch;

enum { SLOW_NS = 50000 };

static Stopwatch stopwatch_begin(Times *times, const Agent *agent) {
    return (Stopwatch){.times = times,
                       .wall_ns = times ? clock_now_ns() : 0,
                       .cpu_ns = times ? clock_thread_ns() : 0,
                       .outside = agent->abilities & AGENT_OUTSIDE};
}

/* Asks for a decision; *now_ns receives the moment after it. */
static Move timed_choice(Stopwatch *watch, const Agent *agent, void *player, const AgentView *view,
                         Rng *rng, uint64_t *now_ns) {
    uint64_t start = !watch->times ? 0 : watch->slow ? clock_thread_ns() : clock_now_ns();
    Move decision = agent->choose(player, view, rng);
    uint64_t cpu = watch->slow ? clock_thread_ns() : 0;
    *now_ns = clock_now_ns();
    if (!watch->times)
        return decision;
    uint64_t spent = (watch->slow ? cpu : *now_ns) - start;
    times_record(watch->times, spent, 1);
    if (!watch->slow)
        watch->by_wall_ns += spent;
    watch->slow = spent > SLOW_NS && !watch->outside;
    return decision;
}

static void stopwatch_end(const Stopwatch *watch) {
    if (!watch->times || watch->outside)
        return;
    double wall = (double)(clock_now_ns() - watch->wall_ns);
    double cpu = (double)(clock_thread_ns() - watch->cpu_ns);
    if (wall > cpu)
        times_discount(watch->times, (uint64_t)((double)watch->by_wall_ns * (wall - cpu) / wall));
}

static PlayEnd play_by_choice(const Agent *agent, void *player, int preview, Game *game,
                              const AgentLimits *limits, Rng *rng, const PlayObserver *observer) {
    Watcher watcher;
    watcher_init(&watcher, preview);
    agent_begin(agent, player);
    Stopwatch watch = stopwatch_begin(observer->times, agent);
    PlayEnd end = PLAY_DONE;
    bool held = false;
    while (game->over == OVER_NOT && game->pieces < limits->pieces && game->lines < limits->lines) {
        AgentView view;
        watcher_look(&watcher, game,
                     limits->pieces == INT64_MAX ? INT64_MAX : limits->pieces - game->pieces,
                     &view);
        view.limits = limits;
        uint64_t now;
        Move decision = timed_choice(&watch, agent, player, &view, rng, &now);
        if (agent_cut(limits, now)) {
            end = PLAY_CUT;
            break;
        }
        if (decision.placement.piece == PIECE_NONE && !decision.hold) {
            end = PLAY_FAULT;
            break;
        }
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
    stopwatch_end(&watch);
    return end;
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
