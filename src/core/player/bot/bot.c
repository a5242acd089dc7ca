/*
 * bot: two locks. The large one is held by the search thread while it searches, and by every call
 * that changes the position; the small one guards only the answer, so that asking never waits for a
 * step of the plan. It is a thread, and not steps inside bot_suggest, because the time between two
 * questions is used too.
 */
#include "player/bot/bot.h"

#include "base/clock.h"
#include "base/memory.h"
#include "engine/game.h"
#include "movegen/reach.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum {
    PUBLISH_NS = 4000000, /* while a call waits, an answer is published this often */
    WAIT_NS = 100000000   /* between two looks at the stop flag */
};

/* The shares of the time for a move after which the search ends, and after which the last published
 * answer is used: on a busy machine the search thread may be waiting for a CPU. */
static const double search_share = 0.75, answer_share = 0.85;

struct Bot {
    BotSettings settings;
    Plan *plan;
    Position position;
    bool playing;
    bool search_done; /* until the position changes */
    uint64_t changed_ns, searched_ns, published_ns;
    pthread_mutex_t lock; /* of all above */
    pthread_cond_t work_there;
    atomic_int visitors;             /* calls that want the lock */
    atomic_bool asked;               /* a call waits for a suggestion */
    atomic_uint_least64_t target_ns; /* when it should be given */
    bool closing, started;
    pthread_t thread;
    pthread_mutex_t answer_lock; /* of the fields below; only held for moments */
    pthread_cond_t answered;
    BotSuggestion latest; /* of the present position */
    bool final;           /* it is the answer to the present question */
    bool complete; /* and to every later one: the search is done. Written under both locks. */
};

/* --- Answers. --- */

static void add(BotSuggestion *suggestion, Placement move) {
    if (suggestion->count < BOT_MOVES_MAX)
        suggestion->moves[suggestion->count++] = move;
}

/* The labels under which the cells of the best move can be filled too. */
static void add_labels(const Position *position, BotSuggestion *suggestion) {
    Placement best = suggestion->moves[0], places[REACH_SPINS_MAX];
    int count = reach_list_spins(&position->columns, (Piece)best.piece, position->moves, places);
    for (int i = 0; i < count; i++)
        if (placement_same_cells(places[i], best) && places[i].spin != best.spin)
            add(suggestion, places[i]);
}

static void answer(Bot *bot, BotSuggestion *suggestion) {
    Placement moves[PLAN_MOVES_MAX];
    *suggestion = (BotSuggestion){0};
    int count = plan_moves(bot->plan, moves);
    if (count > 0) {
        add(suggestion, moves[0]);
        if (moves[0].piece == PIECE_T || (bot->position.moves & MOVES_ALL_SPIN))
            add_labels(&bot->position, suggestion);
    }
    for (int i = 1; i < count; i++)
        add(suggestion, moves[i]);
    suggestion->nodes = plan_nodes(bot->plan);
    suggestion->depth = plan_depth(bot->plan);
    if (bot->settings.nodes == 0 && bot->searched_ns > 0)
        suggestion->nodes_per_second = (double)suggestion->nodes * 1e9 / (double)bot->searched_ns;
}

/* Publishes the present answer, so that it can be read without the lock. */
static void publish(Bot *bot, bool final) {
    BotSuggestion suggestion;
    answer(bot, &suggestion);
    bot->published_ns = clock_now_ns();
    pthread_mutex_lock(&bot->answer_lock);
    bot->latest = suggestion;
    bot->final = final;
    bot->complete = bot->search_done;
    if (final)
        pthread_cond_signal(&bot->answered);
    pthread_mutex_unlock(&bot->answer_lock);
}

/* --- Searching. --- */

/* One step, timed. */
static void search_step(Bot *bot) {
    uint64_t start = clock_now_ns();
    bot->search_done = !plan_step(bot->plan);
    bot->searched_ns += clock_now_ns() - start;
}

/* Answers when the time has come, or nothing is left to search. */
static void attend(Bot *bot) {
    uint64_t now = clock_now_ns();
    if (bot->search_done || now >= atomic_load(&bot->target_ns)) {
        atomic_store(&bot->asked, false);
        publish(bot, true);
    } else if (now - bot->published_ns >= PUBLISH_NS)
        publish(bot, false);
}

