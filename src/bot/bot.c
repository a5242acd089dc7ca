#include "bot/bot.h"

#include "base/clock.h"
#include "movegen/reach.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* The part of the time for a move that is used for thinking; the rest is for waking up, writing and
 * a busy machine. */
static const double time_share = 0.8;

struct Bot {
    BotSettings settings;
    Plan *plan;
    Position position;
    bool playing;
    bool thinking_done; /* until the position changes */
    uint64_t changed_ns, thought_ns;
    pthread_mutex_t lock;
    pthread_cond_t work_there;
    atomic_int visitors; /* calls that want the lock */
    bool closing, started;
    pthread_t thread;
};

/* One step, timed. */
static void think(Bot *bot) {
    uint64_t start = clock_now_ns();
    bot->thinking_done = !plan_step(bot->plan);
    bot->thought_ns += clock_now_ns() - start;
}

static void *think_between_calls(void *argument) {
    Bot *bot = argument;
    pthread_mutex_lock(&bot->lock);
    while (!bot->closing) {
        if (!bot->playing || bot->thinking_done || atomic_load(&bot->visitors) > 0)
            pthread_cond_wait(&bot->work_there, &bot->lock);
        else
            think(bot);
    }
    pthread_mutex_unlock(&bot->lock);
    return NULL;
}

static void enter(Bot *bot) {
    atomic_fetch_add(&bot->visitors, 1);
    pthread_mutex_lock(&bot->lock);
}

static void leave(Bot *bot) {
    atomic_fetch_sub(&bot->visitors, 1);
    pthread_cond_signal(&bot->work_there);
    pthread_mutex_unlock(&bot->lock);
}

/* Signals are for the thread that reads. */
static bool start_thread(Bot *bot) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bot->started = pthread_create(&bot->thread, NULL, think_between_calls, bot) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return bot->started;
}

Bot *bot_new(const BotSettings *settings, Status *status) {
    Bot *bot = calloc(1, sizeof *bot);
    if (!bot) {
        status_no_memory(status);
        return NULL;
    }
    bot->settings = *settings;
    pthread_mutex_init(&bot->lock, NULL);
    pthread_cond_init(&bot->work_there, NULL);
    position_init(&bot->position);
    bot->plan = plan_new(&settings->plan, status);
    bool ok = bot->plan;
    if (ok && settings->nodes == 0 && !start_thread(bot))
        ok = status_fail(status, STATUS_SYSTEM, "threads: cannot start one");
    if (ok)
        return bot;
    bot_free(bot);
    return NULL;
}

void bot_free(Bot *bot) {
    if (!bot)
        return;
    if (bot->started) {
        enter(bot);
        bot->closing = true;
        leave(bot);
        pthread_join(bot->thread, NULL);
    }
    plan_free(bot->plan);
    pthread_cond_destroy(&bot->work_there);
    pthread_mutex_destroy(&bot->lock);
    free(bot);
}

static void begin_thinking(Bot *bot) {
    bot->thinking_done = false;
    bot->changed_ns = clock_now_ns();
    bot->thought_ns = 0;
}

void bot_start(Bot *bot, const Position *position) {
    enter(bot);
    bot->position = *position;
    bot->playing = true;
    plan_reset(bot->plan, position);
    begin_thinking(bot);
    leave(bot);
}

void bot_stop(Bot *bot) {
    enter(bot);
    bot->playing = false;
    leave(bot);
}

bool bot_play(Bot *bot, Placement move, Status *status) {
    enter(bot);
    bool ok = bot->playing ? position_play(&bot->position, move, status)
                           : status_fail(status, STATUS_INPUT, "play: there is no game");
    if (ok) {
        plan_advance(bot->plan, &bot->position);
        begin_thinking(bot);
    }
    leave(bot);
    return ok;
}

bool bot_new_piece(Bot *bot, Piece piece, Status *status) {
    enter(bot);
    bool ok = bot->playing ? position_add_piece(&bot->position, piece, status)
                           : status_fail(status, STATUS_INPUT, "new_piece: there is no game");
    if (ok) {
        plan_advance(bot->plan, &bot->position);
        bot->thinking_done = false;
    }
    leave(bot);
    return ok;
}

static bool enough(const Bot *bot) {
    if (bot->thinking_done)
        return true;
    if (bot->settings.nodes > 0)
        return plan_nodes(bot->plan) >= bot->settings.nodes;
    if (bot->settings.stop && atomic_load_explicit(bot->settings.stop, memory_order_relaxed))
        return true;
    double budget_ns = (double)bot->settings.move_time_ms * 1e6 * time_share;
    return (double)(clock_now_ns() - bot->changed_ns) >= budget_ns;
}

static void add(BotSuggestion *suggestion, Placement move) {
    if (suggestion->count < BOT_MOVES_MAX)
        suggestion->moves[suggestion->count++] = move;
}

/* The labels under which the cells of the best move can be filled too. */
static void add_labels(const Position *position, BotSuggestion *suggestion) {
    Placement best = suggestion->moves[0], places[REACH_SPINS_MAX];
    int count = reach_list_spins(&position->columns, PIECE_T, false, places);
    for (int i = 0; i < count; i++)
        if (placement_same_cells(places[i], best) && places[i].spin != best.spin)
            add(suggestion, places[i]);
}

static void answer(Bot *bot, BotSuggestion *suggestion) {
    Placement moves[PLAN_MOVES_MAX];
    int count = plan_moves(bot->plan, moves);
    if (count > 0) {
        add(suggestion, moves[0]);
        if (moves[0].piece == PIECE_T)
            add_labels(&bot->position, suggestion);
    }
    for (int i = 1; i < count; i++)
        add(suggestion, moves[i]);
    suggestion->nodes = plan_nodes(bot->plan);
    suggestion->depth = plan_depth(bot->plan);
    if (bot->settings.nodes == 0 && bot->thought_ns > 0)
        suggestion->nodes_per_second = (double)suggestion->nodes * 1e9 / (double)bot->thought_ns;
}

void bot_suggest(Bot *bot, BotSuggestion *suggestion) {
    *suggestion = (BotSuggestion){0};
    enter(bot);
    if (bot->playing) {
        if (plan_nodes(bot->plan) == 0 && !bot->thinking_done)
            think(bot); /* at least the root */
        while (!enough(bot))
            think(bot);
        answer(bot, suggestion);
    }
    leave(bot);
}