static void *search_between_calls(void *argument) {
    Bot *bot = argument;
    pthread_mutex_lock(&bot->lock);
    while (!bot->closing) {
        /* The final answer is published unasked too: a question that comes just before the sleep
           is not seen, and must find it there. */
        bool ended = bot->playing && bot->search_done && !bot->complete;
        if (atomic_load(&bot->visitors) == 0 && (ended || atomic_load(&bot->asked)))
            attend(bot);
        if (!bot->playing || bot->search_done || atomic_load(&bot->visitors) > 0)
            pthread_cond_wait(&bot->work_there, &bot->lock);
        else
            search_step(bot);
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

/* --- Life cycle. --- */

/* Signals are for the thread that reads. */
static bool start_thread(Bot *bot) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bot->started = pthread_create(&bot->thread, NULL, search_between_calls, bot) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return bot->started;
}

static void init_locks(Bot *bot) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&bot->lock, NULL);
    pthread_cond_init(&bot->work_there, NULL);
    pthread_mutex_init(&bot->answer_lock, NULL);
    pthread_cond_init(&bot->answered, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

Bot *bot_new(const BotSettings *settings, Status *status) {
    Bot *bot = memory_new(1, sizeof *bot, status);
    if (!bot)
        return NULL;
    bot->settings = *settings;
    init_locks(bot);
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
    pthread_cond_destroy(&bot->answered);
    pthread_mutex_destroy(&bot->answer_lock);
    pthread_cond_destroy(&bot->work_there);
    pthread_mutex_destroy(&bot->lock);
    free(bot);
}

/* --- Calls. --- */

/* The position changed: there is something to search, and an answer is published in case no time is
 * left for more. */
static void take_up(Bot *bot, bool moved) {
    bot->search_done = false;
    if (moved) {
        bot->changed_ns = clock_now_ns();
        bot->searched_ns = 0;
    }
    if (bot->settings.nodes > 0)
        return;
    if (plan_depth(bot->plan) == 0)
        search_step(bot);
    publish(bot, false);
}

void bot_start(Bot *bot, const Position *position) {
    enter(bot);
    bot->position = *position;
    bot->playing = true;
    plan_reset(bot->plan, position);
    take_up(bot, true);
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
                           : status_fail(status, STATUS_INPUT, "play: no game was started");
    if (ok) {
        plan_advance(bot->plan, &bot->position);
        take_up(bot, true);
    }
    leave(bot);
    return ok;
}

bool bot_new_piece(Bot *bot, Piece piece, Status *status) {
    enter(bot);
    bool ok = bot->playing ? position_add_piece(&bot->position, piece, status)
                           : status_fail(status, STATUS_INPUT, "new_piece: no game was started");
    if (ok) {
        plan_advance(bot->plan, &bot->position);
        take_up(bot, false);
    }
    leave(bot);
    return ok;
}

bool bot_rise(Bot *bot, const uint16_t *rows, int count, Status *status) {
    enter(bot);
    bool ok = bot->playing ? position_rise(&bot->position, rows, count, status)
                           : status_fail(status, STATUS_INPUT, "garbage: no game was started");
    if (ok) {
        plan_reset(bot->plan, &bot->position);
        take_up(bot, false);
    }
    leave(bot);
    return ok;
}

bool bot_incoming(Bot *bot, int rows, Status *status) {
    enter(bot);
    bool ok = bot->playing || status_fail(status, STATUS_INPUT, "incoming: no game was started");
    uint8_t waiting = (uint8_t)(rows < GARBAGE_MAX ? rows : GARBAGE_MAX);
    if (ok && waiting != bot->position.garbage.waiting) {
        bot->position.garbage =
            (BotGarbage){.waiting = waiting, .due = waiting, .countering = true, .blocking = true};
        plan_reset(bot->plan, &bot->position);
        take_up(bot, false);
    }
    leave(bot);
    return ok;
}

static bool stopped(const Bot *bot) {
    return bot->settings.stop && atomic_load_explicit(bot->settings.stop, memory_order_relaxed);
}

/* Waits for the final answer of the search thread, but not beyond `deadline_ns`. */
static void wait_for_answer(Bot *bot, uint64_t deadline_ns, BotSuggestion *suggestion) {
    pthread_mutex_lock(&bot->answer_lock);
    for (;;) {
        uint64_t now = clock_now_ns();
        if (bot->final || now >= deadline_ns || stopped(bot))
            break;
        uint64_t until = deadline_ns - now < WAIT_NS ? deadline_ns : now + WAIT_NS;
        struct timespec time = {(time_t)(until / 1000000000), (long)(until % 1000000000)};
        pthread_cond_timedwait(&bot->answered, &bot->answer_lock, &time);
    }
    *suggestion = bot->latest;
    pthread_mutex_unlock(&bot->answer_lock);
    atomic_store(&bot->asked, false);
}

/* By time: the search thread works and this thread sleeps, so that it is woken in time even on a
 * busy machine. */
static void suggest_by_time(Bot *bot, uint64_t asked_ns, BotSuggestion *suggestion) {
    double move_ns = (double)bot->settings.move_time_ms * 1e6;
    uint64_t from = bot->changed_ns < asked_ns ? bot->changed_ns : asked_ns;
    pthread_mutex_lock(&bot->answer_lock);
    bot->final = bot->complete;
    pthread_mutex_unlock(&bot->answer_lock);
    atomic_store(&bot->target_ns, from + (uint64_t)(move_ns * search_share));
    atomic_store(&bot->asked, true);
    /* A search thread that does not sleep holds the lock and will see that it was asked. */
    if (pthread_mutex_trylock(&bot->lock) == 0) {
        pthread_cond_signal(&bot->work_there);
        pthread_mutex_unlock(&bot->lock);
    }
    wait_for_answer(bot, asked_ns + (uint64_t)(move_ns * answer_share), suggestion);
}

void bot_suggest(Bot *bot, uint64_t asked_ns, BotSuggestion *suggestion) {
    *suggestion = (BotSuggestion){0};
    /* Only calls change these, and calls do not overlap. */
    if (!bot->playing)
        return;
    if (bot->settings.nodes == 0) {
        suggest_by_time(bot, asked_ns, suggestion);
        return;
    }
    while (!bot->search_done && plan_nodes(bot->plan) < bot->settings.nodes && !stopped(bot))
        search_step(bot);
    answer(bot, suggestion);
}
